import csv
from pathlib import Path

import pytest

from narrative_core.errors import InvalidInput
from narrative_core.ingest import builtin
from narrative_core.ingest.builtin import BUILTIN, DATA_FOLDER, builtin_documents

FILES = sorted(DATA_FOLDER.glob("*/documents.csv"))


def test_there_are_three_collections_each_described() -> None:
    assert [collection.name for collection in BUILTIN] == ["spaceflight", "presidents", "toy"]
    for collection in BUILTIN:
        assert all([collection.title, collection.noun, collection.description, collection.origin, collection.licence])


def test_the_presidents_report_accounts_for_every_passage() -> None:
    documents, report = builtin_documents("presidents")
    assert report.read == report.kept == len(documents)
    assert (report.undated, report.duplicates, report.dropped, report.problems) == (0, 0, 0, ())


def test_the_toy_is_twelve_dated_documents_of_which_some_share_a_day() -> None:
    documents, report = builtin_documents("toy")
    assert [document.document_id for document in documents] == [f"t{i:02d}" for i in range(1, 13)]
    assert (report.kept, report.undated) == (12, 0)
    assert len({document.date for document in documents}) == 10


@pytest.mark.parametrize("path", FILES, ids=[path.parent.name for path in FILES])
def test_every_file_of_the_data_folder_loads_without_a_problem(path: Path) -> None:
    with path.open(encoding="utf-8", newline="") as file:
        assert next(csv.reader(file)) == ["id", "title", "date", "text", "source", "url"]
    documents, report = builtin_documents(path.parent.name)
    assert report.problems == ()
    assert report.read == report.kept == len(documents) > 0
    assert report.undated == 0
    assert all(document.title and document.text for document in documents)


def test_an_unknown_collection_is_refused_naming_the_known_ones() -> None:
    with pytest.raises(InvalidInput, match="spaceflight, presidents, toy"):
        builtin_documents("../secrets")


def test_a_missing_file_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builtin, "DATA_FOLDER", tmp_path)
    with pytest.raises(InvalidInput, match=r"data/toy/documents\.csv cannot be read"):
        builtin_documents("toy")
