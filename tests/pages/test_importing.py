"""Importing on the page Collections: every format, what was understood of it, the report, updates."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO

import numpy as np
import pytest
from numpy.typing import NDArray
from streamlit.testing.v1 import AppTest

from narrative_core import import_jobs
from narrative_core.import_jobs import read_source
from narrative_core.ingest import sizes
from narrative_core.ingest.source_kinds import FileKind
from narrative_core.ingest.tables import RawTable
from narrative_core.project_file import write_project
from narrative_core.records import Progress
from narrative_core.store.collections import load_documents
from narrative_core.store.database import Database
from narrative_core.store.vectors import load_vectors
from narrative_core.ui import imports_work, resources
from tests.conductor_samples import FakeChild
from tests.ingest.file_samples import PROSE, zipped
from tests.ingest.source_samples import ENDINGS, ROW, WRITERS, csv_bytes, rss_bytes, xlsx_bytes
from tests.pages.import_samples import (
    N_ROWS,
    NEWS,
    field,
    finished_build,
    import_news,
    npy,
    press,
    select,
    settled,
    upload,
)
from tests.pages.screen import COLLECTIONS, html_pieces, keys, open_page, steps, unescaped, words

ROWS = [ROW, {**ROW, "id": "a2", "title": "River falls", "text": "The river is low.", "date": "2021-07-12"}]
ARABIC = "title,text\n" + "".join(
    f"افتتاح الجسر رقم {row},أعلنت البلدية أن الجسر الجديد فوق النهر فُتح أمام السكان صباح اليوم\n" for row in range(5)
)


def page() -> AppTest:
    return open_page(COLLECTIONS)


def columns(screen: AppTest) -> list[str]:
    return [select(screen, label).value for label in ("Headline", "Date", "Text", "Source")]


def stored(name: str) -> bool:
    return resources.summary(name) is not None


def test_a_file_is_understood_before_anything_is_stored() -> None:
    screen = upload(page(), NEWS)
    assert "News of 2021.csv: 12 rows, 3 columns, encoding utf-8, separated by semicolons." in words(screen)
    assert columns(screen) == ["headline", "when", "body", "(none)"]
    (preview,) = [piece for piece in html_pieces(screen) if "As they will look" in piece]
    assert [f"Report {row} on the" in preview for row in range(4)] == [True, True, True, False]
    assert "1 March 2021" in preview
    assert field(screen, "Name of the collection").value == "News of 2021"
    assert field(screen, "What are its documents?").value == "documents"
    assert not stored("news-of-2021")


@pytest.mark.parametrize("kind", [kind for kind in WRITERS if kind != "csv"])
def test_every_kind_of_file_is_understood_and_stored(database: Database, kind: FileKind) -> None:
    screen = upload(page(), WRITERS[kind](ROWS), f"News{ENDINGS[kind]}")
    assert [*screen.error, *screen.exception] == []
    assert "News" + ENDINGS[kind] in words(screen)
    if kind == "feed":
        assert "The feed is “Courier”." in words(screen)
    press(screen, "import-go")
    assert "“News” is stored" in words(screen)
    assert {document.title for document in load_documents(database, "news")} == {"Bridge opens", "River falls"}


def test_another_sheet_of_a_workbook_can_be_read(database: Database) -> None:
    book = xlsx_bytes(
        {
            "First": [["title", "text"], ["One", "a b"]],
            "Second": [["Headline", "Story"], ["Two", "c d"], ["Three", "e"]],
        }
    )
    screen = upload(page(), book, "book.xlsx")
    assert "book.xlsx: 1 row, 2 columns, sheet “First”." in words(screen)
    settled(select(screen, "Sheet").set_value("Second").run())
    assert "book.xlsx: 2 rows, 2 columns, sheet “Second”." in words(screen)
    assert select(screen, "Headline").value == "Headline"
    press(screen, "import-go")
    assert [document.title for document in load_documents(database, "book")] == ["Two", "Three"]


def test_the_encoding_and_the_delimiter_can_be_put_right(database: Database) -> None:
    screen = upload(page(), "title|text\nМост|Он открыт\n".encode("cp1251"), "most.csv")
    settled(select(screen, "Encoding").set_value("cp1251").run())
    settled(select(screen, "Columns separated by").set_value("|").run())
    assert "encoding cp1251, separated by bars" in words(screen)
    press(screen, "import-go")
    assert load_documents(database, "most")[0].title == "Мост"


def test_a_file_that_is_read_wrongly_can_still_be_read_otherwise() -> None:
    screen = upload(page(), NEWS)
    settled(select(screen, "Encoding").set_value("utf-16").run())
    assert len(screen.error) == 1
    settled(select(screen, "Encoding").set_value("as found").run())
    assert list(screen.error) == []
    assert columns(screen)[0] == "headline"


class Feed(BaseHTTPRequestHandler):
    """Serves a feed, and a page that is none."""

    def do_GET(self) -> None:
        body = rss_bytes(ROWS) if self.path == "/feed" else b"<!doctype html><p>No feed"
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Feed) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def ask_for_feed(screen: AppTest, address: str) -> AppTest:
    screen.text_input(key="import-address").set_value(address).run()
    return press(screen, "import-fetch")


def test_the_feed_at_an_address_is_imported(database: Database, site: str) -> None:
    screen = ask_for_feed(page(), f"{site}/feed")
    assert "127.0.0.1.xml: 2 entries" in words(screen)
    field(screen, "Name of the collection").set_value("Courier").run()
    press(screen, "import-go")
    assert [document.title for document in load_documents(database, "courier")] == ["Bridge opens", "River falls"]


def test_an_address_without_a_feed_says_so_and_can_be_asked_again(site: str) -> None:
    screen = ask_for_feed(page(), f"{site}/page")
    (error,) = screen.error
    assert "must be an RSS or Atom feed; it is not." in unescaped(error.value)
    assert "Read it again" in {button.label for button in screen.button}
    assert list(ask_for_feed(screen, f"{site}/feed").error) == []


@pytest.mark.parametrize(
    ("dates", "rows"),
    [
        (("March 2021", "April 2021"), [("March 2021", "March 2021"), ("April 2021", "April 2021")]),
        (("2021-03-01", "2021-03-02"), [("2021-03-01", "1 March 2021"), ("2021-03-02", "2 March 2021")]),
    ],
)
def test_dates_are_shown_as_given_and_as_understood(dates: tuple[str, str], rows: list[tuple[str, str]]) -> None:
    screen = upload(page(), "headline,when,body\n" + "".join(f"Report {date},{date},Words.\n" for date in dates))
    (table,) = [piece for piece in html_pieces(screen) if "Understood as" in piece]
    for given, understood in rows:
        assert f"<td class='word' dir='auto'>{given}</td><td class='word' dir='auto'>{understood}</td>" in table


def test_dates_that_cannot_be_read_are_counted_with_examples() -> None:
    screen = upload(page(), NEWS + "Report;someday;Words.\nReport;;More words.\n")
    told = (
        "1 value cannot be read as a date (“someday”) and 1 row has none: they stay undated until you give them dates."
    )
    assert told in words(screen)


@pytest.mark.parametrize(("order", "date"), [("day first", "2021-03-02"), ("month first", "2021-02-03")])
def test_ambiguous_dates_need_a_choice_before_they_are_stored(database: Database, order: str, date: str) -> None:
    screen = upload(page(), "title,date,text\nOne,02/03/2021,a b\nTwo,04/05/2021,c d\n")
    assert "Day and month cannot be told apart" in screen.warning[0].value
    (table,) = [piece for piece in html_pieces(screen) if "Month first" in piece]
    assert "2 March 2021" in table
    assert "3 February 2021" in table
    (radio,) = [radio for radio in screen.radio if radio.label == "In these dates"]
    assert radio.value is None
    assert screen.button(key="import-go").disabled
    radio.set_value(order).run()
    press(screen, "import-go")
    first = min(load_documents(database, "news-of-2021"), key=lambda document: document.title)
    assert str(first.date) == date


def test_the_order_of_day_and_month_is_asked_once_for_a_collection() -> None:
    rows = "id,title,date,text\na,One,02/03/2021,a b\nb,Two,04/05/2021,c d\n"
    screen = upload(page(), rows)
    next(radio for radio in screen.radio if radio.label == "In these dates").set_value("month first").run()
    press(screen, "import-go")
    screen.button(key="import-another").click().run()
    screen.button(key="update-news-of-2021").click().run()
    upload(screen, rows.replace("One", "Once"), "newer.csv")
    assert next(radio for radio in screen.radio if radio.label == "In these dates").value == "month first"


def test_a_file_without_dates_says_what_that_means() -> None:
    screen = upload(page(), "title,text\nOne,a b\nTwo,c d\n")
    assert "No column has dates" in screen.warning[0].value
    assert not screen.button(key="import-go").disabled


def test_further_columns_html_and_rows_that_cannot_be_read_are_told_before_the_import() -> None:
    rows = "title,text,section,byline\nOne,<p>a &amp; b</p>,City,Ann\nTwo,c d,Sport,Bob,more,and more\n"
    told = words(upload(page(), rows))
    assert "Kept as further columns, and you can filter by them: section and byline." in told
    assert "HTML is left out of headlines and texts." in told
    assert "1 row cannot be read" in told
    assert "Row 2: " in told


def test_documents_in_another_script_get_an_honest_word_on_the_model() -> None:
    screen = upload(page(), ARABIC, "news.csv")
    told = words(screen)
    assert "Written in Arabic. WordLlama knows few words beyond English" in told
    assert "Vectors will be made by WordLlama (English words, on this computer)." in told
    assert "model-where" in {radio.key for radio in screen.radio}


def test_english_needs_no_word_on_its_language() -> None:
    rows = "title,text\n" + "".join(
        f"Report {row},The bridge that was closed in the spring is open.\n" for row in "abc"
    )
    assert "Written in" not in words(upload(page(), rows))


def test_an_import_is_stored_as_it_was_confirmed_and_reported(database: Database) -> None:
    screen = import_news(page())
    assert "“News of 2021” is stored" in unescaped(screen.success[0].value)
    assert "12 rows read · 12 documents kept · 0 without a date · 0 duplicates · 0 dropped" in words(screen)
    assert "Building the map takes at most about 0.9 GB of memory" in words(screen)
    documents = load_documents(database, "news-of-2021")
    assert (documents[0].title, documents[0].text, documents[0].date_text) == (
        "Report 0 on the river",
        "Words of report 0.",
        "2021-03-01",
    )
    assert "build-news-of-2021" in keys(screen)
    screen.button(key="import-another").click().run()
    assert screen.file_uploader(key="import-file") is not None


@pytest.mark.parametrize(("delimiter", "word"), [(",", "commas"), (";", "semicolons"), ("\t", "tabs")])
def test_the_report_of_an_import_says_in_a_word_what_separates_its_columns(delimiter: str, word: str) -> None:
    screen = upload(page(), NEWS.replace(";", delimiter))
    shown = f"utf-8 · separated by {word} · dates: YYYY-MM-DD"
    n_before = [unescaped(caption.value) for caption in screen.caption].count(shown)
    press(screen, "import-go")
    # The import says it, and so does the card.
    assert [unescaped(caption.value) for caption in screen.caption].count(shown) == n_before + 2


def test_a_changed_column_is_what_is_stored(database: Database) -> None:
    screen = upload(page(), NEWS)
    select(screen, "Source").set_value("body").run()
    select(screen, "Text").set_value("(none)").run()
    press(screen, "import-go")
    document = load_documents(database, "news-of-2021")[0]
    assert (document.source, document.text) == ("Words of report 0.", "")


def test_columns_that_make_no_documents_are_told_beside_them() -> None:
    screen = upload(page(), NEWS)
    select(screen, "Headline").set_value("body").run()
    (error,) = screen.error
    assert "Title and text must be two columns" in unescaped(error.value)
    assert "import-go" not in keys(screen)
    select(screen, "Headline").set_value("headline").run()
    assert "import-go" in keys(screen)


def test_rows_that_need_attention_are_listed_with_their_number_and_lead_to_the_documents() -> None:
    odd = NEWS + "Report 3 on the rocket;2021-03-04;Words of report 3.\n;;\nUndated;someday;Words.\n"
    screen = press(upload(page(), odd), "import-go")
    assert "15 rows read · 13 documents kept · 1 without a date · 1 duplicate · 1 dropped" in words(screen)
    tables = [table.value for table in screen.dataframe]
    assert any({13, 14, 15} <= set(table["Row"].tolist()) for table in tables if "Row" in table)
    screen.button(key="undated-report-news-of-2021").click().run()
    assert screen.query_params["collection"] == "news-of-2021"
    assert screen.query_params["state"] == "undated"


def test_copies_are_counted_in_the_report() -> None:
    report = "The dyke at the ford broke in the night and the whole town was under water by six as the police said."
    rows = f"title,text\nFlood,{report}\nWet,{report}\nFair,The fair opens tomorrow at noon in the market place.\n"
    screen = press(upload(page(), rows), "import-go")
    assert "1 group of copies, 2 documents. A trail holds at most one of a group." in words(screen)
    screen.button(key="copies-report-news-of-2021").click().run()
    assert screen.query_params["state"] == "copies"


@pytest.mark.parametrize(
    ("content", "name", "part"),
    [
        (b"", "empty.csv", "empty.csv"),
        (b"title,text\n", "header.csv", "rows below the names of its columns"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00", "picture.csv", "picture.csv must be a table of text"),
        (b"a,b\n1,2\n", "numbers.csv", "text"),
        (b"{not json\n", "broken.jsonl", "broken.jsonl must have rows that can be read"),
        (b"%PDF-1.7", "paper.pdf", "paper.pdf is damaged"),
        (b"PK\x03\x04", "paper.odt", "paper.odt is in a format that cannot be read"),
    ],
)
def test_a_file_that_cannot_be_used_gets_one_sentence_and_stores_nothing(content: bytes, name: str, part: str) -> None:
    before = resources.summaries()
    screen = upload(page(), content, name)
    (error,) = screen.error
    assert part in unescaped(error.value)
    assert unescaped(error.value).startswith(name) or unescaped(error.value)[0].isupper()
    assert "did not expect" not in error.value
    assert screen.exception[0:] == []
    assert "import-go" not in keys(screen)
    assert resources.summaries() == before


def test_a_file_that_is_too_large_is_refused_with_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sizes, "MAX_BYTES", {**sizes.MAX_BYTES, "csv": 100_000})
    screen = upload(page(), NEWS + "x" * 150_000, "large.csv")
    (error,) = screen.error
    assert "may have at most 0.1 MB; large.csv has 0.2 MB" in unescaped(error.value)


@pytest.mark.parametrize("title", ["Spaceflight", "Presidents", "presidents"])
def test_a_taken_name_is_refused_and_the_file_kept(title: str) -> None:
    before = resources.summaries()
    screen = upload(page(), NEWS)
    field(screen, "Name of the collection").set_value(title)
    press(screen, "import-go")
    (error,) = screen.error
    assert title.casefold() in unescaped(error.value)
    assert resources.summaries() == before
    field(screen, "Name of the collection").set_value("Another name")
    press(screen, "import-go")
    assert stored("another-name")


def test_a_second_file_of_the_same_name_is_pointed_to_the_update() -> None:
    screen = import_news(page())
    screen.button(key="import-another").click().run()
    press(upload(screen, NEWS), "import-go")
    (error,) = screen.error
    assert "put the documents into “one that is here”" in unescaped(error.value)


def test_own_vectors_are_stored_with_the_documents(database: Database) -> None:
    screen = page()
    screen.file_uploader(key="import-vectors").set_value(
        ("v.npy", npy(np.eye(N_ROWS, dtype=np.float32)), "application/octet-stream")
    )
    upload(screen, NEWS)
    assert "The vectors of the .npy file are used; no model reads the texts." in words(screen)
    assert "Vectors will be made by" not in words(screen)
    press(screen, "import-go")
    vectors = load_vectors(database, "news-of-2021")
    assert vectors is not None
    assert vectors.values.shape == (N_ROWS, N_ROWS)


@pytest.mark.parametrize("values", [np.eye(5, dtype=np.float32), np.full((N_ROWS, 3), np.nan, dtype=np.float32)])
def test_own_vectors_that_do_not_fit_get_one_sentence_and_store_nothing(values: NDArray[np.float32]) -> None:
    screen = page()
    screen.file_uploader(key="import-vectors").set_value(("v.npy", npy(values), "application/octet-stream"))
    import_news(screen)
    (error,) = screen.error
    assert "did not expect" not in error.value
    assert not stored("news-of-2021")


@pytest.mark.parametrize(("n_without", "told"), [(0, "in every row"), (2, "in 10 of 12 rows (row 1: ")])
def test_a_column_of_vectors_is_found_and_those_that_fail_are_counted(n_without: int, told: str) -> None:
    numbers = [[float(row == place) for place in range(N_ROWS)] for row in range(N_ROWS)]
    rows = [
        {"title": f"Report {row}", "text": "Words.", "embedding": "none" if row < n_without else str(numbers[row])}
        for row in range(N_ROWS)
    ]
    shown = words(upload(page(), csv_bytes(rows)))
    assert f"Vectors of 12 dimensions in the column “embedding”, {told}" in shown
    assert ("Vectors will be made by" in shown) == bool(n_without)


def test_an_imported_collection_is_built_and_explored(child: FakeChild) -> None:
    screen = import_news(page())
    screen.button(key="import-build").click().run()
    assert "The map is being built" in screen.toast[0].value
    assert finished_build("news-of-2021").state == "done"
    screen.run()
    screen.button(key="open-news-of-2021").click().run()
    assert [*screen.warning, *screen.error, *screen.exception] == []
    assert len(steps(screen)) >= 2
    assert screen.query_params["collection"] == "news-of-2021"


def test_reading_that_takes_long_shows_the_memory_it_needs_and_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    may_go_on = threading.Event()

    def slow(data: bytes, filename: str, *, progress: Progress, **options: str | None) -> RawTable:
        may_go_on.wait(60)
        return read_source(data, filename, progress=progress)

    monkeypatch.setattr(import_jobs, "read_source", slow)
    screen = page()
    screen.file_uploader(key="import-file").set_value(("slow.csv", NEWS.encode(), "text/csv"))
    screen.run()
    try:
        assert (
            "slow.csv, a table of values between delimiters (CSV, TSV), 1 KB; reading it takes about 100 MB"
            in words(screen)
        )
        (stop,) = [key for key in keys(screen) if key.startswith("stop-")]
        screen.button(key=stop).click().run()
        # The reader itself still holds: the work was let go of, not waited for.
        settled(screen)
        assert "Stopped. Nothing was stored." in words(screen)
    finally:
        may_go_on.set()
    (again,) = [key for key in keys(screen) if key.startswith("again-")]
    press(screen, again)
    assert columns(screen)[0] == "headline"


def test_what_stands_in_files_is_told_of_files() -> None:
    files = {"a.md": f"---\ndate: 2021-07-11\n---\n{PROSE}".encode(), "b.txt": PROSE.encode()}
    shown = words(upload(page(), zipped(files), "papers.zip"))
    assert "in every file" in shown
    assert "in 1 of 2 files" in shown
    assert "1 file has none: they stay undated" in shown


def test_a_project_file_is_recognised_and_opened(database: Database) -> None:
    packed = BytesIO()
    write_project(database, "toy", packed)
    screen = upload(page(), packed.getvalue(), "toy.zip")
    assert "**The bridge at Alder Ford**: 12 documents" in words(screen)
    assert "import-go" not in keys(screen)
    screen.button(key="project-go").click().run()
    assert [*screen.error, *screen.exception] == []
    assert stored("toy-2")
    assert "project-go" not in keys(screen)


NEWER = NEWS.replace("Report 3 on the rocket", "Report 3 on the new rocket").replace("2021-03-05", "2021-03-25")
NEWER = "".join(line for line in NEWER.splitlines(keepends=True) if "report 7" not in line)
NEWER += "Report 12 on the river;2021-03-13;Words of report 12.\n"


def with_ids(table: str) -> str:
    head, *rows = table.splitlines()
    numbered = [f"r{row.split(' ')[1]};{row}" for row in rows]
    return "\n".join([f"id;{head}", *numbered]) + "\n"


def compared(screen: AppTest) -> AppTest:
    """Import the news, choose its update from the card, and compare it with a newer file."""
    press(upload(screen, with_ids(NEWS)), "import-go")
    screen.button(key="import-another").click().run()
    screen.button(key="update-news-of-2021").click().run()
    assert "Choose a newer file of “News of 2021”." in words(screen)
    upload(screen, with_ids(NEWER), "newer.csv")
    assert select(screen, "Which collection").value == "news-of-2021"
    return press(screen, "import-compare")


def test_an_update_shows_the_difference_before_it_is_applied(database: Database) -> None:
    before = load_documents(database, "toy")
    screen = compared(page())
    told = words(screen)
    assert "1 new · 2 changed · 9 unchanged · 1 not in the file" in told
    assert "Changed: headline in 1 and date in 1." in told
    (table,) = [piece for piece in html_pieces(screen) if "Before" in piece]
    assert "Report 3 on the rocket" in table
    assert "Report 3 on the new rocket" in table
    assert len(load_documents(database, "news-of-2021")) == N_ROWS
    assert load_documents(database, "toy") == before


@pytest.mark.parametrize("is_removing", [False, True])
def test_an_update_is_applied_and_reported(database: Database, *, is_removing: bool) -> None:
    screen = compared(page())
    if is_removing:
        screen.checkbox[-1].check().run()
    press(screen, "import-update")
    assert "“News of 2021” is updated" in words(screen)
    assert f"1 new · 2 changed · 9 unchanged · {int(is_removing)} removed" in words(screen)
    titles = {document.title for document in load_documents(database, "news-of-2021")}
    assert {"Report 12 on the river", "Report 3 on the new rocket"} <= titles
    assert ("Report 7 on the rocket" in titles) is not is_removing


def test_a_file_that_says_nothing_new_changes_nothing() -> None:
    screen = page()
    press(upload(screen, with_ids(NEWS)), "import-go")
    screen.button(key="import-another").click().run()
    screen.button(key="update-news-of-2021").click().run()
    press(upload(screen, with_ids(NEWS)), "import-compare")
    assert "there is nothing to change" in words(screen)
    assert "import-update" not in keys(screen)


def test_an_update_says_what_stays_for_want_of_a_column(database: Database) -> None:
    screen = page()
    press(upload(screen, with_ids(NEWS)), "import-go")
    screen.button(key="import-another").click().run()
    screen.button(key="update-news-of-2021").click().run()
    (first, *_) = load_documents(database, "news-of-2021")
    rows = f"id,title,text\n{first.document_id},Corrected,{first.text}\n"
    press(upload(screen, rows, "newer.csv"), "import-compare")
    assert "Without a column in the file, and so left as stored: date" in words(screen)
    press(screen, "import-update")
    assert load_documents(database, "news-of-2021")[0] == replace(first, title="Corrected")


def test_documents_of_an_update_are_placed_and_the_card_offers_to_fit_all(child: FakeChild) -> None:
    screen = page()
    press(upload(screen, with_ids(NEWS)), "import-go")
    screen.button(key="import-build").click().run()
    assert finished_build("news-of-2021").state == "done"
    screen.run()
    screen.button(key="update-news-of-2021").click().run()
    press(upload(screen, with_ids(NEWER), "newer.csv"), "import-compare")
    assert "2 texts are read by WordLlama, the model of this collection" in words(screen)
    press(screen, "import-update")
    assert "2 texts read by the model · 2 placed on the map" in words(screen)
    assert {"import-explore", "import-refit", "refit-news-of-2021"} <= keys(screen)
    assert "2 documents came later and were placed on the present map." in words(screen)
    screen.button(key="import-refit").click().run()
    assert finished_build("news-of-2021").state == "done"
    assert "refit-news-of-2021" not in keys(screen.run())


def test_built_in_collections_are_not_updated() -> None:
    screen = upload(page(), NEWS)
    assert not {key for key in keys(screen) if key.startswith("update-")}
    assert "Put the documents into" not in {radio.label for radio in screen.radio}


def test_a_download_of_the_template_is_offered() -> None:
    labels = [button.label for button in page().download_button]
    assert "A template to fill in" in labels


def test_only_a_few_files_that_were_read_are_kept() -> None:
    kept = imports_work._Kept()
    for number in range(5):
        kept.put(imports_work.READ, str(number), number)
    assert [kept.get(imports_work.READ, str(number)) for number in range(5)] == [None, None, 2, 3, 4]
