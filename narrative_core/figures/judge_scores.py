"""What the judges say: for each judge and mode the trail's score, the random chronology's, and each agent's."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from narrative_core.figures.judge_score_rows import (
    KINDS,
    Mark,
    ScoreScale,
    agent_words,
    mean_words,
    score_rows,
    score_words,
    title_words,
)
from narrative_core.figures.theme import (
    Mode,
    axis,
    background,
    base_layout,
    baseline_colour,
    css,
    hairline,
    ink,
    note,
    quiet,
    trail_colour,
)
from narrative_core.figures.wording import plot_text
from narrative_core.judgements import HIGHEST_SCORE, LOWEST_SCORE, Verdict
from narrative_core.records import StoryKind

ROW_PX = 86
_TOP_PX, _BOTTOM_PX = 40, 46
_NAME_PX = 13.0
_MARK_PX: Mapping[StoryKind, float] = {"trail": 46.0, "baseline": 59.0}
_WORDS_PX: Mapping[StoryKind, float] = {"trail": 31.0, "baseline": 75.0}
"""Where things stand in a row, in pixels from its top; one story above the other, so that none hides the other."""

_WINDOWS: Mapping[ScoreScale, tuple[float, float]] = {
    "points": (LOWEST_SCORE - 0.4, HIGHEST_SCORE + 0.4),
    "percentile": (-4.0, 104.0),
}
_EDGE = 0.32
"""Share of the axis at either end in which words begin or end at their mark: centred, they would be cut off."""

_STACK_PX, _STACK_HEIGHT_PX = 4.0, 12.0


def judge_scores(
    verdicts: Sequence[Verdict], labels: Sequence[str], *, scale: ScoreScale = "points", mode: Mode = "light"
) -> go.Figure:
    """Scores of both stories, a row a judge and mode, the first on top.

    Parameters
    ----------
    verdicts : sequence of Verdict
        One or two for each seat, of either story; a story without one, or without an ok judgement, has no marker and
        the words "no score".
    labels : sequence of str
        The names of the seats, in the order in which each first comes.
    scale : "points" or "percentile"
        The mean from 1 to 10, with its standard deviation and each agent; or its percentile among the collection's
        random chronologies, which is how reading flow is compared.
    mode : "light" or "dark"

    Returns
    -------
    Figure
        `ROW_PX` pixels a row. Traces "difference", "baseline agents", "trail agents", "baseline", "trail"; each mean's
        ``customdata`` is its label.

    Raises
    ------
    InvalidInput
        If there is not one label a seat, or reading flow, which is in nats per token, is to stand on the scale of
        points.
    """
    rows = score_rows(verdicts, labels, scale)
    n_rows = max(len(rows), 1)
    marks = [mark for row in rows for mark in row]
    traces = [_differences(rows, mode)]
    traces += [_agents(marks, kind, scale, mode) for kind in KINDS]
    traces += [_means(marks, kind, scale, mode) for kind in KINDS]
    figure = go.Figure(traces)
    height = n_rows * ROW_PX + _TOP_PX + _BOTTOM_PX
    figure.update_layout(base_layout(mode, title=title_words(rows), height=height))
    figure.update_layout(
        xaxis=_score_axis(scale, mode),
        yaxis={"visible": False, "range": [n_rows * ROW_PX, 0], "fixedrange": True},
        margin={"l": 16, "r": 16, "t": _TOP_PX, "b": _BOTTOM_PX},
        annotations=[note for row in rows for note in _notes(row, scale, mode)],
        shapes=_separators(len(rows), mode),
    )
    return figure


def _score_axis(scale: ScoreScale, mode: Mode) -> dict[str, Any]:
    low, high = _WINDOWS[scale]
    if scale == "points":
        title, ticks = "score, from 1 to 10", {"tick0": 1, "dtick": 1}
    else:
        title, ticks = "random chronologies that read less smoothly, in %", {"tick0": 0, "dtick": 25}
    return axis(title, mode, range=[low, high], tickmode="linear", automargin=False, showgrid=True, **ticks) | {
        "gridcolor": css(hairline(mode), 0.5)
    }


def _height(mark: Mark) -> float:
    return mark.row * ROW_PX + _MARK_PX[mark.kind]


def _colour(kind: StoryKind, mode: Mode) -> str:
    return trail_colour(mode) if kind == "trail" else baseline_colour(mode)


def _differences(rows: Sequence[Sequence[Mark]], mode: Mode) -> go.Scatter:
    x: list[float | None] = []
    y: list[float | None] = []
    for baseline, trail in rows:
        if baseline.is_known and trail.is_known:
            x += [baseline.value, trail.value, None]
            y += [_height(baseline), _height(trail), None]
    return go.Scatter(
        name="difference", x=x, y=y, mode="lines", hoverinfo="skip", line={"color": quiet(mode), "width": 1}
    )


def _agents(marks: Sequence[Mark], kind: StoryKind, scale: ScoreScale, mode: Mode) -> go.Scatter:
    """Each agent's score as a small dot, equal ones one above the other; none for one agent, nor among percentiles."""
    x, y, words = [], [], []
    for mark in marks:
        given = [judgement for judgement in mark.verdict.judgements if judgement.status == "ok"]
        if mark.kind != kind or scale == "percentile" or len(given) < 2:
            continue
        x += [judgement.score for judgement in given]
        y += [_height(mark) + shift for shift in _stacked([judgement.score for judgement in given])]
        words += [agent_words(mark, judgement) for judgement in given]
    return go.Scatter(
        name=f"{kind} agents",
        x=x,
        y=y,
        mode="markers",
        hovertext=words,
        hoverinfo="text",
        marker={"color": _colour(kind, mode), "size": 6, "opacity": 0.4, "line": {"width": 0}},
        unselected={"marker": {"opacity": 0.4}},
        cliponaxis=False,
    )


