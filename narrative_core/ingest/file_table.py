"""Files of prose to one table, a row for each: what archives and folders have in common."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePosixPath

from narrative_core.errors import InvalidInput
from narrative_core.ingest.bounded_reader import BoundedReader
from narrative_core.ingest.file_content import FileContent, title_of
from narrative_core.ingest.file_kinds import FileFormat, format_of, why_not_read
from narrative_core.ingest.plain_text import clean_line
from narrative_core.ingest.raw_rows import ReadRows, RowCollector, distinct_names, listed
from narrative_core.ingest.source_kinds import FileKind
from narrative_core.ingest.tables import RawTable, assemble
from narrative_core.records import Progress

MAX_FILES = 50_000
MAX_FILE_BYTES = 100_000_000
MAX_TOTAL_BYTES = 2_000_000_000
MAX_TOTAL_CHARACTERS = 400_000_000
MAX_PATH = 1_000

_FIRST = ("id", "title", "text", "date", "source", "url", "author")
_LAST = ("folder", "file", "kind")
_MAX_EXTRAS = 200


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file that is to be read.

    ``path`` is what it is called, with "/" between its parts: a label, never opened · ``load`` returns its bytes, or
    raises `InvalidInput` with the end of a sentence that begins with the path · ``refusal`` is such an end where the
    file is not to be opened at all · ``remark`` a doubt about it.
    """

    path: str
    load: Callable[[], bytes]
    refusal: str = ""
    remark: str = ""


@dataclass(slots=True)
class _Rows:
    """Files that were read, as rows under construction."""

    collected: RowCollector
    values: list[dict[str, str]] = field(default_factory=list)
    encodings: Counter[str] = field(default_factory=Counter)
    n_characters: int = 0


def safe_path(given: str) -> str:
    r"""Return a path as a label: "/" between its parts, nothing that leads upwards or to a root, no control characters.

    Examples
    --------
    >>> safe_path("..\\..\\etc/passwd.txt"), safe_path("C:/news/./a.txt"), safe_path("/")
    ('etc/passwd.txt', 'news/a.txt', 'unnamed')
    """
    parts = [clean_line(part) for part in given.replace("\\", "/").split("/")]
    kept = [part for part in parts if part not in ("", ".", "..") and not (len(part) == 2 and part[1] == ":")]
    return "/".join(kept) or "unnamed"


def read_files(
    files: Sequence[ListedFile],
    kind: FileKind,
    name: str,
    *,
    skipped: Sequence[str] = (),
    progress: Progress = lambda done, total: None,
) -> RawTable:
    """Return the table of files: one row each, in their order, those that cannot be read as problems.

    Parameters
    ----------
    files : sequence of ListedFile
    kind : {"zip", "folder", "files"}
    name : str
        What holds the files, or what they are together, for messages.
    skipped : sequence of str
        Files that were left out by their names; a notice counts them.
    progress : callable
        Called with (done, total) before each file and at least every 0.2 s; what it raises comes out of here.

    Returns
    -------
    RawTable
        Columns id (the path), title, text, date, source, url, author, extras such as tags, folder, file and kind;
        without those that no file fills.

    Raises
    ------
    InvalidInput
        If there are no files, too many, too much text, or none can be read.
    """
    check_number(len(files), name)
    if not files:
        raise InvalidInput(f"{name} must hold documents; it has no files{_but(skipped)}. Choose another one.")
    rows = _Rows(RowCollector(max_rows=MAX_FILES))
    with BoundedReader() as reader:
        for done, file in enumerate(files):
            progress(done, len(files))
            _read_file(file, reader, rows, partial(progress, done, len(files)))
            if rows.n_characters > MAX_TOTAL_CHARACTERS:
                raise InvalidInput(
                    f"files that are read at a time may have {MAX_TOTAL_CHARACTERS / 1e6:,.0f} million characters; the "
                    f"first {done + 1:,} of {len(files):,} files of {name} have more: split it."
                )
    progress(len(files), len(files))
    if not rows.values and len(files) == 1:
        raise InvalidInput(f"{rows.collected.problems[0].reason}.")
    if not rows.values:
        raise InvalidInput(
            f"{name} must have documents that can be read; none of its {len(files):,} files can. "
            f"{rows.collected.problems[0].reason}."
        )
    columns = _columns(rows.values)
    rows.collected.rows = [tuple(values.get(column, "") for column in columns) for values in rows.values]
    found = ReadRows(
        distinct_names(columns), rows.collected, notices=_notices(skipped), encoding=_encoding_names(rows.encodings)
    )
    return assemble(found, kind, name)


