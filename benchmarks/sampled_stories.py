"""Trails and random chronologies of the reference news between stratified endpoints (DESIGN, "Endpoint sampling")."""

import csv
import datetime as dt
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from narrative_core.records import Document
from narrative_core.runs import Stratum
from narrative_core.trails.baselines import run_baselines
from narrative_core.trails.coherence import coherence_matrix
from narrative_core.trails.endpoints import sample_endpoints
from narrative_core.trails.graph import TrailGraph, critical_coherence, day_numbers


@dataclass(frozen=True, slots=True)
class SampledStory:
    """One story: its pair (from 0), whether it is the trail, its documents by position, and its link coherences."""

    pair: int
    is_trail: bool
    stratum: Stratum
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

    The pairs are in random order, so that the first half is as stratified as the second.
    """
    rng = np.random.default_rng(seed)
    vectors = np.load(folder / "vectors.npy", allow_pickle=False)
    memberships = np.load(folder / "memberships.npy", allow_pickle=False)
    coherence = coherence_matrix(vectors, memberships)
    days = day_numbers([document.date for document in documents])
    graph = TrailGraph(coherence, days, critical_coherence(coherence))
    sampled = sample_endpoints(graph, n_pairs, topics=memberships.argmax(axis=1), vectors=vectors, rng=rng)
    baselines = run_baselines(graph, [one.trail for one in sampled.trails], rng=rng)
    stories = []
    for pair, (one, baseline) in enumerate(zip(sampled.trails, baselines, strict=True)):
        for is_trail, told in ((True, one.trail.documents), (False, baseline)):
            stories.append(SampledStory(pair, is_trail, one.stratum, told, graph.chain_strengths(told)))
    return stories, sum(count.rejected for count in sampled.counts)
