"""A web page: the text of its article with what the page says about it, without menus, scripts and notices."""

import codecs
import re
from collections.abc import Mapping

from narrative_core.errors import InvalidInput
from narrative_core.ingest.encodings import DecodedText
from narrative_core.ingest.file_content import FileContent
from narrative_core.ingest.markup import strip_markup
from narrative_core.ingest.text_files import decode_prose

_DECLARED = re.compile(
    rb"""(?:charset\s{0,9}=\s{0,9}|<\?xml[^>]{0,200}encoding\s{0,9}=\s{0,9})["']?([\w.:-]{2,40})""", re.I
)
_XML_DECLARATION = re.compile(r"\s{0,99}<\?xml[^>]{0,200}\?>")
_DECLARED_WITHIN = 4096
# What browsers take these names for (WHATWG Encoding Standard).
_TAKEN_FOR: Mapping[str, str] = {
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
}


def read_html_file(data: bytes) -> FileContent:
    """Return the main text of an .html file, its title, date, author, site and canonical address.

    The date is the one that the page states in its metadata, as the publication's: none is guessed from the text. Where
    no article is found the text is all that the page shows.

    Raises
    ------
    InvalidInput
        If the file is empty, no text or shows none; the message is the end of a sentence that begins with its name.
    """
    from trafilatura import bare_extraction
    from trafilatura.settings import Document

    decoded = decode_html(data)
    html = _XML_DECLARATION.sub("", decoded.text, count=1)
    found = bare_extraction(
        html,
        include_comments=False,
        with_metadata=True,
        date_extraction_params={"original_date": True, "extensive_search": False, "max_date": "2200-12-31"},
    )
    if not isinstance(found, Document) or not (found.text or "").strip():
        return _as_shown(html, decoded.encoding, found.title if isinstance(found, Document) else None)
    return FileContent(
        found.text or "",
        title=found.title or "",
        date=found.date or "",
        source=found.sitename or found.hostname or "",
        url=found.url or "",
        author=found.author or "",
        encoding=decoded.encoding,
        extras={"tags": ", ".join(found.tags)} if found.tags else {},
    )


def decode_html(data: bytes) -> DecodedText:
    """Return a page as text: by its byte order mark, else as it says of itself, else as its bytes look.

    Examples
    --------
    >>> decode_html('<meta charset="koi8-r"><p>мост'.encode("koi8-r"))
    DecodedText(text='<meta charset="koi8-r"><p>мост', encoding='koi8-r', n_unreadable=0)
    """
    if data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return decode_prose(data)
    declared = _DECLARED.search(data[:_DECLARED_WITHIN])
    try:
        name = codecs.lookup(declared[1].decode("ascii", "replace")).name if declared else None
    except LookupError:
        name = None
    if name is not None and name.startswith(("utf-16", "utf-32")):
        name = None  # The declaration could be read byte by byte, so it is wrong.
    return decode_prose(data, encoding=_TAKEN_FOR.get(name, name) if name else None)


def _as_shown(html: str, encoding: str, title: str | None) -> FileContent:
    text = strip_markup(html).strip()
    if not text:
        raise InvalidInput("shows no text: if its text appears only in a browser, save the page from there as PDF")
    return FileContent(
        text, title=title or "", encoding=encoding, remarks=("has no article; all that it shows is kept",)
    )
