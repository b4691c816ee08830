"""Undo and redo by somebody in a hurry: the second press comes before the page has shown what the first did."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.small_map import open_documents
from tests.browser.visitor import PATIENCE_MS, Visitor

pytestmark = pytest.mark.browser
_PRESS_AS_SOON_AS_POSSIBLE = """async names => {
  for (const name of names) {
    let button = null;
    while (!(button = document.querySelector(`.st-key-${name} button:not([disabled])`)))
      await new Promise(done => setTimeout(done, 1));
    button.click();
  }
}"""


def test_what_was_ticked_comes_back_whole_and_nobody_ticks_it_again(newcomer: Visitor) -> None:
    open_documents(newcomer, "spaceflight")
    bar = newcomer.key("selection-bar")
    newcomer.press("select-all")
    expect(bar).to_contain_text(re.compile(r"\d+ documents selected"), timeout=PATIENCE_MS)
    newcomer.settle()
    told = bar.inner_text().splitlines()[0]
    for _ in range(4):
        newcomer.page.evaluate(_PRESS_AS_SOON_AS_POSSIBLE, ["undo-documents", "redo-documents"])
        newcomer.settle()
        expect(bar).to_contain_text(told, timeout=PATIENCE_MS)


def test_the_ends_of_a_story_come_back_and_nobody_chooses_them_again(newcomer: Visitor) -> None:
    first = newcomer.open_story()
    newcomer.press("surprise")
    second = newcomer.wait_for_headlines(lambda told: bool(told) and told != first)
    for _ in range(4):
        newcomer.page.evaluate(_PRESS_AS_SOON_AS_POSSIBLE, ["undo-desk", "redo-desk"])
        newcomer.settle()
        newcomer.wait_for_headlines(lambda told: told == second)
    newcomer.press("undo-desk")
    assert newcomer.wait_for_headlines(lambda told: told == first) == first
