"""Small plots one below the other, each with a name above it and axes of its own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from narrative_core.figures.dot_rows import foot_lines, foot_note
from narrative_core.figures.lanes import SIDE_PX, fitting_name
from narrative_core.figures.parts import Parts
from narrative_core.figures.theme import Mode, axis, base_layout, css, hairline, ink, note, quiet
from narrative_core.figures.wording import plot_text

_NAME_PX, _TICKS_PX, _TITLE_PX, _FOOT_LINE_PX = 28, 24, 22, 15
_LEFT_PX = 50


@dataclass(frozen=True, slots=True)
class Strip:
    """The frame of one small plot; ``name`` and ``x_title`` may be "", ``x_ticks`` and ``y_ticks`` are plotly's."""

    name: str
    words: str
    x_title: str
    y_title: str
    x_window: tuple[float, float]
    y_window: tuple[float, float]
    x_ticks: Mapping[str, object] = field(default_factory=dict)
    y_ticks: Mapping[str, object] = field(default_factory=dict)


def axis_names(number: int) -> tuple[str, str]:
    """Plotly's names of the axes of the strip at ``number``, from 0.

    >>> axis_names(0), axis_names(1)
    (('x', 'y'), ('x2', 'y2'))
    """
    return ("x", "y") if number == 0 else (f"x{number + 1}", f"y{number + 1}")


def lay_strips(strips: Sequence[Strip], *, plot_px: int, top_px: int = 0, foot: str = "", mode: Mode) -> Parts:
    """Height, axes and names of strips, still without a trace; ``top_px`` is kept free for a legend."""
    heads = [_NAME_PX if strip.name else 0 for strip in strips]
    tails = [_TICKS_PX + (_TITLE_PX if strip.x_title else 0) for strip in strips]
    heights = [head + plot_px + tail for head, tail in zip(heads, tails, strict=True)]
    total, lines = sum(heights), foot_lines(foot)
    bottom = 8 + _FOOT_LINE_PX * len(lines)
    margin = {"l": _LEFT_PX, "r": SIDE_PX, "t": top_px, "b": bottom, "pad": 0}
    parts = Parts(base_layout(mode, height=total + top_px + bottom) | {"margin": margin})
    for number, strip in enumerate(strips):
        top = sum(heights[:number])
        domain = (1 - (top + heads[number] + plot_px) / total, 1 - (top + heads[number]) / total)
        parts.layout |= _axes(strip, number, domain, mode)
        parts.notes += _names(strip, 1 - (top + _NAME_PX / 2 + 3) / total, mode)
    parts.notes.append(foot_note(lines, mode, left_px=_LEFT_PX - SIDE_PX))
    return parts


def _axes(strip: Strip, number: int, domain: tuple[float, float], mode: Mode) -> dict[str, Any]:
    x, y = axis_names(number)
    grid = {"showgrid": True, "gridcolor": css(hairline(mode), 0.5)}
    x_options = {"nticks": 6, "automargin": False, "range": list(strip.x_window), "anchor": y} | dict(strip.x_ticks)
    y_options = {"nticks": 4, "automargin": False, "range": list(strip.y_window), "anchor": x, "domain": domain}
    return {
        f"xaxis{x[1:]}": axis(strip.x_title, mode, **x_options),
        f"yaxis{y[1:]}": axis(strip.y_title, mode, **(y_options | grid | dict(strip.y_ticks))),
    }


def _names(strip: Strip, place: float, mode: Mode) -> list[dict[str, Any]]:
    shared = {"xref": "paper", "yref": "paper", "y": place}
    name = note(plot_text(fitting_name(strip.name, strip.words)), mode, **shared, x=0, xshift=SIDE_PX - _LEFT_PX)
    name["font"] = {"size": 12, "color": ink(mode), "weight": 600}
    if not strip.words:
        return [name]
    words = note(plot_text(strip.words), mode, **shared, x=1, xanchor="right")
    return [name, words | {"font": {"size": 12, "color": quiet(mode)}}]
