"""Documents that are files, from the browser: a few at once, a folder with folders in it."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import PATIENCE_MS, Visitor
from tests.browser.week_steps import see
from tests.ingest.file_samples import PROSE, docx, pdf

pytestmark = pytest.mark.browser


def filled(folder: Path) -> Path:
    """Fill a folder with a text, a PDF in a folder of its own, a Word file and a table."""
    (folder / "may").mkdir(parents=True)
    (folder / "a.txt").write_text(f"The bridge\n\n{PROSE}")
    (folder / "may" / "b.pdf").write_bytes(pdf(PROSE))
    (folder / "c.docx").write_bytes(docx(PROSE))
    (folder / "prices.csv").write_text("title\nBridge\n")
    return folder


def test_a_few_files_are_understood_as_a_document_each(newcomer: Visitor, tmp_path: Path) -> None:
    folder = filled(tmp_path / "papers")
    newcomer.open("/collections")
    field = newcomer.page.locator("[class*='st-key-import-file'] input[type=file]")
    field.set_input_files([folder / "a.txt", folder / "c.docx", folder / "prices.csv"])
    see(newcomer, "3 files, encoding utf-8")
    see(newcomer, "1 file cannot be read").click()
    see(newcomer, "prices.csv is a table among documents: import it by itself")


def test_a_folder_is_understood_with_the_folders_in_it_and_stored(newcomer: Visitor, tmp_path: Path) -> None:
    folder = filled(tmp_path / "papers")
    newcomer.open("/collections")
    newcomer.page.get_by_text("A folder of documents").click()
    newcomer.page.locator("[class*='st-key-import-folder'] input[type=file]").set_input_files(folder)
    see(newcomer, "papers: 4 files")
    expect(newcomer.page.get_by_label("Name of the collection")).to_have_value("papers", timeout=PATIENCE_MS)
    newcomer.press("import-go")
    see(newcomer, "“papers” is stored.")
    assert newcomer.complaints == []
