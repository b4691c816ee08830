"""Boxes of coherence and of judges' scores, by how stories were made: each box with its stories below it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from narrative_core.figures.run_lengths import jitter
from narrative_core.figures.run_marks import (
    empty_figure,
    is_hollow,
    is_in_nats,
    kinds_made,
    legend_top,
    made_colour,
    made_name,
    made_symbol,
    n_line,
    n_words,
    seat_label,
)
from narrative_core.figures.run_points import coherence_scale, score_axis, story_points
from narrative_core.figures.theme import Mode, axis, background, base_layout, css, hairline, ink, note
from narrative_core.runs import MADE_WORDS, Made, RunTable

MOST_POINTS = 300
"""Boxes of more stories than this show only those beyond the whiskers."""

_NAME_PX, _ROW_PX, _GAP_PX, _AXIS_PX, _TOP_PX = 24, 44, 8, 64, 30


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """One measure of every story, (n_stories,), nan unknown; ``decimals`` of its numbers in words."""

    name: str
    values: NDArray[np.float64]
    decimals: int


@dataclass(frozen=True, slots=True)
class BoxNumbers:
    """What a box shows: quartiles (linear), and the farthest values within 1.5 interquartile ranges of them."""

    low: float
    first: float
    median: float
    third: float
    high: float


def coherence_boxes(table: RunTable, *, mode: Mode = "light") -> go.Figure:
    """Weakest link and mean link of the stories, a box for each way of making them.

    Returns
    -------
    Figure
        For each way of making stories a trace of boxes, of medians with ``customdata`` [first quartile, third
        quartile, made], and of stories with ``customdata`` [pair, made].
    """
    if not table.stories:
        return empty_figure("This run has no story yet.", mode)
    measures = [Measure("weakest link", table.metric("minimum"), 2), Measure("mean link", table.metric("average"), 2)]
    together = np.concatenate([measure.values for measure in measures])
    scale = axis("coherence, 0 to 1", mode, **coherence_scale(together))
    return _panels(table, [(measures, scale)], n_words(len(table.stories), "story"), mode)


def score_boxes(table: RunTable, *, mode: Mode = "light") -> go.Figure:
    """Mean scores of every judge, a box for each way of making stories; judges in nats per token have an own axis.

    Returns
    -------
    Figure
        As of `coherence_boxes`. A judge without a score keeps its name, with the words "no score".
    """
    if not any(np.isfinite(seat.scores).any() for seat in table.seats):
        return empty_figure("No judge has scored a story of this run.", mode)
    panels = []
    for in_nats in (False, True):
        seats = [seat for seat in table.seats if is_in_nats(seat.seat) == in_nats]
        if seats:
            measures = [Measure(seat_label(seat), seat.means, 2 if in_nats else 1) for seat in seats]
            together = np.concatenate([measure.values for measure in measures])
            panels.append((measures, score_axis(seats[0].seat, together, mode)))
    n_missing = sum(int(np.isnan(measure.values).sum()) for measures, _ in panels for measure in measures)
    skipped = {f"no score in {n_missing:,} of {len(table.stories) * len(table.seats):,}": n_missing}
    words = n_words(len(table.stories), "story") + ("; " + next(iter(skipped)) if n_missing else "")
    return _panels(table, panels, words, mode)


def box_numbers(values: NDArray[np.float64]) -> BoxNumbers:
    """The numbers of a box of known values; at least one.

    >>> box_numbers(np.array([1.0, 2.0, 3.0, 4.0, 20.0]))
    BoxNumbers(low=1.0, first=2.0, median=3.0, third=4.0, high=4.0)
    """
    first, median, third = (float(value) for value in np.quantile(values, [0.25, 0.5, 0.75]))
    reach = 1.5 * (third - first)
    inside = values[(values >= first - reach) & (values <= third + reach)]
    return BoxNumbers(float(inside.min()), first, median, third, float(inside.max()))


def _panels(
    table: RunTable, panels: Sequence[tuple[Sequence[Measure], dict[str, Any]]], words: str, mode: Mode
) -> go.Figure:
    """The panels one below the other, each with its axis; y counts pixels from the top of the first panel."""
    kinds = kinds_made(table)
    group_px = _NAME_PX + len(kinds) * _ROW_PX + _GAP_PX
    heights = [len(measures) * group_px for measures, _ in panels]
    total = sum(heights) + _AXIS_PX * (len(panels) - 1)
    layout = base_layout(mode) | n_line(words, mode) | legend_top(mode)
    layout["margin"] |= {"l": 16, "t": _TOP_PX}
    figure = go.Figure(layout=layout | {"height": total + _TOP_PX + layout["margin"]["b"]})
    top = 0
    for i, ((measures, scale), height) in enumerate(zip(panels, heights, strict=True)):
        suffix = "" if i == 0 else str(i + 1)
        domain = [1 - (top + height) / total, 1 - top / total]
        hidden = {"visible": False, "range": [height, 0], "fixedrange": True, "domain": domain}
        grid = {"showgrid": True, "gridcolor": css(hairline(mode), 0.6), "anchor": f"y{suffix}"}
        figure.update_layout({f"xaxis{suffix}": scale | grid, f"yaxis{suffix}": hidden | {"anchor": f"x{suffix}"}})
        for made in kinds:
            figure.add_traces(_boxes(table, measures, made, group_px, (suffix, mode)))
        for k, measure in enumerate(measures):
            name = measure.name if np.isfinite(measure.values).any() else f"{measure.name}: no score"
            place = {"xref": "paper", "x": 0, "yref": f"y{suffix}", "y": k * group_px + _NAME_PX / 2 + 2}
            figure.add_annotation(note(name, mode, **place, font={"size": 12, "color": ink(mode), "weight": 600}))
        top += height + _AXIS_PX
    return figure


def _boxes(
    table: RunTable, measures: Sequence[Measure], made: Made, group_px: int, place: tuple[str, Mode]
) -> list[go.Box | go.Scatter]:
    """Boxes, medians and stories that were made in one way, in one panel."""
    suffix, mode = place
    axes = {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}"}
    at = _NAME_PX + kinds_made(table).index(made) * _ROW_PX + 11
    rows, known = table.rows(made), []
    x, y = np.full(len(table.stories), np.nan), np.full(len(table.stories), np.nan)
    traces: list[go.Box | go.Scatter] = []
    for k, measure in enumerate(measures):
        values = measure.values[rows]
        values = values[np.isfinite(values)]
        if not len(values):
            continue
        numbers = box_numbers(values)
        known.append((measure, numbers, k * group_px + at, len(values)))
        is_shown = np.isfinite(measure.values) & np.isin(np.arange(len(x)), rows)
        if len(values) > MOST_POINTS:
            is_shown &= (measure.values < numbers.low) | (measure.values > numbers.high)
        x, y = np.where(is_shown, measure.values, np.nan), k * group_px + at + 19 + jitter(len(x)) * 22
        points = story_points(table, made, x, y, mode, **axes, showlegend=False)
        traces.append(points.update(marker={"size": 5, "opacity": 0.5}, unselected={"marker": {"opacity": 0.5}}))
    if known:
        traces += [_box(known, made, axes, mode), _medians(known, made, axes, mode)]
    return traces


Known = Sequence[tuple[Measure, BoxNumbers, float, int]]


def _box(known: Known, made: Made, axes: Mapping[str, str], mode: Mode) -> go.Box:
    colour, is_open = made_colour(made, mode), is_hollow(made)
    return go.Box(
        name=made_name(made),
        orientation="h",
        y=[at for _, _, at, _ in known],
        lowerfence=[numbers.low for _, numbers, _, _ in known],
        q1=[numbers.first for _, numbers, _, _ in known],
        median=[numbers.median for _, numbers, _, _ in known],
        q3=[numbers.third for _, numbers, _, _ in known],
        upperfence=[numbers.high for _, numbers, _, _ in known],
        width=16,
        whiskerwidth=0,
        line={"color": colour, "width": 1.5},
        fillcolor=css(colour, 0.0 if is_open else 0.35),
        hoverinfo="skip",
        showlegend=False,
        **axes,
    )


def _medians(known: Known, made: Made, axes: Mapping[str, str], mode: Mode) -> go.Scatter:
    colour = made_colour(made, mode)
    is_open = is_hollow(made)
    return go.Scatter(
        name=made_name(made),
        x=[numbers.median for _, numbers, _, _ in known],
        y=[at for _, _, at, _ in known],
        mode="markers",
        customdata=[[numbers.first, numbers.third, made] for _, numbers, _, _ in known],
        hovertext=[_box_words(measure, numbers, made, n) for measure, numbers, _, n in known],
        hoverinfo="text",
        marker={
            "symbol": made_symbol(made).removesuffix("-open"),
            "size": 9,
            "color": background(mode) if is_open else colour,
            "line": {"color": colour if is_open else background(mode), "width": 1.8 if is_open else 1},
            "opacity": 1,
        },
        unselected={"marker": {"opacity": 1}},
        showlegend=axes["xaxis"] == "x",
        **axes,
    )


def _box_words(measure: Measure, numbers: BoxNumbers, made: Made, n: int) -> str:
    first, median, third = (f"{v:.{measure.decimals}f}" for v in (numbers.first, numbers.median, numbers.third))
    return (
        f"{measure.name}, {MADE_WORDS[made]}, n = {n:,}:<br>the median is {median};<br>"
        f"half of the stories lie from {first} to {third}."
    )
