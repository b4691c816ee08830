"""The page How it works, through ``app.py``: what a class does with it."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from narrative_core.store.collections import delete_collection
from narrative_core.store.database import Database
from tests.pages.screen import open_page

PAGE = "pages/learn/how_it_works.py"
FIRST, FOURTH, TENTH, LAST = "t01", "t04", "t10", "t12"


@pytest.fixture
def page() -> AppTest:
    return open_page(PAGE)


def words(app: AppTest) -> str:
    """Return all that the page says in its own HTML, without the tags."""
    bodies = [block.proto.body for block in app.main.get("html") if not block.proto.body.startswith("<style")]
    return re.sub(r"<[^>]+>", " ", " ".join(bodies))


def is_sound(app: AppTest) -> bool:
    return not app.exception and not app.error


def told(app: AppTest) -> str:
    """Return the one sentence that stands where there is nothing to show."""
    assert is_sound(app)
    (box,) = app.info
    return box.value


def test_it_opens_on_the_twelve_headlines_and_the_answer(page: AppTest) -> None:
    assert is_sound(page)
    assert [header.value for header in page.header] == [
        "1 · Twelve documents",
        "2 · One link",
        "3 · Watch the water level",
        "4 · The answer",
    ]
    said = words(page)
    assert "2 December 2019" in said
    assert "½ plans, ½ river" in said
    assert "does not show that one event caused the next" in said


def test_a_link_is_worked_out_with_its_own_numbers(page: AppTest) -> None:
    said = words(page)
    assert "S = 1 − 15 / 180 =  0.917" in said
    assert "JSD = 0.562 − (0.000 + 0.693) / 2 = 0.216" in said
    assert "T = 1 − √JSD = 1 − 0.465 =  0.535" in said
    assert "= √0.491 =  0.701" in said
    page.selectbox(key="lesson-right").set_value(LAST).run()
    said = words(page)
    assert "S = 1 − 60 / 180 =  0.667" in said
    assert "T = 1 − √JSD = 1 − 0.833 =  0.167" in said
    assert "=  0.334" in said


def test_a_document_is_not_linked_to_itself(page: AppTest) -> None:
    page.selectbox(key="lesson-right").set_value(FIRST).run()
    assert told(page).startswith("These are one and the same document")


@pytest.mark.parametrize(
    ("level", "sentence"),
    [
        (0.30, "The shortest chain is the direct link; its strength is 0.33. When this link goes under, a stronger"),
        (0.34, "The shortest chain has 3 documents"),
        (0.63, "has a strength of 0.63. No other chain holds out longer: when this link goes under, A and B part."),
        (0.64, "went under at 0.63. It is the weakest link of the trail."),
        (1.00, "0 of 66 links above the water: A and B have parted"),
    ],
)
def test_the_page_says_at_every_level_what_the_water_has_done(page: AppTest, level: float, sentence: str) -> None:
    page.slider(key="lesson-level").set_value(level).run()
    assert is_sound(page)
    assert sentence in words(page)


def test_the_button_raises_the_water_to_the_last_link(page: AppTest) -> None:
    page.button(key="lesson-last").click().run()
    assert page.slider(key="lesson-level").value == 0.63
    assert "A still leads to B" in words(page)


def test_other_endpoints_have_another_answer(page: AppTest) -> None:
    page.selectbox(key="lesson-a").set_value(FOURTH).run()
    page.selectbox(key="lesson-b").set_value("t07").run()
    assert is_sound(page)
    page.slider(key="lesson-level").set_value(0.57).run()
    assert "went under at 0.56" in words(page)


def test_a_trail_of_two_documents_has_nothing_random_beside_it(page: AppTest) -> None:
    page.selectbox(key="lesson-b").set_value("t03").run()
    assert is_sound(page)
    assert "With two documents there is only one chronology" in words(page)
    assert "drawn by chance" not in words(page)


def test_reversed_endpoints_are_told_in_one_sentence_and_can_be_swapped(page: AppTest) -> None:
    page.button(key="lesson-swap").click().run()
    assert told(page) == "A is later than B, and a trail leads only forward in time: swap them."
    assert "4 · The answer" not in [header.value for header in page.header]
    page.button(key="lesson-swap").click().run()
    assert not page.info
    assert page.selectbox(key="lesson-a").value == FIRST


def test_equal_endpoints_are_told_in_one_sentence(page: AppTest) -> None:
    page.selectbox(key="lesson-b").set_value(FIRST).run()
    assert told(page).startswith("A and B are the same document")


def test_endpoints_that_only_weak_links_join_have_water_and_no_trail(page: AppTest) -> None:
    page.selectbox(key="lesson-a").set_value(TENTH).run()
    assert told(page).startswith("Throughline leaves out links weaker than 0.30")
    assert "A and B have parted" in words(page)


def test_a_deleted_collection_can_be_brought_back(page: AppTest, database: Database) -> None:
    delete_collection(database, "toy")
    page.run()
    assert "not here" in told(page)
    page.button(key="lesson-restore").click().run()
    assert is_sound(page)
    assert len(page.header) == 4
