"""Between which topics the endpoint pairs of a run lie."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from narrative_core.counting import count
from narrative_core.errors import InvalidInput
from narrative_core.figures.run_marks import colour_bar, empty_figure, n_line, n_words
from narrative_core.figures.theme import (
    N_REACH_STEPS,
    Mode,
    axis,
    base_layout,
    reach_colour,
)
from narrative_core.figures.wording import clip_text, plot_text

MOST_NUMBERS = 12
"""Of more topics the cells have no room for their number, and a colour bar says it."""

MOST_TOPICS = 20
"""Of more topics those with the fewest endpoints are one row and one column."""

OTHER_TOPICS = -1
"""What stands for them in the ``customdata``."""

_CELL_PX, _SMALL_CELL_PX, _TOP_PX = 26, 19, 12
_LABEL_LIMIT = 22


def coverage_topics(counts: NDArray[np.int64], labels: Sequence[str], *, mode: Mode = "light") -> go.Figure:
    """How many endpoint pairs lead from each topic to each topic, as a heat map with its numbers.

    Parameters
    ----------
    counts : array (n_topics, n_topics)
        Pairs by the topic of their source (row) and of their target (column).
    labels : sequence of str
        Names of the topics; a topic without any pair is left out, and counted. Of more than `MOST_TOPICS` those with
        the fewest endpoints are shown together.
    mode : "light" or "dark"

    Returns
    -------
    Figure
        One trace; each cell's ``customdata`` is [source topic, target topic], by position in ``labels``, or
        `OTHER_TOPICS`. Columns have the numbers of the topics, whose names stand at the rows.

    Raises
    ------
    InvalidInput
        If ``counts`` is not square or does not fit ``labels``.
    """
    if counts.shape != (len(labels), len(labels)):
        raise InvalidInput(
            f"counts must be {len(labels)} by {len(labels)}, one row and column a name; got {counts.shape}."
        )
    groups = _rows(counts)
    if not groups:
        return empty_figure("No endpoint of this run has a topic.", mode)
    shown = np.array([[counts[np.ix_(one, other)].sum() for other in groups] for one in groups])
    names = [_name(group, labels) for group in groups]
    k, n_unused = len(groups), len(labels) - sum(len(group) for group in groups)
    skipped = {f"{'topic' if n_unused == 1 else 'topics'} without an endpoint not shown": n_unused}
    cell_px = _CELL_PX if k <= MOST_NUMBERS else _SMALL_CELL_PX
    layout = base_layout(mode) | n_line(n_words(int(counts.sum()), "pair", skipped), mode)
    layout["margin"] |= {"t": _TOP_PX}
    figure = go.Figure(_cells(shown, groups, names, mode))
    figure.update_layout(layout | {"height": k * cell_px + _TOP_PX + layout["margin"]["b"] + 6})
    places = {"tickmode": "array", "tickvals": list(range(k)), "ticks": "", "showline": False}
    numbers = [str(i + 1) for i in range(k)]
    rows = [f"{name}  <b>{number}</b>" for name, number in zip(names, numbers, strict=True)]
    every = 1 if k <= MOST_NUMBERS else -(-k // 7)
    columns = [number if i % every == 0 else "" for i, number in enumerate(numbers)]
    figure.update_layout(
        xaxis=axis("topic of the target", mode, **places, ticktext=columns, tickangle=0, range=[-0.5, k - 0.5]),
        yaxis=axis("topic of the source", mode, **places, ticktext=rows, range=[k - 0.5, -0.5]),
    )
    return figure


def _rows(counts: NDArray[np.int64]) -> list[list[int]]:
    """Topics with an endpoint, one a row in their order; where they are too many the rest together in the last row."""
    endpoints = counts.sum(axis=0) + counts.sum(axis=1)
    used = [topic for topic in np.argsort(-endpoints, kind="stable").tolist() if endpoints[topic]]
    if len(used) <= MOST_TOPICS:
        return [[topic] for topic in sorted(used)]
    return [*([topic] for topic in sorted(used[: MOST_TOPICS - 1])), sorted(used[MOST_TOPICS - 1 :])]


def _name(group: Sequence[int], labels: Sequence[str]) -> str:
    if len(group) > 1:
        return f"{len(group)} other topics"
    return plot_text(clip_text(labels[group[0]] or "unnamed", _LABEL_LIMIT))


def _cells(shown: NDArray[np.int64], groups: Sequence[list[int]], names: Sequence[str], mode: Mode) -> go.Heatmap:
    k = len(groups)
    topics = [group[0] if len(group) == 1 else OTHER_TOPICS for group in groups]
    own = shown[:-1, :-1] if topics[-1] == OTHER_TOPICS else shown
    return go.Heatmap(
        name="pairs",
        x=list(range(k)),
        y=list(range(k)),
        z=np.where(shown > 0, shown, np.nan).tolist(),
        customdata=[[[source, target] for target in topics] for source in topics],
        text=[[str(n) if n else "" for n in row] for row in shown.tolist()],
        texttemplate="%{text}" if k <= MOST_NUMBERS else "",
        textfont={"size": 11},
        hovertext=[
            [f"{count(n, 'pair')} from<br>{names[i]}<br>to {names[j]}." for j, n in enumerate(row)]
            for i, row in enumerate(shown.tolist())
        ],
        hoverinfo="text",
        hoverongaps=False,
        xgap=1.5,
        ygap=1.5,
        zmin=0,
        zmax=max(int(own.max()), 1),
        colorscale=[[i / (N_REACH_STEPS - 1), reach_colour(i, mode)] for i in range(N_REACH_STEPS)],
        showscale=k > MOST_NUMBERS,
        colorbar=colour_bar("pairs; other topics may have more" if topics[-1] == OTHER_TOPICS else "pairs", mode),
    )
