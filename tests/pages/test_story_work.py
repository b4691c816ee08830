"""Working on a story: by hand, with wishes, repairs, notes and versions; every step taken back and made again."""

import datetime as dt
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from narrative_core.curation import Curation
from narrative_core.desk import History
from narrative_core.extraction import LoadedCollection
from narrative_core.records import SavedStory
from narrative_core.repairs import propose_repairs
from narrative_core.store.curations import load_curation, save_curation
from narrative_core.store.database import Database
from narrative_core.store.stories import list_stories, save_story
from narrative_core.ui import resources
from tests.pages.screen import EXPLORE, SETTINGS, STORIES, field, keys, open_app, open_page, steps, words

SAVE = "FormSubmitter:save-form-Save this story"


def loaded() -> LoadedCollection:
    """Return Spaceflight as the app has it in memory."""
    summary = resources.summary("spaceflight")
    return resources.loaded("spaceflight", (summary and summary.landscape_id) or "")


def ids(screen: AppTest) -> list[str]:
    """Return the ids of the trail on the screen."""
    by_title = {document.title: document.document_id for document in loaded().documents}
    return [by_title[title] for title in steps(screen)]


def history(screen: AppTest) -> History:
    """Return the desk of the session with its steps."""
    found: History = screen.session_state["history"]
    return found


@pytest.fixture
def editing() -> AppTest:
    """The first story, with the tools for its steps."""
    return open_app().toggle(key="edit-by-hand").set_value(True).run()


def test_without_the_switch_no_step_has_tools() -> None:
    assert not [key for key in keys(open_app()) if key.startswith(("earlier-", "later-", "out-"))]


def test_a_step_moved_by_hand_changes_the_order_and_is_said(editing: AppTest) -> None:
    told = ids(editing)
    editing.button(key="later-2").click().run()
    assert ids(editing) == [*told[:2], told[3], told[2], *told[4:]]
    assert "Made by hand" in words(editing)
    assert "backwards" in words(editing)
    assert editing.query_params["story"] == "~".join(ids(editing))


def test_the_ends_can_move_inwards_and_not_beyond(editing: AppTest) -> None:
    n = len(steps(editing))
    assert editing.button(key="earlier-0").disabled
    assert editing.button(key=f"later-{n - 1}").disabled
    told = ids(editing)
    editing.button(key="later-0").click().run()
    assert ids(editing)[:2] == [told[1], told[0]]
    assert editing.query_params["from"] == told[1]


def test_a_step_is_taken_out_and_every_strength_is_measured_anew(editing: AppTest) -> None:
    told = ids(editing)
    editing.button(key="out-3").click().run()
    assert ids(editing) == [*told[:3], *told[4:]]
    pair = resources.told("spaceflight", loaded().landscape.landscape_id, history(editing).present.request)  # type: ignore[arg-type]
    rows = loaded().rows(ids(editing))
    assert [link.coherence for link in pair.trail.links] == list(loaded().graph.chain_strengths(rows))


def test_a_document_is_put_in_where_the_steps_are_edited(editing: AppTest) -> None:
    told = ids(editing)
    assert f"more-{len(told) - 1}" not in keys(editing)
    editing.button(key="more-2").click().run()
    other = next(document_id for document_id in loaded().row_of if document_id not in told)
    editing.selectbox(key="repair-any").set_value(other)
    editing.button(key="put-in-any").click().run()
    assert ids(editing) == [*told[:3], other, *told[3:]]


def test_back_to_the_trail_that_is_found(editing: AppTest) -> None:
    told = ids(editing)
    editing.button(key="out-3").click().run()
    editing.button(key="search-again").click().run()
    assert ids(editing) == told
    assert "Made by hand" not in words(editing)
    assert "story" not in editing.query_params


def test_undo_goes_back_step_by_step_and_redo_forth_again(editing: AppTest) -> None:
    seen = [ids(editing)]
    for key in ("later-2", "out-4", "earlier-5"):
        editing.button(key=key).click().run()
        seen.append(ids(editing))
    for before in reversed(seen[:-1]):
        editing.button(key="undo-desk").click().run()
        assert ids(editing) == before
    assert editing.button(key="undo-desk").disabled
    for after in seen[1:]:
        editing.button(key="redo-desk").click().run()
        assert ids(editing) == after
    assert editing.button(key="redo-desk").disabled


