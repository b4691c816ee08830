"""Explore: the address, the picks, the conditions, the reading panel and the random chronologies."""

import json
import re
from itertools import pairwise
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from narrative_core.extraction import LoadedCollection, tell
from narrative_core.records import CollectionSummary, TrailRequest
from narrative_core.store.database import Database
from narrative_core.ui import resources
from narrative_core.ui.link_details import HALVES
from tests.pages.page_samples import save_built, save_unbuilt, town_documents
from tests.pages.screen import (
    CABANA,
    COLLECTIONS,
    EXPLORE,
    GAGARIN,
    STORIES,
    field,
    html_pieces,
    html_words,
    keys,
    open_app,
    steps,
    unescaped,
    words,
)


def spaceflight() -> CollectionSummary:
    """Return the collection that the app opens on."""
    summary = resources.summary("spaceflight")
    assert summary is not None
    return summary


def loaded_spaceflight() -> LoadedCollection:
    """Return it as the app has it in memory."""
    return resources.loaded("spaceflight", spaceflight().landscape_id or "")


def complaints(screen: AppTest) -> list[str]:
    """Return every warning, error and accident on the screen."""
    return [str(found.value) for found in (*screen.warning, *screen.error, *screen.exception)]


def document_ids(screen: AppTest, kind: str = "trail") -> list[str]:
    """Return the ids of the story on the screen, found by the headlines of Spaceflight."""
    by_title = {document.title: document.document_id for document in loaded_spaceflight().documents}
    return [by_title[title] for title in steps(screen, kind)]


def dots(screen: AppTest) -> list[dict[str, Any]]:
    """Return the documents of the map on the screen."""
    deck = json.loads(screen.get("deck_gl_json_chart")[0].proto.json)
    return next(layer["data"] for layer in deck["layers"] if layer["id"].startswith("documents"))


def test_it_opens_on_a_good_story_beside_a_random_chronology_of_the_same_length() -> None:
    screen = open_app()
    assert complaints(screen) == []
    assert len(steps(screen)) == len(steps(screen, "baseline")) >= 5
    assert (steps(screen)[0], steps(screen)[-1]) == (steps(screen, "baseline")[0], steps(screen, "baseline")[-1])
    assert "Stronger than all 200 random chronologies" in words(screen)
    assert [plot.type for plot in screen.get("plotly_chart")] == ["plotly_chart"] * 3
    assert len(dots(screen)) == spaceflight().n_documents


def test_the_address_says_what_is_on_the_screen() -> None:
    screen = open_app()
    assert dict(screen.query_params) == {"collection": "spaceflight", "from": GAGARIN, "to": CABANA}


def test_an_address_opens_the_same_trail_with_its_conditions() -> None:
    avoided = document_ids(open_app(from_=GAGARIN, to=CABANA))[1]
    narrowed = open_app(from_=GAGARIN, to=CABANA, avoid=avoided, gap="4000")
    assert avoided not in document_ids(narrowed)
    assert "Avoiding 1 document and allowing no gap over 4,000 days" in words(narrowed)
    assert narrowed.query_params["avoid"] == avoided
    assert narrowed.query_params["gap"] == "4000"


def test_an_address_without_both_ends_asks_for_nothing() -> None:
    screen = open_app(from_=CABANA, avoid="nobody", gap="3")
    assert complaints(screen) == []
    assert steps(screen) == steps(open_app())
    assert dict(screen.query_params) == {"collection": "spaceflight", "from": GAGARIN, "to": CABANA}


def test_an_unknown_end_in_the_address_is_named_once_and_another_story_told() -> None:
    screen = open_app(from_="nobody", to=CABANA)
    (warning,) = screen.warning
    assert "cannot be told, so this is another one" in warning.value
    assert "“nobody”" in unescaped(warning.value)
    assert len(steps(screen)) >= 5
    assert screen.query_params["from"] == GAGARIN
    assert complaints(screen.run()) == []


def test_an_unknown_pin_in_the_address_is_named_once_and_the_story_told_without_it() -> None:
    screen = open_app(from_=GAGARIN, to=CABANA, via="nobody")
    (warning,) = screen.warning
    assert "told without a document that was in it" in warning.value
    assert "“nobody”" in unescaped(warning.value)
    assert "via" not in screen.query_params
    assert complaints(screen.run()) == []


