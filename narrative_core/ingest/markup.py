"""Text without HTML: what a reader of the page would see, a line for each paragraph."""

import html
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element, iterwalk

_NAMES = (
    "a|abbr|acronym|address|article|aside|b|big|blockquote|body|br|caption|center|cite|code|col|dd|del|"
    "details|dfn|div|dl|dt|em|embed|figcaption|figure|font|footer|form|h1|h2|h3|h4|h5|h6|head|header|hr|"
    "html|i|iframe|img|input|ins|kbd|li|link|main|map|mark|meta|nav|noscript|object|ol|p|param|picture|pre|"
    "q|s|samp|script|section|small|source|span|strike|strong|style|sub|sup|svg|table|tbody|td|tfoot|th|"
    "thead|time|title|tr|tt|u|ul|var|video|wbr"
)
_ATTRIBUTE = r"""\s+[a-z_:@][\w:.@-]*\s*=\s*(?:"[^"]{0,4000}"|'[^']{0,4000}'|[^\s"'<>=]{1,4000})"""
# A tag has its attributes with values; "x <b and y> c" is arithmetic and stays.
_TAG = re.compile(rf"</?(?:{_NAMES})(?:{_ATTRIBUTE}){{0,60}}\s*/?>|<!--|<!doctype html", re.IGNORECASE)
_CLOSING_TAG = re.compile(rf"</(?:{_NAMES})\s*>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:[a-zA-Z][a-zA-Z0-9]{1,31}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});")
_BLOCKS = frozenset(
    (
        *("address", "article", "aside", "blockquote", "br", "caption", "center", "dd", "div", "dl", "dt"),
        *("figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main"),
        *("nav", "ol", "p", "pre", "section", "table", "tr", "ul"),
    )
)
_UNSEEN = frozenset(["head", "script", "style", "template", "title", "iframe", "object", "svg"])
_BLOCK_TAG = re.compile(rf"<(?:{'|'.join(sorted(_BLOCKS | {'body', 'html', 'td'}))})[\s/>]", re.IGNORECASE)
_BLANKS_ROUND_BREAK = re.compile(r"[ \t]*\n[ \t]*")
_MANY_BREAKS = re.compile(r"\n{3,}")


def has_markup(value: str) -> bool:
    """Whether a text has HTML tags, or characters that HTML writes by name such as ``&amp;``."""
    return ("<" in value and _TAG.search(value) is not None) or ("&" in value and _ENTITY.search(value) is not None)


def strip_markup(value: str) -> str:
    r"""Return text without HTML: tags, comments, scripts and styles left out, entities as characters.

    Paragraphs, list items and table rows get lines of their own. HTML that was escaped as a whole is read through. Text
    that has no HTML comes back as it is, angle brackets included.

    Examples
    --------
    >>> strip_markup("<p>Bread &amp; water</p><script>alert(1)</script><p>A bridge</p>")
    'Bread & water\n\nA bridge'
    >>> strip_markup("if a < b and c > d")
    'if a < b and c > d'
    """
    if "<" not in value and "&" not in value:
        return value
    if not _TAG.search(value):
        value = _ENTITY.sub(lambda found: html.unescape(found[0]), value)
        if not _CLOSING_TAG.search(value):
            return value
    return _seen_text(value)


def _seen_text(value: str) -> str:
    from lxml import etree

    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, no_network=True, remove_pis=True, remove_comments=True)
    root = etree.fromstring(f"<body>{value}".replace("\0", "").encode("utf-8", "replace"), parser)
    if any(fault.level == etree.ErrorLevels.FATAL for fault in parser.error_log):
        return _TAG.sub("\n", value)  # nested too deeply for the parser, which would leave the rest out
    is_paged = _BLOCK_TAG.search(value) is not None
    pieces: list[str] = []
    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        _add(event, element, walk, pieces, is_paged=is_paged)
    text = _BLANKS_ROUND_BREAK.sub("\n", "".join(pieces))
    return _MANY_BREAKS.sub("\n\n", text).strip()


def _add(event: str, element: "_Element", walk: "iterwalk", pieces: list[str], *, is_paged: bool) -> None:
    """Add what stands before, in and after an element."""
    name = element.tag if isinstance(element.tag, str) else ""
    if event == "start":
        if name in _UNSEEN:
            walk.skip_subtree()
        elif name in _BLOCKS:
            pieces.append("\n")
        if name not in _UNSEEN:
            pieces.append(_flowing(element.text, is_paged=is_paged and name != "pre"))
        return
    if name in _BLOCKS and name != "br":
        pieces.append("\n")
    elif name in ("td", "th"):
        pieces.append("\t")
    pieces.append(_flowing(element.tail, is_paged=is_paged))


def _flowing(text: str | None, *, is_paged: bool) -> str:
    """Return text whose line breaks are blanks, as a browser shows it, unless nothing else says where lines end."""
    if not text:
        return ""
    return re.sub(r"[ \t\r\n]+", " ", text) if is_paged else text
