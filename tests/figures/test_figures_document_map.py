from dataclasses import replace

import numpy as np
import plotly.graph_objects as go

from narrative_core.extraction import LoadedCollection
from narrative_core.figures.document_map import document_map
from narrative_core.figures.theme import topic_colour
from tests.builders import build_collection, with_titles


def spread_out() -> LoadedCollection:
    loaded = build_collection(range(6))
    places = np.column_stack([np.arange(6.0), np.arange(6.0) ** 2])
    outlier = np.array([True, *[False] * 5])
    return replace(loaded, landscape=replace(loaded.landscape, positions=places, is_outlier=outlier))


def draw(loaded: LoadedCollection, found: list[int], marked: list[int], **options: object) -> go.Figure:
    rows = np.arange(len(loaded.documents))
    return document_map(
        loaded.landscape,
        loaded.documents,
        found=np.isin(rows, found),
        marked=np.isin(rows, marked),
        **options,  # type: ignore[arg-type]
    )


def test_only_documents_of_the_list_can_be_caught_and_are_named_by_their_ids() -> None:
    others, marked, documents, outside = draw(spread_out(), [0, 1, 2], [2]).data
    assert [*documents.customdata, *outside.customdata] == ["d1", "d2", "d0"]
    assert (len(others.x), len(marked.x)) == (3, 1)
    assert others.customdata is None
    assert marked.customdata is None
    assert (marked.x[0], marked.y[0]) == (documents.x[1], documents.y[1])


def test_documents_have_the_colour_of_their_topic_and_are_hollow_outside_every_topic() -> None:
    _, _, documents, outside = draw(spread_out(), [0, 1, 2], []).data
    assert [list(trace.marker.color) for trace in (documents, outside)] == [[1, 2], [0]]
    assert (documents.marker.symbol, outside.marker.symbol) == ("circle", "circle-open")
    assert documents.marker.colorscale[2] == (2 / 10, topic_colour(2, "light"))


def test_a_topic_beyond_the_tenth_and_no_topic_are_grey() -> None:
    loaded = spread_out()
    landscape = replace(loaded.landscape, nearest_topic=np.array([9, 10, 11, -1, 0, 1]), is_outlier=np.zeros(6, bool))
    marker = draw(replace(loaded, landscape=landscape), [0, 1, 2, 3], []).data[2].marker
    assert list(marker.color) == [9, 10, 10, 10]
    assert (marker.cmin, marker.cmax, marker.colorscale[10]) == (0, 10, (1.0, topic_colour(-1, "light")))


def test_a_hidden_topic_is_not_drawn() -> None:
    figure = draw(spread_out(), [0, 1, 2, 3], [1], hidden_topics=frozenset({1}))
    assert [*figure.data[2].customdata, *figure.data[3].customdata] == ["d2", "d3", "d0"]
    assert [len(trace.x) for trace in figure.data] == [1, 0, 2, 1]


def test_a_headline_in_a_hover_stays_text() -> None:
    loaded = with_titles(spread_out(), ["<b>bold</b> & more", *["x"] * 5])
    assert "&lt;b&gt;bold&lt;/b&gt; &amp; more" in draw(loaded, [0], []).data[3].hovertext[0]


def test_an_empty_list_draws_the_map_all_the_same() -> None:
    assert [len(trace.x) for trace in draw(spread_out(), [], []).data] == [6, 0, 0, 0]
