import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.errors import InvalidInput
from narrative_core.estimates import Estimate, Summary
from narrative_core.reports.tables import (
    INTERVAL_NOTE,
    Cell,
    Column,
    EstimateCell,
    Kind,
    NumberCell,
    PCell,
    Reading,
    Row,
    ShareCell,
    SummaryCell,
    Table,
    cell_text,
    cell_values,
    columns_and_rows,
    format_number,
    has_interval,
    summary_cell,
    table_remark,
)

NAN = math.nan
ESTIMATE = Column("r", "r", "Correlation.", "estimate")
NAME = Column("name", "Name", "Who.", "text")


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (None, "–"),
        ("Lexical reader", "Lexical reader"),
        ("two\nlines\u202e", "two lines"),
        ("  ", "–"),
        (1_234_567, "1,234,567"),
        (0, "0"),
        (NumberCell(0.705), "0.70"),
        (NumberCell(12_345.678, 1), "12,345.7"),
        (NumberCell(-0.77), "−0.77"),
        (NumberCell(-0.0004), "0.00"),
        (NumberCell(math.inf), "–"),
        (ShareCell(0.998), "99.8%"),
        (ShareCell(NAN), "–"),
        (PCell(0.00099), "< 0.001"),
        (PCell(0.0), "< 0.001"),
        (PCell(0.001), "0.001"),
        (PCell(0.62), "0.620"),
        (PCell(NAN), "–"),
        (EstimateCell(Estimate(0.48, 0.39, 0.57)), "0.48 (0.39–0.57)"),
        (EstimateCell(Estimate(0.1, -0.05, 0.25)), "0.10 (−0.05 to 0.25)"),
        (EstimateCell(Estimate(-0.5, -0.6, -0.4)), "−0.50 (−0.60 to −0.40)"),
        (EstimateCell(Estimate(0.48)), "0.48"),
        (EstimateCell(Estimate(0.48, 0.39, NAN)), "0.48"),
        (EstimateCell(Estimate(NAN, 0.1, 0.2)), "–"),
        (EstimateCell(Estimate(0.1714, 0.1, 0.2), 3), "0.171 (0.100–0.200)"),
        (SummaryCell(7.44, 0.21, 5, 1), "7.4 ± 0.2"),
        (SummaryCell(7.44, NAN, 1, 1), "7.4"),
        (SummaryCell(NAN, 0.2), "–"),
        (SummaryCell(-0.117, 0.05), "−0.12 ± 0.05"),
    ],
)
def test_a_cell_is_told_as_a_person_reads_it(cell: Cell, text: str) -> None:
    assert cell_text(cell) == text


@pytest.mark.parametrize(
    ("cell", "kind", "values"),
    [
        (None, "estimate", (None, None, None, None)),
        (None, "number", (None,)),
        ("x", "text", ("x",)),
        (3, "count", (3,)),
        (NumberCell(0.123456), "number", (0.123456,)),
        (ShareCell(NAN), "share", (None,)),
        (PCell(1e-9), "p", (1e-9,)),
        (EstimateCell(Estimate(0.4812, 0.39, NAN, 398, 2)), "estimate", (0.4812, 0.39, None, 398)),
        (SummaryCell(7.4444, 0.21, 5), "summary", (7.4444, 0.21, 5)),
        (SummaryCell(math.inf, NAN), "summary", (None, None, None)),
    ],
)
def test_the_values_of_a_cell_are_not_rounded_and_unknown_is_none(
    cell: Cell, kind: Kind, values: tuple[object, ...]
) -> None:
    column = Column("key", "Title", "Told.", kind)
    assert cell_values(cell, column) == values
    assert len(column.parts) == len(values)


@given(st.floats(), st.integers(0, 4))
def test_a_number_never_shows_a_negative_zero_or_a_hyphen(value: float, digits: int) -> None:
    text = format_number(value, digits)
    assert "-" not in text
    if text.startswith("−"):
        assert text.strip("−0.,")
    assert math.isfinite(value) or text == "–"


def test_a_summary_becomes_a_cell_with_its_n() -> None:
    assert summary_cell(Summary(9, 1.5, 0.5, 1, 2), digits=1) == SummaryCell(1.5, 0.5, 9, 1)


@pytest.mark.parametrize("cells", [("a",), ("a", EstimateCell(Estimate(1)), 3)])
def test_a_row_has_a_cell_for_each_column(cells: tuple[Cell, ...]) -> None:
    with pytest.raises(InvalidInput, match=rf"2 cells; got {len(cells)}"):
        Table("t", "T", (NAME, ESTIMATE), (Row(cells),))


@pytest.mark.parametrize("cell", [0.5, True, "0.5", NumberCell(0.5)])
def test_a_cell_is_of_the_kind_of_its_column(cell: Cell) -> None:
    with pytest.raises(InvalidInput, match="column 'r' of table 't' holds estimate"):
        Table("t", "T", (NAME, ESTIMATE), (Row(("a", cell)),))


def test_rows_are_read_from_items_with_their_links() -> None:
    readings: list[Reading[str]] = [Reading(NAME, str.upper), Reading(Column("n", "n", "Length.", "count"), len)]
    columns, rows = columns_and_rows(["ab", "c"], readings, link=lambda item: (len(item), "trail"))
    assert [column.key for column in columns] == ["name", "n"]
    assert rows == (Row(("AB", 2), (2, "trail")), Row(("C", 1), (1, "trail")))


def test_a_table_says_on_what_it_rests() -> None:
    row = Row(("a", EstimateCell(Estimate(0.5, 0.4, 0.6))))
    table = Table("t", "T", (NAME, ESTIMATE), (row,), "Noted.", 1400, {"no score": 1200, "no date": 1})
    assert table_remark(table) == (
        f"n = 1,400 stories. Skipped: 1,200 (no score) and 1 (no date). {INTERVAL_NOTE} Noted."
    )


def test_intervals_are_explained_only_where_there_are_some() -> None:
    without = Table("t", "T", (NAME, ESTIMATE), (Row(("a (b)", EstimateCell(Estimate(0.5)))),), n=1)
    assert not has_interval(without)
    assert table_remark(without) == "n = 1 story."


def test_a_table_without_rows_is_empty() -> None:
    assert Table("t", "T", (NAME,), ()).is_empty
    assert not Table("t", "T", (NAME,), (Row(("a",)),)).is_empty
