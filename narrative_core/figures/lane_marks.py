"""The marks of lanes: bars, dots with whiskers, small dots of single folds, the reference study's diamonds."""

import math
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from narrative_core.figures.lanes import Lane
from narrative_core.figures.theme import Mode, background, ink

_BAR_PX, _DOT_PX, _SMALL_PX, _STUDY_PX = 9, 11, 6, 14
_Placed = Sequence[tuple[Lane, float]]


def lane_marks(lanes: Sequence[Lane], heights: Sequence[float], mode: Mode) -> list[Any]:
    """Traces "also", "bars", "dots" and "reference study"; one that would be empty is left out.

    ``heights`` is where each lane stands on the y axis. A lane without a value has no bar and no dot.
    """
    placed = [(lane, y) for lane, y in zip(lanes, heights, strict=True) if math.isfinite(lane.value)]
    studied = [(lane, y) for lane, y in zip(lanes, heights, strict=True) if math.isfinite(lane.study)]
    traces: list[Any] = _also([(lane, y) for lane, y in placed if lane.also])
    for looks_alike in _groups(placed):
        traces.append(_bars(looks_alike, mode) if looks_alike[0][0].is_bar else _dots(looks_alike, mode))
    return [*traces, *_studies(studied, mode)]


def _groups(placed: _Placed) -> list[list[tuple[Lane, float]]]:
    """Lanes that can share a trace: plotly gives all whiskers of a trace one colour, and draws one for no interval."""
    groups: dict[tuple[bool, str, bool], list[tuple[Lane, float]]] = {}
    for lane, y in placed:
        groups.setdefault((lane.is_bar, lane.colour, _has_interval(lane)), []).append((lane, y))
    return list(groups.values())


def _has_interval(lane: Lane) -> bool:
    return math.isfinite(lane.low) and math.isfinite(lane.high)


def _also(placed: _Placed) -> list[go.Scatter]:
    points = [(lane.colour, value, y) for lane, y in placed for value in lane.also if math.isfinite(value)]
    if not points:
        return []
    trace = go.Scatter(
        name="also",
        x=[value for _, value, _ in points],
        y=[y for _, _, y in points],
        mode="markers",
        hoverinfo="skip",
        marker={"size": _SMALL_PX, "color": [colour for colour, _, _ in points], "opacity": 0.45},
        unselected={"marker": {"opacity": 0.45}},
    )
    return [trace]


def _bars(placed: _Placed, mode: Mode) -> go.Bar:
    return go.Bar(
        name="bars",
        orientation="h",
        width=_BAR_PX,
        marker={"color": placed[0][0].colour, "line": {"width": 0}},
        unselected={"marker": {"opacity": 1}},
        **_shared(placed, ink(mode)),
    )


def _dots(placed: _Placed, mode: Mode) -> go.Scatter:
    """Filled dots have a rim in the colour of the page; hollow ones are filled with it, and so hide their whisker."""
    colour = placed[0][0].colour
    is_hollow = [lane.symbol.endswith("-open") for lane, _ in placed]
    return go.Scatter(
        name="dots",
        mode="markers",
        marker={
            "symbol": [lane.symbol.removesuffix("-open") for lane, _ in placed],
            "size": _DOT_PX,
            "color": [background(mode) if hollow else colour for hollow in is_hollow],
            "opacity": 1,
            "line": {
                "width": [2 if hollow else 1 for hollow in is_hollow],
                "color": [colour if hollow else background(mode) for hollow in is_hollow],
            },
        },
        unselected={"marker": {"opacity": 1}},
        cliponaxis=False,
        **_shared(placed, colour),
    )


def _shared(placed: _Placed, colour: str) -> dict[str, Any]:
    """What bars and dots have in common: place, interval, hover, key."""
    shared = {
        "x": [lane.value for lane, _ in placed],
        "y": [y for _, y in placed],
        "customdata": [list(lane.key) for lane, _ in placed],
        "hovertext": [lane.hover for lane, _ in placed],
        "hoverinfo": "text",
    }
    if not _has_interval(placed[0][0]):
        return shared
    above = [lane.high - lane.value for lane, _ in placed]
    below = [lane.value - lane.low for lane, _ in placed]
    whisker = {"type": "data", "array": above, "arrayminus": below, "color": colour, "thickness": 1.5, "width": 4}
    return shared | {"error_x": whisker}


def _studies(placed: _Placed, mode: Mode) -> list[go.Scatter]:
    if not placed:
        return []
    trace = go.Scatter(
        name="reference study",
        x=[lane.study for lane, _ in placed],
        y=[y for _, y in placed],
        mode="markers",
        hovertext=[f"The reference study printed {lane.study:g}." for lane, _ in placed],
        hoverinfo="text",
        marker={"symbol": "diamond-open", "size": _STUDY_PX, "color": ink(mode), "line": {"width": 1.5}},
        unselected={"marker": {"opacity": 1}},
    )
    return [trace]
