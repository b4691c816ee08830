"""The page of documents in a real browser: a lasso on the map, a bar of the histogram, the width of a phone."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from narrative_core.extraction import LoadedCollection
from narrative_core.figures.map_points import pixel_positions
from tests.browser.small_map import draw_around, open_documents, points
from tests.browser.visitor import PATIENCE_MS, Place, Visitor

pytestmark = pytest.mark.browser


def in_order(places: dict[str, Place], spaceflight: LoadedCollection) -> list[Place]:
    """Return the places of all documents in their order."""
    assert len(places) == len(spaceflight.documents)
    return [places[document.document_id] for document in spaceflight.documents]


def test_a_lasso_on_the_map_gives_a_count_and_the_list_and_undo_takes_it_back(
    visitor: Visitor, spaceflight: LoadedCollection
) -> None:
    open_documents(visitor, "spaceflight")
    places = in_order(points(visitor), spaceflight)
    lowest = max(y for _, y in places)
    # Where the next document is farthest away, so that no pixel decides.
    heights = sorted(y for _, y in places)[-80:-9]
    border = max(pairwise(heights), key=lambda pair: pair[1] - pair[0])
    border_y = sum(border) / 2
    inside = [row for row, (_, y) in enumerate(places) if y > border_y]
    xs = [places[row][0] for row in inside]
    draw_around(visitor, min(xs) - 8, border_y, max(xs) + 8, lowest + 8)
    bar = visitor.key("selection-bar")
    expect(bar).to_contain_text(re.compile(r"\d+ documents selected"), timeout=PATIENCE_MS)
    visitor.settle()
    found = int(bar.inner_text().split()[0])
    assert found == len(inside)
    titles = {spaceflight.documents[row].title for row in inside}
    visitor.wait_for_list(lambda listed: len(listed) == min(found, 25) and set(listed) <= titles)
    visitor.press("undo-documents")
    expect(bar).to_be_hidden(timeout=PATIENCE_MS)
    visitor.press("redo-documents")
    expect(bar).to_contain_text(f"{found} documents selected", timeout=PATIENCE_MS)


def test_a_click_on_a_bar_shows_the_documents_of_that_time(visitor: Visitor, spaceflight: LoadedCollection) -> None:
    open_documents(visitor, "spaceflight")
    bars = visitor.page.locator("[class*='st-key-documents-time'] .bars .point path")
    expect(bars.first).to_be_visible(timeout=PATIENCE_MS)
    points(visitor)  # the map beside the bars is drawn: nothing moves any more
    visitor.settle()
    first_year = min(document.date.year for document in spaceflight.documents if document.date)
    box = bars.nth(1969 - first_year).bounding_box()
    assert box is not None
    visitor.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] - 2)
    visitor.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] - 2)
    expect(visitor.key("chip-days")).to_contain_text("1969-01-01 to 1969-12-31", timeout=PATIENCE_MS)
    visitor.settle()
    of_1969 = [document.title for document in spaceflight.documents if document.date and document.date.year == 1969]
    visitor.wait_for_list(lambda listed: listed == of_1969[:25])
    assert "days=1969-01-01" in visitor.page.url


def test_the_map_stands_as_on_explore(visitor: Visitor, spaceflight: LoadedCollection) -> None:
    open_documents(visitor, "spaceflight")
    places, drawn = pixel_positions(spaceflight.landscape.positions), in_order(points(visitor), spaceflight)
    across = [x for x, _ in drawn]
    left, right = across.index(min(across)), across.index(max(across))
    assert (places[:, 0].argmin(), places[:, 0].argmax()) == (left, right)


def test_on_a_phone_the_filters_are_folded_and_a_document_opens_over_the_list(visitor: Visitor) -> None:
    visitor.page.set_viewport_size({"width": 390, "height": 844})
    open_documents(visitor, "spaceflight", "&q=moon")
    expect(visitor.key("facets-folded")).to_be_hidden()
    visitor.key("documents-list").locator("[class*='st-key-read-'] button").nth(1).click()
    expect(visitor.key("reading")).to_be_in_viewport(timeout=PATIENCE_MS)
    visitor.press("close-reading")
    expect(visitor.key("reading")).to_be_hidden(timeout=PATIENCE_MS)
    visitor.key("documents-filters").locator("label").first.click()
    expect(visitor.key("facets-open")).to_be_visible(timeout=PATIENCE_MS)
    width = visitor.page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
    assert width <= 390
