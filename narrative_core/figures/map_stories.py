"""Both stories on the map: their paths, their stops, and the endpoints A and B."""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from narrative_core.errors import InvalidInput
from narrative_core.figures.map_points import distance
from narrative_core.figures.marks import Icon, endpoint_icon
from narrative_core.figures.theme import Mode
from narrative_core.records import Story

Place = tuple[float, float]

_CROWDED_PX = 24.0
_ASIDE_PX = 13


class StopRecord(TypedDict):
    """One document of a story, with the dot that marks it."""

    id: str
    position: Place
    icon: Icon


class EndpointRecord(StopRecord):
    """An endpoint; ``offset`` moves its letter aside where both would stand on one another."""

    offset: tuple[int, int]


def story_places(story: Story, places: Mapping[str, Place]) -> list[Place]:
    """Where a story's documents stand, in its order."""
    return [_place(document.document_id, places) for document in story.documents]


def story_path(places: Sequence[Place]) -> list[dict[str, Any]]:
    """A story's way over the map as GeoJSON features: one line, or none for a story of fewer than two documents."""
    if len(places) < 2:
        return []
    line = {"type": "LineString", "coordinates": [list(place) for place in places]}
    return [{"type": "Feature", "properties": {}, "geometry": line}]


def story_stops(story: Story, places: Sequence[Place], icon: Icon, *, with_ends: bool = False) -> list[StopRecord]:
    """The documents of a story between its endpoints, which mostly have marks of their own."""
    stops = list(zip(story.documents, places, strict=True))
    inner = stops if with_ends else stops[1:-1]
    return [{"id": document.document_id, "position": place, "icon": icon} for document, place in inner]


def endpoint_records(source_id: str, target_id: str, places: Mapping[str, Place], mode: Mode) -> list[EndpointRecord]:
    """A at the source and B at the target; either may be empty, which leaves it out."""
    chosen = [(letter, id_, _place(id_, places)) for letter, id_ in (("A", source_id), ("B", target_id)) if id_]
    is_crowded = len(chosen) == 2 and distance(chosen[0][2], chosen[1][2]) < _CROWDED_PX
    aside = dict(zip("AB", _sides(chosen[0][2], chosen[1][2]), strict=True)) if is_crowded else {"A": 0, "B": 0}
    return [
        {"id": id_, "position": place, "icon": endpoint_icon(letter, mode), "offset": (aside[letter], 0)}
        for letter, id_, place in chosen
    ]


def _sides(a: Place, b: Place) -> tuple[int, int]:
    return (-_ASIDE_PX, _ASIDE_PX) if a[0] <= b[0] else (_ASIDE_PX, -_ASIDE_PX)


def _place(document_id: str, places: Mapping[str, Place]) -> Place:
    if document_id not in places:
        raise InvalidInput(f"document {document_id!r} is not on this map. Open the collection that it belongs to.")
    return places[document_id]
