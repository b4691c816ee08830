"""A story as a graph, for Gephi and other tools that draw networks."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from narrative_core.records import Document, SavedStory, Story
from narrative_core.reports.sentences import format_title, plain_line
from narrative_core.reports.svg import xml_text

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True, slots=True)
class MapPlace:
    """Where a document stands on the map, its topic by rank in size (-1 for none) and that topic's name."""

    x: float
    y: float
    topic: int = -1
    label: str = ""


def story_graph(*stories: Story, places: Mapping[str, MapPlace] | None = None) -> "nx.MultiDiGraph[str]":
    """Return stories as one directed graph: a node a document, an edge a link with its strength and its story's kind.

    Documents that the stories share are one node. Characters that XML cannot hold are left out, of ids too; an id that
    is another one then is counted: "a", "a (2)".

    Parameters
    ----------
    stories : Story
    places : mapping of str to MapPlace, optional
        By document id; a document without one has no ``x``, ``y`` and ``topic``.
    """
    import networkx as nx

    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    ids = _node_ids(document for story in stories for document in story.documents)
    for story in stories:
        for document in story.documents:
            place = (places or {}).get(document.document_id)
            graph.add_node(ids[document.document_id], **_facts(document), **(_placed(place) if place else {}))
        for link in story.links:
            terms = ", ".join(map(plain_line, link.shared_terms))
            facts: dict[str, Any] = {"kind": story.kind, "shared_terms": terms, "is_weakest": link.is_weakest}
            facts |= {"coherence": link.coherence} if math.isfinite(link.coherence) else {}
            graph.add_edge(ids[link.source], ids[link.target], **facts)
    return graph


def story_graphml(saved: SavedStory, *, places: Mapping[str, MapPlace] | None = None) -> str:
    """Return trail and random chronology of a saved story as GraphML."""
    return "\n".join(_lines(saved, places))


def _lines(saved: SavedStory, places: Mapping[str, MapPlace] | None) -> Iterator[str]:
    import networkx as nx

    yield from nx.generate_graphml(story_graph(saved.pair.trail, saved.pair.baseline, places=places))


def _facts(document: Document) -> dict[str, str]:
    return {
        "label": format_title(document),
        "date": document.iso_date,
        "source": plain_line(document.source),
        "url": plain_line(document.url),
    }


def _placed(place: MapPlace) -> dict[str, float | str]:
    return {"x": float(place.x), "y": float(place.y), "topic": plain_line(place.label)}


def _node_ids(documents: Iterable[Document]) -> dict[str, str]:
    ids: dict[str, str] = {}
    taken: set[str] = set()
    for document_id in dict.fromkeys(document.document_id for document in documents):
        plain = xml_text(document_id)
        node, number = plain, 1
        while node in taken:
            number += 1
            node = f"{plain} ({number})"
        ids[document_id] = node
        taken.add(node)
    return ids
