"""A built collection in memory, made of a few sentences and random vectors: no database, no model."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from narrative_core.extraction import LoadedCollection
from narrative_core.records import Collection, Document, Landscape, LandscapeParameters, Vectors
from narrative_core.space.document_text import embedding_text
from narrative_core.space.terms import count_documents, stop_words
from narrative_core.trails.coherence import coherence_matrix
from narrative_core.trails.graph import TrailGraph, critical_coherence, day_numbers
from narrative_core.trails.sampling import sample_trails

FIRST_DATE = dt.date(2020, 1, 1)
_TOPIC_WORDS = ("harbour flood", "election ballot", "rocket launch")
_N_TOPICS = len(_TOPIC_WORDS)


def build_documents(days: Sequence[int | None]) -> tuple[Document, ...]:
    """Return a document for each day (counted from 1 January 2020, ``None`` undated), named d0, d1, …"""
    documents = []
    for row, day in enumerate(days):
        words = _TOPIC_WORDS[row % _N_TOPICS]
        date = None if day is None else FIRST_DATE + dt.timedelta(days=day)
        documents.append(
            Document(
                f"d{row}",
                f"Headline {row} on the {words}",
                f"The {words} kept the town awake; witness{row} was there.",
                date,
                "" if date is None else date.isoformat(),
                None if date is None else "day",
            )
        )
    return tuple(documents)


def build_collection(
    days: Sequence[int | None] = (*range(0, 60, 3), None, None),
    *,
    theta: NDArray[np.float64] | None = None,
    floor: float | None = None,
    median_link: float | None = None,
    seed: int = 0,
) -> LoadedCollection:
    """Return a collection with three topics that take turns.

    Parameters
    ----------
    days : sequence of int or None
        In rising order, undated ones last, as positions are.
    theta : ndarray, shape (n, n), optional
        A coherence to use in place of that of the vectors and memberships.
    floor, median_link : float, optional
        In place of the critical coherence and the median link of sampled trails.
    seed : int
    """
    documents = build_documents(days)
    n, rng = len(documents), np.random.default_rng(seed)
    topics = np.arange(n) % _N_TOPICS
    memberships = rng.dirichlet(np.full(_N_TOPICS, 0.5), size=n) + 0.6 * np.eye(_N_TOPICS)[topics]
    vectors = (memberships @ rng.normal(size=(_N_TOPICS, 8)) + 0.3 * rng.normal(size=(n, 8))).astype(np.float32)
    coherence = coherence_matrix(vectors, memberships) if theta is None else theta
    graph = TrailGraph(
        coherence,
        day_numbers([document.date for document in documents]),
        critical_coherence(coherence) if floor is None else floor,
    )
    if median_link is None:
        median_link = sample_trails(graph, 40, rng=np.random.default_rng(seed)).median_link
    texts = [embedding_text(document.title, document.text) for document in documents]
    stop = stop_words()
    return LoadedCollection(
        collection=Collection("towns", "The towns", "reports"),
        documents=documents,
        vectors=Vectors(vectors, "made up", "1"),
        landscape=Landscape(
            landscape_id=f"landscape-{seed}",
            positions=np.zeros((n, 2)),
            nearest_topic=topics.astype(np.int64),
            is_outlier=np.zeros(n, dtype=bool),
            memberships=memberships,
            topics=(),
            parameters=LandscapeParameters(),
            critical_coherence=graph.floor,
            median_link=median_link,
            created_at="2024-03-01T12:00:00+00:00",
        ),
        graph=graph,
        term_counts=count_documents(texts, stop),
        stop=stop,
        row_of={document.document_id: row for row, document in enumerate(documents)},
    )


def with_titles(loaded: LoadedCollection, titles: Sequence[str]) -> LoadedCollection:
    """Return the same collection under other headlines."""
    renamed = tuple(replace(document, title=title) for document, title in zip(loaded.documents, titles, strict=True))
    return replace(loaded, documents=renamed)


def symmetric(n: int, values: Sequence[float]) -> NDArray[np.float64]:
    """Return the symmetric matrix whose upper triangle, row by row, is ``values``; its diagonal is 0."""
    theta = np.zeros((n, n))
    theta[np.triu_indices(n, 1)] = values
    return theta + theta.T