@pytest.mark.parametrize(
    "hostile", ["![x](https://evil.example/x.png)", "[x](https://evil.example)", ":material/home:"]
)
@pytest.mark.parametrize("place", ["from_", "collection"])
def test_what_an_address_says_is_shown_as_it_is_written(place: str, hostile: str) -> None:
    screen = open_app(**{"from_": GAGARIN, "to": CABANA, place: hostile})
    (told,) = [*screen.warning, *screen.info]
    assert hostile in unescaped(told.value)
    assert hostile not in told.value


@pytest.mark.parametrize(
    "address",
    [
        {"gap": "9" * 5000},
        {"gap": "9999999"},
        {"gap": "-3", "length": "1e3", "order": "sideways"},
        {"length": "9999999"},
        {"order": "any", "gap": "30"},
        {"via": f"{GAGARIN}~{CABANA}"},
        {"via": "~~~", "avoid": "~"},
    ],
)
def test_nonsense_in_the_address_is_let_go(address: dict[str, str]) -> None:
    screen = open_app(from_=GAGARIN, to=CABANA, **address)
    assert complaints(screen) == []
    assert len(steps(screen)) >= 2


def test_a_length_beside_a_pin_in_the_address_is_let_go() -> None:
    pinned = document_ids(open_app())[2]
    screen = open_app(from_=GAGARIN, to=CABANA, via=pinned, length="3")
    assert complaints(screen) == []
    assert pinned in document_ids(screen)
    assert "length" not in screen.query_params


def test_an_unknown_collection_is_named_and_another_can_be_chosen() -> None:
    screen = open_app(collection="nowhere")
    assert "There is no collection “nowhere” here" in screen.info[0].value
    assert [link.proto.page for link in screen.get("page_link")] == ["collections"]
    assert steps(screen) == []
    (chooser,) = [box for box in screen.selectbox if box.label == "Collection"]
    assert chooser.options[0] == "nowhere (not here)"
    chooser.set_value("spaceflight").run()
    assert complaints(screen) == []
    assert len(steps(screen)) >= 5
    assert screen.query_params["collection"] == "spaceflight"


def test_an_unbuilt_collection_says_what_building_gives_and_where(database: Database) -> None:
    save_unbuilt(database, town_documents([0, 1, None]))
    screen = open_app(collection="town")
    assert "**The town** has no map yet. Building it places its 3 documents" in screen.info[0].value
    assert [link.proto.page for link in screen.get("page_link")] == ["collections"]
    assert complaints(screen) == []
    assert "1 without a date" in words(screen)


def test_another_collection_starts_with_a_story_of_its_own() -> None:
    screen = open_app()
    screen.button(key="step-trail-0").click().run()
    (chooser,) = [box for box in screen.selectbox if box.label == "Collection"]
    chooser.set_value("toy").run()
    assert complaints(screen) == []
    assert len(dots(screen)) == 12
    assert len(steps(screen)) >= 2
    assert "close-reading" not in keys(screen)
    assert screen.query_params["collection"] == "toy"


def test_the_picks_survive_a_look_at_another_page() -> None:
    screen = open_app()
    screen.button(key="surprise").click().run()
    told, address = steps(screen), dict(screen.query_params)
    screen.switch_page(COLLECTIONS).run()
    screen.switch_page(EXPLORE).run()
    assert steps(screen) == told
    assert dict(screen.query_params) == address


def test_choosing_in_a_search_box_tells_another_trail() -> None:
    screen = open_app()
    target = document_ids(screen)[4]
    field(screen.selectbox, "pick-target").set_value(target).run()
    assert complaints(screen) == []
    assert document_ids(screen)[-1] == target == screen.query_params["to"]
    assert screen.query_params["from"] == GAGARIN


def test_a_search_box_that_has_a_choice_cannot_be_emptied() -> None:
    screen = open_app()
    # A box with a default has no cross to empty it.
    assert all(field(screen.selectbox, key).proto.HasField("default") for key in ("pick-source", "pick-target"))


def test_search_boxes_list_every_document_with_its_date() -> None:
    options = field(open_app().selectbox, "pick-source").options
    assert len(options) == spaceflight().n_documents
    assert "1961-04-12  Soviet pilot Yuri Gagarin becomes the first human in space" in options


