"""Marks on the map as small drawings: dots of the stories, the letters A and B, names of topics.

They are SVG images because the browser then sets the type: Arabic is joined, emoji and Chinese have glyphs, letters
have a halo, which a map's own letter atlas does not do. An image also keeps its colours when the page fades what is not
selected. Each drawing is twice as large as it is shown, for sharp edges on dense screens.
"""

import base64
import html
import unicodedata
from dataclasses import dataclass
from typing import TypedDict

from narrative_core.bidi import isolated
from narrative_core.figures.theme import FONT_FAMILY, Mode, background, baseline_colour, ink, trail_colour

_DENSITY = 2
_TINT = 0.012
LABEL_HEIGHT_PX = 20
ENDPOINT_PX = 26
_ROOM = 1.2


class Icon(TypedDict):
    """An image as the map's icon layer takes it, anchored at its centre."""

    id: str
    url: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class LabelStyle:
    """Type of a topic's name: size in pixels and weight."""

    size_px: int
    weight: int


def text_width(text: str, size_px: float) -> float:
    """Width of a line of text in pixels, estimated on the generous side without font metrics.

    >>> text_width("orbit", 10) < text_width("衛星軌道発", 10)
    True
    """
    ems = 0.0
    for character in text:
        if unicodedata.combining(character) or unicodedata.category(character) == "Cf":
            continue
        if unicodedata.east_asian_width(character) in "WF":
            ems += 1.05
        elif character in "mwMW@%—":
            ems += 0.98
        elif character in "iljtfr.,:;'|! ()":
            ems += 0.4
        else:
            ems += 0.76 if character.isupper() else 0.64
    return ems * size_px


def label_icon(text: str, style: LabelStyle, mode: Mode) -> Icon:
    """The name of a topic with a halo in the colour of the page."""
    width = round(text_width(text, style.size_px) * _ROOM) + 16
    return _icon(
        f"label {mode} {style.size_px} {style.weight} {text}",
        width,
        LABEL_HEIGHT_PX,
        f'<text x="{width / 2}" y="{LABEL_HEIGHT_PX * 0.7}" text-anchor="middle" '
        f'font-family="{html.escape(FONT_FAMILY)}" font-size="{style.size_px}" font-weight="{style.weight}" '
        f'fill="{ink(mode)}" stroke="{background(mode)}" '
        f'stroke-width="3.5" stroke-linejoin="round" paint-order="stroke">'
        f"{html.escape(isolated(_printable(text)))}</text>",
        mode,
    )


def trail_icon(mode: Mode) -> Icon:
    """A filled blue dot with a rim in the colour of the page."""
    rim, colour = background(mode), trail_colour(mode)
    dot = f'<circle cx="8" cy="8" r="5.5" fill="{colour}" stroke="{rim}" stroke-width="1.5"/>'
    return _icon(f"trail {mode}", 16, 16, dot, mode)


def baseline_icon(mode: Mode) -> Icon:
    """A hollow orange dot."""
    rim, colour = background(mode), baseline_colour(mode)
    dot = f'<circle cx="8" cy="8" r="4.5" fill="{rim}" stroke="{colour}" stroke-width="2"/>'
    return _icon(f"baseline {mode}", 16, 16, dot, mode)


def overlay_icon(mode: Mode) -> Icon:
    """A hollow diamond in the colour of ink."""
    diamond = f'<path d="M8 2 14 8 8 14 2 8Z" fill="{background(mode)}" stroke="{ink(mode)}" stroke-width="1.8"/>'
    return _icon(f"overlay {mode}", 16, 16, diamond, mode)


def endpoint_icon(letter: str, mode: Mode) -> Icon:
    """A disc with the letter of an endpoint."""
    rim, colour = background(mode), trail_colour(mode)
    drawing = (
        f'<circle cx="13" cy="13" r="11" fill="{colour}" stroke="{rim}" stroke-width="2"/>'
        f'<text x="13" y="17.8" text-anchor="middle" font-family="{html.escape(FONT_FAMILY)}" font-size="13.5" '
        f'font-weight="700" fill="{rim}">{html.escape(letter)}</text>'
    )
    return _icon(f"endpoint {letter} {mode}", ENDPOINT_PX, ENDPOINT_PX, drawing, mode)


def _icon(key: str, width: int, height: int, drawing: str, mode: Mode) -> Icon:
    """The drawing on an all but invisible ground in the page's colour.

    Scaled images mix an edge with what is beside it, and an empty pixel counts as black: white edges would turn grey.
    """
    large_width, large_height = width * _DENSITY, height * _DENSITY
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{large_width}" height="{large_height}" '
        f'viewBox="0 0 {width} {height}"><rect width="{width}" height="{height}" fill="{background(mode)}" '
        f'fill-opacity="{_TINT}"/>{drawing}</svg>'
    )
    url = "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()
    return {"id": key, "url": url, "width": large_width, "height": large_height}


def _printable(text: str) -> str:
    """Control characters are not allowed in XML, and one would cost the whole drawing."""
    return "".join(c for c in text if c == " " or unicodedata.category(c) not in {"Cc", "Cs", "Cn", "Co"})
