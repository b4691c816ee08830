"""The report of a run in a real browser: figures are drawn, nothing is asked, and no text of a document runs."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from narrative_core.reports.methods import MethodParagraph, Parameter
from narrative_core.reports.run_html import run_html
from narrative_core.reports.run_tables import run_tables
from narrative_core.run_export_figures import run_figures
from narrative_core.run_results import results_of
from narrative_core.runs import RunTable
from tests.run_samples import sample_table

pytestmark = pytest.mark.browser

HOSTILE = "</script><script>window.ran = 1</script><img src=http://pictures.example/x onerror='window.ran = 1'>"


def hostile(table: RunTable) -> RunTable:
    """The same table with a judge whose name wants to run."""
    scores = table.seats[0]
    told = {name: getattr(scores, name) for name in scores.__slots__}
    return RunTable(table.run, table.stories, (type(scores)(**(told | {"label": HOSTILE})), *table.seats[1:]))


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    table = hostile(sample_table(12))
    results = results_of(table, n_resamples=50)
    figures = run_figures(table, results)
    paragraphs, parameters = (MethodParagraph("Judges", HOSTILE),), (Parameter("Judge 1", HOSTILE),)
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(run_html(table.run, run_tables(results), figures, paragraphs, parameters), encoding="utf-8")
    return path, len(figures)


@contextmanager
def reading(chromium: Browser, path: Path, width: int, height: int) -> Iterator[Page]:
    """A reader of the file; no complaint of the browser and no request for anything but the file."""
    context = chromium.new_context(viewport={"width": width, "height": height})
    page, complaints, asked = context.new_page(), [], []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    yield page
    assert page.evaluate("window.ran") is None
    context.close()
    assert complaints == []
    assert {address for address in asked if not address.startswith(("data:", "blob:"))} == {path.as_uri()}


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_figures_are_drawn_as_one_reads_and_fit_the_window(
    chromium: Browser, report: tuple[Path, int], width: int, height: int
) -> None:
    path, n_figures = report
    with reading(chromium, path, width, height) as page:
        assert page.evaluate("document.documentElement.scrollWidth") == width
        boxes = page.locator("figure[data-key]")
        assert boxes.count() == n_figures
        for place in range(n_figures):
            boxes.nth(place).scroll_into_view_if_needed()
            boxes.nth(place).locator("svg.main-svg").first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert HOSTILE.split("<img", maxsplit=1)[0] in page.locator("dd").first.inner_text()


def test_paper_has_every_figure_though_nobody_scrolled(chromium: Browser, report: tuple[Path, int]) -> None:
    path, n_figures = report
    with reading(chromium, path, 1440, 900) as page:
        assert page.locator("figure[data-key]:has(svg.main-svg)").count() < n_figures
        assert page.pdf(format="A4").startswith(b"%PDF")
        assert page.locator("figure[data-key]:has(svg.main-svg)").count() == n_figures


def test_a_figure_can_be_saved_as_a_picture(chromium: Browser, report: tuple[Path, int]) -> None:
    path, _ = report
    with reading(chromium, path, 1440, 900) as page:
        first = page.locator("figure[data-key]").first
        first.locator("svg.main-svg").first.wait_for()
        first.hover()
        assert first.locator(".modebar-btn").count() == 1
        with page.expect_download() as saved:
            first.locator(".modebar-btn").click()
        assert saved.value.suggested_filename == f"{first.get_attribute('data-key')}.svg"