def test_swap_turns_the_ends_round_and_back() -> None:
    screen = open_app()
    told = steps(screen)
    screen.button(key="swap").click().run()
    assert (screen.query_params["from"], screen.query_params["to"]) == (CABANA, GAGARIN)
    screen.button(key="swap").click().run()
    assert steps(screen) == told


def test_surprise_me_tells_another_story() -> None:
    screen = open_app()
    told = steps(screen)
    screen.button(key="surprise").click().run()
    assert complaints(screen) == []
    assert len(steps(screen)) >= 2
    assert steps(screen) != told


def test_a_longest_gap_is_kept_by_every_link_and_its_price_is_said() -> None:
    screen = open_app()
    field(screen.number_input, "gap").set_value(4000).run()
    assert screen.query_params["gap"] == "4000"
    assert "Allowing no gap over 4,000 days" in words(screen)
    dates = [document_id[:10] for document_id in document_ids(screen)]
    assert all(int(later[:4]) - int(earlier[:4]) <= 11 for earlier, later in pairwise(dates))


def test_out_of_order_a_trail_runs_back_in_time() -> None:
    screen = open_app(from_=CABANA, to=GAGARIN)
    assert steps(screen) == []
    screen = open_app(from_=GAGARIN, to=CABANA)
    field(screen.toggle, "order").set_value(False).run()
    screen.button(key="swap").click().run()
    assert complaints(screen) == []
    assert (document_ids(screen)[0], document_ids(screen)[-1]) == (CABANA, GAGARIN)
    assert screen.query_params["order"] == "any"
    assert field(screen.number_input, "gap").disabled


def test_lifting_all_conditions_tells_the_first_trail_again() -> None:
    screen = open_app()
    told = steps(screen)
    field(screen.number_input, "gap").set_value(3000).run()
    screen.button(key="lift").click().run()
    assert steps(screen) == told
    assert "gap" not in screen.query_params
    assert field(screen.number_input, "gap").value is None
    field(screen.toggle, "order").set_value(False).run()
    screen.button(key="lift").click().run()
    assert "order" not in screen.query_params
    assert field(screen.toggle, "order").value is True
    assert "lift" not in keys(screen)


def test_a_surprise_has_no_conditions_left_in_their_boxes() -> None:
    screen = open_app()
    field(screen.number_input, "gap").set_value(4000).run()
    screen.button(key="surprise").click().run()
    assert "gap" not in screen.query_params
    assert field(screen.number_input, "gap").value is None


def test_a_headline_opens_its_document() -> None:
    screen = open_app()
    title = steps(screen)[1]
    assert "close-reading" not in keys(screen)
    screen.button(key="step-trail-1").click().run()
    panel = html_words("".join(html_pieces(screen)))
    assert title in panel
    (document,) = [found for found in loaded_spaceflight().documents if found.title == title]
    assert document.text[:200] in panel
    (link,) = screen.get("link_button")
    assert link.proto.url.startswith("https://")
    screen.button(key="close-reading").click().run()
    assert "close-reading" not in keys(screen)


def places(screen: AppTest) -> list[str]:
    """Return the headlines of the stories and the closing button of the reading panel, from top to bottom."""
    return [str(button.key) for button in screen.button if str(button.key).startswith(("step-", "close-reading"))]


@pytest.mark.parametrize("step", ["step-trail-0", "step-trail-2", "step-baseline-1"])
def test_the_reading_panel_opens_under_the_headline_that_was_clicked(step: str) -> None:
    screen = open_app()
    closed = places(screen)
    screen.button(key=step).click().run()
    position = closed.index(step) + 1
    assert places(screen) == [*closed[:position], "close-reading", *closed[position:]]
    assert screen.session_state["reading_place"] == step


def test_the_reading_panel_of_a_document_of_the_map_is_beside_the_stories_under_the_map() -> None:
    screen = open_app()
    closed, read = places(screen), document_ids(screen)[1]
    screen.session_state["reading"] = read
    screen.run()
    assert places(screen) == ["close-reading", *closed]
    screen.button(key="step-trail-1").click().run()  # the same document is not closed, it opens where it was clicked
    assert places(screen) == [*closed[:2], "close-reading", *closed[2:]]


