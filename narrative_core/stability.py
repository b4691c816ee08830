"""Would another seed have told the same? The landscape fitted again, and compared with the one that is kept."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from narrative_core.build_memory import require_memory
from narrative_core.curating import ROUNDING, curate
from narrative_core.curation import arranged_landscape
from narrative_core.errors import InvalidInput, NoTrail
from narrative_core.estimates import SeedAgreement
from narrative_core.extraction import LoadedCollection
from narrative_core.jobs import Report
from narrative_core.records import Document, Landscape, LandscapeParameters, Progress, TrailRequest
from narrative_core.space.worker import Arrays, parameter_options, run_stage
from narrative_core.store.collections import load_documents
from narrative_core.store.database import Database
from narrative_core.store.landscapes import load_landscape
from narrative_core.store.stability import load_seed_agreements, save_seed_agreement
from narrative_core.store.vectors import load_vectors
from narrative_core.trails.coherence import coherence_matrix
from narrative_core.trails.graph import critical_coherence
from narrative_core.wishes import request_graph, requested_trail

N_SEEDS: Final = 3
N_PAIRS: Final = 150
"""Endpoint pairs whose trails are compared: their mean share is then known to about one in twenty."""

LAID_OUT_BY_HAND: Final = "This map was laid out by hand, not fitted from a seed: there is no other seed to compare."
STAGE: Final = "refit"
_PLACED, _GROUPED, _COMPARED = 75, 80, 100
"""Parts of a hundred of a seed's work that are done when documents are placed, topics found, and trails compared."""


@dataclass(frozen=True, slots=True)
class ToldTrail:
    """The strongest trail between two documents: those inside it, by id, and its weakest link."""

    interior: frozenset[str]
    bottleneck: float


def check_stability(
    database: Database,
    loaded: LoadedCollection,
    *,
    n_seeds: int = N_SEEDS,
    progress: Report = lambda stage, done, total: None,
) -> tuple[SeedAgreement, ...]:
    """Fit the landscape again with other seeds, compare each with the one that is kept, and save what was found.

    Topics are compared over all stored documents, trails over those that take part; where others do, what was found is
    let go. A seed that was compared before counts among the ``n_seeds``: a check that was interrupted goes on where it
    stood, and a larger one adds to it.

    Parameters
    ----------
    database : Database
    loaded : LoadedCollection
    n_seeds : int
        Other seeds: those that follow the one of the kept landscape.
    progress : callable
        Called with ("refit", done, total); when it raises, `Cancelled` above all, the finished seeds are kept.

    Raises
    ------
    InvalidInput
        If the map was laid out by hand, the collection was built again meanwhile, or there is less memory than a fit
        needs.

    Notes
    -----
    A seed takes what projecting and clustering take in a build: no document is read, and no model asked.
    """
    name, kept = loaded.collection.name, loaded.landscape
    if not is_fitted(kept):
        raise InvalidInput(LAID_OUT_BY_HAND)
    require_memory(name, len(loaded.documents), loaded.vectors.values.shape[1])
    arranged = arranged_landscape(kept.landscape_id, loaded.curation)
    first = kept.parameters.seed + 1
    known = {one.seed for one in load_seed_agreements(database, name, arranged)}
    missing = [seed for seed in range(first, first + n_seeds) if seed not in known]
    requests = sampled_requests(loaded.documents, N_PAIRS, rng=np.random.default_rng(kept.parameters.seed))
    for number, seed in enumerate(missing):
        report = partial(_report_part, progress, number, len(missing))
        agreement = _compared(database, loaded, replace(kept.parameters, seed=seed), requests, report)
        present = load_landscape(database, name)
        if present is None or present.landscape_id != kept.landscape_id:
            raise InvalidInput("The map was built again meanwhile. Start the check again.")
        save_seed_agreement(database, name, arranged, agreement)
    return load_seed_agreements(database, name, arranged)


def is_fitted(landscape: Landscape) -> bool:
    """Whether a landscape was fitted, from a seed that another could stand in for."""
    return landscape.parameters.n_neighbors > 1


def sampled_requests(
    documents: Sequence[Document], n_pairs: int, *, rng: np.random.Generator
) -> tuple[TrailRequest, ...]:
    """Return requests between different pairs of documents, drawn uniformly, the earlier document first.

    Undated documents take no part, unless there are fewer than two dated ones: order in time does not count then.

    Examples
    --------
    >>> three = [Document(name, "", "") for name in "abc"]
    >>> rng = np.random.default_rng(1)
    >>> len(sampled_requests(three, 50, rng=rng)), sampled_requests(three[:1], 50, rng=rng)
    (3, ())
    """
    dated = [row for row, document in enumerate(documents) if document.date is not None]
    is_chronological = len(dated) > 1
    usable = dated if is_chronological else list(range(len(documents)))
    pairs: dict[tuple[int, int], None] = {}
    while len(pairs) < min(n_pairs, math.comb(len(usable), 2)):
        source, target = sorted(rng.choice(usable, size=2, replace=False).tolist())
        pairs[source, target] = None
    return tuple(
        TrailRequest(documents[source].document_id, documents[target].document_id, is_chronological=is_chronological)
        for source, target in pairs
    )


