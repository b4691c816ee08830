"""Coherence against what a judge gives, a point a story."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from narrative_core.estimates import Estimate
from narrative_core.figures.estimate_words import interval_words
from narrative_core.figures.run_marks import (
    empty_figure,
    kinds_made,
    legend_top,
    made_colour,
    n_line,
    n_words,
    seat_label,
)
from narrative_core.figures.run_points import drawn_rows, metric_axis, score_axis, story_points
from narrative_core.figures.theme import Mode, background, base_layout, css, ink, note
from narrative_core.runs import METRIC_WORDS, Made, Metric, RunTable

MOST_BARS = 800
"""More stories than this are drawn without the spread of their agents; the study had 400."""


def score_scatter(
    table: RunTable, seat_number: int, metric: Metric = "minimum", *, r: Estimate | None = None, mode: Mode = "light"
) -> go.Figure:
    """A judge's mean score of each story against a metric, with the least-squares line of all.

    Parameters
    ----------
    table : RunTable
    seat_number : int
        Position of the judge in ``table.seats``.
    metric : Metric
    r : Estimate or None
        The correlation that the line is labelled with; ``None`` leaves line and label away.
    mode : "light" or "dark"

    Returns
    -------
    Figure
        One trace of points a way of making stories, ``customdata`` [pair, made], with the standard deviation of the
        agents as error bars where a judge has several and at most `MOST_BARS` stories; then the line. A judge without
        a score gives one sentence.
    """
    seat = table.seats[seat_number]
    x, y = table.metric(metric), seat.means
    known = np.isfinite(x) & np.isfinite(y)
    if not known.any():
        return empty_figure(f"{seat.label} has not scored a story of this run.", mode)
    n_agents, n_known = seat.scores.shape[1], int(known.sum())
    has_spread = n_agents > 1 and n_known <= MOST_BARS
    traces = []
    for made in reversed(kinds_made(table)):
        spread = _spread(table, made, (x, y, seat.sds), mode) if has_spread else {}
        traces.append(story_points(table, made, x, y, mode, **spread))
    figure = go.Figure(traces)
    if r is not None and np.ptp(x[known]):
        figure.add_trace(_line(x[known], y[known], mode))
        figure.add_annotation(_label(r, mode))
    skipped = {
        "without a score": int(np.isnan(y).sum()),
        f"without {METRIC_WORDS[metric]}": int((np.isnan(x) & np.isfinite(y)).sum()),
    }
    words = f"{n_words(n_known, 'story', skipped)}<br>judge: {seat_label(seat)}"
    words += f"; bars ± 1 sd of {n_agents} agents" if has_spread else ""
    figure.update_layout(base_layout(mode, height=400) | n_line(words, mode) | legend_top(mode))
    figure.update_layout(xaxis=metric_axis(metric, x[known], mode), yaxis=score_axis(seat.seat, y[known], mode))
    return figure


def _spread(
    table: RunTable, made: Made, values: tuple[NDArray[np.float64], ...], mode: Mode
) -> dict[str, dict[str, Any]]:
    x, y, sds = values
    spreads = np.nan_to_num(sds[drawn_rows(table, made, x, y)])
    colour = css(made_colour(made, mode), 0.3)
    return {"error_y": {"type": "data", "array": spreads.tolist(), "color": colour, "thickness": 1, "width": 0}}


def _line(x: NDArray[np.float64], y: NDArray[np.float64], mode: Mode) -> go.Scatter:
    """The least-squares line from the lowest to the highest ``x``, which are not the same."""
    deviations = x - x.mean()
    slope = float(deviations @ (y - y.mean()) / (deviations @ deviations))
    ends = [float(x.min()), float(x.max())]
    return go.Scatter(
        name="least-squares line",
        x=ends,
        y=[float(y.mean()) + slope * (end - float(x.mean())) for end in ends],
        mode="lines",
        line={"color": css(ink(mode), 0.55), "width": 1.5, "dash": "solid"},
        hoverinfo="skip",
        showlegend=False,
    )


def _label(r: Estimate, mode: Mode) -> dict[str, Any]:
    """The correlation in the corner that the stories leave free: below on the right, above where they fall."""
    is_falling = r.value < 0
    return note(
        f"— r = {interval_words(r)}",
        mode,
        xref="paper",
        yref="paper",
        x=1,
        y=1 if is_falling else 0,
        xanchor="right",
        yanchor="top" if is_falling else "bottom",
        yshift=-4 if is_falling else 4,
        bgcolor=css(background(mode), 0.8),
        font={"size": 12, "color": ink(mode)},
    )
