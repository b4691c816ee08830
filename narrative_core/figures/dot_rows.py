"""Rows of dots or bars with intervals: the form in which a run's numbers stand side by side, at every width of a page.

A figure is a stack of panels, each with an axis of its own, since two units never share one.
"""

import math
import textwrap
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from narrative_core.figures.lane_marks import lane_marks
from narrative_core.figures.lanes import (
    LANE_PX,
    NAME_PX,
    NARROW_PX,
    ROW_AIR_PX,
    SIDE_PX,
    Lane,
    Panel,
    Row,
    Sides,
    fitting_name,
    fitting_text,
)
from narrative_core.figures.parts import Parts
from narrative_core.figures.run_marks import empty_figure
from narrative_core.figures.theme import Mode, axis, base_layout, css, hairline, ink, note, quiet
from narrative_core.figures.wording import plot_text

STUDY_WORDS = "◇ reference study"
_AXIS_PX, _LEVEL_PX, _FOOT_LINE_PX = 46, 15, 15
_FOOT_WIDTH = 56
_NAME_OF_LINE_PX = 6.6
"""Width of a character in the name of a line, 11 pixels high."""

_WIDE_SIDES_PX = 190


def dot_rows(
    panels: Sequence[Panel], *, sides: Sides | None = None, foot: str = "", empty: str, mode: Mode = "light"
) -> go.Figure:
    """Panels one below the other; those without rows are left out, and without any there is the sentence ``empty``.

    Each panel has the traces of `lane_marks`; ``customdata`` of bars and dots is the lane's key. ``foot`` is the
    quiet last line, as plain text.
    """
    shown = [panel for panel in panels if panel.rows]
    if not shown:
        return empty_figure(empty, mode)
    sides = sides or Sides()
    if any(math.isfinite(lane.study) for panel in shown for lane in panel.lanes):
        foot = f"{foot} · {STUDY_WORDS}" if foot else STUDY_WORDS
    lines = foot_lines(foot)
    heights = [_height_px(panel, sides) for panel in shown]
    bottom = 8 + _FOOT_LINE_PX * len(lines)
    margin = {"l": SIDE_PX + sides.left, "r": SIDE_PX + sides.right, "t": 0, "b": bottom, "pad": 0}
    parts = Parts(base_layout(mode, height=sum(heights) + bottom) | {"margin": margin, "barmode": "overlay"})
    for number, panel in enumerate(shown):
        top, total = sum(heights[:number]), sum(heights)
        domain = (max(1 - (top + heights[number] - _AXIS_PX) / total, 0.0), 1 - top / total)
        _add_panel(parts, panel, number, domain=domain, sides=sides, mode=mode)
    parts.notes.append(foot_note(lines, mode, left_px=sides.left))
    return parts.figure()


def foot_lines(foot: str) -> list[str]:
    """The quiet last line, broken at its dots where it can be, so that it fits on a telephone.

    >>> foot_lines("whiskers: 95 % interval over endpoint pairs · ◇ reference study")
    ['whiskers: 95 % interval over endpoint pairs', '◇ reference study']
    """
    lines: list[str] = []
    for part in foot.split(" · ") if foot else ():
        if lines and len(lines[-1]) + len(part) + 3 <= _FOOT_WIDTH:
            lines[-1] += f" · {part}"
        else:
            lines += textwrap.wrap(part, _FOOT_WIDTH)
    return lines


def foot_note(lines: Sequence[str], mode: Mode, *, left_px: int = 0) -> dict[str, Any]:
    """The quiet last lines of a figure, below its lowest axis; they begin ``left_px`` left of it."""
    text = "<br>".join(map(plot_text, lines))
    place = {"xref": "paper", "yref": "paper", "x": 0, "xshift": -left_px, "y": 0, "yanchor": "top"}
    return note(text, mode, **place, font={"size": 11, "color": quiet(mode)})


def _height_px(panel: Panel, sides: Sides) -> int:
    return _top_px(panel, sides) + sum(row.height_px for row in panel.rows) + _AXIS_PX


def _top_px(panel: Panel, sides: Sides) -> int:
    """Room for the names of the reference lines."""
    named = [level for level, (_, words) in zip(_levels(panel, sides), panel.lines, strict=True) if words]
    return 4 + _LEVEL_PX * (max(named, default=-1) + 1)


def _levels(panel: Panel, sides: Sides) -> list[int]:
    """The level, from 0 at the bottom, on which the name of each line touches no other one, even on a telephone.

    The names of two lines lean away from each other and stand on one level.
    """
    if len(panel.lines) == 2:
        return [0, 0]
    scale = (NARROW_PX - 2 * SIDE_PX - sides.left - sides.right) / (panel.window[1] - panel.window[0])
    ends: list[float] = []
    levels = []
    for value, words in panel.lines:
        half = len(words) * _NAME_OF_LINE_PX / 2 + 2
        level = next((i for i, end in enumerate(ends) if value * scale - half >= end), len(ends))
        ends[level : level + 1] = [value * scale + half]
        levels.append(level)
    return levels