def test_an_open_document_moves_under_the_map_when_its_story_goes() -> None:
    screen = open_app()
    screen.button(key="step-baseline-1").click().run()
    read = screen.session_state["reading"]
    screen.button(key="draw-forth").click().run()
    assert places(screen)[0] == "close-reading"
    screen.button(key="step-trail-1").click().run()
    screen.button(key="draw-forth").click().run()
    assert places(screen).index("close-reading") == places(screen).index("step-trail-1") + 1
    screen.button(key="surprise").click().run()
    assert places(screen)[0] == "close-reading"
    assert screen.session_state["reading"] != read


def test_a_second_press_on_a_headline_closes_its_document() -> None:
    screen = open_app()
    screen.button(key="step-baseline-1").click().run()
    assert "close-reading" in keys(screen)
    screen.button(key="step-baseline-1").click().run()
    assert "close-reading" not in keys(screen)


@pytest.mark.parametrize(
    ("use", "label"), [("use-via", "Stop passing through"), ("use-avoid", "Allow again")], ids=["pin", "ban"]
)
def test_a_pin_or_ban_is_let_go_from_the_open_document(use: str, label: str) -> None:
    screen = open_app()
    told = steps(screen)
    screen.button(key="step-trail-3").click().run()
    screen.button(key=use).click().run()
    assert use.removeprefix("use-") in screen.query_params
    assert screen.button(key="release").label == label
    assert use not in keys(screen)
    screen.button(key="release").click().run()
    assert steps(screen) == told
    assert not {"via", "avoid"} & set(screen.query_params)


def test_a_close_document_opens_from_the_open_one() -> None:
    screen = open_app()
    screen.button(key="step-trail-1").click().run()
    near = next(button for button in screen.button if str(button.key).startswith("near-"))
    near.click().run()
    loaded = loaded_spaceflight()
    document = loaded.documents[loaded.row_of[str(near.key).removeprefix("near-")]]
    assert document.text[:80] in words(screen)


def test_an_open_document_becomes_an_end() -> None:
    screen = open_app()
    third, fifth = document_ids(screen)[2], document_ids(screen)[4]
    screen.button(key="step-trail-2").click().run()
    screen.button(key="use-source").click().run()
    assert document_ids(screen)[0] == third == screen.query_params["from"]
    position = document_ids(screen).index(fifth)
    screen.button(key=f"step-trail-{position}").click().run()
    screen.button(key="use-target").click().run()
    assert document_ids(screen)[-1] == fifth == screen.query_params["to"]
    assert field(screen.selectbox, "pick-target").value == fifth


def test_an_open_document_is_avoided_and_allowed_again() -> None:
    screen = open_app()
    told, avoided = steps(screen), document_ids(screen)[1]
    screen.button(key="step-trail-1").click().run()
    screen.button(key="use-avoid").click().run()
    assert avoided not in document_ids(screen)
    assert screen.query_params["avoid"] == avoided
    assert "Avoiding 1 document" in words(screen)
    screen.button(key=f"drop-avoid-{avoided}").click().run()
    assert steps(screen) == told


def test_the_trail_passes_through_a_pinned_document() -> None:
    screen = open_app()
    pinned = next(i for i in document_ids(screen, "baseline")[1:-1] if i not in document_ids(screen))
    step = document_ids(screen, "baseline").index(pinned)
    screen.button(key=f"step-baseline-{step}").click().run()
    screen.button(key="use-via").click().run()
    assert complaints(screen) == []
    assert pinned in document_ids(screen)
    assert screen.query_params["via"] == pinned
    assert "Passing through 1 chosen document" in words(screen)
    assert "A trail through chosen documents has no length to choose" in words(screen)
    screen.button(key=f"drop-via-{pinned}").click().run()
    assert pinned not in document_ids(screen)


@pytest.mark.parametrize("box", ["pick-source", "pick-target"])
@pytest.mark.parametrize("use", ["use-via", "use-avoid"])
def test_a_pinned_or_avoided_document_that_is_chosen_as_an_end_is_an_end_only(box: str, use: str) -> None:
    screen = open_app()
    chosen = document_ids(screen)[3]
    screen.button(key="step-trail-3").click().run()
    screen.button(key=use).click().run()
    field(screen.selectbox, box).set_value(chosen).run()
    assert complaints(screen) == []
    assert document_ids(screen)[0 if box == "pick-source" else -1] == chosen
    assert "via" not in screen.query_params
    assert "avoid" not in screen.query_params


