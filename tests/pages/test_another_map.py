"""Topics that a story leaves out, by number, once the map was built anew, updated, or its topics were merged."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from narrative_core.desk import Desk
from narrative_core.extraction import LoadedCollection
from narrative_core.store.database import Database
from narrative_core.store.landscapes import load_landscape, save_landscape
from narrative_core.ui import resources
from tests.pages.screen import STORIES, keys, open_app, open_page, steps, unescaped, words

EARLIER, LATER = "1999-01-01T00:00:00+00:00", "2999-01-01T00:00:00+00:00"
SAVE = "FormSubmitter:save-form-Save this story"
LIFTED = "The map was built anew and has other topics, so 1 topic that was left out of the story is told again."


def desk(screen: AppTest) -> Desk:
    """Return what lies on the desk."""
    found: Desk = screen.session_state["history"].present
    return found


def left_out(screen: AppTest) -> tuple[int, ...]:
    """Return the topics that the story on the desk leaves out."""
    request = desk(screen).request
    assert request is not None
    return request.avoid_topics


def another_map(database: Database, *, fitted_at: str = LATER) -> None:
    """Put another map in the place of the one that is there; "" for one that was fitted when it was, by an update."""
    former = load_landscape(database, "spaceflight")
    assert former is not None
    made = replace(former, landscape_id="another", created_at=fitted_at or former.created_at)
    save_landscape(database, "spaceflight", made)


def loaded() -> LoadedCollection:
    """Return Spaceflight as the app has it in memory."""
    summary = resources.summary("spaceflight")
    assert summary is not None
    return resources.loaded("spaceflight", summary.landscape_id or "")


@pytest.fixture
def without_topic() -> AppTest:
    """The first story without a topic."""
    return open_app().selectbox(key="avoid-topic").set_value(4).run()


def test_a_topic_that_is_left_out_is_told_again_on_a_map_that_was_built_anew(
    without_topic: AppTest, database: Database
) -> None:
    another_map(database)
    without_topic.run()
    assert left_out(without_topic) == ()
    assert [unescaped(warning.value) for warning in without_topic.warning] == [LIFTED]
    assert "notopic" not in without_topic.query_params
    assert not without_topic.run().warning
    without_topic.selectbox(key="avoid-topic").set_value(2).run()
    assert left_out(without_topic.run()) == (2,)


def test_a_new_session_on_a_map_that_was_built_anew_tells_the_topic_again(
    without_topic: AppTest, database: Database
) -> None:
    another_map(database)
    again = open_app(**{f"{name}_": str(value) for name, value in without_topic.query_params.items()})
    assert left_out(again) == ()
    assert [unescaped(warning.value) for warning in again.warning] == [LIFTED]


def test_a_step_that_is_taken_back_to_another_map_leaves_none_of_its_topics_out(
    without_topic: AppTest, database: Database
) -> None:
    without_topic.button(key="drop-topic-4").click().run()
    another_map(database)
    without_topic.run()
    without_topic.button(key="undo-desk").click().run()
    assert left_out(without_topic) == ()
    assert [unescaped(warning.value) for warning in without_topic.warning] == [LIFTED]


def test_a_topic_stays_left_out_on_a_map_to_which_documents_were_added(
    without_topic: AppTest, database: Database
) -> None:
    told = steps(without_topic)
    another_map(database, fitted_at="")
    without_topic.run()
    assert (left_out(without_topic), steps(without_topic)) == ((4,), told)
    assert not without_topic.warning


@pytest.mark.parametrize(("fitted_at", "expected"), [(LATER, ()), (EARLIER, (4,))])
def test_a_saved_story_leaves_its_topics_out_where_the_map_has_them_still(
    without_topic: AppTest, database: Database, fitted_at: str, expected: tuple[int, ...]
) -> None:
    without_topic.button(key=SAVE).click().run()
    without_topic.button(key="surprise").click().run()
    another_map(database, fitted_at=fitted_at)
    page = open_page(STORIES)
    opening = next(str(button.key) for button in page.button if str(button.key).startswith("open-"))
    page.button(key=opening).click().run()
    assert left_out(page) == expected
    assert (LIFTED in unescaped(page.toast[0].value)) == (not expected)
    assert left_out(page.run()) == expected
    assert not page.warning


def test_a_left_out_topic_that_was_merged_is_named_with_the_one_that_it_is_part_of(without_topic: AppTest) -> None:
    topics = {topic.topic: topic.label for topic in loaded().landscape.topics}
    page = without_topic.switch_page("pages/explore/topics.py").run()
    page.session_state["topic-row-4"] = True
    page.run()
    assert "but where a story leaves out a topic: it leaves out all that is merged with it" in words(page)
    page.selectbox(key="into-4").set_value(1).run()
    page.button(key="merge-4").click().run()
    screen = page.switch_page("pages/explore/explore.py").run()
    assert f"Nothing on topic 5, which is now part of {topics[1]}" in words(screen)
    inside = loaded().rows(_inner(screen))
    assert 1 not in loaded().landscape.nearest_topic[inside]
    offered = screen.selectbox(key="avoid-topic").options
    assert not [label for label in offered if label.startswith(("2 ", "5 "))]
    assert "drop-topic-4" in keys(screen)


def _inner(screen: AppTest) -> list[str]:
    by_title = {document.title: document.document_id for document in loaded().documents}
    return [by_title[title] for title in steps(screen)[1:-1]]
