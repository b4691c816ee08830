import csv
import datetime as dt
import io
import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.errors import InvalidInput
from narrative_core.ingest.columns import ColumnChoice, detect_columns
from narrative_core.ingest.documents import TITLE_LIMIT, Loaded, build_documents
from narrative_core.ingest.tables import read_table

HEADER = "id,title,text,date,source,url"
SAID_ALREADY = "the same title, text, date, source, address and further columns as"


def load(*rows: str, header: str = HEADER, **options: object) -> Loaded:
    table = read_table("\n".join([header, *rows]).encode(), "news.csv")
    return build_documents(table, detect_columns(table), **options)  # type: ignore[arg-type]


def ids(loaded: Loaded) -> list[str]:
    return [document.document_id for document in loaded.documents]


def reasons(loaded: Loaded) -> list[tuple[int, str]]:
    return [(problem.row, problem.reason) for problem in loaded.report.problems]


def test_a_row_becomes_a_document_with_all_its_parts() -> None:
    loaded = load("a1,Bridge opens,The bridge is open.,11 July 2021,Courier,https://example.org/a", header=HEADER)
    (document,) = loaded.documents
    assert (document.document_id, document.title, document.text) == ("a1", "Bridge opens", "The bridge is open.")
    assert (document.date, document.date_text, document.date_precision) == (
        dt.date(2021, 7, 11),
        "11 July 2021",
        "day",
    )
    assert (document.source, document.url, document.extras) == ("Courier", "https://example.org/a", {})


def test_documents_stand_by_date_then_as_given_with_undated_ones_last() -> None:
    loaded = load("a,A,x,2021-05-02,,", "b,B,x,,,", "c,C,x,2021,,", "d,D,x,2021-05-02,,", "e,E,x,2020-12-31,,")
    assert ids(loaded) == ["e", "c", "a", "d", "b"]
    assert loaded.report.undated == 1


def test_vectors_are_reordered_with_their_documents() -> None:
    vectors = np.array([[1, 0], [2, 0], [3, 0], [4, 0]], dtype=np.float32)
    loaded = load(
        "a,A,x,2021-05-02,,", "too,many,values,for,this,row,at all", "c,,,2021,,", "d,D,x,2020-01-01,,", vectors=vectors
    )
    assert ids(loaded) == ["d", "a"]
    assert loaded.vectors is not None
    assert loaded.vectors[:, 0].tolist() == [4, 1]


def test_vectors_of_other_rows_are_refused_with_both_numbers() -> None:
    with pytest.raises(InvalidInput, match="got 3 for 1 rows"):
        load("a,A,x,2021,,", vectors=np.ones((3, 2), dtype=np.float32))


def test_documents_without_an_id_column_are_numbered_by_row() -> None:
    assert ids(load("A,x", ",", "C,z", header="title,text")) == ["d00001", "d00003"]


def test_a_repeated_id_with_another_content_is_kept_under_a_new_one() -> None:
    loaded = load("x,A,a,2021,,", "x,B,b,2021,,", "x-2,C,c,2021,,", "x,D,d,2021,,")
    assert ids(loaded) == ["x", "x-3", "x-2", "x-4"]
    assert reasons(loaded)[0] == (2, 'the identifier "x" is that of row 1; kept as "x-3"')


def test_a_made_id_never_takes_one_of_the_file() -> None:
    assert ids(load(",A,a,2021,,", "d00001,B,b,2021,,")) == ["d00001-2", "d00001"]


@pytest.mark.parametrize("second_id", ["a", "b"])
def test_the_same_title_text_date_and_source_is_a_duplicate_of_the_earlier_row(second_id: str) -> None:
    loaded = load("z,Z,z,2021,,", "a,A,x,2021-07-11,S,", f"{second_id},A, x ,11 July 2021,S,")
    assert ids(loaded) == ["z", "a"]
    assert loaded.report.duplicates == 1
    assert reasons(loaded) == [(3, f"{SAID_ALREADY} row 2; dropped")]


@pytest.mark.parametrize("row", ["b,A!,x,2021,S,", "b,A,y,2021,S,", "b,A,x,2021-01-01,S,", "b,A,x,2021,T,"])
def test_a_difference_in_title_text_date_or_source_is_no_duplicate(row: str) -> None:
    assert load("a,A,x,2021,S,", row).report.duplicates == 0


