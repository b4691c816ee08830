"""Heat maps of a run: how metrics and judges go together, and every judge's score of every story."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from narrative_core.figures.dot_rows import foot_lines, foot_note
from narrative_core.figures.estimate_words import number_words
from narrative_core.figures.lanes import SIDE_PX, fitting_text
from narrative_core.figures.parts import Parts
from narrative_core.figures.run_marks import empty_figure, kinds_made, made_colour, made_name, score_words
from narrative_core.figures.strips import axis_names
from narrative_core.figures.theme import Mode, background, base_layout, ink, note, quiet
from narrative_core.figures.wording import plot_text, strength_words
from narrative_core.judgements import Seat
from narrative_core.runs import METRIC_WORDS, Made, Metric, RunTable

_CELL_PX, _LEFT_PX = 30, 132
_ROW_PX, _HEAD_PX, _TAIL_PX = 16, 26, 24
"""Height of a row of stories, of the name above a block, and of the line below it."""

_MOST_FULL_NUMBERS = 7
"""In a larger table the cells of a telephone have no room for the 0 before the point."""

_ROUNDS_TO_ONE = 0.995
_STRONG: dict[Mode, float] = {"light": 0.62, "dark": 0.55}
"""From here on a cell has the colour of text, and its number the colour of the page."""

_CORRELATED: Sequence[Metric] = ("minimum", "average", "length")
_FARTHEST = 2.5
"""Standard deviations from the mean at which the colour ends."""

_ENDS: dict[Mode, tuple[str, str]] = {"light": ("#8c510a", "#01665e"), "dark": ("#e0a860", "#55cdbd")}
_BETWEEN: dict[Mode, tuple[str, str]] = {"light": ("#dfc27d", "#80cdc1"), "dark": ("#7d6138", "#2f7469")}


@dataclass(frozen=True, slots=True, eq=False)
class _Column:
    """One number of every story: its name, its values, and the judge that gave them, ``None`` for a metric."""

    name: str
    values: NDArray[np.float64]
    seat: Seat | None = None


def correlation_heat_map(table: RunTable, *, mode: Mode = "light") -> go.Figure:
    """Pearson's r between weakest link, mean link, length and the mean score of every judge.

    Over the stories that have both values. The lower half is drawn; numbers on the diagonal name the columns.
    ``customdata`` is [name of the row, name of the column]. A correlation that is undefined is a dash.
    """
    if not table.stories:
        return empty_figure("Correlations stand here when the run has stories.", mode)
    columns = _columns(table, _CORRELATED)
    size = len(columns)
    trace = _correlations(columns, mode)
    foot = foot_lines("Pearson's r over the stories that have both values · brown below 0, green above")
    bottom = 14 + 15 * len(foot)
    layout = {
        "xaxis": {"visible": False, "range": [-0.5, size - 1.5], "fixedrange": True},
        "yaxis": {"visible": False, "range": [size - 0.5, -0.5], "fixedrange": True},
        "margin": {"l": _LEFT_PX, "r": SIDE_PX, "t": 8, "b": bottom, "pad": 0},
    }
    parts = Parts(base_layout(mode, height=size * _CELL_PX + 8 + bottom) | layout, [trace])
    for i, column in enumerate(columns):
        parts.notes.append(_row_name(f"{i + 1}  {column.name}", i, mode))
        if i < size - 1:
            parts.notes.append(note(f"{i + 1}", mode, x=i, y=i, xanchor="center", font=_small(mode)))
        parts.notes += [_cell(trace.z[i][j], size, mode) | {"x": j, "y": i} for j in range(i)]
    parts.notes.append(foot_note(foot, mode, left_px=_LEFT_PX - SIDE_PX) | {"yshift": -8})
    return parts.figure()


def story_heat_map(table: RunTable, *, mode: Mode = "light") -> go.Figure:
    """Every judge's score of every story, as standard deviations from the judge's mean.

    A block for each way of making stories, in it the stories from the weakest to the strongest weakest link, which is
    the first row; then a row a judge. One trace a block; ``customdata`` of a cell is [pair, made]. A story without a
    score is a gap.
    """
    blocks = kinds_made(table)
    if not blocks or not table.seats:
        return empty_figure("Scores stand here when judges have scored the stories of the run.", mode)
    columns = _columns(table, ("minimum",))
    foot = foot_lines("each row against its own mean: brown below, green above · gaps have no score")
    block_px, bottom = _HEAD_PX + len(columns) * _ROW_PX + _TAIL_PX, 8 + 15 * len(foot)
    total = block_px * len(blocks)
    margin = {"l": _LEFT_PX, "r": SIDE_PX, "t": 0, "b": bottom, "pad": 0}
    parts = Parts(base_layout(mode, height=total + bottom) | {"margin": margin})
    for place, made in enumerate(blocks):
        domain = (1 - ((place + 1) * block_px - _TAIL_PX) / total, 1 - (place * block_px + _HEAD_PX) / total)
        _add_block(parts, table, columns, made, place=place, domain=domain, mode=mode)
    parts.notes.append(foot_note(foot, mode, left_px=_LEFT_PX - SIDE_PX))
    return parts.figure()


def pearson(first: NDArray[np.float64], second: NDArray[np.float64]) -> tuple[float, int]:
    """Pearson's r over the places where both are known, and how many they are; nan without variance.

    >>> r, n = pearson(np.array([1.0, 2.0, np.nan, 4.0]), np.array([2.0, 4.0, 1.0, 8.0]))
    >>> round(r, 12), n
    (1.0, 3)
    """
    both = np.isfinite(first) & np.isfinite(second)
    n = int(both.sum())
    if n < 2 or np.ptp(first[both]) == 0 or np.ptp(second[both]) == 0:
        return math.nan, n
    return float(np.corrcoef(first[both], second[both])[0, 1]), n


def standardised(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Distances from the mean in standard deviations (n − 1), nan where a value is; all nan without variance.

    >>> standardised(np.array([1.0, np.nan, 3.0, 5.0]))
    array([-1., nan,  0.,  1.])
    """
    known = values[np.isfinite(values)]
    if len(known) < 2 or np.ptp(known) == 0:
        return np.full(len(values), math.nan)
    distances: NDArray[np.float64] = (values - known.mean()) / known.std(ddof=1)
    return distances


