"""What is understood of a file before anything of it is stored: for a person to confirm, or to put right."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

from narrative_core.errors import InvalidInput
from narrative_core.ingest.columns import ColumnChoice
from narrative_core.ingest.date_column import read_date_column
from narrative_core.ingest.dates import DateFormat, DateOrder, describe_date, detect_date_format, parse_date
from narrative_core.ingest.documents import build_documents
from narrative_core.ingest.markup import has_markup
from narrative_core.ingest.scripts import script_shares
from narrative_core.ingest.source_kinds import FileKind
from narrative_core.ingest.tables import PLAIN_KINDS, RawTable
from narrative_core.ingest.vector_columns import read_vector_column
from narrative_core.records import Document

N_PREVIEWED: Final = 3
_N_EXAMPLES: Final = 3
_EXAMPLE_LENGTH: Final = 60
_PREVIEW_ROWS: Final = 12
_MARKUP_ROWS: Final = 500
_MARKUP_CHARACTERS: Final = 4_000


@dataclass(frozen=True, slots=True)
class PartFound:
    """A part of a document ("title"), its column, how many rows have a value there, and the first such value."""

    part: str
    column: str
    n_filled: int
    example: str


@dataclass(frozen=True, slots=True)
class TwoReadings:
    """A date as given, and the two dates that it can be; "" where it cannot be read in that order."""

    given: str
    day_first: str
    month_first: str


@dataclass(frozen=True, slots=True)
class DatesFound:
    """How the dates of a column are read.

    ``readings`` are of up to three dates, and there where nothing tells the day from the month · ``unreadable`` up to
    three values that are no date · ``n_empty`` rows that have none.
    """

    format: DateFormat
    readings: tuple[TwoReadings, ...]
    unreadable: tuple[str, ...]
    n_empty: int


@dataclass(frozen=True, slots=True)
class VectorsFound:
    """Vectors in a column of the file: how many rows have one, how many none that can be used, and why one has not."""

    column: str
    n_dimensions: int
    n_read: int
    n_failed: int
    reason: str = ""

    @property
    def is_used(self) -> bool:
        """Whether every row has one; where a kept row is without, the model reads all texts."""
        return not self.n_failed


@dataclass(frozen=True, slots=True)
class Understanding:
    """What is understood of a file.

    ``extras`` are the columns that are no part of a document and are kept · ``vectors_fault`` why the column of vectors
    has none · ``has_markup`` whether HTML will be left out · ``scripts`` shares of letters, see `script_shares` ·
    ``preview`` the first documents as they will look.
    """

    kind: FileKind
    encoding: str
    delimiter: str
    sheet: str
    sheets: tuple[str, ...]
    n_rows: int
    n_unreadable: int
    parts: tuple[PartFound, ...]
    extras: tuple[str, ...]
    dates: DatesFound | None
    vectors: VectorsFound | None
    vectors_fault: str
    has_markup: bool
    scripts: Mapping[str, float]
    notices: tuple[str, ...]
    preview: tuple[Document, ...]

    @property
    def needs_order(self) -> bool:
        """Whether a person must say which comes first, the day or the month."""
        return self.dates is not None and self.dates.format.is_ambiguous


def understand(table: RawTable, choice: ColumnChoice, *, date_order: DateOrder | None = None) -> Understanding:
    """Return what is understood of a table with a choice of its columns.

    Parameters
    ----------
    table : RawTable
    choice : ColumnChoice
        As `check_columns` lets it through.
    date_order : {"day first", "month first"}, optional
        As a person chose it.

    Raises
    ------
    InvalidInput
        If the choice does not fit the table.

    Examples
    --------
    >>> from narrative_core.ingest.columns import detect_columns
    >>> from narrative_core.ingest.tables import read_table
    >>> table = read_table(b"headline,date,desk\\nBridge opens,02/03/2021,City\\n", "f.csv")
    >>> found = understand(table, detect_columns(table))
    >>> found.needs_order, found.extras
    (True, ('desk',))
    """
    dates = detect_date_format(table.values(choice.date)) if choice.date else None
    preview = _preview(table, choice, dates, date_order)
    vectors, fault = _vectors(table, choice.vectors)
    return Understanding(
        kind=table.kind,
        encoding=table.encoding,
        delimiter=table.delimiter,
        sheet=table.sheet,
        sheets=table.sheets,
        n_rows=table.n_read,
        n_unreadable=len(table.problems),
        parts=tuple(_part(table, part, column) for part, column in choice.chosen().items() if column in table.columns),
        extras=tuple(column for column in table.columns if column not in choice.chosen().values()),
        dates=_dates(table.values(choice.date), dates, date_order) if dates else None,
        vectors=vectors,
        vectors_fault=fault,
        has_markup=_has_markup(table, choice),
        scripts=script_shares(_texts(table, choice)),
        notices=table.notices,
        preview=preview,
    )


def understanding_facts(found: Understanding) -> dict[str, Any]:
    """Return what is understood as plain values, for JSON."""
    dates, vectors = found.dates, found.vectors
    return {
        "kind": found.kind,
        "encoding": found.encoding,
        "delimiter": found.delimiter,
        "sheet": found.sheet,
        "sheets": list(found.sheets),
        "rows": found.n_rows,
        "unreadable_rows": found.n_unreadable,
        "columns": {part.part: part.column for part in found.parts},
        "further_columns": list(found.extras),
        "dates": None
        if dates is None
        else {
            "format": dates.format.name,
            "order": dates.format.order,
            "is_ambiguous": dates.format.is_ambiguous,
            "examples": [{"given": one.given, "understood": one.understood} for one in dates.format.examples],
            "readable": dates.format.n_readable,
            "unreadable": dates.format.n_unreadable,
            "empty": dates.n_empty,
        },
        "vectors": None
        if vectors is None
        else {
            "column": vectors.column,
            "dimensions": vectors.n_dimensions,
            "rows": vectors.n_read,
            "failed": vectors.n_failed,
        },
        "has_html": found.has_markup,
        "scripts": {script: round(share, 3) for script, share in found.scripts.items()},
        "notices": list(found.notices),
    }


def _part(table: RawTable, part: str, column: str) -> PartFound:
    filled = [value for value in table.values(column) if value.strip()]
    return PartFound(part, column, len(filled), _example(filled[0]) if filled else "")


def _example(value: str) -> str:
    line = " ".join(value[: 4 * _EXAMPLE_LENGTH].split())
    return line if len(line) <= _EXAMPLE_LENGTH else line[:_EXAMPLE_LENGTH].rstrip() + "…"


def _dates(values: tuple[str, ...], found: DateFormat, order: DateOrder | None) -> DatesFound:
    column = read_date_column(values, date_order=order or ("day first" if found.is_ambiguous else None))
    given = dict.fromkeys(value.strip() for value in values if value.strip())
    unreadable = (_example(value) for value in given if found.n_unreadable and column.read(value).parsed is None)
    examples = [example.given for example in found.examples] if found.is_ambiguous else []
    return DatesFound(
        format=found,
        readings=tuple(TwoReadings(one, _read(one, "day first"), _read(one, "month first")) for one in examples),
        unreadable=tuple(islice(unreadable, _N_EXAMPLES)),
        n_empty=sum(not value.strip() for value in values),
    )


def _read(value: str, order: DateOrder) -> str:
    parsed = parse_date(value, order) or parse_date(value, "mixed")
    return describe_date(parsed.date, parsed.precision) if parsed else ""


def _vectors(table: RawTable, column: str) -> tuple[VectorsFound | None, str]:
    """Return (vectors of a column, why it has none)."""
    if not column:
        return None, ""
    try:
        found = read_vector_column(table, column)
    except InvalidInput as fault:
        return None, str(fault)
    first = min(found.faults, default=-1)
    reason = f"row {table.row_numbers[first]}: {found.faults[first]}" if found.faults else ""
    n_failed = len(found.faults)
    return VectorsFound(column, found.n_dimensions, len(found.values) - n_failed, n_failed, reason), ""


def _has_markup(table: RawTable, choice: ColumnChoice) -> bool:
    if table.kind in PLAIN_KINDS:
        return False
    positions = [table.columns.index(column) for column in (choice.title, choice.text) if column]
    rows = table.rows[:_MARKUP_ROWS]
    return any(has_markup(row[position][:_MARKUP_CHARACTERS]) for row in rows for position in positions)


def _texts(table: RawTable, choice: ColumnChoice) -> Iterator[str]:
    """Yield titles with their texts from all over the file, as it may be in order of language."""
    positions = [table.columns.index(column) for column in (choice.title, choice.text) if column]
    step = max(1, len(table.rows) // _MARKUP_ROWS)
    return (" ".join(row[position] for position in positions) for row in table.rows[::step])


def _preview(
    table: RawTable, choice: ColumnChoice, dates: DateFormat | None, order: DateOrder | None
) -> tuple[Document, ...]:
    """Return the first documents; a date that can be read either way is as given until a person has chosen."""
    opening = replace(
        table, rows=table.rows[:_PREVIEW_ROWS], row_numbers=table.row_numbers[:_PREVIEW_ROWS], problems=(), remarks=()
    )
    wanted = replace(choice, vectors="")
    if dates is None or not dates.is_ambiguous or order is not None:
        read_as = order or (dates.order if dates else None)
        return build_documents(opening, wanted, date_order=read_as).documents[:N_PREVIEWED]
    documents = build_documents(opening, replace(wanted, date="")).documents[:N_PREVIEWED]
    return tuple(replace(document, date_text=document.extras.get(choice.date, "")) for document in documents)
