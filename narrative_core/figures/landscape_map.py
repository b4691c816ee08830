"""The landscape as an interactive map: documents, names of topics, both stories, the endpoints.

Layers, from bottom to top and always all of them: documents, topic-labels, baseline, baseline-stops, overlay,
overlay-stops, trail, trail-stops, endpoints. Only documents answer to the pointer, so that a selection always is a row
of "documents" with its ``id``.
"""

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pydeck as pdk
from numpy.typing import NDArray
from pydeck.bindings.json_tools import default_serialize

from narrative_core.errors import InvalidInput
from narrative_core.figures.map_points import PointRecord, PointStyles, pixel_positions, point_radius, point_records
from narrative_core.figures.map_stories import (
    Place,
    StopRecord,
    endpoint_records,
    story_path,
    story_places,
    story_stops,
)
from narrative_core.figures.marks import (
    LABEL_HEIGHT_PX,
    Icon,
    baseline_icon,
    label_icon,
    overlay_icon,
    trail_icon,
)
from narrative_core.figures.theme import (
    FONT_FAMILY,
    Mode,
    background,
    baseline_colour,
    hairline,
    ink,
    rgba,
    trail_colour,
)
from narrative_core.figures.topic_labels import place_labels
from narrative_core.records import Document, Landscape, Story, StoryPair

STORIES = ("baseline", "overlay", "trail")
LAYER_IDS = ("documents", "topic-labels", *(id_ for name in STORIES for id_ in (name, f"{name}-stops")), "endpoints")

_COLOURS: dict[str, Callable[[Mode], str]] = {"baseline": baseline_colour, "overlay": ink, "trail": trail_colour}
_ICONS: dict[str, Callable[[Mode], Icon]] = {"baseline": baseline_icon, "overlay": overlay_icon, "trail": trail_icon}
_DASHES = {"baseline": [7, 5], "overlay": [2, 4]}

_MANY = 1500

_BELOW_CENTRE_PX = -22
"""The first view looks a little below the middle of the map: room at the bottom for the tooltip."""

_ONE_LINE = "white-space:nowrap;overflow:hidden;text-overflow:ellipsis"
_TWO_LINES = "display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden"
_TOOLTIP = (
    f'<div dir="auto" style="font-weight:600;line-height:1.3;{_TWO_LINES}">{{title}}</div>'
    f'<div style="margin-top:2px;opacity:.8;{_ONE_LINE}"><bdi>{{byline}}</bdi> · <bdi>{{topic}}</bdi></div>'
)


_PREMULTIPLIED = {
    "blend": True,
    "blendColorOperation": "add",
    "blendColorSrcFactor": "one",
    "blendColorDstFactor": "one-minus-src-alpha",
    "blendAlphaOperation": "add",
    "blendAlphaSrcFactor": "one",
    "blendAlphaDstFactor": "one-minus-src-alpha",
}
"""Images reach the map with colour times opacity; blended as if they did not, their soft edges turn grey."""


@dataclass(frozen=True, slots=True)
class OnMap:
    """What is drawn on the documents.

    ``pair`` both stories, whose endpoints are marked where ``source_id`` and ``target_id`` are empty · ``overlay`` a
    third story, dotted, with diamonds · ``source_id`` and ``target_id`` documents marked A and B.
    """

    pair: StoryPair | None = None
    overlay: Story | None = None
    source_id: str = ""
    target_id: str = ""


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
    reach: NDArray[np.floating] | None = None,
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
        Documents inside the date filter; the others are faded.
    reach : array (n,), optional
        Best bottleneck from the source to each document: colours by it, in five steps, instead of by topic.
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
    _check_sizes(landscape, documents, visible, reach)
    places = pixel_positions(landscape.positions)
    points, styles = point_records(
        landscape, documents, places, visible=visible, reach=reach, hidden_topics=hidden_topics, mode=mode
    )
    by_id: dict[str, Place] = {
        document.document_id: (float(x), float(y)) for document, (x, y) in zip(documents, places, strict=True)
    }
    pair, source_id, target_id = drawn.pair, drawn.source_id, drawn.target_id
    if pair is not None:
        source_id, target_id = source_id or pair.request.source, target_id or pair.request.target
    layers = [
        _documents_layer(points, styles, generation, mode),
        _labels_layer(landscape, places, hidden_topics, mode),
        *_story_layers(pair.baseline if pair else None, by_id, "baseline", mode),
        *_story_layers(drawn.overlay, by_id, "overlay", mode),
        *_story_layers(pair.trail if pair else None, by_id, "trail", mode),
        _endpoints_layer(source_id, target_id, by_id, mode),
    ]
    return LandscapeDeck(
        layers=layers,
        views=[pdk.View(type="OrthographicView", controller=True, flipY=False)],
        initial_view_state=pdk.ViewState(target=[0, _BELOW_CENTRE_PX, 0], zoom=0, min_zoom=-1, max_zoom=6),
        map_provider=None,
        map_style=None,
        tooltip={"html": _TOOLTIP, "style": _tooltip_style(mode)},
    )


