import json
import time
from typing import Any

import numpy as np
import pydeck as pdk
import pytest
from figure_samples import EVIL_TITLE, documents, landscape, pair, story

from narrative_core.errors import InvalidInput
from narrative_core.figures.landscape_map import LAYER_IDS, OnMap, landscape_deck
from narrative_core.figures.map_colouring import Colouring
from narrative_core.figures.map_points import FIT_WIDTH_PX
from narrative_core.records import StoryPair

DOCUMENTS = documents(["Sputnik", "Vostok", EVIL_TITLE, "Apollo", ""])
LANDSCAPE = landscape([(0, 0), (10, 1), (4, 9), (3, 3), (9, 12)], [0, 0, 1, 1, 0], outliers=[4])


def read(deck: pdk.Deck) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(deck.to_json())
    return loaded


def layers(deck: pdk.Deck) -> dict[str, dict[str, Any]]:
    return {layer["id"]: layer for layer in read(deck)["layers"]}


def example() -> StoryPair:
    a, b, c, d, _ = DOCUMENTS
    return pair(story("trail", [a, c, d], [0.8, 0.7]), story("baseline", [a, b, d], [0.5, 0.4]), [0.4, 0.5])


@pytest.mark.parametrize("with_pair", [True, False])
def test_all_layers_are_always_there_in_the_same_order(with_pair: bool) -> None:
    deck = landscape_deck(LANDSCAPE, DOCUMENTS, drawn=OnMap(example() if with_pair else None))
    assert tuple(layer["id"] for layer in read(deck)["layers"]) == LAYER_IDS


def test_only_documents_answer_to_the_pointer_and_they_carry_their_id_in_position_order() -> None:
    found = layers(landscape_deck(LANDSCAPE, DOCUMENTS, drawn=OnMap(example())))
    assert [name for name, layer in found.items() if layer["pickable"]] == ["documents"]
    assert [point["id"] for point in found["documents"]["data"]] == ["d0", "d1", "d2", "d3", "d4"]


def test_a_generation_names_the_documents_layer_anew_and_nothing_else() -> None:
    names = list(layers(landscape_deck(LANDSCAPE, DOCUMENTS, generation=3)))
    assert names == ["documents-3", *LAYER_IDS[1:]]


def test_the_first_view_never_depends_on_stories_dates_or_mode() -> None:
    plain = read(landscape_deck(LANDSCAPE, DOCUMENTS))
    busy = landscape_deck(LANDSCAPE, DOCUMENTS, drawn=OnMap(example()), visible=np.zeros(5, dtype=bool), mode="dark")
    assert read(busy)["initialViewState"] == plain["initialViewState"]
    assert read(busy)["views"] == plain["views"]


def test_the_map_needs_no_provider_of_tiles() -> None:
    deck = read(landscape_deck(LANDSCAPE, DOCUMENTS))
    assert "mapProvider" not in deck and "mapStyle" not in deck


def test_a_hostile_title_reaches_the_tooltip_as_text() -> None:
    deck = landscape_deck(LANDSCAPE, DOCUMENTS)
    title = layers(deck)["documents"]["data"][2]["title"]
    assert "<img" not in title and title.replace("\u2060", "") == EVIL_TITLE


def test_the_tooltip_shows_only_fields_that_documents_have() -> None:
    deck = landscape_deck(LANDSCAPE, DOCUMENTS)
    point = layers(deck)["documents"]["data"][0]
    shown = deck._tooltip["html"].format_map({name: f"[{name}]" for name in point})
    assert all(f"[{name}]" in shown for name in ("title", "byline", "topic"))


def test_a_very_long_title_is_clipped_in_the_tooltip() -> None:
    long = documents(["w" * 400])
    deck = landscape_deck(landscape([(0, 0)], [0]), long)
    assert len(layers(deck)["documents"]["data"][0]["title"]) == 120


def test_every_style_that_a_document_names_is_in_the_table_of_colours() -> None:
    layer = layers(landscape_deck(LANDSCAPE, DOCUMENTS, visible=np.array([1, 1, 0, 1, 0], dtype=bool)))["documents"]
    for accessor in ("getFillColor", "getLineColor"):
        expression = layer[accessor]
        assert expression.startswith("@@=([[") and expression.endswith("])[style]")
        table = json.loads(expression.removeprefix("@@=(").removesuffix(")[style]"))
        assert {point["style"] for point in layer["data"]} == set(range(len(table)))


def test_paths_and_stops_follow_the_stories() -> None:
    found = layers(landscape_deck(LANDSCAPE, DOCUMENTS, drawn=OnMap(example())))
    place = {point["id"]: point["position"] for point in found["documents"]["data"]}
    (trail,), (baseline,) = found["trail"]["data"], found["baseline"]["data"]
    assert trail["geometry"]["coordinates"] == [place["d0"], place["d2"], place["d3"]]
    assert baseline["geometry"]["coordinates"] == [place["d0"], place["d1"], place["d3"]]
    assert [stop["id"] for stop in found["trail-stops"]["data"]] == ["d2"]
    assert [stop["id"] for stop in found["baseline-stops"]["data"]] == ["d1"]


def test_the_baseline_is_dashed_and_the_trail_is_not() -> None:
    found = layers(landscape_deck(LANDSCAPE, DOCUMENTS, drawn=OnMap(example())))
    assert found["baseline"]["getDashArray"][1] > 0
    assert found["baseline"]["extensions"][0]["@@type"] == "PathStyleExtension"
    assert "extensions" not in found["trail"]


