"""Rows as a reader leaves them, before anything is known about their meaning."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput
from narrative_core.records import Problem

MAX_COLUMNS = 5_000
MAX_CELLS = 100_000_000
"""Rows times columns. A cell takes eight bytes even where it is empty, and files of some kinds do not hold those."""


@dataclass(slots=True)
class RowCollector:
    """Rows under construction: every data row becomes either a row or a problem, and has a number from 1."""

    max_rows: int
    rows: list[tuple[str, ...]] = field(default_factory=list)
    row_numbers: list[int] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    remarks: list[Problem] = field(default_factory=list)

    @property
    def n_read(self) -> int:
        """How many data rows were met so far."""
        return len(self.rows) + len(self.problems)

    def keep(self, row: tuple[str, ...], remark: str = "") -> None:
        """Add a row, perhaps with a remark."""
        number = self._next_number()
        self.rows.append(row)
        self.row_numbers.append(number)
        if remark:
            self.remarks.append(Problem(number, remark))

    def reject(self, reason: str) -> None:
        """Add a row that cannot be read."""
        self.problems.append(Problem(self._next_number(), reason))

    def _next_number(self) -> int:
        if self.n_read >= self.max_rows:
            raise InvalidInput(
                f"a file may have at most {self.max_rows:,} rows; this one has more. Split it or take a sample."
            )
        return self.n_read + 1


@dataclass(frozen=True, slots=True)
class ReadRows:
    """What a reader hands back: the columns, the rows in that order of columns, and the delimiter if there is one.

    ``notices`` are sentences about the file as a whole · ``sheet`` and ``sheets`` are those of a workbook ·
    ``encoding`` is "" where the reader was given text · ``vectors`` {name: (rows, d)} are columns of numbers, nan
    where there are none.
    """

    columns: tuple[str, ...]
    collected: RowCollector
    delimiter: str = ""
    notices: tuple[str, ...] = ()
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    encoding: str = ""
    vectors: Mapping[str, NDArray[np.float32]] = field(default_factory=dict)


def check_shape(n_rows: int, n_columns: int) -> None:
    """Raise where a table would have too many columns or cells; to be asked before short rows are filled up.

    Raises
    ------
    InvalidInput
        With the numbers.
    """
    if n_columns > MAX_COLUMNS:
        raise InvalidInput(
            f"a table may have at most {MAX_COLUMNS:,} columns; this one has {n_columns:,}. Leave out those that you "
            "do not need, or check that each row is one document."
        )
    if n_rows * n_columns > MAX_CELLS:
        raise InvalidInput(
            f"a table may have at most {MAX_CELLS / 1e6:,.0f} million cells; this one has {n_rows:,} rows of "
            f"{n_columns:,} columns. Leave out columns that you do not need, or split it."
        )


def distinct_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return column names without blanks around them; unnamed ones are numbered, repeated ones get a number.

    Examples
    --------
    >>> distinct_names([" text ", "", "text"])
    ('text', 'column 2', 'text (2)')
    """
    distinct: dict[str, None] = {}
    for position, given in enumerate(names, start=1):
        name = stem = " ".join(given.split()) or f"column {position}"
        repetition = 2
        while name in distinct:
            name = f"{stem} ({repetition})"
            repetition += 1
        distinct[name] = None
    return tuple(distinct)


def listed(names: Sequence[str], *, limit: int = 12) -> str:
    """Return names as text for a message, the first ``limit`` of them.

    Examples
    --------
    >>> listed(["id", "text", "date"], limit=2)
    'id, text and 1 more'
    """
    more = len(names) - limit
    return ", ".join(names[:limit]) + (f" and {more} more" if more > 0 else "")
