import io
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_samples import document, hostile_story, pair, saved, space_story, story

from narrative_core.records import SavedStory
from narrative_core.reports import palette
from narrative_core.reports.gexf_report import story_gexf
from narrative_core.reports.graphml_report import MapPlace
from narrative_core.reports.sentences import format_title

PLACES = {f"d{number}": MapPlace(number, -number, number, f"Topic {number}") for number in range(8)}


def back(kept: SavedStory, places: dict[str, MapPlace] | None = None) -> Any:  # noqa: ANN401  a graph of any kind
    return nx.read_gexf(io.BytesIO(story_gexf(kept, places=places).encode()))


def test_the_graph_reads_back_with_headlines_dates_and_both_stories() -> None:
    kept = space_story()
    graph = back(kept)
    assert graph.is_directed()
    assert [graph.nodes[one.document_id]["label"] for one in kept.pair.trail.documents] == [
        one.title for one in kept.pair.trail.documents
    ]
    assert graph.nodes["d0"]["start"] == "1957-10-04"
    edges = {(source, target): facts for source, target, facts in graph.edges(data=True)}
    assert {facts["kind"] for facts in edges.values()} == {"trail", "baseline"}
    for link in kept.pair.trail.links:
        assert edges[link.source, link.target]["weight"] == pytest.approx(link.coherence)


def test_documents_stand_as_on_the_map_in_the_colour_of_their_topic() -> None:
    graph = back(space_story(), PLACES)
    looks = graph.nodes["d3"]["viz"]
    assert looks["position"] == {"x": 300.0, "y": -300.0, "z": 0.0}
    colour = palette.topic_colour(3)
    assert [looks["color"][part] for part in "rgb"] == [int(colour[start : start + 2], 16) for start in (1, 3, 5)]
    assert graph.nodes["d3"]["topic"] == "Topic 3"
    assert graph.nodes["d0"]["viz"]["size"] > looks["size"]
    assert "position" not in back(space_story()).nodes["d3"]["viz"]


def test_an_undated_document_has_no_start() -> None:
    graph = back(saved(pair(story([document(0), document(1, date=None), document(2)], [0.8, 0.7]))))
    assert "start" in graph.nodes["d0"]
    assert "start" not in graph.nodes["d1"]


def test_the_file_says_when_the_story_was_saved_not_when_it_was_written() -> None:
    written = story_gexf(space_story())
    assert 'lastmodifieddate="2025-11-30"' in written
    assert written == story_gexf(space_story())


@pytest.mark.parametrize("kept", [space_story(2), space_story(20), hostile_story()], ids=lambda kept: kept.name)
def test_every_story_is_well_formed(kept: SavedStory) -> None:
    ElementTree.fromstring(story_gexf(kept, places=PLACES).encode())
    labels = {facts["label"] for _, facts in back(kept).nodes(data=True)}
    assert {format_title(one) for one in kept.pair.trail.documents} <= labels


@settings(deadline=None, max_examples=30)
@given(st.text(max_size=20), st.text(max_size=20), st.text(max_size=20))
def test_any_text_is_well_formed(document_id: str, title: str, source: str) -> None:
    first = replace(document(0, title, source=source), document_id=f"x{document_id}")
    kept = saved(pair(story([first, document(1), document(2)], [0.8, 0.7], terms=(title,))))
    ElementTree.fromstring(story_gexf(kept).encode("utf-8", "surrogatepass"))
