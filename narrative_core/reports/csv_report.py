"""Both stories of a pair as one table for a spreadsheet."""

import csv
import io
import math
from typing import Final

from narrative_core.records import Document, Link, SavedStory, Story
from narrative_core.reports.sentences import format_date

COLUMNS: Final = (
    *("story", "step", "document_id", "date_as_given", "date", "date_precision", "title", "source", "url"),
    *("strength_to_next", "wording_similarity", "topic_similarity", "days_to_next", "shared_terms", "weakest", "weak"),
)
_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def story_csv(saved: SavedStory) -> str:
    """Return one row a document, first of the trail, then of the random chronology (RFC 4180, no byte-order mark).

    The link columns say how a document leads to the next one and are empty in the last row of each story. ``date`` is
    the ISO day that the date counts as. Text that a spreadsheet would run as a formula is preceded by an apostrophe.
    """
    sheet = io.StringIO(newline="")
    writer = csv.writer(sheet, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for story in (saved.pair.trail, saved.pair.baseline):
        writer.writerows(_rows(story))
    return sheet.getvalue()


def safe_cell(text: str) -> str:
    """Return text that no spreadsheet takes for a formula.

    Examples
    --------
    >>> safe_cell("=1+1"), safe_cell("1+1")
    ("'=1+1", '1+1')
    """
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def _rows(story: Story) -> list[list[str]]:
    links: list[Link | None] = [*story.links, None]
    return [
        [story.kind, str(step), *_document_cells(document), *_link_cells(link)]
        for step, (document, link) in enumerate(zip(story.documents, links, strict=True), start=1)
    ]


def _document_cells(document: Document) -> list[str]:
    as_given = document.date_text or (format_date(document) if document.date else "")
    return [
        safe_cell(document.document_id),
        safe_cell(as_given),
        document.date.isoformat() if document.date else "",
        document.date_precision or "",
        safe_cell(document.title),
        safe_cell(document.source),
        safe_cell(document.url),
    ]


def _link_cells(link: Link | None) -> list[str]:
    if link is None:
        return [""] * 7
    return [
        _number(link.coherence),
        _number(link.wording_similarity),
        _number(link.topic_similarity),
        "" if link.days_between is None else str(link.days_between),
        safe_cell("; ".join(link.shared_terms)),
        _yes_or_no(link.is_weakest),
        _yes_or_no(link.is_weak),
    ]


def _number(value: float) -> str:
    return repr(float(value)) if math.isfinite(value) else ""


def _yes_or_no(value: bool) -> str:
    return "yes" if value else "no"
