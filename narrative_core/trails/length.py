"""Length against strength: what a shorter trail costs.

Maximising only the weakest link makes detours free. B(L) is the best bottleneck of any trail of at most L documents:

    B₁(source) = ∞,    B_L(v) = max( B_{L−1}(v),  max over links u → v of min(B_{L−1}(u), θ(u, v)) ).
"""

import itertools

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import NoTrail
from narrative_core.records import CurvePoint
from narrative_core.trails.capacity import Trail, check_endpoints, strongest_trail
from narrative_core.trails.graph import TrailGraph


def length_curve(graph: TrailGraph, source: int, target: int, *, best: float | None = None) -> tuple[CurvePoint, ...]:
    """Return B(L) where it rises: each length that allows a stronger trail than every shorter one does.

    Parameters
    ----------
    graph : TrailGraph
    source, target : int
    best : float, optional
        The bottleneck of the canonical trail, where the caller has it already.

    Returns
    -------
    tuple of CurvePoint
        By rising length and bottleneck; the last has the bottleneck of the canonical trail, in the fewest documents
        that reach it.

    Raises
    ------
    NoTrail
        If there is no trail at any length.

    Notes
    -----
    O(n) a document whose capacity rose in the last round. Only documents whose capacity beats B(L) so far can raise it
    further; the others are dropped on the way, which leaves little after the first rounds.
    """
    if best is None:
        best = strongest_trail(graph, source, target).bottleneck
    within = graph.span(source, target)
    capacity = np.full(graph.n_documents, -np.inf)
    capacity[source] = np.inf
    inside = capacity[within]  # a view
    risen = np.array([source])
    points: list[CurvePoint] = []
    length = 1
    while capacity[target] < best:
        length += 1
        previous, threshold = capacity.copy(), capacity[target]
        for document in risen[previous[risen] > threshold]:
            through = np.minimum(graph.links_from(int(document), within), previous[document])
            np.maximum(inside, through, out=inside)
        risen = np.flatnonzero(capacity > previous)
        if capacity[target] > threshold:
            points.append(CurvePoint(length, float(capacity[target])))
    return tuple(points)


def trail_of_length(graph: TrailGraph, source: int, target: int, length: int) -> Trail:
    """Return the strongest trail of at most ``length`` documents.

    Among those with its bottleneck it has the fewest documents, and among these the highest mean coherence.

    Raises
    ------
    NoTrail
        If no trail is that short.

    Notes
    -----
    With the fewest documents for its bottleneck b, step i of a trail is exactly i links from the source and the rest
    from the target in the graph of links ≥ b, so the best mean is a pass over those layers and no document can repeat.
    """
    check_endpoints(graph, source, target)
    within = [point for point in length_curve(graph, source, target) if point.length <= length]
    if not within:
        raise NoTrail(f"No trail between these documents is as short as {length}; choose a longer one.")
    documents = _best_mean(graph, source, target, within[-1])
    strengths = graph.chain_strengths(documents)
    return Trail(documents, min(strengths), strengths)


def _best_mean(graph: TrailGraph, source: int, target: int, point: CurvePoint) -> tuple[int, ...]:
    layers = _layers(graph, source, target, point)
    totals = np.zeros(1)
    parents: list[NDArray[np.intp]] = []
    for before, after in itertools.pairwise(layers):
        steps = np.stack([graph.links_from(int(document))[after] for document in before])
        sums = totals[:, None] + np.where(steps >= point.bottleneck, steps, -np.inf)
        parents.append(np.argmax(sums, axis=0))
        totals = sums.max(axis=0)
    chain = [0]
    for parent in reversed(parents):
        chain.append(int(parent[chain[-1]]))
    return tuple(int(layer[row]) for layer, row in zip(layers, reversed(chain), strict=True))


def _layers(graph: TrailGraph, source: int, target: int, point: CurvePoint) -> list[NDArray[np.intp]]:
    """Return, for each step, the documents that are as many links ≥ b from the source as the step says, and can still
    reach the target in time.
    """
    seen = np.zeros(graph.n_documents, dtype=bool)
    layers = [np.array([source])]
    for _ in range(point.length - 2):
        seen[layers[-1]] = True
        following = np.zeros(graph.n_documents, dtype=bool)
        for document in layers[-1]:
            following |= graph.links_from(int(document)) >= point.bottleneck
        layers.append(np.flatnonzero(following & ~seen))
    layers.append(np.array([target]))
    for step in range(len(layers) - 2, 0, -1):
        leading = np.zeros(graph.n_documents, dtype=bool)
        for document in layers[step + 1]:
            leading |= graph.links_into(int(document)) >= point.bottleneck
        layers[step] = layers[step][leading[layers[step]]]
    return layers
