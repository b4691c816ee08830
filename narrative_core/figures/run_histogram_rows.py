"""Histograms one below the other, a row for each way of making stories, on one axis: nothing hides behind anything."""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from narrative_core.figures.estimate_words import number_words
from narrative_core.figures.run_marks import is_hollow, made_colour, made_dash, made_name, n_line
from narrative_core.figures.theme import (
    BASELINE_SYMBOL,
    TRAIL_SYMBOL,
    Mode,
    axis,
    base_layout,
    css,
    hairline,
    ink,
    note,
    quiet,
)
from narrative_core.runs import MADE_WORDS, Made

ROW_PX, _GAP_PX, _TOP_PX = 84, 30, 28
_WIDTHS = (0.01, 0.02, 0.05, 0.1, 0.2)
_FEWEST_BINS, _MOST_BINS = 8, 30


def histogram_rows(
    values: Mapping[Made, NDArray[np.float64]],
    *,
    title: str,
    said: str,
    n: str,
    has_zero: bool = False,
    mode: Mode = "light",
) -> go.Figure:
    """A row of bars for each way of making stories, each with its mean; all rows have the same bins and heights.

    Parameters
    ----------
    values : mapping of Made to array
        The values of each row, the first on top; at least one is known, nan is left out.
    title : str
        Words of the axis, with the unit.
    said : str
        What the hover calls a value: "a weakest link".
    n : str
        The last line: how many stories are drawn, and how many are not.
    has_zero : bool
        Whether a dotted line marks 0 in each row.
    mode : "light" or "dark"

    Returns
    -------
    Figure
        One trace of bars a row, named by how the stories were made; each bar's ``customdata`` is [low, high, made] for
        the values in [low, high). An empty bin has no bar.
    """
    edges = round_edges(np.concatenate([np.asarray(row) for row in values.values()]))
    counts = {made: bin_counts(row, edges) for made, row in values.items()}
    top = max(int(row.max()) for row in counts.values())
    height = _TOP_PX + len(values) * ROW_PX + (len(values) - 1) * _GAP_PX
    layout = base_layout(mode) | n_line(n, mode)
    layout["margin"] |= {"t": _TOP_PX}
    figure = go.Figure(layout=layout | {"height": height + layout["margin"]["b"], "bargap": 0})
    bottoms = [1 - (i * (ROW_PX + _GAP_PX) + ROW_PX) / (height - _TOP_PX) for i in range(len(values))]
    for i, (made, bottom) in enumerate(zip(values, bottoms, strict=True)):
        suffix = "" if i == 0 else str(i + 1)
        figure.add_trace(_bars(made, counts[made], edges, said, mode).update(yaxis=f"y{suffix}"))
        domain = [max(bottom, 0.0), min(bottom + ROW_PX / (height - _TOP_PX), 1.0)]
        figure.update_layout({f"yaxis{suffix}": _height_axis(domain, top, mode)})
        _add_mean(figure, made, values[made], f"y{suffix}", mode)
        if has_zero:
            line = {"color": quiet(mode), "width": 1, "dash": "dot"}
            figure.add_shape(type="line", x0=0, x1=0, y0=0, y1=1, yref=f"y{suffix} domain", line=line)
    figure.update_layout(xaxis=_value_axis(title, edges, len(values), mode))
    return figure


def round_edges(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Edges of bins of one round width that hold every known value: the narrowest that needs at most 30 bins.

    Where fewer than 8 bins would do, empty ones are added on both sides, so that one value is not the whole width.

    >>> round_edges(np.array([0.413, 0.581, float("nan")]))[:3]
    array([0.41, 0.42, 0.43])
    """
    known = values[np.isfinite(values)]
    span = float(known.max() - known.min())
    width = next((width for width in _WIDTHS if span / width <= _MOST_BINS - 1), span / _MOST_BINS)
    first, last = math.floor(float(known.min()) / width - 1e-9), math.floor(float(known.max()) / width + 1e-9)
    while last - first + 1 < _FEWEST_BINS:
        first, last = first - 1, last + 1
    return np.round(np.arange(first, last + 2) * width, 6)


def bin_counts(values: NDArray[np.float64], edges: NDArray[np.float64]) -> NDArray[np.int64]:
    """How many known values lie in each [edge, next edge)."""
    places = np.searchsorted(edges, values[np.isfinite(values)], side="right") - 1
    return np.bincount(places, minlength=len(edges) - 1).astype(np.int64)


def _bars(made: Made, counts: NDArray[np.int64], edges: NDArray[np.float64], said: str, mode: Mode) -> go.Bar:
    colour, total = made_colour(made, mode), int(counts.sum())
    is_open = is_hollow(made)
    bars = [(low, high, n) for (low, high), n in zip(pairwise(edges.tolist()), counts.tolist(), strict=True) if n]
    return go.Bar(
        name=made_name(made),
        x=[(low + high) / 2 for low, high, _ in bars],
        y=[n for _, _, n in bars],
        width=[(high - low) * 0.9 for low, high, _ in bars],
        customdata=[[low, high, made] for low, high, _ in bars],
        hovertext=[
            f"{n:,} of {total:,} ({MADE_WORDS[made]})<br>{'has' if n == 1 else 'have'} {said} from {low:g} to {high:g}."
            for low, high, n in bars
        ],
        hoverinfo="text",
        marker={
            "color": css(colour, 0.12 if is_open else 0.75),
            "line": {"width": 1.2 if is_open else 0, "color": colour},
        },
        unselected={"marker": {"opacity": 1}},
    )


def _height_axis(domain: Sequence[float], top: int, mode: Mode) -> dict[str, Any]:
    ticks = {"tickmode": "array", "tickvals": [0, top], "tickformat": ",d", "ticks": "", "showline": False}
    return axis("stories", mode, domain=list(domain), range=[0, top * 1.04], anchor="x", **ticks)


def _value_axis(title: str, edges: NDArray[np.float64], n_rows: int, mode: Mode) -> dict[str, Any]:
    width = float(edges[1] - edges[0])
    low, high = float(edges[0]) - width / 2, float(edges[-1]) + width / 2
    anchor = "y" if n_rows == 1 else f"y{n_rows}"
    return axis(title, mode, range=[low, high], nticks=7, anchor=anchor, tickformat=".3~f") | {
        "showgrid": True,
        "gridcolor": css(hairline(mode), 0.6),
    }


def _add_mean(figure: go.Figure, made: Made, values: NDArray[np.float64], place: str, mode: Mode) -> None:
    """The row's name, n and mean in words above it, and the mean as a line through it."""
    known, colour = values[np.isfinite(values)], made_colour(made, mode)
    symbol = BASELINE_SYMBOL if is_hollow(made) else TRAIL_SYMBOL
    mean = f"mean {number_words(float(known.mean()))}, " if len(known) else ""
    text = f'<span style="color:{colour}">{symbol} <b>{made_name(made)}</b></span>  {mean}n = {len(known):,}'
    at = {"xref": "paper", "x": 0, "yref": f"{place} domain", "y": 1, "yanchor": "bottom", "yshift": 2}
    figure.add_annotation(note(text, mode, **at))
    if len(known):
        line = {"color": ink(mode), "width": 1.5, "dash": made_dash(made)}
        mean_at = float(known.mean())
        figure.add_shape(type="line", x0=mean_at, x1=mean_at, y0=0, y1=1, yref=f"{place} domain", line=line)
