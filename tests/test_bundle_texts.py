"""A folder whose texts were changed since the export is not shown with the vectors of the former ones."""

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

from narrative_core.bundle import write_bundle
from narrative_core.bundle_texts import EMBEDDED, embedded_csv
from narrative_core.errors import InvalidInput
from narrative_core.intake import import_bundle
from narrative_core.records import Collection, Document
from narrative_core.store.collections import list_collections, load_documents
from narrative_core.store.database import Database, open_database
from tests.test_bundle import DOCUMENTS, ODD_TEXT, landscape, vectors

COLLECTION = Collection("first", "The first")


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with contextlib.closing(open_database(tmp_path / "throughline.duckdb")) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_bundle(tmp_path / "out", DOCUMENTS, vectors(), landscape(), collection=COLLECTION)
    return tmp_path / "out"


def rewrite(folder: Path, old: str, new: str) -> None:
    """Put one text of documents.csv in place of another."""
    text = (folder / "documents.csv").read_bytes().decode()
    assert text.count(old) == 1
    (folder / "documents.csv").write_bytes(text.replace(old, new).encode())


def test_each_document_has_the_hash_of_its_title_and_text() -> None:
    document = Document("a", "Ford", "opens")
    # printf 'Ford\nopens' | sha256sum
    expected = "ef4e0b0aa41828f435fc89565cb477cc76f3fcbb4090da5413ffc606fc652b56"
    assert embedded_csv([document]) == f"id,text_sha256\r\na,{expected}\r\n"


@given(title=ODD_TEXT, text=ODD_TEXT)
def test_what_cleaning_leaves_out_makes_no_other_text(title: str, text: str) -> None:
    assert embedded_csv([Document("a", f" {title}\x00", f"{text}\r\n")]) == embedded_csv([Document("a", title, text)])


@pytest.mark.parametrize("with_landscape", [True, False])
def test_changed_texts_are_counted_and_nothing_is_stored(
    database: Database, tmp_path: Path, *, with_landscape: bool
) -> None:
    folder = tmp_path / "other"
    write_bundle(folder, DOCUMENTS, vectors(), landscape() if with_landscape else None, collection=COLLECTION)
    rewrite(folder, "A ford.", "A ferry.")
    rewrite(folder, "Undated", "Without a date")
    with pytest.raises(InvalidInput) as refusal:
        import_bundle(database, "copy", folder)
    assert str(refusal.value) == (
        "other has 2 of 4 titles or texts changed since the export (the first is “a”), and its vectors and map are of "
        "the former ones. Import its documents.csv itself: with --update where the collection is, or as a new "
        "collection that is then built."
    )
    assert list_collections(database) == ()


def test_what_is_not_embedded_may_be_changed(database: Database, folder: Path) -> None:
    rewrite(folder, "Courier", "The Courier")
    import_bundle(database, "copy", folder)
    assert load_documents(database, "copy")[0].source == "The Courier"


def test_a_folder_of_an_earlier_version_opens_as_before(database: Database, folder: Path) -> None:
    (folder / EMBEDDED).unlink()
    rewrite(folder, "A ford.", "A ferry.")
    import_bundle(database, "copy", folder)
    assert load_documents(database, "copy")[0].text == "A ferry."


def test_without_vectors_every_text_may_be_changed(database: Database, tmp_path: Path) -> None:
    write_bundle(tmp_path / "plain", DOCUMENTS, None, None, collection=COLLECTION)
    rewrite(tmp_path / "plain", "A ford.", "A ferry.")
    import_bundle(database, "copy", tmp_path / "plain")
    assert load_documents(database, "copy")[0].text == "A ferry."


def test_rows_in_another_order_are_refused_also_without_a_landscape(database: Database, tmp_path: Path) -> None:
    documents = [replace(DOCUMENTS[0], document_id=letter, title=letter) for letter in "ab"]
    write_bundle(tmp_path / "out", documents, vectors(2), None, collection=COLLECTION)
    lines = (tmp_path / "out" / "documents.csv").read_bytes().splitlines(keepends=True)
    (tmp_path / "out" / "documents.csv").write_bytes(b"".join([lines[0], *lines[:0:-1]]))
    with pytest.raises(InvalidInput, match=r"out/embedded\.csv do not have the rows of documents\.csv"):
        import_bundle(database, "copy", tmp_path / "out")
