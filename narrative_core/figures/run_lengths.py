"""How long the stories of a run are, and what length has to do with the weakest link."""

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from narrative_core.counting import count
from narrative_core.figures.run_marks import (
    empty_figure,
    is_hollow,
    kinds_made,
    legend_top,
    made_colour,
    made_name,
    n_line,
    n_words,
)
from narrative_core.figures.run_points import METRIC_TITLES, metric_axis, story_points
from narrative_core.figures.theme import Mode, axis, base_layout, css, hairline
from narrative_core.runs import MADE_WORDS, Made, RunTable

_JITTER = 0.3
_GOLDEN = (np.sqrt(5) - 1) / 2


def length_scatter(table: RunTable, *, mode: Mode = "light") -> go.Figure:
    """Documents of each story against its weakest link; equal lengths stand a little beside each other.

    Returns
    -------
    Figure
        One trace of points a way of making stories, ``customdata`` [pair, made]. A point is moved sideways by less
        than a third of a document, always in the same way.
    """
    if not table.stories:
        return empty_figure("This run has no story yet.", mode)
    lengths, weakest = table.metric("length"), table.metric("minimum")
    x = lengths + jitter(len(lengths))
    traces = [story_points(table, made, x, weakest, mode) for made in reversed(kinds_made(table))]
    figure = go.Figure(traces)
    figure.update_layout(
        base_layout(mode, height=380) | n_line(n_words(len(lengths), "story"), mode) | legend_top(mode)
    )
    figure.update_layout(
        xaxis=_length_axis(lengths, mode),
        yaxis=metric_axis("minimum", weakest, mode, showgrid=True, gridcolor=css(hairline(mode), 0.6)),
    )
    return figure


def length_bars(table: RunTable, *, mode: Mode = "light") -> go.Figure:
    """How many stories have each number of documents, by how they were made.

    Returns
    -------
    Figure
        One trace of bars a way of making stories; each bar's ``customdata`` is [length, length + 1, made].
    """
    if not table.stories:
        return empty_figure("This run has no story yet.", mode)
    lengths = table.metric("length").astype(np.int64)
    figure = go.Figure([_bars(lengths[table.rows(made)], made, mode) for made in kinds_made(table)])
    figure.update_layout(
        base_layout(mode, height=280) | n_line(n_words(len(lengths), "story"), mode) | legend_top(mode)
    )
    figure.update_layout(
        xaxis=_length_axis(lengths.astype(np.float64), mode),
        yaxis=axis("stories", mode, nticks=5, tickformat=",d", rangemode="tozero", showline=False)
        | {"showgrid": True, "gridcolor": css(hairline(mode), 0.6), "ticks": ""},
        barmode="group",
        bargap=0.25,
        bargroupgap=0.08,
    )
    return figure


def jitter(n: int) -> NDArray[np.float64]:
    """Shifts in (−0.3, 0.3) that look random and are always the same: multiples of the golden ratio, modulo 1."""
    shifts: NDArray[np.float64] = (np.arange(1, n + 1) * _GOLDEN % 1 - 0.5) * 2 * _JITTER
    return shifts


def _bars(lengths: NDArray[np.int64], made: Made, mode: Mode) -> go.Bar:
    values, counts = np.unique(lengths, return_counts=True)
    colour, is_open = made_colour(made, mode), is_hollow(made)
    return go.Bar(
        name=made_name(made),
        x=values.tolist(),
        y=counts.tolist(),
        customdata=[[length, length + 1, made] for length in values.tolist()],
        hovertext=[
            f"{n:,} of {len(lengths):,} ({MADE_WORDS[made]})<br>"
            f"{'has' if n == 1 else 'have'} {count(length, 'document')}."
            for length, n in zip(values.tolist(), counts.tolist(), strict=True)
        ],
        hoverinfo="text",
        marker={
            "color": css(colour, 0.12 if is_open else 0.75),
            "line": {"width": 1.2 if is_open else 0, "color": colour},
        },
        unselected={"marker": {"opacity": 1}},
    )


def _length_axis(lengths: NDArray[np.float64], mode: Mode) -> dict[str, object]:
    low, high = int(lengths.min()), int(lengths.max())
    every = max(1, -(-(high - low + 1) // 10))
    ticks = {"tickmode": "linear", "tick0": low, "dtick": every, "tickformat": ",d"}
    return axis(METRIC_TITLES["length"], mode, range=[low - 0.6, high + 0.6], **ticks)
