"""A story as GEXF for Gephi: placed as on the map, coloured by topic, with the date at which each document begins."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from narrative_core.records import SavedStory, Story
from narrative_core.reports import palette
from narrative_core.reports.graphml_report import MapPlace, story_graph

if TYPE_CHECKING:
    import networkx as nx

_SPREAD: Final = 100.0
"""Gephi's canvas counts in hundreds, the map in ones."""

_END_SIZE, _SIZE = 20.0, 10.0
_EDGE_COLOURS: Final = {"trail": palette.TRAIL, "baseline": palette.BASELINE}


def story_gexf(saved: SavedStory, *, places: Mapping[str, MapPlace] | None = None) -> str:
    """Return trail and random chronology of a saved story as GEXF 1.2.

    A document has its headline as label and, where it is dated, the first day of its date as ``start``, so that Gephi's
    timeline shows when it appears; the ends of the story are larger. Edges have their story (``kind``), the strength as
    weight, and its colour.

    Parameters
    ----------
    saved : SavedStory
    places : mapping of str to MapPlace, optional
        By document id; a document without one has neither position nor colour.
    """
    from networkx.readwrite.gexf import GEXFWriter

    graph = _for_gephi(saved.pair.trail, saved.pair.baseline, places or {})
    writer: Any = GEXFWriter(encoding="utf-8", prettyprint=True, version="1.2draft")
    # The library writes today's date; the file is to be the same whenever it is made.
    writer.xml.find("meta").set("lastmodifieddate", saved.created_at[:10])
    writer.add_graph(graph)
    return f"<?xml version='1.0' encoding='utf-8'?>\n{writer}"


def _for_gephi(trail: Story, baseline: Story, places: Mapping[str, MapPlace]) -> "nx.MultiDiGraph[str]":
    graph = story_graph(trail, baseline, places=places)
    documents = dict.fromkeys(document.document_id for story in (trail, baseline) for document in story.documents)
    dates = {document.document_id: document.date for story in (trail, baseline) for document in story.documents}
    ends = {trail.documents[0].document_id, trail.documents[-1].document_id}
    for document_id, node in zip(documents, list(graph), strict=True):
        facts, date, place = graph.nodes[node], dates[document_id], places.get(document_id)
        if date is not None:
            facts["start"] = date.isoformat()
        facts["viz"] = {"size": _END_SIZE if document_id in ends else _SIZE} | (_drawn(place) if place else {})
        for axis in ("x", "y"):
            facts.pop(axis, None)
    for number, (_, _, facts) in enumerate(graph.edges(data=True)):
        facts["id"] = str(number)
        facts["viz"] = {"color": _colour(_EDGE_COLOURS[facts["kind"]])}
        if "coherence" in facts:
            facts["weight"] = float(facts["coherence"])
    return graph


def _drawn(place: MapPlace) -> dict[str, dict[str, float]]:
    position = {"x": _SPREAD * float(place.x), "y": _SPREAD * float(place.y), "z": 0.0}
    return {"position": position, "color": _colour(palette.topic_colour(place.topic))}


def _colour(colour: str) -> dict[str, float]:
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return {"r": red, "g": green, "b": blue, "a": 1.0}
