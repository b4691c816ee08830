"""The endpoint pairs of a run: near and far, within a topic and across, from hubs to the edge, each with its share."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput, NoTrail
from narrative_core.records import Progress
from narrative_core.runs import SHARES, Cutoffs, Stratum, StratumCount
from narrative_core.trails.capacity import Trail, strongest_trail
from narrative_core.trails.graph import TrailGraph

_MOST_CANDIDATES = 2_000_000
"""All pairs of 2,000 documents; more are not listed."""
_PAIRS_AT_ONCE = 1 << 14
_NEARLY_ONE = 1e-6
DEFAULT_CUTOFFS = Cutoffs()


@dataclass(frozen=True, slots=True)
class SampledTrail:
    """The trail between a drawn pair, and the stratum that the pair was drawn for."""

    stratum: Stratum
    trail: Trail


@dataclass(frozen=True, slots=True)
class SampledEndpoints:
    """Trails in random order, and a count for each stratum that was asked for."""

    trails: tuple[SampledTrail, ...]
    counts: tuple[StratumCount, ...]


def sample_endpoints(
    graph: TrailGraph,
    n_pairs: int,
    *,
    topics: NDArray[np.integer],
    vectors: NDArray[np.floating],
    shares: Mapping[Stratum, float] = SHARES,
    cutoffs: Cutoffs = DEFAULT_CUTOFFS,
    rng: np.random.Generator,
    progress: Progress | None = None,
) -> SampledEndpoints:
    """Return the trails of endpoint pairs that are drawn at random within strata.

    The source is before the target by (day, position), and no pair stands in two strata. With q(p) for the quantiles
    over all candidate pairs, or over all documents for the number of links, a pair is

    - *within* a topic when both documents have the same, *across* when they have different ones, and neither when one
      has none; *short* or *close* with at most q(``short``) days between them, *long* or *far* with at least
      q(``long``) and more than the short ones;
    - *hub to edge* when its source has at least q(1 − ``hub``) links, and its target at most q(``hub``) and fewer than
      the hubs;
    - one of the *extremes* when the cosine of its vectors is at most q(``extreme``).

    Parameters
    ----------
    graph : TrailGraph
        Undated documents are left out where it has days. Without days no pair is short, long, close or far.
    n_pairs : int
        Shared out over the strata by largest remainder.
    topics : ndarray, shape (n,)
        The topic of each document, −1 for none.
    vectors : ndarray, shape (n, d)
        Unit rows.
    shares : mapping
        The share of each stratum, at least 0, with sum 1.
    cutoffs : Cutoffs
    rng : numpy.random.Generator
    progress : callable, optional
        Told after each pair that is tried how many trails are done of ``n_pairs``; what it raises ends the work.

    Returns
    -------
    SampledEndpoints
        Pairs without a trail are rejected and counted, and others drawn instead. A stratum that runs out of pairs has
        fewer than it was to have; no other makes up for it.

    Raises
    ------
    InvalidInput
        If the shares are negative or do not sum to 1 (within 1e-6), a cut-off is no quantile, or shapes do not fit.

    Notes
    -----
    The candidates are all pairs of up to 2,000 documents. Of more documents, 2 million pairs are drawn uniformly, and
    the repeated ones dropped: quantiles and strata are then of these candidates, which bounds memory to some 200 MB.
    """
    _check(graph, topics, vectors, cutoffs)
    wanted = allot(shares, n_pairs)
    documents = _in_order(graph)
    pairs = documents[_candidates(len(documents), rng)]
    kinds = _kinds(graph, documents, pairs, topics, cutoffs) | _extremes(vectors, pairs, cutoffs.extreme)
    tried: set[tuple[int, int]] = set()
    trails: list[SampledTrail] = []
    counts = []
    for stratum, n in wanted.items():
        n_before, n_rejected = len(trails), 0
        for pair in rng.permutation(pairs[kinds[stratum]]) if n else ():
            if len(trails) == n_before + n:
                break
            source, target = pair.tolist()
            if (source, target) in tried:
                continue
            tried.add((source, target))
            if (trail := _trail(graph, source, target)) is None:
                n_rejected += 1
            else:
                trails.append(SampledTrail(stratum, trail))
            if progress is not None:
                progress(len(trails), n_pairs)
        counts.append(StratumCount(stratum, n, len(trails) - n_before, n_rejected))
    return SampledEndpoints(tuple(trails[place] for place in rng.permutation(len(trails))), tuple(counts))


def given_endpoints(
    graph: TrailGraph,
    pairs: Sequence[tuple[int, int, Stratum]],
    *,
    progress: Progress | None = None,
) -> SampledEndpoints:
    """Return the trails of given pairs, in the order given; those without a trail are rejected and counted.

    Parameters
    ----------
    graph : TrailGraph
    pairs : sequence of (source, target, stratum)
        By document number; whether they fit their stratum is not asked.
    progress : callable, optional
        Told after each pair how many of them are done; what it raises ends the work.

    Returns
    -------
    SampledEndpoints
        Its counts are of the strata that occur: each was to have all its pairs.

    Raises
    ------
    InvalidInput
        If a document is not in the graph.
    """
    trails = []
    for n_done, (source, target, stratum) in enumerate(pairs, start=1):
        trail = _trail(graph, source, target)
        if trail is not None:
            trails.append(SampledTrail(stratum, trail))
        if progress is not None:
            progress(n_done, len(pairs))
    wanted = Counter(stratum for _, _, stratum in pairs)
    found = Counter(sampled.stratum for sampled in trails)
    counts = [StratumCount(of, wanted[of], found[of], wanted[of] - found[of]) for of in SHARES if wanted[of]]
    return SampledEndpoints(tuple(trails), tuple(counts))


def allot(shares: Mapping[Stratum, float], n_pairs: int) -> dict[Stratum, int]:
    """Return how many of ``n_pairs`` each stratum is to have, by largest remainder, the first among equals.

    The strata come in the order of `SHARES`, whatever that of the shares.

    Raises
    ------
    InvalidInput
        If a share is negative or unknown, they do not sum to 1 (within 1e-6), or the number is negative.

    Examples
    --------
    >>> allot({"within short": 0.5, "across far": 0.3, "extremes": 0.2}, 9)
    {'within short': 4, 'across far': 3, 'extremes': 2}
    """
    if n_pairs < 0:
        raise InvalidInput(f"the number of pairs must be at least 0; got {n_pairs}.")
    if unknown := sorted(set(shares) - set(SHARES)):
        raise InvalidInput(f"shares must be of {', '.join(SHARES)}; got {', '.join(unknown)}.")
    if not all(share >= 0 for share in shares.values()) or abs(sum(shares.values()) - 1) > _NEARLY_ONE:
        told = ", ".join(f"{stratum} {share:g}" for stratum, share in shares.items())
        raise InvalidInput(f"the shares of the strata must be at least 0 and sum to 1; got {told or 'none'}.")
    total = sum(shares.values())
    exact = {stratum: shares[stratum] / total * n_pairs for stratum in SHARES if stratum in shares}
    whole = {stratum: int(quota) for stratum, quota in exact.items()}
    by_remainder = sorted(exact, key=lambda stratum: whole[stratum] - exact[stratum])
    for stratum in by_remainder[: n_pairs - sum(whole.values())]:
        whole[stratum] += 1
    return whole


def _check(graph: TrailGraph, topics: NDArray[np.integer], vectors: NDArray[np.floating], cutoffs: Cutoffs) -> None:
    n = graph.n_documents
    if topics.shape != (n,) or vectors.ndim != 2 or len(vectors) != n:
        raise InvalidInput(
            f"topics must be ({n},) and vectors ({n}, dimensions) for {n} documents; "
            f"got {topics.shape} and {vectors.shape}."
        )
    if not (0 <= cutoffs.short <= cutoffs.long <= 1 and 0 <= cutoffs.hub <= 1 and 0 <= cutoffs.extreme <= 1):
        raise InvalidInput(f"cut-offs must lie in [0, 1], and short must not be above long; got {cutoffs}.")


def _trail(graph: TrailGraph, source: int, target: int) -> Trail | None:
    try:
        return strongest_trail(graph, source, target)
    except NoTrail:
        return None


def _in_order(graph: TrailGraph) -> NDArray[np.intp]:
    """Return the documents that can be endpoints, by (day, position)."""
    if graph.days is None:
        return np.arange(graph.n_documents)
    by_day = np.argsort(graph.days, kind="stable")
    return by_day[~np.isnan(graph.days[by_day])]


def _candidates(n: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Return distinct pairs of places i < j < n, (pairs, 2), ascending: all, or a bounded number drawn uniformly."""
    if n * (n - 1) // 2 <= _MOST_CANDIDATES:
        return np.column_stack(np.triu_indices(n, k=1))
    ones, others = rng.integers(n, size=(2, _MOST_CANDIDATES))
    keys = np.unique(np.minimum(ones, others) * n + np.maximum(ones, others))
    pairs = np.column_stack(np.divmod(keys, n))
    return pairs[pairs[:, 0] < pairs[:, 1]]


