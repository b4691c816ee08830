"""One figure of a run as a page shows it: it can be saved as a picture, and a click on it leads to its stories."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from narrative_core.runs import RunSummary
from narrative_core.ui import run_work
from narrative_core.ui.run_story import show_pair, show_stories
from narrative_core.ui.selection import Key, Picked, picked_key
from narrative_core.ui.words import html_text

PictureFormat = Literal["SVG", "PNG"]
Finder = Callable[[Key], Picked | None]
"""From what a mark carries to the stories behind it."""

_PNG_SCALE = 3
_CLICKABLE_PX = 16


def picture_format() -> PictureFormat:
    """Show the one control of a page that says as what its figures are saved, and return the choice."""
    chosen: PictureFormat | None = st.segmented_control(
        "Pictures as",
        ["SVG", "PNG"],
        default="SVG",
        key="picture-format",
        help="Rest on a figure and press its camera. SVG can be enlarged without loss, PNG is for slides.",
    )
    return chosen or "SVG"


def figure_view(
    figure: go.Figure,
    *,
    key: str,
    picture: PictureFormat = "SVG",
    title: str = "",
    summary: RunSummary | None = None,
    finder: Finder | None = None,
) -> None:
    """Show a figure that can be saved; with ``summary`` and ``finder``, a click opens the stories behind a mark.

    A click is an event: the next drawing carries another number, so that nothing stays selected.

    Parameters
    ----------
    figure : plotly Figure
    key : str
        Unique on the page; the name of the picture.
    picture : {"SVG", "PNG"}
        As what it is saved.
    title : str
        Stands above it, in words.
    summary : RunSummary, optional
        The run that it is about.
    finder : callable, optional
        From the ``customdata`` of a mark to its stories.
    """
    picked, number = _take_click(key, finder)
    with st.container(key=f"figure-{key}", gap="xsmall"):
        if title:
            st.html(f"<div class='tl-figure-title'>{html_text(title)}</div>")
        config, name = _config(key, picture), f"{key}-{number}"
        if finder is None:
            st.plotly_chart(figure, theme=None, config=config, key=name)
        else:
            cells = _with_clickable_cells(figure)
            st.plotly_chart(cells, theme=None, config=config, on_select="rerun", selection_mode="points", key=name)
    if picked is not None and summary is not None:
        _open(summary, picked)


def _take_click(key: str, finder: Finder | None) -> tuple[Picked | None, int]:
    """Return the stories that were clicked since the last drawing, and the number of the next one."""
    clicks = f"clicks-{key}"
    number = int(st.session_state.get(clicks, 0))
    picked = finder(picked_key(st.session_state.get(f"{key}-{number}"))) if finder is not None else None
    if picked is not None:
        number += 1
        st.session_state[clicks] = number
    return picked, number


def _open(summary: RunSummary, picked: Picked) -> None:
    if picked.is_one:
        story = run_work.table(summary).stories[picked.rows[0]]
        show_pair(summary, story.pair, story.made)
    else:
        show_stories(summary, picked.rows, picked.words)


def _config(key: str, picture: PictureFormat) -> dict[str, Any]:
    return {
        "displaylogo": False,
        "displayModeBar": "hover",
        "modeBarButtons": [["toImage"]],
        "scrollZoom": False,
        "toImageButtonOptions": {
            "format": picture.lower(),
            "filename": key,
            "scale": 1 if picture == "SVG" else _PNG_SCALE,
        },
    }


def _with_clickable_cells(figure: go.Figure) -> go.Figure:
    """Return a figure with an invisible point on each cell of its heat maps, which themselves report no clicks."""
    for trace in [trace for trace in figure.data if trace.type == "heatmap" and trace.customdata is not None]:
        n_rows, n_columns = len(trace.z), len(trace.z[0])
        x, y = _middles(trace.x, n_columns), _middles(trace.y, n_rows)
        cells = [(i, j) for i in range(n_rows) for j in range(n_columns) if np.isfinite(trace.z[i][j])]
        figure.add_trace(_points(trace, [(x[j], y[i]) for i, j in cells], cells))
        trace.hoverinfo = "skip"
    return figure


def _points(trace: go.Heatmap, places: list[tuple[float, float]], cells: list[tuple[int, int]]) -> go.Scatter:
    unseen: Mapping[str, Any] = {"marker": {"opacity": 0}}
    return go.Scatter(
        x=[x for x, _ in places],
        y=[y for _, y in places],
        mode="markers",
        customdata=[list(trace.customdata[i][j]) for i, j in cells],
        hovertext=[trace.hovertext[i][j] for i, j in cells],
        hoverinfo="text",
        marker={"symbol": "square", "size": _CLICKABLE_PX, "opacity": 0},
        selected=unseen,
        unselected=unseen,
        showlegend=False,
        xaxis=trace.xaxis,
        yaxis=trace.yaxis,
    )


def _middles(edges: Any, n: int) -> list[float]:  # noqa: ANN401  what plotly keeps: nothing, or an array
    """Return the middles of ``n`` cells, whose places or edges are given, or which are counted from 0."""
    if edges is None:
        return [float(place) for place in range(n)]
    found = np.asarray(edges, dtype=np.float64)
    middles: list[float] = ((found[1:] + found[:-1]) / 2 if len(found) == n + 1 else found).tolist()
    return middles