def _stacked(scores: Sequence[float]) -> list[float]:
    """Shifts in pixels that put equal scores one above the other, around the middle."""
    totals, so_far = Counter(scores), Counter[float]()
    shifts = []
    for score in scores:
        step = min(_STACK_PX, _STACK_HEIGHT_PX / totals[score])
        shifts.append((so_far[score] - (totals[score] - 1) / 2) * step)
        so_far[score] += 1
    return shifts


def _means(marks: Sequence[Mark], kind: StoryKind, scale: ScoreScale, mode: Mode) -> go.Scatter:
    shown = [mark for mark in marks if mark.kind == kind and mark.is_known]
    colour, is_trail = _colour(kind, mode), kind == "trail"
    spreads = [_spread(mark.verdict) if scale == "points" else 0.0 for mark in shown]
    return go.Scatter(
        name=kind,
        x=[mark.value for mark in shown],
        y=[_height(mark) for mark in shown],
        mode="markers",
        customdata=[[mark.label] for mark in shown],
        hovertext=[mean_words(mark, scale) for mark in shown],
        hoverinfo="text",
        error_x={"type": "data", "array": spreads, "color": colour, "thickness": 1.5, "width": 4},
        marker={
            "color": colour if is_trail else background(mode),
            "symbol": "circle",
            "size": 11,
            "opacity": 1,
            "line": {"color": background(mode) if is_trail else colour, "width": 1 if is_trail else 2},
        },
        unselected={"marker": {"opacity": 1}},
        cliponaxis=False,
    )


def _spread(verdict: Verdict) -> float:
    return verdict.sd if math.isfinite(verdict.sd) else 0.0


def _notes(row: Sequence[Mark], scale: ScoreScale, mode: Mode) -> list[dict[str, Any]]:
    """The name of the judge above its row, and each story's score in words beside its mark."""
    low, high = _WINDOWS[scale]
    name = note(
        plot_text(row[0].label),
        mode,
        xref="paper",
        x=0,
        y=row[0].row * ROW_PX + _NAME_PX,
        font={"size": 12, "color": ink(mode), "weight": 600},
    )
    notes = [name]
    for mark in row:
        share = (mark.value - low) / (high - low) if mark.is_known else 0.0
        anchor = "left" if share < _EDGE else "right" if share > 1 - _EDGE else "center"
        place = {"x": mark.value} if mark.is_known else {"xref": "paper", "x": 0}
        shift = {"left": -6, "right": 6, "center": 0}[anchor] if mark.is_known else 0
        notes.append(
            note(
                score_words(mark, scale),
                mode,
                **place,
                xanchor=anchor,
                xshift=shift,
                y=mark.row * ROW_PX + _WORDS_PX[mark.kind],
                font={"size": 12, "color": _colour(mark.kind, mode) if mark.is_known else quiet(mode)},
            )
        )
    return notes


def _separators(n_rows: int, mode: Mode) -> list[dict[str, Any]]:
    line = {"color": hairline(mode), "width": 1}
    return [
        {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": row * ROW_PX, "y1": row * ROW_PX, "line": line}
        for row in range(1, n_rows)
    ]
