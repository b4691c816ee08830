from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.runs import RunTable
from narrative_core.ui.selection import (
    Key,
    picked_document,
    picked_key,
    picked_length,
    picked_stop,
    stories_of_judge,
    stories_of_mark,
    stories_of_row,
    stories_of_topics,
)
from tests.run_samples import LEXICAL, NAN, SIMPLE, sample_table, seat_scores, story, table_of

KNOWN = {"d1": 0, "d2": 1}

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)


def clicked(*ids: str, layer: str = "documents") -> dict[str, Any]:
    return {"selection": {"objects": {layer: [{"id": document_id} for document_id in ids]}}}


def curve(value: object) -> dict[str, Any]:
    return {"selection": {"points": [{"customdata": value}]}}


def test_a_click_on_the_map_is_the_id_of_the_document() -> None:
    assert picked_document(clicked("d2"), KNOWN) == "d2"


def test_the_first_document_that_the_collection_knows_is_picked() -> None:
    assert picked_document(clicked("gone", "d2", "d1"), KNOWN) == "d2"


@pytest.mark.parametrize(
    "event", [None, {}, {"selection": None}, {"selection": {}}, {"selection": {"objects": None}}, clicked()]
)
def test_without_a_click_nothing_is_picked(event: dict[str, Any] | None) -> None:
    assert picked_document(event, KNOWN) is None


def test_a_document_of_another_collection_is_no_pick() -> None:
    assert picked_document(clicked("elsewhere"), KNOWN) is None


def test_a_row_without_an_id_is_no_pick() -> None:
    assert picked_document({"selection": {"objects": {"documents": [{"title": "x"}]}}}, KNOWN) is None


def test_a_mark_of_the_time_axis_is_its_document_until_it_is_dealt_with() -> None:
    assert picked_stop(curve(["d2", 3]), KNOWN, generation=3) == "d2"
    assert picked_stop(curve({"0": "d2", "1": 3}), KNOWN, generation=3) == "d2"
    assert picked_stop(curve(["d2", 3]), KNOWN, generation=4) is None


@pytest.mark.parametrize("value", [None, "d1", ["d1"], [["d1"], 3], ["gone", 3], [7, 3], {"0": "d1"}])
def test_a_mark_that_is_no_document_of_the_collection_opens_nothing(value: object) -> None:
    assert picked_stop(curve(value), KNOWN, generation=3) is None


def test_a_click_that_was_dealt_with_is_not_picked_again() -> None:
    assert picked_document(clicked("d1"), KNOWN, generation=1) is None
    assert picked_document(clicked("d1", layer="documents-1"), KNOWN, generation=2) is None
    assert picked_document(clicked("d1", layer="documents-2"), KNOWN, generation=2) == "d1"


def test_a_click_on_another_layer_is_no_pick() -> None:
    assert picked_document(clicked("d1", layer="trail-stops"), KNOWN) is None


@pytest.mark.parametrize(("value", "length"), [(5, 5), ([5], 5), ([7, 0.3], 7), ({"0": 4}, 4), (6.0, 6), (2, 2)])
def test_a_click_on_the_curve_is_its_length(value: object, length: int) -> None:
    assert picked_length(curve(value)) == length


@pytest.mark.parametrize("value", [None, [], {}, "5", ["5"], 1, 0, -3, [None], float("nan"), float("inf")])
def test_what_is_no_length_is_not_picked(value: object) -> None:
    assert picked_length(curve(value)) is None


@pytest.mark.parametrize("event", [None, {}, {"selection": {}}, {"selection": {"points": []}}])
def test_without_a_click_on_the_curve_there_is_no_length(event: dict[str, Any] | None) -> None:
    assert picked_length(event) is None


@given(scalars | st.lists(scalars, max_size=3) | st.dictionaries(st.text(max_size=3), scalars, max_size=2))
def test_whatever_the_curve_says_a_length_is_a_whole_number_from_two_on(value: object) -> None:
    length = picked_length(curve(value))
    assert length is None or (type(length) is int and length >= 2)


def small_table() -> RunTable:
    """Three pairs; weakest links of the trails 0.5, 0.6, 0.7 and of the random chronologies 0.2, 0.5, 0.3."""
    weakest = {"trail": (0.5, 0.6, 0.7), "baseline": (0.2, 0.5, 0.3)}
    stories = [story(pair, made, [weakest[made][pair], 0.9]) for pair in range(3) for made in ("trail", "baseline")]
    scores = [8.0, 2.0, NAN, 4.0, 10.0, 3.0]
    return table_of(stories, [seat_scores(LEXICAL, scores, label="Lexical reader")])


def rows(found: object) -> tuple[int, ...]:
    return getattr(found, "rows", ())


@pytest.mark.parametrize(
    ("customdata", "key"),
    [
        ([3, "trail"], (3, "trail")),
        ((0.5, 0.6, "baseline"), (0.5, 0.6, "baseline")),
        ({"0": 3, "1": "trail"}, (3, "trail")),
        ([], ()),
        (None, ()),
        ("trail", ()),
        ([[1], "trail"], ()),
    ],
)
def test_a_click_on_a_figure_of_a_run_gives_what_its_mark_carries(customdata: object, key: Key) -> None:
    assert picked_key(curve(customdata)) == key


def test_a_point_is_one_story() -> None:
    found = stories_of_mark((1, "baseline"), small_table(), {})
    assert (rows(found), found is not None and found.is_one) == ((3,), True)


