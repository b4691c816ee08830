"""The main journeys, as a person makes them: open, search, look, click, read, reload; bring documents of one's own."""

import os
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from narrative_core.extraction import LoadedCollection, reach_of, tell
from narrative_core.figures.landscape_map import landscape_deck
from narrative_core.figures.map_points import pixel_positions
from narrative_core.records import StoryPair, TrailRequest
from narrative_core.ui.resources import OPENING_ENDPOINTS
from tests.browser.visitor import PATIENCE_MS, Place, Visitor, plain

pytestmark = pytest.mark.browser

PICTURE = Path(__file__).resolve().parents[2] / "docs" / "explore.png"
LARGEST_PICTURE_BYTES = 400_000
OPENING = TrailRequest(*OPENING_ENDPOINTS["spaceflight"])
BUILD_MS = 300_000
EDGE_PX = 50
"""Room at the edges of the map that its buttons and its tooltip may cover."""


@pytest.fixture(scope="module")
def first_story(spaceflight: LoadedCollection) -> StoryPair:
    return tell(spaceflight, OPENING)


@pytest.fixture(scope="module")
def lonely(spaceflight: LoadedCollection, first_story: StoryPair) -> list[int]:
    """Documents on neither story that can be hit on the map and reached from A, the one most by itself first."""
    places = pixel_positions(spaceflight.landscape.positions)
    gaps = np.linalg.norm(places[:, None] - places[None], axis=-1)
    np.fill_diagonal(gaps, np.inf)
    told = {document.document_id for story in (first_story.trail, first_story.baseline) for document in story.documents}
    reach = reach_of(spaceflight, OPENING.source)
    return [
        int(row)
        for row in np.argsort(-gaps.min(axis=1))
        if spaceflight.documents[row].document_id not in told and np.isfinite(reach[row])
    ]


def places_on_map(visitor: Visitor, loaded: LoadedCollection) -> list[Place]:
    """Return where each document stands on the map in its first view, from the upper left corner."""
    view = landscape_deck(loaded.landscape, loaded.documents).initial_view_state
    assert view.zoom == 0
    box = visitor.map_box()
    right, down = box["width"] / 2 - view.target[0], box["height"] / 2 + view.target[1]
    return [(right + float(x), down - float(y)) for x, y in pixel_positions(loaded.landscape.positions)]


def in_sight(visitor: Visitor, places: list[Place], rows: list[int]) -> list[int]:
    """Return the documents whose place is well inside the map."""
    box = visitor.map_box()
    right, bottom = box["width"] - EDGE_PX, box["height"] - 2 * EDGE_PX
    return [row for row in rows if EDGE_PX < places[row][0] < right and EDGE_PX < places[row][1] < bottom]


def titles(pair: StoryPair, kind: str = "trail") -> list[str]:
    story = pair.trail if kind == "trail" else pair.baseline
    return [document.title for document in story.documents]


def top(part: Locator) -> float:
    box = part.first.bounding_box()
    assert box is not None
    return box["y"]


def test_the_first_story_is_there_without_a_question_beside_the_map(newcomer: Visitor, first_story: StoryPair) -> None:
    visitor = newcomer
    told = visitor.open_story("/")
    assert told == titles(first_story)
    assert visitor.headlines("baseline") == titles(first_story, "baseline")
    expect(visitor.page.get_by_text("Stronger than", exact=False).first).to_be_visible()
    expect(visitor.page.get_by_test_id("stPlotlyChart")).to_have_count(3)
    expect(visitor.page.get_by_role("dialog")).to_have_count(0)
    assert_side_by_side([visitor.map, visitor.key("story-trail"), visitor.key("story-baseline")])
    expect(visitor.page.get_by_text("Show the random chronology")).to_be_hidden()
    if os.environ.get("THROUGHLINE_UPDATE_PICTURE"):
        take_picture(visitor)


def assert_side_by_side(parts: list[Locator]) -> None:
    boxes = [box for part in parts if (box := part.bounding_box()) is not None]
    assert len(boxes) == len(parts)
    for left, right in pairwise(boxes):
        assert left["x"] + left["width"] <= right["x"]


