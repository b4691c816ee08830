"""A person asks a judge about the story on the screen: choose, forecast, run, read, reload."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.conftest import running_app
from tests.browser.visitor import PATIENCE_MS, Visitor
from tests.judging.judging_samples import good_reply
from tests.judging.scripted_server import Asked, ScriptedServer, Step, completion, scripted

pytestmark = pytest.mark.browser

JUDGE = "gpt-4.1, standard, 3 agents"
REASON = "Water first, then the bridge."
N_AT_FIRST, N_ANSWERS = 2, 6
MOST_MOVED_PX = 2.0


@pytest.fixture(scope="module")
def rest_may_come() -> threading.Event:
    """Set when the endpoint may give more than its first two answers."""
    return threading.Event()


@pytest.fixture(scope="module")
def endpoint(rest_may_come: threading.Event) -> Iterator[ScriptedServer]:
    """An endpoint that gives 7 points and reasons, and stands still after its first two answers."""
    n_given = 0

    def script(asked: Asked) -> Step:
        nonlocal n_given
        if n_given >= N_AT_FIRST:
            rest_may_come.wait(PATIENCE_MS / 1000)
        n_given += 1
        return completion(good_reply("standard"))

    with scripted(script) as server:
        try:
            yield server
        finally:
            rest_may_come.set()


@pytest.fixture
def visitor(chromium: Browser, endpoint: ScriptedServer, tmp_path: Path) -> Iterator[Visitor]:
    """A person in front of an app that has an endpoint; no page may complain or call out."""
    with running_app(tmp_path, OPENAI_BASE_URL=endpoint.url, OPENAI_API_KEY="sk-test", NO_PROXY="127.0.0.1") as address:
        context = chromium.new_context(viewport={"width": 1440, "height": 900}, color_scheme="light")
        person = Visitor(context.new_page(), address)
        yield person
        context.close()
        assert person.complaints == []
        assert person.calls_out == []


def line(visitor: Visitor, judge: str) -> Locator:
    """Return the line of a judge, which opens."""
    return visitor.key("judges").locator("[class*='st-key-said-']").filter(has_text=judge).first


def opener(part: Locator) -> Locator:
    return part.locator("summary").first


def top(part: Locator) -> float:
    box = part.bounding_box()
    assert box is not None
    return box["y"]


def test_a_judge_is_chosen_forecast_asked_read_and_still_there_after_a_reload(
    visitor: Visitor, endpoint: ScriptedServer, rest_may_come: threading.Event
) -> None:
    visitor.open_story()
    expect(opener(line(visitor, "Lexical reader"))).to_contain_text("trail", timeout=PATIENCE_MS)

    visitor.press("ask-judges")
    flow = visitor.key("ask-for-flow").locator("input")
    expect(flow).to_be_attached(timeout=PATIENCE_MS)
    if flow.is_checked():
        visitor.key("ask-for-flow").locator("label").first.click()
        expect(flow).not_to_be_checked(timeout=PATIENCE_MS)
    visitor.key("ask-modes").get_by_text("Standard").click()
    expect(visitor.key("ask-form")).to_contain_text(f"{N_ANSWERS} answers to get.", timeout=PATIENCE_MS)
    assert endpoint.asked == []

    visitor.press("ask-go")
    expect(visitor.key("judges")).to_contain_text(f"{N_AT_FIRST} of {N_ANSWERS} answers", timeout=PATIENCE_MS)
    expect(visitor.key("stop-judging")).to_be_visible()
    expect(visitor.key("ask-go")).to_have_count(0)

    asked = line(visitor, JUDGE)
    opener(asked).click()
    expect(asked.get_by_text(REASON).first).to_be_visible(timeout=PATIENCE_MS)
    place = top(asked)
    rest_may_come.set()
    expect(visitor.key("stop-judging")).to_have_count(0, timeout=PATIENCE_MS)
    expect(opener(asked)).to_contain_text("trail 7.0 ± 0.0", timeout=PATIENCE_MS)
    expect(opener(asked)).to_contain_text("random 7.0 ± 0.0", timeout=PATIENCE_MS)
    expect(asked.get_by_text(REASON).first).to_be_visible()
    assert abs(top(asked) - place) <= MOST_MOVED_PX
    agents = asked.locator("[class*='st-key-agents-trail-']")
    expect(agents.get_by_text("Agent 2: 7.0")).to_be_hidden()
    opener(agents).click()
    expect(agents.get_by_text("Agent 2: 7.0")).to_be_visible()

    n_asked = len(endpoint.asked)
    visitor.page.reload()
    visitor.settle()
    again = line(visitor, JUDGE)
    expect(opener(again)).to_contain_text("trail 7.0 ± 0.0", timeout=PATIENCE_MS)
    opener(again).click()
    expect(again.get_by_text(REASON).first).to_be_visible(timeout=PATIENCE_MS)
    expect(again.get_by_text("3 asked, all ok").first).to_be_visible()
    assert len(endpoint.asked) == n_asked
