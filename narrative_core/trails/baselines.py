"""Random chronologies: what chance alone would tell between the same endpoints."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput
from narrative_core.trails.capacity import Trail
from narrative_core.trails.graph import TrailGraph


@dataclass(frozen=True, slots=True, eq=False)
class Baselines:
    """Random chronologies of one length between two documents.

    ``documents`` (draws, length) rows of document numbers, endpoints included · ``bottlenecks`` (draws,) ·
    ``median_draw`` the draw whose bottleneck is the lower median, the one to show.
    """

    documents: NDArray[np.intp]
    bottlenecks: NDArray[np.float64]
    median_draw: int

    def beaten_by(self, bottleneck: float) -> int:
        """Return how many draws have a weaker weakest link than ``bottleneck``; equal ones are not beaten."""
        return int(np.count_nonzero(self.bottlenecks < bottleneck))


def draw_baselines(
    graph: TrailGraph, source: int, target: int, length: int, *, draws: int = 200, rng: np.random.Generator
) -> Baselines:
    """Return random chronologies between source and target.

    The interior documents are drawn without replacement among those dated between the endpoints (both days included;
    all documents where the graph has no days), and told in date order; the order within a day is the order drawn.
    Neither the floor, nor barred documents, nor the longest gap apply: chance knows no wishes.

    Parameters
    ----------
    graph : TrailGraph
    source, target : int
        Endpoints; they open and close every draw.
    length : int
        Documents per draw, endpoints included; at least 2, at most what is available.
    draws : int
    rng : numpy.random.Generator

    Raises
    ------
    InvalidInput
        If ``length`` is below 2 or there are not enough documents between the endpoints.
    """
    available = documents_between(graph, source, target)
    if not 2 <= length <= len(available) + 2:
        raise InvalidInput(
            f"a random chronology between these documents has 2 to {len(available) + 2} documents; got {length}."
        )
    chains = np.empty((draws, length), dtype=np.intp)
    chains[:, 0], chains[:, -1] = source, target
    for chain in chains:
        chain[1:-1] = _draw_in_date_order(graph, available, length - 2, rng)
    bottlenecks = np.array([min(graph.chain_strengths(chain)) for chain in chains.tolist()])
    median_draw = int(np.argsort(bottlenecks, kind="stable")[(draws - 1) // 2])
    return Baselines(chains, bottlenecks, median_draw)


def run_baselines(graph: TrailGraph, trails: Sequence[Trail], *, rng: np.random.Generator) -> list[tuple[int, ...]]:
    """Return one random chronology for each trail of a run, between the same endpoints.

    Its length is drawn from a normal distribution with the mean and the standard deviation (n − 1) of the lengths of
    all the trails (0 for a single trail), is rounded, and is at least 2 and at most what there is between the
    endpoints. The documents are drawn and told as in `draw_baselines`.

    Parameters
    ----------
    graph : TrailGraph
    trails : sequence of Trail
        Of the whole run, at once: the lengths are theirs together.
    rng : numpy.random.Generator

    Returns
    -------
    list of tuple of int
        As many as trails, endpoints included.
    """
    if not trails:
        return []
    lengths = np.array([len(trail.documents) for trail in trails])
    mean, sd = lengths.mean(), lengths.std(ddof=1) if len(lengths) > 1 else 0.0
    stories = []
    for trail in trails:
        source, target = trail.documents[0], trail.documents[-1]
        available = documents_between(graph, source, target)
        length = int(np.clip(round(rng.normal(mean, sd)), 2, len(available) + 2))
        stories.append((source, *_draw_in_date_order(graph, available, length - 2, rng).tolist(), target))
    return stories


def documents_between(graph: TrailGraph, source: int, target: int) -> NDArray[np.intp]:
    """Return the documents dated between the endpoints (both days included), without the endpoints themselves."""
    if graph.days is None:
        between = np.ones(graph.n_documents, dtype=bool)
    else:
        between = (graph.days >= graph.days[source]) & (graph.days <= graph.days[target])
    between[[source, target]] = False
    return np.flatnonzero(between)


def _draw_in_date_order(
    graph: TrailGraph, available: NDArray[np.intp], n: int, rng: np.random.Generator
) -> NDArray[np.intp]:
    drawn = rng.choice(available, size=n, replace=False)
    return drawn if graph.days is None else drawn[np.argsort(graph.days[drawn], kind="stable")]
