"""The command `import`: every format, a folder, a feed's address, a dry run, an update."""

import contextlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from narrative_core import build_stages, pipeline
from narrative_core.__main__ import main
from narrative_core.build_stages import OWN_VECTORS
from narrative_core.ingest.source_kinds import FileKind
from narrative_core.records import Document
from narrative_core.store.collections import list_collections, load_documents
from narrative_core.store.database import open_database
from narrative_core.store.landscapes import load_placed
from narrative_core.store.vectors import load_vectors
from tests.conductor_samples import FakeChild, fake_stage
from tests.ingest.source_samples import ENDINGS, ROW, WRITERS, csv_bytes, rss_bytes, xlsx_bytes

ROWS = [ROW, {**ROW, "id": "a2", "title": "River falls", "text": "The river is low.", "date": "2021-07-12"}]
NEWER = [{**ROWS[0], "title": "Bridge opens again"}, {**ROW, "id": "a3", "title": "Fair", "text": "It opens."}]


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "throughline.duckdb"


def documents(db: Path, name: str = "news") -> dict[str, Document]:
    with contextlib.closing(open_database(db)) as database:
        return {document.document_id: document for document in load_documents(database, name)}


def names(db: Path) -> list[str]:
    with contextlib.closing(open_database(db)) as database:
        return [summary.collection.name for summary in list_collections(database)]


def told(capsys: pytest.CaptureFixture[str], db: Path, *arguments: str) -> dict[str, Any]:
    assert main(["--db", str(db), "import", *arguments, "--name", "news", "--json"]) == 0
    printed: dict[str, Any] = json.loads(capsys.readouterr().out)
    return printed


def lines(capsys: pytest.CaptureFixture[str], db: Path, *arguments: str) -> list[str]:
    assert main(["--db", str(db), "import", *arguments, "--name", "news"]) == 0
    return capsys.readouterr().out.splitlines()


def refusal(capsys: pytest.CaptureFixture[str], db: Path, *arguments: str) -> str:
    assert main(["--db", str(db), "import", *arguments, "--name", "news"]) == 2
    said = capsys.readouterr()
    (line,) = said.err.splitlines()
    return line


def written(path: Path, content: bytes | str) -> str:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


@pytest.mark.parametrize("kind", list(WRITERS))
def test_every_kind_of_file_is_imported(
    capsys: pytest.CaptureFixture[str], db: Path, tmp_path: Path, kind: FileKind
) -> None:
    report = told(capsys, db, written(tmp_path / f"news{ENDINGS[kind]}", WRITERS[kind](ROWS)))
    assert (report["read"], report["kept"], report["understood"]["kind"]) == (2, 2, kind)
    assert {document.title for document in documents(db).values()} == {"Bridge opens", "River falls"}