def trail_agreement(first: Sequence[ToldTrail | None], second: Sequence[ToldTrail | None]) -> tuple[int, float, float]:
    """Return how far trails between the same endpoints agree on two landscapes.

    Parameters
    ----------
    first, second : sequence of ToldTrail
        One an endpoint pair, ``None`` where it has no trail.

    Returns
    -------
    n : int
        Pairs that have a trail on both.
    share : float
        Mean, over these, of |A ∩ B| / |A ∪ B| for the inner documents A and B, 1 where both are empty; nan for none.
    difference : float
        Mean absolute difference of the weakest links; nan for none.

    Examples
    --------
    >>> one, other = ToldTrail(frozenset("abc"), 0.8), ToldTrail(frozenset("bcd"), 0.7)
    >>> n, share, difference = trail_agreement([one, None, one], [other, one, one])
    >>> n, share, round(difference, 3)
    (2, 0.75, 0.05)
    """
    both = [(one, two) for one, two in zip(first, second, strict=True) if one is not None and two is not None]
    if not both:
        return 0, math.nan, math.nan
    shares = [_overlap(one.interior, two.interior) for one, two in both]
    differences = [abs(one.bottleneck - two.bottleneck) for one, two in both]
    return len(both), math.fsum(shares) / len(both), math.fsum(differences) / len(both)


def topic_agreement(first: NDArray[np.int64], second: NDArray[np.int64]) -> float:
    """Return the adjusted Rand index of the documents' topics on two landscapes, nan where one has no topics.

    Parameters
    ----------
    first, second : array (n,) of int
        Nearest topic of each document, -1 for none.

    References
    ----------
    Hubert and Arabie (1985), Comparing partitions, Journal of Classification 2, 193-218.

    Examples
    --------
    >>> topic_agreement(np.array([0, 0, 1, 1]), np.array([1, 1, 0, 0]))
    1.0
    """
    from sklearn.metrics import adjusted_rand_score

    if not len(first) or (first < 0).all() or (second < 0).all():
        return math.nan
    return float(adjusted_rand_score(first, second))


def _report_part(progress: Report, number: int, of: int, done: int, total: int) -> None:
    progress(STAGE, 100 * number + round(100 * done / max(total, 1)), 100 * of)


def _compared(
    database: Database,
    loaded: LoadedCollection,
    parameters: LandscapeParameters,
    requests: Sequence[TrailRequest],
    report: Progress,
) -> SeedAgreement:
    """Return how far the landscape of other settings agrees with the one that is loaded."""
    name = loaded.collection.name
    vectors, kept = load_vectors(database, name), load_landscape(database, name)
    if vectors is None or kept is None:
        raise InvalidInput(f"The collection {loaded.collection.title} has no landscape any more. Build it first.")
    fitted = _refit(vectors.values, parameters, report)
    rows = curate(load_documents(database, name), loaded.curation).rows
    other = _on_landscape(loaded, fitted["memberships"][rows])
    report(_GROUPED + 5, _COMPARED)
    told: tuple[list[ToldTrail | None], list[ToldTrail | None]] = ([], [])
    for done, request in enumerate(requests):
        told[0].append(_told(loaded, request))
        told[1].append(_told(other, request))
        report(_GROUPED + 5 + (_COMPARED - _GROUPED - 5) * done // len(requests), _COMPARED)
    n_trails, share, difference = trail_agreement(*told)
    return SeedAgreement(
        seed=parameters.seed,
        n_topics=int(fitted["memberships"].shape[1]),
        outlier_share=float(fitted["is_outlier"].mean()),
        topic_agreement=topic_agreement(kept.nearest_topic, fitted["nearest_topic"]),
        n_trails=n_trails,
        trail_agreement=share,
        strength_difference=difference,
    )


def _refit(vectors: NDArray[np.float32], parameters: LandscapeParameters, report: Progress) -> Arrays:
    """Return the topics of a projection with another seed: nearest_topic, is_outlier and memberships."""
    options = parameter_options(parameters)
    projected = run_stage(
        "project",
        {"vectors": vectors},
        options,
        progress=lambda done, total: report(round(_PLACED * done / max(total, 1)), _COMPARED),
    )
    clustered = run_stage("cluster", projected.arrays, options, progress=lambda done, total: report(_PLACED, _COMPARED))
    report(_GROUPED, _COMPARED)
    return clustered.arrays


def _on_landscape(loaded: LoadedCollection, memberships: NDArray[np.float64]) -> LoadedCollection:
    """Return a collection whose links are as strong as on another landscape."""
    theta = coherence_matrix(loaded.vectors.values, memberships, divergence=loaded.landscape.parameters.divergence)
    graph = replace(loaded.graph, coherence=theta, floor=critical_coherence(theta) - ROUNDING)
    return replace(loaded, graph=graph)


def _told(loaded: LoadedCollection, request: TrailRequest) -> ToldTrail | None:
    try:
        trail = requested_trail(loaded, request_graph(loaded, request), request)
    except NoTrail:
        return None
    interior = frozenset(loaded.documents[row].document_id for row in trail.documents[1:-1])
    return ToldTrail(interior, trail.bottleneck)


def _overlap(first: frozenset[str], second: frozenset[str]) -> float:
    return len(first & second) / len(first | second) if first or second else 1.0
