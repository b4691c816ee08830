"""What the days that a story spans have to do with its weakest link."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from narrative_core.counting import count
from narrative_core.figures.run_marks import (
    colour_bar,
    empty_figure,
    is_hollow,
    is_in_nats,
    kinds_made,
    legend_top,
    made_name,
    made_symbol,
    n_line,
    n_words,
    score_title,
    seat_label,
)
from narrative_core.figures.run_points import drawn_rows, metric_axis, story_points
from narrative_core.figures.theme import (
    N_REACH_STEPS,
    Mode,
    axis,
    base_layout,
    css,
    grey,
    hairline,
    quiet,
    reach_colour,
)
from narrative_core.judgements import HIGHEST_SCORE, LOWEST_SCORE
from narrative_core.runs import MADE_WORDS, Made, RunTable, SeatScores

_SPANS: Mapping[float, str] = {
    0: "same day",
    1: "1 day",
    7: "week",
    30: "month",
    365: "year",
    3652: "10 years",
    18262: "50 years",
    73048: "200 years",
}
"""Days in words; few, so that they stand beside each other on a phone."""


def span_scatter(table: RunTable, seat_number: int | None = None, *, mode: Mode = "light") -> go.Figure:
    """Days from the first document to the last against the weakest link, coloured by a judge's mean score.

    Parameters
    ----------
    table : RunTable
    seat_number : int or None
        Position of the judge in ``table.seats``; ``None`` colours by how stories were made.
    mode : "light" or "dark"

    Returns
    -------
    Figure
        Points by how stories were made, ``customdata`` [pair, made]; coloured ones after traces without points that
        only serve the legend. Stories without a score are drawn small and grey, stories without dates not at all; both
        are counted. ``x`` is log(1 + days): spans reach from a day to decades, and one of no day has its place.
    """
    days, weakest = table.metric("span"), table.metric("minimum")
    x = np.log1p(days)
    known = np.isfinite(days)
    if not known.any():
        return empty_figure("No story of this run has a date at both ends.", mode)
    skipped = {"without dates": int((~known).sum())}
    seat = None if seat_number is None else table.seats[seat_number]
    kinds = list(reversed(kinds_made(table)))
    if seat is None:
        figure = go.Figure([story_points(table, made, x, weakest, mode) for made in kinds])
    else:
        skipped["grey, without a score"] = int((known & np.isnan(seat.means)).sum())
        traces = [_key(made, mode) for made in kinds]
        traces += [trace for made in kinds for trace in _coloured(table, made, seat, (x, weakest), mode)]
        figure = go.Figure(traces, layout={"coloraxis": score_colours(seat, mode)})
    words = n_words(int(known.sum()), "story", skipped)
    words += "" if seat is None else f"<br>judge: {seat_label(seat)}"
    figure.update_layout(base_layout(mode, height=400) | n_line(words, mode) | legend_top(mode))
    figure.update_layout(
        xaxis=axis("time from first to last document, log scale", mode, **span_ticks(days[known])),
        yaxis=metric_axis("minimum", weakest[known], mode, showgrid=True, gridcolor=css(hairline(mode), 0.6)),
    )
    return figure


def _key(made: Made, mode: Mode) -> go.Scatter:
    """A symbol for the legend: points of many colours would stand there in black."""
    marker = {"symbol": made_symbol(made), "size": 9, "color": quiet(mode), "line": {"width": 2 * is_hollow(made)}}
    rank = list(MADE_WORDS).index(made)
    return go.Scatter(name=made_name(made), x=[None], y=[None], mode="markers", marker=marker, legendrank=rank)


def _coloured(
    table: RunTable, made: Made, seat: SeatScores, places: tuple[NDArray[np.float64], NDArray[np.float64]], mode: Mode
) -> list[go.Scatter]:
    """The scored stories that were made in one way, with the colour of their score; then those without a score."""
    x, weakest = places
    scores = seat.means
    unscored = story_points(table, made, np.where(np.isnan(scores), x, np.nan), weakest, mode, showlegend=False)
    unscored.update(marker={"size": 4, "color": grey(mode), "line": {"width": 1, "color": grey(mode)}})
    scored = story_points(table, made, np.where(np.isnan(scores), np.nan, x), weakest, mode, showlegend=False)
    marker = {
        "symbol": made_symbol(made),
        "size": 9,
        "color": scores[drawn_rows(table, made, *places, scores)].tolist(),
        "coloraxis": "coloraxis",
        "opacity": 0.95,
        "line": {"width": 2 * is_hollow(made)},
    }
    scored.update(marker=marker, unselected={"marker": {"opacity": 0.95}}, overwrite=True)
    return [unscored, scored]


def span_ticks(days: NDArray[np.float64]) -> dict[str, object]:
    """Range and ticks of an axis of log(1 + days), at spans that a person knows, or at the shortest and the longest.

    At least one of ``days`` is known, none is nan.

    >>> span_ticks(np.array([0.0, 40.0]))["ticktext"]
    ['same day', '1 day', 'week', 'month']
    """
    low, high = float(days.min()), float(days.max())
    ends = np.log1p([low, high])
    air = max(0.04 * float(np.ptp(ends)), 0.1)
    first, last = float(ends[0]) - air, float(ends[1]) + air
    ticks = {span: words for span, words in _SPANS.items() if first <= np.log1p(span) <= last}
    if len(ticks) < 2:
        ticks = {span: count(round(span), "day") for span in (low, high)}
    return {
        "range": [first, last],
        "tickmode": "array",
        "tickvals": [float(np.log1p(span)) for span in ticks],
        "ticktext": list(ticks.values()),
    }


def score_colours(seat: SeatScores, mode: Mode) -> dict[str, object]:
    """The sequential colours of a judge's scores with their bar: from 1 to 10, or the nats per token that there are."""
    known = seat.means[np.isfinite(seat.means)]
    is_points = not is_in_nats(seat.seat)
    low, high = (LOWEST_SCORE, HIGHEST_SCORE) if is_points or not len(known) else (known.min(), known.max())
    ticks = {"tickmode": "array", "tickvals": [1, 4, 7, 10]} if is_points else {}
    bar = colour_bar(score_title(seat.seat), mode, **ticks)
    scale = [[i / (N_REACH_STEPS - 1), reach_colour(i, mode)] for i in range(N_REACH_STEPS)]
    return {"cmin": float(low), "cmax": float(high), "colorscale": scale, "colorbar": bar}