def test_a_folder_of_documents_is_imported(capsys: pytest.CaptureFixture[str], db: Path, tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    written(folder / "one.txt", "Bridge opens\n\nThe bridge is open again.")
    written(folder / "two.md", "# River falls\n\nThe river is low.")
    written(folder / "table.csv", "title\nNo\n")
    report = told(capsys, db, str(folder))
    assert (report["read"], report["kept"], report["dropped"]) == (3, 2, 1)
    assert "table.csv is a table among documents" in report["problems"][-1]["reason"]
    assert len(documents(db)) == 2


def test_the_feed_at_an_address_is_imported(capsys: pytest.CaptureFixture[str], db: Path, site: str) -> None:
    assert told(capsys, db, site)["understood"]["kind"] == "feed"
    assert len(documents(db)) == 2


@pytest.fixture
def site() -> Iterator[str]:
    class Feed(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = rss_bytes(ROWS)
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Feed) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/feed"
        server.shutdown()


def test_sheet_encoding_and_delimiter_can_be_said(capsys: pytest.CaptureFixture[str], db: Path, tmp_path: Path) -> None:
    book = xlsx_bytes({"First": [["title"], ["One"]], "Second": [["title"], ["Two"], ["Three"]]})
    report = told(capsys, db, written(tmp_path / "book.xlsx", book), "--sheet", "Second", "--dry-run")
    assert (report["understood"]["sheet"], report["understood"]["rows"]) == ("Second", 2)
    path = written(tmp_path / "most.csv", "title|text\nМост|Он открыт\n".encode("cp1251"))
    told(capsys, db, path, "--encoding", "cp1251", "--delimiter", "bar")
    assert [document.title for document in documents(db).values()] == ["Мост"]


def test_a_dry_run_says_what_is_understood_and_stores_nothing(
    capsys: pytest.CaptureFixture[str], db: Path, tmp_path: Path
) -> None:
    rows = "headline,published,body,desk\nBridge,11.07.2021,<b>Open</b>,City\nRiver,soon,Low,\n"
    path = written(tmp_path / "news.csv", rows)
    said = lines(capsys, db, path, "--dry-run", "--day-first")
    assert said[0] == "csv, utf-8, separated by ','"
    assert "  title    headline: 2 rows, “Bridge”" in said
    assert "  further  desk" in said
    assert "HTML is left out of headlines and texts." in said
    assert "  1 cannot be read, such as “soon”." in said
    assert "news: 2 rows read, 2 documents kept, 1 without a date, 0 duplicates, 0 dropped." in said
    assert said[-1] == "Nothing is stored."
    facts = told(capsys, db, path, "--dry-run", "--day-first")
    assert (facts["stored"], facts["kept"], facts["understood"]["has_html"]) == (False, 2, True)
    assert names(db) == []


def test_a_dry_run_of_ambiguous_dates_shows_both_readings(
    capsys: pytest.CaptureFixture[str], db: Path, tmp_path: Path
) -> None:
    said = lines(capsys, db, written(tmp_path / "news.csv", "title,date\nOne,02/03/2021\n"), "--dry-run")
    assert "  02/03/2021 is 2 March 2021 or 3 February 2021" in said
    assert "  Nothing tells the day from the month: choose --day-first or --month-first." in said


def test_copies_are_counted(capsys: pytest.CaptureFixture[str], db: Path, tmp_path: Path) -> None:
    report = "The dyke at the ford broke in the night and the whole town was under water by six as the police said."
    rows = [{"title": "Flood", "text": report}, {"title": "Wet", "text": report}, {"title": "Fair", "text": "Opens."}]
    path = written(tmp_path / "news.csv", csv_bytes(rows))
    assert "2 documents are copies of each other, in 1 groups." in lines(capsys, db, path)


def test_a_column_of_vectors_is_used_and_can_be_left_alone(
    capsys: pytest.CaptureFixture[str], db: Path, tmp_path: Path
) -> None:
    rows = [{"title": f"Report {row}", "embedding": str(np.eye(10)[row].tolist())} for row in range(10)]
    path = written(tmp_path / "news.csv", csv_bytes(rows))
    facts = told(capsys, db, path)["understood"]["vectors"]
    assert facts == {"column": "embedding", "dimensions": 10, "rows": 10, "failed": 0}
    with contextlib.closing(open_database(db)) as database:
        vectors = load_vectors(database, "news")
    assert vectors is not None
    assert vectors.model == OWN_VECTORS
    assert told(capsys, db, path, "--vectors-column", "", "--dry-run")["understood"]["vectors"] is None


def test_an_update_prints_the_difference_and_applies_it(
    capsys: pytest.CaptureFixture[str], db: Path, tmp_path: Path
) -> None:
    told(capsys, db, written(tmp_path / "news.csv", csv_bytes(ROWS)))
    newer = written(tmp_path / "newer.csv", csv_bytes(NEWER))
    dry = told(capsys, db, newer, "--update", "--dry-run")
    assert dry["difference"] == {
        "new": ["a3"],
        "changed": [
            {
                "id": "a1",
                "fields": ["title"],
                "samples": [{"field": "title", "before": "Bridge opens", "after": "Bridge opens again"}],
            }
        ],
        "unchanged": 0,
        "absent": ["a2"],
        "embedded": 2,
        "staying": [],
        "brings_vectors": False,
    }
    assert set(documents(db)) == {"a1", "a2"}
    said = lines(capsys, db, newer, "--update")
    assert said[0] == "1 new, 1 changed, 0 unchanged, 1 not in the file; 2 texts to embed."
    assert said[1] == "  a1 title: “Bridge opens” → “Bridge opens again”"
    assert said[-1] == "1 added, 1 changed, 0 removed; 0 texts embedded, 0 placed on the map."
    assert set(documents(db)) == {"a1", "a2", "a3"}
    assert told(capsys, db, newer, "--update", "--remove-absent")["updated"]["n_removed"] == 1
    assert set(documents(db)) == {"a1", "a3"}


def test_an_update_says_what_stays_for_want_of_a_column(
    capsys: pytest.CaptureFixture[str], db: Path, tmp_path: Path
) -> None:
    told(capsys, db, written(tmp_path / "news.csv", csv_bytes(ROWS)))
    before = documents(db)["a1"]
    said = lines(capsys, db, written(tmp_path / "newer.csv", "id,title,text\na1,Corrected,It opens.\n"), "--update")
    assert said[1].startswith("Without a column in the file, and so left as stored: date")
    after = documents(db)["a1"]
    assert (after.title, after.text) == ("Corrected", "It opens.")
    assert (after.date_text, after.source, after.url, after.extras) == (
        before.date_text,
        before.source,
        before.url,
        before.extras,
    )
    assert after.date_text


def test_an_update_says_that_vectors_come(capsys: pytest.CaptureFixture[str], db: Path, tmp_path: Path) -> None:
    news = written(tmp_path / "news.csv", csv_bytes(ROWS))
    told(capsys, db, news)
    np.save(tmp_path / "own.npy", np.eye(2, 3, dtype=np.float32))
    said = lines(capsys, db, news, "--update", "--vectors", str(tmp_path / "own.npy"))
    assert said[1] == "The collection has no vectors yet; its documents get those of the file."
    assert said[-1] == "The collection had no vectors; its documents now have those of the file."
    with contextlib.closing(open_database(db)) as database:
        assert load_vectors(database, "news") is not None


def test_an_update_of_a_built_collection_places_what_is_new(
    capsys: pytest.CaptureFixture[str], db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_stages, "run_stage", FakeChild(fake_stage))
    rows = [{**ROW, "id": f"a{row}", "title": f"Report {row}", "date": f"2021-07-{row + 1:02}"} for row in range(12)]
    told(capsys, db, written(tmp_path / "news.csv", csv_bytes(rows)))
    with contextlib.closing(open_database(db)) as database:
        pipeline.build(database, "news")
    rows.append({**ROW, "id": "late", "title": "Report 12", "date": "2021-07-20"})
    updated = told(capsys, db, written(tmp_path / "newer.csv", csv_bytes(rows)), "--update")["updated"]
    assert (updated["n_new"], updated["n_embedded"], updated["n_placed"]) == (1, 1, 1)
    with contextlib.closing(open_database(db)) as database:
        assert load_placed(database, "news") == {"late"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--update"], "news"),
        (["--remove-absent"], "--remove-absent goes with --update"),
        (["--update", "--judgements", "x.jsonl"], "--judgements come with a new collection"),
        (["--encoding", "klingon"], "the encoding must be one that Python knows"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_nothing_is_stored(
    capsys: pytest.CaptureFixture[str], db: Path, tmp_path: Path, options: list[str], said: str
) -> None:
    path = written(tmp_path / "news.csv", csv_bytes(ROWS))
    sentence = refusal(capsys, db, path, *options)
    assert said in sentence
    assert sentence.endswith(".")
    assert names(db) == []


@pytest.mark.parametrize("option", [["--update"], ["--dry-run"], ["--sheet", "A"], ["--vectors-column", "v"]])
def test_an_export_takes_none_of_the_options_of_a_table(
    capsys: pytest.CaptureFixture[str], db: Path, tmp_path: Path, option: list[str]
) -> None:
    folder = tmp_path / "export"
    folder.mkdir()
    written(folder / "documents.csv", csv_bytes(ROWS))
    assert f"leave out {option[0]}." in refusal(capsys, db, str(folder), *option)