def take_picture(visitor: Visitor) -> None:
    """Save what is on the screen as the README's picture."""
    for plot in visitor.page.get_by_test_id("stPlotlyChart").all():
        expect(plot.locator(".main-svg").first).to_be_visible(timeout=PATIENCE_MS)
    visitor.leave_map()
    visitor.page.screenshot(path=PICTURE, animations="disabled")
    assert PICTURE.stat().st_size < LARGEST_PICTURE_BYTES


def test_two_documents_are_found_with_the_keyboard_alone(visitor: Visitor, spaceflight: LoadedCollection) -> None:
    told = visitor.open_story()
    source, target = told[2], told[-3]
    for label, title in (("From", source), ("To", target)):
        focus_by_tabs(visitor, label)
        visitor.page.keyboard.type(title[:40])
        option = visitor.page.get_by_role("option").filter(has_text=title)
        expect(option).to_have_count(1, timeout=PATIENCE_MS)
        expect(visitor.page.get_by_role("option")).to_have_count(1, timeout=PATIENCE_MS)
        visitor.page.keyboard.press("Enter")
        end = 0 if label == "From" else -1
        visitor.wait_for_headlines(lambda now, end=end, title=title: bool(now) and now[end] == title)
    ids = {document.title: document.document_id for document in spaceflight.documents}
    pair = tell(spaceflight, TrailRequest(ids[source], ids[target]))
    assert visitor.headlines() == titles(pair)
    assert visitor.headlines("baseline") == titles(pair, "baseline")
    expect(visitor.map).to_be_visible()
    assert f"from={ids[source]}" in visitor.page.url
    assert f"to={ids[target]}" in visitor.page.url


def focus_by_tabs(visitor: Visitor, label: str) -> None:
    """Press the tab key until the search box of an end has the focus."""
    focused = "() => document.activeElement.getAttribute('aria-label') || ''"
    visitor.page.evaluate("() => document.activeElement.blur()")
    for _ in range(60):
        visitor.page.keyboard.press("Tab")
        if str(visitor.page.evaluate(focused)).startswith(label):
            return
    pytest.fail(f"60 presses of the tab key do not lead to the box “{label}”")


def test_a_click_on_the_map_opens_a_document_that_becomes_the_end_and_stays_after_a_reload(
    visitor: Visitor, spaceflight: LoadedCollection, lonely: list[int]
) -> None:
    first = visitor.open_story()
    places = places_on_map(visitor, spaceflight)
    row = in_sight(visitor, places, lonely)[0]
    document, place = spaceflight.documents[row], places[row]
    visitor.find_on_map(place, document.title)
    click_on_map(visitor, place)
    expect(visitor.key("reading")).to_contain_text(document.title, timeout=PATIENCE_MS)
    expect(visitor.key("reading")).to_contain_text(document.text[:100])
    assert visitor.headlines() == first

    visitor.press("use-target")
    told = visitor.wait_for_headlines(lambda now: bool(now) and now[-1] == document.title)
    assert told == titles(tell(spaceflight, TrailRequest(OPENING.source, document.document_id)))
    assert f"to={document.document_id}" in visitor.page.url

    visitor.page.reload()
    assert visitor.wait_for_headlines(lambda now: now == told) == told
    chance = visitor.headlines("baseline")
    assert (chance[0], chance[-1], len(chance)) == (told[0], told[-1], len(told))


def click_on_map(visitor: Visitor, place: Place) -> None:
    box = visitor.map_box()
    visitor.page.mouse.click(box["x"] + place[0], box["y"] + place[1])


def test_two_clicks_on_the_map_pick_both_ends(
    visitor: Visitor, spaceflight: LoadedCollection, lonely: list[int]
) -> None:
    visitor.open_story()
    places = places_on_map(visitor, spaceflight)
    earlier, later = sorted(in_sight(visitor, places, lonely)[:2])
    visitor.page.get_by_role("radio", name="start there (A)").click()
    visitor.settle()
    for end, row in ((0, earlier), (-1, later)):
        document, place = spaceflight.documents[row], places[row]
        visitor.find_on_map(place, document.title)
        click_on_map(visitor, place)
        box = visitor.page.get_by_role("combobox", name="From" if end == 0 else "To")
        visitor.until(
            lambda box=box, document=document: document.title[:30] in box.input_value(),
            lambda box=box: f"the box says {box.input_value()}",
        )
        visitor.settle()
    ids = [spaceflight.documents[row].document_id for row in (earlier, later)]
    assert f"from={ids[0]}" in visitor.page.url
    assert f"to={ids[1]}" in visitor.page.url


