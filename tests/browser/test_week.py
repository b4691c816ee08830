"""A journalist's week: a file, a map, a search, a story worked on and handed over, the project on another machine."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import running_app
from tests.browser.small_map import draw_around, open_documents, points, positions
from tests.browser.visitor import PATIENCE_MS, Place, Visitor
from tests.browser.week_samples import Item, a_week_later, news, news_csv, papers_zip
from tests.browser.week_steps import (
    BUILD_MS,
    LINK_NOTE,
    NAME,
    NOTE,
    STORY_NOTE,
    TITLE,
    build,
    date_the_undated,
    downloaded,
    offline,
    person_at,
    repair,
    save,
    see,
    take_in,
    take_report,
    upload,
    write_notes,
)

pytestmark = pytest.mark.browser

FIRST, LAST = "spill-00", "election-22"
STORY = f"/?collection={NAME}&from={FIRST}&to={LAST}"


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
    titles = {item.title for item in narrowed}
    visitor.wait_for_list(lambda listed: set(listed) == titles)
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
    places = list(points(visitor).values())
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
    visitor.wait_for_value("Note on this story", "")
    visitor.press("undo-desk")
    assert visitor.wait_for_headlines(lambda now: now == found) == found


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
    see(visitor, "7 texts read by the model · 7 placed on the map", timeout_ms=BUILD_MS)
    open_documents(visitor, NAME)
    after = positions(visitor)
    assert len(after) == len(before) + 5
    stayed = sorted(set(before) - {item.item_id for item in items[10:12]})
    assert_same_picture([before[one] for one in stayed], [after[one] for one in stayed])


def assert_same_picture(before: list[Place], after: list[Place]) -> None:
    """The window may have widened for new documents; within it nothing moved."""
    for old, new in zip(np.transpose(before), np.transpose(after), strict=True):
        slope, start = np.polyfit(old, new, 1)
        assert 0.5 < slope < 1.5
        assert np.abs(slope * old + start - new).max() < 0.1


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
    titles = {item.title for item in items[:12]}
    visitor.wait_for_list(lambda listed: set(listed) == titles)