def _columns(table: RunTable, metrics: Sequence[Metric]) -> list[_Column]:
    named = [_Column(METRIC_WORDS[metric], table.metric(metric)) for metric in metrics]
    return [*named, *(_Column(seat.label, seat.means, seat.seat) for seat in table.seats)]


def _colours(mode: Mode) -> list[list[object]]:
    """Brown, the colour of the page, green: apart in every kind of colour-blind sight."""
    (low, high), (lower, upper) = _ENDS[mode], _BETWEEN[mode]
    return [[0.0, low], [0.25, lower], [0.5, background(mode)], [0.75, upper], [1.0, high]]


def _look(farthest: float, mode: Mode) -> dict[str, Any]:
    """Plotly's options of a heat map whose colours end at ``farthest`` on either side of 0."""
    scale = {"zmin": -farthest, "zmax": farthest, "colorscale": _colours(mode), "showscale": False}
    return scale | {"hoverinfo": "text", "ygap": 1}


def _correlations(columns: Sequence[_Column], mode: Mode) -> go.Heatmap:
    size = len(columns)
    found = {(i, j): pearson(columns[i].values, columns[j].values) for i in range(size) for j in range(i)}
    names = [column.name for column in columns]
    return go.Heatmap(
        _look(1.0, mode) | {"xgap": 2, "ygap": 2},
        name="correlations",
        z=[[found[i, j][0] if (i, j) in found else math.nan for j in range(size)] for i in range(size)],
        customdata=[[[first, second] for second in names] for first in names],
        hovertext=[[_pair_words(names[i], names[j], found.get((i, j))) for j in range(size)] for i in range(size)],
    )


