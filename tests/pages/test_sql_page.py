"""The page SQL: worked queries, rows and their file, no rows, mistakes in a sentence, what the tables are."""

import pytest
from streamlit.testing.v1 import AppTest

from narrative_core.errors import InvalidInput
from narrative_core.store.console import QueryResult
from narrative_core.store.schema import describe_schema
from narrative_core.store.worked_queries import WORKED_QUERIES
from narrative_core.ui import resources, sql_box
from narrative_core.ui.schema_view import described
from tests.pages.screen import open_page, words

SQL = "pages/research/sql.py"


def asked(sql: str) -> AppTest:
    """Open the page and ask a question."""
    screen = open_page(SQL)
    screen.text_area(key="sql-text").set_value(sql)
    return screen.button(key="sql-run").click().run()


def test_the_page_begins_with_a_worked_query_and_nothing_asked() -> None:
    screen = open_page(SQL)
    assert not screen.exception
    assert screen.text_area(key="sql-text").value == WORKED_QUERIES[0].sql
    assert len(screen.dataframe) == 0
    assert "There is no run yet" in words(screen)


def test_a_question_gives_its_rows_with_their_number_and_a_file() -> None:
    screen = asked("SELECT collection, count(*) AS n FROM documents GROUP BY collection ORDER BY collection")
    (rows,) = (frame.value for frame in screen.dataframe)
    assert list(rows.columns) == ["collection", "n"]
    assert "spaceflight" in rows["collection"].tolist()
    assert f"{len(rows)} rows in" in words(screen)
    assert screen.download_button[0].key == "sql-csv"


def test_one_name_for_two_columns_is_told_apart() -> None:
    screen = asked("SELECT 1 AS n, 2 AS n")
    assert screen.dataframe[0].value.to_dict("list") == {"n": [1], "n (2)": [2]}
    assert "1 row in" in words(screen)


def test_no_rows_are_said_to_be_none() -> None:
    screen = asked("SELECT 1 AS n WHERE false")
    assert len(screen.dataframe) == 0
    assert any(found.value.startswith("No rows") for found in screen.info)


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("DELETE FROM documents", "only reads"),
        ("SELECT * FROM nowhere", "nowhere"),
        ("SELECT 1; SELECT 2", "One statement"),
        ("", "none came"),
        ("SELECT * FROM read_csv('/etc/hostname')", "read_csv"),
    ],
)
def test_a_question_that_cannot_be_answered_is_answered_in_a_sentence(sql: str, told: str) -> None:
    screen = asked(sql)
    assert not screen.exception
    (problem,) = screen.error
    assert told in words(screen)
    assert problem.value.endswith(".")


def test_a_question_that_takes_too_long_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_long(*_: object) -> QueryResult:
        msg = "the query took more than 30 seconds and was stopped. Ask for less."
        raise InvalidInput(msg)

    monkeypatch.setattr(sql_box, "query", too_long)
    assert "The query took more than 30 seconds" in words(asked("SELECT 1"))


def test_choosing_a_worked_query_puts_it_into_the_box_and_asks_it() -> None:
    screen = open_page(SQL)
    screen.radio(key="sql-worked").set_value(WORKED_QUERIES[2].title).run()
    assert screen.text_area(key="sql-text").value == WORKED_QUERIES[2].sql
    assert not screen.error
    assert any(found.value.startswith("No rows") for found in screen.info)


def test_rows_of_a_former_question_are_said_to_be_that() -> None:
    screen = asked("SELECT 1 AS n")
    assert "has been changed since" not in words(screen)
    screen.text_area(key="sql-text").set_value("SELECT 2 AS n").run()
    assert "has been changed since" in words(screen)


def test_every_table_and_view_of_the_schema_can_be_read_about_and_looked_into() -> None:
    known = described(describe_schema(resources.database()))
    screen = open_page(SQL)
    table = screen.selectbox(key="sql-table")
    assert len(table.options) == len(known)
    assert {one.name for one in known if one.is_view} >= {"run_scores", "run_judgements"}
    assert {one.name for one in known if not one.is_view} >= {"runs", "documents"}
    assert all(one.told and one.columns.count("|") > 6 for one in known)
    table.set_value("documents").run()
    screen.button(key="sql-look").click().run()
    assert screen.text_area(key="sql-text").value == "SELECT * FROM documents LIMIT 20"
    assert len(screen.dataframe[0].value) == 20
