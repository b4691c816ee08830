"""Writing and checking small SVG: every text is escaped, and nothing in a picture can run or load anything."""

import re
import unicodedata
from typing import Final
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

from narrative_core.bidi import isolated
from narrative_core.errors import InvalidInput
from narrative_core.reports.sentences import plain_line

NAMESPACE: Final = "http://www.w3.org/2000/svg"
_DRAWING: Final = frozenset({"svg", "title", "desc", "g", "path", "line", "polyline", "circle", "rect", "text"})
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML may hold, not even escaped."""

_SIZE: Final = re.compile(r'(?<= width=")[^"]*(?=" )|(?<= height=")[^"]*(?=" )')
_ACTIVE_NAME: Final = re.compile(r"^on|href$|^style$", re.IGNORECASE)
_ACTIVE_VALUE: Final = re.compile(r"url\(|script:", re.IGNORECASE)


def element(name: str, content: str = "", /, **attributes: str | float) -> str:
    """Return one element; ``content`` is markup, attributes are escaped and ``stroke_width`` is ``stroke-width``."""
    written = "".join(f" {key.strip('_').replace('_', '-')}={quoteattr(_value(v))}" for key, v in attributes.items())
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def text(words: str, x: float, y: float, /, **attributes: str | float) -> str:
    """Return words at a point; they mean themselves, whatever characters they hold."""
    return element("text", escape(isolated(plain_line(words))), x=x, y=y, **attributes)


def picture(parts: list[str], *, width: float, height: float, title: str, description: str, **more: str) -> str:
    """Return a standalone SVG that scales with its place and tells a screen reader what it shows.

    ``title`` names the picture's elements, so pictures of one page need different ones.
    """
    name = re.sub(r"\W+", "-", title.lower()).strip("-")
    head = [
        element("title", escape(plain_line(title)), id=f"{name}-title"),
        element("desc", escape(plain_line(description)), id=f"{name}-description"),
    ]
    return element(
        "svg",
        "\n".join(["", *head, *parts, ""]),
        xmlns=NAMESPACE,
        viewBox=f"0 0 {_value(width)} {_value(height)}",
        width=width,
        height=height,
        role="img",
        aria_labelledby=f"{name}-title {name}-description",
        **more,
    )


def xml_text(words: str) -> str:
    """Return words without the characters that no XML may hold.

    Examples
    --------
    >>> xml_text("a\\x00b\\ufffe")
    'ab'
    """
    return _NOT_XML.sub("", words)


def sized_picture(svg: str, width: int, height: int) -> str:
    """Return a picture of `picture` that is shown at another size; what is in it grows or shrinks with it."""
    head, end, rest = svg.partition(">")
    shown = iter((f"{width}", f"{height}"))
    return _SIZE.sub(lambda match: next(shown), head, count=2) + end + rest


def text_width(words: str, size: float) -> float:
    """Return a generous estimate of the width of words; wide characters (CJK, emoji) count double."""
    return size * sum(1.1 if unicodedata.east_asian_width(character) in "WF" else 0.6 for character in words)


def checked_picture(svg: str) -> str:
    """Return an SVG that may stand inside a page.

    Raises
    ------
    InvalidInput
        If it is not well-formed or holds anything but lines, shapes and words.
    """
    if not svg.strip():
        return ""
    if "<!" in svg or "<?" in svg:
        raise InvalidInput("the map must be one SVG element without declarations; pass what map_svg returns.")
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError as error:
        raise InvalidInput(f"the map must be well-formed SVG ({error}); pass what map_svg returns.") from error
    for node in root.iter():
        name = node.tag.removeprefix(f"{{{NAMESPACE}}}")
        is_active = any(_ACTIVE_NAME.search(key) or _ACTIVE_VALUE.search(value) for key, value in node.attrib.items())
        if name not in _DRAWING or is_active:
            raise InvalidInput(f"the map may hold lines, shapes and words; got {name!r}. Pass what map_svg returns.")
    return svg


def _value(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")
