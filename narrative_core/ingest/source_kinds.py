"""What kind of file it is: its content decides where that is certain, its suffix where it is not."""

import json
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import PurePath
from typing import Literal

from narrative_core.errors import InvalidInput
from narrative_core.ingest.delimited import has_columns
from narrative_core.ingest.encodings import opening
from narrative_core.ingest.file_kinds import format_of, is_document, why_not_read
from narrative_core.ingest.json_lines import is_json_lines
from narrative_core.ingest.zip_directory import is_openable

FileKind = Literal["csv", "json", "jsonl", "parquet", "xlsx", "bibtex", "ris", "feed", "zip", "folder", "files"]

KIND_NAMES: Mapping[FileKind, str] = {
    "csv": "a table of values between delimiters (CSV, TSV)",
    "json": "JSON",
    "jsonl": "JSON lines",
    "parquet": "a Parquet file",
    "xlsx": "an Excel workbook",
    "bibtex": "BibTeX",
    "ris": "RIS",
    "feed": "an RSS or Atom feed",
    "zip": "a zip archive",
    "folder": "a folder",
    "files": "documents, one a file",
}

SUFFIXES: Mapping[str, FileKind] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
    ".bib": "bibtex",
    ".bibtex": "bibtex",
    ".ris": "ris",
    ".rss": "feed",
    ".atom": "feed",
    ".xml": "feed",
    ".rdf": "feed",
    ".zip": "zip",
}
"""The suffixes that are known, for a file picker too."""

_ONE_TEXT = (
    "{filename} was read as one document, since its lines have no columns. If each line is a document, give the file "
    "the ending .csv."
)
_BINARY: frozenset[FileKind] = frozenset(["parquet", "xlsx", "zip"])
_SIGNATURES: Mapping[bytes, FileKind] = {b"PAR1": "parquet", b"PK\x03\x04": "zip", b"PK\x05\x06": "zip"}
_BIBTEX = re.compile(r"\s*@[a-z]+\s*[{(]", re.IGNORECASE)
_RIS = re.compile(r"\s*TY  ?- ")
_ENTRIES = {
    "bibtex": re.compile(r"^\s*@\w+\s*[{(]", re.MULTILINE),
    "ris": re.compile(r"^TY  ?- ", re.MULTILINE),
}
_FEED_ROOT = re.compile(r"<(?:\w+:)?(?:rss|feed|RDF)[\s>]")
_WEB_PAGE = re.compile(r"\s*(?:<!doctype html|<html[\s>])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Recognised:
    """The kind of a file, and what is to be said where its name says another, or where it could be read otherwise."""

    kind: FileKind
    notice: str = ""


def named_kind(filename: str) -> FileKind | None:
    """Return the kind that a name says, ``None`` where it says none that is read."""
    return SUFFIXES.get(PurePath(filename).suffix.casefold())


def recognise(data: bytes, filename: str, *, delimiter: str | None = None) -> Recognised:
    r"""Return what kind of file it is.

    Parameters
    ----------
    data : bytes
    filename : str
    delimiter : str, optional
        What somebody said is between the columns: a .txt is then a table, whatever its lines look like.

    Raises
    ------
    InvalidInput
        If it is a document in a format that is not read, a web page by another name, or a binary file that its name
        says it is not.

    Examples
    --------
    >>> recognise(b'[{"text": "A bridge"}]', "news.csv")
    Recognised(kind='json', notice='news.csv is JSON by its content, whatever its name; it was read as that.')
    """
    named = named_kind(filename)
    start = opening(data)
    kind = _by_content(data, start, named)
    if named is None and kind in (None, "zip"):
        document = _as_document(start, filename, is_table=delimiter is not None)
        if document is not None:
            return document
    kind = kind or _by_name(start, named, filename)
    is_as_named = named in (None, kind) or {named, kind} == {"json", "jsonl"}
    return Recognised(
        kind,
        ""
        if is_as_named
        else f"{filename} is {KIND_NAMES[kind]} by its content, whatever its name; it was read as that.",
    )


def _as_document(start: str, filename: str, *, is_table: bool) -> Recognised | None:
    """Return what a file is whose name is that of a document, ``None`` where it is another's, or lines in columns."""
    found = format_of(filename)
    if found is None:
        if is_document(filename):
            raise InvalidInput(f"{filename} {why_not_read(filename)}.")
        return None
    if found != "text":
        return Recognised("files")
    return None if is_table or has_columns(start) else Recognised("files", _ONE_TEXT.format(filename=filename))


def _by_content(data: bytes, start: str, named: FileKind | None) -> FileKind | None:
    for signature, binary in _SIGNATURES.items():
        if data.startswith(signature):
            return _kind_of_archive(data) if binary == "zip" else binary
    if _RIS.match(start) or (_BIBTEX.match(start) and named != "csv"):
        return "ris" if _RIS.match(start) else "bibtex"
    if start.lstrip().startswith("<") and _FEED_ROOT.search(start):
        return "feed"
    if named in ("json", "jsonl") or start.lstrip().startswith(("{", "[")):
        return _kind_of_json(start, named)
    return None


def _by_name(start: str, named: FileKind | None, filename: str) -> FileKind:
    if _WEB_PAGE.match(start):
        raise InvalidInput(
            f"{filename} must be a table, a feed or an archive; it is a web page. Give it the ending .html, or give "
            "the address of the site's feed."
        )
    if named in _BINARY and _has_controls(start):
        raise InvalidInput(f"{filename} must be {KIND_NAMES[named]}; it is damaged or something else. Save it again.")
    if named == "feed":
        raise InvalidInput(f"{filename} must be {KIND_NAMES[named]}; it has no <rss> or <feed>. Choose another.")
    is_listed = named not in _ENTRIES or _ENTRIES[named].search(start)
    return "csv" if named is None or named in _BINARY or not is_listed else named


def _kind_of_archive(data: bytes) -> FileKind | None:
    if not is_openable(data):
        return "zip"
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError):
        return None
    return "xlsx" if any(name.startswith("xl/") for name in names) else "zip"


def _kind_of_json(start: str, named: FileKind | None) -> FileKind | None:
    """Return the kind of JSON, ``None`` where a brace or bracket may be the name of a column."""
    if named == "jsonl" and not start.lstrip().startswith("["):
        return "jsonl"
    if is_json_lines(start):
        return "jsonl"
    return "json" if named in ("json", "jsonl") or _begins_as_json(start) else None


def _begins_as_json(start: str) -> bool:
    """Whether the opening of a file could go on to be JSON: it is whole, or an error only where it was cut."""
    try:
        json.loads(start)
    except json.JSONDecodeError as error:
        return error.pos > 0.9 * len(start.rstrip()) or "Unterminated" in error.msg
    except (ValueError, RecursionError):
        return True
    return True


def _has_controls(start: str) -> bool:
    return any(character < "\t" or character == "\ufffd" for character in start)
