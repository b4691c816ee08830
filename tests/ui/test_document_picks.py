import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.ui.document_picks import caught_days, caught_documents, with_mark

KNOWN = {"d1", "d2", "d3"}


def event(*data: object) -> dict[str, object]:
    return {"selection": {"points": [{"customdata": one} for one in data]}}


def test_each_document_that_was_caught_counts_once() -> None:
    assert caught_documents(event("d2", ["d1"], {"0": "d3"}, "d2"), KNOWN) == ("d2", "d1", "d3")


def test_points_of_another_collection_and_without_an_id_are_none() -> None:
    assert caught_documents(event("zzz", None, [], 7, [7], {"0": None}), KNOWN) == ()


@pytest.mark.parametrize("nothing", [None, {}, {"selection": None}, {"selection": {}}, {"selection": {"points": []}}])
def test_nothing_caught_is_nothing(nothing: dict[str, object] | None) -> None:
    assert caught_documents(nothing, KNOWN) == ()
    assert caught_days(nothing) is None


def test_several_bars_are_one_range() -> None:
    caught = caught_days(event(["2021-02-01", "2021-02-28"], {"0": "2021-01-01", "1": "2021-01-31"}))
    assert caught == (dt.date(2021, 1, 1), dt.date(2021, 2, 28))


@pytest.mark.parametrize("data", ["2021-01-01", ["2021-01-01"], ["x", "y"], [1, 2], None, ["2021-01-01", None]])
def test_what_are_no_two_days_is_no_range(data: object) -> None:
    assert caught_days(event(data)) is None


@given(st.lists(st.sampled_from("abcd"), unique=True), st.sampled_from("abcd"), st.booleans())
def test_a_mark_changes_one_document_only(selection: list[str], one: str, is_marked: bool) -> None:
    changed = with_mark(selection, one, is_marked=is_marked)
    assert (one in changed) == is_marked
    assert set(changed) - {one} == set(selection) - {one}
    assert len(set(changed)) == len(changed)
