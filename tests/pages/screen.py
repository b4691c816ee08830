"""Opening the app without a browser, and reading what is on the screen."""

import re
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from typing import TypeVar

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Widget

from narrative_core.ui.resources import OPENING_ENDPOINTS

_Field = TypeVar("_Field", bound=Widget)

PROJECT = Path(__file__).resolve().parents[2]
STORIES = "pages/explore/stories.py"
EXPLORE = "pages/explore/explore.py"
COLLECTIONS = "pages/manage/collections.py"
SETTINGS = "pages/manage/settings.py"
JUDGES = "pages/manage/judges.py"
HEALTH = "pages/manage/health.py"

GAGARIN, CABANA = OPENING_ENDPOINTS["spaceflight"]
"""The documents that Spaceflight opens on."""


def open_app(**address: str) -> AppTest:
    """Open the app at an address, as ``from_="a"`` for ``?from=a``."""
    screen = AppTest.from_file(str(PROJECT / "app.py"), default_timeout=60)
    for name, value in address.items():
        screen.query_params[name.rstrip("_")] = value
    return screen.run()


def open_page(page: str) -> AppTest:
    """Open the app and go to a page, from the one that is quickest to draw: pages are known after a first run only."""
    screen = AppTest.from_file(str(PROJECT / "app.py"), default_timeout=60)
    return screen.switch_page(SETTINGS).run().switch_page(page).run()


def steps(screen: AppTest, kind: str = "trail") -> list[str]:
    """Return the headlines of a story on the screen, without the escapes of Markdown; empty where there is none."""
    found = [button for button in screen.button if str(button.key).startswith(f"step-{kind}-")]
    return [unescaped(button.label) for button in found]


def keys(screen: AppTest) -> set[str]:
    """Return the keys of all buttons."""
    return {str(button.key) for button in screen.button}


def field(fields: Iterable[_Field], name: str) -> _Field:
    """Return a field by its name, however often what it shows was changed elsewhere (`mirror.show`)."""
    (found,) = [one for one in fields if re.fullmatch(rf"(\d+-)?{re.escape(name)}", str(one.key))]
    return found


def unescaped(markdown: str) -> str:
    """Return what a person reads of Markdown that has escapes and invisible word joiners only."""
    return re.sub(r"\\(.)", r"\1", markdown).replace("\u2060", "")


def markdown_pieces(screen: AppTest) -> list[str]:
    """Return everything on the screen that is read as Markdown: texts, labels, tooltips, notices."""
    texts = [
        *screen.markdown, *screen.caption, *screen.warning, *screen.info, *screen.error, *screen.success,
        *screen.toast, *screen.title, *screen.header, *screen.subheader,
    ]  # fmt: skip
    labels = [*screen.button, *screen.download_button, *screen.get("popover"), *screen.expander, *screen.toggle]
    tips = [str(getattr(widget, "help", "") or "") for widget in screen.button]
    return [*(str(text.value) for text in texts), *(_label(widget) for widget in labels), *tips]


def html_pieces(screen: AppTest) -> list[str]:
    """Return everything on the screen that is read as HTML."""
    return [str(piece.value) for piece in screen.html]


def words(screen: AppTest) -> str:
    """Return all the words on the screen, without markup."""
    return "\n".join([*map(unescaped, markdown_pieces(screen)), *(html_words(piece) for piece in html_pieces(screen))])


def html_words(html: str) -> str:
    """Return the text of a piece of HTML."""
    return _Page(html).words


def html_tags(html: str) -> set[str]:
    """Return the tags of a piece of HTML, and its attributes as ``@name``."""
    return _Page(html).tags


class _Page(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.words, self.tags = "", set[str]()
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags |= {tag, *(f"@{name}" for name, _ in attrs)}

    def handle_data(self, data: str) -> None:
        self.words += data


def _label(widget: object) -> str:
    label = getattr(widget, "label", "")
    proto = getattr(widget, "proto", None)
    return str(label or getattr(proto, "label", ""))
