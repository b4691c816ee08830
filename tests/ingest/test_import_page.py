"""docs/import.md names limits and thresholds; they are those of the code."""

import tomllib
from pathlib import Path

import pytest

from narrative_core.ingest.archives import MAX_ARCHIVE_BYTES
from narrative_core.ingest.documents import MAX_CHARACTERS
from narrative_core.ingest.feed_address import MAX_FEED_BYTES, MAX_REDIRECTS, MAX_TOTAL_S
from narrative_core.ingest.file_kinds import format_of
from narrative_core.ingest.file_table import MAX_FILE_BYTES, MAX_FILES, MAX_TOTAL_BYTES, MAX_TOTAL_CHARACTERS
from narrative_core.ingest.near_duplicates import MOST_DAYS, SAME_SHARE
from narrative_core.ingest.parquet import MAX_UNPACKED_BYTES as MAX_PARQUET_BYTES
from narrative_core.ingest.raw_rows import MAX_CELLS, MAX_COLUMNS
from narrative_core.ingest.sizes import MAX_BYTES
from narrative_core.ingest.tables import MAX_ROWS
from narrative_core.ingest.workbooks import MAX_UNPACKED_BYTES as MAX_WORKBOOK_BYTES

PROJECT = Path(__file__).parents[2]
PAGE = " ".join((PROJECT / "docs" / "import.md").read_text(encoding="utf-8").split())


def mb(n_bytes: int) -> str:
    return f"{n_bytes / 1e6:,.0f} MB"


@pytest.mark.parametrize(
    "told",
    [
        f"| CSV, TSV, JSON, JSON lines | {mb(MAX_BYTES['csv'])} |",
        f"| BibTeX, RIS, a feed as a file | {mb(MAX_BYTES['feed'])} |",
        f"| {mb(MAX_FEED_BYTES)}, in {MAX_TOTAL_S:.0f} seconds, after {MAX_REDIRECTS} redirects |",
        f"| Excel | {mb(MAX_BYTES['xlsx'])}, unpacked {mb(MAX_WORKBOOK_BYTES)} |",
        f"| Parquet | {mb(MAX_BYTES['parquet'])}, unpacked {mb(MAX_PARQUET_BYTES)} |",
        f"| a zip | {mb(MAX_ARCHIVE_BYTES)} |",
        f"| {MAX_FILES:,} files, {mb(MAX_TOTAL_BYTES)}, {MAX_TOTAL_CHARACTERS / 1e6:,.0f} million characters |",
        f"| one file of them | {mb(MAX_FILE_BYTES)} |",
        f"| rows, columns, and cells in all | {MAX_ROWS:,}, {MAX_COLUMNS:,} and {MAX_CELLS:,} |",
        f"| one value | {MAX_CHARACTERS:,} characters;",
        f"share at least {SAME_SHARE} of their runs of four words and are at most {MOST_DAYS} days apart",
    ],
)
def test_a_limit_in_the_page_is_that_of_the_code(told: str) -> None:
    assert told in PAGE


def test_limits_that_the_page_gives_for_several_kinds_are_one() -> None:
    assert MAX_BYTES["csv"] == MAX_BYTES["json"] == MAX_BYTES["jsonl"]
    assert MAX_BYTES["feed"] == MAX_BYTES["bibtex"] == MAX_BYTES["ris"]
    assert MAX_BYTES["zip"] == MAX_ARCHIVE_BYTES
    assert MAX_BYTES["folder"] == MAX_TOTAL_BYTES


def test_what_the_browser_may_send_is_what_streamlit_is_told() -> None:
    config = tomllib.loads((PROJECT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert f"| a file handed over in the browser | {config['server']['maxUploadSize']} MB;" in PAGE


@pytest.mark.parametrize("ending", [".txt", ".md", ".html", ".pdf", ".docx", ".eml"])
def test_the_files_that_the_page_names_are_read(ending: str) -> None:
    assert f"`{ending}`" in PAGE
    assert format_of(f"a{ending}") is not None
