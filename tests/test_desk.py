import contextlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from narrative_core import desk_edits
from narrative_core.curating import keep_curation
from narrative_core.curation import Curation
from narrative_core.desk import MOST_STEPS, Desk, History
from narrative_core.errors import InvalidInput
from narrative_core.records import TrailRequest
from narrative_core.store.curations import load_curation
from narrative_core.store.database import Database, open_database
from tests.conductor_samples import documents_on_two_themes, save_documents

IDS = tuple(document.document_id for document in documents_on_two_themes(8))
LANDSCAPES = ("land-1", "land-2")
Edit = Callable[[Desk], Desk]

ids, topics, landscapes = st.sampled_from(IDS), st.integers(0, 3), st.sampled_from(LANDSCAPES)
some_ids = st.lists(ids, max_size=3, unique=True)
stories = st.lists(ids, min_size=2, max_size=5, unique=True)
words = st.sampled_from(("", "  ", "Check the date.", "Überprüfen", "راجع", "'; --"))


def edits(function: Callable[..., Desk], *arguments: st.SearchStrategy[object], **named: st.SearchStrategy[object]):  # type: ignore[no-untyped-def]  # noqa: ANN201
    """Return a strategy of one kind of edit, as a function of a desk."""

    def edit(given: tuple[object, ...], told: dict[str, object]) -> Edit:
        return lambda desk: function(desk, *given, **told)

    return st.builds(edit, st.tuples(*arguments), st.fixed_dictionaries(named))


EVERY_EDIT = st.one_of(
    edits(desk_edits.ask, st.none() | st.builds(TrailRequest, ids, ids)),
    *(edits(one, ids) for one in (desk_edits.pin, desk_edits.avoid, desk_edits.release)),
    *(edits(one, words) for one in (desk_edits.avoid_source, desk_edits.allow_source, desk_edits.note_story)),
    *(edits(one, topics) for one in (desk_edits.avoid_topic, desk_edits.allow_topic)),
    edits(desk_edits.insert, stories, ids, after=ids),
    edits(desk_edits.remove, stories, ids),
    edits(desk_edits.move, stories, ids, st.integers(-4, 4)),
    edits(desk_edits.by_hand, stories),
    edits(desk_edits.search_again),
    edits(desk_edits.note_document, ids, words),
    edits(desk_edits.note_link, st.tuples(ids, ids), words),
    *(
        edits(one, some_ids)
        for one in (
            desk_edits.select,
            desk_edits.exclude,
            desk_edits.restore,
            desk_edits.stand_alone,
            desk_edits.rejoin,
        )
    ),
    edits(desk_edits.date_document, ids, st.sampled_from(("", "2019", "March 2021", "2019-05-04"))),
    edits(desk_edits.rename_topic, landscapes, topics, words),
    edits(desk_edits.merge_topics, landscapes, topics, topics),
    *(edits(one, landscapes, topics) for one in (desk_edits.part_topic, desk_edits.hide_topic, desk_edits.show_topic)),
)


def _facts(curation: Curation) -> dict[object, object]:
    """Return the decisions one by one; a topic that is merged may come to be merged into another than it was."""
    return {
        **{("excluded", one): True for one in curation.excluded},
        **{("standalone", one): True for one in curation.standalone},
        **{("date", one): text for one, text in curation.dates.items()},
        **{("note", one): text for one, text in (*curation.document_notes.items(), *curation.link_notes.items())},
        **{("label", curation.landscape_id, topic): label for topic, label in curation.topic_labels.items()},
        **{("merged", curation.landscape_id, topic): True for topic in curation.merged_topics},
        **{("hidden", curation.landscape_id, topic): True for topic in curation.hidden_topics},
    }


def _lines(history: History) -> list[Desk]:
    """Return all desks of a history in order."""
    return [*(step.desk for step in history.past), history.present, *(step.desk for step in reversed(history.future))]


def _is_carried(former: Desk, desk: Desk, changed: set[object]) -> bool:
    """Whether a desk is a former one but for some decisions, and but for topics of another landscape."""
    if replace(former, curation=Curation()) != replace(desk, curation=Curation()):
        return False
    then, now = _facts(former.curation), _facts(desk.curation)
    is_other = former.curation.landscape_id != desk.curation.landscape_id
    return all(
        then.get(key) == now.get(key) or (is_other and len(key) == 3)  # type: ignore[arg-type]
        for key in {*then, *now} - changed
    )


