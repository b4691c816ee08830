"""Small collections of two themes, and stand-ins for the child process that computes a stage of a build."""

import datetime as dt
import threading
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import NarrativeError
from narrative_core.records import Collection, Document, LoadReport, Progress
from narrative_core.space.embedders import embedder_version
from narrative_core.space.worker import Arrays, StageResult, WorkerStage
from narrative_core.store.collections import save_collection
from narrative_core.store.database import Database

FIRST_DATE = dt.date(2019, 1, 1)
DAYS_APART = 17
THEMES = (
    ("rocket", "launch", "orbit", "capsule", "astronaut", "booster", "spacecraft", "telemetry"),
    ("flood", "river", "dyke", "rain", "sandbag", "levee", "reservoir", "overflow"),
)
FAKE_VERSION = embedder_version()
READ_NOTICE = "The fake has read everything."
CLUSTERED_NOTICE = "The fake has grouped everything."
PLACED_NOTICE = "The fake has placed everything."

Compute = Callable[[WorkerStage, Arrays, Mapping[str, Any], Progress], StageResult]


def documents_on_two_themes(n: int, *, n_undated: int = 0) -> tuple[Document, ...]:
    """Documents d00, d01, … in position order, taking turns on rockets and floods; the last ones undated."""
    documents = []
    for row in range(n):
        words = np.random.default_rng(row).permutation(THEMES[row % 2]).tolist()
        date = FIRST_DATE + dt.timedelta(days=DAYS_APART * row) if row < n - n_undated else None
        documents.append(
            Document(
                f"d{row:02}",
                f"Report {row} on the {words[0]} and the {words[1]}",
                f"The {words[2]} met the {words[3]} while a {words[4]} waited for the {words[5]}.",
                date,
                "" if date is None else date.isoformat(),
                None if date is None else "day",
            )
        )
    return tuple(documents)


def save_documents(database: Database, documents: Sequence[Document], name: str = "news") -> None:
    n_undated = sum(document.date is None for document in documents)
    report = LoadReport(len(documents), len(documents), n_undated, duplicates=0, dropped=0)
    save_collection(database, Collection(name, name.title(), "reports"), documents, report)


def stage_names(database: Database) -> set[str]:
    """The names of all intermediate results that the database holds."""
    with database.reading() as cursor:
        return {name for (name,) in cursor.execute("SELECT DISTINCT name FROM stage_arrays").fetchall()}


@dataclass
class FakeChild:
    """In the place of ``run_stage``: computes in this process, one stage at a time, and remembers what it was asked.

    ``running`` is the stage that the calling thread is at, for a progress that wants to stop it; a stage named in
    ``breaking`` fails.
    """

    compute: Compute
    breaking: WorkerStage | None = None
    stages: list[WorkerStage] = field(default_factory=list)
    options: list[Mapping[str, Any]] = field(default_factory=list)
    environments: list[Mapping[str, str] | None] = field(default_factory=list)
    results: dict[WorkerStage, StageResult] = field(default_factory=dict)
    _computing: threading.Lock = field(default_factory=threading.Lock)
    _running: threading.local = field(default_factory=threading.local)

    @property
    def running(self) -> WorkerStage | None:
        return getattr(self._running, "stage", None)

    def __call__(
        self,
        stage: WorkerStage,
        arrays: Arrays,
        options: Mapping[str, Any],
        *,
        progress: Progress,
        environment: Mapping[str, str] | None = None,
    ) -> StageResult:
        with self._computing:
            self.stages.append(stage)
            self.options.append(options)
            self.environments.append(environment)
            self._running.stage = stage
            try:
                progress(0, 1)
                if stage == self.breaking:
                    raise NarrativeError(f"The step {stage} failed on purpose.")
                self.results[stage] = self.compute(stage, arrays, options, progress)
                return self.results[stage]
            finally:
                self._running.stage = None


def fake_stage(
    stage: WorkerStage, arrays: Mapping[str, NDArray[Any]], options: Mapping[str, Any], progress: Progress
) -> StageResult:
    """A stage by the simplest means: the theme and a little noise are the vector, its signs the topic."""
    if stage == "embed":
        texts = options["texts"]
        vectors = np.stack([_fake_vector(text) for text in texts])
        progress(len(texts), len(texts))
        return StageResult(
            {"vectors": vectors},
            (READ_NOTICE,),
            {"model": options["model"], "version": embedder_version(options["model"])},
        )
    if stage == "cluster":
        topic = (arrays["projection"][:, 0] < 0).astype(np.int64)
        memberships = np.where(topic[:, None] == [0, 1], 0.75, 0.25)
        made = {"nearest_topic": topic, "is_outlier": np.zeros(len(topic), np.bool_), "memberships": memberships}
        return StageResult(made, (CLUSTERED_NOTICE,))
    if stage == "project":
        return StageResult({"projection": arrays["vectors"][:, :2]})
    if stage == "place_in_topics":
        made = fake_stage("cluster", {"projection": arrays["new"]}, options, progress).arrays
        return StageResult({**made, "projection": arrays["new"][:, :2]}, (PLACED_NOTICE,))
    rows = arrays["vectors" if stage == "lay_out" else "new"]
    return StageResult({"positions": rows[:, :2].astype(np.float64)})


def _fake_vector(text: str) -> NDArray[np.float32]:
    vector = np.random.default_rng(zlib.crc32(text.encode())).normal(size=8) * 0.2
    vector[0] = 1.0 if any(word in text for word in THEMES[0]) else -1.0
    return (vector / np.linalg.norm(vector)).astype(np.float32)
