import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core.curation import Curation
from narrative_core.desk import Desk, History
from narrative_core.desk_record import MOST_KEPT, NOT_READ, Restored, history_text, restore
from narrative_core.records import TrailRequest
from tests.desk_samples import histories

NOTED = History(Desk(TrailRequest("a", "b"), "A note", ("a",), Curation(excluded=frozenset({"c"}))))


@settings(deadline=None, max_examples=60)
@given(history=histories)
def test_a_history_comes_back_exactly(history: History) -> None:
    assert restore(history_text(history)) == Restored(history)


def test_only_the_nearest_steps_are_kept() -> None:
    history = History()
    for number in range(MOST_KEPT + 20):
        history = history.changed(Desk(note=f"Note {number}"), f"Step {number}")
    back = restore(history_text(history)).history
    assert back == History(history.present, history.past[-MOST_KEPT:])
    for _ in range(MOST_KEPT + 10):
        history = history.undone()
    again = restore(history_text(history)).history
    assert again is not None
    assert again.redone().present == history.redone().present


def test_steps_that_share_a_curation_have_it_once() -> None:
    history = History(Desk(curation=Curation(document_notes={"a": "x" * 10_000})))
    for number in range(30):
        history = history.changed(Desk(note=str(number), curation=history.present.curation), "Note")
    assert len(history_text(history)) < 20_000


def test_steps_that_share_a_selection_have_it_once() -> None:
    history = History(Desk(selection=tuple(f"document {number}" for number in range(1000))))
    for number in range(30):
        history = history.changed(Desk(note=str(number), selection=history.present.selection), "Note")
    assert len(history_text(history)) < 30_000
    assert restore(history_text(history)) == Restored(history)


@pytest.mark.parametrize(("room", "n_steps"), [(10**9, 50), (120_000, 10), (12_000, 0), (1, 0)])
def test_a_history_without_room_is_written_with_fewer_steps_and_always_with_the_desk(room: int, n_steps: int) -> None:
    history = History(Desk(note="x" * 5000))
    for number in range(60):
        history = history.changed(Desk(note=f"{number}" * 2500), f"Note {number}")
    for _ in range(30):
        history = history.undone()
    kept = restore(history_text(history, longest=room)).history
    assert kept == History(
        history.present, history.past[len(history.past) - min(n_steps, 30) :], history.future[30 - min(n_steps, 30) :]
    )


def test_fields_of_a_later_version_are_passed_over() -> None:
    told = json.loads(history_text(NOTED))
    told["later"] = told["present"]["later"] = told["present"]["request"]["later"] = {"a": [1]}
    assert restore(json.dumps(told)) == Restored(NOTED)


def test_wishes_that_an_earlier_version_did_not_know_are_none() -> None:
    told = json.loads(history_text(NOTED))
    for name in ("avoid_sources", "avoid_topics", "by_hand"):
        del told["present"]["request"][name]
    assert restore(json.dumps(told)) == Restored(NOTED)


def test_a_desk_of_an_earlier_version_is_taken_as_of_the_present_map() -> None:
    told = json.loads(history_text(History(replace(NOTED.present, map_fitted_at="2024-03-01T12:00:00+00:00"))))
    del told["present"]["map_fitted_at"]
    assert restore(json.dumps(told)) == Restored(NOTED)


def test_no_desk_is_no_history_and_no_notice() -> None:
    assert restore(None) == Restored(None)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "{}",
        "[" * 100_000,
        '{"present": NaN}',
        "\ud800",
        '{"present": {}, "past": [], "future": []}',
    ],
)
def test_a_desk_that_cannot_be_read_is_a_notice(text: str) -> None:
    assert restore(text) == Restored(None, NOT_READ)


@settings(deadline=None, max_examples=200)
@given(data=st.data())
def test_whatever_is_changed_in_the_text_nothing_is_raised(data: st.DataObject) -> None:
    told: Any = json.loads(history_text(NOTED))
    at = told
    while isinstance(at, dict | list) and at:
        keys = list(at) if isinstance(at, dict) else range(len(at))
        key = data.draw(st.sampled_from(keys))
        if not at[key] or not isinstance(at[key], dict | list) or data.draw(st.booleans()):
            at[key] = data.draw(st.sampled_from([None, 7, -1, 1e99, True, "x", [], {}, [[]], [{}]]))
            break
        at = at[key]
    found = restore(json.dumps(told))
    assert (found.history is None) == (found.notice == NOT_READ)
