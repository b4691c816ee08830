"""A story as a graph, for Gephi and other tools that draw networks."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from narrative_core.records import SavedStory, Story
from narrative_core.reports.sentences import format_title, plain_line

if TYPE_CHECKING:
    import networkx as nx


def story_graph(*stories: Story) -> "nx.MultiDiGraph[str]":
    """Return stories as one directed graph: a node a document, an edge a link with its strength and its story's kind.

    Documents that the stories share are one node.
    """
    import networkx as nx

    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for story in stories:
        for document in story.documents:
            graph.add_node(
                document.document_id,
                label=format_title(document),
                date=document.iso_date,
                source=plain_line(document.source),
            )
        for link in story.links:
            terms = ", ".join(map(plain_line, link.shared_terms))
            graph.add_edge(link.source, link.target, kind=story.kind, coherence=link.coherence, shared_terms=terms)
    return graph


def story_graphml(saved: SavedStory) -> str:
    """Return trail and random chronology of a saved story as GraphML."""
    return "\n".join(_lines(saved))


def _lines(saved: SavedStory) -> Iterator[str]:
    import networkx as nx

    yield from nx.generate_graphml(story_graph(saved.pair.trail, saved.pair.baseline))
