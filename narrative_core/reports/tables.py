"""Tables of numbers that every format shows alike: typed cells, and the one place that turns them into text."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, Literal, TypeVar

from narrative_core.counting import count
from narrative_core.errors import InvalidInput
from narrative_core.estimates import Estimate, Summary
from narrative_core.reports.sentences import format_list, plain_line
from narrative_core.runs import Made

Kind = Literal["text", "count", "number", "share", "p", "estimate", "summary"]
UNKNOWN: Final = "–"
INTERVAL_NOTE: Final = "In brackets: the 95% interval, from resampling endpoint pairs."
_SMALLEST_P: Final = 0.001


@dataclass(frozen=True, slots=True)
class NumberCell:
    """A number that is shown with so many decimals."""

    value: float
    digits: int = 2


@dataclass(frozen=True, slots=True)
class ShareCell:
    """A share in [0, 1], shown in per cent."""

    value: float


@dataclass(frozen=True, slots=True)
class PCell:
    """A p-value."""

    value: float


@dataclass(frozen=True, slots=True)
class EstimateCell:
    """A value with its interval."""

    estimate: Estimate
    digits: int = 2


@dataclass(frozen=True, slots=True)
class SummaryCell:
    """A mean with its standard deviation over ``n`` numbers; ``None`` is not told."""

    mean: float
    sd: float
    n: int | None = None
    digits: int = 2


Cell = str | int | NumberCell | ShareCell | PCell | EstimateCell | SummaryCell | None
"""What stands in a table: text, a count, or a number of some kind; ``None`` is nothing known."""

_CELLS: Final[Mapping[Kind, type]] = {
    "text": str,
    "count": int,
    "number": NumberCell,
    "share": ShareCell,
    "p": PCell,
    "estimate": EstimateCell,
    "summary": SummaryCell,
}
_PARTS: Final[Mapping[Kind, tuple[str, ...]]] = {
    "estimate": ("value", "low", "high", "n"),
    "summary": ("mean", "sd", "n"),
}


@dataclass(frozen=True, slots=True)
class Column:
    """One column: ``key`` for machines, ``title`` for people, ``told`` what it is and where it comes from."""

    key: str
    title: str
    told: str
    kind: Kind = "number"

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of the plain values of a cell: ("",) where it has one."""
        return _PARTS.get(self.kind, ("",))