def test_a_source_is_left_out_and_let_back_in() -> None:
    screen = open_app()
    told = ids(screen)
    rows = loaded().rows(told)
    inside = [loaded().documents[row].source for row in rows[1:-1]]
    screen.selectbox(key="avoid-source").set_value(inside[0]).run()
    left = [loaded().documents[row].source for row in loaded().rows(ids(screen))[1:-1]]
    assert inside[0] not in left
    assert screen.query_params["nosource"] == inside[0]
    screen.button(key=f"drop-source-{inside[0]}").click().run()
    assert ids(screen) == told


def test_a_topic_is_left_out_and_undo_lets_it_back_in() -> None:
    screen = open_app()
    told = ids(screen)
    topic = int(loaded().landscape.nearest_topic[loaded().rows(told)[3]])
    screen.selectbox(key="avoid-topic").set_value(topic).run()
    inner = loaded().rows(ids(screen))[1:-1]
    assert topic not in loaded().landscape.nearest_topic[inner]
    assert screen.query_params["notopic"] == str(topic + 1)
    screen.button(key="undo-desk").click().run()
    assert ids(screen) == told


def test_a_repair_is_proposed_and_put_in_with_one_click_and_taken_out_with_another() -> None:
    screen = open_app()
    told = ids(screen)
    pair = resources.told("spaceflight", loaded().landscape.landscape_id, history(screen).present.request)  # type: ignore[arg-type]
    best = propose_repairs(loaded(), pair, 4)[0]
    screen.button(key="repair-4").click().run()
    assert best.documents[0].title in words(screen)
    screen.button(key="put-in-0").click().run()
    put_in = [document.document_id for document in best.documents]
    assert ids(screen) == [*told[:5], *put_in, *told[5:]]
    screen.button(key="undo-desk").click().run()
    assert ids(screen) == told


def test_any_other_document_can_be_put_in() -> None:
    screen = open_app()
    told = ids(screen)
    other = next(document_id for document_id in loaded().row_of if document_id not in told)
    screen.button(key="repair-0").click().run()
    screen.selectbox(key="repair-any").set_value(other)
    screen.button(key="put-in-any").click().run()
    assert ids(screen) == [told[0], other, *told[1:]]


def test_notes_on_story_link_and_document_are_kept_and_taken_back(database: Database) -> None:
    screen = open_app()
    told = ids(screen)
    field(screen.text_area, "story-note").set_value("Ask the agency.").run()
    field(screen.text_area, "link-note-1").set_value("Two years between them.").run()
    screen.button(key="step-trail-2").click().run()
    note = next(area for area in screen.text_area if area.label == "Note on this document")
    note.set_value("The <b>first</b> woman.").run()
    kept = load_curation(database, "spaceflight")
    assert kept.link_notes == {(told[1], told[2]): "Two years between them."}
    assert kept.document_notes == {told[2]: "The <b>first</b> woman."}
    assert "The <b>first</b> woman." in words(screen)
    for _ in range(3):
        screen.button(key="undo-desk").click().run()
    kept = load_curation(database, "spaceflight")
    assert (kept.link_notes, kept.document_notes, history(screen).present.note) == ({}, {}, "")


def test_the_work_is_there_again_in_a_new_session_with_its_way_back(editing: AppTest) -> None:
    told = ids(editing)
    editing.button(key="out-3").click().run()
    field(editing.text_area, "story-note").set_value("Half done.").run()
    again = open_app()
    assert ids(again) == [*told[:3], *told[4:]]
    assert history(again).present.note == "Half done."
    again.button(key="undo-desk").click().run()
    again.button(key="undo-desk").click().run()
    assert ids(again) == told


def test_an_address_lies_on_top_of_the_work_and_undo_uncovers_it(editing: AppTest) -> None:
    editing.button(key="out-3").click().run()
    worked = ids(editing)
    ends = {"from_": worked[1], "to": worked[-2]}
    other = open_app(**ends)
    assert (ids(other)[0], ids(other)[-1]) == (worked[1], worked[-2])
    other.button(key="undo-desk").click().run()
    assert ids(other) == worked


def test_other_ends_are_another_story_with_a_note_of_its_own() -> None:
    screen = open_app()
    field(screen.text_area, "story-note").set_value("About the first.").run()
    screen.button(key="swap").click().run()
    assert history(screen).present.note == ""
    screen.button(key="undo-desk").click().run()
    assert field(screen.text_area, "story-note").value == "About the first."


