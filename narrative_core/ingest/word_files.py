"""A Word file: its paragraphs and tables in reading order, changes that are only proposed taken as made."""

import datetime as dt
import io
import zipfile
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from narrative_core.errors import InvalidInput
from narrative_core.ingest.file_content import FileContent

if TYPE_CHECKING:
    from lxml.etree import _Element

_MAX_UNPACKED = 500_000_000
_OLD_OR_ENCRYPTED = b"\xd0\xcf\x11\xe0"
_SPACE = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_CHARACTERS = {f"{_SPACE}{name}": mark for name, mark in (("tab", "\t"), ("br", "\n"), ("cr", "\n"))}
_CHARACTERS[f"{_SPACE}noBreakHyphen"] = "\u2011"
_PARAGRAPH, _ROW, _CELL, _WORDS = (f"{_SPACE}{name}" for name in ("p", "tr", "tc", "t"))
# Of a text box Word keeps a second copy for old programs; what was deleted or moved away is no longer the text.
_LEFT_OUT = frozenset([_FALLBACK, f"{_SPACE}del", f"{_SPACE}moveFrom", f"{_SPACE}pPr", f"{_SPACE}rPr"])
_TEMPLATE_AUTHOR = "python-docx"


def read_word_file(data: bytes) -> FileContent:
    """Return the text of a .docx file, with the title, author and date of creation in its properties.

    A row of a table is a line with " | " between the cells. Headers, footers, footnotes and comments are left out.

    Raises
    ------
    InvalidInput
        If it is no .docx file, encrypted, too large unpacked, or has no text; the message is the end of a sentence that
        begins with the file's name.
    """
    from docx import Document
    from docx.opc.exceptions import OpcError
    from lxml.etree import LxmlError

    _refuse_unreadable(data)
    try:
        document = Document(io.BytesIO(data))
        properties = document.core_properties
        body = document.element.body
    except (OpcError, LxmlError, zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValueError) as error:
        raise InvalidInput(
            "cannot be read: it is damaged, or no .docx file. Open it in Word and save it again"
        ) from error
    text = "\n".join(_blocks(body)).strip()
    if not text:
        raise InvalidInput("has no text")
    is_template = properties.author == _TEMPLATE_AUTHOR  # The properties are then those of a template, not of a person.
    return FileContent(
        text,
        title=properties.title or "",
        author="" if is_template else properties.author or "",
        date="" if is_template else _iso(properties.created),
    )


def _refuse_unreadable(data: bytes) -> None:
    if not data:
        raise InvalidInput("is empty")
    if data.startswith(_OLD_OR_ENCRYPTED):
        raise InvalidInput("is encrypted, or an old Word file: save it as .docx without a password")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            unpacked = sum(part.file_size for part in package.infolist())
    except (zipfile.BadZipFile, ValueError, EOFError, NotImplementedError, OSError) as error:
        raise InvalidInput("is no .docx file or a damaged one: open it in Word and save it again") from error
    if unpacked > _MAX_UNPACKED:
        raise InvalidInput(
            f"unpacks to {unpacked / 1e6:,.0f} MB, more than the {_MAX_UNPACKED / 1e6:,.0f} MB that are read: save it "
            "without its pictures"
        )


def _blocks(container: "_Element") -> Iterator[str]:
    """Yield the lines of a document, of a cell, or of whatever holds paragraphs."""
    for child in container:
        if child.tag == _PARAGRAPH:
            yield "".join(_words(child))
        elif child.tag == _ROW:
            cells = [" ".join(" ".join(_blocks(cell)).split()) for cell in child.iter(_CELL) if _row_of(cell) is child]
            yield " | ".join(cells)
        elif child.tag not in _LEFT_OUT:
            yield from _blocks(child)


def _row_of(cell: "_Element") -> "_Element | None":
    return next(cell.iterancestors(_ROW), None)


def _words(element: "_Element") -> Iterator[str]:
    for child in element:
        if child.tag == _WORDS:
            yield child.text or ""
        elif child.tag in _CHARACTERS:
            yield _CHARACTERS[child.tag]
        elif child.tag == _PARAGRAPH:
            yield "\n" + "".join(_words(child))
        elif child.tag not in _LEFT_OUT:
            yield from _words(child)


def _iso(moment: dt.datetime | None) -> str:
    return moment.isoformat() if moment is not None else ""
