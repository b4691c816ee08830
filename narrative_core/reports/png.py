"""A picture as PNG, drawn by resvg, which is compiled in: neither a browser nor the network is needed."""

import math
import struct
import unicodedata
import zlib
from functools import cache
from typing import Final
from xml.etree import ElementTree

from narrative_core.errors import InvalidInput
from narrative_core.reports.palette import PAPER
from narrative_core.reports.svg import NAMESPACE

MOST_PIXELS: Final = 40_000_000
_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_HEADER_END: Final = len(_SIGNATURE) + 25
"""Where the first chunk (IHDR, 13 bytes of data) of every PNG ends."""

_FAMILIES: Final = ("Liberation Sans", "DejaVu Sans", "Noto Sans", "Arial", "Helvetica", "Segoe UI", "Roboto")
_LAST_LATIN: Final = 0x24F
_NO_GLYPH: Final = "\ue123"
"""A character for private use, for which a font has no letter but the sign for a missing one."""

NO_FONT: Final = (
    "this computer has no font to draw the words of the picture with. Take the SVG, which is drawn where it is opened; "
    "or install a font such as DejaVu Sans or Noto Sans on this computer."
)


def png_from_svg(svg: str, *, width: int, scale: float = 1.0) -> bytes:
    """Return a picture of ours as PNG on white, with its title and description as text of the file.

    Parameters
    ----------
    svg : str
        What one of the functions of this package returns.
    width : int
        Pixels; the height follows from the picture.
    scale : float
        Pixels for each of them: 2 is a picture twice as wide, for sharp print.

    Raises
    ------
    InvalidInput
        If the picture would have more than 40 million pixels, cannot be drawn, or there is no font for its words.
    """
    wide = round(width * scale)
    height = _height(svg, wide)
    if wide < 1 or height < 1 or wide * height > MOST_PIXELS:
        raise InvalidInput(
            f"a picture of {wide:,} × {height:,} pixels is not drawn; one may have {MOST_PIXELS:,} pixels. "
            "Choose a smaller size."
        )
    if "<text" in svg and not has_font():
        raise InvalidInput(NO_FONT)
    return _with_text(_drawn(svg, wide), _text_of(svg))


@cache
def has_font() -> bool:
    """Whether this computer has any font that pictures can be drawn with."""
    return _sample("A") != _sample("")


def letters_without_font(words: str) -> str:
    """Return the letters of some words for which no font of this computer has a shape, one of each script.

    In a PNG they are empty boxes; in an SVG they are drawn where it is opened.
    """
    of_script: dict[str, str] = {}
    for letter in dict.fromkeys(words):
        if ord(letter) > _LAST_LATIN and unicodedata.category(letter)[0] in "LS":
            of_script.setdefault(unicodedata.name(letter, " ").split(" ")[0], letter)
    return "".join(letter for letter in of_script.values() if _is_missing(letter))


@cache
def _is_missing(letter: str) -> bool:
    return _sample(letter) in (_sample(_NO_GLYPH), _sample(""))


@cache
def _sample(word: str) -> bytes:
    text = f'<text x="4" y="30" font-size="24">{word}</text>' if word else ""
    return _drawn(f'<svg xmlns="{NAMESPACE}" viewBox="0 0 60 40" width="60" height="40">{text}</svg>', 60)


def _drawn(svg: str, width: int) -> bytes:
    import resvg_py

    try:
        return resvg_py.svg_to_bytes(
            svg_string=svg,
            background=PAPER,
            width=width,
            sans_serif_family=_sans_serif(),
            font_family=_sans_serif(),
        )
    except ValueError as error:
        raise InvalidInput(f"the picture could not be drawn ({error}). Take the SVG instead.") from error


@cache
def _sans_serif() -> str:
    """Return a sans-serif family of this computer; resvg knows no system fonts by their general names."""
    import resvg_py

    def sample(family: str) -> bytes:
        text = f'<text x="4" y="30" font-size="24" font-family="{family}">Ag</text>'
        svg = f'<svg xmlns="{NAMESPACE}" viewBox="0 0 60 40" width="60" height="40">{text}</svg>'
        return resvg_py.svg_to_bytes(svg_string=svg)

    nothing = sample("a family that no computer has")
    return next((family for family in _FAMILIES if sample(family) != nothing), _FAMILIES[0])


def _height(svg: str, width: int) -> int:
    """Return the pixels of a picture from top to bottom at a width, as resvg rounds them."""
    root = _root(svg)
    return math.ceil(width * float(root.get("height") or 1) / float(root.get("width") or 1))


def _root(svg: str) -> ElementTree.Element:
    try:
        return ElementTree.fromstring(svg)
    except ElementTree.ParseError as error:
        raise InvalidInput(f"the picture is no well-formed SVG ({error}). Pass one of this package.") from error


def _text_of(svg: str) -> dict[str, str]:
    root = _root(svg)
    found = {"Title": root.findtext(f"{{{NAMESPACE}}}title"), "Description": root.findtext(f"{{{NAMESPACE}}}desc")}
    return {"Software": "Throughline"} | {key: words for key, words in found.items() if words}


def _with_text(png: bytes, texts: dict[str, str]) -> bytes:
    """Return a PNG with international text chunks (keyword, no compression, no language, UTF-8) behind its header."""
    chunks = b"".join(
        _chunk(b"iTXt", keyword.encode("latin-1") + b"\0\0\0\0\0" + words.encode("utf-8", "replace"))
        for keyword, words in texts.items()
    )
    return png[:_HEADER_END] + chunks + png[_HEADER_END:]


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
