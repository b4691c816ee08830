"""The heavy steps of a build, each run in a child process and kept until the landscape is saved.

What a step returned is stored under the hash of its inputs, so that an interrupted build resumes where it stood and
nothing is embedded, or paid for, twice.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from narrative_core.records import LandscapeParameters, Progress, Stage, Vectors
from narrative_core.space.embedders import LOCAL_MODEL, embedder_version
from narrative_core.space.worker import TOPIC_ARRAYS, WorkerStage, parameter_options, run_stage
from narrative_core.store.database import Database
from narrative_core.store.stage_arrays import load_array, save_array
from narrative_core.store.vectors import load_vectors

OWN_VECTORS = "own vectors"
TEXTS_PER_PART = 1000

StageProgress = Callable[[Stage, int, int], None]
"""Called with (stage, done, total); it raises `Cancelled` when a person has stopped the build."""


@dataclass(frozen=True, slots=True)
class Model:
    """Which embeddings: "wordllama" runs here; any other name is asked of the endpoint at ``base_url``."""

    name: str = LOCAL_MODEL
    base_url: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    """What a step made, and what is to be said of it."""

    arrays: dict[str, NDArray[Any]]
    notices: tuple[str, ...]


class Stages:
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
        return self._noted(
            [self._run(step, arrays, parameters, lambda done, total: self._progress(stage, done, total))]
        )[0]

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
            return self._noted([result.result() for result in running])

    def _run(
        self,
        step: WorkerStage,
        arrays: Mapping[str, NDArray[Any]],
        parameters: LandscapeParameters,
        progress: Progress,
    ) -> _Kept:
        progress(0, 1)
        kept = self._recall(step)
        if kept is None:
            result = run_stage(step, arrays, parameter_options(parameters), progress=progress)
            kept = _Kept(dict(result.arrays), result.notices)
            for name, array in kept.arrays.items():
                save_array(self._database, self.key, f"{step}/{name}", array, collection=self._name)
            _save_words(self._database, self.key, f"{step}/notices", result.notices, collection=self._name)
        progress(1, 1)
        return kept

    def _noted(self, steps: Sequence[_Kept]) -> list[dict[str, NDArray[Any]]]:
        for step in steps:
            self.notices += step.notices
        return [step.arrays for step in steps]

    def _recall(self, step: WorkerStage) -> _Kept | None:
        # The notices are written last: without them the step was not finished.
        notices = _load_words(self._database, self.key, f"{step}/notices")
        if notices is None:
            return None
        arrays = {name: load_array(self._database, self.key, f"{step}/{name}") for name in _OUTPUTS[step]}
        return _Kept({name: array for name, array in arrays.items() if array is not None}, notices)


_OUTPUTS: dict[WorkerStage, tuple[str, ...]] = {
    "embed": ("vectors",),
    "project": ("projection",),
    "lay_out": ("positions",),
    "cluster": TOPIC_ARRAYS,
    "place_on_map": ("positions",),
    "place_in_topics": (*TOPIC_ARRAYS, "projection"),
}


@dataclass(frozen=True, slots=True, eq=False)
class Embedded:
    """Vectors, what is to be said of them, and the key that their parts are kept under until the build is done."""

    vectors: Vectors
    notices: tuple[str, ...]
    key: str
    is_new: bool


def embed(
    database: Database, name: str, texts: Sequence[str], model: Model, *, api_key: str, progress: StageProgress
) -> Embedded:
    """Return the collection's vectors: its own, those stored from this model, or new ones, part by part."""
    stored = load_vectors(database, name)
    if stored is not None and (stored.model == OWN_VECTORS or is_of_model(stored, model)):
        progress("embed", len(texts), len(texts))
        return Embedded(stored, (), _embedding_key(name, texts, model), is_new=False)
    return embed_texts(database, name, texts, model, api_key=api_key, progress=progress)


def embed_texts(
    database: Database, name: str, texts: Sequence[str], model: Model, *, api_key: str, progress: StageProgress
) -> Embedded:
    """Return new vectors of one or more texts, part by part; what an earlier attempt embedded is not asked again."""
    key = _embedding_key(name, texts, model)
    environment = {"OPENAI_API_KEY": api_key} if api_key else None
    parts: list[NDArray[np.float32]] = []
    words: tuple[str, ...] = ("",)
    for start in range(0, len(texts), TEXTS_PER_PART):
        counted = _counted(progress, start, len(texts))
        kept = _load_words(database, key, f"{start}/words")
        if kept is None:
            chunk = list(texts[start : start + TEXTS_PER_PART])
            options = {"texts": chunk, "model": model.name, "base_url": model.base_url or None}
            result = run_stage("embed", {}, options, progress=counted, environment=environment)
            kept = (result.facts["version"], *result.notices)
            save_array(database, key, f"{start}/vectors", result.arrays["vectors"], collection=name)
            _save_words(database, key, f"{start}/words", kept, collection=name)
        part = load_array(database, key, f"{start}/vectors")
        parts.append(np.asarray(part, dtype=np.float32))
        words = (kept[0], *words[1:], *kept[1:])
        counted(len(parts[-1]), len(parts[-1]))
    return Embedded(Vectors(np.concatenate(parts), model.name, words[0]), words[1:], key, is_new=True)


def is_of_model(stored: Vectors, model: Model) -> bool:
    """Return whether stored vectors are those that the model would give now."""
    return (stored.model, stored.version) == (model.name, embedder_version(model.name, base_url=model.base_url or None))


def _embedding_key(name: str, texts: Sequence[str], model: Model) -> str:
    told = "\x1f".join([name, model.name, model.base_url, *texts])
    return hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()


def _counted(progress: StageProgress, before: int, total: int) -> Progress:
    return lambda done, _: progress("embed", before + done, total)


def _save_words(database: Database, key: str, name: str, words: Sequence[str], *, collection: str) -> None:
    save_array(database, key, name, np.frombuffer(json.dumps(words).encode(), dtype=np.uint8), collection=collection)


def _load_words(database: Database, key: str, name: str) -> tuple[str, ...] | None:
    kept = load_array(database, key, name)
    return None if kept is None else tuple(json.loads(kept.tobytes()))
