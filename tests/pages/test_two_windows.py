"""Two windows on one collection, and one window opened again: nothing that was decided or noted is lost."""

from dataclasses import replace
from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from narrative_core import desk_edits
from narrative_core.curating import keep_curation
from narrative_core.curation import Curation
from narrative_core.desk import Desk, History
from narrative_core.desk_record import restore
from narrative_core.store.collections import load_documents
from narrative_core.store.curations import load_curation
from narrative_core.store.database import Database
from narrative_core.store.desks import load_desk
from narrative_core.ui import resources, workbench
from tests.pages.screen import CABANA, GAGARIN, field, open_app, steps, words

NOTE = "story-note"


def history(screen: AppTest) -> History:
    """Return the desk of the session with its steps."""
    found: History = screen.session_state["history"]
    return found


def excluding(database: Database, *document_ids: str) -> None:
    """Exclude documents, as another window does."""
    curation = load_curation(database, "spaceflight")
    keep_curation(database, "spaceflight", desk_edits.exclude(Desk(curation=curation), document_ids).curation)


def restoring(database: Database, *document_ids: str) -> None:
    """Restore documents, as another window does."""
    curation = load_curation(database, "spaceflight")
    keep_curation(database, "spaceflight", desk_edits.restore(Desk(curation=curation), document_ids).curation)


def ids(database: Database) -> list[str]:
    """Return the documents that are neither end of the first story."""
    stored = [document.document_id for document in load_documents(database, "spaceflight")]
    return [document_id for document_id in stored if document_id not in (GAGARIN, CABANA)]


def reloaded(screen: AppTest) -> AppTest:
    """Return a new session at the address of another one."""
    return open_app(**{f"{name}_": str(value) for name, value in screen.query_params.items()})


def test_undo_in_one_window_leaves_what_another_window_decided(database: Database) -> None:
    screen = open_app()
    field(screen.text_area, "link-note-1").set_value("Two years between them.").run()
    excluding(database, *ids(database)[:1])
    screen.button(key="undo-desk").click().run()
    kept = load_curation(database, "spaceflight")
    assert kept == Curation(excluded=frozenset(ids(database)[:1]))
    assert history(screen).present.curation == kept
    screen.button(key="redo-desk").click().run()
    kept = load_curation(database, "spaceflight")
    assert kept.excluded == set(ids(database)[:1])
    assert list(kept.link_notes.values()) == ["Two years between them."]


def test_an_edit_in_one_window_leaves_what_another_window_decided(database: Database) -> None:
    screen = open_app()
    excluding(database, *ids(database)[:2])
    field(screen.text_area, "link-note-1").set_value("Two years between them.").run()
    kept = load_curation(database, "spaceflight")
    assert kept.excluded == set(ids(database)[:2])
    assert list(kept.link_notes.values()) == ["Two years between them."]


def test_a_window_in_which_nothing_was_done_leaves_the_work_of_another(database: Database) -> None:
    idle, busy = open_app(), open_app()
    field(busy.text_area, NOTE).set_value("Two hours of notes.").run()
    field(busy.text_area, "link-note-1").set_value("Two years between them.").run()
    idle.run()
    again = reloaded(busy)
    assert history(again) == history(busy)
    assert field(again.text_area, NOTE).value == "Two hours of notes."


def test_undo_that_would_leave_hardly_a_document_is_a_sentence_and_changes_nothing(database: Database) -> None:
    screen = open_app()
    ends = [GAGARIN, CABANA]
    _edited(screen, "Excluded both", partial(desk_edits.exclude, document_ids=ends))
    _edited(screen, "Restored both", partial(desk_edits.restore, document_ids=ends))
    excluding(database, *ids(database))
    screen.button(key="undo-desk").click().run()
    assert not screen.exception
    assert "would leave 0 of" in words(screen)
    assert len(load_curation(database, "spaceflight").excluded) == len(ids(database))


def test_a_reload_keeps_the_note_and_the_way_back(database: Database) -> None:
    screen = open_app()
    field(screen.text_area, NOTE).set_value("Ask the agency.").run()
    again = reloaded(screen)
    assert history(again) == history(screen)
    assert field(again.text_area, NOTE).value == "Ask the agency."