def test_a_document_of_a_weak_link_is_avoided_from_the_link() -> None:
    screen = open_app()
    avoided = document_ids(screen)[3]
    screen.button(key="avoid-2-second").click().run()
    assert screen.query_params["avoid"] == avoided
    assert avoided not in document_ids(screen)


def test_a_link_tells_its_two_halves() -> None:
    screen = open_app()
    found = [text for text in screen.markdown if text.value.startswith("**Strength")]
    halves = [text.value for text in found]
    assert {text.proto.help for text in found} == {HALVES}
    assert screen.metric[0:] == []
    assert len(halves) == len(steps(screen)) - 1 + len(steps(screen, "baseline")) - 1
    first = tell(loaded_spaceflight(), TrailRequest(GAGARIN, CABANA), draws=1).trail.links[0]
    assert halves[0] == (
        f"**Strength {first.coherence:.2f}** · wording {first.wording_similarity:.2f} "
        f"· topic {first.topic_similarity:.2f}"
    )


def test_other_random_chronologies_are_leafed_through_and_the_trail_stays() -> None:
    screen = open_app()
    trail, median = steps(screen), steps(screen, "baseline")
    assert "the median draw" in words(screen)
    assert "draw-median" not in keys(screen)
    screen.button(key="draw-forth").click().run()
    forth = steps(screen, "baseline")
    assert forth != median
    assert "the median draw" not in words(screen)
    screen.button(key="draw-back").click().run()
    assert steps(screen, "baseline") == median
    assert "the median draw" in words(screen)
    screen.button(key="draw-forth").click().run()
    screen.button(key="draw-forth").click().run()
    screen.button(key="draw-median").click().run()
    assert steps(screen, "baseline") == median
    assert "draw-median" not in keys(screen)
    assert steps(screen) == trail
    screen.button(key="surprise").click().run()
    assert "the median draw" in words(screen)


def warned(screen: AppTest, kind: str) -> list[str]:
    """Return the labels of a story's links that carry a warning sign."""
    labels = [str(found.proto.popover.label) for found in screen.get("popover")]
    links = [unescaped(label) for label in labels if label[:1].isdigit()]
    n_trail, n_chance = len(steps(screen)) - 1, len(steps(screen, "baseline")) - 1
    assert len(links) == n_trail + n_chance
    return [link for link in (links[:n_trail] if kind == "trail" else links[n_trail:]) if "⚠" in link]


def test_of_the_random_chronology_only_the_weakest_link_carries_a_warning_sign() -> None:
    screen = open_app()
    story = tell(loaded_spaceflight(), TrailRequest(GAGARIN, CABANA)).baseline
    assert sum(link.is_weak or link.is_weakest for link in story.links) > 1
    for _ in range(3):
        (sign,) = warned(screen, "baseline")
        assert "⚠ weakest link" in sign
        screen.button(key="draw-forth").click().run()


def test_the_trail_marks_each_of_its_weak_links() -> None:
    story = tell(loaded_spaceflight(), TrailRequest(GAGARIN, CABANA), draws=1).trail
    assert len(warned(open_app(), "trail")) == sum(link.is_weak or link.is_weakest for link in story.links) >= 1


@pytest.mark.parametrize(
    ("address", "is_bound"), [({}, False), ({"gap": "4000"}, True), ({"length": "4"}, True), ({"order": "any"}, False)]
)
def test_with_conditions_the_random_chronology_says_that_it_does_not_keep_them(
    address: dict[str, str], is_bound: bool
) -> None:
    told = words(open_app(from_=GAGARIN, to=CABANA, **address))
    is_free = "order" in address
    order = (
        "from the whole collection, told in the order drawn"
        if is_free
        else "between the same dates, told in date order"
    )
    assert f"Documents drawn at random {order}." in told
    assert ("Your conditions do not bind it." in told) is is_bound


