"""The stories behind a number: the list of them, and both stories of a pair with what the judges gave."""

import pytest
from streamlit.testing.v1 import AppTest

from narrative_core.runs import RunStory
from narrative_core.store.database import Database
from narrative_core.store.runs import load_run_table
from tests.pages.run_page_samples import N_DOCUMENTS, save_town, save_town_run
from tests.pages.screen import html_pieces, html_tags, keys, words
from tests.pages.test_hostile_titles import IMAGE

SHOWN_TAGS = {"div", "span", "b", "i", "details", "summary", "@class", "@style", "@dir"}


@pytest.fixture
def town(database: Database) -> Database:
    save_town(database)
    return database


def draw(run_id: str, rows: list[int], pair: int, made: str) -> None:
    """Show the dialog; it opens with the list of ``rows``, or where there are none with a pair."""
    import streamlit as st

    from narrative_core.ui import run_work
    from narrative_core.ui.run_story import opened_stories, show_pair, show_stories

    (summary,) = (found for found in run_work.runs() if found.run.run_id == run_id)
    if st.session_state.get("is-open"):
        opened_stories(summary)
        return
    st.session_state["is-open"] = True
    if rows:
        show_stories(summary, rows, "Some stories")
    else:
        show_pair(summary, pair, made)


def open_list(run_id: str, rows: list[int]) -> AppTest:
    return AppTest.from_function(draw, args=(run_id, rows, 0, "trail"), default_timeout=60).run()


def open_pair(run_id: str, pair: int = 0, made: str = "trail") -> AppTest:
    return AppTest.from_function(draw, args=(run_id, [], pair, made), default_timeout=60).run()


def stories(database: Database, run_id: str) -> tuple[RunStory, ...]:
    return load_run_table(database, run_id).stories


def listed(screen: AppTest) -> list[int]:
    """Return the rows of the stories on the list, from the top."""
    return [int(str(one.key).rsplit("-", 1)[1]) for one in screen.button if str(one.key).startswith("story-of-list-")]


def test_the_list_begins_with_the_weakest_story_and_says_how_many_there_are(town: Database) -> None:
    run_id = save_town_run(town)
    screen = open_list(run_id, [0, 3, 5, 6])
    assert "4 stories, the one with the weakest link first" in words(screen)
    weakest = [min(stories(town, run_id)[row].strengths) for row in listed(screen)]
    assert sorted(listed(screen)) == [0, 3, 5, 6]
    assert weakest == sorted(weakest)


def test_a_long_list_has_pages_that_show_every_story_once(town: Database) -> None:
    run_id = save_town_run(town, n_pairs=9)
    n_stories = len(stories(town, run_id))
    screen = open_list(run_id, list(range(n_stories)))
    first = listed(screen)
    assert (len(first), f"1 to 15 of {n_stories}" in words(screen)) == (15, True)
    second = listed(screen.button(key="list-forth").click().run())
    assert sorted([*first, *second]) == list(range(n_stories))


def test_a_story_of_the_list_opens_its_pair_and_the_next_one_of_the_list_follows(town: Database) -> None:
    run_id = save_town_run(town)
    screen = open_list(run_id, [2, 6])
    row = listed(screen)[0]
    screen.button(key=f"story-of-list-{row}").click().run()
    assert f"Pair {stories(town, run_id)[row].pair + 1}, 1 of 2 pairs in the list" in words(screen)
    screen.button(key="pair-forth").click().run()
    assert f"Pair {({1, 3} - {stories(town, run_id)[row].pair}).pop() + 1}, 2 of 2 pairs in the list" in words(screen)
    assert screen.button(key="pair-forth").disabled
    screen.button(key="pair-list").click().run()
    assert len(listed(screen)) == 2


def test_a_pair_shows_both_stories_as_dated_headlines_with_their_links(town: Database) -> None:
    run_id = save_town_run(town)
    trail, chance = stories(town, run_id)[:2]
    said = words(open_pair(run_id))
    for story in (trail, chance):
        for document_id in story.document_ids:
            assert f"Day {document_id[1:]}: the river stands at mark {document_id[1:]}" in said
        for strength in story.strengths:
            assert f"{strength:.2f} · " in said
        assert f"weakest link {min(story.strengths):.2f}" in said
    assert "Text 0 on the flood." in said or trail.document_ids[0] != "d0"


def test_a_pair_shows_what_each_judge_gave_with_every_agent_and_how_it_ended(town: Database) -> None:
    run_id = save_town_run(town, n_unreadable=1)
    said = words(open_pair(run_id))
    trail = stories(town, run_id)[0]
    assert "gpt-4.1, simple" in said
    assert "Lexical reader" in said
    assert f"Agent 2: {1 + 9 * min(trail.strengths):.1f}" in said
    assert "Agent 1: unreadable" in said
    assert "No score could be read." in said
    assert "The river rises from one mark to the next." in said


def test_a_pair_that_nobody_was_asked_about_says_so(town: Database) -> None:
    assert "not asked yet" in words(open_pair(save_town_run(town, n_answers=0)))
    assert "No judge was asked in this run." in words(open_pair(save_town_run(town, has_judges=False)))


def test_beside_the_trail_stands_the_damaged_story_that_was_asked_for_and_another_can_be_chosen(town: Database) -> None:
    run_id = save_town_run(town, design="sanity", n_pairs=2)
    screen = open_pair(run_id, 0, "reversed")
    shown = screen.button_group[0]
    assert shown.value == "reversed"
    assert "◇reversed" in words(screen)
    assert "◇document doubled" in words(shown.set_value("doubled").run())


def test_from_the_first_pair_one_can_only_go_on(town: Database) -> None:
    screen = open_pair(save_town_run(town))
    assert "Pair 1 of 8" in words(screen)
    assert screen.button(key="pair-back").disabled
    assert "Pair 2 of 8" in words(screen.button(key="pair-forth").click().run())


def test_a_pair_that_the_run_does_not_have_opens_nothing(town: Database) -> None:
    assert keys(open_pair(save_town_run(town), pair=99)) == set()


def test_headlines_and_reasons_that_try_to_be_markup_are_shown_as_they_are(database: Database) -> None:
    save_town(database, titles=[IMAGE] * N_DOCUMENTS)
    run_id = save_town_run(database, explanation=IMAGE, name=IMAGE)
    for screen in (open_pair(run_id), open_list(run_id, [0, 1])):
        assert IMAGE in words(screen)
        for piece in html_pieces(screen):
            assert html_tags(piece) <= SHOWN_TAGS
