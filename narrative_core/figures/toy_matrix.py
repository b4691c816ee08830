"""Coherence of every pair in a small collection, for the page that teaches the method."""

import math
from collections.abc import Sequence

import plotly.graph_objects as go

from narrative_core.errors import InvalidInput
from narrative_core.figures.scales import value_range
from narrative_core.figures.theme import Mode, base_layout, css, ink, quiet, trail_colour
from narrative_core.figures.wording import clip_text, plot_text, strength_words

_LABEL_LIMIT = 20
_HOVER_LIMIT = 60
_ISOLATE, _END_ISOLATE = "\u2068", "\u2069"  # keeps the number on the right of an Arabic title
_PALEST, _DEEPEST = 0.12, 0.5

Cells = list[list[float | None]]


def coherence_heatmap(
    labels: Sequence[str], coherence_rows: Sequence[Sequence[float]], *, floor: float, mode: Mode = "light"
) -> go.Figure:
    """A square of numbers: links at or above ``floor`` are filled, weaker ones only written, in quiet type.

    Parameters
    ----------
    labels : sequence of str, length n
    coherence_rows : n rows of n values in [0, 1]
        The diagonal is left empty.
    floor : float
        Links weaker than it are dropped.
    mode : "light" or "dark"

    Returns
    -------
    Figure
        Two traces, "kept" and "dropped"; each cell's ``customdata`` is [row, column].

    Raises
    ------
    InvalidInput
        If the rows do not form a square as long as the labels.
    """
    n = len(labels)
    if len(coherence_rows) != n or any(len(row) != n for row in coherence_rows):
        raise InvalidInput(f"coherence_rows must be a square of {n} rows and columns, one for each label.")
    kept = _cells(coherence_rows, floor, is_kept=True)
    dropped = _cells(coherence_rows, floor, is_kept=False)
    figure = go.Figure([_trace("kept", kept, labels, mode), _trace("dropped", dropped, labels, mode)])
    figure.update_layout(base_layout(mode, title=_title(kept, dropped, floor), height=34 * n + 100))
    numbers = list(range(n))
    plain = {"fixedrange": True, "tickvals": numbers, "tickfont": {"size": 12, "color": quiet(mode)}}
    names = [
        f"{_ISOLATE}{plot_text(clip_text(label, _LABEL_LIMIT))}{_END_ISOLATE}  {i + 1}"
        for i, label in enumerate(labels)
    ]
    plain |= {"showgrid": False, "zeroline": False, "showline": False, "ticks": ""}
    figure.update_layout(
        xaxis=plain | {"ticktext": [str(i + 1) for i in numbers], "side": "top", "range": [-0.5, n - 0.5]},
        yaxis=plain | {"ticktext": names, "range": [n - 0.5, -0.5], "automargin": True},
        margin={"t": 62, "b": 10},
    )
    return figure


def _cells(rows: Sequence[Sequence[float]], floor: float, *, is_kept: bool) -> Cells:
    return [
        [float(value) if i != j and (value >= floor) == is_kept else None for j, value in enumerate(row)]
        for i, row in enumerate(rows)
    ]


def _trace(name: str, cells: Cells, labels: Sequence[str], mode: Mode) -> go.Heatmap:
    is_kept = name == "kept"
    low, high = value_range([value for row in cells for value in row if value is not None], pad=0.0)
    pale, deep = (css(trail_colour(mode), opacity) for opacity in ((_PALEST, _DEEPEST) if is_kept else (0, 0)))
    n = len(labels)
    return go.Heatmap(
        name=name,
        x=list(range(n)),
        y=list(range(n)),
        z=cells,
        zmin=low,
        zmax=high,
        colorscale=[[0, pale], [1, deep]],
        showscale=False,
        xgap=2,
        ygap=2,
        text=[[strength_words(value) if value is not None else "" for value in row] for row in cells],
        texttemplate="%{text}",
        textfont={"color": ink(mode) if is_kept else quiet(mode)},
        customdata=[[[i, j] for j in range(n)] for i in range(n)],
        hovertext=[[_sentence(labels[i], labels[j], cells[i][j], is_kept) for j in range(n)] for i in range(n)],
        hoverinfo="text",
        hoverongaps=False,
    )


def _sentence(source: str, target: str, strength: float | None, is_kept: bool) -> str:
    if strength is None:
        return ""
    ends = " and<br>".join(f"“{plot_text(clip_text(label, _HOVER_LIMIT))}”" for label in (source, target))
    return f"{ends}:<br>strength {strength_words(strength)}, {'kept' if is_kept else 'below the floor, dropped'}."


def _title(kept: Cells, dropped: Cells, floor: float) -> str:
    n_kept, n_dropped = (sum(value is not None for row in cells for value in row) for cells in (kept, dropped))
    if not math.isfinite(floor):
        return f"{n_kept:,} links"
    return f"{n_kept:,} of {n_kept + n_dropped:,} links are at least {strength_words(floor)} strong"
