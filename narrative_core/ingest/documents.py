"""Rows to documents: identified, dated, cleaned, in position order, and an account of every row."""

import datetime as dt
import re
from collections.abc import Container, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput
from narrative_core.ingest.columns import ColumnChoice, check_columns
from narrative_core.ingest.date_column import DateColumn, read_date_column
from narrative_core.ingest.dates import DateOrder
from narrative_core.ingest.identities import Identifiers
from narrative_core.ingest.markup import has_markup, strip_markup
from narrative_core.ingest.plain_text import clean_line, clean_text, opening_words
from narrative_core.ingest.tables import PLAIN_KINDS, RawTable
from narrative_core.ingest.vector_columns import VectorColumn, read_vector_column
from narrative_core.records import Document, LoadReport, Problem

TITLE_LIMIT = 80
CONTENT: Final = ("title", "text", "date", "source")
"""Parts by which a document without an identifier is known."""

PARTS: Final = (*CONTENT, "url")
"""All parts of a document but its identifier; what is in no part is in its extras."""

MAX_CHARACTERS = 2_000_000
"""Of one value, some 350,000 words; what is longer is cut, and said so."""

_SAID_ALREADY: Final = "the same title, text, date, source, address and further columns as"
_PLACES: Final = frozenset(("folder", "file"))
"""Columns of documents in files that say where one lies, and nothing of what it says."""

