"""A researcher's journey: a run, its results, the story behind a point, another run beside it, a question in SQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.conftest import running_app
from tests.browser.visitor import PATIENCE_MS, Visitor

pytestmark = pytest.mark.browser

PAIRS = 24


@pytest.fixture
def visitor(chromium: Browser, tmp_path: Path) -> Iterator[Visitor]:
    """A person in front of an app of their own; no page may complain or call out."""
    with running_app(tmp_path) as address:
        context = chromium.new_context(viewport={"width": 1440, "height": 900}, color_scheme="light")
        person = Visitor(context.new_page(), address)
        yield person
        context.close()
        assert person.complaints == []
        assert person.calls_out == []


def section(visitor: Visitor, title: str) -> None:
    """Go to a section of the results by the contents list."""
    visitor.key("results-contents").get_by_text(title, exact=True).click()
    visitor.settle()


def points(visitor: Visitor, figure: str) -> Locator:
    """Return the points of a figure, whatever run it is of."""
    return visitor.page.locator(f"[class*='st-key-figure-{figure}'] .scatterlayer .trace .points path.point")


def test_a_run_is_forecast_started_read_clicked_through_and_asked_about(visitor: Visitor) -> None:
    visitor.open("/new-run")
    pairs = visitor.key("run-pairs-trails").locator("input")
    expect(pairs).to_be_visible(timeout=PATIENCE_MS)
    pairs.fill(str(PAIRS))
    pairs.press("Enter")
    flow = visitor.key("ask-for-flow").locator("input")
    if flow.is_checked():
        visitor.key("ask-for-flow").locator("label").first.click()
        expect(flow).not_to_be_checked(timeout=PATIENCE_MS)
    visitor.press("plan-trails")
    expect(visitor.page.get_by_text(f"{2 * PAIRS} stories", exact=False).first).to_be_visible(timeout=PATIENCE_MS)
    visitor.press("start-trails")

    expect(visitor.page.get_by_role("heading", name="Results")).to_be_visible(timeout=PATIENCE_MS)
    told = visitor.page.get_by_text(f"{PAIRS} pairs · {2 * PAIRS} stories", exact=False)
    expect(told).to_be_visible(timeout=PATIENCE_MS)
    expect(visitor.page.get_by_text("Coherence by method").first).to_be_visible(timeout=PATIENCE_MS)
    address = visitor.page.url
    assert "run=" in address

    section(visitor, "Judges against coherence")
    expect(points(visitor, "scatter-minimum-1").first).to_be_visible(timeout=PATIENCE_MS)
    visitor.settle()
    points(visitor, "scatter-minimum-1").first.click(force=True)
    dialog = visitor.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Pair", timeout=PATIENCE_MS)
    expect(dialog).to_contain_text("Lexical reader", timeout=PATIENCE_MS)
    visitor.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden(timeout=PATIENCE_MS)

    visitor.page.goto(address)
    expect(told).to_be_visible(timeout=PATIENCE_MS)

    visitor.open("/sql")
    visitor.press("sql-run")
    expect(visitor.page.get_by_text(" rows in ", exact=False)).to_be_visible(timeout=PATIENCE_MS)