def test_a_click_dims_nothing_on_the_map(visitor: Visitor, spaceflight: LoadedCollection, lonely: list[int]) -> None:
    visitor.open_story()
    places = places_on_map(visitor, spaceflight)
    clicked, *others = in_sight(visitor, places, lonely)
    filled = [places[row] for row in others if not spaceflight.landscape.is_outlier[row]][:6]
    visitor.find_on_map(places[clicked], spaceflight.documents[clicked].title)
    visitor.leave_map()
    before = [visitor.pixels(place) for place in filled]
    assert all(picture.min() < 200 for picture in before)  # there is a document to see
    visitor.find_on_map(places[clicked], spaceflight.documents[clicked].title)
    click_on_map(visitor, places[clicked])
    expect(visitor.key("reading")).to_be_visible(timeout=PATIENCE_MS)
    visitor.settle()
    visitor.leave_map()
    changes = [np.abs(visitor.pixels(place) - old).mean() for place, old in zip(filled, before, strict=True)]
    assert max(changes) < 3


def test_the_zoom_of_the_map_survives_another_story(
    visitor: Visitor, spaceflight: LoadedCollection, lonely: list[int]
) -> None:
    first = visitor.open_story()
    places = places_on_map(visitor, spaceflight)
    centre, *others = in_sight(visitor, places, lonely)[:5]
    pivot = places[centre]
    for row in others:
        visitor.find_on_map(places[row], spaceflight.documents[row].title)
    visitor.find_on_map(pivot, spaceflight.documents[centre].title)
    visitor.page.mouse.wheel(0, -600)

    def moved() -> list[bool]:
        """Return which documents have left their first place."""
        return [plain(visitor.hover(places[row])) != plain(spaceflight.documents[row].title) for row in others]

    visitor.until(lambda: all(moved()), lambda: f"the wheel moved {moved()}")
    visitor.find_on_map(pivot, spaceflight.documents[centre].title)
    visitor.press("surprise")
    visitor.wait_for_headlines(lambda now: bool(now) and now != first)
    # The place that the wheel turned about is where it was; everything else would be back if the map were new.
    visitor.find_on_map(pivot, spaceflight.documents[centre].title)
    assert all(moved())


def test_a_click_on_the_curve_tells_the_trail_of_that_length(visitor: Visitor, spaceflight: LoadedCollection) -> None:
    visitor.open_story()
    point = visitor.key("plot-curve-0").locator(".scatterlayer .point").first
    point.scroll_into_view_if_needed()
    box = point.bounding_box()
    assert box is not None
    visitor.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    shorter = replace(OPENING, maximum_length=2)
    assert visitor.wait_for_headlines(lambda now: len(now) == 2) == titles(tell(spaceflight, shorter))
    assert "length=2" in visitor.page.url


def test_a_look_at_other_pages_keeps_the_pick(visitor: Visitor) -> None:
    first = visitor.open_story()
    visitor.press("surprise")
    told = visitor.wait_for_headlines(lambda now: bool(now) and now != first)
    url = visitor.page.url
    for title in ("Stories", "Collections", "Settings"):
        visitor.go_to(title)
        expect(visitor.page.get_by_role("heading", name=title, level=1)).to_be_visible(timeout=PATIENCE_MS)
    visitor.go_to("Explore")
    assert visitor.wait_for_headlines(lambda now: now == told) == told
    assert visitor.page.url == url


@pytest.mark.parametrize("path", ["/stories", "/collections", "/settings"])
def test_a_page_opens_by_its_own_address(visitor: Visitor, path: str) -> None:
    visitor.open(path)
    heading = visitor.page.get_by_role("heading", level=1)
    expect(heading).to_have_text(path.strip("/").title(), timeout=PATIENCE_MS)


