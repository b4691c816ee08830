"""A person in front of the app: what they can do, what they see, and what goes wrong behind their back."""

import io
import re
import time
from collections.abc import Callable
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import ConsoleMessage, FloatRect, Locator, Page, expect

from narrative_core.ui.resources import OPENING_ENDPOINTS

FIRST_STORY = "/?collection=spaceflight&from={}&to={}".format(*OPENING_ENDPOINTS["spaceflight"])
PATIENCE_MS = 90_000
LOCAL_HOSTS = {"localhost", "127.0.0.1"}
REST_MS = 120
Place = tuple[float, float]
_IS_AT_REST = """rest => {
  const told = document.querySelector('[data-testid=stApp]')?.dataset, now = performance.now();
  if (told?.testScriptState !== 'notRunning' || told.testConnectionState !== 'CONNECTED') window.busyAt = now;
  return now - window.busyAt >= rest;
}"""
_TELL_OF_ACCIDENTS = """
new MutationObserver(changes => {
  for (const change of changes) for (const node of change.addedNodes) {
    const said = (node.textContent || '').match(/Something went wrong[^]{0,80}|encountered an error[^]{0,80}/);
    if (said && !['SCRIPT', 'STYLE'].includes(node.nodeName)) console.error('on the page: ' + said[0]);
  }
}).observe(document, {childList: true, subtree: true});
"""


