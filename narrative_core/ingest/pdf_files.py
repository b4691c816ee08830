"""A PDF: the text of its pages in the order in which the file draws it."""

import io
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from narrative_core.errors import InvalidInput
from narrative_core.ingest.file_content import FileContent

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader

MAX_PAGES = 5_000
MAX_CHARACTERS = 20_000_000
_SIGNATURE_WITHIN = 1024

_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])[-\u2010\u00ad][ \t]*\n[ \t]*(?=([^\W\d_]))")
_DATE = re.compile(
    r"(?:D:)?(\d{4})(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d))?)?)?)?)?(?:(Z)|([+-])(\d\d)'?(?:(\d\d)'?)?)?.{0,9}"
)
_NO_TITLE = re.compile(r"untitled.{0,20}|.*\.(?:docx?|rtf|odt|tex|dvi|indd|qxd|pdf|pub|xlsx?|pptx?|html?|txt)", re.I)


def read_pdf_file(data: bytes) -> FileContent:
    """Return the text of a PDF, with the title, author and date of creation in its metadata.

    Words that are broken at the end of a line are joined; headers of pages stay, as nothing tells them from the text.

    Raises
    ------
    InvalidInput
        If the file is no PDF, damaged, encrypted with a password, too long, or has no text; the message is the end of
        a sentence that begins with the file's name.
    ImportError
        If it is encrypted with AES, with a password or without, and nothing that decrypts that is installed.
    """
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, FileNotDecryptedError, PyPdfError

    if not data:
        raise InvalidInput("is empty")
    if b"%PDF" not in data[:_SIGNATURE_WITHIN]:
        raise InvalidInput("is no PDF: it does not begin as one")
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise FileNotDecryptedError
        n_pages = len(reader.pages)
        metadata = _metadata(reader)
    except DependencyError as error:
        raise ImportError(str(error)) from error
    except FileNotDecryptedError as error:
        raise InvalidInput("is encrypted; remove the password and import it again") from error
    except (PyPdfError, *_DAMAGE) as error:
        raise InvalidInput(
            "is damaged: its pages cannot be found. Open it in a PDF viewer and save it again"
        ) from error
    if n_pages > MAX_PAGES:
        raise InvalidInput(f"has {n_pages:,} pages, more than the {MAX_PAGES:,} that are read: split it")
    texts, damaged = _page_texts(reader, n_pages)
    return FileContent(
        _joined(texts, damaged),
        title=_title(metadata.get("/Title", "")),
        author=metadata.get("/Author", ""),
        date=iso_date(metadata.get("/CreationDate", "")),
        remarks=_remarks(texts, damaged),
    )


_DAMAGE = (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError, OSError, ArithmeticError)
"""What pypdf raises, besides its own errors, where a file is not as the standard says."""


def iso_date(given: str) -> str:
    """Return a date of PDF metadata in ISO form, as exactly as it is given; what is no such date, as it is.

    Examples
    --------
    >>> [iso_date(given) for given in ("D:20210711093000+02'00'", "D:202107", "11 July 2021")]
    ['2021-07-11T09:30:00+02:00', '2021-07', '11 July 2021']
    """
    found = _DATE.fullmatch(given.strip())
    if found is None:
        return given.strip()
    year, month, day, hour, minute, second, utc, sign, zone_hours, zone_minutes = found.groups()
    date = "-".join(part for part in (year, month, day) if part)
    if hour is None:
        return date
    zone = "+00:00" if utc else f"{sign}{zone_hours}:{zone_minutes or '00'}" if sign else ""
    return f"{date}T{hour}:{minute or '00'}:{second or '00'}{zone}"


def join_broken_words(text: str) -> str:
    r"""Return text with the words that a hyphen at the end of a line breaks made whole.

    Only where the next line goes on in a small letter: "Jean-" before "Paul" keeps its hyphen.

    Examples
    --------
    >>> join_broken_words("the jour-\nnalist met Jean-\nPaul")
    'the journalist met Jean-\nPaul'
    """
    return _BROKEN_WORD.sub(lambda found: "" if found[1].islower() else found[0], text)


def _metadata(reader: "PdfReader") -> Mapping[str, str]:
    given: Mapping[str, object] = reader.metadata or {}
    return {
        key: str(given[key]).strip() for key in ("/Title", "/Author", "/CreationDate") if given.get(key) is not None
    }


def _title(given: str) -> str:
    """Return the title in the metadata unless a program put the name of a file there."""
    return "" if _NO_TITLE.fullmatch(given) else given


def _page_texts(reader: "PdfReader", n_pages: int) -> tuple[list[str], list[int]]:
    """Return (text of each page, numbers of the pages that cannot be read)."""
    texts: list[str] = []
    damaged: list[int] = []
    n_characters = 0
    for number in range(1, n_pages + 1):
        text = _page_text(reader.pages[number - 1])
        if text is None:
            damaged.append(number)
        texts.append(text or "")
        n_characters += len(text or "")
        if n_characters > MAX_CHARACTERS:
            raise InvalidInput(f"has more than the {MAX_CHARACTERS:,} characters that are read: split it")
    return texts, damaged


def _page_text(page: "PageObject") -> str | None:
    from pypdf.errors import PyPdfError

    try:
        return page.extract_text().strip()
    except (PyPdfError, NotImplementedError, *_DAMAGE):
        return None


def _joined(texts: list[str], damaged: list[int]) -> str:
    text = join_broken_words("\n\n".join(text for text in texts if text))
    if text:
        return text
    pages = f"{len(texts):,} page{'' if len(texts) == 1 else 's'}"
    if damaged:
        raise InvalidInput(f"has {pages}, and none can be read: open it in a PDF viewer and save it again")
    raise InvalidInput(f"has {pages} and no text: it seems to be scanned; run text recognition (OCR) first")


def _remarks(texts: list[str], damaged: list[int]) -> tuple[str, ...]:
    without = [number for number, text in enumerate(texts, start=1) if not text and number not in set(damaged)]
    remarks = []
    if damaged:
        remarks.append(f"has pages that cannot be read ({_numbers(damaged)}); the others are kept")
    if without:
        remarks.append(f"has pages without text, perhaps pictures of text ({_numbers(without)})")
    return tuple(remarks)


def _numbers(pages: list[int]) -> str:
    """Return ascending numbers as ranges: "1-3, 7", the first ten ranges."""
    ranges: list[list[int]] = []
    for page in pages:
        if ranges and ranges[-1][-1] == page - 1:
            ranges[-1][1:] = [page]
        else:
            ranges.append([page])
    shown = ["-".join(f"{end:,}" for end in one) for one in ranges[:10]]
    return ", ".join(shown) + (" and others" if len(ranges) > 10 else "")
