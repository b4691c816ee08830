"""The layers of a map: documents, names of topics, stories, the document that is read, the ends."""

import json
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np
import pydeck as pdk
from numpy.typing import NDArray

from narrative_core.figures.map_points import PointRecord, PointStyles, point_radius
from narrative_core.figures.map_stories import (
    EndpointRecord,
    Place,
    StopRecord,
    story_path,
    story_places,
    story_stops,
)
from narrative_core.figures.marks import (
    ENDPOINT_PX,
    LABEL_HEIGHT_PX,
    Icon,
    baseline_icon,
    label_icon,
    overlay_icon,
    trail_icon,
)
from narrative_core.figures.theme import Mode, baseline_colour, ink, rgba, trail_colour
from narrative_core.figures.topic_labels import place_labels
from narrative_core.records import Landscape, Story

_COLOURS: dict[str, Callable[[Mode], str]] = {"baseline": baseline_colour, "overlay": ink, "trail": trail_colour}
_ICONS: dict[str, Callable[[Mode], Icon]] = {"baseline": baseline_icon, "overlay": overlay_icon, "trail": trail_icon}
_DASHES = {"baseline": [7, 5], "overlay": [2, 4]}

_MANY = 1500
_RING_PX = 9.0

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


def documents_layer(points: list[PointRecord], styles: PointStyles, generation: int, mode: Mode) -> pdk.Layer:
    """The documents; above generation 0 under the name "documents-N"."""
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


def labels_layer(
    landscape: Landscape,
    places: NDArray[np.float64],
    hidden_topics: Collection[int],
    ends: Sequence[EndpointRecord],
    mode: Mode,
) -> pdk.Layer:
    """The names of the larger topics, clear of the marks A and B."""
    marks = [(end["position"][0] + end["offset"][0], end["position"][1]) for end in ends]
    labels = [
        {"text": label.text, "position": (label.x, label.y), "icon": label_icon(label.text, label.style, mode)}
        for label in place_labels(landscape, places, hidden_topics, marks)
    ]
    return _icon_layer(
        "topic-labels",
        labels,
        get_size=LABEL_HEIGHT_PX,
        size_units="'common'",
        size_min_pixels=LABEL_HEIGHT_PX,
        size_max_pixels=round(LABEL_HEIGHT_PX * 1.4),
    )


def story_layers(story: Story | None, by_id: dict[str, Place], name: str, mode: Mode) -> list[pdk.Layer]:
    """The path of a story and its stops; both empty without one."""
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


def opened_layer(opened_id: str, by_id: dict[str, Place], mode: Mode) -> pdk.Layer:
    """A ring around the document that is read."""
    return pdk.Layer(
        "ScatterplotLayer",
        [{"id": opened_id, "position": by_id[opened_id]}] if opened_id in by_id else [],
        id="opened",
        pickable=False,
        filled=False,
        stroked=True,
        get_position="position",
        get_line_color=list(rgba(ink(mode))),
        get_line_width=2,
        line_width_units="'pixels'",
        get_radius=_RING_PX,
        radius_units="'pixels'",
    )


def endpoints_layer(ends: Sequence[EndpointRecord]) -> pdk.Layer:
    """The marks A and B."""
    return _icon_layer("endpoints", ends, get_size=ENDPOINT_PX, size_units="'pixels'", get_pixel_offset="offset")


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
