"""A journalist's week: a file, a map, a search, a story worked on and handed over, the project on another machine."""

import csv
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Download, Locator, Page, expect

from tests.browser.conftest import running_app
from tests.browser.small_map import draw_around, open_documents, points, positions
from tests.browser.visitor import PATIENCE_MS, Visitor
from tests.browser.week_samples import Item, a_week_later, news, news_csv, papers_zip

pytestmark = pytest.mark.browser

NAME, TITLE = "halvmouth-papers", "Halvmouth papers"
FIRST, LAST = "spill-00", "election-22"
STORY = f"/?collection={NAME}&from={FIRST}&to={LAST}"
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


@pytest.fixture(scope="module")
def items() -> list[Item]:
    return news()


@pytest.fixture(scope="module")
def newsroom(chromium: Browser, items: list[Item], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the app answers, after the papers were brought to it, dated and mapped, all of it in the browser."""
    with running_app(tmp_path_factory.mktemp("newsroom")) as address:
        with person_at(chromium, address) as person:
            take_in(person, items, tmp_path_factory.mktemp("desk"))
            date_the_undated(person)
            build(person)
        yield address


@pytest.fixture
def visitor(chromium: Browser, newsroom: str) -> Iterator[Visitor]:
    with person_at(chromium, newsroom) as person:
        yield person


def upload(visitor: Visitor, path: Path, content: bytes) -> None:
    path.write_bytes(content)
    visitor.page.locator("[class*='st-key-import-file'] input[type=file]").set_input_files(path)


def see(visitor: Visitor, words: str | re.Pattern[str]) -> Locator:
    """Wait until words are on the page, and return the first place where they are; spaces may be unbreakable."""
    pattern = re.compile(r"\s".join(map(re.escape, words.split(" ")))) if isinstance(words, str) else words
    found = visitor.page.get_by_text(pattern).first
    expect(found).to_be_visible(timeout=PATIENCE_MS)
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
    sheet = visitor.page.get_by_test_id("stDataFrame").bounding_box()
    assert sheet is not None
    visitor.page.mouse.click(sheet["x"] + 40, sheet["y"] + FIRST_ROW_PX)
    heads = visitor.page.get_by_test_id("stDataFrame").locator("canvas th")
    expect(heads.first).to_be_attached(timeout=PATIENCE_MS)
    column = next(at for at, name in enumerate(heads.all_text_contents()) if name.startswith("Date"))
    press = visitor.page.keyboard.press
    for _ in range(column):
        press("ArrowRight")
    for typed, left in (
        ("2022-05-09", "One document without a date."),
        ("June 2022", "Every document has a date now."),
    ):
        press("Enter")
        visitor.page.locator("textarea.gdg-input").fill(typed)
        press("Enter")  # which goes on to the row below
        see(visitor, left)
        visitor.settle()


def build(visitor: Visitor) -> None:
    visitor.go_to("Collections")
    visitor.press(f"build-{NAME}")
    expect(visitor.page.get_by_test_id("stProgress")).to_be_visible(timeout=PATIENCE_MS)
    expect(visitor.key(f"open-{NAME}")).to_be_visible(timeout=BUILD_MS)
    visitor.press(f"open-{NAME}")
    told = visitor.wait_for_headlines(lambda now: len(now) > 1)
    assert len(told) > 1


def listed(visitor: Visitor) -> list[str]:
    return visitor.key("documents-list").locator("[class*='st-key-read-'] button").all_inner_texts()


def test_a_search_and_a_column_of_the_file_narrow_the_list(visitor: Visitor, items: list[Item]) -> None:
    open_documents(visitor, NAME)
    see(visitor, f"1–25 of {len(items)} documents")
    box = visitor.page.get_by_role("searchbox", name="Search the documents")
    box.fill("onwu")
    box.press("Enter")
    found = [item for item in items if "Onwu" in item.title + item.text]
    see(visitor, f"of {len(found)} documents" if len(found) > 25 else f"{len(found)} documents")
    expect(visitor.key("documents-list").locator("mark").first).to_have_text("Onwu", timeout=PATIENCE_MS)
    visitor.key("facet-extras-desk").get_by_text("politics").click()
    expect(visitor.key("chip-extra-desk-politics")).to_be_visible(timeout=PATIENCE_MS)
    visitor.settle()
    narrowed = [item for item in found if item.desk == "politics"]
    assert 0 < len(narrowed) < len(found)
    see(visitor, f"{len(narrowed)} documents")
    assert set(listed(visitor)) == {item.title for item in narrowed}
    visitor.press("chip-extra-desk-politics")
    see(visitor, f"{len(found)} documents")


def test_copies_of_a_wire_report_stand_together_and_can_be_taken_apart(visitor: Visitor) -> None:
    open_documents(visitor, NAME, "&state=copies")
    group = visitor.page.locator("[class*='st-key-copies-']").filter(has_text="4 documents").first
    expect(group).to_be_visible(timeout=PATIENCE_MS)
    expect(group.locator("[class*='st-key-read-copy-']")).to_have_count(4)
    visitor.press("out-wire-0")
    expect(visitor.key("back-wire-0")).to_be_visible(timeout=PATIENCE_MS)
    visitor.press("undo-documents")
    expect(visitor.key("out-wire-0")).to_be_visible(timeout=PATIENCE_MS)


def test_a_lasso_gives_a_count_and_the_documents_as_a_table(visitor: Visitor) -> None:
    open_documents(visitor, NAME)
    places = points(visitor)
    middle = sorted(y for _, y in places)[len(places) // 2]
    inside = [place for place in places if place[1] > middle]
    xs, ys = zip(*inside, strict=True)
    draw_around(visitor, min(xs) - 8, middle + 0.5, max(xs) + 8, max(ys) + 8)
    bar = visitor.key("selection-bar")
    expect(bar).to_contain_text(re.compile(r"\d+ documents selected"), timeout=PATIENCE_MS)
    visitor.settle()
    n = int(bar.inner_text().split()[0])
    assert abs(n - len(inside)) <= 2  # those that a pixel decides about
    rows = list(csv.DictReader(io.StringIO(downloaded(visitor, visitor.key("selection-csv")).decode("utf-8-sig"))))
    assert len(rows) == n
    assert {row["desk"] for row in rows} <= {"harbour", "city", "politics"}
    visitor.press("undo-documents")
    expect(bar).to_be_hidden(timeout=PATIENCE_MS)


def downloaded(visitor: Visitor, button: Locator) -> bytes:
    return Path(download(visitor, button).path()).read_bytes()


def download(visitor: Visitor, button: Locator) -> Download:
    with visitor.page.expect_download(timeout=PATIENCE_MS) as caught:
        button.get_by_role("button").click()
    return caught.value


def test_a_story_is_repaired_noted_taken_back_and_handed_over(
    visitor: Visitor, chromium: Browser, tmp_path: Path
) -> None:
    found = visitor.open_story(STORY)
    repaired = repair(visitor, found)
    write_notes(visitor, repaired)
    report = take_report(visitor, tmp_path)
    with offline(chromium, report) as page:
        words = page.locator("body").inner_text()
    for told in (*repaired, NOTE, LINK_NOTE, STORY_NOTE, "made by hand", "How this was made"):
        assert told in words
    story = visitor.key("story-trail")
    for gone in (LINK_NOTE, NOTE):
        visitor.press("undo-desk")
        expect(story).not_to_contain_text(gone, timeout=PATIENCE_MS)
    visitor.press("undo-desk")
    expect(visitor.page.get_by_label("Note on this story")).to_have_value("", timeout=PATIENCE_MS)
    visitor.press("undo-desk")
    assert visitor.wait_for_headlines(lambda now: now == found) == found


def repair(visitor: Visitor, found: list[str]) -> list[str]:
    """Put the best document between the first two, take that back, and make it again."""
    visitor.key("link-trail-0").get_by_test_id("stPopover").get_by_role("button").click()
    visitor.press("repair-0")
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


def test_the_project_opens_elsewhere_to_the_same_story_on_the_same_map(
    visitor: Visitor, chromium: Browser, tmp_path: Path
) -> None:
    told = visitor.open_story(STORY)
    save(visitor, "Spill to ballot")
    open_documents(visitor, NAME)
    places = positions(visitor)
    visitor.go_to("Collections")
    visitor.page.locator(f"[class*='st-key-more-{NAME}']").get_by_role("button").first.click()
    package = downloaded(visitor, visitor.key(f"project-{NAME}"))
    with running_app(tmp_path) as elsewhere, person_at(chromium, elsewhere) as colleague:
        colleague.open("/collections")
        upload(colleague, tmp_path / f"{NAME}.zip", package)
        see(colleague, re.compile(r"120 documents.*1 saved story"))
        colleague.press("project-go")
        expect(colleague.key(f"open-{NAME}")).to_be_visible(timeout=PATIENCE_MS)
        open_documents(colleague, NAME)
        assert positions(colleague) == places
        colleague.go_to("Stories")
        see(colleague, "Spill to ballot")
        colleague.page.locator("[class*='st-key-open-']").get_by_role("button").first.click()
        assert colleague.wait_for_headlines(lambda now: now == told) == told


def save(visitor: Visitor, name: str) -> None:
    visitor.page.locator("[class*='st-key-save-story']").get_by_role("button").first.click()
    form = visitor.page.get_by_test_id("stForm")
    form.get_by_label("Name").fill(name)
    form.get_by_role("button", name="Save this story").click()
    see(visitor, re.compile("Saved\\."))
    visitor.settle()


def test_the_same_file_a_week_later_shows_what_is_new_and_changed_and_places_it(
    visitor: Visitor, items: list[Item], tmp_path: Path
) -> None:
    open_documents(visitor, NAME)
    before = positions(visitor)
    visitor.go_to("Collections")
    visitor.page.locator(f"[class*='st-key-more-{NAME}']").get_by_role("button").first.click()
    visitor.press(f"update-{NAME}")
    see(visitor, f"Choose a newer file of “{TITLE}”")
    upload(visitor, tmp_path / "again.csv", news_csv(a_week_later(items)))
    see(visitor, "125 rows, 6 columns")
    visitor.page.get_by_test_id("stRadio").get_by_text("day first").click()
    visitor.press("import-compare")
    see(visitor, f"5 new · 2 changed · {len(items) - 2} unchanged · 0 not in the file")
    see(visitor, "7 texts are read by WordLlama")
    visitor.press("import-update")
    see(visitor, "7 texts read by the model · 7 placed on the map")
    open_documents(visitor, NAME)
    after = positions(visitor)
    assert len(after) == len(before) + 5
    changed = {item.item_id for item in items[10:12]}
    assert {one: after[one] for one in before if one not in changed} == {
        one: place for one, place in before.items() if one not in changed
    }


def test_a_zip_of_texts_pages_and_mails_becomes_a_collection(
    visitor: Visitor, items: list[Item], tmp_path: Path
) -> None:
    visitor.open("/collections")
    upload(visitor, tmp_path / "papers.zip", papers_zip(items[:12]))
    see(visitor, "12 files")
    visitor.press("import-go")
    see(visitor, "12 documents kept")
    open_documents(visitor, "papers")
    see(visitor, "12 documents")
    assert set(listed(visitor)) == {item.title for item in items[:12]}
