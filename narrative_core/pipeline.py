"""The conductor: load a collection, compute its landscape stage by stage, save it; and open it for questions.

Every stage's result is kept under the hash of its inputs until the landscape is saved, so that an interrupted build
resumes where it stood and nothing is embedded, or paid for, twice.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import partial
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput
from narrative_core.extraction import LoadedCollection
from narrative_core.records import Document, Landscape, LandscapeParameters, Progress, Stage, Topic, Vectors
from narrative_core.space.document_text import embedding_text
from narrative_core.space.embedders import LOCAL_MODEL
from narrative_core.space.landscape_parameters import shrink_parameters
from narrative_core.space.stops import stop_words
from narrative_core.space.terms import count_documents
from narrative_core.space.topics import label_topics
from narrative_core.space.versions import library_versions
from narrative_core.space.worker import WorkerStage, parameter_options, run_stage
from narrative_core.store.collections import load_collection, load_documents, save_stop_words
from narrative_core.store.database import Database
from narrative_core.store.landscapes import load_landscape, save_landscape
from narrative_core.store.stage_arrays import delete_arrays, load_array, save_array
from narrative_core.store.terms import load_term_counts, save_term_counts
from narrative_core.store.vectors import load_vectors, save_vectors
from narrative_core.trails.coherence import coherence_matrix
from narrative_core.trails.graph import TrailGraph, critical_coherence, day_numbers
from narrative_core.trails.sampling import sample_trails

OWN_VECTORS = "own vectors"
SAMPLED_PAIRS = 200
ROUNDING = 1e-12
"""How far θ may lie below its value on the machine that built the landscape and still count as equal."""

LARGEST_DENSE = 15_000
"""Documents up to which the coherence of all pairs is kept in memory (1.8 GB)."""

_TEXTS_PER_PART = 1000

StageProgress = Callable[[Stage, int, int], None]
"""Called with (stage, done, total); it raises `Cancelled` when a person has stopped the build."""


@dataclass(frozen=True, slots=True)
class Model:
    """Which embeddings: "wordllama" runs here; any other name is asked of the endpoint at ``base_url``."""

    name: str = LOCAL_MODEL
    base_url: str = ""


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
    if not documents:
        raise InvalidInput(f"The collection {name} has no documents. Import some first.")
    if len(documents) > LARGEST_DENSE:
        raise InvalidInput(
            f"The collection {name} has {len(documents):,} documents; the coherence of all pairs would need "
            f"{8 * len(documents) ** 2 / 1e9:,.0f} GB of memory. Import at most {LARGEST_DENSE:,}."
        )
    texts = [embedding_text(document.title, document.text) for document in documents]
    asked = parameters or LandscapeParameters()
    fitted, notices = shrink_parameters(asked, len(texts))
    embedded = _embed(database, name, texts, model or Model(), api_key=api_key, progress=progress)
    vectors, key = embedded.vectors, _content_key(texts, embedded.vectors, fitted)
    stages = _Stages(database, name, f"{name} {key}", progress)
    projected, laid_out = stages.run_together("project", ("project", "lay_out"), {"vectors": vectors.values}, fitted)
    clustered = stages.run("cluster", "cluster", projected, fitted)
    topics = _label(database, name, texts, clustered, progress)
    floor, median_link = _measure(vectors, clustered["memberships"], documents, fitted, progress)
    landscape = Landscape(
        landscape_id=key[:12],
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
    # Not before now: the vectors of a former landscape serve its trails until the new one is there.
    if embedded.is_new:
        save_vectors(database, name, vectors)
    save_landscape(database, name, landscape)
    for finished in (embedded.key, stages.key):
        delete_arrays(database, finished)


def relabel(database: Database, name: str, stop_list: Sequence[str]) -> None:
    """Keep a collection's own stop list, and name its topics anew without those words; nothing else changes.

    Raises
    ------
    InvalidInput
        If there is no such collection.
    """
    save_stop_words(database, name, stop_list)
    landscape = load_landscape(database, name)
    if landscape is None:
        return
    texts = [embedding_text(document.title, document.text) for document in load_documents(database, name)]
    stop = stop_words(stop_list, texts=texts)
    topics = label_topics(texts, landscape.nearest_topic, landscape.is_outlier, stop=stop)
    save_landscape(database, name, replace(landscape, topics=topics))


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


class _Stages:
    """Runs the stages of one build in a child process and remembers what each returned."""

    def __init__(self, database: Database, name: str, key: str, progress: StageProgress) -> None:
        self._database, self._name, self._progress = database, name, progress
        self.key = key
        self.notices: tuple[str, ...] = ()

    def run(
        self,
        stage: Stage,
        step: WorkerStage,
        arrays: Mapping[str, NDArray[Any]],
        parameters: LandscapeParameters,
    ) -> dict[str, NDArray[Any]]:
        """Return a step's arrays, from the store where an earlier attempt finished it."""
        return self._run(step, arrays, parameters, lambda done, total: self._progress(stage, done, total))

    def run_together(
        self,
        stage: Stage,
        steps: Sequence[WorkerStage],
        arrays: Mapping[str, NDArray[Any]],
        parameters: LandscapeParameters,
    ) -> list[dict[str, NDArray[Any]]]:
        """Return the arrays of steps that do not need each other, run at the same time: each keeps one core busy."""
        shares = dict.fromkeys(steps, 0.0)
        one_at_a_time = Lock()

        def part(step: WorkerStage, done: int, total: int) -> None:
            with one_at_a_time:
                shares[step] = done / max(total, 1)
                self._progress(stage, round(100 * sum(shares.values())), 100 * len(steps))

        with ThreadPoolExecutor(len(steps)) as pool:
            running = [pool.submit(self._run, step, arrays, parameters, partial(part, step)) for step in steps]
            return [result.result() for result in running]

    def _run(
        self,
        step: WorkerStage,
        arrays: Mapping[str, NDArray[Any]],
        parameters: LandscapeParameters,
        progress: Progress,
    ) -> dict[str, NDArray[Any]]:
        progress(0, 1)
        kept = self._recall(step)
        if kept is None:
            result = run_stage(step, arrays, parameter_options(parameters), progress=progress)
            kept = dict(result.arrays)
            for name, array in kept.items():
                save_array(self._database, self.key, f"{step}/{name}", array, collection=self._name)
            _save_words(self._database, self.key, f"{step}/notices", result.notices, collection=self._name)
            self.notices += result.notices
        progress(1, 1)
        return kept

    def _recall(self, step: WorkerStage) -> dict[str, NDArray[Any]] | None:
        # The notices are written last: without them the step was not finished.
        notices = _load_words(self._database, self.key, f"{step}/notices")
        if notices is None:
            return None
        self.notices += notices
        arrays = {name: load_array(self._database, self.key, f"{step}/{name}") for name in _OUTPUTS[step]}
        return {name: array for name, array in arrays.items() if array is not None}