def test_a_saved_story_keeps_its_versions(database: Database) -> None:
    screen = open_app()
    screen.text_input[0].set_value("Into orbit")
    screen.button(key=SAVE).click().run()
    screen.toggle(key="edit-by-hand").set_value(True).run()
    screen.button(key="out-3").click().run()
    screen.button(key=SAVE).click().run()
    second, first = list_stories(database)
    assert (first.name, first.version, second.name, second.version) == ("Into orbit", 1, "Into orbit", 2)
    assert second.family_id == first.family_id
    assert len(second.pair.trail.documents) == len(first.pair.trail.documents) - 1
    assert second.pair.request.is_edited


@pytest.fixture
def versions(database: Database) -> tuple[SavedStory, ...]:
    """Two versions of one story; of the second, a step was taken out."""
    screen = open_app()
    screen.button(key=SAVE).click().run()
    screen.toggle(key="edit-by-hand").set_value(True).run()
    screen.button(key="out-3").click().run()
    screen.button(key=SAVE).click().run()
    return list_stories(database)


def test_a_story_of_two_versions_has_one_card_that_lists_both(versions: tuple[SavedStory, ...]) -> None:
    screen = open_page(STORIES)
    newest, first = versions
    assert "1 saved" in words(screen)
    assert "version 2, saved" in words(screen)
    screen.session_state[f"versions-{newest.story_id}"] = True
    screen.run()
    told = words(screen)
    assert "Version 2, the latest" in told and "Version 1 " in told
    assert f"{len(first.pair.trail.documents)} documents" in told and f"{len(newest.pair.trail.documents)} doc" in told


def test_an_earlier_version_is_opened_and_the_next_save_is_a_third(
    versions: tuple[SavedStory, ...], database: Database
) -> None:
    newest, first = versions
    screen = open_page(STORIES)
    screen.session_state[f"versions-{newest.story_id}"] = True
    screen.run()
    screen.button(key=f"open-version-{first.story_id}").click().run()
    explore = screen.switch_page(SETTINGS).run().switch_page(EXPLORE).run()
    assert ids(explore) == [document.document_id for document in first.pair.trail.documents]
    explore.button(key=SAVE).click().run()
    assert [story.version for story in list_stories(database)] == [3, 2, 1]


def test_an_earlier_version_is_deleted_and_the_latest_stays(
    versions: tuple[SavedStory, ...], database: Database
) -> None:
    newest, first = versions
    screen = open_page(STORIES)
    screen.session_state[f"versions-{newest.story_id}"] = True
    screen.run()
    screen.selectbox(key=f"delete-which-{newest.story_id}-1").set_value(first.story_id).run()
    screen.button(key=f"delete-version-{newest.story_id}").click().run()
    assert list_stories(database) == (newest,)
    assert "Version 1 was deleted" in screen.toast[0].value


def test_a_deleted_story_takes_all_its_versions_with_it(versions: tuple[SavedStory, ...], database: Database) -> None:
    newest, _ = versions
    screen = open_page(STORIES)
    screen.checkbox(key=f"sure-{newest.story_id}").check().run()
    screen.button(key=f"delete-{newest.story_id}").click().run()
    assert list_stories(database) == ()


def test_a_story_that_is_laid_over_stays_while_its_list_is_closed(versions: tuple[SavedStory, ...]) -> None:
    screen = open_app()
    screen.session_state["other-trails"] = True
    screen.run()
    screen.selectbox(key="overlay-story").set_value(versions[1].story_id).run()
    screen.session_state["other-trails"] = False
    screen.run()
    screen.run()
    assert "◇ “" in words(screen)
    screen.selectbox[0].set_value("toy").run()
    assert not screen.exception
    assert "◇ “" not in words(screen)


def test_another_trail_closes_the_list_that_lies_over_it() -> None:
    screen = open_app()
    told = ids(screen)
    screen.session_state["other-trails"] = True
    screen.run()
    screen.button(key="alternative-0").click().run()
    assert ids(screen) != told
    assert "alternative-0" not in keys(screen)


def test_how_explore_is_looked_at_waits_while_another_page_is_open() -> None:
    screen = open_app()
    screen.toggle(key="edit-by-hand").set_value(True).run()
    screen.segmented_control(key="map-or-time").set_value("time").run()
    screen = screen.switch_page(SETTINGS).run().switch_page(EXPLORE).run()
    assert screen.segmented_control(key="map-or-time").value == "time"
    assert screen.toggle(key="edit-by-hand").value


