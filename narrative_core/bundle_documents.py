"""The documents of a bundle, every one of them or none.

``documents.csv``, which a person can read and change, comes through the door that all documents come through.
``documents.jsonl``, which a project file has in its place, holds them as they were stored, with the report of their
loading in ``load_report.json``.
"""

import csv
import datetime as dt
import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from narrative_core.bundle import ABOUT, DOCUMENT_COLUMNS, WORDING
from narrative_core.bundle_files import MOST_BYTES, place, read_file, read_object, read_objects
from narrative_core.document_record import document_json, read_document
from narrative_core.errors import InvalidInput
from narrative_core.ingest.columns import ColumnChoice
from narrative_core.ingest.documents import build_documents
from narrative_core.ingest.plain_text import clean_line
from narrative_core.ingest.tables import RawTable, read_table
from narrative_core.json_fields import AGAIN, Fields, json_bytes
from narrative_core.records import Document, LoadReport, Problem

EXACT, REPORT = "documents.jsonl", "load_report.json"
_CHOICE = ColumnChoice(title="title", text="text", date="date", source="source", url="url", document_id="id")
_DATE, _N_STANDARD = DOCUMENT_COLUMNS.index("date"), len(DOCUMENT_COLUMNS)


def read_documents(folder: Path) -> tuple[tuple[Document, ...], LoadReport]:
    """Return the documents of a bundle and the report of their loading.

    Parameters
    ----------
    folder : Path
        As `write_bundle` wrote it, or with the two files of `write_exact_documents` in place of documents.csv.

    Returns
    -------
    documents, report
        Document i is row i of the file: the arrays of a bundle have its rows.

    Raises
    ------
    InvalidInput
        If documents.csv is missing, damaged, or has a row that would not come in as it stands: one without a
        title and a text, an id that repeats, a date that is none, or one out of its place in time; or if both kinds of
        documents are there.
    """
    path = folder / "documents.csv"
    data, lines = read_file(path), read_objects(folder / EXACT)
    if lines is not None:
        if data is not None:
            raise InvalidInput(f"{folder.absolute().name} has documents.csv and {EXACT}. Remove the one not meant.")
        return _exact_documents(lines, place(folder / EXACT)), _read_report(folder)
    if data is None:
        raise InvalidInput(f"{folder} has no documents.csv. Name a folder that an export wrote, or a file.")
    table, header = _table(data, place(path))
    has_wording = _has_wording(folder, header)
    first = _N_STANDARD + has_wording
    # The door tells columns of one name apart by numbers; here they get their own names back.
    names = dict(zip(table.columns[first:], header[first:], strict=True))
    if len(set(names.values())) < len(names):
        raise InvalidInput(f"{place(path)} must have each extra column once; one is there twice. {AGAIN}")
    wordings = [clean_line(row[_N_STANDARD]) if has_wording else None for row in table.rows]
    loaded = build_documents(
        _without_wording(table) if has_wording else table,
        _CHOICE,
        date_order="day first",
        keeps_markup=True,
        keeps_repeats=True,
    )
    report = loaded.report
    if report.kept != report.read:
        problem = next(problem for problem in report.problems if problem.reason.endswith("dropped"))
        raise InvalidInput(
            f"{place(path)} has {report.read:,} rows, of which {report.dropped:,} cannot be kept "
            f"(row {problem.row}: {problem.reason}); its other files have all rows. "
            "Import documents.csv itself as a file, and build anew."
        )
    _require_as_given(loaded.documents, table, place(path))
    pairs = zip(loaded.documents, wordings, strict=True)
    return tuple(_restored(document, wording, names) for document, wording in pairs), report


def write_exact_documents(folder: Path, documents: Sequence[Document], report: LoadReport) -> None:
    """Write documents and the report of their loading as they are, in place of documents.csv.

    Raises
    ------
    InvalidInput
        If a text is not valid Unicode.
    """
    (folder / EXACT).write_bytes(b"".join(json_bytes(document_json(document)) for document in documents))
    (folder / REPORT).write_bytes(json_bytes(asdict(report)))
    (folder / "documents.csv").unlink(missing_ok=True)


