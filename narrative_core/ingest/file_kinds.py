"""Which format a file has by the end of its name, and what to do with a file that cannot be read."""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Literal

FileFormat = Literal["text", "Markdown", "HTML", "PDF", "Word", "email"]

_FORMATS: Mapping[str, FileFormat] = {
    ".txt": "text",
    ".text": "text",
    ".md": "Markdown",
    ".markdown": "Markdown",
    ".html": "HTML",
    ".htm": "HTML",
    ".xhtml": "HTML",
    ".pdf": "PDF",
    ".docx": "Word",
    ".eml": "email",
}
_OTHER_DOCUMENTS = ".doc .dot .rtf .odt .pages .wpd .docm .epub .ppt .pptx .odp"
_OTHER_MAILS = ".msg .mbox .pst .emlx"
_ADVICE: Mapping[str, str] = {
    ".csv .tsv .tab .json .jsonl .ndjson .parquet .xlsx .xls .ods": "is a table among documents: import it by itself",
    ".bib .ris .rss .atom": "is a list of documents: import it by itself",
    ".zip .7z .rar .gz .tgz .tar .bz2 .xz .zst": "is an archive among the documents and is not opened: unpack it and "
    "import its files",
    _OTHER_DOCUMENTS: "is in a format that cannot be read: save it as .docx, .pdf or .txt",
    _OTHER_MAILS: "is mail in a format that cannot be read: save each message as .eml",
    ".jpg .jpeg .png .gif .tif .tiff .bmp .webp .heic .svg": "is an image: make a PDF or text of it by text "
    "recognition (OCR) if it shows one",
    ".mp3 .mp4 .m4a .wav .mov .avi .mkv .ogg": "is sound or film: import a transcript of it",
}
_ADVICE_BY_SUFFIX = {suffix: advice for suffixes, advice in _ADVICE.items() for suffix in suffixes.split()}
_READABLE = ".txt, .md, .html, .pdf, .docx and .eml"
_LEFT_BY_SYSTEMS = frozenset(["__macosx", "thumbs.db", "desktop.ini", "icon\r", "$recycle.bin"])


def format_of(path: str) -> FileFormat | None:
    """Return the format of a file, ``None`` where it is none that can be read.

    Examples
    --------
    >>> format_of("news/Bridge.HTM")
    'HTML'
    """
    return _FORMATS.get(_suffix(path))


def why_not_read(path: str) -> str:
    """Return why a file of no readable format is not read and what to do, as the end of a sentence.

    Examples
    --------
    >>> why_not_read("prices.csv")
    'is a table among documents: import it by itself'
    """
    suffix = _suffix(path)
    kind = f"ends in {suffix}" if suffix else "has no ending that says what it is"
    return _ADVICE_BY_SUFFIX.get(suffix, f"{kind}, and only {_READABLE} can be read")


def is_document(path: str) -> bool:
    """Whether a file is a document or mail by the end of its name, in a format that can be read or not.

    Examples
    --------
    >>> is_document("report.odt"), is_document("prices.csv")
    (True, False)
    """
    return format_of(path) is not None or _suffix(path) in f"{_OTHER_DOCUMENTS} {_OTHER_MAILS}".split()


def is_left_by_systems(name: str) -> bool:
    """Whether one part of a path is hidden or one that systems and programs leave behind, not a person.

    Examples
    --------
    >>> [is_left_by_systems(name) for name in (".DS_Store", "__MACOSX", "~$report.docx", "report.docx")]
    [True, True, True, False]
    """
    return name.startswith((".", "~$")) or name.casefold() in _LEFT_BY_SYSTEMS


def lies_with_systems(path: str) -> bool:
    """Whether a file, or a folder that it lies in, is one that `is_left_by_systems`.

    Examples
    --------
    >>> lies_with_systems("__MACOSX/report.docx"), lies_with_systems("news/report.docx")
    (True, False)
    """
    return any(is_left_by_systems(part) for part in path.split("/"))


def _suffix(path: str) -> str:
    return PurePosixPath(path).suffix.casefold()[:12]
