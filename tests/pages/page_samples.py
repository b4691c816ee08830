"""Small collections with a landscape, stored at once: the page tests need no model and no clustering."""

import datetime as dt
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from narrative_core.records import Collection, Document, Landscape, LandscapeParameters, LoadReport, Topic, Vectors
from narrative_core.space.document_text import embedding_text
from narrative_core.space.stops import stop_words
from narrative_core.space.terms import count_documents
from narrative_core.store.collections import save_collection
from narrative_core.store.database import Database
from narrative_core.store.landscapes import save_landscape
from narrative_core.store.terms import save_term_counts
from narrative_core.store.vectors import save_vectors
from narrative_core.trails.coherence import coherence_matrix
from narrative_core.trails.graph import critical_coherence

FIRST_DATE = dt.date(2020, 1, 1)


def town_documents(days: Sequence[int | None], titles: Sequence[str] = ()) -> tuple[Document, ...]:
    """Documents d0, d1, … dated so many days after 1 January 2020, undated ones (``None``) last."""
    names = titles or [f"Headline {row}" for row in range(len(days))]
    dates = [None if day is None else FIRST_DATE + dt.timedelta(days=day) for day in days]
    return tuple(
        Document(f"d{row}", title, f"Text {row} on the flood.", date, str(date or ""), "day" if date else None)
        for row, (title, date) in enumerate(zip(names, dates, strict=True))
    )


def save_unbuilt(database: Database, documents: Sequence[Document], *, title: str = "The town") -> None:
    """Store a collection named ``town`` that has no landscape."""
    n_undated = sum(document.date is None for document in documents)
    report = LoadReport(len(documents), len(documents), n_undated, duplicates=0, dropped=0)
    save_collection(database, Collection("town", title, "reports"), documents, report)


def save_built(
    database: Database, documents: Sequence[Document], *, angles: Sequence[float] = (), title: str = "The town"
) -> None:
    """Store a collection named ``town`` with a landscape of one topic.

    Parameters
    ----------
    angles : sequence of float, optional
        Direction of each document's vector in degrees: two that are δ apart have coherence √(1 − δ / 180).
        By default each document is 5° on from the one before.
    """
    save_unbuilt(database, documents, title=title)
    n = len(documents)
    turns = np.radians(angles if len(angles) else 5.0 * np.arange(n))
    values = np.column_stack([np.cos(turns), np.sin(turns)]).astype(np.float32)
    memberships: NDArray[np.float64] = np.ones((n, 1))
    save_vectors(database, "town", Vectors(values, "by hand", "1"))
    texts = [embedding_text(document.title, document.text) for document in documents]
    save_term_counts(database, "town", count_documents(texts, stop_words(texts=texts)))
    landscape = Landscape(
        landscape_id="by-hand",
        positions=np.column_stack([np.arange(n), np.arange(n) % 3]).astype(np.float64),
        nearest_topic=np.zeros(n, dtype=np.int64),
        is_outlier=np.zeros(n, dtype=bool),
        memberships=memberships,
        topics=(Topic(0, "flood", ("flood",), n),),
        parameters=LandscapeParameters(),
        critical_coherence=critical_coherence(coherence_matrix(values, memberships)),
        median_link=0.9,
        created_at="2024-03-01T12:00:00+00:00",
    )
    save_landscape(database, "town", landscape)