def test_an_address_of_the_same_story_under_other_conditions_keeps_its_note(database: Database) -> None:
    open_app().text_area(key=NOTE).set_value("Ask the agency.").run()
    again = open_app(collection="spaceflight", from_=GAGARIN, to=CABANA, gap="20000")
    assert field(again.text_area, NOTE).value == "Ask the agency."
    assert history(again).undo_words == "Opened an address"


def test_a_story_too_long_for_an_address_is_there_after_a_reload(database: Database) -> None:
    screen = open_app()
    _edited(screen, "By hand", partial(desk_edits.by_hand, story=ids(database)[:203]))
    again = reloaded(screen)
    assert history(again) == history(screen)


def test_work_is_kept_though_the_page_fails(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = open_app()
    monkeypatch.setattr("narrative_core.extraction.tell", _fail)
    field(screen.text_area, NOTE).set_value("Ask the agency.")
    screen.toggle(key="edit-by-hand").set_value(True).run()
    kept = restore(load_desk(database, "spaceflight")).history
    assert kept is not None
    assert kept.present.note == "Ask the agency."


def test_work_that_is_too_long_to_be_kept_is_said_and_blocks_nothing(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("narrative_core.store.desks.LONGEST_DESK", 10)
    monkeypatch.setattr(workbench, "LONGEST_DESK", 10)
    screen = open_app()
    field(screen.text_area, NOTE).set_value("Ask the agency.").run()
    assert not screen.exception
    assert not screen.error
    assert "more than the 10 that are kept" in words(screen)
    assert history(screen).present.note == "Ask the agency."


def test_a_story_is_whole_again_once_what_another_window_excluded_is_restored(database: Database) -> None:
    screen = open_app().toggle(key="edit-by-hand").set_value(True).run()
    screen.button(key="later-2").click().run()
    whole, n_past = history(screen).present.request, len(history(screen).past)
    assert whole is not None
    n_steps = len(steps(screen))
    excluding(database, whole.by_hand[3])
    screen.run()
    assert len(steps(screen)) == n_steps - 1
    assert "told without a document that was in it" in screen.warning[0].value
    again = reloaded(screen)
    assert (history(again).present.request, len(history(again).past)) == (whole, n_past)
    restoring(database, whole.by_hand[3])
    again.run()
    assert len(steps(again)) == n_steps
    assert not again.warning
    again.button(key="undo-desk").click().run()
    again.button(key="redo-desk").click().run()
    assert history(again).present.request == whole


def test_an_edit_of_a_story_that_is_told_without_a_document_is_one_of_what_is_told(database: Database) -> None:
    screen = open_app().toggle(key="edit-by-hand").set_value(True).run()
    screen.button(key="later-2").click().run()
    whole = history(screen).present.request
    assert whole is not None
    excluding(database, whole.by_hand[3])
    screen.run()
    screen.button(key="out-1").click().run()
    edited = history(screen).present.request
    assert edited is not None
    assert edited.by_hand == (whole.by_hand[0], whole.by_hand[2], *whole.by_hand[4:])
    assert not screen.warning


def test_a_story_whose_end_is_excluded_gives_its_place_and_its_note_stays_with_it(database: Database) -> None:
    screen = open_app()
    field(screen.text_area, NOTE).set_value("Ask the agency.").run()
    screen.button(key="FormSubmitter:save-form-Save this story").click().run()
    told = history(screen).present
    excluding(database, GAGARIN)
    screen.run()
    another = history(screen).present
    assert "this is another one" in screen.warning[0].value
    assert (another.note, another.story_id) == ("", "")
    assert field(screen.text_area, NOTE).value == ""
    screen.button(key="undo-desk").click().run()
    assert not steps(screen)
    assert f"“{GAGARIN}” is excluded" in words(screen)
    restoring(database, GAGARIN)
    screen.run()
    assert history(screen).present == replace(told, curation=history(screen).present.curation)
    assert field(screen.text_area, NOTE).value == "Ask the agency."
    screen.button(key="redo-desk").click().run()
    assert history(screen).present.request == another.request


def _edited(screen: AppTest, what: str, change: partial[Desk]) -> None:
    present = history(screen)
    changed = present.changed(change(present.present), what)
    keep_curation(resources.database(), "spaceflight", changed.present.curation)
    screen.session_state["history"] = changed
    screen.run()


def _fail(*_: object, **__: object) -> None:
    raise ValueError("nobody expected this")