def test_a_name_that_looks_like_markup_stays_a_name(visitor: Visitor) -> None:
    name = (
        "**bold** ![x](x.png) <img src=x> :material/home: :rocket: $x^2$ https://evil.example www.evil.example a -> b"
    )
    visitor.open_story()
    visitor.page.locator("[class*='st-key-save-story']").get_by_role("button").first.click()
    form = visitor.page.get_by_test_id("stForm")
    form.get_by_label("Name").fill(name)
    form.get_by_role("button", name="Save this story").click()
    expect(visitor.page.get_by_text("Saved.", exact=False)).to_be_visible(timeout=PATIENCE_MS)
    visitor.go_to("Stories")
    heading = visitor.page.get_by_role("heading", level=3)
    expect(heading).to_have_count(1, timeout=PATIENCE_MS)
    assert plain(heading.inner_text()) == name
    expect(heading.locator("a, img, strong, svg, .katex, [data-testid=stIconMaterial]")).to_have_count(0)


def test_on_a_phone_the_story_stands_before_the_map_and_chance_is_folded(visitor: Visitor) -> None:
    visitor.page.set_viewport_size({"width": 390, "height": 844})
    visitor.open_story()
    picks, story = visitor.key("picker"), visitor.key("story-trail")
    plots = visitor.page.get_by_test_id("stPlotlyChart")
    assert top(picks) < top(story) < top(visitor.map) < top(plots)
    expect(visitor.key("story-baseline")).to_be_hidden()
    visitor.page.get_by_text("Show the random chronology").click()
    expect(visitor.key("story-baseline")).to_be_visible(timeout=PATIENCE_MS)
    assert top(story) < top(visitor.key("story-baseline")) < top(visitor.map)
    for part in (visitor.page.locator("html"), visitor.page.get_by_test_id("stMain")):
        assert part.evaluate("part => part.scrollWidth - part.clientWidth") <= 0


def test_documents_of_ones_own_become_a_map_while_other_pages_answer(visitor: Visitor, tmp_path: Path) -> None:
    file = tmp_path / "harbour.csv"
    file.write_text(harbour_csv(30), encoding="utf-8")
    visitor.open("/collections")
    visitor.key("import-file").locator("input[type=file]").set_input_files(file)
    expect(visitor.page.get_by_text("30 rows, 4 columns")).to_be_visible(timeout=PATIENCE_MS)
    visitor.press("import-go")
    expect(visitor.page.get_by_text("30 documents kept").first).to_be_visible(timeout=PATIENCE_MS)
    visitor.press("import-build")

    visitor.press("stop-harbour")
    expect(visitor.page.get_by_text("The build was stopped.", exact=False)).to_be_visible(timeout=PATIENCE_MS)
    resume = visitor.key("build-harbour")
    expect(resume).to_have_text("Resume the build")
    visitor.press("build-harbour")
    expect(visitor.page.get_by_test_id("stProgress")).to_be_visible(timeout=PATIENCE_MS)

    visitor.go_to("Explore")
    assert len(visitor.wait_for_headlines(lambda now: len(now) > 1)) > 1
    visitor.go_to("Collections")
    expect(visitor.key("open-harbour")).to_be_visible(timeout=BUILD_MS)
    visitor.press("open-harbour")
    told = visitor.wait_for_headlines(lambda now: bool(now) and all("Harbour day" in title for title in now))
    assert len(told) >= 2
    assert "collection=harbour" in visitor.page.url


def harbour_csv(n: int) -> str:
    """Return a file of dated reports about three matters."""
    matters = (
        "ferry strike crews wages union",
        "oil spill beach cleaning birds",
        "new crane quay containers growth",
    )
    rows = [
        f"Harbour day {day}: {matters[day % 3]},2022-{1 + day // 28:02}-{1 + day % 28:02},"
        f"On day {day} the town spoke of {matters[day % 3]} and little else.,Harbour Post"
        for day in range(n)
    ]
    return "\n".join(["title,date,text,source", *rows, ""])
