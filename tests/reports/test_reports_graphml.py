import networkx as nx
import pytest
from report_samples import hostile_story, space_story

from narrative_core.reports.graphml_report import story_graph, story_graphml


def test_the_graph_has_the_documents_and_links_of_both_stories() -> None:
    saved = space_story()
    graph = story_graph(saved.pair.trail, saved.pair.baseline)
    ids = {document.document_id for told in (saved.pair.trail, saved.pair.baseline) for document in told.documents}
    assert set(graph.nodes) == ids
    links = {(link.source, link.target, "trail", link.coherence) for link in saved.pair.trail.links}
    links |= {(link.source, link.target, "baseline", link.coherence) for link in saved.pair.baseline.links}
    assert {(u, v, d["kind"], d["coherence"]) for u, v, d in graph.edges(data=True)} == links


def test_graphml_reads_back_as_the_same_graph() -> None:
    saved = space_story()
    back = nx.parse_graphml(story_graphml(saved), force_multigraph=True)
    graph = story_graph(saved.pair.trail, saved.pair.baseline)
    assert dict(back.nodes(data=True)) == dict(graph.nodes(data=True))
    assert sorted(d["coherence"] for _, _, d in back.edges(data=True)) == pytest.approx(
        sorted(d["coherence"] for _, _, d in graph.edges(data=True)), abs=0
    )


def test_hostile_headlines_are_text_in_graphml() -> None:
    graph = story_graph(hostile_story().pair.trail)
    back = nx.parse_graphml("\n".join(nx.generate_graphml(graph)), force_multigraph=True)
    assert {d["label"] for _, d in back.nodes(data=True)} == {d["label"] for _, d in graph.nodes(data=True)}