def test_a_and_b_stand_at_the_ends_of_the_story_unless_others_are_chosen() -> None:
    ends = layers(landscape_deck(LANDSCAPE, DOCUMENTS, drawn=OnMap(example())))["endpoints"]["data"]
    assert [(end["id"], end["icon"]["id"]) for end in ends] == [("d0", "endpoint A light"), ("d3", "endpoint B light")]
    chosen = layers(landscape_deck(LANDSCAPE, DOCUMENTS, drawn=OnMap(source_id="d4")))["endpoints"]["data"]
    assert [end["id"] for end in chosen] == ["d4"]


def test_endpoints_on_one_another_are_moved_apart() -> None:
    close = landscape([(0, 0), (0.01, 0), (10, 12)], [0, 0, 0])
    ends = layers(landscape_deck(close, DOCUMENTS[:3], drawn=OnMap(source_id="d0", target_id="d1")))["endpoints"][
        "data"
    ]
    assert ends[1]["offset"][0] - ends[0]["offset"][0] >= 26
    far = layers(landscape_deck(close, DOCUMENTS[:3], drawn=OnMap(source_id="d0", target_id="d2")))["endpoints"]["data"]
    assert [end["offset"] for end in far] == [[0, 0], [0, 0]]


def test_a_story_of_two_documents_has_a_path_and_no_stops() -> None:
    two = pair(story("trail", DOCUMENTS[:2], [0.7]), story("baseline", DOCUMENTS[:2], [0.7]), [0.7])
    found = layers(landscape_deck(LANDSCAPE, DOCUMENTS, drawn=OnMap(two)))
    assert (len(found["trail"]["data"]), found["trail-stops"]["data"]) == (1, [])


@pytest.mark.parametrize("n", [0, 1])
def test_a_collection_without_topics_and_of_hardly_a_document_has_a_map(n: int) -> None:
    found = layers(landscape_deck(landscape([(3, 4)] * n, [-1] * n, labels=()), DOCUMENTS[:n]))
    assert (len(found["documents"]["data"]), found["topic-labels"]["data"]) == (n, [])


def test_a_document_that_is_not_on_the_map_is_refused_by_name() -> None:
    with pytest.raises(InvalidInput, match="'d99'"):
        landscape_deck(LANDSCAPE, DOCUMENTS, drawn=OnMap(source_id="d99"))


@pytest.mark.parametrize(
    "wrong", [{"visible": np.ones(4, dtype=bool)}, {"colouring": Colouring("reach", np.ones(6, dtype=np.int64))}]
)
def test_arrays_of_another_length_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=next(iter(wrong))):
        landscape_deck(LANDSCAPE, DOCUMENTS, **wrong)


def test_the_first_view_and_the_layers_are_the_same_however_documents_are_coloured() -> None:
    plain = read(landscape_deck(LANDSCAPE, DOCUMENTS))
    coloured = read(landscape_deck(LANDSCAPE, DOCUMENTS, colouring=Colouring("date", np.arange(5))))
    assert coloured["initialViewState"] == plain["initialViewState"]
    assert [layer["id"] for layer in coloured["layers"]] == list(LAYER_IDS)
    assert coloured["layers"][0]["getFillColor"] != plain["layers"][0]["getFillColor"]


def test_a_tooltip_has_a_line_for_what_a_colour_stands_for_only_where_it_is_told() -> None:
    told = Colouring("column", np.zeros(5, dtype=np.int64), told=tuple("abcde"))
    assert "{told}" in landscape_deck(LANDSCAPE, DOCUMENTS, colouring=told)._tooltip["html"]
    assert "{told}" not in landscape_deck(LANDSCAPE, DOCUMENTS)._tooltip["html"]


def test_the_document_that_is_read_has_a_ring_where_it_stands() -> None:
    found = layers(landscape_deck(LANDSCAPE, DOCUMENTS, drawn=OnMap(opened_id="d2")))
    place = {point["id"]: point["position"] for point in found["documents"]["data"]}
    assert found["opened"]["data"] == [{"id": "d2", "position": place["d2"]}]
    assert layers(landscape_deck(LANDSCAPE, DOCUMENTS, drawn=OnMap(opened_id="elsewhere")))["opened"]["data"] == []


def test_six_thousand_documents_are_a_small_message_quickly_made() -> None:
    rng, n = np.random.default_rng(0), 6000
    topics = rng.integers(0, 30, n).tolist()
    large = landscape(list(map(tuple, rng.normal(size=(n, 2)))), topics, labels=[f"topic {i}" for i in range(30)])
    many = documents([f"A headline of a usual length, {i} of them, about something that happened" for i in range(n)])
    start = time.perf_counter()
    message = landscape_deck(large, many).to_json()
    assert time.perf_counter() - start < 1.5
    assert len(message.encode()) < 1_500_000
    places = np.array([point["position"] for point in json.loads(message)["layers"][0]["data"]])
    assert np.ptp(places[:, 0]) <= FIT_WIDTH_PX + 0.01


def test_documents_of_a_hidden_topic_are_not_drawn_and_neither_is_its_name() -> None:
    found = layers(landscape_deck(LANDSCAPE, DOCUMENTS, hidden_topics={1}))
    assert [point["id"] for point in found["documents"]["data"]] == ["d0", "d1", "d4"]
    assert [label["text"] for label in found["topic-labels"]["data"]] == ["satellite, orbit"]


def test_stories_are_drawn_through_hidden_topics() -> None:
    shown = layers(landscape_deck(LANDSCAPE, DOCUMENTS, drawn=OnMap(example())))
    hidden = layers(landscape_deck(LANDSCAPE, DOCUMENTS, drawn=OnMap(example()), hidden_topics={0, 1}))
    assert hidden["documents"]["data"] == []
    for name in ("trail", "trail-stops", "baseline", "baseline-stops", "endpoints"):
        assert hidden[name]["data"] == shown[name]["data"]
