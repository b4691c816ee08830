"""Documents that are handed over as files: one by one, several at once, the files of a folder."""

import pytest

from narrative_core.errors import Cancelled, InvalidInput
from narrative_core.ingest import file_table, sizes
from narrative_core.ingest.loose_files import read_loose_files
from narrative_core.ingest.source_kinds import recognise
from narrative_core.ingest.sources import read_source
from tests.ingest.file_samples import PROSE, docx, pdf

LETTER = "The bridge, old as it is\n\nIt was closed on Monday, the town said.\nNobody, it seems, knows why.\n"
LIST = "title,text\nBridge,It is closed.\nRiver,It is low.\n"


def test_files_are_rows_in_the_order_of_their_paths_without_the_folder_that_holds_all() -> None:
    files = [
        ("news/may/b.pdf", pdf(PROSE)), ("news/a.txt", PROSE.encode()), ("news/.DS_Store", b""),
        ("news/c.docx", docx(PROSE)), ("news/prices.csv", LIST.encode()), ("news/more.zip", b"PK\x03\x04"),
    ]  # fmt: skip
    table = read_loose_files(files, "news")
    assert table.kind == "files"
    assert table.values("id") == ("a.txt", "c.docx", "may/b.pdf")
    assert table.values("folder") == ("", "", "may")
    assert [problem.reason for problem in table.problems] == [
        "more.zip is an archive among the documents and is not opened: unpack it and import its files",
        "prices.csv is a table among documents: import it by itself",
    ]
    assert table.notices == ("1 hidden file was left out (.DS_Store).",)
    assert len(table.rows) + len(table.problems) + 1 == len(files)


def test_two_files_of_one_name_are_two_rows() -> None:
    table = read_loose_files([("a.txt", b"One text."), ("a.txt", b"Another text.")], "2 files")
    assert table.values("id") == ("a.txt", "a.txt")
    assert sorted(table.values("text")) == ["Another text.", "One text."]


def test_paths_are_labels() -> None:
    table = read_loose_files([("../../etc/passwd.txt", b"A text."), ("C:\\news\\b.txt", b"A text.")], "2 files")
    assert table.values("id") == ("etc/passwd.txt", "news/b.txt")


def test_what_is_too_large_or_too_much_is_refused_with_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    files = [(f"{number}.txt", b"Words. " * 10) for number in range(4)]
    monkeypatch.setattr(file_table, "MAX_FILES", 3)
    with pytest.raises(InvalidInput, match="at most 3 files can be read at a time; 4 files has 4"):
        read_loose_files(files, "4 files")
    monkeypatch.setattr(sizes, "MAX_BYTES", {**sizes.MAX_BYTES, "files": 200})
    with pytest.raises(InvalidInput, match="4 files has"):
        read_loose_files(files[:3], "4 files")
    monkeypatch.undo()
    monkeypatch.setattr(file_table, "MAX_FILE_BYTES", 50)
    with pytest.raises(InvalidInput, match=r"none of its 4 files can\. 0\.txt has"):
        read_loose_files(files, "4 files")


def test_reading_can_be_stopped() -> None:
    def stop(done: int, _: int) -> None:
        if done:
            raise Cancelled("The work was stopped.")

    with pytest.raises(Cancelled):
        read_loose_files([("a.txt", b"A text."), ("b.txt", b"A text.")], "2 files", progress=stop)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("letter.txt", LETTER.encode()),
        ("letter.txt", LETTER.encode("utf-16")),
        ("letter.md", b"# Bridge\n\nIt is closed."),
        ("letter.html", f"<!doctype html><html><body><article><p>{PROSE}</p></article></body></html>".encode()),
        ("letter.pdf", pdf(PROSE)),
        ("letter.docx", docx(PROSE)),
        ("letter.eml", b"Subject: Bridge\nDate: Mon, 5 Jul 2021 10:00:00 +0000\n\nIt is closed.\n"),
    ],
)
def test_a_single_document_is_read_as_one(name: str, data: bytes) -> None:
    table = read_source(data, name)
    assert (table.kind, table.values("id"), len(table.rows)) == ("files", (name,), 1)
    assert table.values("text")[0]


def test_a_text_with_columns_is_a_table_and_one_without_says_how_it_could_be_one() -> None:
    assert recognise(LIST.encode(), "list.txt").kind == "csv"
    assert read_source(LIST.encode(), "list.txt").columns == ("title", "text")
    assert recognise(b"title\nBridge\nRiver\n", "list.txt").kind == "files"
    (notice,) = read_source(b"title\nBridge\nRiver\n", "list.txt").notices
    assert "give the file the ending .csv" in notice
    table = read_source(b"title\nBridge\nRiver\n", "list.txt", delimiter=",")
    assert (table.kind, table.rows, table.notices) == ("csv", (("Bridge",), ("River",)), ())


def test_a_feed_is_a_feed_whatever_its_name() -> None:
    feed = b"<?xml version='1.0'?><rss><channel><item><title>Bridge</title></item></channel></rss>"
    assert recognise(feed, "news.html").kind == "feed"
