"""The method seen as rising water: links weaker than the level are under, until source and target part."""

from dataclasses import dataclass, replace

import numpy as np

from narrative_core.trails.capacity import reach, strongest_trail
from narrative_core.trails.graph import TrailGraph
from narrative_core.trails.length import length_curve, trail_of_length
from narrative_core.trails.measures import weakest_link


@dataclass(frozen=True, slots=True)
class WaterLevel:
    """What stands out of the water at one level.

    ``links`` the pairs (earlier, later) with θ ≥ ``level``, out of ``n_links`` · ``chain`` the shortest trail of these
    links, empty once the endpoints have parted · ``weakest`` the weakest link of the chain, or the one that parted
    them · ``strength`` its θ · ``is_last`` whether the endpoints part as soon as it goes under, or have parted ·
    ``reached`` the documents that the source still leads to, itself included.
    """

    level: float
    links: tuple[tuple[int, int], ...]
    n_links: int
    chain: tuple[int, ...]
    weakest: tuple[int, int]
    strength: float
    is_last: bool
    reached: frozenset[int]

    @property
    def has_parted(self) -> bool:
        """Whether no chain of links is left between source and target."""
        return not self.chain


def water_level(graph: TrailGraph, source: int, target: int, level: float) -> WaterLevel:
    """Return what stands out of the water at a level, between a source and a target.

    The endpoints part exactly when the level passes the bottleneck of their strongest trail: the last link that holds
    them together is its weakest.

    Parameters
    ----------
    graph : TrailGraph
        Its floor is where the water begins; links below it do not count at all.
    source, target : int
    level : float
        In [0, 1]; a link exactly as strong is above the water.

    Raises
    ------
    NoTrail
        If the endpoints have no trail even before the water rises.

    Notes
    -----
    O(n²) and more, with all links listed: meant for the few documents of a lesson.
    """
    best = strongest_trail(graph, source, target)
    risen = replace(graph, floor=max(level, graph.floor))
    chain = best.documents
    if best.bottleneck >= level:
        shortest = length_curve(risen, source, target)[0].length
        chain = trail_of_length(risen, source, target, shortest).documents
    strengths = graph.chain_strengths(chain)
    step = weakest_link(strengths)
    return WaterLevel(
        level=level,
        links=_pairs(risen),
        n_links=len(_pairs(graph)),
        chain=chain if best.bottleneck >= level else (),
        weakest=(chain[step], chain[step + 1]),
        strength=strengths[step],
        is_last=strengths[step] == best.bottleneck,
        reached=frozenset(np.flatnonzero(reach(risen, source) > -np.inf).tolist()),
    )


def _pairs(graph: TrailGraph) -> tuple[tuple[int, int], ...]:
    """Return the linked pairs, lower document first; a pair of one day, linked both ways, counts once."""
    pairs = {
        (min(document, int(other)), max(document, int(other)))
        for document in range(graph.n_documents)
        for other in np.flatnonzero(graph.links_from(document) > -np.inf)
    }
    return tuple(sorted(pairs))
