"""The small map beside a list of documents: those of the list in the colours of their topics, the marked ringed."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from narrative_core.figures.map_points import pixel_positions
from narrative_core.figures.theme import Mode, base_layout, css, grey, ink, topic_colour
from narrative_core.figures.wording import clip_text, date_words, plot_text
from narrative_core.records import Document, Landscape

HEIGHT: Final = 360
_SIZE, _RING = 6.0, 11.0
_HOVER_LIMIT: Final = 64
_FEW, _MANY, _CROWD = 400, 2_000, 40


def document_map(
    landscape: Landscape,
    documents: Sequence[Document],
    *,
    found: NDArray[np.bool_],
    marked: NDArray[np.bool_],
    hidden_topics: frozenset[int] = frozenset(),
    mode: Mode = "light",
) -> go.Figure:
    """The documents of a landscape as points, hollow outside every topic, for a lasso or a box around some of them.

    Parameters
    ----------
    landscape, documents
        Row = position.
    found : array (n,) of bool
        Documents of the list; the others are faded and cannot be caught.
    marked : array (n,) of bool
        Documents that are selected; each has a ring.
    hidden_topics : frozenset of int
        Topics whose documents are not drawn.
    mode : {"light", "dark"}

    Returns
    -------
    Figure
        The traces "others", "documents" and "marked"; only "documents" has ``customdata``, the id of each.
    """
    places = pixel_positions(landscape.positions)
    topics = landscape.nearest_topic
    is_shown = ~np.isin(topics, list(hidden_topics))
    inside, others = np.flatnonzero(found & is_shown).tolist(), np.flatnonzero(~found & is_shown).tolist()
    # A few that were found among thousands must not be lost between them.
    small = _SIZE if len(documents) <= _MANY else _SIZE * 0.7
    size = _SIZE if len(inside) <= _FEW else small
    colours = [topic_colour(int(topic), mode) for topic in topics[inside]]
    figure = go.Figure(
        [
            _points("others", places[others], small * 0.8, css(grey(mode), 0.28), hoverinfo="skip"),
            _points(
                "documents",
                places[inside],
                size,
                colours,
                symbols=["circle-open" if landscape.is_outlier[row] else "circle" for row in inside],
                customdata=[documents[row].document_id for row in inside],
                hovertext=[_hover(documents[row]) for row in inside],
                hoverinfo="text",
                selected={"marker": {"opacity": 1}},
                unselected={"marker": {"opacity": 0.35}},
            ),
            _ring(places[np.flatnonzero(marked & is_shown)], mode),
        ]
    )
    figure.update_layout(base_layout(mode, height=HEIGHT))
    hidden = {"visible": False, "fixedrange": True}
    figure.update_layout(
        margin={"l": 0, "r": 0, "t": 0, "b": 0, "pad": 0},
        xaxis=hidden,
        yaxis=hidden | {"scaleanchor": "x"},
        dragmode="lasso",
        modebar={"orientation": "v", "bgcolor": "rgba(0,0,0,0)", "color": grey(mode), "activecolor": ink(mode)},
    )
    return figure


def _points(
    name: str,
    places: NDArray[np.float64],
    size: float,
    colour: str | Sequence[str],
    *,
    symbols: str | Sequence[str] = "circle",
    **options: object,
) -> go.Scattergl:
    marker = {"size": size, "color": colour, "symbol": symbols, "line": {"width": 0}}
    return go.Scattergl(name=name, mode="markers", x=places[:, 0], y=places[:, 1], marker=marker, **options)


def _hover(document: Document) -> str:
    """Return headline and date on a line each; thousands are made each time the list changes."""
    title = plot_text(clip_text(document.title, _HOVER_LIMIT) or "Untitled")
    return f"{title}<br>{date_words(document)}"


def _ring(places: NDArray[np.float64], mode: Mode) -> go.Scattergl:
    marker: dict[str, Any] = {
        "size": _RING,
        "symbol": "circle-open",
        "color": ink(mode),
        "line": {"width": 1.8 if len(places) <= _CROWD else 1.1},
    }
    return go.Scattergl(name="marked", mode="markers", x=places[:, 0], y=places[:, 1], marker=marker, hoverinfo="skip")
