"""The conductor: load a collection, compute its landscape stage by stage, save it; and open it for questions."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from narrative_core.build_stages import Model, StageProgress, Stages, embed
from narrative_core.errors import InvalidInput
from narrative_core.extraction import LoadedCollection
from narrative_core.records import Document, Landscape, LandscapeParameters, Topic, Vectors
from narrative_core.space.document_text import embedding_text
from narrative_core.space.landscape_parameters import shrink_parameters
from narrative_core.space.stops import stop_words
from narrative_core.space.terms import count_documents
from narrative_core.space.topics import label_topics
from narrative_core.space.versions import library_versions
from narrative_core.store.collections import load_collection, load_documents, save_stop_words
from narrative_core.store.database import Database
from narrative_core.store.landscapes import load_landscape, save_landscape
from narrative_core.store.stage_arrays import delete_arrays
from narrative_core.store.terms import load_term_counts, save_term_counts
from narrative_core.store.vectors import load_vectors, save_vectors
from narrative_core.trails.coherence import coherence_matrix
from narrative_core.trails.graph import TrailGraph, critical_coherence, day_numbers
from narrative_core.trails.sampling import sample_trails

SAMPLED_PAIRS = 200
ROUNDING = 1e-12
"""How far θ may lie below its value on the machine that built the landscape and still count as equal."""

LARGEST_DENSE = 15_000
"""Documents up to which the coherence of all pairs is kept in memory (1.8 GB)."""


def build(
    database: Database,
    name: str,
    *,
    model: Model | None = None,
    parameters: LandscapeParameters | None = None,
    api_key: str = "",
    progress: StageProgress = lambda stage, done, total: None,
) -> None:
    """Embed, project, cluster and label a collection, measure its coherence, and save the landscape.

    Parameters
    ----------
    database : Database
    name : str
        A stored collection; a landscape that it has is replaced only when the new one is complete.
    model : Model, optional
        Ignored where the collection came with its own vectors; the local model otherwise.
    api_key : str
        Of the endpoint, where it is not in the environment; handed to the child process and kept nowhere.
    parameters : LandscapeParameters, optional
        Shrunk to what the collection can bear.
    progress : callable

    Raises
    ------
    InvalidInput
        If there is no such collection, or it has no document.
    EmbeddingUnavailable
        If the model cannot be used.
    Cancelled
        From ``progress``; the stages that were finished are kept.
    """
    documents = load_documents(database, name)
    _check_size(name, len(documents))
    texts = [embedding_text(document.title, document.text) for document in documents]
    asked = parameters or LandscapeParameters()
    fitted, notices = shrink_parameters(asked, len(texts))
    embedded = embed(database, name, texts, model or Model(), api_key=api_key, progress=progress)
    vectors, key = embedded.vectors, _content_key(texts, embedded.vectors, fitted)
    stages = Stages(database, name, f"{name} {key}", progress)
    projected, laid_out = stages.run_together("project", ("project", "lay_out"), {"vectors": vectors.values}, fitted)
    clustered = stages.run("cluster", "cluster", projected, fitted)
    topics, term_counts = _label(database, name, texts, clustered, progress)
    floor, median_link = _measure(vectors, clustered["memberships"], documents, fitted, progress)
    landscape = Landscape(
        landscape_id=_landscape_id(key, documents),
        positions=laid_out["positions"],
        nearest_topic=clustered["nearest_topic"],
        is_outlier=clustered["is_outlier"],
        memberships=clustered["memberships"],
        topics=topics,
        parameters=fitted,
        critical_coherence=floor,
        median_link=median_link,
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        versions=library_versions(),
        notices=(*notices, *embedded.notices, *stages.notices),
    )
    # Together, and not before now: the vectors of a former landscape serve its trails until the new one is there.
    with database.transaction():
        if embedded.is_new:
            save_vectors(database, name, vectors)
        save_landscape(database, name, landscape)
        save_term_counts(database, name, term_counts)
        for finished in (embedded.key, stages.key):
            delete_arrays(database, finished)


def relabel(database: Database, name: str, stop_list: Sequence[str]) -> None:
    """Keep a collection's own stop list, and name its topics anew without those words; nothing else changes.

    Raises
    ------
    InvalidInput
        If there is no such collection.
    """
    landscape = load_landscape(database, name)
    texts = [embedding_text(document.title, document.text) for document in load_documents(database, name)]
    stop = stop_words(stop_list, texts=texts)
    topics = label_topics(texts, landscape.nearest_topic, landscape.is_outlier, stop=stop) if landscape else ()
    counts = count_documents(texts, stop)
    with database.transaction():
        save_stop_words(database, name, stop_list)
        present = load_landscape(database, name)
        # A build may have ended meanwhile; it took the former list, so its names stand until the next relabelling.
        if landscape is not None and present is not None and present.landscape_id == landscape.landscape_id:
            save_landscape(database, name, replace(landscape, topics=topics))
            save_term_counts(database, name, counts)


def load(database: Database, name: str) -> LoadedCollection:
    """Return a built collection, ready to answer.

    Raises
    ------
    InvalidInput
        If there is no such collection, or it has not been built.

    Notes
    -----
    θ is computed from the stored vectors and memberships: O(n²) time and memory (8 n² bytes).
    """
    collection = load_collection(database, name)
    landscape, vectors = load_landscape(database, name), load_vectors(database, name)
    if landscape is None or vectors is None:
        raise InvalidInput(f"The collection {collection.title} has no landscape yet. Build it first.")
    documents = load_documents(database, name)
    graph = TrailGraph(
        coherence_matrix(vectors.values, landscape.memberships, divergence=landscape.parameters.divergence),
        day_numbers([document.date for document in documents]),
        landscape.critical_coherence - ROUNDING,
    )
    return LoadedCollection(
        collection=collection,
        documents=documents,
        vectors=vectors,
        landscape=landscape,
        graph=graph,
        term_counts=load_term_counts(database, name),
        stop=stop_words(
            collection.stop_words, texts=[embedding_text(document.title, document.text) for document in documents]
        ),
        row_of={document.document_id: row for row, document in enumerate(documents)},
    )


def _check_size(name: str, n_documents: int) -> None:
    if not n_documents:
        raise InvalidInput(f"The collection {name} has no documents. Import some first.")
    if n_documents > LARGEST_DENSE:
        raise InvalidInput(
            f"The collection {name} has {n_documents:,} documents; the coherence of all pairs would need "
            f"{8 * n_documents**2 / 1e9:,.0f} GB of memory. Import at most {LARGEST_DENSE:,}."
        )


def _label(
    database: Database, name: str, texts: Sequence[str], clustered: Mapping[str, NDArray[Any]], progress: StageProgress
) -> tuple[tuple[Topic, ...], dict[str, int]]:
    """Return the named topics, and in how many documents each term occurs."""
    progress("label", 0, 2)
    stop = stop_words(load_collection(database, name).stop_words, texts=texts)
    topics = label_topics(
        texts,
        clustered["nearest_topic"],
        clustered["is_outlier"],
        stop=stop,
        progress=lambda done, total: progress("label", done, 2 * total),
    )
    term_counts = count_documents(_watched(texts, progress), stop)
    progress("label", 2, 2)
    return topics, term_counts


def _watched(texts: Sequence[str], progress: StageProgress) -> Iterator[str]:
    for number, text in enumerate(texts):
        if number % 100 == 0:
            progress("label", len(texts) + number, 2 * len(texts))
        yield text


def _measure(
    vectors: Vectors,
    memberships: NDArray[np.float64],
    documents: Sequence[Document],
    parameters: LandscapeParameters,
    progress: StageProgress,
) -> tuple[float, float]:
    """Return the critical coherence, and the median link of trails between sampled endpoints."""
    progress("coherence", 0, 1)
    coherence = coherence_matrix(
        vectors.values,
        memberships,
        divergence=parameters.divergence,
        progress=lambda done, total: progress("coherence", done, total + 2),
    )
    floor = critical_coherence(coherence)
    graph = TrailGraph(coherence, day_numbers([document.date for document in documents]), floor)
    sampled = sample_trails(graph, SAMPLED_PAIRS, rng=np.random.default_rng(parameters.seed))
    progress("coherence", 1, 1)
    return floor, sampled.median_link


def _landscape_id(key: str, documents: Sequence[Document]) -> str:
    """Return the name of a landscape: what decided it, and whose documents it shows."""
    told = [(d.document_id, d.date, d.date_text, d.title, d.source, d.url) for d in documents]
    return hashlib.sha256(f"{key}{told!r}".encode("utf-8", "replace")).hexdigest()[:12]


def _content_key(texts: Sequence[str], vectors: Vectors, parameters: LandscapeParameters) -> str:
    """Return the hash of all that decides a landscape: texts, vectors, settings and library versions."""
    told = [
        vectors.model,
        vectors.version,
        repr(sorted(asdict(parameters).items())),
        repr(sorted(library_versions().items())),
    ]
    digest = hashlib.sha256("\x1f".join([*told, *texts]).encode("utf-8", "replace"))
    digest.update(vectors.values.tobytes())
    return digest.hexdigest()
