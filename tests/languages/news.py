"""Forty invented news items in six languages, five subjects of eight reports each, and how they become a collection.

``news/*.csv`` have one file a language, with the names of columns and the dates of that language; the letter behind the
hyphen of an id is the subject. ``told_again.csv`` tells each event once more in other words.
"""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from narrative_core.ingest.columns import detect_columns
from narrative_core.ingest.sources import read_path
from narrative_core.ingest.tables import RawTable, read_table
from narrative_core.intake import import_table
from narrative_core.records import Collection, Document, LoadReport, Progress
from narrative_core.space.worker import Arrays, StageResult, WorkerStage, _work
from narrative_core.store.database import Database

FOLDER = Path(__file__).parent / "news"
LANGUAGES = ("ar", "zh_hans", "zh_hant", "es", "ru")
SUBJECTS = "fsthb"
"""Flood, space, teachers, health, bank."""


def table(language: str) -> RawTable:
    return mixed_table() if language == "mixed" else read_path(FOLDER / f"{language}.csv")


def mixed_table() -> RawTable:
    """All languages and English in one file, each with its own way of writing dates."""
    written = io.StringIO(newline="")
    rows = csv.writer(written)
    rows.writerow(["id", "title", "text", "date", "source"])
    for language in ("en", *LANGUAGES):
        with (FOLDER / f"{language}.csv").open(encoding="utf-8", newline="") as file:
            rows.writerows(list(csv.reader(file))[1:])
    return read_table(written.getvalue().encode(), "mixed.csv")


def store(database: Database, language: str) -> LoadReport:
    news = table(language)
    return import_table(database, Collection(language, language), news, detect_columns(news))


def subject(document_id: str) -> int:
    return SUBJECTS.index(document_id.rsplit("-", 1)[1][0])


def by_subject(documents: Sequence[Document]) -> Callable[..., StageResult]:
    """In the place of ``run_stage``: real vectors, and for a landscape the subjects that the items were written on."""
    topic = np.array([subject(document.document_id) for document in documents])

    def run(
        stage: WorkerStage,
        arrays: Arrays,
        options: Mapping[str, Any],
        *,
        progress: Progress,
        environment: Mapping[str, str] | None = None,
    ) -> StageResult:
        if stage == "embed":
            return _work("embed", arrays, options, progress)
        if stage == "project":
            return StageResult({"projection": arrays["vectors"][:, :2]})
        if stage == "lay_out":
            return StageResult({"positions": arrays["vectors"][:, :2].astype(np.float64)})
        memberships = 0.05 + 0.75 * np.eye(len(SUBJECTS))[topic]
        made = {"nearest_topic": topic, "is_outlier": np.zeros(len(topic), np.bool_), "memberships": memberships}
        return StageResult(made)

    return run
