import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core.errors import InvalidInput
from narrative_core.ingest.columns import ColumnChoice, detect_columns
from narrative_core.ingest.dates import DateOrder
from narrative_core.ingest.sources import read_source
from narrative_core.ingest.tables import RawTable
from narrative_core.ingest.understanding import Understanding, understand, understanding_facts
from tests.ingest.source_samples import csv_bytes, xlsx_bytes

NEWS = "headline,published,body,outlet,desk\n" + "".join(
    f"Report {row},2021-03-{row + 1:02},<p>Words of report {row}</p>,Courier,City\n" for row in range(20)
)


def table_of(text: str) -> RawTable:
    return read_source(text.encode(), "news.csv")


def understood(text: str, *, order: DateOrder | None = None) -> Understanding:
    table = table_of(text)
    return understand(table, detect_columns(table), date_order=order)


def test_columns_are_told_with_what_stands_in_them() -> None:
    found = understood(NEWS + "Report,,Words,,\n")
    assert [(part.part, part.column, part.n_filled, part.example) for part in found.parts] == [
        ("title", "headline", 21, "Report 0"),
        ("text", "body", 21, "<p>Words of report 0</p>"),
        ("date", "published", 20, "2021-03-01"),
        ("source", "outlet", 20, "Courier"),
    ]
    assert found.extras == ("desk",)
    assert (found.kind, found.encoding, found.delimiter, found.n_rows) == ("csv", "utf-8", ",", 21)


def test_the_preview_has_the_first_documents_as_they_will_be() -> None:
    preview = understood(NEWS).preview
    assert [document.title for document in preview] == ["Report 0", "Report 1", "Report 2"]
    assert [document.text for document in preview] == [f"Words of report {row}" for row in range(3)]
    assert preview[0].iso_date == "2021-03-01"


@pytest.mark.parametrize(("order", "date"), [("day first", "2021-03-02"), ("month first", "2021-02-03")])
def test_ambiguous_dates_have_two_readings_and_none_in_the_preview_until_chosen(order: DateOrder, date: str) -> None:
    text = "title,date\nOne,02/03/2021\nTwo,05/05/2021\n"
    found = understood(text)
    assert found.needs_order
    assert found.dates is not None
    first = found.dates.readings[0]
    assert (first.given, first.day_first, first.month_first) == ("02/03/2021", "2 March 2021", "3 February 2021")
    assert [(document.date, document.date_text) for document in found.preview] == [
        (None, "02/03/2021"),
        (None, "05/05/2021"),
    ]
    assert understood(text, order=order).preview[0].iso_date == date


def test_the_order_of_the_whole_column_counts_in_the_preview() -> None:
    rows = "".join(f"Report {row},02/03/2021\n" for row in range(30))
    assert understood(f"title,date\n{rows}Last,25/12/2021\n").preview[0].iso_date == "2021-03-02"


def test_values_that_are_no_date_are_counted_with_up_to_three_examples() -> None:
    text = "title,date\nOne,2021-01-01\nTwo,soon\nThree,soon\nFour,later\nFive,never\nSix,once\nSeven,\n"
    table = table_of(text)
    dates = understand(table, ColumnChoice(title="title", date="date")).dates
    assert dates is not None
    assert (dates.format.n_readable, dates.format.n_unreadable, dates.n_empty) == (1, 5, 1)
    assert dates.unreadable == ("soon", "later", "never")


def test_a_file_without_dates_has_none() -> None:
    assert understood("title,text\nOne,a\n").dates is None


@pytest.mark.parametrize(("text", "has_markup"), [("<p>One</p>", True), ("Fish &amp; chips", True), ("3 < 4", False)])
def test_html_is_noticed(text: str, *, has_markup: bool) -> None:
    assert understood(f"title,text\nOne,{text}\n").has_markup is has_markup


def test_vectors_are_counted_and_so_are_those_that_fail() -> None:
    numbers = [[float(place == row) for place in range(9)] for row in range(9)]
    rows = [{"title": f"R{row}", "v": "none" if row == 4 else str(numbers[row])} for row in range(9)]
    table = read_source(csv_bytes(rows), "news.csv")
    found = understand(table, detect_columns(table)).vectors
    assert found is not None
    assert (found.column, found.n_dimensions, found.n_read, found.n_failed) == ("v", 9, 8, 1)
    assert found.reason == "row 5: it is no list of numbers"
    assert not found.is_used


def test_a_column_that_has_no_vectors_after_all_says_why() -> None:
    table = table_of("title,v\nOne,none\n")
    found = understand(table, ColumnChoice(title="title", vectors="v"))
    assert found.vectors is None
    assert "must hold lists of numbers" in found.vectors_fault


def test_sheets_scripts_and_unreadable_rows_are_told() -> None:
    data = xlsx_bytes({"A": [["title"], ["Мост"]], "B": [["title"], ["Two"]]})
    table = read_source(data, "book.xlsx", sheet="A")
    found = understand(table, detect_columns(table))
    assert (found.sheet, found.sheets, found.scripts) == ("A", ("A", "B"), {"Cyrillic": 1.0})
    assert understood("title,text\nOne,a\nTwo,b,c,d\n").n_unreadable == 1


def test_scripts_are_those_of_the_whole_file() -> None:
    rows = "".join(f"Report{row}\n" for row in range(2_000)) + "Мостоткрыт\n" * 2_000
    assert set(understood(f"title\n{rows}").scripts) == {"Latin", "Cyrillic"}


def test_a_choice_that_does_not_fit_is_refused() -> None:
    with pytest.raises(InvalidInput, match="must be in the file"):
        understand(table_of(NEWS), replace(detect_columns(table_of(NEWS)), text="nowhere"))


def test_the_facts_are_plain_values() -> None:
    facts = understanding_facts(understood(NEWS))
    assert json.loads(json.dumps(facts)) == facts
    assert facts["columns"]["title"] == "headline"
    assert facts["dates"]["order"] == "iso"


@given(st.lists(st.tuples(*[st.text(alphabet="ab1-/<&ж", max_size=8)] * 3), min_size=1, max_size=8))
@settings(deadline=None)
def test_whatever_stands_in_a_table_is_understood_without_a_fault(rows: list[tuple[str, str, str]]) -> None:
    table = RawTable(("title", "text", "date"), tuple(rows), tuple(range(1, len(rows) + 1)), "utf-8", ",", "csv")
    found = understand(table, ColumnChoice(title="title", text="text", date="date"))
    assert found.n_rows == len(rows)
    assert len(found.preview) <= 3
