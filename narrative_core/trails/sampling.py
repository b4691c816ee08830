"""Which endpoint pairs stand for a whole collection."""

from dataclasses import dataclass

import numpy as np

from narrative_core.errors import NoTrail
from narrative_core.trails.capacity import Trail, strongest_trail
from narrative_core.trails.graph import TrailGraph


@dataclass(frozen=True, slots=True)
class SampledTrails:
    """Canonical trails between sampled endpoints; ``rejected`` counts the pairs that have none."""

    trails: tuple[Trail, ...]
    rejected: int

    @property
    def median_link(self) -> float:
        """Median strength over all links of the sampled trails, nan without any."""
        strengths = [strength for trail in self.trails for strength in trail.strengths]
        return float(np.median(strengths)) if strengths else float("nan")


def sample_trails(graph: TrailGraph, n_pairs: int, *, rng: np.random.Generator) -> SampledTrails:
    """Return the trails between ``n_pairs`` uniformly drawn pairs of usable documents, earlier one first.

    Parameters
    ----------
    graph : TrailGraph
        Undated documents are left out where it has days.
    n_pairs : int
        Pairs drawn, independently of each other.
    rng : numpy.random.Generator

    Returns
    -------
    SampledTrails
        Empty where there are fewer than two usable documents.
    """
    usable = np.arange(graph.n_documents) if graph.days is None else np.flatnonzero(~np.isnan(graph.days))
    if len(usable) < 2:
        return SampledTrails((), 0)
    trails, rejected = [], 0
    for _ in range(n_pairs):
        source, target = rng.choice(usable, size=2, replace=False).tolist()
        if graph.days is not None and (graph.days[source], source) > (graph.days[target], target):
            source, target = target, source
        try:
            trails.append(strongest_trail(graph, source, target))
        except NoTrail:
            rejected += 1
    return SampledTrails(tuple(trails), rejected)
