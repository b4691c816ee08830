"""Excel workbooks: the rows of one sheet, dates as ISO text, nothing computed and nothing unpacked beyond a limit."""

import datetime as dt
import io
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from narrative_core.errors import InvalidInput
from narrative_core.ingest.raw_rows import ReadRows, RowCollector, check_shape, distinct_names, listed
from narrative_core.records import Progress

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet._read_only import ReadOnlyWorksheet

MAX_UNPACKED_BYTES = 1_000_000_000
MAX_PARTS = 10_000
_MAX_ROW_NUMBER = 1 << 20
_ROWS_AT_ONCE = 2_000
_BYTES_AT_ONCE = 1 << 20
_LONGEST_TAG = 200
_LONGEST_NAME = 60
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\b[^>]*\bref="([A-Z]{1,3}\d{1,7}:[A-Z]{1,3}\d{1,7})"')
_ERRORS = frozenset(["#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NUM!", "#NULL!"])
_HOURS = re.compile(r"T00:00:00(?:\.0+)?$")

# What openpyxl and the libraries below it raise for a damaged workbook; there is no common class.
_DAMAGED = (
    LookupError, ValueError, TypeError, AttributeError, OSError, EOFError, SyntaxError, ArithmeticError, AssertionError,
    NotImplementedError, RuntimeError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip


def read_workbook(
    data: bytes, filename: str, *, max_rows: int, sheet: str | None = None, progress: Progress | None = None
) -> ReadRows:
    """Return the rows of one sheet of an Excel workbook (.xlsx).

    The first row that is not blank names the columns; a single heading above it is passed over, and said so. Blank rows
    are no rows. Dates are ISO text, formulas their last computed value.

    Parameters
    ----------
    data : bytes
        The whole file.
    filename : str
        For messages.
    max_rows : int
        More rows than that are refused.
    sheet : str, optional
        The name of the sheet; by default the first one with rows.
    progress : callable, optional
        Called with (rows read, rows expected).

    Raises
    ------
    InvalidInput
        If the file is damaged, unpacks to more than 1 GB, has no such sheet, or no sheet with rows.
    """
    from openpyxl import load_workbook

    _check_size(data, filename)
    try:
        workbook = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        try:
            return _read(workbook, filename, sheet, max_rows, progress)
        finally:
            workbook.close()
    except InvalidInput:
        raise
    except _DAMAGED as error:
        raise InvalidInput(f"{filename} must be an Excel workbook; it is damaged ({error}). Save it again.") from error


def _check_size(data: bytes, filename: str) -> None:
    """Refuse an archive by what it says it unpacks to; `zipfile` reads no more of a part than that."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
    except _DAMAGED as error:
        raise InvalidInput(f"{filename} must be an Excel workbook; it is damaged ({error}). Save it again.") from error
    unpacked = sum(part.file_size for part in parts)
    if unpacked > MAX_UNPACKED_BYTES or len(parts) > MAX_PARTS:
        raise InvalidInput(
            f"a workbook may unpack to at most {MAX_UNPACKED_BYTES / 1e6:,.0f} MB in {MAX_PARTS:,} parts; {filename} "
            f"unpacks to {unpacked / 1e6:,.0f} MB in {len(parts):,}. Save the sheet as CSV."
        )


def _read(workbook: "Workbook", filename: str, sheet: str | None, max_rows: int, progress: Progress | None) -> ReadRows:
    names = tuple(each.title for each in workbook.worksheets)
    if sheet is not None and sheet not in names:
        raise InvalidInput(
            f"{filename} must have the sheet “{sheet}”; it has {listed([f'“{name}”' for name in names])}."
        )
    for table in workbook.worksheets:
        if sheet in (None, table.title):
            header, notices, rows = _split(_rows_with_values(table, progress))
            found = _collect(rows, header, max_rows)
            if found.collected.rows:
                return replace(found, notices=notices, sheet=table.title, sheets=names)
    raise InvalidInput(
        f"{filename} must have a sheet with rows below the names of its columns; "
        f"{'it has none' if sheet is None else f'“{sheet}” is none'}. Choose another."
    )


def _rows_with_values(table: "ReadOnlyWorksheet", progress: Progress | None) -> Iterator[list[str]]:
    """Yield each row that is not blank as text, without empty cells at its end.

    A value in a cell that was merged over several rows is that of each of them which has values of its own.
    """
    merged = _merged_down(table)
    fills: dict[int, tuple[int, str]] = {}
    # The size that a workbook notes for its sheet is often wrong; without it all cells are read.
    expected = table.max_row or 0
    table.reset_dimensions()
    for number, cells in enumerate(table.iter_rows(values_only=True), start=1):
        if number > _MAX_ROW_NUMBER:
            raise InvalidInput(f"a sheet may have at most {_MAX_ROW_NUMBER:,} rows, blank ones included.")
        if progress is not None and number % _ROWS_AT_ONCE == 0:
            progress(min(number, expected), expected)
        values = [_as_text(value) for value in cells]
        while values and not values[-1]:
            values.pop()
        if values:
            _fill(values, number, fills)
            fills |= {column: (end, values[column]) for column, end in merged.get(number, ()) if column < len(values)}
            yield values


def _merged_down(table: "ReadOnlyWorksheet") -> dict[int, list[tuple[int, int]]]:
    """Return {first row: [(column from 0, last row)]} of the cells that are merged over several rows."""
    from openpyxl.utils.cell import range_boundaries

    merged: dict[int, list[tuple[int, int]]] = {}
    tail = b""
    with table._get_source() as source:
        while block := source.read(_BYTES_AT_ONCE):
            window = tail + block
            for reference in _MERGED.findall(window):
                column, first, _, last = range_boundaries(reference.decode())
                if last > first:
                    merged.setdefault(first, []).append((column - 1, last))
            tail = window[window.rfind(b"<") :][:_LONGEST_TAG]
    return merged


def _fill(values: list[str], number: int, fills: Mapping[int, tuple[int, str]]) -> None:
    for column, (end, value) in fills.items():
        if number <= end and not any(values[column : column + 1]):
            values.extend([""] * (column + 1 - len(values)))
            values[column] = value


def _split(rows: Iterator[list[str]]) -> tuple[list[str], tuple[str, ...], Iterator[list[str]]]:
    """Return the names of the columns, what is to be said about them, and the rows below."""
    first = next(rows, [])
    if sum(map(bool, first)) != 1:
        return first, (), rows
    second = next(rows, [])
    if _is_header(second):
        return second, (f"“{first[-1][:80]}” stands above the names of the columns and was passed over.",), rows
    return first, (), chain([second] if second else [], rows)


def _is_header(values: list[str]) -> bool:
    """Whether a row below a single value looks like names of columns: several short texts, all different."""
    named = [value for value in values if value]
    are_names = all(len(name) <= _LONGEST_NAME and not name[0].isdigit() for name in named)
    return len(named) > 1 and are_names and len(set(named)) == len(named)


def _collect(rows: Iterable[list[str]], header: list[str], max_rows: int) -> ReadRows:
    collected = RowCollector(max_rows)
    width = len(header)
    for values in rows:
        width = max(width, len(values))
        check_shape(len(collected.rows) + 1, width)
        collected.keep(tuple(values))
    collected.rows = [(*row, *[""] * (width - len(row))) for row in collected.rows]
    return ReadRows(distinct_names([*header, *[""] * (width - len(header))]), collected)


def _as_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return "" if value in _ERRORS else value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dt.datetime):
        return _HOURS.sub("", value.isoformat())
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    return str(value)
