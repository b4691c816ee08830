"""What a journalist does in a week, step by step, each with what must be on the screen then."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Download, Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.browser.visitor import PATIENCE_MS, Visitor
from tests.browser.week_samples import Item, news_csv

NAME, TITLE = "halvmouth-papers", "Halvmouth papers"
FIRST_ROW_PX = 52
BUILD_MS = 240_000
NOTE, LINK_NOTE, STORY_NOTE = "Ask the coast guard.", "Who paid for the booms?", "From the spill to the ballot."


@contextmanager
def person_at(chromium: Browser, address: str) -> Iterator[Visitor]:
    """A person with a fresh browser on a desktop screen; no page may complain or call out."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900}, color_scheme="light")
    person = Visitor(context.new_page(), address)
    yield person
    context.close()
    assert person.complaints == []
    assert person.calls_out == []


def upload(visitor: Visitor, path: Path, content: bytes) -> None:
    path.write_bytes(content)
    visitor.page.locator("[class*='st-key-import-file'] input[type=file]").set_input_files(path)


def see(visitor: Visitor, words: str | re.Pattern[str], *, timeout_ms: float = PATIENCE_MS) -> Locator:
    """Wait until words are on the page, and return the first place where they are; spaces may be unbreakable."""
    pattern = re.compile(r"\s".join(map(re.escape, words.split(" ")))) if isinstance(words, str) else words
    found = visitor.page.get_by_text(pattern).first
    expect(found).to_be_visible(timeout=timeout_ms)
    return found


def take_in(visitor: Visitor, items: list[Item], folder: Path) -> None:
    visitor.open("/collections")
    upload(visitor, folder / f"{TITLE}.csv", news_csv(items))
    see(visitor, f"{len(items)} rows, 6 columns")
    see(visitor, "Day and month cannot be told apart")
    see(visitor, "you can filter by them: desk.")
    go = visitor.key("import-go").get_by_role("button")
    expect(go).to_be_disabled()
    visitor.page.get_by_test_id("stRadio").get_by_text("day first").click()
    expect(go).to_be_enabled(timeout=PATIENCE_MS)
    go.click()
    see(visitor, f"{len(items)} rows read · {len(items)} documents kept · 2 without a date · 0 duplicates · 0 dropped")
    see(visitor, "1 group of copies, 4 documents")


def date_the_undated(visitor: Visitor) -> None:
    visitor.page.get_by_role("button", name="Give dates to 2 documents").first.click()
    see(visitor, "2 documents without a date.")
    visitor.settle()
    editor, press = visitor.page.locator("textarea.gdg-input"), visitor.page.keyboard.press
    visitor.until(lambda: _opens_first_date(visitor, editor), lambda: "no cell of the sheet can be written in")
    editor.fill("2022-05-09")
    press("Enter")  # which goes on to the row below
    see(visitor, "One document without a date.")
    visitor.settle()
    press("Enter")
    editor.fill("June 2022")
    press("Enter")
    see(visitor, "Every document has a date now.")
    visitor.settle()


def _opens_first_date(visitor: Visitor, editor: Locator) -> bool:
    """Try to open the date of the first row for writing: a sheet that is still being drawn hears nothing."""
    grid = visitor.page.get_by_test_id("stDataFrame")
    sheet = grid.bounding_box()
    assert sheet is not None
    visitor.page.mouse.click(sheet["x"] + 40, sheet["y"] + FIRST_ROW_PX)
    heads = grid.locator("canvas th")
    expect(heads.first).to_be_attached(timeout=PATIENCE_MS)
    column = next(at for at, name in enumerate(heads.all_text_contents()) if name.startswith("Date"))
    for key in (*["ArrowRight"] * column, "Enter"):
        visitor.page.keyboard.press(key)
    try:
        editor.wait_for(state="attached", timeout=3000)
    except PlaywrightTimeout:
        return False
    return True