def test_a_bar_holds_the_stories_from_its_low_edge_to_below_its_high_one() -> None:
    table = small_table()
    measures = {"weakest link": table.metric("minimum")}
    found = stories_of_mark((0.5, 0.6, "trail"), table, measures)
    assert found is not None
    assert (found.rows, found.is_one, found.words) == ((0,), False, "Trail, weakest link from 0.50 to 0.60")
    assert rows(stories_of_mark((0.5, 0.6, "baseline"), table, measures)) == (3,)


def test_the_last_bar_holds_the_highest_value_too() -> None:
    table = small_table()
    assert rows(stories_of_mark((0.6, 0.7, "trail"), table, {"weakest link": table.metric("minimum")})) == (2, 4)


def test_a_bar_of_one_length_says_how_many_documents() -> None:
    table = small_table()
    found = stories_of_mark((3, 4, "trail"), table, {"documents": table.metric("length")})
    assert found is not None
    assert (found.rows, found.words) == ((0, 2, 4), "Trail, 3 documents")


def test_narrow_bounds_are_said_with_as_many_decimals_as_tell_them_apart() -> None:
    table = small_table()
    measures = {"weakest link": table.metric("minimum"), "score": table.seats[0].means}
    found = stories_of_mark((0.4975, 0.5025, 7.5, 8.5), table, measures)
    assert found is not None
    assert (found.rows, found.words) == ((0,), "Weakest link from 0.4975 to 0.5025, score from 7.50 to 8.50")


def test_a_box_holds_all_stories_that_were_made_so() -> None:
    assert rows(stories_of_mark((0.1, 0.2, "trail"), small_table(), {})) == (0, 2, 4)


def test_a_cell_holds_the_stories_that_lie_in_both_of_its_ranges() -> None:
    table = small_table()
    measures = {"weakest link": table.metric("minimum"), "score": table.seats[0].means}
    assert rows(stories_of_mark((0.2, 0.6, 1.0, 5.0), table, measures)) == (1, 3, 5)
    assert rows(stories_of_mark((0.2, 0.6, 5.0, 10.0), table, measures)) == (0,)


def test_every_story_lies_in_exactly_one_bar() -> None:
    table = sample_table(20)
    edges = np.linspace(0, 1, 11).tolist()
    bars = [(low, high, made) for low, high in pairwise(edges) for made in ("trail", "baseline")]
    measures = {"weakest link": table.metric("minimum")}
    found = [row for bar in bars for row in rows(stories_of_mark(bar, table, measures))]
    assert sorted(found) == list(range(len(table.stories)))


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ((0, "score"), (0, 1, 3, 4, 5)),
        ((0, "trail"), (0, 4)),
        ((-1, "minimum"), (0, 1, 2, 3, 4, 5)),
        ((-1, "baseline"), (1, 3, 5)),
        ((0, 2.0, 4.0), (1, 5)),
        ((0, 4, 10), (0, 3, 4)),
        ((1, "score"), ()),
        ((-2, "score"), ()),
        ((), ()),
    ],
)
def test_a_number_of_a_judge_rests_on_the_stories_that_it_scored(key: Key, expected: tuple[int, ...]) -> None:
    assert rows(stories_of_judge(key, small_table())) == expected


def test_a_row_of_a_table_leads_to_the_stories_behind_it() -> None:
    table = small_table()
    assert rows(stories_of_row((-1, "trail"), table)) == (0, 2, 4)
    assert rows(stories_of_row((0, None), table)) == (0, 1, 3, 4, 5)
    assert rows(stories_of_row((-1, None), table)) == (0, 1, 2, 3, 4, 5)


def test_a_row_of_a_band_of_scores_leads_to_the_stories_in_it_alone() -> None:
    stories = small_table().stories
    table = table_of(stories, [seat_scores(SIMPLE, [3.0, 5.0, 6.9, 7.0, NAN, 9.0])])
    assert rows(stories_of_row((0, None), table, band=(5.0, 7.0))) == (1, 2)
    assert rows(stories_of_row((0, None), table, band=(7.0, 9.0))) == (3, 5)  # the highest score lies in the last band


def test_stories_of_a_judge_are_said_by_its_name() -> None:
    found = stories_of_judge((0, "trail"), table_of(small_table().stories, [seat_scores(SIMPLE, [5.0] * 6, label="x")]))
    assert found is not None
    assert found.words == "Stories that x scored, trail"


def test_a_cell_of_topics_holds_the_trails_between_them_and_the_last_row_all_other_topics() -> None:
    table, ends, labels = small_table(), np.array([[0, 1], [0, 2], [3, 1]]), ("a", "b", "c", "d")
    found = stories_of_topics((0, 1), table, ends, labels, shown=[0, 1])
    assert found is not None
    assert (found.rows, found.words) == ((0,), "From a to b")
    assert rows(stories_of_topics((0, -1), table, ends, labels, shown=[0, 1])) == (2,)
    assert rows(stories_of_topics((-1, 1), table, ends, labels, shown=[0, 1])) == (4,)
    assert stories_of_topics((2, 2), table, ends, labels) is None


@given(st.lists(scalars, max_size=4).map(tuple))
def test_no_key_breaks_the_search_for_its_stories(key: tuple[Any, ...]) -> None:
    table = small_table()
    for found in (
        stories_of_mark(key, table, {"weakest link": table.metric("minimum")}),
        stories_of_mark(key, table, {}),
        stories_of_judge(key, table),
        stories_of_topics(key, table, np.zeros((3, 2), dtype=np.int64), ("a",)),
    ):
        assert found is None or set(found.rows) <= set(range(6))