def _kinds(
    graph: TrailGraph,
    documents: NDArray[np.intp],
    pairs: NDArray[np.intp],
    topics: NDArray[np.integer],
    cutoffs: Cutoffs,
) -> dict[Stratum, NDArray[np.bool_]]:
    """Return which pairs belong to each stratum that is made of topics, days or links."""
    sources, targets = pairs.T
    is_told = (topics[sources] >= 0) & (topics[targets] >= 0)
    is_same = is_told & (topics[sources] == topics[targets])
    is_across = is_told & ~is_same
    is_short, is_long = _spans(graph, pairs, cutoffs)
    is_hub, is_edge = _ranks(graph.degrees(), documents, cutoffs.hub)
    return {
        "within short": is_same & is_short,
        "within long": is_same & is_long,
        "across close": is_across & is_short,
        "across far": is_across & is_long,
        "hub to edge": is_hub[sources] & is_edge[targets],
    }


def _spans(graph: TrailGraph, pairs: NDArray[np.intp], cutoffs: Cutoffs) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which pairs are near in time and which are far; a pair that is near by a tie is not far as well."""
    if graph.days is None or not len(pairs):
        neither = np.zeros(len(pairs), dtype=bool)
        return neither, neither
    days = graph.days[pairs[:, 1]] - graph.days[pairs[:, 0]]
    short, long = np.quantile(days, [cutoffs.short, cutoffs.long])
    return days <= short, (days >= long) & (days > short)


def _ranks(
    degrees: NDArray[np.intp], documents: NDArray[np.intp], share: float
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which documents are hubs and which the edge; where all have as many links there is no edge."""
    if not len(documents):
        nobody = np.zeros(len(degrees), dtype=bool)
        return nobody, nobody
    few, many = np.quantile(degrees[documents], [share, 1 - share])
    return degrees >= many, (degrees <= few) & (degrees < many)


def _extremes(vectors: NDArray[np.floating], pairs: NDArray[np.intp], share: float) -> dict[Stratum, NDArray[np.bool_]]:
    cosines = np.empty(len(pairs), dtype=vectors.dtype)
    for first in range(0, len(pairs), _PAIRS_AT_ONCE):
        sources, targets = pairs[first : first + _PAIRS_AT_ONCE].T
        cosines[first : first + _PAIRS_AT_ONCE] = np.einsum("pd,pd->p", vectors[sources], vectors[targets])
    return {"extremes": cosines <= np.quantile(cosines, share) if len(pairs) else cosines.astype(bool)}
