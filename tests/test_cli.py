import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from narrative_core import build_stages, pipeline, recordings
from narrative_core.__main__ import main
from narrative_core.build_stages import OWN_VECTORS
from narrative_core.bundle import ABOUT, FILES, RECORDING, write_documents
from narrative_core.extraction import tell
from narrative_core.intake import SHIPPED
from narrative_core.pipeline import load
from narrative_core.records import SavedStory, TrailRequest
from narrative_core.store.collections import list_collections, load_documents
from narrative_core.store.database import open_database
from narrative_core.store.judgements import list_judgements, save_judgements
from narrative_core.store.stories import save_story
from narrative_core.store.vectors import load_vectors
from tests.conductor_samples import FakeChild, documents_on_two_themes, fake_stage, save_documents
from tests.judgement_samples import answered, flow_judgement

ROOT = Path(__file__).parents[1]
PATIENCE_S = 60.0
NEWS = """headline,body,published,outlet,link,ref,section
Flood,The river is high.,2020-03-01,Courier,https://example.org/1,n1,City
Launch,The rocket is up.,2020-01-01,Radio,,n2,
Flood,The river is high.,2020-03-01,Courier,https://example.org/1,n1,City
Undated,The dyke holds.,soon,Courier,,n3,
,,2020-05-01,,,,
"""
AMBIGUOUS = "title,date\nFirst,02/12/2020\nSecond,03/11/2020\n"
HOLDER = """
import sys
from pathlib import Path
from narrative_core.store.database import open_database

database = open_database(Path(sys.argv[1]))
print("open", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "throughline.duckdb"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with the built collection "news" (d00 to d11, the last two undated) and the unbuilt one "olds"."""
    path = tmp_path_factory.mktemp("cli") / "throughline.duckdb"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build_stages, "run_stage", FakeChild(fake_stage))
        with contextlib.closing(open_database(path)) as database:
            save_documents(database, documents_on_two_themes(12, n_undated=2))
            save_documents(database, documents_on_two_themes(3), "olds")
            pipeline.build(database, "news")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "news.csv").write_text(NEWS, encoding="utf-8")
    (tmp_path / "ambiguous.csv").write_text(AMBIGUOUS, encoding="utf-8")
    (tmp_path / "picture.csv").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 8)
    (tmp_path / "header.csv").write_text("title,text\n", encoding="utf-8")
    (tmp_path / "list.jsonl").write_text("[1, 2]", encoding="utf-8")
    np.save(tmp_path / "four.npy", np.eye(4))
    np.save(tmp_path / "flat.npy", np.ones(5))
    return tmp_path


