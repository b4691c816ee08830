"""The maximum-capacity trail: the chain whose weakest link is as strong as possible.

Notation of the papers: θ is the coherence, and the capacity of a document is the largest bottleneck of all chains from
the source to it,

    capacity(source) = ∞
    capacity(v)      = max over links u → v of  min(capacity(u), θ(u, v)).

The search is Dijkstra's with (max, min) in place of (min, +).

References
----------
German et al. (2025), Narrative Trails: extraction of coherent storylines via maximum-capacity path optimization.
Pollack (1960), The maximum capacity through a network.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from narrative_core.errors import InvalidInput, NoTrail, NoTrailReason
from narrative_core.trails.graph import Dates, TrailGraph, checked_coherence, day_numbers


@dataclass(frozen=True, slots=True)
class Trail:
    """A chain of documents (row numbers) and the strength of each of its links.

    ``len(strengths) == len(documents) - 1``; ``bottleneck`` is the smallest of them.
    """

    documents: tuple[int, ...]
    bottleneck: float
    strengths: tuple[float, ...]


def maximum_capacity_trail(
    coherence: ArrayLike, source: int, target: int, *, dates: Dates | None = None, floor: float = 0.0
) -> Trail:
    """Return the canonical maximum-capacity trail from source to target.

    Parameters
    ----------
    coherence : array_like, shape (n, n)
        θ, symmetric, in [0, 1].
    source, target : int
        Row numbers of the endpoints.
    dates : sequence, optional
        A date per document; a link may then only lead to the same day or a later one. ``None`` is unconstrained.
    floor : float
        Links below it are not used; exactly equal is.

    Returns
    -------
    Trail
        Among all trails of the largest bottleneck, the one that the reference search finds; see `strongest_trail`.

    Raises
    ------
    NoTrail
        If no chain of allowed links leads there; ``reason`` names the case.
    InvalidInput
        If θ is not square or not in [0, 1], or an endpoint or the dates do not fit it.

    Examples
    --------
    >>> theta = [[0.0, 0.9, 0.3], [0.9, 0.0, 0.8], [0.3, 0.8, 0.0]]
    >>> maximum_capacity_trail(theta, 0, 2, dates=["2001-01-01", "2002-01-01", "2003-01-01"])
    Trail(documents=(0, 1, 2), bottleneck=0.8, strengths=(0.9, 0.8))
    """
    theta = checked_coherence(coherence)
    days = None if dates is None else day_numbers(dates)
    if days is not None and days.shape != (len(theta),):
        raise InvalidInput(f"dates must have one entry per document; got {days.shape[0]} for {len(theta)} documents.")
    return strongest_trail(TrailGraph(theta, days, floor), source, target)


def strongest_trail(graph: TrailGraph, source: int, target: int) -> Trail:
    """Return the canonical maximum-capacity trail of a graph.

    The canonical one among equals: expand the reached document of highest capacity, ties by lower index; a parent is
    replaced only on strict improvement.

    Raises
    ------
    NoTrail
        If the target is not reached.
    """
    check_endpoints(graph, source, target)
    capacity, parent = _expand(graph, source, until=target)
    if capacity[target] == -np.inf:
        raise NoTrail("No chain of strong enough links leads from the first document to the second.")
    documents = [target]
    while documents[-1] != source:
        documents.append(int(parent[documents[-1]]))
    documents.reverse()
    strengths = graph.chain_strengths(documents)
    return Trail(tuple(documents), min(strengths), strengths)


def reach(graph: TrailGraph, source: int) -> NDArray[np.float64]:
    """Return the bottleneck from the source to *every* document; shape (n,), −inf without a trail, ∞ at the source."""
    capacity, _ = _expand(graph, source)
    return capacity


def check_endpoints(graph: TrailGraph, source: int, target: int) -> None:
    """Raise `InvalidInput` or `NoTrail` where the endpoints alone rule a trail out."""
    for endpoint in (source, target):
        if not 0 <= endpoint < graph.n_documents:
            raise InvalidInput(f"an endpoint must be between 0 and {graph.n_documents - 1}; got {endpoint}.")
        if graph.barred is not None and graph.barred[endpoint]:
            raise NoTrail("An endpoint is among the documents to avoid.", NoTrailReason.BARRED)
    if source == target:
        raise NoTrail("A trail needs two different documents.", NoTrailReason.SAME_DOCUMENT)
    if graph.days is None:
        return
    if np.isnan(graph.days[[source, target]]).any():
        raise NoTrail("A chronological trail needs a date at both ends.", NoTrailReason.UNDATED)
    if graph.days[source] > graph.days[target]:
        raise NoTrail("The first document is later than the second.", NoTrailReason.REVERSED)


def _expand(graph: TrailGraph, source: int, until: int | None = None) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Return the capacity and the parent of every document, exact for all that are expanded before ``until``.

    Notes
    -----
    O(m²) for the m documents dated between source and ``until``: at most m expansions, each one pass over the links out
    of a document. What is dated later than ``until`` cannot precede it, so that leaving it out changes nothing.
    """
    within = graph.span(source, until)
    capacity = np.full(graph.n_documents, -np.inf)
    capacity[source] = np.inf
    parent = np.full(graph.n_documents, -1, dtype=np.intp)
    first, reached, parents = within.start or 0, capacity[within], parent[within]  # views of the documents in question
    waiting = reached.copy()  # the capacity of what is reached and not yet expanded, −inf elsewhere
    while True:
        row = int(waiting.argmax())  # the first of the largest: ties by lower index
        document = first + row
        if waiting[row] == -np.inf or document == until:
            return capacity, parent
        waiting[row] = -np.inf
        through = np.minimum(graph.links_from(document, within), reached[row])
        improved = (through > reached).nonzero()[0]
        reached[improved] = waiting[improved] = through[improved]
        parents[improved] = document
