"""The stories of a run as points: one trace for each way of making them, and the axes that they stand on."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from narrative_core.figures.run_marks import (
    is_hollow,
    is_in_nats,
    made_colour,
    made_name,
    made_symbol,
    score_title,
    stories_words,
    story_point,
)
from narrative_core.figures.theme import Mode, axis, css, hairline
from narrative_core.judgements import HIGHEST_SCORE, LOWEST_SCORE, Seat
from narrative_core.runs import MADE_WORDS, METRIC_WORDS, Made, Metric, RunTable

METRIC_TITLES: Mapping[Metric, str] = {
    **METRIC_WORDS,
    "minimum": "weakest link, coherence",
    "average": "mean link, coherence",
    "length": "documents in the story",
    "efficiency": "directness, 0 to 1",
    "weak share": "weak links, share 0 to 1",
}
"""What the axis of a metric says."""

_LEAST_SPAN = 1e-6
_MANY = 250


def story_points(
    table: RunTable, made: Made, x: NDArray[np.float64], y: NDArray[np.float64], mode: Mode, **options: object
) -> go.Scatter:
    """The stories that were made in one way as points, those left out that have no ``x`` or no ``y``.

    Parameters
    ----------
    table : RunTable
    made : Made
        The trace is named by its words.
    x, y : array (n_stories,)
        nan is not drawn.
    mode : "light" or "dark"
    options
        Plotly's, which win.

    Returns
    -------
    Scatter
        ``customdata`` is [pair, made] of each point.
    """
    rows = drawn_rows(table, made, x, y)
    colour = made_colour(made, mode)
    is_open = is_hollow(made)
    is_many = len(rows) > _MANY
    opacity = 0.5 if is_many else 0.85
    marker = {
        "symbol": made_symbol(made),
        "size": 6 if is_many else 8,
        "color": css(colour, 0.9 if is_open else 0.75),
        "opacity": opacity,
        "line": {"width": 1 if is_many else 1.5, "color": colour} if is_open else {"width": 0},
    }
    plain: dict[str, Any] = {
        "name": made_name(made),
        "legendrank": list(MADE_WORDS).index(made),
        "x": x[rows].tolist(),
        "y": y[rows].tolist(),
        "mode": "markers",
        "customdata": [story_point(table, row) for row in rows],
        "hovertext": stories_words(table, rows),
        "hoverinfo": "text",
        "marker": marker,
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": opacity}},
        "cliponaxis": False,
    }
    return go.Scatter(plain | options)


def drawn_rows(table: RunTable, made: Made, *values: NDArray[np.float64]) -> list[int]:
    """Rows of the stories that were made in one way and have every one of the values."""
    return [int(row) for row in table.rows(made) if all(math.isfinite(value[row]) for value in values)]


def coherence_range(values: NDArray[np.float64]) -> list[float]:
    """Range of an axis of coherence in round tenths, at least three, that holds every value, within [0, 1].

    >>> coherence_range(np.array([0.31, 0.78, float("nan")]))
    [0.3, 0.8]
    """
    known = values[np.isfinite(values)]
    if not len(known):
        return [0.0, 1.0]
    low, high = math.floor(known.min() * 10 + 1e-9), math.ceil(known.max() * 10 - 1e-9)
    while high - low < 3:
        low, high = max(low - 1, 0), min(high + 1, 10)
    return [low / 10, high / 10]


def coherence_scale(values: NDArray[np.float64]) -> dict[str, Any]:
    """Range and ticks of an axis of coherence: every tenth, or every other where there are many."""
    low, high = coherence_range(values)
    step = 0.1 if high - low < 0.55 else 0.2
    return {"range": [low, high], "tickmode": "linear", "tick0": 0, "dtick": step, "tickformat": ".1f"}


def metric_axis(metric: Metric, values: NDArray[np.float64], mode: Mode, **options: object) -> dict[str, Any]:
    """The axis of a metric: coherences and shares in tenths, documents and days in whole numbers."""
    if metric in ("minimum", "average"):
        scale: dict[str, Any] = coherence_scale(values)
    elif metric in ("efficiency", "weak share"):
        scale = {"range": [-0.03, 1.03], "tickmode": "linear", "tick0": 0, "dtick": 0.25, "tickformat": ".2~f"}
    elif metric == "variance":
        scale = {"range": _from_zero(values), "nticks": 5, "tickformat": "~g"}
    else:
        scale = {"range": _from_zero(values), "nticks": 6, "tickformat": ",d"}
    return axis(METRIC_TITLES[metric], mode, **(scale | options))


def score_axis(seat: Seat, values: NDArray[np.float64], mode: Mode, **options: object) -> dict[str, Any]:
    """The axis of a judge's scores: the whole scale from 1 to 10, or the nats per token that there are."""
    grid = {"showgrid": True, "gridcolor": css(hairline(mode), 0.6), "gridwidth": 1}
    if is_in_nats(seat):
        scale: dict[str, Any] = {"range": _with_air(values), "nticks": 6, "tickformat": ".2~f"}
    else:
        low, high = LOWEST_SCORE - 0.3, HIGHEST_SCORE + 0.3
        scale = {"range": [low, high], "tickmode": "array", "tickvals": [1, 4, 7, 10]}
    return axis(score_title(seat), mode, **(grid | scale | options))


def _from_zero(values: NDArray[np.float64]) -> list[float]:
    known = values[np.isfinite(values)]
    top = max(float(known.max()), _LEAST_SPAN) if len(known) else 1.0
    return [-0.03 * top, 1.05 * top]


def _with_air(values: NDArray[np.float64]) -> list[float]:
    known = values[np.isfinite(values)]
    if not len(known):
        return [0.0, 1.0]
    low, high = float(known.min()), float(known.max())
    air = max(0.06 * (high - low), 0.02)
    return [low - air, high + air]
