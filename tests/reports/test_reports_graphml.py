from dataclasses import replace

import networkx as nx
import pytest
from report_samples import document, hostile_story, pair, saved, space_story, story

from narrative_core.reports.graphml_report import MapPlace, story_graph, story_graphml


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


def test_documents_have_their_place_topic_and_address_where_these_are_known() -> None:
    kept = space_story()
    graph = story_graph(kept.pair.trail, places={"d0": MapPlace(1.5, -2.0, 3, "Probes")})
    assert (graph.nodes["d0"]["x"], graph.nodes["d0"]["y"], graph.nodes["d0"]["topic"]) == (1.5, -2.0, "Probes")
    assert graph.nodes["d0"]["url"] == "https://example.org/news/0"
    assert "x" not in graph.nodes["d1"]


def test_characters_that_xml_cannot_hold_are_left_out_and_ids_stay_apart() -> None:
    told = [replace(document(0), document_id="a\x00b"), replace(document(1), document_id="ab\ufffe"), document(2)]
    kept = saved(pair(story(told, [0.8, 0.7])))
    back = nx.parse_graphml(story_graphml(kept), force_multigraph=True)
    assert {"ab", "ab (2)", "d2"} <= set(back.nodes)


def test_an_unknown_strength_is_left_out() -> None:
    kept = space_story(3)
    links = tuple(replace(link, coherence=float("nan")) for link in kept.pair.trail.links)
    graph = story_graph(replace(kept.pair.trail, links=links))
    assert all("coherence" not in facts for _, _, facts in graph.edges(data=True))
    assert "nan" not in "".join(nx.generate_graphml(graph)).lower().replace("xmlns", "")