def test_a_shorter_trail_is_chosen_and_the_strongest_again() -> None:
    screen = open_app()
    told = steps(screen)
    lengths = next(group for group in screen.segmented_control if str(group.key).startswith("length-"))
    assert lengths.options[-1] == "strongest"
    lengths.set_value(3).run()
    assert len(steps(screen)) == len(steps(screen, "baseline")) == 3
    assert screen.query_params["length"] == "3"
    lengths = next(group for group in screen.segmented_control if str(group.key).startswith("length-"))
    lengths.set_value("strongest").run()
    assert steps(screen) == told
    assert "length" not in screen.query_params


def test_two_documents_alone_have_no_other_chronology() -> None:
    screen = open_app(from_=GAGARIN, to=CABANA, length="2")
    assert len(steps(screen)) == 2
    assert "draw-forth" not in keys(screen)
    assert "only one chronology" in words(screen)


def test_dates_fade_the_map_and_leave_the_trail() -> None:
    screen = open_app()
    told, first, styles = steps(screen), screen.slider[0].value[0], {dot["style"] for dot in dots(screen)}
    screen.slider[0].set_range(first, first.replace(year=1970)).run()
    assert "are outside these dates" in words(screen)
    assert steps(screen) == told
    assert len(dots(screen)) == spaceflight().n_documents
    assert len({dot["style"] for dot in dots(screen)}) > len(styles)


@pytest.mark.parametrize("colouring", ["date", "column ", "reach of A"])
def test_the_map_is_coloured_anew_and_the_trail_the_view_and_the_documents_stay(colouring: str) -> None:
    screen = open_app()
    told, before, view = steps(screen), dots(screen), first_view(screen)
    screen.selectbox(key="colour-by").set_value(colouring).run()
    assert complaints(screen) == []
    assert [dot["style"] for dot in dots(screen)] != [dot["style"] for dot in before]
    assert [dot["id"] for dot in dots(screen)] == [dot["id"] for dot in before]
    assert (steps(screen), first_view(screen)) == (told, view)


def first_view(screen: AppTest) -> tuple[dict[str, Any], str]:
    """Return the first view of the map, which never changes, and the key by which the page knows it again."""
    chart = screen.get("deck_gl_json_chart")[0].proto
    return json.loads(chart.json)["initialViewState"], chart.id


def test_a_legend_says_what_the_colours_are_and_how_many_documents_have_each() -> None:
    screen = open_app()
    assert "The later" not in words(screen)
    screen.selectbox(key="colour-by").set_value("date").run()
    assert "The later, the darker." in words(screen)
    assert "1957–1959 10" in words(screen)
    screen.selectbox(key="colour-by").set_value("column ").run()
    assert "Moscow 41" in words(screen) and "65 others 113" in words(screen)
    assert dots(screen)[0]["told"].startswith("source: ")


def test_a_reach_says_under_which_conditions_it_is() -> None:
    screen = open_app(from_=GAGARIN, to=CABANA, gap="4000", nosource="Houston")
    screen.selectbox(key="colour-by").set_value("reach of A").run()
    told = "best trail from A to each document, in date order, avoiding 1 source, allowing no gap over 4,000 days."
    assert told in words(screen)
    assert "no trail leads there" in {dot["told"] for dot in dots(screen)}


def test_the_reach_of_the_open_document_waits_for_one_to_be_opened() -> None:
    screen = open_app()
    by_topic = [dot["style"] for dot in dots(screen)]
    screen.selectbox(key="colour-by").set_value("reach of the open document").run()
    assert "Open a document" in words(screen)
    assert [dot["style"] for dot in dots(screen)] == by_topic
    screen.button(key="step-trail-2").click().run()
    assert "best trail from the open document to each document, in date order." in words(screen)
    told = {dot["id"]: dot["told"] for dot in dots(screen)}
    assert told[document_ids(screen)[2]] == "the trails start here"
    assert opened_ring(screen) == [document_ids(screen)[2]]


def opened_ring(screen: AppTest) -> list[str]:
    """Return the document that has a ring on the map."""
    deck = json.loads(screen.get("deck_gl_json_chart")[0].proto.json)
    return [ringed["id"] for layer in deck["layers"] if layer["id"] == "opened" for ringed in layer["data"]]


