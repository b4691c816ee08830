import contextlib
import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from narrative_core import build_stages, copy_groups
from narrative_core.bundle import write_bundle
from narrative_core.copy_groups import find_copies, known_copies
from narrative_core.ingest.columns import detect_columns
from narrative_core.ingest.tables import read_table
from narrative_core.intake import import_bundle, import_table, install_builtin
from narrative_core.pipeline import build, load
from narrative_core.records import Collection, Document
from narrative_core.store.copies import load_copies
from narrative_core.store.database import Database, open_database
from tests.conductor_samples import FakeChild, documents_on_two_themes, fake_stage, save_documents

REPORT = (
    "The dyke at the lower ford broke in the night, and by six the whole town was under water, the police said. " * 2
)
COPIED = tuple(
    replace(one, text=REPORT, date=dt.date(2019, 1, day), date_text=f"2019-01-{day:02}")
    for day, one in enumerate(documents_on_two_themes(2), 1)
)
DOCUMENTS = (*COPIED, *documents_on_two_themes(12)[2:])


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with contextlib.closing(open_database(tmp_path / "throughline.duckdb")) as opened:
        yield opened


def test_copies_are_named_by_their_ids_and_the_first_names_itself() -> None:
    assert find_copies(DOCUMENTS) == {"d00": "d00", "d01": "d00"}
    assert find_copies([Document("a", "", "")]) == {}


def test_an_import_keeps_the_copies_that_it_finds(database: Database, tmp_path: Path) -> None:
    rows = "\n".join(f'{one.document_id},{one.title},"{one.text}",{one.iso_date}' for one in DOCUMENTS)
    table = read_table(f"id,title,text,date\n{rows}\n".encode(), "news.csv")
    import_table(database, Collection("news", "News"), table, detect_columns(table))
    assert load_copies(database, "news") == {"d00": "d00", "d01": "d00"}
    write_bundle(tmp_path / "bundle", DOCUMENTS, None, None)
    import_bundle(database, "again", tmp_path / "bundle")
    assert load_copies(database, "again") == {"d00": "d00", "d01": "d00"}
    install_builtin(database, "toy")
    assert load_copies(database, "toy") == {}


def test_copies_of_an_older_collection_are_looked_for_once_when_it_is_loaded(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_stages, "run_stage", FakeChild(fake_stage))
    save_documents(database, DOCUMENTS)
    build(database, "news")
    assert load_copies(database, "news") is None
    assert load(database, "news").copies == {"d00": ("d00", "d01"), "d01": ("d00", "d01")}
    assert load_copies(database, "news") == {"d00": "d00", "d01": "d00"}
    monkeypatch.setattr(copy_groups, "group_copies", lambda documents: pytest.fail("they are known"))
    assert known_copies(database, "news", DOCUMENTS) == {"d00": "d00", "d01": "d00"}
