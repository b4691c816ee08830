"""What every reader hands on: rows of text with nothing interpreted; and the reading of tables that are text."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput
from narrative_core.ingest.bibtex import read_bibtex
from narrative_core.ingest.delimited import read_delimited
from narrative_core.ingest.encodings import decode
from narrative_core.ingest.json_lines import read_json, read_json_lines
from narrative_core.ingest.raw_rows import ReadRows
from narrative_core.ingest.ris import read_ris
from narrative_core.ingest.source_kinds import KIND_NAMES, FileKind, recognise
from narrative_core.records import Problem

MAX_BYTES = 200_000_000
MAX_ROWS = 200_000


class _Reader(Protocol):
    def __call__(self, text: str, *, max_rows: int, delimiter: str | None = None) -> ReadRows: ...


_READERS: Mapping[FileKind, _Reader] = {
    "csv": read_delimited,
    "json": read_json,
    "jsonl": read_json_lines,
    "bibtex": read_bibtex,
    "ris": read_ris,
}
TEXT_KINDS = frozenset(_READERS)
PLAIN_KINDS: frozenset[FileKind] = frozenset(["zip", "folder", "files"])
"""Kinds whose readers leave out the HTML themselves: what looks like it afterwards is what the text is about."""


@dataclass(frozen=True, slots=True)
class RawTable:
    """The rows of a file, every value exactly as given.

    ``rows[i]`` has one value per column and is data row ``row_numbers[i]``, counted from 1 · ``problems`` names the
    rows that could not be read at all, ``remarks`` those that were read with a doubt · ``encoding`` and ``delimiter``
    ("" where there is none), ``kind``, ``sheet`` and ``sheets`` (of a workbook: the one that was read, and all of
    them) say how the file was understood · ``notices`` are sentences about the file as a whole, to be shown before
    anything is stored · ``vectors`` {name: (rows, d) float32, a row of nan where there is none} are columns of
    numbers that a Parquet file holds; they are not among ``columns``.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    row_numbers: tuple[int, ...]
    encoding: str
    delimiter: str
    kind: FileKind
    problems: tuple[Problem, ...] = ()
    remarks: tuple[Problem, ...] = ()
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    vectors: Mapping[str, NDArray[np.float32]] = field(default_factory=dict, compare=False)

    @property
    def n_read(self) -> int:
        """How many data rows the file has, readable or not."""
        return len(self.rows) + len(self.problems)

    def values(self, column: str) -> tuple[str, ...]:
        """Return one column, an empty string per row for the column ""."""
        if not column:
            return ("",) * len(self.rows)
        position = self.columns.index(column)
        return tuple(row[position] for row in self.rows)


def read_table(
    data: bytes,
    filename: str,
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    max_bytes: int = MAX_BYTES,
    max_rows: int = MAX_ROWS,
) -> RawTable:
    r"""Return the rows of a file that is text: CSV, JSON, JSON lines, BibTeX or RIS.

    `narrative_core.ingest.sources.read_source` reads these and every other kind.

    Parameters
    ----------
    data : bytes
        The whole file.
    filename : str
        What it is called; its content says what it is, its suffix where that is not certain.
    encoding, delimiter : str, optional
        Override what is detected.
    max_bytes, max_rows : int
        A larger file is refused.

    Returns
    -------
    RawTable
        At least one row; rows that cannot be read are in ``problems``.

    Raises
    ------
    InvalidInput
        If the file is too large, empty, binary, has a header only, or not one readable row.

    Examples
    --------
    >>> read_table(b"title,text\nBridge,The bridge is open.\n", "news.csv").rows
    (('Bridge', 'The bridge is open.'),)
    """
    if len(data) > max_bytes:
        raise InvalidInput(
            f"a file may have at most {max_bytes / 1e6:,.1f} MB; {filename} has {len(data) / 1e6:,.1f} MB. "
            "Split it or take a sample."
        )
    decoded = decode(data, filename, encoding=encoding)
    recognised = recognise(data, filename, delimiter=delimiter)
    read = _READERS.get(recognised.kind)
    if read is None:
        raise InvalidInput(f"{filename} must be a table of text; it is {KIND_NAMES[recognised.kind]}.")
    found = read(decoded.text, max_rows=max_rows, delimiter=delimiter)
    notices = (recognised.notice, *found.notices) if recognised.notice else found.notices
    name = _encoding_name(decoded.encoding, decoded.n_unreadable)
    return assemble(replace(found, encoding=name, notices=notices), recognised.kind, filename)


def assemble(found: ReadRows, kind: FileKind, filename: str) -> RawTable:
    """Return what a reader found as a table.

    Raises
    ------
    InvalidInput
        If there is no row.
    """
    collected = found.collected
    if not collected.rows:
        raise InvalidInput(_no_rows(filename, found))
    return RawTable(
        columns=found.columns,
        rows=tuple(collected.rows),
        row_numbers=tuple(collected.row_numbers),
        encoding=found.encoding,
        delimiter=found.delimiter,
        kind=kind,
        problems=tuple(collected.problems),
        remarks=tuple(collected.remarks),
        sheet=found.sheet,
        sheets=found.sheets,
        notices=found.notices,
        vectors=found.vectors,
    )


def _no_rows(filename: str, found: ReadRows) -> str:
    problems = found.collected.problems
    if problems:
        return (
            f"{filename} must have rows that can be read; none of its {len(problems):,} can. "
            f"Row {problems[0].row}: {problems[0].reason}."
        )
    return f"{filename} must have rows below the names of its columns; it has none. Choose another file."


def _encoding_name(encoding: str, n_unreadable: int) -> str:
    return f"{encoding} ({n_unreadable:,} unreadable bytes)" if n_unreadable else encoding