class Visitor:
    """Drives one page.

    ``complaints`` are errors in its console and words of an accident on the page, ``calls_out`` requests to another
    machine.
    """

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.complaints: list[str] = []
        self.calls_out: list[str] = []
        page.set_default_timeout(PATIENCE_MS)
        page.set_default_navigation_timeout(PATIENCE_MS)
        page.add_init_script(_TELL_OF_ACCIDENTS)
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self._watch(request.url))
        page.on("websocket", lambda socket: self._watch(socket.url))

    def open(self, path: str = "/") -> None:
        """Go to an address of the app and wait for the page to be whole."""
        self.page.goto(self.address + path)
        self.settle()

    def settle(self) -> None:
        """Wait until the app has drawn all that it is going to: between two runs it rests for a moment."""
        self.page.evaluate("window.busyAt = performance.now()")
        self.page.wait_for_function(_IS_AT_REST, arg=REST_MS, timeout=PATIENCE_MS)

    def wait_for_list(self, is_right: Callable[[list[str]], bool]) -> list[str]:
        """Return the headlines of the list of documents as soon as they are right."""
        found = self.key("documents-list").locator("[class*='st-key-read-'] button")
        self.until(lambda: is_right(found.all_inner_texts()), lambda: f"the list is {found.all_inner_texts()}")
        return found.all_inner_texts()

    def open_story(self, path: str = FIRST_STORY) -> list[str]:
        """Open the Explore page and wait for a whole story and its map; return its headlines.

        Without a path it is the story that Spaceflight opens on, whatever others have left on the desk.
        """
        self.open(path)
        expect(self.key("story-trail")).to_be_visible(timeout=PATIENCE_MS)
        expect(self.map.locator("canvas").first).to_be_visible(timeout=PATIENCE_MS)
        self.settle()
        return self.headlines()

    def key(self, name: str) -> Locator:
        """Return the part of the page that has a key."""
        return self.page.locator(f".st-key-{name}")

    def press(self, name: str) -> None:
        """Press the button of a key."""
        self.key(name).get_by_role("button").click()

    def go_to(self, title: str) -> None:
        """Go to another page by the links at the top."""
        self.page.get_by_test_id("stTopNavLink").filter(has_text=title).click()
        self.settle()

    def headlines(self, kind: str = "trail") -> list[str]:
        """Return the headlines of a story on the screen."""
        return self.key(f"story-{kind}").locator(f"[class*='st-key-step-{kind}-'] button").all_inner_texts()

    def wait_for_headlines(self, is_right: Callable[[list[str]], bool], kind: str = "trail") -> list[str]:
        """Return the headlines as soon as they are right."""
        self.until(lambda: is_right(self.headlines(kind)), lambda: f"the {kind} is {self.headlines(kind)}")
        self.settle()
        return self.headlines(kind)

    def until(self, is_so: Callable[[], bool], told: Callable[[], str]) -> None:
        """Wait until something is so; fail with what is the case instead."""
        deadline = time.monotonic() + PATIENCE_MS / 1000
        while not is_so():
            if time.monotonic() > deadline:
                raise AssertionError(told())
            self.page.wait_for_timeout(100)

    def wait_for_value(self, label: str, value: str) -> None:
        """Wait until there is one field of a label, and it holds a value: a former one may still be on its way out."""
        fields = self.page.get_by_label(label)

        def held() -> object:
            return fields.evaluate_all("fields => fields.map(field => field.value)")

        self.until(lambda: held() == [value], lambda: f"“{label}” holds {held()}, not “{value}”")

    @property
    def map(self) -> Locator:
        """The map of the documents."""
        return self.page.get_by_test_id("stDeckGlJsonChart")

    def map_box(self) -> FloatRect:
        """Return where the map is on the screen."""
        self.map.scroll_into_view_if_needed()
        box = self.map.bounding_box()
        assert box is not None
        return box

    def hover(self, place: Place) -> str:
        """Point at a place on the map, from its upper left corner, and return the headline that the map shows."""
        box = self.map_box()
        self.page.mouse.move(box["x"] + place[0], box["y"] + place[1] - 1)
        self.page.mouse.move(box["x"] + place[0], box["y"] + place[1])
        # The map looks under the pointer once a frame: two frames later it has.
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        tip = self.map.locator(".deck-tooltip")
        return tip.locator("div").first.inner_text() if tip.is_visible() else ""

    def find_on_map(self, place: Place, title: str) -> None:
        """Point at a place on the map until it shows a headline."""
        shown = [""]

        def is_shown() -> bool:
            shown[0] = plain(self.hover(place))
            return shown[0] == plain(title)

        self.until(is_shown, lambda: f"the map shows “{shown[0]}” at {place}, not “{title}”")

    def leave_map(self) -> None:
        """Move the pointer off the map."""
        self.page.mouse.move(2, 2)
        expect(self.map.locator(".deck-tooltip")).to_be_hidden(timeout=PATIENCE_MS)

    def pixels(self, place: Place, *, radius: int = 4) -> NDArray[np.int16]:
        """Return what the map looks like around a place."""
        box = self.map_box()
        x, y = round(box["x"] + place[0]), round(box["y"] + place[1])
        clip: FloatRect = {"x": x - radius, "y": y - radius, "width": 2 * radius, "height": 2 * radius}
        picture = Image.open(io.BytesIO(self.page.screenshot(clip=clip))).convert("RGB")
        return np.asarray(picture, dtype=np.int16)

    def _watch(self, url: str) -> None:
        parts = urlsplit(url)
        is_local = parts.scheme in {"http", "https", "ws", "wss"} and parts.hostname in LOCAL_HOSTS
        if not is_local and parts.scheme not in {"data", "blob"}:
            self.calls_out.append(url)

    def _hear(self, message: ConsoleMessage) -> None:
        # Opened at "/collections", Streamlit first looks for its server below that path, is told 404, and then finds
        # it one level up; nothing of ours can answer there.
        url = str(message.location.get("url", ""))
        is_probe = re.search(r"/[\w-]+/_stcore/(health|host-config)$", url) is not None and "404" in message.text
        if message.type == "error" and not is_probe:
            self.complaints.append(f"{message.text} {url}")


def plain(text: str) -> str:
    """Return text without the invisible signs that a tooltip needs, on one line."""
    return " ".join(text.replace("\u2060", "").split())