def _exact_documents(lines: Sequence[Fields], where: str) -> tuple[Document, ...]:
    documents = tuple(map(read_document, lines))
    if len({document.document_id for document in documents}) != len(documents):
        raise InvalidInput(f"{where} must have each id once; one is there twice. {AGAIN}")
    days = [document.date or dt.date.max for document in documents]
    if days != sorted(days):
        raise InvalidInput(f"{where} must stand in order of dates, undated documents last; it does not. {AGAIN}")
    return documents


def _read_report(folder: Path) -> LoadReport:
    told = read_object(folder / REPORT)
    if told is None:
        raise InvalidInput(f"{place(folder / REPORT)} is missing. {AGAIN}")
    told = told.over({"notices": []})
    return LoadReport(
        read=told.whole("read"),
        kept=told.whole("kept"),
        undated=told.whole("undated"),
        duplicates=told.whole("duplicates"),
        dropped=told.whole("dropped"),
        problems=tuple(
            Problem(one.whole("row", most=2**63 - 1), one.text("reason")) for one in told.inners("problems")
        ),
        encoding=told.text("encoding"),
        delimiter=told.text("delimiter"),
        date_format=told.text("date_format"),
        columns=told.texts_by_name("columns"),
        notices=told.texts("notices"),
    )


def _table(data: bytes, where: str) -> tuple[RawTable, tuple[str, ...]]:
    """Return the rows, and the names of the columns as they are written."""
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{where} must be in UTF-8; it is not. {AGAIN}") from error
    table = read_table(data, where, encoding="utf-8-sig", delimiter=",", max_bytes=MOST_BYTES["documents.csv"])
    if table.columns[:_N_STANDARD] != DOCUMENT_COLUMNS:
        raise InvalidInput(f"{where} must begin with the columns {', '.join(DOCUMENT_COLUMNS)}. {AGAIN}")
    for problem in (*table.problems, *table.remarks):
        raise InvalidInput(f"{where}: row {problem.row}: {problem.reason}. {AGAIN}")
    lines = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig", newline="")  # as far as the header, no copy of all
    header = next(row for row in csv.reader(lines) if row)
    return table, tuple(header)


def _has_wording(folder: Path, header: tuple[str, ...]) -> bool:
    """Return whether the column behind the standard ones is the wording of the dates and no extra of that name."""
    is_there, about = header[_N_STANDARD : _N_STANDARD + 1] == (WORDING,), read_object(folder / ABOUT)
    if about is None or about.flag(WORDING) is False:
        return is_there and about is None
    if not is_there:
        raise InvalidInput(f"{place(folder / 'documents.csv')} must have the column {WORDING} in place 7. {AGAIN}")
    return True


def _without_wording(table: RawTable) -> RawTable:
    """Return the table without the wordings; one that is no date stands for the date that a document lacks."""

    def without(row: tuple[str, ...]) -> tuple[str, ...]:
        date = row[_DATE] if row[_DATE].strip() else row[_N_STANDARD]
        return (*row[:_DATE], date, *row[_DATE + 1 : _N_STANDARD], *row[_N_STANDARD + 1 :])

    columns = (*table.columns[:_N_STANDARD], *table.columns[_N_STANDARD + 1 :])
    return replace(table, columns=columns, rows=tuple(map(without, table.rows)))


def _require_as_given(documents: tuple[Document, ...], table: RawTable, where: str) -> None:
    rows = zip(documents, table.values("id"), table.values("date"), strict=True)
    for number, (document, document_id, date) in enumerate(rows, start=1):
        if document.document_id != clean_line(document_id):
            raise InvalidInput(
                f"{where}: row {number} must have an id of its own and stand in order of dates, undated rows last; "
                f"“{document_id[:60]}” is not where it belongs. {AGAIN}"
            )
        if document.iso_date != date.strip():
            raise InvalidInput(f"{where}: row {number} has a date “{date[:60]}”; expected 2021-05-06, 2021-05 or 2021.")


def _restored(document: Document, wording: str | None, names: Mapping[str, str]) -> Document:
    extras = {names.get(name, name): value for name, value in document.extras.items()}
    return replace(document, date_text=document.date_text if wording is None else wording, extras=extras)