def build(visitor: Visitor) -> None:
    visitor.go_to("Collections")
    visitor.press(f"build-{NAME}")
    expect(visitor.page.get_by_test_id("stProgress")).to_be_visible(timeout=PATIENCE_MS)
    expect(visitor.key(f"open-{NAME}")).to_be_visible(timeout=BUILD_MS)
    visitor.press(f"open-{NAME}")
    told = visitor.wait_for_headlines(lambda now: len(now) > 1)
    assert len(told) > 1


def downloaded(visitor: Visitor, button: Locator) -> bytes:
    return Path(download(visitor, button).path()).read_bytes()


def download(visitor: Visitor, button: Locator) -> Download:
    with visitor.page.expect_download(timeout=PATIENCE_MS) as caught:
        button.get_by_role("button").click()
    return caught.value


def repair(visitor: Visitor, found: list[str]) -> list[str]:
    """Put the best document into the first link of some months, take that back, and make it again."""
    told = [visitor.key(f"link-trail-{step}").inner_text() for step in range(len(found) - 1)]
    step = next(step for step, words in enumerate(told) if " months" in words)
    visitor.key(f"link-trail-{step}").get_by_test_id("stPopover").get_by_role("button").click()
    visitor.press(f"repair-{step}")
    dialog = visitor.page.get_by_role("dialog")
    expect(dialog).to_contain_text("weakest link of the story", timeout=PATIENCE_MS)
    visitor.press("put-in-0")
    expect(dialog).to_be_hidden(timeout=PATIENCE_MS)
    repaired = visitor.wait_for_headlines(lambda now: len(now) > len(found))
    assert [title for title in repaired if title in found] == found
    expect(visitor.key("hand-switch")).to_contain_text("Made by hand")
    visitor.press("undo-desk")
    visitor.wait_for_headlines(lambda now: now == found)
    visitor.press("redo-desk")
    return visitor.wait_for_headlines(lambda now: now == repaired)


def write_notes(visitor: Visitor, headlines: list[str]) -> None:
    """Write a note on the story, on a document and on a link."""
    write(visitor, visitor.page.get_by_label("Note on this story"), STORY_NOTE)
    visitor.key("step-trail-1").get_by_role("button").click()
    expect(visitor.key("reading")).to_contain_text(headlines[1], timeout=PATIENCE_MS)
    write(visitor, visitor.page.get_by_label("Note on this document"), NOTE)
    visitor.press("close-reading")
    visitor.key("link-trail-1").get_by_test_id("stPopover").get_by_role("button").click()
    write(visitor, visitor.page.get_by_label("Note on this link"), LINK_NOTE)
    visitor.page.keyboard.press("Escape")
    story = visitor.key("story-trail")
    expect(story).to_contain_text(NOTE, timeout=PATIENCE_MS)
    expect(story).to_contain_text(LINK_NOTE, timeout=PATIENCE_MS)


def write(visitor: Visitor, field: Locator, words: str) -> None:
    field.fill(words)
    field.press("Control+Enter")
    visitor.settle()


def take_report(visitor: Visitor, folder: Path) -> Path:
    visitor.key("take-away").get_by_role("button").first.click()
    button = visitor.page.get_by_role("button", name="Report", exact=True)
    with visitor.page.expect_download(timeout=PATIENCE_MS) as caught:
        button.click()
    path = folder / caught.value.suggested_filename
    caught.value.save_as(path)
    visitor.page.keyboard.press("Escape")
    return path


@contextmanager
def offline(chromium: Browser, path: Path) -> Iterator[Page]:
    """A reader of a file without a network; the file may ask for nothing."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900}, offline=True)
    page, complaints, asked = context.new_page(), list[str](), list[str]()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    yield page
    assert page.evaluate("document.documentElement.scrollWidth") <= 1440
    context.close()
    assert complaints == []
    assert {address for address in asked if not address.startswith("data:")} == {path.as_uri()}


def save(visitor: Visitor, name: str) -> None:
    visitor.page.locator("[class*='st-key-save-story']").get_by_role("button").first.click()
    form = visitor.page.get_by_test_id("stForm")
    form.get_by_label("Name").fill(name)
    form.get_by_role("button", name="Save this story").click()
    see(visitor, re.compile("Saved\\."))
    visitor.settle()
