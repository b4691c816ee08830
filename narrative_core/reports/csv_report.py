"""Both stories of a pair as one table for a spreadsheet, and what judges say of them as another."""

import csv
import io
import math
from collections.abc import Iterable, Sequence
from typing import Final

from narrative_core.curation import Annotations
from narrative_core.judgements import Judgement, Verdict
from narrative_core.records import Document, Link, SavedStory, Story, StoryKind
from narrative_core.reports.judged_pairs import judged_pairs
from narrative_core.reports.sentences import format_date

COLUMNS: Final = (
    *("story", "step", "document_id", "date_as_given", "date", "date_precision", "title", "source", "url"),
    *("strength_to_next", "wording_similarity", "topic_similarity", "days_to_next", "shared_terms", "weakest", "weak"),
    *("copies", "note", "note_on_link"),
)
JUDGEMENT_COLUMNS: Final = (
    *("story", "judge", "model", "endpoint", "mode", "agent", "temperature", "seed", "shown", "status", "score"),
    *("criteria", "weakest_link_after_step", "link_scores", "explanation", "message", "input_tokens", "output_tokens"),
    *("seconds", "cost_usd", "refused_parameters", "place", "asked_at", "prompt_hash", "question_id"),
)
_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def story_csv(saved: SavedStory) -> str:
    """Return one row a document, first of the trail, then of the random chronology (RFC 4180, no byte-order mark).

    The link columns say how a document leads to the next one and are empty in the last row of each story. ``copies``
    are further ones of the same text in the collection, ``note`` and ``note_on_link`` a person's. ``date`` is the ISO
    day that the date counts as. Text that a spreadsheet would run as a formula is preceded by an apostrophe.
    """
    stories = (saved.pair.trail, saved.pair.baseline)
    return sheet_csv(COLUMNS, (row for story in stories for row in _rows(story, saved.annotations)))


def judgements_csv(verdicts: Sequence[Verdict]) -> str:
    """Return one row an agent and story, by judge, the trail first and the median agent first (RFC 4180).

    ``weakest_link_after_step`` is the ``step`` of `story_csv` whose link to the next the agent names; ``agent`` counts
    from 1. Empty is unknown or none. What judges wrote is made safe as there.
    """
    return sheet_csv(
        JUDGEMENT_COLUMNS,
        (
            _judgement_cells(verdict.kind, judgement)
            for judged in judged_pairs(verdicts)
            for verdict in judged.verdicts
            for judgement in verdict.judgements
        ),
    )


def safe_cell(text: str) -> str:
    """Return text that no spreadsheet takes for a formula.

    Examples
    --------
    >>> safe_cell("=1+1"), safe_cell("1+1")
    ("'=1+1", '1+1')
    """
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def sheet_csv(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return the names of the columns and the rows, all of them as they are (RFC 4180)."""
    sheet = io.StringIO(newline="")
    writer = csv.writer(sheet, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return sheet.getvalue()


def number_cell(value: float | None) -> str:
    """Return a number unrounded, "" where it is unknown."""
    return repr(float(value)) if value is not None and math.isfinite(value) else ""


def whole_cell(value: int | None) -> str:
    """Return a whole number, "" where it is unknown."""
    return "" if value is None else str(value)


def _judgement_cells(kind: StoryKind, judgement: Judgement) -> list[str]:
    asked, step = judgement.question, judgement.weakest_step
    criteria = "; ".join(
        f"{criterion.name} {number_cell(criterion.score)}".rstrip() for criterion in judgement.criteria
    )
    return [
        *(kind, asked.judge, safe_cell(asked.model), safe_cell(asked.endpoint), asked.mode or "", str(asked.agent + 1)),
        *(
            number_cell(asked.temperature),
            whole_cell(asked.seed),
            asked.shown,
            judgement.status,
            number_cell(judgement.score),
        ),
        *(safe_cell(criteria), whole_cell(None if step is None else step + 1)),
        safe_cell("; ".join(map(number_cell, judgement.link_scores))),
        *(safe_cell(judgement.explanation), safe_cell(judgement.message)),
        *(whole_cell(judgement.input_tokens), whole_cell(judgement.output_tokens)),
        *(number_cell(judgement.seconds), number_cell(judgement.cost_usd), safe_cell("; ".join(judgement.dropped))),
        *(str(judgement.place), safe_cell(judgement.asked_at), safe_cell(asked.prompt_hash), asked.question_id),
    ]


def _rows(story: Story, annotations: Annotations) -> list[list[str]]:
    links: list[Link | None] = [*story.links, None]
    return [
        [story.kind, str(step), *_document_cells(document), *_link_cells(link), *_beside(document, link, annotations)]
        for step, (document, link) in enumerate(zip(story.documents, links, strict=True), start=1)
    ]


def _beside(document: Document, link: Link | None, annotations: Annotations) -> list[str]:
    on_link = annotations.link_notes.get((link.source, link.target), "") if link else ""
    return [
        str(annotations.copies.get(document.document_id, 0)),
        safe_cell(annotations.document_notes.get(document.document_id, "")),
        safe_cell(on_link),
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
        number_cell(link.coherence),
        number_cell(link.wording_similarity),
        number_cell(link.topic_similarity),
        "" if link.days_between is None else str(link.days_between),
        safe_cell("; ".join(link.shared_terms)),
        _yes_or_no(link.is_weakest),
        _yes_or_no(link.is_weak),
    ]


def _yes_or_no(value: bool) -> str:
    return "yes" if value else "no"
