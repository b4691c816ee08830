"""The command ``search``."""

import json
from pathlib import Path

import pytest

from narrative_core.__main__ import main
from narrative_core.curation import Curation
from narrative_core.records import Collection, LoadReport
from narrative_core.store.collections import save_collection
from narrative_core.store.curations import save_curation
from narrative_core.store.database import open_database
from tests.search_samples import document


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """A database with the unbuilt collection "news" of four documents, one of them excluded."""
    path = tmp_path / "throughline.duckdb"
    database = open_database(path)
    documents = (
        document("a", "Moon landing", "They reached the moon."),
        document("b", "The harbour", "A ship, and the moon above it."),
        document("c", "Election", "Ballots."),
        document("d", "Moon dust", "Excluded."),
    )
    save_collection(database, Collection("news", "News"), documents, LoadReport(4, 4, 4, 0, 0))
    save_curation(database, "news", Curation(excluded=frozenset("d")))
    database.close()
    return path


def run(db: Path, *arguments: str) -> int:
    return main(["--db", str(db), "search", *arguments])


def test_documents_are_printed_best_first_and_excluded_ones_are_not(
    db: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(db, "news", "moon") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.rsplit("[", 1)[1] for line in lines if line.endswith("]")] == ["a]", "b]"]
    assert lines[-1] == "2 of 2 documents found."


def test_one_json_object_has_the_hits_with_the_places_of_the_words(
    db: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(db, "news", "moon", "--json", "--limit", "1") == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["found"], facts["has_all_words"], len(facts["hits"])) == (2, True, 1)
    (hit,) = facts["hits"]
    assert (hit["document_id"], hit["title_spans"], hit["date"]) == ("a", [[0, 4]], None)
    assert [hit["snippet"][first:last] for first, last in hit["snippet_spans"]] == ["moon"]


def test_some_of_the_words_are_said_to_be_some(db: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(db, "news", "ballots moon") == 0
    assert capsys.readouterr().out.startswith("No document has all of these words")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere", "moon"), "nowhere"),
        (("news", "  "), "Nothing to search for"),
        (("news", "moon", "--limit", "0"), "--limit must be at least 1"),
    ],
)
def test_what_cannot_be_searched_is_one_sentence_and_status_2(
    db: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    assert run(db, *arguments) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