@dataclass(frozen=True, slots=True)
class Row:
    """One row; ``link`` leads to the stories behind it: the position of a judge or −1, and how they were made.

    ``band`` holds the mean scores of the judge's stories that are meant, its end not among them; ``None`` for all.
    """

    cells: tuple[Cell, ...]
    link: tuple[int, Made | None] | None = None
    band: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table over ``n`` stories; ``skipped`` counts by reason what could not be used.

    Raises
    ------
    InvalidInput
        If a row has not a cell for each column, or a cell is not of its column's kind.
    """

    key: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    note: str = ""
    n: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row.cells) != len(self.columns):
                raise InvalidInput(
                    f"a row of table {self.key!r} must have {len(self.columns)} cells; got {len(row.cells)}."
                )
            for column, cell in zip(self.columns, row.cells, strict=True):
                if cell is not None and type(cell) is not _CELLS[column.kind]:
                    raise InvalidInput(
                        f"column {column.key!r} of table {self.key!r} holds {column.kind}; "
                        f"got {type(cell).__name__}. Change the column's kind or the cell."
                    )

    @property
    def is_empty(self) -> bool:
        """Whether it has no rows, as a table of judges in a run without any."""
        return not self.rows


Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Reading(Generic[Item]):
    """A column together with how its cell is read from an item, a row being an item."""

    column: Column
    cell: Callable[[Item], Cell]


def columns_and_rows(
    items: Iterable[Item],
    readings: Sequence[Reading[Item]],
    *,
    link: Callable[[Item], tuple[int, Made | None] | None] = lambda _: None,
) -> tuple[tuple[Column, ...], tuple[Row, ...]]:
    """Return the columns of some readings, and a row an item."""
    rows = tuple(Row(tuple(reading.cell(item) for reading in readings), link(item)) for item in items)
    return tuple(reading.column for reading in readings), rows


def summary_cell(summary: Summary, *, digits: int = 2) -> SummaryCell:
    """Return a summary as "mean ± sd"."""
    return SummaryCell(summary.mean, summary.sd, summary.n, digits)


def cell_text(cell: Cell) -> str:
    """Return a cell as a person reads it, on one line and not escaped.

    Examples
    --------
    >>> cell_text(EstimateCell(Estimate(0.481, 0.387, 0.5711, n=200)))
    '0.48 (0.39–0.57)'
    >>> cell_text(EstimateCell(Estimate(-0.04, -0.2, 0.12))), cell_text(SummaryCell(7.42, 0.21, 200, digits=1))
    ('−0.04 (−0.20 to 0.12)', '7.4 ± 0.2')
    >>> cell_text(PCell(0.0004)), cell_text(ShareCell(0.812)), cell_text(1200), cell_text(NumberCell(float("nan")))
    ('< 0.001', '81.2%', '1,200', '–')
    """
    text = UNKNOWN
    match cell:
        case str():
            text = plain_line(cell) or UNKNOWN
        case int():
            text = f"{cell:,}"
        case NumberCell(value, digits):
            text = format_number(value, digits)
        case ShareCell(value):
            text = f"{value:.1%}" if math.isfinite(value) else UNKNOWN
        case PCell(value):
            text = "< 0.001" if value < _SMALLEST_P else format_number(value, 3)
        case EstimateCell(estimate, digits):
            text = _estimate_text(estimate, digits)
        case SummaryCell(mean, sd, _, digits):
            text = format_number(mean, digits)
            if UNKNOWN not in (text, format_number(sd, digits)):
                text = f"{text} ± {format_number(sd, digits)}"
    return text


def cell_values(cell: Cell, column: Column) -> tuple[str | int | float | None, ...]:
    """Return the plain values of a cell, one for each of ``column.parts``, unrounded; ``None`` is unknown."""
    match cell:
        case None:
            return (None,) * len(column.parts)
        case str() | int():
            return (cell,)
        case NumberCell(value) | ShareCell(value) | PCell(value):
            return (_known(value),)
        case EstimateCell(estimate):
            return (_known(estimate.value), _known(estimate.low), _known(estimate.high), int(estimate.n))
        case SummaryCell(mean, sd, n):
            return (_known(mean), _known(sd), None if n is None else int(n))


def format_number(value: float, digits: int) -> str:
    """Return a number with a true minus sign and its thousands separated; what is not finite is unknown.

    Examples
    --------
    >>> format_number(-1234.5, 1), format_number(-0.001, 2), format_number(float("inf"), 2)
    ('−1,234.5', '0.00', '–')
    """
    if not math.isfinite(value):
        return UNKNOWN
    text = f"{value:,.{digits}f}"
    if not text.startswith("-"):
        return text
    return f"−{text[1:]}" if text.strip("-0.,") else text[1:]


def table_remark(table: Table) -> str:
    """Return on what a table rests: its n, what was skipped by reason, whether it has intervals, and its note."""
    told = [f"n = {count(table.n, 'story') if table.n == 1 else f'{table.n:,} stories'}."]
    if table.skipped:
        reasons = [f"{number:,} ({plain_line(reason)})" for reason, number in table.skipped.items()]
        told.append(f"Skipped: {format_list(reasons, most=len(reasons))}.")
    if has_interval(table):
        told.append(INTERVAL_NOTE)
    return " ".join([*told, plain_line(table.note)]).strip()


def has_interval(table: Table) -> bool:
    """Whether any cell shows an interval."""
    cells = (cell for row in table.rows for cell in row.cells)
    return any(isinstance(cell, EstimateCell) and "(" in cell_text(cell) for cell in cells)


def _estimate_text(estimate: Estimate, digits: int) -> str:
    value = format_number(estimate.value, digits)
    ends = [format_number(end, digits) for end in (estimate.low, estimate.high)]
    if UNKNOWN in (value, *ends):
        return value
    # An en dash between two numbers of which one has a minus sign cannot be read.
    joint = " to " if "−" in "".join(ends) else "–"
    return f"{value} ({joint.join(ends)})"


def _known(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