def _add_panel(
    parts: Parts, panel: Panel, number: int, *, domain: tuple[float, float], sides: Sides, mode: Mode
) -> None:
    """Put one panel into the figure; its y axis counts pixels from the panel's top."""
    x, y = (name if number == 0 else f"{name}{number + 1}" for name in "xy")
    top, start = _top_px(panel, sides), float(_top_px(panel, sides))
    middles: list[float] = []
    notes: list[dict[str, Any]] = []
    shapes: list[dict[str, Any]] = []
    for row in panel.rows:
        notes += _name_notes(row, start, sides, mode)
        for i, lane in enumerate(row.lanes):
            middles.append(start + NAME_PX + LANE_PX * (i + 0.5))
            notes += _lane_notes(lane, middles[-1], sides, mode)
            shapes += _ground(lane, middles[-1], panel, mode)
        bottom = start + row.height_px - ROW_AIR_PX
        shapes += [_upright(value, (start + NAME_PX - 1, bottom + 1), mode) for value, _ in panel.lines]
        start += row.height_px
    anchors = ("right", "left") if len(panel.lines) == 2 else ("center",) * len(panel.lines)
    for (value, words), level, anchor in zip(panel.lines, _levels(panel, sides), anchors, strict=True):
        name = note(plot_text(words), mode, x=value, y=top - _LEVEL_PX * (level + 0.5), xanchor=anchor, xref=x)
        notes.append(name | {"font": {"size": 11, "color": quiet(mode)}})
        shapes.append(_upright(value, (top - _LEVEL_PX * level, top + 4), mode))
    parts.traces += [trace.update(xaxis=x, yaxis=y) for trace in lane_marks(panel.lanes, middles, mode)]
    parts.notes += [{"xref": f"{x} domain", "yref": y} | one for one in notes]
    parts.shapes += [{"yref": y} | one | {"xref": f"{x} domain" if one.get("xref") == "paper" else x} for one in shapes]
    n_ticks = 5 if sides.left + sides.right > _WIDE_SIDES_PX else 6
    options = {"nticks": n_ticks, "tickangle": 0, "automargin": False, "range": list(panel.window), "anchor": y}
    parts.layout[f"xaxis{x[1:]}"] = axis(panel.title, mode, **(options | dict(panel.ticks)))
    upright = {"visible": False, "range": [start, 0], "fixedrange": True, "anchor": x, "domain": domain}
    parts.layout[f"yaxis{y[1:]}"] = upright


def _name_notes(row: Row, start: float, sides: Sides, mode: Mode) -> list[dict[str, Any]]:
    """The name above its lanes at the left, and its words at the right."""
    place = start + NAME_PX / 2 + 2
    name = note(plot_text(fitting_name(row.name, row.words)), mode, x=0, xshift=-sides.left, y=place)
    name["font"] = {"size": 12, "color": ink(mode), "weight": 600}
    words = note(plot_text(row.words), mode, x=1, xshift=sides.right, xanchor="right", y=place)
    return [name, words | {"font": {"size": 12, "color": quiet(mode)}}] if row.words else [name]


def _lane_notes(lane: Lane, middle: float, sides: Sides, mode: Mode) -> list[dict[str, Any]]:
    label = note(plot_text(fitting_text(lane.label, sides.left - 8)), mode, x=0, xshift=-8, xanchor="right", y=middle)
    words = note(plot_text(lane.words), mode, x=1, xshift=8, y=middle)
    notes = [label | {"font": {"size": 11, "color": quiet(mode)}}] if lane.label else []
    return [*notes, words | {"font": {"size": 11, "color": ink(mode)}}] if lane.words else notes


def _across(place: float, colour: str) -> dict[str, Any]:
    line = {"color": colour, "width": 1}
    return {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": place, "y1": place, "line": line, "layer": "below"}


def _upright(value: float, span: tuple[float, float], mode: Mode) -> dict[str, Any]:
    line = {"color": css(quiet(mode), 0.65), "width": 1}
    return {"type": "line", "x0": value, "x1": value, "y0": span[0], "y1": span[1], "line": line, "layer": "below"}


def _ground(lane: Lane, middle: float, panel: Panel, mode: Mode) -> list[dict[str, Any]]:
    """The thin line that a dot stands on, and the part of it where a check passes."""
    ground = [] if lane.is_bar else [_across(middle, css(hairline(mode), 0.6))]
    if lane.passes is None:
        return ground
    low, high = (min(max(end, panel.window[0]), panel.window[1]) for end in lane.passes)
    box = {"type": "rect", "x0": low, "x1": high, "y0": middle - LANE_PX / 2, "y1": middle + LANE_PX / 2}
    return [box | {"fillcolor": css(quiet(mode), 0.16), "line": {"width": 0}, "layer": "below"}, *ground]