def test_what_another_collection_cannot_be_coloured_by_is_let_go(database: Database) -> None:
    save_built(database, town_documents([0, 10, 20, 30]))
    screen = open_app()
    screen.selectbox(key="colour-by").set_value("column ").run()
    screen.selectbox[0].set_value("town").run()
    assert complaints(screen) == []
    assert "Colour by source" not in screen.selectbox(key="colour-by").options
    assert screen.selectbox(key="colour-by").value == "topic"


def faded(screen: AppTest) -> set[str]:
    """Return the documents that are faded on the map: those whose ring is nearly clear."""
    deck = json.loads(screen.get("deck_gl_json_chart")[0].proto.json)
    layer = next(layer for layer in deck["layers"] if layer["id"].startswith("documents"))
    rings = json.loads(layer["getLineColor"].removeprefix("@@=(").removesuffix(")[style]"))
    return {dot["id"] for dot in layer["data"] if rings[dot["style"]][3] < 100}


def test_a_click_on_a_topic_fades_the_others_and_another_click_lifts_it() -> None:
    screen = open_app()
    loaded, told, view = loaded_spaceflight(), steps(screen), first_view(screen)
    others = {
        document.document_id
        for row, document in enumerate(loaded.documents)
        if loaded.landscape.nearest_topic[row] != 3
    }
    assert faded(screen) == set()
    screen.button(key="map-topic-3").click().run()
    assert faded(screen) == others
    assert "On show: topic 4" in words(screen)
    assert (steps(screen), first_view(screen)) == (told, view)
    screen.button(key="map-topic-3").click().run()
    assert faded(screen) == set()
    screen.button(key="map-topic-0").click().run()
    screen.button(key="map-topic-all").click().run()
    assert faded(screen) == set()
    assert "On show" not in words(screen)


def test_a_topic_on_show_and_the_dates_fade_what_is_outside_of_either() -> None:
    screen = open_app()
    screen.button(key="map-topic-3").click().run()
    of_topic = faded(screen)
    first = screen.slider[0].value[0]
    screen.slider[0].set_range(first, first.replace(year=1970)).run()
    assert faded(screen) > of_topic


def test_a_topic_leads_to_its_documents() -> None:
    screen = open_app()
    screen.button(key="map-topic-3").click().run()
    screen.button(key="map-topic-documents").click().run()
    assert complaints(screen) == []
    assert screen.query_params["topic"] == "4"


def test_a_story_can_be_taken_away_as_a_link_that_opens_it() -> None:
    screen = open_app(from_=GAGARIN, to=CABANA, gap="4000")
    screen.session_state["take-away"] = True
    screen.run()
    (link,) = [str(code.value) for code in screen.code]
    told = dict(parse_qsl(urlsplit(link).query))
    assert steps(open_app(**{f"{name}_": value for name, value in told.items()})) == steps(screen)
    assert told["gap"] == "4000"


def test_a_document_outside_every_topic_says_which_is_nearest_and_with_which_share() -> None:
    loaded = loaded_spaceflight()
    row = next(row for row, is_outlier in enumerate(loaded.landscape.is_outlier) if is_outlier)
    screen = open_app()
    screen.session_state["reading"] = loaded.documents[row].document_id
    screen.run()
    label = loaded.landscape.topics[loaded.landscape.nearest_topic[row]].label
    found = next(caption for caption in screen.caption if "Outside every topic" in str(caption.value))
    assert re.search(rf"the nearest is {re.escape(label)}, \d+% of its membership", unescaped(str(found.value)))
    assert "no group holds it" in str(found.help)


def test_a_click_can_be_made_to_pick_an_end() -> None:
    screen = open_app()
    picking = field(screen.segmented_control, "picking")
    assert picking.value == "read"
    picking.set_value("source").run()
    picking = field(screen.segmented_control, "picking")
    assert picking.value == "source"
    assert complaints(screen) == []


def test_topics_are_listed_with_their_words_and_the_share_outside() -> None:
    told = html_words("".join(html_pieces(open_app())))
    summary = spaceflight()
    assert f"{summary.n_outliers:,} of {summary.n_documents:,} documents lie outside every topic" in told


def test_stories_page_is_reached_from_any_address() -> None:
    screen = open_app(from_="nobody", to="nobody").switch_page(STORIES).run()
    assert complaints(screen) == []
    assert screen.title[0].value == "Stories"
