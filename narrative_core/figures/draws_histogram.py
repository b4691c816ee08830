"""The trail against all random chronologies that were drawn between its endpoints."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from narrative_core.figures.scales import value_range
from narrative_core.figures.theme import (
    BASELINE_SYMBOL,
    Mode,
    axis,
    background,
    base_layout,
    baseline_colour,
    css,
    ink,
    note,
    trail_colour,
)
from narrative_core.figures.wording import strength_words
from narrative_core.records import StoryPair

_WIDTHS = (0.005, 0.01, 0.02, 0.05)
_MOST_BINS = 24


@dataclass(frozen=True, slots=True)
class Bin:
    """How many values lie in [low, high)."""

    low: float
    high: float
    count: int


def draws_histogram(pair: StoryPair, *, mode: Mode = "light") -> go.Figure:
    """Weakest links of the random chronologies as bars, the trail as a line, the displayed draw as a dashed one.

    Returns
    -------
    Figure
        One trace, "draws"; each bar's ``customdata`` is [low, high]. All draws equal give one bar; no draw gives none.
    """
    bins = strength_bins(pair.draw_bottlenecks)
    low, high = value_range([*pair.draw_bottlenecks, pair.trail.bottleneck], pad=0.08)
    top = max((bin_.count for bin_ in bins), default=1)
    figure = go.Figure(_bars(bins, pair.drawn, mode))
    figure.update_layout(base_layout(mode, title=_title(pair)))
    figure.update_layout(
        xaxis=axis("weakest link of the chronology", mode, range=[low, high], nticks=6, tickformat=".2f"),
        yaxis=axis("random chronologies", mode, range=[0, top * 1.4], nticks=4, tickformat=",d", rangemode="tozero"),
        bargap=0.06,
    )
    for mark in _lines(pair, top, (low, high), mode):
        figure.add_shape(mark["shape"])
        figure.add_annotation(mark["label"])
    return figure


def strength_bins(values: Sequence[float]) -> list[Bin]:
    """Counts of values in round bins: the narrowest of 0.005, 0.01, 0.02 and 0.05 that needs at most 24 bins.

    >>> [(bin_.low, bin_.count) for bin_ in strength_bins([0.411, 0.419, 0.431])]
    [(0.41, 1), (0.415, 1), (0.42, 0), (0.425, 0), (0.43, 1)]
    """
    known = np.array([value for value in values if math.isfinite(value)])
    if len(known) == 0:
        return []
    span = float(known.max() - known.min())
    width = next((width for width in _WIDTHS if span / width <= _MOST_BINS - 1), _WIDTHS[-1])
    numbers = np.floor(known / width + 1e-9).astype(int)
    return [
        Bin(round(k * width, 6), round((k + 1) * width, 6), int((numbers == k).sum()))
        for k in range(int(numbers.min()), int(numbers.max()) + 1)
    ]


def _bars(bins: Sequence[Bin], drawn: int, mode: Mode) -> go.Bar:
    return go.Bar(
        name="draws",
        x=[(bin_.low + bin_.high) / 2 for bin_ in bins],
        y=[bin_.count for bin_ in bins],
        width=[(bin_.high - bin_.low) * 0.92 for bin_ in bins],
        customdata=[[bin_.low, bin_.high] for bin_ in bins],
        hovertext=[
            f"{bin_.count:,} of {drawn:,} random chronologies have<br>"
            f"a weakest link from {bin_.low:g} to {bin_.high:g}."
            for bin_ in bins
        ],
        hoverinfo="text",
        marker={"color": css(baseline_colour(mode), 0.45), "line": {"width": 0}},
        unselected={"marker": {"opacity": 1}},
    )


def _title(pair: StoryPair) -> str:
    if pair.drawn == 0:
        return "No random chronology could be drawn"
    if pair.drawn == 1:
        return f"{'Stronger' if pair.beaten else 'Not stronger'} than the one random chronology"
    share = {0: "none of ", pair.drawn: "all "}.get(pair.beaten, f"{pair.beaten:,} of ")
    return f"Stronger than {share}{pair.drawn:,} random chronologies"


def _lines(pair: StoryPair, top: int, window: tuple[float, float], mode: Mode) -> list[dict[str, dict[str, Any]]]:
    trail = pair.trail.bottleneck
    marks = [_line(trail, f"this trail {strength_words(trail)}", top * 1.34, window, mode, is_trail=True)]
    if pair.drawn:
        shown = pair.baseline.bottleneck
        text = f"{BASELINE_SYMBOL} the one shown {strength_words(shown)}"
        marks.append(_line(shown, text, top * 1.17, window, mode, is_trail=False))
    return marks


def _line(
    value: float, text: str, height: float, window: tuple[float, float], mode: Mode, *, is_trail: bool
) -> dict[str, dict[str, Any]]:
    colour = trail_colour(mode) if is_trail else baseline_colour(mode)
    is_right_half = value > (window[0] + window[1]) / 2
    line = {"color": colour, "width": 2.5 if is_trail else 2, "dash": "solid" if is_trail else "dash"}
    return {
        "shape": {"type": "line", "x0": value, "x1": value, "y0": 0, "y1": height, "line": line},
        "label": note(
            text,
            mode,
            x=value,
            y=height,
            xanchor="right" if is_right_half else "left",
            yanchor="top",
            xshift=-5 if is_right_half else 5,
            bgcolor=css(background(mode), 0.75),
            font={"size": 12, "color": colour if is_trail else ink(mode)},
        ),
    }