_OUTPUTS: dict[WorkerStage, tuple[str, ...]] = {
    "embed": ("vectors",),
    "project": ("projection",),
    "lay_out": ("positions",),
    "cluster": ("nearest_topic", "is_outlier", "memberships"),
}


@dataclass(frozen=True, slots=True, eq=False)
class _Embedded:
    """Vectors, what is to be said of them, and the key that their parts are kept under until the build is done."""

    vectors: Vectors
    notices: tuple[str, ...]
    key: str
    is_new: bool


def _embed(
    database: Database, name: str, texts: Sequence[str], model: Model, *, api_key: str, progress: StageProgress
) -> _Embedded:
    """Return the collection's vectors: its own, those stored from this model, or new ones, part by part."""
    told = "\x1f".join([name, model.name, model.base_url, *texts])
    key = hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()
    stored = load_vectors(database, name)
    if stored is not None and stored.model in (OWN_VECTORS, model.name):
        progress("embed", len(texts), len(texts))
        return _Embedded(stored, (), key, is_new=False)
    environment = {"OPENAI_API_KEY": api_key} if api_key else None
    parts: list[NDArray[np.float32]] = []
    words: tuple[str, ...] = ("",)
    for start in range(0, len(texts), _TEXTS_PER_PART):
        counted = _counted(progress, start, len(texts))
        kept = _load_words(database, key, f"{start}/words")
        if kept is None:
            chunk = list(texts[start : start + _TEXTS_PER_PART])
            options = {"texts": chunk, "model": model.name, "base_url": model.base_url or None}
            result = run_stage("embed", {}, options, progress=counted, environment=environment)
            kept = (result.facts["version"], *result.notices)
            save_array(database, key, f"{start}/vectors", result.arrays["vectors"], collection=name)
            _save_words(database, key, f"{start}/words", kept, collection=name)
        part = load_array(database, key, f"{start}/vectors")
        parts.append(np.asarray(part, dtype=np.float32))
        words = (kept[0], *words[1:], *kept[1:])
        counted(len(parts[-1]), len(parts[-1]))
    return _Embedded(Vectors(np.concatenate(parts), model.name, words[0]), words[1:], key, is_new=True)


def _label(
    database: Database, name: str, texts: Sequence[str], clustered: Mapping[str, NDArray[Any]], progress: StageProgress
) -> tuple[Topic, ...]:
    progress("label", 0, 2)
    stop = stop_words(load_collection(database, name).stop_words, texts=texts)
    topics = label_topics(texts, clustered["nearest_topic"], clustered["is_outlier"], stop=stop)
    progress("label", 1, 2)
    save_term_counts(database, name, count_documents(texts, stop))
    progress("label", 2, 2)
    return topics


def _measure(
    vectors: Vectors,
    memberships: NDArray[np.float64],
    documents: Sequence[Document],
    parameters: LandscapeParameters,
    progress: StageProgress,
) -> tuple[float, float]:
    """Return the critical coherence, and the median link of trails between sampled endpoints."""
    progress("coherence", 0, 3)
    coherence = coherence_matrix(vectors.values, memberships, divergence=parameters.divergence)
    progress("coherence", 1, 3)
    floor = critical_coherence(coherence)
    progress("coherence", 2, 3)
    graph = TrailGraph(coherence, day_numbers([document.date for document in documents]), floor)
    sampled = sample_trails(graph, SAMPLED_PAIRS, rng=np.random.default_rng(parameters.seed))
    progress("coherence", 3, 3)
    return floor, sampled.median_link


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


def _counted(progress: StageProgress, before: int, total: int) -> Progress:
    return lambda done, _: progress("embed", before + done, total)


def _save_words(database: Database, key: str, name: str, words: Sequence[str], *, collection: str) -> None:
    save_array(database, key, name, np.frombuffer(json.dumps(words).encode(), dtype=np.uint8), collection=collection)


def _load_words(database: Database, key: str, name: str) -> tuple[str, ...] | None:
    kept = load_array(database, key, name)
    return None if kept is None else tuple(json.loads(kept.tobytes()))
