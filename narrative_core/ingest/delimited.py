"""CSV: rows of values between delimiters, some in quotation marks."""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

from narrative_core.errors import InvalidInput
from narrative_core.ingest.raw_rows import ReadRows, RowCollector, check_shape, distinct_names

DELIMITERS = (",", ";", "\t", "|")
_DELIMITER_NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_DELIMITER_LINE = re.compile(r'(?P<quote>"?)sep=(?P<mark>[^"\0\r\n])(?P=quote)(?:\r\n?|\n|\Z)', re.IGNORECASE)
"""The first line by which a file tells Excel its delimiter."""
_NOT_IN_ANY_TEXT = ("\x1f", "\x1e", "\x1d", "\x1c", "\ue000", "\uf8ff", "\U0010fffd")
_SAMPLE_CHARACTERS = 1 << 18
_SAMPLE_RECORDS = 200
_MAX_OPEN_QUOTES = 20
_NEARLY_EVERY = 0.8
_UNCLOSED = "a quotation mark opens a value in this row and is never closed"
_DOUBTFUL = "a value over several lines has single quotation marks inside; rows may have been read as one, check it"

# The module's own limit of 131,072 characters a value is shorter than a long article; the file's size is limited.
csv.field_size_limit(2**31 - 1)


@dataclass(frozen=True, slots=True)
class _Record:
    """One record; ``is_closed`` and ``is_clean`` say whether its quotation marks are closed, and doubled inside."""

    values: list[str]
    is_closed: bool = True
    is_clean: bool = True


def read_delimited(text: str, *, max_rows: int, delimiter: str | None = None) -> ReadRows:
    """Return the rows of a CSV text, each value exactly as written.

    The first row that is not blank names the columns; blank lines are no rows, nor is a first line ``sep=;`` (for
    Excel). A row with too many values is a problem, one with too few is filled up and remarked on. A quotation mark
    that is never closed costs its own line only: reading goes on after it.

    Parameters
    ----------
    text : str
    max_rows : int
        More data rows than that are refused.
    delimiter : str, optional
        One character; by default the one that the first line names, else the one of ``DELIMITERS`` that fits best.

    Raises
    ------
    InvalidInput
        If there are too many rows or columns, too many unclosed quotation marks, or one in the first row.
    """
    told = _DELIMITER_LINE.match(text)
    if told is not None:
        text = text[told.end() :]
        delimiter = told["mark"] if delimiter is None else delimiter
    delimiter = sniff_delimiter(text) if delimiter is None else delimiter
    separator = delimiter or next(mark for mark in _NOT_IN_ANY_TEXT if mark not in text)
    records = _records(text, separator)
    header = next(records, _Record([]))
    if not header.is_closed:
        raise InvalidInput(f"the first row must name the columns; {_UNCLOSED}. Close it and try again.")
    columns = distinct_names(header.values)
    check_shape(0, len(columns))
    collected = RowCollector(max_rows)
    for record in records:
        if record.is_closed:
            _collect(record, len(columns), delimiter, collected)
        else:
            collected.reject(_UNCLOSED)
    return ReadRows(columns, collected, delimiter)


def sniff_delimiter(text: str) -> str:
    r"""Return the delimiter that cuts the header into columns and most rows into just as many; "" for a single column.

    Examples
    --------
    >>> sniff_delimiter("title;text\nA bridge, at last;The town, the river, the money\n")
    ';'
    """
    sample = text[:_SAMPLE_CHARACTERS]
    scores = {delimiter: _fit(sample, delimiter, is_cut=len(sample) < len(text)) for delimiter in DELIMITERS}
    best = max(DELIMITERS, key=lambda delimiter: scores[delimiter])
    return best if scores[best] > (0.0, 0) else ""


def has_columns(text: str) -> bool:
    r"""Whether a text is a table rather than prose: it says so, or one delimiter cuts nearly every line alike.

    Examples
    --------
    >>> has_columns("id,title\n1,Bridge\n"), has_columns("The bridge, old as it is\n\nIt is open.\n")
    (True, False)
    """
    if _DELIMITER_LINE.match(text):
        return True
    sample = text[:_SAMPLE_CHARACTERS]
    fits = (_fit(sample, delimiter, is_cut=len(sample) < len(text))[0] for delimiter in DELIMITERS)
    return sum(bool(line.strip()) for line in sample.splitlines()) > 1 and max(fits) >= _NEARLY_EVERY


def _fit(sample: str, delimiter: str, *, is_cut: bool) -> tuple[float, int]:
    """Return (share of rows as wide as the header, its width), zeros where the header is one column."""
    reader = csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter)
    records = [record for record, _ in zip(reader, range(_SAMPLE_RECORDS), strict=False) if record]
    if is_cut and len(records) > 2:
        records.pop()
    width = len(records[0]) if records else 0
    if width < 2:
        return 0.0, 0
    same = sum(len(record) == width for record in records[1:])
    return (1 + same) / len(records), width


def _records(text: str, separator: str) -> Iterator[_Record]:
    """Yield each record that is not blank, and each line whose quotation mark never closes."""
    lines = list(io.StringIO(text, newline=""))
    start = n_unclosed = 0
    while start < len(lines):
        reader = csv.reader(lines[start:], delimiter=separator)
        offset, line = start, start
        start = len(lines)
        for values in reader:
            first, line = line, offset + reader.line_num
            if line == len(lines) and _is_unclosed(lines[first:], separator):
                yield _Record(values, is_closed=False)
                n_unclosed += 1
                start = first + 1
                break
            if values:
                yield _Record(values, is_clean=line == first + 1 or _is_clean(lines[first:line], separator))
        if n_unclosed > _MAX_OPEN_QUOTES:
            raise InvalidInput(
                f"every quotation mark that opens a value must be closed; more than {_MAX_OPEN_QUOTES} are not. "
                'Save the file again with all values quoted, and quotation marks inside them doubled ("").'
            )


def _is_unclosed(lines: list[str], separator: str) -> bool:
    """Whether the only record of these lines would swallow one line more."""
    return len(list(csv.reader([*lines, "one line more"], delimiter=separator))) == 1


def _is_clean(lines: list[str], separator: str) -> bool:
    try:
        list(csv.reader(lines, delimiter=separator, strict=True))
    except csv.Error:
        return False
    return True


def _collect(record: _Record, width: int, delimiter: str, collected: RowCollector) -> None:
    values = record.values[:width] if not any(record.values[width:]) else record.values
    remark = "" if record.is_clean else _DOUBTFUL
    if len(values) > width:
        marks = _DELIMITER_NAMES.get(delimiter, "the delimiter")
        collected.reject(f"{len(values)} values for {width} columns; values that contain {marks} must be in quotes")
    elif len(values) < width:
        remark = remark or f"only {len(values)} of {width} values; the missing ones are taken as empty"
        check_shape(len(collected.rows) + 1, width)
        collected.keep((*values, *[""] * (width - len(values))), remark)
    else:
        collected.keep(tuple(values), remark)
