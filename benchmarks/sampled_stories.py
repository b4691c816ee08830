"""Trails and random chronologies of the reference news between stratified endpoints (DESIGN, "Endpoint sampling")."""

import csv
import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import NoTrail
from narrative_core.records import Document
from narrative_core.trails.baselines import documents_between
from narrative_core.trails.capacity import strongest_trail
from narrative_core.trails.coherence import coherence_matrix
from narrative_core.trails.graph import TrailGraph, critical_coherence, day_numbers

STRATA: Mapping[str, float] = {
    "within a topic, short": 0.2,
    "within a topic, long": 0.2,
    "across topics, close": 0.2,
    "across topics, far": 0.2,
    "hub to periphery": 0.1,
    "spatial extremes": 0.1,
}
SHORT, LONG = 1 / 3, 2 / 3
"""Quantiles of the days between two documents below and above which a pair is short and long."""
EXTREME = 0.1
"""Share of documents that are hubs, and that are peripheral; share of pairs that are spatial extremes."""


@dataclass(frozen=True, slots=True)
class SampledStory:
    """One story: its pair (from 0), whether it is the trail, its documents by position, and its link coherences."""

    pair: int
    is_trail: bool
    stratum: str
    documents: tuple[int, ...]
    strengths: tuple[float, ...]


def read_news(folder: Path) -> list[Document]:
    """Return the articles of the reference news in date order."""
    with (folder / "documents.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [
        Document(row["id"], row["title"], row["text"], dt.date.fromisoformat(row["date"]), row["date"], "day")
        for row in rows
    ]


def sample_stories(folder: Path, documents: list[Document], n_pairs: int, seed: int) -> tuple[list[SampledStory], int]:
    """Return two stories for each of ``n_pairs`` stratified pairs, and how many pairs without a trail were rejected.

    The pairs are shuffled, so that the first half is as stratified as the second. A baseline's length is drawn from a
    normal distribution with the mean and deviation of the trails' lengths.
    """
    rng = np.random.default_rng(seed)
    vectors = np.load(folder / "vectors.npy", allow_pickle=False)
    memberships = np.load(folder / "memberships.npy", allow_pickle=False)
    coherence = coherence_matrix(vectors, memberships)
    floor = critical_coherence(coherence)
    graph = TrailGraph(coherence, days=day_numbers([document.date for document in documents]), floor=floor)
    pools = _pools(graph, coherence >= floor, vectors, memberships.argmax(axis=1))
    trails, rejected = _trails(graph, pools, n_pairs, rng)
    lengths = np.array([len(chain) for _, chain in trails])
    stories = []
    for pair, (stratum, chain) in enumerate(trails):
        available = documents_between(graph, chain[0], chain[-1])
        wanted = round(rng.normal(lengths.mean(), lengths.std(ddof=1)))
        length = int(np.clip(wanted, 2, len(available) + 2))
        drawn = rng.choice(available, length - 2, replace=False)
        drawn = drawn[np.argsort(graph.days[drawn], kind="stable")] if graph.days is not None else drawn
        baseline = (chain[0], *(int(document) for document in drawn), chain[-1])
        for is_trail, told in ((True, chain), (False, baseline)):
            strengths = tuple(float(coherence[u, v]) for u, v in pairwise(told))
            stories.append(SampledStory(pair, is_trail, stratum, told, strengths))
    return stories, rejected


def _trails(
    graph: TrailGraph, pools: dict[str, NDArray[np.intp]], n_pairs: int, rng: np.random.Generator
) -> tuple[list[tuple[str, tuple[int, ...]]], int]:
    trails: list[tuple[str, tuple[int, ...]]] = []
    rejected = 0
    for stratum, share in STRATA.items():
        wanted = len(trails) + round(share * n_pairs)
        for source, target in rng.permutation(pools[stratum]):
            if len(trails) == wanted:
                break
            try:
                trails.append((stratum, strongest_trail(graph, int(source), int(target)).documents))
            except NoTrail:
                rejected += 1
    return [trails[place] for place in rng.permutation(len(trails))], rejected


def _pools(
    graph: TrailGraph, is_linked: NDArray[np.bool_], vectors: NDArray[np.float32], topics: NDArray[np.intp]
) -> dict[str, NDArray[np.intp]]:
    """All pairs of each stratum, (n, 2), source before target in position order."""
    pairs = np.column_stack(np.triu_indices(len(topics), k=1))
    days = np.asarray(graph.days)
    span = days[pairs[:, 1]] - days[pairs[:, 0]]
    short, long = np.quantile(span, [SHORT, LONG])
    is_same = topics[pairs[:, 0]] == topics[pairs[:, 1]]
    degrees = is_linked.sum(axis=1)
    few, many = np.quantile(degrees, [EXTREME, 1 - EXTREME])
    is_hub, is_edge = degrees >= many, degrees <= few
    cosines = (vectors @ vectors.T)[pairs[:, 0], pairs[:, 1]]
    return {
        "within a topic, short": pairs[is_same & (span <= short)],
        "within a topic, long": pairs[is_same & (span >= long)],
        "across topics, close": pairs[~is_same & (span <= short)],
        "across topics, far": pairs[~is_same & (span >= long)],
        "hub to periphery": pairs[is_hub[pairs[:, 0]] & is_edge[pairs[:, 1]]],
        "spatial extremes": pairs[cosines <= np.quantile(cosines, EXTREME)],
    }
