"""Step 1 of an import: files, a folder or the address of a feed, and vectors of one's own if there are any."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

import streamlit as st

from narrative_core.errors import InvalidInput
from narrative_core.import_jobs import Origin, ReadingOptions
from narrative_core.ingest.file_kinds import format_of
from narrative_core.ingest.loose_files import common_folder
from narrative_core.ingest.sizes import MAX_BYTES, estimate_memory
from narrative_core.ingest.source_kinds import KIND_NAMES, FileKind, recognise
from narrative_core.ingest.tables import TEXT_KINDS
from narrative_core.ui.words import html_text, markdown_text

FILE, FOLDER, VECTORS, ADDRESS = "import-file", "import-folder", "import-vectors", "import-address"
AS_FOUND: Final = "as found"
DELIMITERS: Final = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
ENCODINGS: Final = (
    "utf-8", "cp1252", "iso8859-15", "mac_roman", "cp1250", "cp1251", "cp1256", "utf-16", "gb18030", "big5",
    "shift_jis", "euc_kr",
)  # fmt: skip
_FEED: Final = "import_feed"
_N_FEEDS: Final = "import_feeds_asked"
_SHEETS: Final = "import_sheets"
_FILE_NUMBER: Final = "import_file_number"
_TEMPLATE: Final = (
    "id,title,date,text,source,url\n"
    'a1,First headline,2021-07-11,"The text of the first document.",Example Times,https://example.org/a1\n'
    'a2,Second headline,2021-08,"A month or a year is enough of a date.",Example Post,\n'
)


@dataclass(frozen=True, slots=True, eq=False)
class Picked:
    """What a person handed over: documents, vectors of their own (``.npy``) if any, and what kind of file it is.

    ``kind`` is ``None`` where it is not known before it is fetched, or where it cannot be read at all.
    """

    origin: Origin
    npy: bytes | None
    kind: FileKind | None


def pick_file() -> Picked | None:
    """Show the fields, and return what was handed over; a file goes before an address."""
    left, right = st.columns(2, gap="medium")
    files = left.file_uploader(
        "A file with your documents, or several",
        accept_multiple_files=True,
        key="-".join([FILE, *_number()]),
        help="A table (CSV, TSV, JSON, JSON lines, Parquet, Excel), references (BibTeX, RIS), a feed (RSS, Atom), or "
        "texts, one document a file or in a zip: .txt, .md, .html, .pdf, .docx, .eml. A project file that Throughline "
        "wrote opens as it was.",
    )
    with right:
        _feed_field()
        with st.expander("A folder of documents"):
            found = st.file_uploader(
                "Texts, PDFs, Word files, mails, in folders too",
                accept_multiple_files="directory",
                key="-".join([FOLDER, *_number()]),
            )
        with st.expander("Vectors of your own"):
            npy = st.file_uploader(
                "A table of numbers (.npy)", type=["npy"], key=VECTORS,
                help="Row i for data row i of the file. Without it the chosen model reads the texts, unless the file "
                "itself has a column of vectors.",
            )  # fmt: skip
    vectors = npy.getvalue() if npy is not None else None
    handed_over = [(one.file_id, one.name, one.getvalue()) for one in files or found]
    if handed_over:
        origin = origin_of(handed_over)
        return Picked(origin, vectors, kind_of(origin))
    address = str(st.session_state.get(_FEED, ""))
    if address:
        return Picked(Origin(f"{st.session_state[_N_FEEDS]} {address}", "feed", address=address), vectors, "feed")
    _accepted()
    return None


def origin_of(files: Sequence[tuple[str, str, bytes]]) -> Origin:
    """Return where documents come from: a file that may hold many, or files that are a document each.

    Parameters
    ----------
    files : sequence of (key, path, content)
        At least one. Several that lie in one folder are called by its name.

    Examples
    --------
    >>> origin_of([("1", "news/a.txt", b"A"), ("2", "news/b.txt", b"B")]).name
    'news'
    >>> origin_of([("1", "a.txt", b"A"), ("2", "b.txt", b"B")]).name
    '2 files'
    """
    if len(files) == 1:
        ((key, path, content),) = files
        return Origin(key, PurePosixPath(path).name, data=content)
    name = common_folder([path for _, path, _ in files]) or f"{len(files):,} files"
    keys = hashlib.sha256(" ".join(key for key, _, _ in files).encode()).hexdigest()[:16]
    return Origin(keys, name, files=tuple((path, content) for _, path, content in files))


def kind_of(origin: Origin) -> FileKind | None:
    """Return what kind of file it is, ``None`` where it is none that is read: reading it says why."""
    if origin.files:
        return "files"
    try:
        return recognise(origin.data, origin.name).kind
    except InvalidInput:
        return None


def size_words(origin: Origin, kind: FileKind) -> str:
    """Return what is about to be read, how large it is, and what memory that takes.

    Examples
    --------
    >>> size_words(Origin("1", "news.csv", data=b"x" * 2_000_000), "csv").split(";")[0]
    'news.csv, a table of values between delimiters (CSV, TSV), 2.0 MB'
    """
    n_bytes = origin.n_bytes
    return (
        f"{origin.name}, {KIND_NAMES[kind]}, {_megabytes(n_bytes)}; reading it takes {estimate_memory(n_bytes, kind)}"
    )


def reading_options(picked: Picked) -> ReadingOptions:
    """Show how the file is to be read where a person can say so, and return what they say."""
    key = picked.origin.key
    sheets: tuple[str, ...] = st.session_state.get(_SHEETS, {}).get(key, ())
    if len(sheets) > 1:
        sheet = st.selectbox(
            "Sheet", [AS_FOUND, *sheets], key=f"import-sheet-{key}", format_func=_sheet_words, width=320
        )
        return ReadingOptions(sheet=None if sheet == AS_FOUND else sheet)
    if picked.kind not in TEXT_KINDS and not _is_one_text(picked):
        return ReadingOptions()
    with st.popover("Read it otherwise", type="tertiary", key="import-otherwise"):
        encoding = st.selectbox(
            "Encoding", [AS_FOUND, *ENCODINGS], key=f"import-encoding-{key}",
            help="Choose another where letters look wrong in the documents below.",
        )  # fmt: skip
        delimiter = AS_FOUND
        if picked.kind == "csv" or _is_one_text(picked):
            delimiter = st.selectbox(
                "Columns separated by",
                [AS_FOUND, *DELIMITERS],
                format_func=lambda mark: DELIMITERS.get(mark, mark),
                key=f"import-delimiter-{key}",
            )
    return ReadingOptions(
        encoding=None if encoding == AS_FOUND else encoding, delimiter=None if delimiter == AS_FOUND else delimiter
    )


def _is_one_text(picked: Picked) -> bool:
    """Whether it is a single .txt that was taken for one document, and may be a table after all."""
    return picked.kind == "files" and not picked.origin.files and format_of(picked.origin.name) == "text"


def know_sheets(picked: Picked, sheets: tuple[str, ...]) -> bool:
    """Keep which sheets a workbook has, and return whether that is news: the choice among them is shown above."""
    known: dict[str, tuple[str, ...]] = st.session_state.setdefault(_SHEETS, {})
    is_news = len(sheets) > 1 and picked.origin.key not in known
    if is_news:
        known[picked.origin.key] = sheets
    return is_news


def empty_file_field() -> None:
    """Let go of the files: their fields carry another number from now on."""
    st.session_state[_FILE_NUMBER] = int(st.session_state.get(_FILE_NUMBER, 0)) + 1


def forget_feed() -> None:
    """Let go of the address."""
    st.session_state.pop(_FEED, None)


def _feed_field() -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        st.text_input("Or the address of a feed", key=ADDRESS, placeholder="https://example.org/rss", max_chars=2000)
        address = str(st.session_state.get(ADDRESS) or "").strip()
        st.button("Read the feed", key="import-fetch", on_click=_ask_for_feed, disabled=not address)


def _number() -> list[str]:
    number = int(st.session_state.get(_FILE_NUMBER, 0))
    return [str(number)] if number else []


def _ask_for_feed() -> None:
    st.session_state[_FEED] = str(st.session_state.get(ADDRESS) or "").strip()
    st.session_state[_N_FEEDS] = int(st.session_state.get(_N_FEEDS, 0)) + 1


def _accepted() -> None:
    """Say what is read, before there is anything to read."""
    st.html(
        "<div class='tl-quiet tl-remark'>"
        + "<br>".join(
            f"<b>{html_text(what)}</b> {html_text(told)}"
            for what, told in (
                ("Tables:", "CSV, TSV, JSON, JSON lines, Parquet, Excel (.xlsx); one document a row, any column names"),
                ("Documents:", ".txt, .md, .html, .pdf, .docx and .eml, one a file: a few, a folder or a zip of them"),
                ("Lists:", "BibTeX, RIS, RSS and Atom feeds"),
                ("Projects:", "a project file that Throughline wrote opens as it was"),
            )
        )
        + "</div>"
    )
    st.caption(
        "Each document needs a headline or a text; a date puts it on trails. You see what was understood before "
        "anything is stored. A table or list may have at most 200 MB: split a larger one. A larger Parquet file (up to "
        f"{_megabytes(MAX_BYTES['parquet'])}) or zip (up to {_megabytes(MAX_BYTES['zip'])}) is imported on the command "
        "line: `python -m narrative_core import FILE --name NAME`."
    )
    st.download_button("A template to fill in", _TEMPLATE, "throughline-template.csv", "text/csv", on_click="ignore")


def _sheet_words(sheet: str) -> str:
    return "the first with rows" if sheet == AS_FOUND else markdown_text(sheet)


def _megabytes(n_bytes: int) -> str:
    return f"{n_bytes / 1e6:,.1f} MB" if n_bytes >= 100_000 else f"{max(1, round(n_bytes / 1000)):,} KB"
