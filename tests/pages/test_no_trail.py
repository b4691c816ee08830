"""Where there is no trail: the sentence, the remedies, and that a remedy cures."""

import pytest
from streamlit.testing.v1 import AppTest

from narrative_core.store.database import Database
from tests.pages.page_samples import save_built, town_documents
from tests.pages.screen import CABANA, GAGARIN, field, keys, open_app, steps, unescaped


def remedies(screen: AppTest) -> list[str]:
    return [unescaped(button.label) for button in screen.button if str(button.key).startswith("remedy-")]


def sentence(screen: AppTest) -> str:
    (warning,) = screen.warning
    return unescaped(warning.value)


def assert_first_remedy_cures(screen: AppTest) -> None:
    assert steps(screen) == []
    screen.button(key="remedy-0").click().run()
    assert [*screen.warning, *screen.error, *screen.exception] == []
    assert len(steps(screen)) >= 2


def test_reversed_dates_are_swapped() -> None:
    screen = open_app(from_=CABANA, to=GAGARIN)
    assert "is later than “Soviet pilot Yuri Gagarin" in sentence(screen)
    assert remedies(screen) == ["Swap the two", "Ignore the order in time"]
    assert_first_remedy_cures(screen)
    assert screen.query_params["from"] == GAGARIN


def test_reversed_dates_are_ignored() -> None:
    screen = open_app(from_=CABANA, to=GAGARIN)
    screen.button(key="remedy-1").click().run()
    assert len(steps(screen)) >= 2
    assert screen.query_params["order"] == "any"
    assert next(toggle for toggle in screen.toggle if toggle.label == "Forward in time").value is False


def test_the_same_document_twice_ends_at_its_closest_later_one() -> None:
    screen = open_app(from_=GAGARIN, to=GAGARIN)
    assert "Both ends are the same document" in sentence(screen)
    assert remedies(screen)[0].startswith("End at its closest later document, “")
    assert_first_remedy_cures(screen)
    assert screen.query_params["from"] == GAGARIN


@pytest.mark.parametrize("ends", [("d0", "d3"), ("d3", "d2")])
def test_an_undated_end_moves_to_its_closest_dated_document(database: Database, ends: tuple[str, str]) -> None:
    save_built(database, town_documents([0, 10, 20, None]))
    screen = open_app(collection="town", from_=ends[0], to=ends[1])
    assert sentence(screen) == "“Headline 3” has no date, so no place in a chronology."
    assert remedies(screen)[-1] == "Ignore the order in time"
    assert_first_remedy_cures(screen)
    assert "d3" not in (screen.query_params["from"], screen.query_params["to"])


def test_an_undated_end_is_reached_in_any_order(database: Database) -> None:
    save_built(database, town_documents([0, 10, 20, None]))
    screen = open_app(collection="town", from_="d0", to="d3")
    screen.button(key=f"remedy-{len(remedies(screen)) - 1}").click().run()
    assert steps(screen)[-1] == "Headline 3"


def test_where_time_breaks_every_chain_the_closest_reachable_document_is_offered(database: Database) -> None:
    # d0 and d1 hang together through the later d2 only.
    save_built(database, town_documents([0, 10, 20]), angles=[0, 90, 45])
    screen = open_app(collection="town", from_="d0", to="d1")
    assert sentence(screen).startswith("No chain leads from “Headline 0” to “Headline 1”: every way breaks")
    assert remedies(screen) == [
        "End at “Headline 2”, the closest document that can be reached",
        "Ignore the order in time",
    ]
    assert_first_remedy_cures(screen)
    assert steps(screen) == ["Headline 0", "Headline 2"]


def test_the_condition_that_breaks_every_chain_is_lifted() -> None:
    screen = open_app(from_=GAGARIN, to=CABANA, gap="3")
    assert sentence(screen).endswith("when allowing no gap over 3 days; without that one does.")
    assert remedies(screen)[0] == "Lift the limit on the gap"
    assert_first_remedy_cures(screen)
    assert "gap" not in screen.query_params


def test_all_conditions_are_lifted_where_none_alone_is_enough(database: Database) -> None:
    # Each document hangs together with its neighbours only.
    save_built(database, town_documents([0, 10, 20, 30]))
    screen = open_app(collection="town", from_="d0", to="d3", avoid="d1", gap="5")
    assert sentence(screen) == (
        "No chain leads from “Headline 0” to “Headline 3” when avoiding 1 document and allowing no gap over 5 days; "
        "without that one does."
    )
    assert remedies(screen) == ["Lift all conditions"]
    assert_first_remedy_cures(screen)
    assert not {"avoid", "gap"} & set(screen.query_params)


def test_the_closest_reachable_document_keeps_the_conditions(database: Database) -> None:
    save_built(database, town_documents([0, 10, 20, 30]))
    screen = open_app(collection="town", from_="d0", to="d3", avoid="d2", gap="15")
    nearest = "End at “Headline 1”, the closest document that can be reached"
    screen.button(key=f"remedy-{remedies(screen).index(nearest)}").click().run()
    assert steps(screen) == ["Headline 0", "Headline 1"]
    assert (screen.query_params["avoid"], screen.query_params["gap"]) == ("d2", "15")


def test_a_document_that_an_address_pins_and_avoids_opens_and_is_released(database: Database) -> None:
    save_built(database, town_documents([0, 10, 20, 30]))
    screen = open_app(collection="town", from_="d0", to="d3", via="d1", avoid="d1")
    assert "also among the documents to avoid" in sentence(screen)
    screen.session_state["reading"] = "d1"
    screen.run()
    assert [*screen.exception, *screen.error] == []
    screen.button(key="release").click().run()
    assert steps(screen) == ["Headline 0", "Headline 1", "Headline 2", "Headline 3"]
    assert not {"via", "avoid"} & set(screen.query_params)


def test_the_way_back_is_open_while_there_is_no_trail() -> None:
    screen = open_app(from_=CABANA, to=GAGARIN)
    assert {"swap", "surprise"} <= keys(screen)
    assert screen.get("deck_gl_json_chart") != []
    assert screen.get("plotly_chart") == []
    assert field(screen.selectbox, "pick-source").value == CABANA


def test_a_collection_without_any_trail_says_so_and_two_documents_can_be_picked(database: Database) -> None:
    save_built(database, town_documents([None, None, None]))
    screen = open_app(collection="town")
    assert "at least two dated" in screen.info[0].value
    assert [*screen.warning, *screen.error, *screen.exception] == []
    assert screen.get("deck_gl_json_chart") != []
    field(screen.selectbox, "pick-source").set_value("d0").run()
    assert field(screen.selectbox, "pick-source").value == "d0"
    field(screen.selectbox, "pick-target").set_value("d2").run()
    assert "have no date" in sentence(screen)
    assert_first_remedy_cures(screen)


@pytest.mark.parametrize("n", [1, 2])
def test_a_tiny_collection_opens(database: Database, n: int) -> None:
    save_built(database, town_documents(range(n)))
    screen = open_app(collection="town")
    assert [*screen.warning, *screen.error, *screen.exception] == []
    assert len(steps(screen)) == (2 if n == 2 else 0)
    assert len(screen.info) == (0 if n == 2 else 1)