@pytest.mark.parametrize(
    "row", ["b,A,x,2021,S,https://example.org/b,Herald", "b,A,x,2021,S,https://example.org/a,Tribune"]
)
def test_another_address_or_further_column_is_no_duplicate(row: str) -> None:
    first = "a,A,x,2021,S,https://example.org/a,Herald"
    loaded = load(first, row, f"c,{first[2:]}", header=f"{HEADER},paper")
    assert ids(loaded) == ["a", "b"]
    assert reasons(loaded) == [(3, f"{SAID_ALREADY} row 1; dropped")]


def test_rows_that_are_known_to_be_documents_are_kept_however_alike() -> None:
    row = "Bridge,The bridge is open.,2021-03-01,Courier"
    loaded = load(f"a,{row}", f"b,{row}", f"a,{row}", header="id,title,text,date,source", keeps_repeats=True)
    assert ids(loaded) == ["a", "b", "a-2"]
    assert (loaded.report.kept, loaded.report.duplicates) == (3, 0)


def test_a_row_with_neither_title_nor_text_is_dropped_and_reported() -> None:
    loaded = load("a,A,x,2021,,", 'b, ,"  ",2021,,')
    assert (loaded.report.kept, loaded.report.dropped) == (1, 1)
    assert reasons(loaded) == [(2, "neither title nor text; dropped")]


def test_a_missing_title_is_made_of_the_opening_words() -> None:
    (document,) = load(f"a,,{'The long bridge over the river ' * 20},2021,,").documents
    assert document.title.startswith("The long bridge over the river The long")
    assert document.title.endswith("…")
    assert len(document.title) <= TITLE_LIMIT


def test_text_is_normalised_and_titles_are_one_line() -> None:
    loaded = load('a," Cafe\u0301 \n opens ","one\r\n\r\n  two  ",2021,,')
    assert (loaded.documents[0].title, loaded.documents[0].text) == ("Café opens", "one\n\n  two")


def test_nul_characters_are_left_out_and_reported() -> None:
    loaded = load("a,A,the bridge\0 is open,2021,,")
    assert loaded.documents[0].text == "the bridge is open"
    assert reasons(loaded) == [(1, "contains NUL characters; they are left out")]


def test_unreadable_characters_are_reported() -> None:
    data = "id,title,text\na,A,größere Brücke über den Fluß\nb,B,".encode() + b"\xff is damaged\n"
    table = read_table(data, "n.csv")
    loaded = build_documents(table, detect_columns(table))
    assert [row for row, reason in reasons(loaded) if "could not be read" in reason] == [2]
    assert loaded.report.encoding == "utf-8 (1 unreadable bytes)"


def test_all_other_columns_that_are_not_empty_are_extras() -> None:
    (document,) = load("A,x,politics,,7", header="title,text,section,desk,page").documents
    assert document.extras == {"section": "politics", "page": "7"}


@pytest.mark.parametrize(
    ("given", "url", "is_reported"),
    [
        ("https://example.org/a?b=c#d", "https://example.org/a?b=c#d", False),
        ("HTTP://example.org", "HTTP://example.org", False),
        ("10.1109/VISUAL.2005.1532786", "https://doi.org/10.1109/VISUAL.2005.1532786", False),
        ("javascript:alert(1)", "", True),
        ("https://", "", True),
        ("www.example.org", "", True),
        ("", "", False),
    ],
)
def test_only_http_addresses_become_links_and_others_stay_as_extras(given: str, url: str, is_reported: bool) -> None:
    loaded = load(f"a,A,x,2021,,{given}")
    assert loaded.documents[0].url == url
    assert loaded.documents[0].extras == ({"url": given} if is_reported else {})
    assert [row for row, _ in reasons(loaded)] == ([1] if is_reported else [])


@pytest.mark.parametrize("value", ["31/02/2021", "yesterday", "1/2/21", "", "2021-99-99"])
def test_a_bad_date_never_drops_the_document_and_is_always_reported(value: str) -> None:
    loaded = load("a,A,x,2021-01-01,,", f"b,B,y,{value},,")
    assert ids(loaded) == ["a", "b"]
    assert (loaded.documents[1].date, loaded.documents[1].date_precision) == (None, None)
    assert loaded.documents[1].date_text == value
    assert loaded.report.undated == 1
    assert [row for row, _ in reasons(loaded)] == [2]


def test_without_a_date_column_no_row_is_blamed() -> None:
    loaded = load("A,x", header="title,text")
    assert (loaded.report.undated, loaded.report.problems) == (1, ())


