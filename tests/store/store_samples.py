"""Small records and Hypothesis strategies for the store's tests."""

import datetime as dt
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from hypothesis import strategies as st

from narrative_core.curation import Annotations
from narrative_core.records import (
    Collection,
    CurvePoint,
    Document,
    Landscape,
    LandscapeParameters,
    Link,
    LoadReport,
    Problem,
    SavedStory,
    Story,
    StoryKind,
    StoryPair,
    Topic,
    TrailRequest,
    Vectors,
)
from narrative_core.store.collections import save_collection
from narrative_core.store.database import Database

HOSTILE = "'; DROP TABLE documents; -- \" ? $1 {x} \0 % <b> \\ \n"

DOCUMENTS = (
    Document(
        "d1", "First", "The first text.", dt.date(2020, 1, 1), "2020-01-01", "day", "Wire", "https://example.org/1"
    ),
    Document("d2", "Zweites 😀", "النص الثاني", dt.date(2020, 2, 1), "Feb 2020", "month", extras={"z": "1", "a": "ü"}),
    Document("d3", "", ""),
)
REPORT = LoadReport(
    read=5,
    kept=3,
    undated=1,
    duplicates=1,
    dropped=1,
    problems=(Problem(4, "repeats row 1"), Problem(2, "has no text")),
    encoding="utf-8",
    delimiter=";",
    date_format="%Y-%m-%d",
    columns={"title": "Headline", "date": "Day"},
)


def collection(name: str = "news") -> Collection:
    return Collection(name, "The news", "news articles", "Some news.", "A wire", "CC0", ("said", "also"))


def save_sample(database: Database, name: str = "news", documents: Sequence[Document] = DOCUMENTS) -> None:
    save_collection(database, collection(name), documents, REPORT)


def vectors(n: int = 3, d: int = 4) -> Vectors:
    values = np.random.default_rng(1).normal(size=(n, d)).astype(np.float32)
    return Vectors(values, "glove", "1.0")


def landscape(n: int = 3, k: int = 2, landscape_id: str = "land-1") -> Landscape:
    rng = np.random.default_rng(2)
    return Landscape(
        landscape_id=landscape_id,
        positions=rng.normal(size=(n, 2)),
        nearest_topic=np.arange(n, dtype=np.int64) % k if k else np.full(n, -1, dtype=np.int64),
        is_outlier=np.arange(n) % 2 == 0,
        memberships=rng.random((n, k)),
        topics=tuple(Topic(i, f"topic {i}", (f"word{i}", "größe"), 10 - i) for i in range(k)),
        parameters=LandscapeParameters(n_neighbors=7, min_dist=0.1, divergence="base2"),
        critical_coherence=0.1 + 0.2,
        median_link=float("nan"),
        created_at="2024-03-01T12:00:00+00:00",
        versions={"umap": "0.5", "hdbscan": "0.8"},
        notices=("Fewer neighbours than asked for.", "One topic."),
    )


def story(kind: StoryKind, documents: Sequence[Document] = DOCUMENTS) -> Story:
    links = tuple(
        Link(one.document_id, two.document_id, 0.1 * step, 0.7, 0.3, None if step else 31, ("flood",), step == 0, True)
        for step, (one, two) in enumerate(pairwise(documents))
    )
    return Story(kind, tuple(documents), links, 0.1 + 0.2, 0.5, float("nan"))


def saved_story(
    story_id: str = "s1", collection_name: str = "news", created_at: str = "2024-03-01T12:00:00+00:00"
) -> SavedStory:
    pair = StoryPair(
        request=TrailRequest("d1", "d3", via=("d2",), maximum_gap_days=90),
        trail=story("trail"),
        baseline=story("baseline", DOCUMENTS[::2]),
        draw=1,
        draw_bottlenecks=(0.1, 1 / 3, float("nan")),
        beaten=1,
        seed=42,
        median_link=0.4,
        curve=(CurvePoint(2, 0.2), CurvePoint(3, 0.1 + 0.2)),
        unconstrained_bottleneck=0.35,
    )
    return SavedStory(story_id, "The flood", "To check", collection_name, "land-1", created_at, pair)


texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=12) | st.sampled_from(
    ["", HOSTILE, "مرحبا", "👩‍👩‍👧", "naïve", "\0", "NULL", "nan", "\ufeff", "e\u0301"]
)
floats = st.floats(width=64)
counts = st.integers(0, 2**31 - 1)
documents = st.builds(
    Document,
    document_id=texts,
    title=texts,
    text=texts,
    date=st.none() | st.dates(),
    date_text=texts,
    date_precision=st.sampled_from([None, "day", "month", "year"]),
    source=texts,
    url=texts,
    extras=st.dictionaries(texts, texts, max_size=3),
)
links = st.builds(
    Link,
    source=texts,
    target=texts,
    coherence=floats,
    wording_similarity=floats,
    topic_similarity=floats,
    days_between=st.none() | st.integers(-(2**31), 2**31 - 1),
    shared_terms=st.lists(texts, max_size=3).map(tuple),
    is_weakest=st.booleans(),
    is_weak=st.booleans(),
)


def stories(kind: StoryKind) -> st.SearchStrategy[Story]:
    return st.builds(
        Story,
        kind=st.just(kind),
        documents=st.lists(documents, max_size=3).map(tuple),
        links=st.lists(links, max_size=3).map(tuple),
        bottleneck=floats,
        mean=floats,
        reliability=floats,
    )


pairs = st.builds(
    StoryPair,
    request=st.builds(
        TrailRequest,
        source=texts,
        target=texts,
        via=st.lists(texts, max_size=2).map(tuple),
        avoid=st.lists(texts, max_size=2).map(tuple),
        maximum_gap_days=st.none() | counts,
        maximum_length=st.none() | counts,
        is_chronological=st.booleans(),
        avoid_sources=st.lists(texts, max_size=2).map(tuple),
        avoid_topics=st.lists(counts, max_size=2).map(tuple),
        by_hand=st.lists(texts, max_size=3).map(tuple),
    ),
    trail=stories("trail"),
    baseline=stories("baseline"),
    draw=counts,
    draw_bottlenecks=st.lists(floats, max_size=4).map(tuple),
    beaten=counts,
    seed=st.integers(0, 2**128 - 1),
    median_link=floats,
    curve=st.none() | st.lists(st.builds(CurvePoint, length=counts, bottleneck=floats), max_size=3).map(tuple),
    unconstrained_bottleneck=floats,
)
annotations = st.builds(
    Annotations,
    document_notes=st.dictionaries(texts, texts, max_size=3),
    link_notes=st.dictionaries(st.tuples(texts, texts), texts, max_size=3),
    copies=st.dictionaries(texts, counts, max_size=3),
)
