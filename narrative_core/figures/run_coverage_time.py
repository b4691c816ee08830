"""When the endpoint pairs of a run lie: each a thin span from the date of its source to that of its target."""

import datetime as dt
from collections.abc import Sequence

import plotly.graph_objects as go

from narrative_core.figures.run_marks import empty_figure, n_line, n_words
from narrative_core.figures.run_strata import PairGroup, pair_groups
from narrative_core.figures.theme import Mode, axis, base_layout, css, hairline, note
from narrative_core.runs import RunTable

Dates = Sequence[tuple[dt.date | None, dt.date | None]]
"""Dates of the source and the target of each pair, by its number in the run."""

_TOP_PX, _NAME_PX, _GAP_PX = 4, 20, 6
_ROW_PX, _MOST_PX = 6.0, 560.0


def coverage_time(table: RunTable, dates: Dates, *, mode: Mode = "light") -> go.Figure:
    """Each endpoint pair as a span of time, sorted by its beginning, a block a stratum.

    Parameters
    ----------
    table : RunTable
        Its stories say the stratum of each pair.
    dates : sequence of (source, target)
        Pair ``p`` of the run at ``dates[p]``; a pair with a ``None`` is not drawn, and counted.
    mode : "light" or "dark"

    Returns
    -------
    Figure
        For each stratum its spans, and their two ends ● and ▸ as points with ``customdata`` [pair, "trail"].

    Raises
    ------
    InvalidInput
        If a pair of the run is not in ``dates``.
    """
    all_groups = pair_groups(table, len(dates))
    groups = [group for group in (_dated(group, dates) for group in all_groups) if group.pairs]
    n_known = sum(len(group.pairs) for group in groups)
    if not n_known:
        return empty_figure("No endpoint pair of this run has a date at both ends.", mode)
    row_px = min(_ROW_PX, _MOST_PX / n_known)
    figure, top = go.Figure(), 0.0
    for group in groups:
        top += _NAME_PX
        figure.add_annotation(note(group.label(mode), mode, xref="paper", x=0, y=top - 2, yanchor="bottom"))
        figure.add_traces(_spans(group, dates, top, row_px, mode))
        top += len(group.pairs) * row_px + _GAP_PX
    skipped = {"without both dates": sum(len(group.pairs) for group in all_groups) - n_known}
    layout = base_layout(mode) | n_line(f"{n_words(n_known, 'pair', skipped)}<br>● source, ▸ target", mode)
    layout["margin"] |= {"t": _TOP_PX, "l": 16}
    figure.update_layout(layout | {"height": round(top) + _TOP_PX + layout["margin"]["b"]})
    figure.update_layout(
        xaxis=axis("date of source and target", mode, type="date", nticks=7, automargin=False)
        | {"showgrid": True, "gridcolor": css(hairline(mode), 0.6)},
        yaxis={"visible": False, "range": [top, 0], "fixedrange": True},
    )
    return figure


def _dated(group: PairGroup, dates: Dates) -> PairGroup:
    """The pairs of a group that have both dates, by the earlier and then by the later."""
    known = {pair: sorted(day for day in dates[pair] if day is not None) for pair in group.pairs}
    both = [pair for pair, days in known.items() if len(days) == 2]
    return PairGroup(group.stratum, tuple(sorted(both, key=lambda pair: (known[pair], pair))))


def _spans(group: PairGroup, dates: Dates, top: float, row_px: float, mode: Mode) -> list[go.Scatter]:
    x: list[dt.date | None] = []
    y: list[float | None] = []
    words = []
    for i, pair in enumerate(group.pairs):
        source, target = dates[pair]
        height = top + (i + 0.5) * row_px
        x += [source, target, None]
        y += [height, height, None]
        words += [f"Pair {pair + 1:,}, {group.words}:<br>from {source} to {target}."] * 2
    colour = group.colour(mode)
    line = {"color": css(colour, 0.55), "width": max(1.0, row_px - 3)}
    ends = go.Scatter(
        name=f"{group.words}, ends",
        x=[day for i, day in enumerate(x) if i % 3 < 2],
        y=[height for i, height in enumerate(y) if i % 3 < 2],
        mode="markers",
        customdata=[[pair, "trail"] for pair in group.pairs for _ in range(2)],
        hovertext=words,
        hoverinfo="text",
        marker={
            "size": max(3.0, row_px),
            "color": colour,
            "symbol": ["circle", "triangle-right"] * len(group.pairs),
            "opacity": 1,
        },
        unselected={"marker": {"opacity": 1}},
    )
    return [go.Scatter(name=group.words, x=x, y=y, mode="lines", hoverinfo="skip", line=line), ends]
