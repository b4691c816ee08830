"""The small map beside a list of documents: those of the list in the colours of their topics, the marked ringed."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from narrative_core.figures.map_points import pixel_positions
from narrative_core.figures.theme import N_TOPIC_COLOURS, Mode, base_layout, css, grey, ink, topic_colour
from narrative_core.figures.wording import clip_text, date_words, plot_text
from narrative_core.records import Document, Landscape

HEIGHT: Final = 360
_SIZE, _RING, _SMALL_RING = 6.0, 11.0, 8.0
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
        The traces "others", "marked", "documents" and "outside", hollow, outside every topic; the last two are of the
        list and have ``customdata``, the id of each.
    """
    places = pixel_positions(landscape.positions)
    is_shown = ~np.isin(landscape.nearest_topic, list(hidden_topics))
    # A few that were found among thousands must not be lost between them.
    small = _SIZE if len(documents) <= _MANY else _SIZE * 0.7
    size = _SIZE if np.count_nonzero(found & is_shown) <= _FEW else small
    figure = go.Figure(
        [
            _points("others", places[~found & is_shown], {"size": small * 0.8, "color": css(grey(mode), 0.28)}),
            # Beneath the documents: the rings of a crowd would hide their colours.
            _ring(places[marked & is_shown], mode),
            *(
                _listed(
                    landscape,
                    documents,
                    np.flatnonzero(found & is_shown & (landscape.is_outlier == is_hollow)),
                    size,
                    mode,
                    is_hollow=is_hollow,
                )
                for is_hollow in (False, True)
            ),
        ]
    )
    figure.update_layout(base_layout(mode, height=HEIGHT))
    hidden = {"visible": False, "fixedrange": True}
    figure.update_layout(
        margin={"l": 0, "r": 0, "t": 0, "b": 0, "pad": 0},
        xaxis=hidden,
        # The axes of a map have no meaning: wider, the documents lie less on each other.
        yaxis=hidden | {"scaleanchor": "x", "scaleratio": 0.8},
        dragmode="lasso",
        modebar={"orientation": "v", "bgcolor": "rgba(0,0,0,0)", "color": grey(mode), "activecolor": ink(mode)},
    )
    return figure


def _listed(
    landscape: Landscape,
    documents: Sequence[Document],
    rows: NDArray[np.intp],
    size: float,
    mode: Mode,
    *,
    is_hollow: bool,
) -> go.Scattergl:
    """Return the documents of the list that are in a topic, or outside every one."""
    topics = landscape.nearest_topic[rows]
    # Numbers and one symbol for all: plotly checks each colour and symbol that is a word by itself, at every stroke.
    ranks = np.where((topics < 0) | (topics > N_TOPIC_COLOURS), N_TOPIC_COLOURS, topics).astype(np.uint8)
    return _points(
        "outside" if is_hollow else "documents",
        pixel_positions(landscape.positions)[rows],
        {
            "size": size,
            "symbol": "circle-open" if is_hollow else "circle",
            "color": ranks,
            "colorscale": [[rank / N_TOPIC_COLOURS, topic_colour(rank, mode)] for rank in range(N_TOPIC_COLOURS + 1)],
            "cmin": 0,
            "cmax": N_TOPIC_COLOURS,
        },
        customdata=[documents[row].document_id for row in rows],
        hovertext=[_hover(documents[row]) for row in rows],
        hoverinfo="text",
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 0.35}},
    )


def _points(name: str, places: NDArray[np.float64], marker: dict[str, Any], **options: object) -> go.Scattergl:
    return go.Scattergl(
        {"hoverinfo": "skip", **options},
        name=name,
        mode="markers",
        x=places[:, 0],
        y=places[:, 1],
        marker={"line": {"width": 0}, **marker},
    )


def _hover(document: Document) -> str:
    """Return headline and date on a line each; thousands are made each time the list changes."""
    title = plot_text(clip_text(document.title, _HOVER_LIMIT) or "Untitled")
    return f"{title}<br>{date_words(document)}"


def _ring(places: NDArray[np.float64], mode: Mode) -> go.Scattergl:
    is_crowd = len(places) > _CROWD
    line = {"width": 1.0 if is_crowd else 1.8}
    return _points(
        "marked",
        places,
        {"size": _SMALL_RING if is_crowd else _RING, "symbol": "circle-open", "color": ink(mode), "line": line},
    )