_MAX_WITH_MARKUP = 4 * MAX_CHARACTERS
_LINK = re.compile(r"https?://[^\s/?#]+\S*", re.IGNORECASE)
_DOI = re.compile(r"(?:doi:\s*)?(10\.\d{4,9}/\S+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, eq=False)
class Loaded:
    """Documents in position order, their vectors (kept, d) if the user brought some, and what became of every row.

    ``made_ids`` are those of documents whose row has none: they are made of the number of the row · ``columns`` are all
    that the file has, those without a part among them · ``has_paths`` says that ids are paths of files, which are
    others where the folder was packed or moved.
    """

    documents: tuple[Document, ...]
    vectors: NDArray[np.float32] | None
    report: LoadReport
    made_ids: frozenset[str] = frozenset()
    columns: frozenset[str] = frozenset()
    has_paths: bool = False


@dataclass(frozen=True, slots=True)
class _Row:
    """A data row on its way to a document: its place in the table, its number in the file, and remarks on it."""

    index: int
    number: int
    document: Document
    remarks: tuple[str, ...]
    has_made_id: bool = False


def build_documents(
    table: RawTable,
    choice: ColumnChoice,
    *,
    date_order: DateOrder | None = None,
    vectors: NDArray[np.float32] | None = None,
    keeps_markup: bool = False,
    keeps_repeats: bool = False,
) -> Loaded:
    """Return the documents of a table.

    Identifiers are those of their column, or ``d00001`` by row; one that comes again with another content gets a number
    ("x-2"). A row that says what an earlier one says is a duplicate, whatever its identifier, and dropped, as is a row
    with neither title nor text; a file says the same wherever it lies. A missing title is made of the opening words.
    Columns without a part go into ``extras``. HTML is left out of titles, texts and extras, and a value of more than
    2,000,000 characters is cut. The vectors of the chosen column are used if every kept row has one.

    Parameters
    ----------
    table : RawTable
    choice : ColumnChoice
    date_order : {"day first", "month first"}, optional
        Needed where the dates do not tell the day from the month.
    vectors : ndarray, shape (n_read, d), optional
        Row i is of data row i + 1, as `read_vectors` checks. They go before those of a chosen column.
    keeps_markup : bool
        For texts that are known to have no HTML, so that what looks like it stays, as in files of documents.
    keeps_repeats : bool
        For files in which each row is known to be a document of its own, whatever it has in common with another.

    Returns
    -------
    Loaded
        Documents by date, then as given, undated last; vectors in the same order. There may be no document at all.

    Raises
    ------
    InvalidInput
        If the choice does not fit, the order of day and month must be chosen, the vectors are of other rows, or the
        column of vectors has none.
    """
    check_columns(table, choice)
    if vectors is not None and len(vectors) != table.n_read:
        raise InvalidInput(f"vectors must have one row per data row; got {len(vectors)} for {table.n_read} rows.")
    own = read_vector_column(table, choice.vectors) if choice.vectors and vectors is None else None
    dates = read_date_column(table.values(choice.date), date_order=date_order)
    identifiers = Identifiers(clean_line(value) for value in table.values(choice.document_id))
    keeps_markup = keeps_markup or table.kind in PLAIN_KINDS
    rows = _read_rows(table, choice, dates, keeps_markup=keeps_markup)
    telling = frozenset(table.columns) - (_PLACES if table.kind in PLAIN_KINDS else frozenset())
    kept, duplicates, empty = _sorted_out(rows, identifiers, telling, keeps_repeats=keeps_repeats)
    kept.sort(key=lambda row: (row.document.date is None, row.document.date or dt.date.min))
    if own is not None:
        vectors, kept = _from_column(own, kept)
    elif vectors is not None:
        vectors = vectors[[row.number - 1 for row in kept]]
    return Loaded(
        documents=tuple(row.document for row in kept),
        vectors=vectors,
        report=LoadReport(
            read=table.n_read,
            kept=len(kept),
            undated=sum(row.document.date is None for row in kept),
            duplicates=len(duplicates),
            dropped=len(empty) + len(table.problems),
            problems=_in_row_order(table.problems, table.remarks, empty, duplicates, _remarks(kept)),
            encoding=table.encoding,
            delimiter=table.delimiter,
            date_format=dates.name,
            columns=choice.chosen(),
            notices=table.notices,
        ),
        made_ids=frozenset(row.document.document_id for row in kept if row.has_made_id),
        columns=frozenset(table.columns),
        has_paths=table.kind in PLAIN_KINDS and bool(choice.document_id),
    )


def content(document: Document, parts: Iterable[str], columns: Container[str]) -> Hashable:
    """Return what a document says in some parts and in the extras of some columns, to be compared with another.

    A date that was read is its day and precision, however it is written.

    Examples
    --------
    >>> day = dt.date(2021, 7, 11)
    >>> one, other = (Document("a", "Flood", "", day, wording, "day") for wording in ("2021-07-11", "7/11/2021"))
    >>> content(one, CONTENT, ()) == content(other, CONTENT, ())
    True
    """
    extras = frozenset((name, value) for name, value in document.extras.items() if name in columns)
    return (*(_sense(document, part) for part in parts), extras)


def made_title(text: str) -> str:
    """Return the title of a document that has none: its opening words."""
    return opening_words(text, limit=TITLE_LIMIT)


def _sorted_out(
    rows: Iterable[_Row], identifiers: Identifiers, columns: Container[str], *, keeps_repeats: bool
) -> tuple[list[_Row], list[Problem], list[Problem]]:
    """Return the rows that are kept, the duplicates, and those without a title and a text."""
    first_rows: dict[Hashable, int] = {}
    kept: list[_Row] = []
    duplicates: list[Problem] = []
    empty: list[Problem] = []
    for row in rows:
        if not row.document.title and not row.document.text:
            empty.append(Problem(row.number, "neither title nor text; dropped"))
            continue
        said = content(row.document, PARTS, columns)
        if not keeps_repeats and (first := first_rows.setdefault(said, row.number)) != row.number:
            duplicates.append(Problem(row.number, f"{_SAID_ALREADY} row {first}; dropped"))
        else:
            kept.append(_completed(row, identifiers))
    return kept, duplicates, empty


def _read_rows(table: RawTable, choice: ColumnChoice, dates: DateColumn, *, keeps_markup: bool) -> Iterator[_Row]:
    parts = choice.chosen()
    others = [column for column in table.columns if column not in parts.values()]
    clean = _Cleaner(keeps_markup)
    for index, (number, row) in enumerate(zip(table.row_numbers, table.rows, strict=True)):
        values = dict(zip(table.columns, row, strict=True))
        given = {part: values.get(column, "") for part, column in parts.items()}
        remarks = _damage(row)
        extras = {column: value for column in others if (value := clean(values[column], column, remarks))}
        url, remark = _read_link(clean_line(given.get("url", "")))
        if remark:
            remarks.append(remark)
            extras[choice.url] = clean_text(given["url"])
        dated = dates.read(given.get("date", ""))
        if choice.date and dated.remark:
            remarks.append(dated.remark)
        document = Document(
            document_id=clean_line(given.get("document_id", "")),
            title=clean_line(clean(given.get("title", ""), "title", remarks)),
            text=clean(given.get("text", ""), "text", remarks),
            date=dated.parsed.date if dated.parsed else None,
            date_text=clean_line(given.get("date", "")),
            date_precision=dated.parsed.precision if dated.parsed else None,
            source=clean_line(clean(given.get("source", ""), "source", remarks)),
            url=url,
            extras=extras,
        )
        yield _Row(index, number, document, tuple(remarks))


class _Cleaner:
    """Cleans values, and remarks on what is cut off and on the first one that has HTML."""

    def __init__(self, keeps_markup: bool) -> None:
        self._keeps_markup = keeps_markup
        self._has_told = False

    def __call__(self, value: str, name: str, remarks: list[str]) -> str:
        """Return a value as it is kept."""
        if not value:
            return ""
        read = value[:_MAX_WITH_MARKUP]
        if not self._keeps_markup and has_markup(read):
            read = strip_markup(read)
            if not self._has_told:
                remarks.append("HTML is left out of the text here, and wherever else it stands in the file")
                self._has_told = True
        cleaned = clean_text(read)
        if len(value) > _MAX_WITH_MARKUP or len(cleaned) > MAX_CHARACTERS:
            remarks.append(
                f'"{name}" has {len(value):,} characters; the first {min(len(cleaned), MAX_CHARACTERS):,} are kept'
            )
        return cleaned[:MAX_CHARACTERS]


def _from_column(column: VectorColumn, kept: list[_Row]) -> tuple[NDArray[np.float32] | None, list[_Row]]:
    """Return the vectors of the kept rows, ``None`` where one of them has none, and the rows with remarks on that."""
    n_faulty = sum(row.index in column.faults for row in kept)
    if not n_faulty:
        return column.values[[row.index for row in kept]], kept
    unused = f"so the vectors of the file are not used ({n_faulty:,} of {len(kept):,} rows have none)"
    told = [
        replace(row, remarks=(*row.remarks, f"no vector: {column.faults[row.index]}; {unused}"))
        if row.index in column.faults
        else row
        for row in kept
    ]
    return None, told


def _damage(row: tuple[str, ...]) -> list[str]:
    remarks = []
    if any("\0" in value for value in row):
        remarks.append("contains NUL characters; they are left out")
    if any("\ufffd" in value for value in row):
        remarks.append("contains characters that could not be read (shown as \ufffd)")
    return remarks


def _read_link(value: str) -> tuple[str, str]:
    """Return (address, remark): a bare DOI becomes its address, anything else that is not http(s) is no address."""
    if not value or _LINK.fullmatch(value):
        return value, ""
    if doi := _DOI.fullmatch(value):
        return f"https://doi.org/{doi[1]}", ""
    return "", f'the link "{value[:60]}" is not an http or https address; kept as an extra'


def _sense(document: Document, part: str) -> Hashable:
    if part == "date":
        return (document.date, document.date_precision) if document.date else document.date_text
    said: str = getattr(document, part)
    return said


def _completed(row: _Row, identifiers: Identifiers) -> _Row:
    document = row.document
    identifier = identifiers.claim(document.document_id, row.number)
    remarks = row.remarks
    if document.document_id and identifier != document.document_id:
        owner = identifiers.owner(document.document_id)
        remarks += (f'the identifier "{document.document_id}" is that of row {owner}; kept as "{identifier}"',)
    title = document.title or made_title(document.text)
    completed = replace(document, document_id=identifier, title=title)
    return replace(row, document=completed, remarks=remarks, has_made_id=not document.document_id)


def _remarks(rows: list[_Row]) -> Iterator[Problem]:
    return (Problem(row.number, remark) for row in rows for remark in row.remarks)


def _in_row_order(*problems: Iterable[Problem]) -> tuple[Problem, ...]:
    return tuple(sorted(chain(*problems), key=lambda problem: problem.row))