def _pair_words(first: str, second: str, found: tuple[float, int] | None) -> str:
    if found is None:
        return ""
    return f"{plot_text(first)} and<br>{plot_text(second)}:<br>r {number_words(found[0])}, n = {found[1]:,}."


def _cell(r: float, size: int, mode: Mode) -> dict[str, Any]:
    """The number in a cell, in a colour that stands out from it; a dash where there is none."""
    if not math.isfinite(r):
        return note("–", mode, xanchor="center", font=_small(mode))
    is_wide = size <= _MOST_FULL_NUMBERS or abs(r) >= _ROUNDS_TO_ONE
    words = number_words(r) if is_wide else number_words(r).replace("0.", ".", 1)
    font = {"size": 11 if is_wide else 10, "color": background(mode) if abs(r) > _STRONG[mode] else ink(mode)}
    return note(words, mode, xanchor="center", font=font)


def _add_block(
    parts: Parts,
    table: RunTable,
    columns: Sequence[_Column],
    made: Made,
    *,
    place: int,
    domain: tuple[float, float],
    mode: Mode,
) -> None:
    x, y = axis_names(place)
    weakest, rows = columns[0].values, table.rows(made)
    rows = rows[np.argsort(weakest[rows], kind="stable")]
    parts.traces.append(_scores(table, columns, rows, mode).update(name=made, xaxis=x, yaxis=y))
    hidden = {"visible": False, "fixedrange": True}
    parts.layout[f"xaxis{x[1:]}"] = hidden | {"range": [-0.5, len(rows) - 0.5], "anchor": y}
    parts.layout[f"yaxis{y[1:]}"] = hidden | {"range": [len(columns) - 0.5, -0.5], "domain": domain, "anchor": x}
    symbol = {"trail": "● ", "baseline": "○ "}.get(made, "")
    ends = {"xref": "paper", "yref": f"{y} domain"}
    name = note(f"{symbol}{made_name(made)}, n = {len(rows):,}", mode, **ends, x=0, y=1, yshift=11)
    parts.notes.append(name | {"font": {"size": 12, "color": made_colour(made, mode), "weight": 600}})
    lowest, highest = strength_words(weakest[rows[0]]), strength_words(weakest[rows[-1]])
    for words, end, anchor in ((f"weakest link {lowest}", 0, "left"), (f"to {highest}", 1, "right")):
        parts.notes.append(note(words, mode, **ends, x=end, y=0, yshift=-9, xanchor=anchor, font=_small(mode)))
    parts.notes += [_row_name(column.name, i, mode) | {"yref": y} for i, column in enumerate(columns)]


def _scores(table: RunTable, columns: Sequence[_Column], rows: NDArray[np.intp], mode: Mode) -> go.Heatmap:
    distances = [standardised(column.values)[rows] for column in columns]
    stories = [[table.stories[row].pair, table.stories[row].made] for row in rows]
    return go.Heatmap(
        _look(_FARTHEST, mode),
        z=distances,
        customdata=[stories for _ in columns],
        hovertext=[
            [_story_words(table, column, row, z) for row, z in zip(rows, own, strict=True)]
            for column, own in zip(columns, distances, strict=True)
        ],
    )


def _story_words(table: RunTable, column: _Column, row: int, distance: float) -> str:
    story, value = table.stories[row], float(column.values[row])
    given = strength_words(value) if column.seat is None else score_words(column.seat, value)
    side = "above" if distance >= 0 else "below"
    apart = f",<br>{abs(distance):.1f} standard deviations {side} its mean" if math.isfinite(distance) else ""
    return f"Pair {story.pair + 1:,}, {made_name(story.made)}<br>{plot_text(column.name)}: {given}{apart}."


def _small(mode: Mode) -> dict[str, object]:
    return {"size": 11, "color": quiet(mode)}


def _row_name(name: str, place: int, mode: Mode) -> dict[str, Any]:
    name = plot_text(fitting_text(name, _LEFT_PX - SIDE_PX - 6))
    return note(name, mode, xref="paper", x=0, xshift=SIDE_PX - _LEFT_PX, y=place, font=_small(mode))