def test_fewer_dates_of_the_time_axis_are_kept_until_all_are_asked_for() -> None:
    screen = open_app()
    screen.segmented_control(key="map-or-time").set_value("time").run()
    (axis,) = [slider for slider in screen.slider if slider.label == "Dates on the time axis"]
    assert "all-dates" not in keys(screen)
    whole = axis.value
    axis.set_range(dt.date(1970, 1, 1), dt.date(1990, 1, 1)).run()
    screen = screen.switch_page(SETTINGS).run().switch_page(EXPLORE).run()
    assert screen.slider[0].value == (dt.date(1970, 1, 1), dt.date(1990, 1, 1))
    screen.button(key="all-dates").click().run()
    assert screen.slider[0].value == whole


def test_a_story_made_by_hand_has_no_length_to_choose(editing: AppTest) -> None:
    editing.button(key="out-3").click().run()
    assert "there is no length to choose" in words(editing)


def test_a_saved_story_with_an_excluded_step_is_told_without_it(editing: AppTest, database: Database) -> None:
    editing.button(key="later-2").click().run()
    told = ids(editing)
    save_curation(database, "spaceflight", Curation(excluded=frozenset({told[3]})))
    again = open_app(story="~".join(told), **{"from": told[0], "to": told[-1]})
    assert ids(again) == [*told[:3], *told[4:]]
    assert "told without a document" in again.warning[0].value


def test_a_change_can_be_saved_as_another_story(database: Database) -> None:
    screen = open_app()
    screen.button(key=SAVE).click().run()
    next(toggle for toggle in screen.toggle if toggle.label.startswith("A new version of")).set_value(False)
    screen.button(key=SAVE).click().run()
    assert [story.version for story in list_stories(database)] == [1, 1]


def test_a_story_of_another_collection_is_not_offered_to_be_a_version_of(database: Database) -> None:
    screen = open_app()
    screen.button(key=SAVE).click().run()
    (first,) = list_stories(database)
    save_story(database, replace(first, story_id="elsewhere", collection="copy", name="Elsewhere"))
    on_desk = history(screen)
    screen.session_state["history"] = on_desk.with_present(story_id="elsewhere")
    screen.run()
    assert not [toggle for toggle in screen.toggle if toggle.label.startswith("A new version of")]
    screen.session_state["history"] = on_desk
    screen.run()
    assert [toggle for toggle in screen.toggle if toggle.label.startswith("A new version of")]


def test_the_stories_on_a_time_axis_stand_in_the_place_of_the_map() -> None:
    screen = open_app()
    assert screen.get("deck_gl_json_chart")
    screen.segmented_control(key="map-or-time").set_value("time").run()
    assert not screen.get("deck_gl_json_chart")
    assert "A click on a mark opens its document" in words(screen)


def test_the_work_of_each_collection_is_its_own(editing: AppTest) -> None:
    editing.button(key="out-3").click().run()
    worked = ids(editing)
    editing.selectbox[0].set_value("toy").run()
    assert editing.button(key="undo-desk").disabled
    editing.selectbox[0].set_value("spaceflight").run()
    assert ids(editing) == worked


def test_an_opened_story_of_the_page_stories_lies_on_the_desk() -> None:
    screen = open_app()
    screen.text_input[0].set_value("Into orbit")
    screen.button(key=SAVE).click().run()
    told = ids(screen)
    other = open_page(STORIES)
    opening = next(button for button in other.button if str(button.key).startswith("open-"))
    other = opening.click().run().switch_page(SETTINGS).run().switch_page(EXPLORE).run()
    assert ids(other) == told
    assert history(other).present.story_id


def test_going_back_behind_a_save_and_saving_makes_a_version_and_no_second_story(database: Database) -> None:
    screen = open_app()
    field(screen.text_area, "story-note").set_value("Ask the agency.").run()
    screen.button(key=SAVE).click().run()
    screen.button(key="undo-desk").click().run()
    assert field(screen.text_area, "story-note").value == ""
    screen.button(key=SAVE).click().run()
    (newest,) = list_stories(database, is_newest_only=True)
    assert (newest.version, newest.note) == (2, "")
