"""Work that is let go of: stopped at once, and with nothing stored."""

import io
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from narrative_core.errors import Cancelled, InvalidInput
from narrative_core.import_jobs import (
    STORE,
    Meaning,
    Origin,
    ReadingOptions,
    attended,
    compare_file,
    read_origin,
    store_file,
)
from narrative_core.ingest.columns import detect_columns
from narrative_core.jobs import Report
from narrative_core.records import Collection
from narrative_core.store.collections import has_collection
from narrative_core.store.database import Database, open_database
from tests.conductor_samples import documents_on_two_themes, save_documents

PATIENCE_S = 30.0
NEWS = b"title,text\nBridge,It is open.\nRiver,It is low.\n"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(tmp_path / "throughline.duckdb")
    yield opened
    opened.close()


def quiet(stage: str, done: int, total: int) -> None:
    del stage, done, total


def stopped(stage: str, done: int, total: int) -> None:
    del stage, done, total
    raise Cancelled("Stopped.")


def test_what_work_returns_comes_back() -> None:
    assert attended(lambda tell: 7, quiet) == 7


def test_what_work_raises_comes_out() -> None:
    def work(tell: Report) -> int:
        raise InvalidInput("It is empty.")

    with pytest.raises(InvalidInput, match="It is empty"):
        attended(work, quiet)


def test_reports_of_the_work_are_passed_on() -> None:
    heard, is_heard = [], threading.Event()

    def report(stage: str, done: int, total: int) -> None:
        heard.append((stage, done, total))
        if stage == "read":
            is_heard.set()

    def work(tell: Report) -> bool:
        tell("read", 3, 9)
        return is_heard.wait(PATIENCE_S)

    assert attended(work, report)
    assert ("read", 3, 9) in heard


def test_work_that_reports_nothing_is_let_go_of_and_ends_at_its_next_report() -> None:
    may_go_on, is_over = threading.Event(), threading.Event()

    def work(tell: Report) -> None:
        may_go_on.wait(PATIENCE_S)
        try:
            tell("read", 1, 2)
        except Cancelled:
            is_over.set()

    with pytest.raises(Cancelled):
        attended(work, stopped)
    may_go_on.set()
    assert is_over.wait(PATIENCE_S)


def test_work_that_stores_is_finished() -> None:
    is_storing, may_end = threading.Event(), threading.Event()

    def report(stage: str, done: int, total: int) -> None:
        if stage == STORE:
            may_end.set()
            raise Cancelled("Stopped.")

    def work(tell: Report) -> str:
        tell(STORE, 0, 1)
        is_storing.set()
        may_end.wait(PATIENCE_S)
        return "stored"

    assert attended(work, report) == "stored"
    assert is_storing.is_set()


def test_an_import_that_is_stopped_stores_nothing(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    read = read_origin(Origin("1", "news.csv", data=NEWS), ReadingOptions(), quiet)
    may_go_on, is_over = threading.Event(), threading.Event()

    def slow(*_: object) -> dict[str, str]:
        may_go_on.wait(PATIENCE_S)
        is_over.set()
        return {}

    monkeypatch.setattr("narrative_core.intake.find_copies", slow)
    with pytest.raises(Cancelled):
        store_file(database, Collection("news", "News"), read.table, Meaning(read.detected), stopped)
    may_go_on.set()
    assert is_over.wait(PATIENCE_S)
    for thread in threading.enumerate():
        if thread.name == "reading":
            thread.join(PATIENCE_S)
    assert not has_collection(database, "news")


def test_a_file_is_read_as_it_is_said() -> None:
    origin = Origin("1", "most.csv", data="title|text\nМост|Он открыт\n".encode("cp1251"))
    read = read_origin(origin, ReadingOptions(encoding="cp1251", delimiter="|"), quiet)
    assert (read.name, read.table.rows) == ("most.csv", (("Мост", "Он открыт"),))
    assert read.detected == detect_columns(read.table)


def test_own_vectors_that_do_not_fit_are_refused(database: Database) -> None:
    read = read_origin(Origin("1", "news.csv", data=NEWS), ReadingOptions(), quiet)
    file = io.BytesIO()
    np.save(file, np.eye(5, dtype=np.float32))
    meaning = Meaning(read.detected, npy=file.getvalue())
    with pytest.raises(InvalidInput, match="got 5 rows for 2 data rows"):
        store_file(database, Collection("news", "News"), read.table, meaning, quiet)
    assert not has_collection(database, "news")


def test_a_comparison_stores_nothing_and_knows_the_model(database: Database) -> None:
    save_documents(database, documents_on_two_themes(3))
    read = read_origin(Origin("1", "news.csv", data=NEWS), ReadingOptions(), quiet)
    compared = compare_file(database, "news", read.table, Meaning(read.detected), quiet)
    assert (len(compared.difference.new), len(compared.difference.absent), compared.model) == (2, 3, "")
