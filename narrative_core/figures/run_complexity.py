"""What the shape of a story's way has to do with what a judge gives it."""

import math
from typing import Literal

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from narrative_core.figures.run_marks import (
    colour_bar,
    empty_figure,
    kinds_made,
    legend_top,
    n_line,
    n_words,
    seat_label,
)
from narrative_core.figures.run_points import METRIC_TITLES, metric_axis, score_axis, story_points
from narrative_core.figures.theme import N_REACH_STEPS, Mode, base_layout, reach_colour
from narrative_core.runs import METRIC_WORDS, RunTable

MOST_POINTS = 500
"""More stories than this are drawn as counts in cells, fewer as points."""

_N_CELLS = (36, 18)
_WITHOUT = {"variance": "with one link", "efficiency": "without directness", "weak share": "without a share"}


def complexity_density(
    table: RunTable,
    seat_number: int,
    metric: Literal["variance", "efficiency", "weak share"] = "variance",
    *,
    mode: Mode = "light",
) -> go.Figure:
    """A judge's mean score against how uneven, direct or weakly linked the way of a story is.

    Returns
    -------
    Figure
        Up to `MOST_POINTS` stories a point each, ``customdata`` [pair, made]; more as cells in five steps of colour,
        ``customdata`` [metric from, metric to, score from, score to]. Stories without either number are counted.
    """
    seat = table.seats[seat_number]
    x, y = table.metric(metric), seat.means
    known = np.isfinite(x) & np.isfinite(y)
    if not known.any():
        return empty_figure(f"No story has both a score of {seat.label} and its {METRIC_WORDS[metric]}.", mode)
    skipped = {
        "without a score": int(np.isnan(y).sum()),
        _WITHOUT[metric]: int((np.isnan(x) & np.isfinite(y)).sum()),
    }
    n_known = int(known.sum())
    words = f"{n_words(n_known, 'story', skipped)}<br>judge: {seat_label(seat)}"
    layout = base_layout(mode, height=400) | n_line(words, mode)
    if n_known <= MOST_POINTS:
        figure = go.Figure([story_points(table, made, x, y, mode) for made in reversed(kinds_made(table))])
        layout |= legend_top(mode)
    else:
        figure = go.Figure(_cells(x[known], y[known], METRIC_TITLES[metric], mode))
        layout["margin"] |= {"t": 14}
    figure.update_layout(layout)
    figure.update_layout(
        xaxis=metric_axis(metric, x[known], mode), yaxis=score_axis(seat.seat, y[known], mode, showgrid=False)
    )
    return figure


def _cells(x: NDArray[np.float64], y: NDArray[np.float64], title: str, mode: Mode) -> go.Heatmap:
    """Counts of stories in cells; an empty cell is not drawn."""
    counts, x_edges, y_edges = np.histogram2d(x, y, bins=[_edges(x, _N_CELLS[0]), _edges(y, _N_CELLS[1])])
    counts = counts.T
    bounds = [
        [[x_edges[j], x_edges[j + 1], y_edges[i], y_edges[i + 1]] for j in range(len(x_edges) - 1)]
        for i in range(len(y_edges) - 1)
    ]
    words = [
        [_cell_words(int(counts[i, j]), title, cell) for j, cell in enumerate(row)] for i, row in enumerate(bounds)
    ]
    top = float(counts.max())
    ticks = sorted({round(top * step / N_REACH_STEPS) for step in range(N_REACH_STEPS + 1)})
    return go.Heatmap(
        name="stories",
        x=x_edges.tolist(),
        y=y_edges.tolist(),
        z=np.where(counts > 0, counts, np.nan).tolist(),
        customdata=bounds,
        hovertext=words,
        hoverinfo="text",
        hoverongaps=False,
        xgap=1,
        ygap=1,
        zmin=0,
        zmax=top,
        colorscale=_steps(mode),
        colorbar=colour_bar("stories in a cell", mode, tickmode="array", tickvals=ticks, tickformat=",d"),
    )


def _cell_words(n: int, title: str, bounds: list[float]) -> str:
    x_low, x_high, y_low, y_high = bounds
    noun = "story has" if n == 1 else "stories have"
    return f"{n:,} {noun}<br>{title} from {x_low:.3g} to {x_high:.3g}<br>and a score from {y_low:.3g} to {y_high:.3g}."


def _edges(values: NDArray[np.float64], most: int) -> NDArray[np.float64]:
    """Edges of at most ``most`` + 1 cells of a round width that hold every value; round values are in the middle."""
    span = float(values.max() - values.min())
    if span == 0:
        return np.array([values[0] - 0.5, values[0] + 0.5])
    raw = span / most
    power = 10.0 ** math.floor(math.log10(raw))
    width = next(step * power for step in (1, 2, 5, 10) if step * power >= raw)
    first, last = math.ceil(values.min() / width - 0.5), math.floor(values.max() / width + 0.5)
    return (np.arange(first, last + 2) - 0.5) * width


def _steps(mode: Mode) -> list[list[object]]:
    """Five steps with sharp edges: a colour then means a count between two numbers."""
    scale: list[list[object]] = []
    for step in range(N_REACH_STEPS):
        colour = reach_colour(step, mode)
        scale += [[step / N_REACH_STEPS, colour], [(step + 1) / N_REACH_STEPS, colour]]
    return scale
