from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.ui.selection import picked_document, picked_length

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
