"""Work on one story in a real browser: by hand, a repair, a note, undo and redo, a reload, a second story, the time."""

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import PATIENCE_MS, Visitor

pytestmark = pytest.mark.browser

_STOPS = """() => {
  const plots = document.querySelectorAll("[class*='st-key-timeline-'] .js-plotly-plot");
  const plot = [...plots].find(one => one.offsetParent);
  const at = plot.data.findIndex(trace => trace.name === 'trail'), box = plot.getBoundingClientRect();
  const {_fullLayout: layout} = plot, trace = plot._fullData[at];
  return Array.from(trace.x, (x, number) => [
    box.left + layout._size.l + layout.xaxis.d2p(x), box.top + layout._size.t + layout.yaxis.d2p(trace.y[number]),
  ]);
}"""


def write_note(visitor: Visitor, words: str) -> None:
    field = visitor.page.get_by_label("Note on this story")
    field.fill(words)
    field.blur()
    visitor.settle()


def save(visitor: Visitor) -> None:
    visitor.key("story-actions").get_by_role("button", name="Save").click()
    visitor.page.get_by_role("button", name="Save this story").click()
    expect(visitor.page.get_by_test_id("stToast")).to_contain_text("Saved", timeout=PATIENCE_MS)
    visitor.settle()


def lay_over_the_newest(visitor: Visitor) -> None:
    visitor.press("other-trails")
    visitor.key("overlay-story").locator("input").click()
    visitor.page.get_by_role("option").nth(1).click()
    expect(visitor.key("other-trails")).to_contain_text("1 laid over", timeout=PATIENCE_MS)
    visitor.page.keyboard.press("Escape")
    visitor.settle()


def test_a_story_is_worked_on_taken_back_kept_compared_and_seen_in_time(visitor: Visitor) -> None:
    found = visitor.open_story()
    save(visitor)
    visitor.key("edit-by-hand").locator("label").first.click()
    expect(visitor.key("out-3")).to_be_visible(timeout=PATIENCE_MS)
    visitor.settle()
    visitor.press("out-3")
    shorter = [*found[:3], *found[4:]]
    visitor.wait_for_headlines(lambda told: told == shorter)

    visitor.page.locator("[class*='st-key-open-trail-2'] button").first.click()
    visitor.press("repair-2")
    proposal = visitor.key("repair-proposal-0")
    expect(proposal).to_be_visible(timeout=PATIENCE_MS)
    expect(proposal).to_contain_text("weakest link of the story")
    visitor.press("put-in-0")
    repaired = visitor.wait_for_headlines(lambda told: len(told) > len(shorter))
    assert repaired[:3] == shorter[:3]
    expect(visitor.page.get_by_role("dialog")).to_be_hidden(timeout=PATIENCE_MS)

    write_note(visitor, "Ask the agency.")
    for told in (repaired, shorter, found):
        visitor.press("undo-desk")
        visitor.wait_for_headlines(lambda now, told=told: now == told)  # type: ignore[misc]
    visitor.wait_for_value("Note on this story", "")
    visitor.press("redo-desk")
    visitor.wait_for_headlines(lambda told: told == shorter)

    visitor.page.reload()
    visitor.settle()
    visitor.wait_for_headlines(lambda told: told == shorter)
    visitor.press("redo-desk")
    visitor.wait_for_headlines(lambda told: told == repaired)
    visitor.press("undo-desk")
    visitor.wait_for_headlines(lambda told: told == shorter)

    lay_over_the_newest(visitor)
    shared = f"shares {len(shorter)} documents"
    expect(visitor.key("explore-main")).to_contain_text(shared, timeout=PATIENCE_MS)
    visitor.key("map-or-time").get_by_role("radio", name="Time").click()
    axis = visitor.key("wide-only-time")
    expect(axis.locator(".draglayer").first).to_be_attached(timeout=PATIENCE_MS)
    visitor.settle()
    expect(axis).to_contain_text("another story")
    expect(visitor.key("explore-main")).to_contain_text(shared)
    axis.scroll_into_view_if_needed()
    visitor.page.mouse.click(*visitor.page.evaluate(_STOPS)[2])
    expect(visitor.key("reading")).to_contain_text(shorter[2], timeout=PATIENCE_MS)
    visitor.press("close-reading")
    expect(visitor.key("reading")).to_be_hidden(timeout=PATIENCE_MS)


def test_the_time_axis_of_a_phone_fits_it_and_lets_the_page_scroll(visitor: Visitor) -> None:
    visitor.page.set_viewport_size({"width": 390, "height": 844})
    visitor.open_story()
    visitor.key("map-or-time").get_by_role("radio", name="Time").click()
    axis = visitor.key("phone-only-time")
    expect(axis.locator(".draglayer").first).to_be_attached(timeout=PATIENCE_MS)
    visitor.settle()
    expect(visitor.key("wide-only-time")).to_be_hidden()
    axis.scroll_into_view_if_needed()
    labels = axis.locator(".annotation-text")
    boxes = [box for label in labels.all() if (box := label.bounding_box()) is not None]
    assert len(boxes) > 4
    for number, one in enumerate(boxes):
        for other in boxes[number + 1 :]:
            is_beside = one["x"] + one["width"] <= other["x"] + 1 or other["x"] + other["width"] <= one["x"] + 1
            is_above = one["y"] + one["height"] <= other["y"] + 1 or other["y"] + other["height"] <= one["y"] + 1
            assert is_beside or is_above
    main = visitor.page.get_by_test_id("stMain")
    before = main.evaluate("one => one.scrollTop")
    box = axis.bounding_box()
    assert box is not None
    visitor.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    visitor.page.mouse.wheel(0, -200)
    visitor.until(lambda: main.evaluate("one => one.scrollTop") < before, lambda: "the page did not scroll")
