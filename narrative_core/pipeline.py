"""The conductor: load a collection, compute its landscape stage by stage, save it; and open it for questions."""

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from narrative_core.build_memory import require_memory
from narrative_core.build_stages import Model, StageProgress, Stages, embed
from narrative_core.copy_groups import known_copies
from narrative_core.curating import ROUNDING, copies_among, curate, curate_landscape, curated_graph
from narrative_core.curation import Curation
from narrative_core.errors import InvalidInput
from narrative_core.extraction import LoadedCollection
from narrative_core.naming import name_topics
from narrative_core.records import Document, Landscape, LandscapeParameters, Vectors
from narrative_core.space.document_text import embedding_text
from narrative_core.space.landscape_parameters import shrink_parameters
from narrative_core.space.stops import stop_words
from narrative_core.space.versions import library_versions
from narrative_core.store.collections import load_collection, load_documents
from narrative_core.store.curations import load_curation
from narrative_core.store.database import Database
from narrative_core.store.landscapes import load_landscape, load_placed, save_landscape
from narrative_core.store.project_rows import Placement, save_placement
from narrative_core.store.stage_arrays import delete_arrays
from narrative_core.store.terms import load_term_counts, save_term_counts
from narrative_core.store.vectors import load_vectors, save_vectors
from narrative_core.trails.coherence import coherence_matrix
from narrative_core.trails.graph import TrailGraph, critical_coherence, day_numbers
from narrative_core.trails.sampling import sample_trails

SAMPLED_PAIRS = 200
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
    check_size(name, len(documents))
    texts = [embedding_text(document.title, document.text) for document in documents]
    asked = parameters or LandscapeParameters()
    fitted, notices = shrink_parameters(asked, len(texts))
    embedded = embed(database, name, texts, model or Model(), api_key=api_key, progress=progress)
    vectors, key = embedded.vectors, _content_key(texts, embedded.vectors, fitted)
    stages = Stages(database, name, f"{name} {key}", progress)
    projected, laid_out = stages.run_together("project", ("project", "lay_out"), {"vectors": vectors.values}, fitted)
    clustered = stages.run("cluster", "cluster", projected, fitted)
    stop = stop_words(load_collection(database, name).stop_words, texts=texts)
    topics, term_counts = name_topics(
        texts, clustered["nearest_topic"], clustered["is_outlier"], stop=stop, progress=progress
    )
    floor, median_link = measure(vectors, clustered["memberships"], documents, fitted, progress)
    landscape = Landscape(
        landscape_id=landscape_id(key, documents),
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
        save_placement(database, name, Placement(projected["projection"], np.zeros(len(texts), dtype=np.bool_)))
        save_term_counts(database, name, term_counts)
        for finished in (embedded.key, stages.key):
            delete_arrays(database, finished)


def load_coherence(database: Database, name: str) -> NDArray[np.float64]:
    """Return the coherence of all pairs of stored documents of a built collection, excluded ones included; (n, n).

    Raises
    ------
    InvalidInput
        If there is no such collection, or it has not been built.

    Notes
    -----
    Computed from the stored vectors and memberships: O(n²) time and memory (8 n² bytes).
    """
    landscape, vectors = _computed(database, name)
    return coherence_matrix(vectors.values, landscape.memberships, divergence=landscape.parameters.divergence)


def load_graph(
    database: Database, name: str, curation: Curation, *, coherence: NDArray[np.float64] | None = None
) -> TrailGraph:
    """Return the chronological graph of the documents that take part.

    Parameters
    ----------
    database : Database
    name : str
    curation : Curation
        What was excluded and dated by hand.
    coherence : ndarray, shape (n, n), optional
        From `load_coherence`, where it is at hand.

    Raises
    ------
    InvalidInput
        If there is no such collection, or it has not been built.
    """
    landscape, _ = _computed(database, name)
    theta = load_coherence(database, name) if coherence is None else coherence
    return curated_graph(curate(load_documents(database, name), curation), theta, landscape.critical_coherence)


def load(
    database: Database, name: str, *, curation: Curation | None = None, graph: TrailGraph | None = None
) -> LoadedCollection:
    """Return a built collection, ready to answer, with what people decided about it laid over it.

    Parameters
    ----------
    database : Database
    name : str
    curation : Curation, optional
        The one in the store where not given.
    graph : TrailGraph, optional
        From `load_graph` under the same exclusions and dates, where it is at hand.

    Raises
    ------
    InvalidInput
        If there is no such collection, or it has not been built.
    """
    collection = load_collection(database, name)
    landscape, vectors = _computed(database, name)
    decided = load_curation(database, name) if curation is None else curation
    stored = load_documents(database, name)
    curated = curate(stored, decided)
    documents = curated.documents
    if graph is None:
        graph = load_graph(database, name, decided)
    floor = graph.floor + ROUNDING if len(documents) < len(stored) else landscape.critical_coherence
    # The words that are left out are those of all stored documents: to exclude some renames nothing.
    stop = stop_words(collection.stop_words, texts=[embedding_text(one.title, one.text) for one in stored])
    return LoadedCollection(
        collection=collection,
        documents=documents,
        vectors=replace(vectors, values=vectors.values[curated.rows]),
        landscape=curate_landscape(landscape, curated.rows, decided, floor=floor),
        graph=graph,
        term_counts=load_term_counts(database, name),
        stop=stop,
        row_of={document.document_id: row for row, document in enumerate(documents)},
        curation=decided.on_landscape(landscape.landscape_id),
        copies=copies_among(known_copies(database, name, stored), documents, decided.standalone),
        placed=load_placed(database, name) - decided.excluded,
        file_dates=curated.file_dates,
    )


def _computed(database: Database, name: str) -> tuple[Landscape, Vectors]:
    collection = load_collection(database, name)
    landscape, vectors = load_landscape(database, name), load_vectors(database, name)
    if landscape is None or vectors is None:
        raise InvalidInput(f"The collection {collection.title} has no landscape yet. Build it first.")
    return landscape, vectors


def check_size(name: str, n_documents: int, *, n_dimensions: int = 0) -> None:
    """Raise `InvalidInput`, with the numbers, where a collection has no document, or more than memory can hold."""
    if not n_documents:
        raise InvalidInput(f"The collection {name} has no documents. Import some first.")
    if n_documents > LARGEST_DENSE:
        raise InvalidInput(
            f"The collection {name} has {n_documents:,} documents; the coherence of all pairs would need "
            f"{8 * n_documents**2 / 1e9:,.0f} GB of memory. Import at most {LARGEST_DENSE:,}."
        )
    require_memory(name, n_documents, n_dimensions)


def measure(
    vectors: Vectors,
    memberships: NDArray[np.float64],
    documents: Sequence[Document],
    parameters: LandscapeParameters,
    progress: StageProgress,
) -> tuple[float, float]:
    """Return the critical coherence, and the median link of trails between sampled endpoints.

    ``progress`` hears of the stage "coherence", and may raise `Cancelled`. O(n²) time and memory.
    """
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


def landscape_id(key: str, documents: Sequence[Document]) -> str:
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
