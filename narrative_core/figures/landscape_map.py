"""The landscape as an interactive map: documents, names of topics, both stories, the endpoints.

Layers, from bottom to top and always all of them: documents, topic-labels, baseline, baseline-stops, overlay,
overlay-stops, trail, trail-stops, opened, endpoints. Only documents answer to the pointer, so that a selection always
is a row of "documents" with its ``id``.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import pydeck as pdk
from numpy.typing import NDArray
from pydeck.bindings.json_tools import default_serialize

from narrative_core.errors import InvalidInput
from narrative_core.figures.map_colouring import Colouring
from narrative_core.figures.map_layers import (
    documents_layer,
    endpoints_layer,
    labels_layer,
    opened_layer,
    story_layers,
)
from narrative_core.figures.map_points import pixel_positions, point_records
from narrative_core.figures.map_stories import Place, endpoint_records
from narrative_core.figures.theme import FONT_FAMILY, Mode, background, hairline, ink
from narrative_core.records import Document, Landscape, Story, StoryPair

STORIES = ("baseline", "overlay", "trail")
LAYER_IDS = (
    "documents", "topic-labels", *(id_ for name in STORIES for id_ in (name, f"{name}-stops")), "opened", "endpoints"
)  # fmt: skip

_BELOW_CENTRE_PX = -22
"""The first view looks a little below the middle of the map: room at the bottom for the tooltip."""

_ONE_LINE = "white-space:nowrap;overflow:hidden;text-overflow:ellipsis"
_TWO_LINES = "display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden"
_TOOLTIP = (
    f'<div dir="auto" style="font-weight:600;line-height:1.3;{_TWO_LINES}">{{title}}</div>'
    f'<div style="margin-top:2px;opacity:.8;{_ONE_LINE}"><bdi>{{byline}}</bdi> · <bdi>{{topic}}</bdi></div>'
)
_TOLD = f'<div dir="auto" style="margin-top:2px;opacity:.8;{_ONE_LINE}">{{told}}</div>'


@dataclass(frozen=True, slots=True)
class OnMap:
    """What is drawn on the documents.

    ``pair`` both stories, whose endpoints are marked where ``source_id`` and ``target_id`` are empty · ``overlay`` a
    third story, dotted, with diamonds · ``source_id`` and ``target_id`` documents marked A and B · ``opened_id`` the
    document that is being read, which has a ring.
    """

    pair: StoryPair | None = None
    overlay: Story | None = None
    source_id: str = ""
    target_id: str = ""
    opened_id: str = ""


NOTHING_DRAWN = OnMap()


class LandscapeDeck(pdk.Deck):  # type: ignore[misc]  # pydeck has no types
    """A deck whose JSON carries no indentation: a map of thousands of documents is a third of the size."""

    def to_json(self) -> str:
        """The deck as JSON, with letters as themselves."""
        return json.dumps(self, default=default_serialize, ensure_ascii=False, separators=(",", ":"))


def landscape_deck(
    landscape: Landscape,
    documents: Sequence[Document],
    *,
    drawn: OnMap = NOTHING_DRAWN,
    visible: NDArray[np.bool_] | None = None,
    colouring: Colouring | None = None,
    hidden_topics: Collection[int] = (),
    mode: Mode = "light",
    generation: int = 0,
) -> LandscapeDeck:
    """The map of a collection.

    Parameters
    ----------
    landscape : Landscape
        Positions, topics and outliers; row = position.
    documents : sequence of Document
        The collection in position order.
    drawn : OnMap, optional
        The stories and endpoints on it.
    visible : array (n,) of bool, optional
        Documents that are meant, by their dates or their topic; the others are faded.
    colouring : Colouring, optional
        What the documents are coloured by, instead of by their topics. Their tooltips say what the colours do.
    hidden_topics : collection of int
        Topics that are left out, with the documents nearest to them; stops and ends of stories are drawn all the same.
    generation : int
        Above 0 the documents' layer is called "documents-N". The page drops a selection in a layer that is gone, so
        counting up clears it without moving the map.

    Returns
    -------
    LandscapeDeck
        Its first view is the same for every landscape, so a rerun never moves the map. Give the chart a key that
        names the landscape, so that another one opens with its own first view.

    Raises
    ------
    InvalidInput
        If the arrays do not fit the documents, or a story or endpoint names a document that is not among them.
    """
    colouring = colouring or Colouring("topic", landscape.nearest_topic)
    _check_sizes(landscape, documents, visible, colouring)
    places = pixel_positions(landscape.positions)
    points, styles = point_records(
        landscape, documents, places, visible=visible, colouring=colouring, hidden_topics=hidden_topics, mode=mode
    )
    by_id: dict[str, Place] = {
        document.document_id: (float(x), float(y)) for document, (x, y) in zip(documents, places, strict=True)
    }
    pair, source_id, target_id = drawn.pair, drawn.source_id, drawn.target_id
    if pair is not None:
        source_id, target_id = source_id or pair.request.source, target_id or pair.request.target
    ends = endpoint_records(source_id, target_id, by_id, mode)
    layers = [
        documents_layer(points, styles, generation, mode),
        labels_layer(landscape, places, hidden_topics, ends, mode),
        *story_layers(pair.baseline if pair else None, by_id, "baseline", mode),
        *story_layers(drawn.overlay, by_id, "overlay", mode),
        *story_layers(pair.trail if pair else None, by_id, "trail", mode),
        opened_layer(drawn.opened_id, by_id, mode),
        endpoints_layer(ends),
    ]
    return LandscapeDeck(
        layers=layers,
        views=[pdk.View(type="OrthographicView", controller=True, flipY=False)],
        initial_view_state=pdk.ViewState(target=[0, _BELOW_CENTRE_PX, 0], zoom=0, min_zoom=-1, max_zoom=6),
        map_provider=None,
        map_style=None,
        tooltip={"html": _TOOLTIP + (_TOLD if colouring.told else ""), "style": _tooltip_style(mode)},
    )


def _check_sizes(
    landscape: Landscape,
    documents: Sequence[Document],
    visible: NDArray[np.bool_] | None,
    colouring: Colouring,
) -> None:
    sizes = {
        "positions": len(landscape.positions),
        "nearest_topic": len(landscape.nearest_topic),
        "is_outlier": len(landscape.is_outlier),
        "visible": len(documents) if visible is None else len(visible),
        "colouring": len(colouring.steps),
    }
    for name, size in sizes.items():
        if size != len(documents):
            raise InvalidInput(
                f"{name} must have one row for each of {len(documents):,} documents; got {size:,}. "
                "Open the collection again, or build its landscape again."
            )


def _tooltip_style(mode: Mode) -> dict[str, str]:
    """A card in the lower left corner: beside the pointer it would be cut off at the map's edges."""
    return {
        "transform": "none",
        "top": "auto",
        "left": "8px",
        "bottom": "8px",
        "backgroundColor": background(mode),
        "color": ink(mode),
        "border": f"1px solid {hairline(mode)}",
        "borderRadius": "6px",
        "boxShadow": "0 2px 8px rgba(0,0,0,.18)",
        "fontFamily": FONT_FAMILY,
        "fontSize": "13px",
        "maxWidth": "min(480px, calc(100% - 40px))",
        "overflowWrap": "anywhere",
        "padding": "6px 10px",
        "zIndex": "2",
    }