def _check_sizes(
    landscape: Landscape,
    documents: Sequence[Document],
    visible: NDArray[np.bool_] | None,
    reach: NDArray[np.floating] | None,
) -> None:
    sizes = {
        "positions": len(landscape.positions),
        "nearest_topic": len(landscape.nearest_topic),
        "is_outlier": len(landscape.is_outlier),
        "visible": len(documents) if visible is None else len(visible),
        "reach": len(documents) if reach is None else len(reach),
    }
    for name, size in sizes.items():
        if size != len(documents):
            raise InvalidInput(
                f"{name} must have one row for each of {len(documents):,} documents; got {size:,}. "
                "Open the collection again, or build its landscape again."
            )


def _documents_layer(points: list[PointRecord], styles: PointStyles, generation: int, mode: Mode) -> pdk.Layer:
    radius = point_radius(len(points))
    return pdk.Layer(
        "ScatterplotLayer",
        points,
        id=f"documents-{generation}" if generation else "documents",
        pickable=True,
        auto_highlight=True,
        highlight_color=list(rgba(ink(mode), 150)),
        get_position="position",
        get_fill_color=_looked_up(styles.fills, "style"),
        get_line_color=_looked_up(styles.rings, "style"),
        stroked=True,
        line_width_units="'pixels'",
        get_line_width=0.6 if len(points) > _MANY else 1,
        get_radius=radius,
        radius_units="'common'",
        radius_min_pixels=radius * 0.8,
        radius_max_pixels=9,
    )


def _looked_up(table: Sequence[Sequence[int]], field: str) -> str:
    """An expression that finds a point's colour in a table, so that a record carries one number instead of four."""
    return f"({json.dumps(table, separators=(',', ':'))})[{field}]"


def _labels_layer(
    landscape: Landscape, places: NDArray[np.float64], hidden_topics: Collection[int], mode: Mode
) -> pdk.Layer:
    labels = [
        {"text": label.text, "position": (label.x, label.y), "icon": label_icon(label.text, label.style, mode)}
        for label in place_labels(landscape, places, hidden_topics)
    ]
    return _icon_layer(
        "topic-labels",
        labels,
        get_size=LABEL_HEIGHT_PX,
        size_units="'common'",
        size_min_pixels=LABEL_HEIGHT_PX,
        size_max_pixels=round(LABEL_HEIGHT_PX * 1.4),
    )


def _story_layers(story: Story | None, by_id: dict[str, Place], name: str, mode: Mode) -> list[pdk.Layer]:
    icon = _ICONS[name](mode)
    places = story_places(story, by_id) if story else []
    stops: list[StopRecord] = story_stops(story, places, icon, with_ends=name == "overlay") if story else []
    return [
        _path_layer(name, story_path(places), mode),
        _icon_layer(f"{name}-stops", stops, get_size=16, size_units="'pixels'"),
    ]


def _path_layer(name: str, features: list[dict[str, Any]], mode: Mode) -> pdk.Layer:
    """A GeoJSON layer, not a path layer: the page would fade the latter's colour while a document is selected."""
    dashes: dict[str, Any] = {
        "extensions": [{"@@type": "PathStyleExtension", "dash": True, "dashMode": "path"}],
        "get_dash_array": _DASHES.get(name),
        "dash_units": "'pixels'",
    }
    colour = _COLOURS[name](mode)
    return pdk.Layer(
        "GeoJsonLayer",
        features,
        id=name,
        pickable=False,
        filled=False,
        get_line_color=list(rgba(colour, 235)),
        get_line_width=3 if name == "trail" else 2,
        line_width_units="'pixels'",
        line_joint_rounded=True,
        line_cap_rounded=name == "trail",
        **(dashes if name in _DASHES else {}),
    )


def _endpoints_layer(source_id: str, target_id: str, by_id: dict[str, Place], mode: Mode) -> pdk.Layer:
    records = endpoint_records(source_id, target_id, by_id, mode)
    return _icon_layer("endpoints", records, get_size=26, size_units="'pixels'", get_pixel_offset="offset")


def _icon_layer(name: str, records: Sequence[Any], **options: object) -> pdk.Layer:
    return pdk.Layer(
        "IconLayer",
        list(records),
        id=name,
        pickable=False,
        get_icon="icon",
        get_position="position",
        parameters=_PREMULTIPLIED,
        **options,
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