class WorkOnADesk(RuleBasedStateMachine):
    """Any edits, undone and made again in any order, beside a plain list of the desks that there were."""

    database: Database

    @initialize(request=st.none() | st.just(TrailRequest(IDS[0], IDS[-1])))
    def begin(self, request: TrailRequest | None) -> None:
        self.desks, self.at = [Desk(request)], 0
        self.history = History(self.desks[0])
        self.foreign: dict[object, object] = {}

    @rule(edit=EVERY_EDIT)
    def edit(self, edit: Edit) -> None:
        try:
            changed = edit(self.history.present)
        except InvalidInput:
            return
        before = self.history
        self.history = before.changed(changed, "An edit")
        now, then = _facts(changed.curation), _facts(before.present.curation)
        self.foreign = {key: value for key, value in self.foreign.items() if now.get(key) == then.get(key)}
        if changed == before.present:
            assert self.history is before, "a change of nothing is none"
        else:
            self.desks = [*self.desks[: self.at + 1], changed]
            self.at += 1

    @rule()
    def undo(self) -> None:
        self.history = self.history.undone()
        self.at = max(self.at - 1, 0)

    @rule()
    def redo(self) -> None:
        self.history = self.history.redone()
        self.at = min(self.at + 1, len(self.desks) - 1)

    @invariant()
    def the_present_desk_is_the_one_that_was_there(self) -> None:
        if not hasattr(self, "desks"):
            return
        assert self.history.present == self.desks[self.at]
        assert (len(self.history.past), len(self.history.future)) == (self.at, len(self.desks) - 1 - self.at)

    @invariant()
    def a_curation_is_well_formed(self) -> None:
        if not hasattr(self, "desks"):
            return
        curation = self.history.present.curation
        assert not set(curation.merged_topics) & set(curation.merged_topics.values()), "a merged topic holds no other"
        is_any = curation.topic_labels or curation.merged_topics or curation.hidden_topics
        assert (curation.landscape_id in LANDSCAPES) if is_any else curation.landscape_id == ""

    @rule(edits=st.lists(EVERY_EDIT, min_size=1, max_size=3))
    def another_window_decides(self, edits: list[Edit]) -> None:
        before = _lines(self.history)
        theirs = Desk(TrailRequest(IDS[0], IDS[-1]), curation=self.history.present.curation)
        for edit in edits:
            with contextlib.suppress(InvalidInput):
                theirs = edit(theirs)
        changed = {
            key
            for key in _facts(theirs.curation) | _facts(self.history.present.curation)
            if _facts(theirs.curation).get(key) != _facts(self.history.present.curation).get(key)
        }
        self.history = self.history.over(theirs.curation)
        assert self.history.present.curation == theirs.curation
        self.desks, self.at = _lines(self.history), len(self.history.past)
        self.foreign = {
            **{key: value for key, value in self.foreign.items() if key not in changed},
            **{key: _facts(theirs.curation).get(key) for key in changed},
        }
        assert len(self.desks) <= len(before)
        left = iter(before)
        for desk in self.desks:
            assert any(_is_carried(former, desk, changed) for former in left), "every step left is one of before"

    @invariant()
    def what_another_window_decided_stands_until_it_is_decided_here(self) -> None:
        if not hasattr(self, "desks"):
            return
        facts = _facts(self.history.present.curation)
        assert {key: facts.get(key) for key in self.foreign} == self.foreign

    @rule()
    def what_is_kept_comes_back(self) -> None:
        curation = self.history.present.curation
        if len(curation.excluded) <= len(IDS) - 2:
            keep_curation(self.database, "news", curation)
            assert load_curation(self.database, "news") == curation

    def teardown(self) -> None:
        if not hasattr(self, "desks"):
            return
        history = self.history
        for desk in reversed(self.desks[: self.at]):
            history = history.undone()
            assert history.present == desk
        assert history.undone() is history, "nothing is left to take back"
        for desk in self.desks[1:]:
            history = history.redone()
            assert history.present == desk
        assert history.redone() is history, "nothing is left to make again"


def test_undo_and_redo_lead_through_the_same_desks_after_any_sequence_of_edits(tmp_path: Path) -> None:
    with contextlib.closing(open_database(tmp_path / "throughline.duckdb")) as database:
        save_documents(database, documents_on_two_themes(8))
        machine = type("WorkOnADesk", (WorkOnADesk,), {"database": database})
        run_state_machine_as_test(machine, settings=settings(max_examples=60, stateful_step_count=30, deadline=None))


@settings(max_examples=60, deadline=None)
@given(st.lists(EVERY_EDIT, max_size=12))
def test_an_edit_changes_no_desk_that_there_was(made: list[Edit]) -> None:
    desk = Desk(TrailRequest(IDS[0], IDS[-1]))
    for edit in made:
        before = repr(desk)
        with contextlib.suppress(InvalidInput):
            desk = _checked(edit, desk, before)


def _checked(edit: Edit, desk: Desk, before: str) -> Desk:
    changed = edit(desk)
    assert repr(desk) == before
    return changed


