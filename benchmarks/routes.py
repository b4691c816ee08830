"""The two routes from vectors and memberships to trails, each meant to be run in a process of its own.

``ours`` is `narrative_core.trails`. ``networkx`` is what a careful researcher writes with the standard libraries:
scipy's Jensen–Shannon distance a row at a time, a complete `networkx` graph, its maximum spanning tree, a directed
graph of what is above the threshold and runs forward in time, and a heap search on it.
"""

import argparse
import heapq
import json
import resource
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.synthetic import Arrays

if TYPE_CHECKING:
    import networkx as nx

Ask = Callable[[int, int], float]
"""Bottleneck of the trail from source to target, nan where there is none."""

Note = Callable[[str], None]
"""Called when a step is done, with its name."""


def ours() -> Callable[[Arrays, Note], Ask]:
    """Import what the route needs, and return it."""
    from narrative_core.errors import NoTrail
    from narrative_core.trails.capacity import strongest_trail
    from narrative_core.trails.coherence import coherence_matrix
    from narrative_core.trails.graph import TrailGraph, critical_coherence

    def prepare(arrays: Arrays, note: Note) -> Ask:
        coherence = coherence_matrix(arrays.vectors, arrays.memberships)
        note("coherence")
        floor = critical_coherence(coherence)
        note("critical")
        graph = TrailGraph(coherence, arrays.days, floor)
        note("graph")

        def ask(source: int, target: int) -> float:
            try:
                return strongest_trail(graph, source, target).bottleneck
            except NoTrail:
                return float("nan")

        return ask

    return prepare


def with_networkx() -> Callable[[Arrays, Note], Ask]:
    """Import what the route needs, and return it."""
    import networkx as nx
    from scipy.spatial.distance import jensenshannon

    def prepare(arrays: Arrays, note: Note) -> Ask:
        coherence = _plain_coherence(arrays.vectors, arrays.memberships, jensenshannon)
        note("coherence")
        complete = nx.from_numpy_array(coherence)
        tree = nx.maximum_spanning_tree(complete)
        critical = min(weight for _, _, weight in tree.edges(data="weight"))
        note("critical")
        graph = nx.DiGraph()
        graph.add_nodes_from(complete)
        days = arrays.days.tolist()
        for u, v, weight in complete.edges(data="weight"):
            if weight >= critical:
                if days[u] <= days[v]:
                    graph.add_edge(u, v, weight=weight)
                if days[v] <= days[u]:
                    graph.add_edge(v, u, weight=weight)
        note("graph")
        return lambda source, target: _heap_bottleneck(graph, source, target)

    return prepare


def _plain_coherence(
    vectors: NDArray[np.float32], memberships: NDArray[np.float64], jensenshannon: Callable[..., Any]
) -> NDArray[np.float64]:
    units = vectors.astype(np.float64)
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    angular = 1.0 - np.arccos(np.clip(units @ units.T, -1.0, 1.0)) / np.pi
    shares = memberships / memberships.sum(axis=1, keepdims=True)
    topic = np.stack([1.0 - np.nan_to_num(jensenshannon(share[None, :], shares, axis=1)) for share in shares])
    coherence = np.sqrt(angular * np.clip(topic, 0.0, 1.0))
    np.fill_diagonal(coherence, 0.0)
    return np.maximum(coherence, coherence.T)


def _heap_bottleneck(graph: "nx.DiGraph[int]", source: int, target: int) -> float:
    capacity, parent = {source: float("inf")}, {}
    heap, expanded = [(-float("inf"), source)], set()
    while heap:
        _, document = heapq.heappop(heap)
        if document in expanded:
            continue
        expanded.add(document)
        if document == target:
            break
        for other, link in graph[document].items():
            through = min(capacity[document], link["weight"])
            if through > capacity.get(other, -float("inf")):
                capacity[other], parent[other] = through, document
                heapq.heappush(heap, (-through, other))
    return capacity.get(target, float("nan")) if target in expanded else float("nan")


ROUTES = {"ours": ours, "networkx": with_networkx}


def measure(route: str, path: Path) -> dict[str, Any]:
    """Return the seconds and the memory (MB) until ready, and the seconds and bottleneck of each pair."""
    prepare = ROUTES[route]()
    arrays = Arrays.load(path)
    before = peak_mb()
    steps: dict[str, float] = {}
    start, cpu_start = time.perf_counter(), time.process_time()
    ask = prepare(arrays, lambda step: steps.update({step: time.perf_counter() - start}))
    ready_s, ready_cpu_s, ready_mb = time.perf_counter() - start, time.process_time() - cpu_start, peak_mb() - before
    seconds, cpu_seconds, bottlenecks = [], [], []
    for source, target in arrays.pairs.tolist():
        start, cpu_start = time.perf_counter(), time.process_time()
        bottlenecks.append(ask(source, target))
        seconds.append(time.perf_counter() - start)
        cpu_seconds.append(time.process_time() - cpu_start)
    return {
        "ready_s": ready_s,
        "ready_cpu_s": ready_cpu_s,
        "steps_s": steps,
        "peak_mb": ready_mb,
        "trail_s": statistics.median(seconds),
        "trail_cpu_s": statistics.median(cpu_seconds),
        "bottlenecks": bottlenecks,
    }


def peak_mb() -> float:
    """Return the largest resident memory that this process ever had, in MB."""
    unit = 1e6 if sys.platform == "darwin" else 1e3
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("route", choices=ROUTES)
    parser.add_argument("arrays", type=Path)
    options = parser.parse_args()
    print(json.dumps(measure(options.route, options.arrays)))