def run(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """The command line in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "narrative_core", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        check=False,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE_S,
    )


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """The object that a successful command prints."""
    assert main([*arguments, "--json"]) == 0
    printed: dict[str, Any] = json.loads(capsys.readouterr().out)
    return printed


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one sentence of a command that fails."""
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    return the_sentence(said.err)


def the_sentence(errors: str) -> str:
    (line,) = errors.splitlines()
    assert line.startswith("throughline: ")
    assert line.endswith(".")
    return line.removeprefix("throughline: ")


def names(db: Path) -> list[str]:
    with contextlib.closing(open_database(db)) as database:
        return [summary.collection.name for summary in list_collections(database)]


def test_a_journey_in_processes_of_their_own(db: Path, tmp_path: Path) -> None:
    write_documents(tmp_path / "three.csv", documents_on_two_themes(3))
    imported = run("import", str(tmp_path / "three.csv"), "--name", "Three", "--db", str(db))
    assert (imported.returncode, imported.stderr) == (0, "")
    assert imported.stdout == "Three: 3 rows read, 3 documents kept, 0 without a date, 0 duplicates, 0 dropped.\n"
    built = run("build", "Three", THROUGHLINE_DB=str(db))
    assert (built.returncode, built.stdout) == (0, "Three: 3 documents, 0 topics, 3 outliers.\n")
    assert built.stderr.splitlines() == ["embed …", "project …", "cluster …", "label …", "coherence …"]
    trail = run("--db", str(db), "trail", "Three", "d00", "d02", "--json")
    assert (trail.returncode, trail.stderr) == (0, "")
    documents = json.loads(trail.stdout)["documents"]
    assert (documents[0], documents[-1]) == ("d00", "d02")


def test_collections_lists_the_shipped_ones_and_the_persons_own(capsys: pytest.CaptureFixture[str], db: Path) -> None:
    with contextlib.closing(open_database(db)) as database:
        save_documents(database, documents_on_two_themes(3, n_undated=1))
    listed = {found["name"]: found for found in told(capsys, "--db", str(db), "collections")["collections"]}
    assert listed["news"] == {
        "name": "news",
        "title": "News",
        "documents": 3,
        "undated": 1,
        "first_date": "2019-01-01",
        "last_date": "2019-01-18",
        "state": "not built",
        "topics": 0,
        "outliers": 0,
    }
    assert {name for name, found in listed.items() if found["state"] == "built"} == set(SHIPPED)
    assert listed["presidents"] == {"name": "presidents", "state": "built in, not yet stored"}
    assert main(["collections", "--db", str(db)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sorted(line.split()[0] for line in lines) == sorted(listed)
    assert next(line for line in lines if line.startswith("news")).split()[1:] == [
        "3", "documents", "2019–2019", "not", "built",
    ]  # fmt: skip


def test_importing_a_csv_file_accounts_for_every_row(
    capsys: pytest.CaptureFixture[str], db: Path, folder: Path
) -> None:
    report = told(
        capsys, "import", str(folder / "news.csv"), "--name", "The News", "--db", str(db), "--document-id", "ref"
    )
    problems, understood = report.pop("problems"), report.pop("understood")
    assert (understood["kind"], understood["further_columns"]) == ("csv", ["section"])
    assert report == {
        "name": "The News",
        "read": 5,
        "kept": 3,
        "undated": 1,
        "duplicates": 1,
        "dropped": 1,
        "encoding": "utf-8",
        "delimiter": ",",
        "date_format": "YYYY-MM-DD",
        "columns": {
            "title": "headline",
            "text": "body",
            "date": "published",
            "source": "outlet",
            "url": "link",
            "document_id": "ref",
        },
        "copies": {"groups": 0, "documents": 0},
        "notices": [],
    }
    assert [problem["row"] for problem in problems] == [3, 4, 5]
    assert problems[0]["reason"] == "the same title, text, date, source, address and further columns as row 1; dropped"
    assert problems[1]["reason"].startswith('the date "soon" cannot be read')
    with contextlib.closing(open_database(db)) as database:
        documents = load_documents(database, "The News")
    assert [document.document_id for document in documents] == ["n2", "n1", "n3"]
    assert documents[1].extras == {"section": "City"}


def test_importing_prints_each_problem_on_a_line(capsys: pytest.CaptureFixture[str], db: Path, folder: Path) -> None:
    assert main(["import", str(folder / "news.csv"), "--name", "news", "--db", str(db)]) == 0
    first, *others = capsys.readouterr().out.splitlines()
    assert first == "news: 5 rows read, 3 documents kept, 1 without a date, 1 duplicates, 1 dropped."
    assert [line.split(":")[0] for line in others] == ["  row 3", "  row 4", "  row 5"]


def test_importing_json_lines(capsys: pytest.CaptureFixture[str], db: Path, tmp_path: Path) -> None:
    lines = ['{"title": "Ünder 桥", "date": "1961-04"}', '{"title": "Flood", "text": "High.", "date": "1960"}', "{"]
    (tmp_path / "news.jsonl").write_text("\n".join(lines), encoding="utf-8")
    report = told(capsys, "import", str(tmp_path / "news.jsonl"), "--name", "news", "--db", str(db))
    assert (report["read"], report["kept"], report["undated"], report["dropped"]) == (3, 2, 0, 1)
    assert report["problems"][0]["row"] == 3
    with contextlib.closing(open_database(db)) as database:
        assert [document.title for document in load_documents(database, "news")] == ["Flood", "Ünder 桥"]


def test_importing_with_vectors_keeps_them(capsys: pytest.CaptureFixture[str], db: Path, folder: Path) -> None:
    np.save(folder / "five.npy", np.eye(5) * 3)
    arguments = ["--name", "news", "--vectors", str(folder / "five.npy"), "--db", str(db)]
    told(capsys, "import", str(folder / "news.csv"), *arguments)
    with contextlib.closing(open_database(db)) as database:
        vectors = load_vectors(database, "news")
    assert vectors is not None
    assert vectors.model == OWN_VECTORS
    np.testing.assert_array_equal(vectors.values, np.eye(5)[[1, 0, 3]])


@pytest.mark.parametrize(
    ("file", "options", "said"),
    [
        ("missing.csv", (), r"/missing.csv: No such file or directory."),
        ("", (), "is a table among documents: import it by itself."),
        ("picture.csv", (), "picture.csv"),
        ("header.csv", (), "header.csv must have rows below the names of its columns; it has none."),
        ("list.jsonl", (), "list.jsonl must have rows that can be read; none of its 2 can. Row 1: a JSON number"),
        ("news.csv", ("--title", "nope"), "nope"),
        ("news.csv", ("--name", "spaceflight"), "“spaceflight” is the name of a built-in collection."),
        ("news.csv", ("--name", "taken"), "A collection named 'taken' exists already."),
        ("news.csv", ("--name", " "), "a collection needs a name"),
        ("news.csv", ("--vectors", "four.npy"), "got 4 rows for 5 data rows."),
        ("news.csv", ("--vectors", "flat.npy"), "of shape (5, dimensions); got shape (5,)."),
        ("news.csv", ("--vectors", "news.csv"), "this is another kind of file."),
        ("news.csv", ("--vectors", "missing.npy"), "/missing.npy: No such file or directory."),
        ("ambiguous.csv", (), "say whether the day or the month comes first."),
    ],
)
def test_a_file_that_cannot_be_imported_is_told_in_one_sentence_and_nothing_is_stored(
    capsys: pytest.CaptureFixture[str], folder: Path, file: str, options: tuple[str, ...], said: str
) -> None:
    db = folder / "throughline.duckdb"
    with contextlib.closing(open_database(db)) as database:
        save_documents(database, documents_on_two_themes(2), "taken")
    options = tuple(str(folder / option) if "." in option else option for option in options)
    sentence = refusal(capsys, "--db", str(db), "import", str(folder / file), "--name", "news", *options)
    assert said in sentence
    assert names(db) == ["taken"]


@pytest.mark.parametrize(
    ("order", "titles"), [("--day-first", ["Second", "First"]), ("--month-first", ["First", "Second"])]
)
def test_dates_that_can_be_read_either_way_are_read_as_chosen(
    capsys: pytest.CaptureFixture[str], db: Path, folder: Path, order: str, titles: list[str]
) -> None:
    arguments = ["import", str(folder / "ambiguous.csv"), "--name", "news", "--db", str(db)]
    refusal(capsys, *arguments)
    told(capsys, *arguments, order)
    with contextlib.closing(open_database(db)) as database:
        assert [document.title for document in load_documents(database, "news")] == titles


def test_building_tells_its_stages_on_standard_error_and_the_result_on_standard_output(
    capsys: pytest.CaptureFixture[str], db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_stages, "run_stage", FakeChild(fake_stage))
    with contextlib.closing(open_database(db)) as database:
        save_documents(database, documents_on_two_themes(12))
    assert main(["build", "news", "--db", str(db)]) == 0
    said = capsys.readouterr()
    assert said.out == "news: 12 documents, 2 topics, 0 outliers.\n"
    assert said.err.splitlines() == ["embed …", "project …", "cluster …", "label …", "coherence …"]
    facts = told(capsys, "build", "news", "--db", str(db))
    assert (facts["name"], facts["state"], facts["documents"], facts["topics"]) == ("news", "built", 12, 2)


def test_a_build_that_fails_ends_in_one_sentence(
    capsys: pytest.CaptureFixture[str], db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_stages, "run_stage", FakeChild(fake_stage, breaking="cluster"))
    with contextlib.closing(open_database(db)) as database:
        save_documents(database, documents_on_two_themes(12))
    assert main(["build", "news", "--db", str(db)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    *stages, last = said.err.splitlines(keepends=True)
    assert [stage.split()[0] for stage in stages] == ["embed", "project", "cluster"]
    assert the_sentence(last) == "The step cluster failed on purpose."
    assert "no collection named 'olds'" in refusal(capsys, "build", "olds", "--db", str(db))


def test_building_with_an_endpoint_that_is_not_there_is_one_sentence(
    capsys: pytest.CaptureFixture[str], db: Path
) -> None:
    with contextlib.closing(open_database(db)) as database:
        save_documents(database, documents_on_two_themes(2))
    assert main(["build", "news", "--db", str(db), "--model", "m", "--base-url", "nowhere"]) == 2
    said = capsys.readouterr()
    assert "must begin with http" in the_sentence(said.err.removeprefix("embed …\n"))
    with contextlib.closing(open_database(db)) as database:
        assert load_vectors(database, "news") is None


def test_a_trail_in_json_has_all_that_is_documented(capsys: pytest.CaptureFixture[str], built: Path) -> None:
    trail = told(capsys, "--db", str(built), "trail", "news", "d00", "d09")
    assert set(trail) >= {"documents", "bottleneck", "mean", "weakest_link", "baseline"}
    assert set(trail["weakest_link"]) == {"source", "target", "coherence"}
    assert set(trail["baseline"]) >= {"documents", "bottleneck", "mean", "beaten", "drawn"}
    with contextlib.closing(open_database(built)) as database:
        pair = tell(load(database, "news"), TrailRequest("d00", "d09"))
    assert trail["documents"] == [document.document_id for document in pair.trail.documents]
    assert (trail["documents"][0], trail["documents"][-1]) == ("d00", "d09")
    assert trail["bottleneck"] == trail["weakest_link"]["coherence"] == min(trail["strengths"]) == pair.trail.bottleneck
    assert trail["mean"] == pytest.approx(np.mean(trail["strengths"]))
    weakest = trail["strengths"].index(trail["bottleneck"])
    assert [trail["weakest_link"]["source"], trail["weakest_link"]["target"]] == trail["documents"][weakest:][:2]
    baseline = trail["baseline"]
    assert baseline["drawn"] == 200
    assert baseline["beaten"] == sum(drawn < trail["bottleneck"] for drawn in pair.draw_bottlenecks)
    assert baseline["documents"] == [document.document_id for document in pair.baseline.documents]
    assert (baseline["bottleneck"], baseline["mean"]) == (pair.baseline.bottleneck, pair.baseline.mean)


def test_a_trail_obeys_its_conditions(capsys: pytest.CaptureFixture[str], built: Path) -> None:
    ask = ("--db", str(built), "trail", "news", "d00", "d08")
    assert told(capsys, *ask)["documents"] == ["d00", "d08"]
    assert told(capsys, *ask, "--via", "d02")["documents"] == ["d00", "d02", "d08"]
    assert told(capsys, "--db", str(built), "trail", "news", "d08", "d00", "--any-order")["documents"][0] == "d08"
    ask = ("--db", str(built), "trail", "news", "d01", "d09")
    assert told(capsys, *ask)["documents"] == ["d01", "d03", "d09"]
    assert told(capsys, *ask, "--max-length", "2")["documents"] == ["d01", "d09"]
    assert "d03" not in told(capsys, *ask, "--avoid", "d03")["documents"]
    with contextlib.closing(open_database(built)) as database:
        loaded = load(database, "news")
    topic = int(loaded.landscape.nearest_topic[loaded.row_of["d03"]])
    without = told(capsys, *ask, "--avoid-topic", str(topic))["documents"][1:-1]
    assert all(loaded.landscape.nearest_topic[row] != topic for row in loaded.rows(without))


def test_a_story_made_by_hand_is_told_in_its_order_with_what_to_know_of_it(
    capsys: pytest.CaptureFixture[str], built: Path
) -> None:
    ask = ("--db", str(built), "trail", "news", "d00", "d09", "--story", "d00", "d05", "d02", "d09")
    story = told(capsys, *ask)
    assert story["documents"] == ["d00", "d05", "d02", "d09"]
    assert story["curve"] is None
    (warning,) = [warning for warning in story["warnings"] if warning["kind"] == "backwards"]
    assert warning["document_ids"] == ["d05", "d02"]
    assert main([*ask]) == 0
    printed = capsys.readouterr().out
    assert f"Note: {warning['sentence']}" in printed
    assert "Made by hand" in printed


def test_alternatives_are_told_when_they_are_asked_for(capsys: pytest.CaptureFixture[str], built: Path) -> None:
    ask = ("--db", str(built), "trail", "news", "d01", "d09")
    trail = told(capsys, *ask)
    assert "alternatives" not in trail
    assert trail["documents"] == ["d01", "d03", "d09"]
    others = told(capsys, *ask, "--alternatives", "2")["alternatives"]
    assert 1 <= len(others) <= 2
    assert others[0]["avoid"] == ["d03"]
    assert "d03" not in others[0]["documents"]
    assert others[0]["bottleneck"] == min(others[0]["strengths"]) <= trail["bottleneck"]
    assert main([*ask, "--alternatives", "9"]) == 0
    printed = capsys.readouterr().out
    assert "Alternative 1, weakest link" in printed
    assert "No further trail is left" in printed


def test_a_trail_in_words_shows_each_document_with_its_date(capsys: pytest.CaptureFixture[str], built: Path) -> None:
    documents = told(capsys, "--db", str(built), "trail", "news", "d00", "d09")["documents"]
    assert main(["--db", str(built), "trail", "news", "d00", "d09"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line[-4:-1] for line in lines if line.endswith("]")] == documents
    assert "1 January 2019  Report 0 on the" in lines[0]
    assert sum("│" in line for line in lines) == len(documents) - 1
    assert "random chronologies" in lines[-1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("news", "d00", "nope"), "The collection News has no document “nope”."),
        (("news", "d00", "d00"), "Both ends are the same document, “Report 0 on the"),
        (("news", "d09", "d00"), "and a trail runs forward in time."),
        (("news", "d00", "d11"), "has no date, so no place in a chronology."),
        (("news", "d00", "d09", "--max-gap", "1"), "“Report 0 on the"),
        (
            ("news", "d00", "d09", "--avoid", "d09"),
            "is an end or a pin of the trail and also among the documents to avoid.",
        ),
        (("news", "d00", "d09", "--via", "nope"), "no document “nope”."),
        (("news", "d00", "d09", "--avoid-source", "Nobody"), "has no source “Nobody”"),
        (("news", "d00", "d09", "--avoid-topic", "99"), "has no topic 99. Choose one from 0 to"),
        (("news", "d00", "d09", "--story", "d00", "d01"), "Give it its own ends."),
        (("olds", "d00", "d01"), "The collection Olds has no landscape yet. Build it first."),
        (("nope", "d00", "d01"), "There is no collection named 'nope'. The collections are: news, olds."),
    ],
)
def test_a_trail_that_cannot_be_told_is_one_sentence(
    capsys: pytest.CaptureFixture[str], built: Path, arguments: tuple[str, ...], said: str
) -> None:
    assert said in refusal(capsys, "--db", str(built), "trail", *arguments)
    assert said in refusal(capsys, "--db", str(built), "trail", *arguments, "--json")


def test_what_is_exported_can_be_imported_again_and_tells_the_same_trail(
    capsys: pytest.CaptureFixture[str], built: Path, db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "deep" / "export"
    exported = told(capsys, "--db", str(built), "export", "news", str(folder))
    assert exported == {"name": "news", "folder": str(folder), "documents": 12, "stories": 0}
    assert {path.name for path in folder.iterdir()} - {"copies.json"} == {*FILES, ABOUT, "projections.npy"}

    vectors = ("--vectors", str(folder / "vectors.npy"))
    report = told(capsys, "--db", str(db), "import", str(folder / "documents.csv"), "--name", "again", *vectors)
    assert (report["read"], report["kept"], report["undated"]) == (12, 12, 2)
    child = FakeChild(fake_stage)
    monkeypatch.setattr(build_stages, "run_stage", child)
    told(capsys, "--db", str(db), "build", "again")
    assert "embed" not in child.stages
    first, second = (
        told(capsys, "--db", str(path), "trail", name, "d00", "d09")["documents"]
        for path, name in ((built, "news"), (db, "again"))
    )
    assert first == second
    with contextlib.closing(open_database(db)) as database:
        again = load_documents(database, "again")
    assert again == documents_on_two_themes(12, n_undated=2)


def test_saved_stories_are_exported_beside_the_documents(
    capsys: pytest.CaptureFixture[str], db: Path, tmp_path: Path, built: Path
) -> None:
    db.write_bytes(built.read_bytes())
    with contextlib.closing(open_database(db)) as database:
        loaded = load(database, "news")
        pair = tell(loaded, TrailRequest("d00", "d09"))
        moment = "2024-03-01T12:00:00+00:00"
        save_story(database, SavedStory("s1", "Nine", "", "news", loaded.landscape.landscape_id, moment, pair))
    assert main(["--db", str(db), "export", "news", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().out == f"news: 12 documents and 1 stories written to {tmp_path / 'out'}.\n"
    story = json.loads((tmp_path / "out" / "stories" / "s1.json").read_text(encoding="utf-8"))
    assert "Nine" in json.dumps(story)


def test_judgements_are_exported_with_their_collection_and_come_back_with_an_import(
    capsys: pytest.CaptureFixture[str], db: Path, tmp_path: Path, built: Path
) -> None:
    db.write_bytes(built.read_bytes())
    with contextlib.closing(open_database(db)) as database:
        save_judgements(database, "news", [answered(0), answered(1), flow_judgement()])
        before = repr(list_judgements(database, "news"))
    folder = tmp_path / "out"
    told(capsys, "--db", str(db), "export", "news", str(folder))
    assert {path.name for path in folder.iterdir()} - {"copies.json"} == {*FILES, ABOUT, RECORDING, "projections.npy"}
    recording = (folder / RECORDING).read_bytes()

    importing = ("import", str(folder / "documents.csv"), "--judgements", str(folder / RECORDING), "--name")
    report = told(capsys, "--db", str(db), *importing, "again")
    assert report["judgements"] == {"read": 3, "kept": 3, "known": 0, "skipped": 0, "problems": []}
    with contextlib.closing(open_database(db)) as database:
        assert repr(list_judgements(database, "again")) == before
    told(capsys, "--db", str(db), "export", "again", str(tmp_path / "second"))
    assert (tmp_path / "second" / RECORDING).read_bytes() == recording

    (folder / RECORDING).write_bytes(b"nonsense\n" + recording)
    assert main(["--db", str(db), *importing, "third"]) == 0
    said = capsys.readouterr().out
    assert "3 judgements kept of 4 lines, 1 skipped.\n  line 1: is not a JSON object in UTF-8\n" in said


def test_an_exported_folder_comes_back_whole_and_tells_the_same_story(
    capsys: pytest.CaptureFixture[str], db: Path, tmp_path: Path, built: Path
) -> None:
    db.write_bytes(built.read_bytes())
    with contextlib.closing(open_database(db)) as database:
        save_judgements(database, "news", [answered(0), flow_judgement()])
    folder, other = str(tmp_path / "out"), str(tmp_path / "other.duckdb")
    told(capsys, "--db", str(db), "export", "news", folder)
    report = told(capsys, "--db", other, "import", folder, "--name", "copy")
    assert (report["name"], report["read"], report["kept"], report["undated"]) == ("copy", 12, 12, 2)
    assert (report["judgements"]["kept"], report["state"]) == (2, "built")
    first, second = (
        told(capsys, "--db", path, "trail", name, "d00", "d09") for path, name in ((str(db), "news"), (other, "copy"))
    )
    assert json.dumps(second) == json.dumps(first)
    told(capsys, "--db", other, "export", "copy", str(tmp_path / "second"))
    for path in (tmp_path / "out").iterdir():
        assert (tmp_path / "second" / path.name).read_bytes() == path.read_bytes()


def test_importing_a_folder_says_what_came_with_it(
    capsys: pytest.CaptureFixture[str], db: Path, tmp_path: Path, built: Path
) -> None:
    for name, last in (("news", "The landscape came with it."), ("olds", "Build it with: python -m narrative_core")):
        told(capsys, "--db", str(built), "export", name, str(tmp_path / name))
        assert main(["--db", str(db), "import", str(tmp_path / name), "--name", f"{name} again"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[0].startswith(f"{name} again: ")
        assert "0 judgements kept of 0 lines, 0 skipped." in lines
        assert lines[-1].startswith(last)


def test_a_folder_can_be_given_another_title_and_noun(
    capsys: pytest.CaptureFixture[str], db: Path, tmp_path: Path, built: Path
) -> None:
    told(capsys, "--db", str(built), "export", "olds", str(tmp_path / "out"))
    told(capsys, "--db", str(db), "import", str(tmp_path / "out"), "--name", "same")
    options = ("--title", "The copy", "--noun", "documents")
    told(capsys, "--db", str(db), "import", str(tmp_path / "out"), "--name", "other", *options)
    with contextlib.closing(open_database(db)) as database:
        found = [summary.collection for summary in list_collections(database)]
    assert [(one.name, one.title, one.noun) for one in found] == [
        ("other", "The copy", "documents"),
        ("same", "Olds", "reports"),
    ]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--vectors", "v.npy"), "leave out --vectors."),
        (("--judgements", "j.jsonl", "--text", "body"), "leave out --text and --judgements."),
        (("--document-id", "ref"), "leave out --document-id."),
        (("--day-first",), "leave out --day-first."),
        (("--month-first",), "leave out --month-first."),
        (("--name", " "), "a collection needs a name"),
        (("--name", "toy"), "“toy” is the name of a built-in collection."),
    ],
)
def test_what_makes_no_sense_with_a_folder_is_refused(
    capsys: pytest.CaptureFixture[str], db: Path, tmp_path: Path, built: Path, *, options: tuple[str, ...], said: str
) -> None:
    told(capsys, "--db", str(built), "export", "olds", str(tmp_path / "out"))
    importing = ("--db", str(db), "import", str(tmp_path / "out"), "--name", "copy", *options)
    assert said in refusal(capsys, *importing)
    assert names(db) == []


def test_a_damaged_folder_is_refused_in_one_sentence_and_nothing_is_stored(
    capsys: pytest.CaptureFixture[str], db: Path, tmp_path: Path, built: Path
) -> None:
    told(capsys, "--db", str(built), "export", "news", str(tmp_path / "out"))
    (tmp_path / "out" / "landscape.json").write_text("{}")
    sentence = refusal(capsys, "--db", str(db), "import", str(tmp_path / "out"), "--name", "copy")
    assert sentence == "out/landscape.json: “model” must be a text; it is missing. Export the collection again."
    assert names(db) == []


def test_an_import_whose_recording_is_missing_or_too_large_stores_nothing(
    capsys: pytest.CaptureFixture[str], db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, recording = tmp_path / "news.csv", tmp_path / "recording.jsonl"
    table.write_text("title,text\nOne,A text.\n")
    importing = ("--db", str(db), "import", str(table), "--name", "news", "--judgements", str(recording))
    assert "recording.jsonl" in refusal(capsys, *importing)
    recording.write_text("\n" * 3)
    monkeypatch.setattr(recordings, "MOST_LINES", 2)
    assert "at most 2 lines" in refusal(capsys, *importing)
    with contextlib.closing(open_database(db)) as database:
        assert list_collections(database) == ()


def test_an_unbuilt_collection_is_exported_without_a_landscape(
    capsys: pytest.CaptureFixture[str], built: Path, tmp_path: Path
) -> None:
    told(capsys, "--db", str(built), "export", "olds", str(tmp_path / "out"))
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"documents.csv", ABOUT}


def test_a_shipped_collection_is_exported_from_a_new_database(
    capsys: pytest.CaptureFixture[str], db: Path, tmp_path: Path
) -> None:
    told(capsys, "--db", str(db), "export", SHIPPED[0], str(tmp_path / "out"))
    assert {path.name for path in (tmp_path / "out").iterdir()} == {*FILES, ABOUT, RECORDING, "copies.json"}


def test_an_export_that_fails_is_one_sentence_and_writes_nothing(
    capsys: pytest.CaptureFixture[str], built: Path, tmp_path: Path
) -> None:
    assert "no collection named 'nope'" in refusal(capsys, "--db", str(built), "export", "nope", str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()
    (tmp_path / "file").write_text("mine")
    assert "file is a file." in refusal(capsys, "--db", str(built), "export", "news", str(tmp_path / "file"))
    assert (tmp_path / "file").read_text() == "mine"


def test_an_export_does_not_replace_what_no_export_wrote(
    capsys: pytest.CaptureFixture[str], built: Path, tmp_path: Path
) -> None:
    (tmp_path / "photos.zip").write_bytes(b"PK mine")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "documents.csv").write_text("title\nMine\n")
    for name, said in (("photos.zip", "is no project file"), ("own", "has files (documents.csv)")):
        assert said in refusal(capsys, "--db", str(built), "export", "news", str(tmp_path / name))
    assert (tmp_path / "photos.zip").read_bytes() == b"PK mine"
    assert [path.read_text() for path in (tmp_path / "own").iterdir()] == ["title\nMine\n"]


def test_texts_changed_in_a_folder_go_into_its_collection_by_an_update(
    capsys: pytest.CaptureFixture[str], db: Path, tmp_path: Path, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db.write_bytes(built.read_bytes())
    told(capsys, "--db", str(db), "export", "news", str(tmp_path / "out"))
    table = tmp_path / "out" / "documents.csv"
    first = documents_on_two_themes(12, n_undated=2)[0]
    table.write_bytes(table.read_bytes().replace(first.text.encode(), b"A text of its own.", 1))
    assert "out has 1 of 12 titles or texts changed since the export" in refusal(
        capsys, "--db", str(db), "import", str(tmp_path / "out"), "--name", "copy"
    )
    monkeypatch.setattr(build_stages, "run_stage", FakeChild(fake_stage))
    report = told(capsys, "--db", str(db), "import", str(table), "--name", "news", "--update")
    assert (report["updated"]["n_changed"], report["updated"]["n_embedded"], report["updated"]["n_placed"]) == (1, 1, 1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "the following arguments are required: COMMAND"),
        (("dance",), "invalid choice: 'dance'"),
        (("import", "news.csv"), "the following arguments are required: --name"),
        (
            ("import", "news.csv", "--name", "n", "--day-first", "--month-first"),
            "not allowed with argument --day-first",
        ),
        (("trail", "news", "d00"), "the following arguments are required: TARGET_ID"),
        (("trail", "news", "a", "b", "--max-gap", "long"), "invalid int value: 'long'"),
        (("build", "news", "--fast"), "unrecognized arguments: --fast"),
    ],
)
def test_wrong_arguments_are_told_in_one_sentence(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    with pytest.raises(SystemExit) as ending:
        main(arguments)
    assert ending.value.code == 2
    told = capsys.readouterr()
    assert told.out == ""
    sentence = the_sentence(told.err)
    assert said in sentence
    assert sentence.endswith("see python -m narrative_core --help.")


def test_a_database_that_another_process_holds_is_told_with_its_number(
    capsys: pytest.CaptureFixture[str], db: Path
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(db)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        sentence = refusal(capsys, "--db", str(db), "collections")
        held = run("collections", "--db", str(db))
        assert holder.stdin is not None
        holder.stdin.close()
    assert f"{db} is open in another process (PID {holder.pid})." in sentence
    assert (held.returncode, held.stdout) == (2, "")
    assert the_sentence(held.stderr) == sentence


def test_a_database_of_a_newer_version_is_told_in_one_sentence(capsys: pytest.CaptureFixture[str], db: Path) -> None:
    with contextlib.closing(open_database(db)) as database, database.transaction() as cursor:
        cursor.execute("INSERT INTO schema_migrations VALUES (999, 'm999_future', '')")
    assert "was written by a newer version of Throughline (schema 999" in refusal(
        capsys, "collections", "--db", str(db)
    )


@pytest.mark.parametrize("suffix", ["csv", "json", "parquet", "duckdb", "txt"])
def test_a_file_that_is_no_database_is_told_in_one_sentence_and_left_alone(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"news.{suffix}"
    path.write_text(NEWS, encoding="utf-8")
    assert f"The file {path} is not a DuckDB database." in refusal(capsys, "collections", "--db", str(path))
    assert [entry.read_text(encoding="utf-8") for entry in tmp_path.iterdir()] == [NEWS]


def test_what_is_printed_is_utf_8_whatever_the_terminal(built: Path) -> None:
    printed = run("--db", str(built), "trail", "news", "d00", "d09", PYTHONIOENCODING="ascii")
    assert (printed.returncode, printed.stderr) == (0, "")
    assert "│" in printed.stdout
    refused = run("--db", str(built), "trail", "news", "d00", "nope", PYTHONIOENCODING="ascii")
    assert "“nope”" in the_sentence(refused.stderr)


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX")
def test_a_build_that_a_person_interrupts_ends_in_one_sentence(db: Path) -> None:
    with contextlib.closing(open_database(db)) as database:
        save_documents(database, documents_on_two_themes(6))
    with subprocess.Popen(
        [sys.executable, "-m", "narrative_core", "build", "news", "--db", str(db)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "embed …\n"
        process.send_signal(signal.SIGINT)
        printed, said = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, printed) == (130, "")
    assert the_sentence(said) == "stopped; what was finished is kept."


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        main(["--help"])
    assert ending.value.code == 0
    told = capsys.readouterr().out
    assert all(command in told for command in ("collections", "import", "build", "trail", "export"))


def test_a_project_file_is_recognised_and_brings_everything_back(
    capsys: pytest.CaptureFixture[str], db: Path, tmp_path: Path
) -> None:
    assert main(["--db", str(db), "export", "toy", str(tmp_path / "toy.zip")]) == 0
    assert "12 documents and 0 stories written to" in capsys.readouterr().out
    assert main(["--db", str(db), "import", str(tmp_path / "toy.zip"), "--name", "again"]) == 0
    assert "The landscape came with it." in capsys.readouterr().out
    assert main(["--db", str(db), "import", str(tmp_path / "toy.zip"), "--name", "toy"]) == 2
    assert "such as “toy-2”." in capsys.readouterr().err
    before = (tmp_path / "toy.zip").read_bytes()
    assert main(["--db", str(db), "export", "toy", str(tmp_path / "toy.zip")]) == 0
    assert (tmp_path / "toy.zip").read_bytes() == before
    capsys.readouterr()
    assert main(["--db", str(db), "import", str(tmp_path / "toy.zip"), "--name", "b", "--noun", "letters"]) == 2
    assert "leave out --noun" in capsys.readouterr().err


def test_health_is_told_in_lines_and_as_json(capsys: pytest.CaptureFixture[str], built: Path) -> None:
    assert main(["--db", str(built), "health"]) == 0
    assert "✓ Database: " in capsys.readouterr().out
    assert main(["--db", str(built), "health", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {"checks", "collections", "versions"} == set(told)
    assert "judged" not in told["collections"][0]