def test_ambiguous_dates_stop_the_import_until_an_order_is_chosen() -> None:
    rows = ("a,A,x,03/04/2021,,", "b,B,y,01/02/2021,,", "c,C,z,07/11/2021,,")
    with pytest.raises(InvalidInput, match="3 April 2021 or 4 March 2021"):
        load(*rows)
    assert ids(load(*rows, date_order="day first")) == ["b", "a", "c"]
    assert load(*rows, date_order="month first").documents[1].date == dt.date(2021, 3, 4)


def test_mixed_dates_are_read_where_they_can_be_and_reported_where_not() -> None:
    loaded = load("a,A,x,25/12/2021,,", "b,B,y,12/24/2021,,", "c,C,z,03/04/2021,,")
    assert ids(loaded) == ["b", "a", "c"]
    assert [row for row, _ in reasons(loaded)] == [3]
    assert "mixed" in loaded.report.date_format


def test_the_report_says_how_the_file_was_understood() -> None:
    report = load("x;A;2021", header="text;headline;year").report
    assert (report.encoding, report.delimiter, report.date_format) == ("utf-8", ";", "YYYY")
    assert report.columns == {"title": "headline", "text": "text", "date": "year"}


def test_problems_stand_in_row_order() -> None:
    loaded = load("a,A,x,bad,,", "a,b,c,d,e,f,g,h", "a,B,,2021,,ftp://x", "c,C", ",,,,,")
    rows = [row for row, _ in reasons(loaded)]
    assert rows == sorted(rows)
    assert set(rows) == {1, 2, 3, 4, 5}


def test_a_choice_that_does_not_fit_is_refused() -> None:
    table = read_table(b"title,text\na,b\n", "n.csv")
    with pytest.raises(InvalidInput, match='"body" is not among'):
        build_documents(table, ColumnChoice(text="body"))


def test_html_is_left_out_of_every_part_and_remarked_on_once() -> None:
    loaded = load(
        "a,<b>A</b> &amp; B,<p>One</p><script>alert(1)</script><p>Two&nbsp;three</p>,2021,<i>Post</i>,,<u>x</u>",
        "b,B,<p>Two</p>,2022,,,",
        header=f"{HEADER},note",
    )
    first, second = loaded.documents
    assert (first.title, first.text, first.source) == ("A & B", "One\n\nTwo three", "Post")
    assert (first.extras, second.text) == ({"note": "x"}, "Two")
    assert [(row, reason[:16]) for row, reason in reasons(loaded)] == [(1, "HTML is left out")]


def test_text_that_only_looks_like_html_can_be_kept() -> None:
    assert load("a,<b>A</b> &amp; B,x,2021,,", keeps_markup=True).documents[0].title == "<b>A</b> &amp; B"


CELLS = st.sampled_from(["", " ", "a", "b", "A b", "x-2", "x", "d00001", "2021", "2021-02-30", "25/12/2021", "\0", "é"])
ROWS = st.lists(st.lists(CELLS, min_size=1, max_size=8), min_size=1, max_size=25)


@given(rows=ROWS)
def test_every_row_of_a_csv_file_is_kept_or_accounted_for(rows: list[list[str]]) -> None:
    stream = io.StringIO(newline="")
    csv.writer(stream, quoting=csv.QUOTE_ALL).writerows([HEADER.split(","), *rows])
    check_account(stream.getvalue().encode(), "any.csv", n_rows=len(rows))


@given(rows=st.lists(st.dictionaries(st.sampled_from(HEADER.split(",")), CELLS | st.none()) | CELLS, min_size=1))
def test_every_line_of_a_json_lines_file_is_kept_or_accounted_for(rows: list[object]) -> None:
    data = "\n".join(json.dumps(row) for row in [{"text": "first"}, *rows])
    check_account(data.encode(), "any.jsonl", n_rows=len(rows) + 1)


def check_account(data: bytes, filename: str, *, n_rows: int) -> None:
    try:
        table = read_table(data, filename)
    except InvalidInput as error:
        assert re.search("none of its .* can|is empty|control codes", str(error))
        return
    loaded = build_documents(table, detect_columns(table))
    report = loaded.report
    assert report.read == n_rows == report.kept + report.duplicates + report.dropped
    assert report.kept == len(loaded.documents) == len(set(ids(loaded)))
    named = {problem.row for problem in report.problems}
    assert len(named) >= report.duplicates + report.dropped
    assert named <= set(range(1, n_rows + 1))