def test_the_oldest_steps_are_forgotten() -> None:
    history = History()
    for number in range(MOST_STEPS + 5):
        history = history.changed(Desk(note=str(number)), f"Note {number}")
    assert len(history.past) == MOST_STEPS
    for _ in range(MOST_STEPS):
        history = history.undone()
    assert history.present.note == "4"
    assert history.undone() is history


def test_a_change_after_an_undo_forgets_what_was_taken_back() -> None:
    history = History().changed(Desk(note="one"), "First").undone()
    assert history.redo_words == "First"
    other = history.changed(Desk(note="two"), "Second")
    assert (other.undo_words, other.redo_words) == ("Second", "")


def test_what_is_excluded_waits_in_the_request_until_it_is_restored() -> None:
    request = TrailRequest("d00", "d07", via=("d01", "d02"), avoid=("d03",), by_hand=("d00", "d04", "d05", "d07"))
    desk = desk_edits.exclude(Desk(request, selection=("d05", "d06")), ["d02", "d03", "d05", "d07"])
    assert desk == Desk(
        request, selection=("d06",), curation=Curation(excluded=frozenset({"d02", "d03", "d05", "d07"}))
    )
    assert desk_edits.restore(desk, ["d02", "d03", "d05", "d07"]) == Desk(request, selection=("d06",))


def test_a_request_without_documents_keeps_its_ends() -> None:
    request = TrailRequest("d00", "d07", via=("d01", "d02"), avoid=("d03",), by_hand=("d00", "d04", "d05", "d07"))
    told = desk_edits.request_without(request, ["d02", "d03", "d05", "d07"])
    assert told == TrailRequest("d00", "d07", via=("d01",), by_hand=("d00", "d04", "d07"))


def test_a_wish_that_becomes_an_end_by_hand_is_let_go() -> None:
    desk = Desk(TrailRequest("d00", "d07", via=("d01", "d04"), avoid=("d05", "d06")))
    by_hand = desk_edits.by_hand(desk, ("d01", "d04", "d06"))
    told = TrailRequest("d01", "d06", via=("d04",), avoid=("d05",), by_hand=("d01", "d04", "d06"))
    assert by_hand.request == told


def test_decisions_about_topics_are_let_go_with_their_landscape() -> None:
    on_first = desk_edits.rename_topic(Desk(), "land-1", 0, " Floods ")
    assert on_first.curation == Curation(landscape_id="land-1", topic_labels={0: "Floods"})
    on_second = desk_edits.hide_topic(on_first, "land-2", 1)
    assert on_second.curation == Curation(landscape_id="land-2", hidden_topics=frozenset({1}))
    assert desk_edits.show_topic(on_second, "land-2", 1).curation == Curation()


def test_topics_merged_into_one_that_is_merged_itself_follow_it() -> None:
    merge = partial(desk_edits.merge_topics, landscape_id="land-1")
    desk = merge(merge(Desk(), topic=2, into=1), topic=1, into=0)
    assert desk.curation.merged_topics == {1: 0, 2: 0}
    assert merge(desk, topic=3, into=2).curation.merged_topics == {1: 0, 2: 0, 3: 0}
    with pytest.raises(InvalidInput, match="merged into itself"):
        merge(desk, topic=0, into=1)
    assert desk_edits.part_topic(desk, "land-1", 1).curation.merged_topics == {2: 0}


@pytest.mark.parametrize(("fitted_at", "left_out"), [("", (2, 5)), ("2024-03-01", (2, 5)), ("2023-12-24", ())])
def test_topics_that_are_left_out_are_let_back_in_on_another_map(fitted_at: str, left_out: tuple[int, ...]) -> None:
    desk = Desk(TrailRequest("d00", "d07", via=("d01",), avoid_topics=(2, 5)), map_fitted_at=fitted_at)
    told = TrailRequest("d00", "d07", via=("d01",), avoid_topics=left_out)
    assert desk_edits.on_map(desk, "2024-03-01") == Desk(told, map_fitted_at="2024-03-01")


def test_no_request_is_none_on_another_map() -> None:
    assert desk_edits.on_map(Desk(map_fitted_at="2023-12-24"), "2024-03-01") == Desk(map_fitted_at="2024-03-01")


def test_the_states_that_led_to_a_saved_story_are_that_story_too() -> None:
    asked = [TrailRequest("a", "c"), TrailRequest("a", "b"), TrailRequest("a", "b", via=("c",))]
    history = History()
    for number, request in enumerate(asked):
        history = history.changed(desk_edits.ask(history.present, request), f"Asked {number}")
    saved = history.changed(desk_edits.save_story(history.present, asked[-1], "", "s1"), "Saved").saved_as("s1")
    assert saved.undo_words == "Asked 2"  # saving alone changes nothing that could be taken back
    back = saved.undone()
    assert (back.present.request, back.present.story_id) == (asked[1], "s1")
    assert back.undone().present.story_id == ""  # another story
