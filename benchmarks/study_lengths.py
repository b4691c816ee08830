"""How much of the distance to the reference study is the length of its random chronologies.

The same trails of the reference news stand beside random chronologies of two lengths: those of a run, and those that
the study printed (3.97 ± 1.80, 2 to 8). docs/reference-study.md has the table.
"""

import argparse
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.sampled_stories import read_news
from benchmarks.trails import NEWS
from narrative_core.study import study_value
from narrative_core.trails.baselines import documents_between, run_baselines
from narrative_core.trails.capacity import Trail
from narrative_core.trails.coherence import coherence_matrix
from narrative_core.trails.endpoints import sample_endpoints
from narrative_core.trails.graph import TrailGraph, critical_coherence, day_numbers


@dataclass(frozen=True, slots=True, eq=False)
class Lengths:
    """Documents and weakest links of random chronologies, each (n_pairs,)."""

    documents: NDArray[np.float64]
    weakest: NDArray[np.float64]


def main() -> None:
    """Print a line a seed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="*", default=[42, 0, 1, 2])
    parser.add_argument("--pairs", type=int, default=200)
    options = parser.parse_args()
    vectors, memberships = np.load(NEWS / "vectors.npy"), np.load(NEWS / "memberships.npy")
    coherence = coherence_matrix(vectors, memberships)
    days = day_numbers([document.date for document in read_news(NEWS)])
    graph = TrailGraph(coherence, days, critical_coherence(coherence))
    print("| seed | length of a run: documents, weakest link, d | the study's length: documents, weakest link, d |")
    print("| --- | --- | --- |")
    for seed in options.seeds:
        rng = np.random.default_rng(seed)
        topics = memberships.argmax(axis=1)
        sampled = sample_endpoints(graph, options.pairs, topics=topics, vectors=vectors, rng=rng)
        trails = [found.trail for found in sampled.trails]
        ours = _measured(graph, run_baselines(graph, trails, rng=rng))
        theirs = _measured(graph, [_of_study_length(graph, trail, rng) for trail in trails])
        bottlenecks = np.array([trail.bottleneck for trail in trails])
        print(f"| {seed} | {_told(bottlenecks, ours)} | {_told(bottlenecks, theirs)} |")


def _of_study_length(graph: TrailGraph, trail: Trail, rng: np.random.Generator) -> tuple[int, ...]:
    printed, longest = (study_value("lengths", "news", f"baseline {of}") for of in ("mean", "maximum"))
    if printed is None or longest is None or graph.days is None:
        raise SystemExit("The study's length of random chronologies is not among its figures.")
    source, target = trail.documents[0], trail.documents[-1]
    available = documents_between(graph, source, target)
    most = min(int(longest.value), len(available) + 2)
    length = int(np.clip(round(rng.normal(printed.value, printed.sd)), 2, most))
    interior = rng.choice(available, length - 2, replace=False)
    return source, *interior[np.argsort(graph.days[interior], kind="stable")].tolist(), target


def _measured(graph: TrailGraph, chains: list[tuple[int, ...]]) -> Lengths:
    return Lengths(
        np.array([len(chain) for chain in chains], dtype=float),
        np.array([min(graph.chain_strengths(chain)) for chain in chains]),
    )


def _told(trails: NDArray[np.float64], chance: Lengths) -> str:
    pooled = np.sqrt((trails.var(ddof=1) + chance.weakest.var(ddof=1)) / 2)
    d = (trails.mean() - chance.weakest.mean()) / pooled
    return f"{chance.documents.mean():.2f}, {chance.weakest.mean():.3f}, {d:.2f}"


if __name__ == "__main__":
    main()
