"""Slow, plain statements of what the method must return, and random small graphs to check it on."""

import heapq
import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import networkx as nx
import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from narrative_core.trails.graph import TrailGraph
from tests.builders import symmetric

STRENGTHS = (0.0, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0)
"""Few, so that random matrices are full of ties."""

Links = dict[tuple[int, int], float]


@dataclass(frozen=True, slots=True)
class Case:
    """A graph, its allowed links found by a loop over pairs, and two endpoints that the graph does not rule out."""

    graph: TrailGraph
    links: Links
    source: int
    target: int

    @property
    def n(self) -> int:
        return self.graph.n_documents


@st.composite
def cases(draw: st.DrawFn, largest: int = 6, *, smallest: int = 2, has_days: bool | None = None) -> Case:
    """Every kind of graph: with and without days, days shared, undated documents, floors, barred ones, gaps."""
    n = draw(st.integers(smallest, largest))
    graph = TrailGraph(
        draw(thetas(n)),
        draw(day_arrays(n)) if (draw(st.booleans()) if has_days is None else has_days) else None,
        draw(st.sampled_from(STRENGTHS[:4])),
        draw(st.none() | st.lists(st.booleans(), min_size=n, max_size=n).map(np.array)),
    )
    if graph.days is not None:
        gap = draw(st.sampled_from([math.inf, math.inf, 0.0, 1.0, 2.0]))
        graph = TrailGraph(graph.coherence, graph.days, graph.floor, graph.barred, gap)
    source = draw(st.integers(0, n - 1))
    target = draw(st.integers(0, n - 1).filter(lambda row: row != source))
    usable = _usable_ends(graph, source, target)
    return Case(usable, allowed_links(usable), source, target)


def _usable_ends(graph: TrailGraph, source: int, target: int) -> TrailGraph:
    days, barred = graph.days, graph.barred
    if days is not None:
        days = days.copy()
        days[[source, target]] = np.sort(np.nan_to_num(days[[source, target]]))
    if barred is not None:
        barred = barred.copy()
        barred[[source, target]] = False
    return TrailGraph(graph.coherence, days, graph.floor, barred, graph.maximum_gap_days)


def thetas(n: int) -> st.SearchStrategy[NDArray[np.float64]]:
    """Symmetric matrices of a few values, diagonal 0."""
    n_pairs = n * (n - 1) // 2
    return st.lists(st.sampled_from(STRENGTHS), min_size=n_pairs, max_size=n_pairs).map(lambda v: symmetric(n, v))


def day_arrays(n: int) -> st.SearchStrategy[NDArray[np.float64]]:
    """Days in any order, many shared, some unknown."""
    day = st.sampled_from([0.0, 1.0, 2.0, 3.0, math.nan])
    return st.lists(day, min_size=n, max_size=n).map(np.array)


def allowed_links(graph: TrailGraph) -> Links:
    """Return θ of every allowed link, pair by pair, from the sentence in the docstring of `TrailGraph`."""
    links = {}
    for u, v in itertools.permutations(range(len(graph.coherence)), 2):
        strength = float(graph.coherence[u, v])
        is_allowed = strength >= graph.floor
        if graph.barred is not None and (graph.barred[u] or graph.barred[v]):
            is_allowed = False
        if graph.days is not None:
            first, second = float(graph.days[u]), float(graph.days[v])
            if math.isnan(first) or math.isnan(second) or not 0 <= second - first <= graph.maximum_gap_days:
                is_allowed = False
        if is_allowed:
            links[u, v] = strength
    return links


def simple_paths(links: Links, n: int, source: int, target: int) -> Iterator[tuple[int, ...]]:
    """Yield every chain of allowed links that repeats no document."""
    waiting = [(source,)]
    while waiting:
        path = waiting.pop()
        for v in range(n):
            if v in path or (path[-1], v) not in links:
                continue
            if v == target:
                yield (*path, v)
            else:
                waiting.append((*path, v))


def strengths_of(links: Links, path: tuple[int, ...]) -> list[float]:
    return [links[step] for step in itertools.pairwise(path)]


def best_bottleneck(links: Links, n: int, source: int, target: int, *, longest: int | None = None) -> float:
    """Return the largest bottleneck of all simple paths of at most ``longest`` documents, −inf without any."""
    return max(
        (
            min(strengths_of(links, path))
            for path in simple_paths(links, n, source, target)
            if longest is None or len(path) <= longest
        ),
        default=-math.inf,
    )


def reference_search(links: Links, n: int, source: int, target: int) -> tuple[int, ...] | None:
    """Return the reference's path: a heap of (−capacity, index), parents replaced only on strict improvement."""
    capacity, parent = [-math.inf] * n, [-1] * n
    capacity[source] = math.inf
    heap, expanded = [(-math.inf, source)], set()
    while heap:
        _, u = heapq.heappop(heap)
        if u in expanded:
            continue
        expanded.add(u)
        if u == target:
            path = [target]
            while path[-1] != source:
                path.append(parent[path[-1]])
            return tuple(reversed(path))
        for v in range(n):
            through = min(capacity[u], links.get((u, v), -math.inf))
            if through > capacity[v]:
                capacity[v], parent[v] = through, u
                heapq.heappush(heap, (-through, v))
    return None


def complete_graph(theta: NDArray[np.float64]) -> "nx.Graph[int]":
    """Return the complete undirected graph, links of strength 0 included."""
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(len(theta)))
    for u, v in itertools.combinations(range(len(theta)), 2):
        graph.add_edge(u, v, weight=float(theta[u, v]))
    return graph
