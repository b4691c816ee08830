"""The one door for files: whatever a newsroom has becomes a table of text."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from narrative_core.ingest.archives import read_archive
from narrative_core.ingest.feeds import read_feed
from narrative_core.ingest.folders import read_folder
from narrative_core.ingest.loose_files import read_loose_files
from narrative_core.ingest.parquet import read_parquet
from narrative_core.ingest.raw_rows import ReadRows
from narrative_core.ingest.sizes import MAX_BYTES, refuse_too_large
from narrative_core.ingest.source_kinds import FileKind, named_kind, recognise
from narrative_core.ingest.tables import MAX_ROWS, TEXT_KINDS, RawTable, assemble, read_table
from narrative_core.ingest.workbooks import read_workbook
from narrative_core.records import Progress


def read_source(
    data: bytes,
    filename: str,
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    sheet: str | None = None,
    max_rows: int = MAX_ROWS,
    progress: Progress = lambda done, total: None,
) -> RawTable:
    r"""Return the rows of a file of any kind that is read.

    CSV and TSV, JSON and JSON lines, Parquet, Excel workbooks, BibTeX, RIS, RSS and Atom, zip archives of texts, web
    pages, PDFs, Word files and mails, or a single such document. The content decides what it is, the suffix where that
    is not certain; a suffix that says something else is named in ``notices``.

    Parameters
    ----------
    data : bytes
        The whole file.
    filename : str
    encoding, delimiter : str, optional
        Override what is detected in a table of text; with a delimiter a .txt is a table.
    sheet : str, optional
        Of a workbook; by default the first one with rows.
    max_rows : int
        A file with more rows is refused.
    progress : callable
        Called with (done, total) as work goes on; what it raises, such as `Cancelled`, comes out of here.

    Returns
    -------
    RawTable
        At least one row; rows that cannot be read are in ``problems``.

    Raises
    ------
    InvalidInput
        If the file is too large for the limits or the memory, empty, damaged, of no kind that is read, or has not one
        readable row.

    Examples
    --------
    >>> read_source(b'{"status": "ok", "articles": [{"title": "Bridge", "text": "It is open."}]}', "news.json").rows
    (('Bridge', 'It is open.'),)
    """
    recognised = recognise(data, filename, delimiter=delimiter)
    kind = recognised.kind
    refuse_too_large(len(data), kind, filename)
    progress(0, 1)
    if kind == "zip":
        table = read_archive(data, filename, progress=progress)
    elif kind == "files":
        table = read_loose_files([(filename, data)], filename, progress=progress)
    elif kind in TEXT_KINDS:
        table = read_table(data, filename, encoding=encoding, delimiter=delimiter, max_rows=max_rows)
    else:
        table = assemble(_BINARY[kind](data, filename, _Options(max_rows, sheet, progress)), kind, filename)
    progress(1, 1)
    if not recognised.notice or recognised.notice in table.notices:
        return table
    return replace(table, notices=(recognised.notice, *table.notices))


def read_path(
    path: Path,
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    sheet: str | None = None,
    progress: Progress = lambda done, total: None,
) -> RawTable:
    """Return the rows of a file as `read_source` does, or the documents of a folder; its size is checked first.

    Raises
    ------
    InvalidInput
        As `read_source`.
    OSError
        If it cannot be opened.
    """
    if path.is_dir():
        return read_folder(path, progress=progress)
    n_bytes, kind = path.stat().st_size, named_kind(path.name)
    if kind is not None or n_bytes > max(MAX_BYTES.values()):
        refuse_too_large(n_bytes, kind or "zip", path.name)
    data = path.read_bytes()
    return read_source(data, path.name, encoding=encoding, delimiter=delimiter, sheet=sheet, progress=progress)


@dataclass(frozen=True, slots=True)
class _Options:
    max_rows: int
    sheet: str | None
    progress: Progress


def _read_feed(data: bytes, filename: str, options: _Options) -> ReadRows:
    return read_feed(data, filename, max_rows=options.max_rows)


def _read_parquet(data: bytes, filename: str, options: _Options) -> ReadRows:
    return read_parquet(data, filename, max_rows=options.max_rows, progress=options.progress)


def _read_workbook(data: bytes, filename: str, options: _Options) -> ReadRows:
    return read_workbook(data, filename, max_rows=options.max_rows, sheet=options.sheet, progress=options.progress)


_BINARY: Mapping[FileKind, Callable[[bytes, str, _Options], ReadRows]] = {
    "feed": _read_feed,
    "parquet": _read_parquet,
    "xlsx": _read_workbook,
}
