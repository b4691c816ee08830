"""A file of rows as text: CSV and JSON lines, with nothing interpreted and nothing lost."""

from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal, Protocol

from narrative_core.errors import InvalidInput
from narrative_core.ingest.delimited import read_delimited
from narrative_core.ingest.encodings import decode
from narrative_core.ingest.json_lines import read_json_lines
from narrative_core.ingest.raw_rows import ReadRows
from narrative_core.records import Problem

FileKind = Literal["csv", "jsonl"]

MAX_BYTES = 200_000_000
MAX_ROWS = 200_000


class _Reader(Protocol):
    def __call__(self, text: str, *, max_rows: int, delimiter: str | None = None) -> ReadRows: ...


_READERS: dict[FileKind, _Reader] = {"csv": read_delimited, "jsonl": read_json_lines}
_KINDS_BY_SUFFIX: dict[str, FileKind] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
}


@dataclass(frozen=True, slots=True)
class RawTable:
    """The rows of a file, every value exactly as given.

    ``rows[i]`` has one value per column and is data row ``row_numbers[i]``, counted from 1 · ``problems`` names the
    rows that could not be read at all, ``remarks`` those that were read with a doubt · ``encoding``, ``delimiter`` (""
    where there is none) and ``kind`` say how the file was understood.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    row_numbers: tuple[int, ...]
    encoding: str
    delimiter: str
    kind: FileKind
    problems: tuple[Problem, ...] = ()
    remarks: tuple[Problem, ...] = ()

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
    r"""Return the rows of a CSV or JSON-lines file.

    Parameters
    ----------
    data : bytes
        The whole file.
    filename : str
        Its suffix says what it is; without a known one, a file whose first character is ``{`` is JSON lines.
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
    kind = _kind_of(filename, decoded.text)
    found = _READERS[kind](decoded.text, max_rows=max_rows, delimiter=delimiter)
    collected = found.collected
    if not collected.rows:
        raise InvalidInput(_no_rows(filename, found))
    return RawTable(
        columns=found.columns,
        rows=tuple(collected.rows),
        row_numbers=tuple(collected.row_numbers),
        encoding=_encoding_name(decoded.encoding, decoded.n_unreadable),
        delimiter=found.delimiter,
        kind=kind,
        problems=tuple(collected.problems),
        remarks=tuple(collected.remarks),
    )


def _kind_of(filename: str, text: str) -> FileKind:
    by_content: FileKind = "jsonl" if text.lstrip().startswith("{") else "csv"
    return _KINDS_BY_SUFFIX.get(PurePath(filename).suffix.casefold(), by_content)


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