def check_number(n_files: int, name: str) -> None:
    """Raise where there are more files than are read."""
    if n_files > MAX_FILES:
        raise InvalidInput(f"at most {MAX_FILES:,} files can be read at a time; {name} has {n_files:,}. Split it.")


def check_size(n_bytes: int, name: str) -> None:
    """Raise where files together, unpacked, are larger than what is read."""
    if n_bytes > MAX_TOTAL_BYTES:
        raise InvalidInput(
            f"files that are read at a time may have {MAX_TOTAL_BYTES / 1e6:,.0f} MB together; those of {name} "
            f"have {n_bytes / 1e6:,.0f} MB. Split it."
        )


def too_large(n_bytes: int) -> str:
    """Return why a file of that size is not read, as the end of a sentence, "" where it is."""
    if n_bytes <= MAX_FILE_BYTES:
        return ""
    return f"has {n_bytes / 1e6:,.0f} MB, more than the {MAX_FILE_BYTES / 1e6:,.0f} MB that are read: split it"


def _read_file(file: ListedFile, reader: BoundedReader, rows: _Rows, tick: Callable[[], None]) -> None:
    path = file.path if len(file.path) <= MAX_PATH else file.path[:80] + "…"
    file_format = format_of(file.path)
    try:
        if len(file.path) > MAX_PATH:
            raise InvalidInput(f"has a name of {len(file.path):,} characters, more than {MAX_PATH:,}: rename it")
        if file.refusal or file_format is None:
            raise InvalidInput(file.refusal or why_not_read(file.path))
        content = reader.read(file.load(), file_format, tick=tick)
    except InvalidInput as error:
        rows.collected.reject(f"{path} {error}")
        return
    rows.values.append(_row(file.path, content, file_format))
    rows.encodings.update([content.encoding] if content.encoding else [])
    rows.n_characters += sum(map(len, rows.values[-1].values()))
    remarks = [remark for remark in (file.remark, *content.remarks) if remark]
    rows.collected.keep((), f"{path} {'; '.join(remarks)}" if remarks else "")


def _row(path: str, content: FileContent, file_format: FileFormat) -> dict[str, str]:
    where = PurePosixPath(path)
    named = {"id": path, "title": title_of(content, path), "text": content.text, "date": content.date}
    named |= {"source": content.source, "url": content.url, "author": content.author}
    named |= {"folder": str(where.parent) if len(where.parts) > 1 else "", "file": where.name, "kind": file_format}
    return {**content.extras, **named}


def _columns(rows: Sequence[dict[str, str]]) -> list[str]:
    filled = dict.fromkeys(column for values in rows for column, value in values.items() if value)
    extras = [column for column in filled if column not in (*_FIRST, *_LAST)][:_MAX_EXTRAS]
    return [column for column in (*_FIRST, *extras, *_LAST) if column in filled]


def _notices(skipped: Sequence[str]) -> tuple[str, ...]:
    if not skipped:
        return ()
    was = "file was" if len(skipped) == 1 else "files were"
    return (f"{len(skipped):,} hidden {was} left out ({listed(skipped, limit=3)}).",)


def _but(skipped: Sequence[str]) -> str:
    return f" but {len(skipped):,} hidden ones" if skipped else ""


def _encoding_names(encodings: Counter[str]) -> str:
    if len(encodings) == 1:
        return next(iter(encodings))
    return ", ".join(f"{name} ({count:,})" for name, count in encodings.most_common())
