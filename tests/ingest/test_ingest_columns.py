from dataclasses import replace

import pytest

from narrative_core.errors import InvalidInput
from narrative_core.ingest.columns import ColumnChoice, check_columns, detect_columns
from narrative_core.ingest.tables import RawTable, read_table

PROSE = "The council of the town voted for a bridge across the river today"


def table_of(*columns: str, rows: int = 1) -> RawTable:
    return RawTable(columns, (("",) * len(columns),) * rows, tuple(range(1, rows + 1)), "utf-8", ",", "csv")


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("Headline", "title"),
        ("TITLE", "title"),
        ("article_title", "title"),
        ("Body", "text"),
        ("content", "text"),
        ("Abstract", "text"),
        ("full text", "text"),
        ("articleText", "text"),
        ("Published", "date"),
        ("pub_date", "date"),
        ("Publication Date", "date"),
        ("publishedAt", "date"),
        ("year", "date"),
        ("Outlet", "source"),
        ("publisher", "source"),
        ("News-Source", "source"),
        ("Link", "url"),
        ("web_url", "url"),
        ("DOI", "url"),
        ("id", "document_id"),
        ("Document ID", "document_id"),
    ],
)
def test_a_column_is_recognised_by_its_name(name: str, part: str) -> None:
    assert detect_columns(table_of("zzz", name)).chosen() == {part: name}


def test_the_likelier_name_wins_and_the_other_stays_free() -> None:
    choice = detect_columns(table_of("summary", "text", "created", "date"))
    assert (choice.text, choice.date) == ("text", "date")


def test_of_two_equal_names_the_first_column_wins() -> None:
    assert detect_columns(table_of("Body", "body (2)", "BODY")).text == "Body"


def test_the_text_is_the_longest_prose_where_no_name_tells() -> None:
    table = read_table(f"c1,c2,c3\nBridge,{PROSE},{PROSE[:30]}\n".encode(), "n.csv")
    assert detect_columns(table).text == "c2"


def test_short_values_are_no_text() -> None:
    assert detect_columns(read_table(b"c1,c2\nBridge,Ford\nMill,Weir\n", "n.csv")) == ColumnChoice()


@pytest.mark.parametrize("value", ["2021-07-11", "11.07.2021", "July 11, 2021"])
def test_the_date_is_the_column_that_reads_as_dates_where_no_name_tells(value: str) -> None:
    table = read_table(f"c1;c2;text\n4;{value};{PROSE}\n5;{value};{PROSE}\n".encode(), "n.csv")
    assert detect_columns(table).date == "c2"


def test_bare_numbers_are_not_taken_for_dates() -> None:
    assert detect_columns(read_table(f"c1;text\n2021;{PROSE}\n".encode(), "n.csv")).date == ""


def test_a_column_with_few_dates_is_no_date() -> None:
    rows = "".join(f"{value};{PROSE}\n" for value in ["2021-07-11", "soon", "later", "2021-07-12"])
    assert detect_columns(read_table(f"c1;text\n{rows}".encode(), "n.csv")).date == ""


def test_a_table_without_text_is_refused_naming_its_columns_and_the_remedy() -> None:
    table = table_of("id", "amount", "date")
    with pytest.raises(InvalidInput, match=r'"id", "amount", "date".*name one of them "text"'):
        check_columns(table, detect_columns(table))


def test_of_many_columns_a_message_names_the_first_twelve() -> None:
    table = table_of(*(f"c{i}" for i in range(300)))
    with pytest.raises(InvalidInput, match='"c11" and 288 more'):
        check_columns(table, ColumnChoice())


def test_titles_alone_will_do() -> None:
    check_columns(table_of("headline"), ColumnChoice(title="headline"))


def test_a_choice_can_be_changed_and_is_checked() -> None:
    table = table_of("title", "text", "lead")
    check_columns(table, replace(detect_columns(table), text="lead"))
    with pytest.raises(InvalidInput, match='Did you mean "lead"'):
        check_columns(table, replace(detect_columns(table), text="leed"))


def test_title_and_text_cannot_be_one_column() -> None:
    with pytest.raises(InvalidInput, match='both are "text"'):
        check_columns(table_of("text"), ColumnChoice(title="text", text="text"))
