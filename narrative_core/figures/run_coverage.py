"""Where the endpoint pairs of a run lie on the map: a small map for each stratum, so that none hides another."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from narrative_core.figures.run_marks import empty_figure, n_line, n_words
from narrative_core.figures.run_strata import PairGroup, pair_groups
from narrative_core.figures.theme import Mode, base_layout, css, grey, note, quiet
from narrative_core.runs import RunTable

MOST_DOCUMENTS = 800
"""Of more documents each small map shows every second, third … one, so that the figure stays light."""

_MANY_PAIRS = 60
_MAP_PX, _NAME_PX, _WIDE_MAP_PX = 190, 38, 380


def coverage_map(
    table: RunTable, positions: NDArray[np.float64], ends: NDArray[np.int64], *, mode: Mode = "light"
) -> go.Figure:
    """Documents in grey, and each endpoint pair as a faint line from its source ● to its target ▸, a map a stratum.

    Parameters
    ----------
    table : RunTable
        Its stories say the stratum of each pair.
    positions : array (n_documents, 2)
        Where the documents lie on the map.
    ends : array (n_pairs, 2)
        Rows of the source and the target in ``positions``; pair ``p`` of the run at ``ends[p]``.
    mode : "light" or "dark"

    Returns
    -------
    Figure
        For each stratum traces "documents", lines, sources and targets, the last two with ``customdata``
        [pair, "trail"].

    Raises
    ------
    InvalidInput
        If a pair of the run has no row in ``ends``.
    """
    groups = pair_groups(table, len(ends))
    if not groups or not len(positions):
        return empty_figure("This run has no endpoint pair yet.", mode)
    every = -(-len(positions) // MOST_DOCUMENTS)
    n_columns = 1 if len(groups) == 1 else 2
    n_rows = -(-len(groups) // n_columns)
    map_px = _WIDE_MAP_PX if n_columns == 1 else _MAP_PX
    area = n_rows * (map_px + _NAME_PX)
    layout = base_layout(mode) | n_line(_words(groups, len(positions), every), mode)
    layout["margin"] |= {"l": 8, "r": 8, "t": 4, "b": layout["margin"]["b"] - 34}
    figure = go.Figure(layout=layout | {"height": area + 4 + layout["margin"]["b"]})
    axes = _axes(positions, mode)
    for i, group in enumerate(groups):
        row, column = divmod(i, n_columns)
        x0 = column / n_columns
        y1 = 1 - (row * (map_px + _NAME_PX) + _NAME_PX) / area
        suffix = "" if i == 0 else str(i + 1)
        x_axis = axes["x"] | {"domain": [x0 + 0.005, x0 + 1 / n_columns - 0.005], "anchor": f"y{suffix}"}
        y_axis = axes["y"] | {"domain": [max(y1 - map_px / area, 0.0), y1], "scaleanchor": f"x{suffix}"}
        figure.update_layout({f"xaxis{suffix}": x_axis, f"yaxis{suffix}": y_axis | {"anchor": f"x{suffix}"}})
        for trace in _traces(group, positions, ends, every, mode):
            figure.add_trace(trace.update(xaxis=f"x{suffix}", yaxis=f"y{suffix}"))
        at = {"xref": "paper", "x": x0, "yref": "paper", "y": y1, "yanchor": "bottom", "yshift": 2}
        figure.add_annotation(
            note(
                group.label(mode).replace("</span>  ", "</span><br>"),
                mode,
                **at,
                font={"size": 11, "color": quiet(mode)},
            )
        )
    return figure


def _words(groups: list[PairGroup], n_documents: int, every: int) -> str:
    words = f"{n_words(sum(len(group.pairs) for group in groups), 'pair')} among {n_documents:,} documents"
    return f"{words}<br>{f'1 in {every} documents drawn; ' if every > 1 else ''}● source, ▸ target"


def _axes(positions: NDArray[np.float64], mode: Mode) -> dict[str, dict[str, Any]]:
    """Hidden axes that show all documents in every small map."""
    low, high = positions.min(axis=0), positions.max(axis=0)
    air = np.maximum(0.06 * (high - low), 1e-6)
    hidden = {"visible": False, "fixedrange": True}
    return {
        name: hidden | {"range": [float(low[k] - air[k]), float(high[k] + air[k])]} for k, name in enumerate(("x", "y"))
    }


def _traces(
    group: PairGroup, positions: NDArray[np.float64], ends: NDArray[np.int64], every: int, mode: Mode
) -> list[go.Scatter]:
    documents = go.Scatter(
        name="documents",
        x=positions[::every, 0].tolist(),
        y=positions[::every, 1].tolist(),
        mode="markers",
        hoverinfo="skip",
        marker={"size": 3, "color": css(grey(mode), 0.55), "line": {"width": 0}},
        unselected={"marker": {"opacity": 1}},
    )
    rows = ends[list(group.pairs)]
    x: list[float | None] = []
    y: list[float | None] = []
    for source, target in positions[rows].tolist():
        x += [source[0], target[0], None]
        y += [source[1], target[1], None]
    line = {"color": css(group.colour(mode), 0.2 if _is_dense(group) else 0.5), "width": 1}
    lines = go.Scatter(name=group.words, x=x, y=y, mode="lines", hoverinfo="skip", line=line)
    return [documents, lines, *(_ends(positions[rows[:, end]], group, end, mode) for end in (0, 1))]


def _is_dense(group: PairGroup) -> bool:
    """Whether a small map has so many pairs that they need finer marks."""
    return len(group.pairs) > _MANY_PAIRS


def _ends(places: NDArray[np.float64], group: PairGroup, end: int, mode: Mode) -> go.Scatter:
    word = "target" if end else "source"
    size, opacity = ((5 if end else 3.5), 0.7) if _is_dense(group) else ((7 if end else 5), 0.9)
    return go.Scatter(
        name=f"{group.words}, {word}",
        x=places[:, 0].tolist(),
        y=places[:, 1].tolist(),
        mode="markers",
        customdata=[[pair, "trail"] for pair in group.pairs],
        hovertext=[f"{word.capitalize()} of pair {pair + 1:,},<br>{group.words}." for pair in group.pairs],
        hoverinfo="text",
        marker={
            "symbol": "triangle-right" if end else "circle",
            "size": size,
            "color": group.colour(mode),
            "opacity": opacity,
        },
        unselected={"marker": {"opacity": opacity}},
    )
