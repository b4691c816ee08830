"""A story as a reader meets it: dated headlines with what lies between them, ready for any page."""

import math
from dataclasses import dataclass
from typing import Final

from narrative_core.curation import Annotations
from narrative_core.records import Document, Link, Story
from narrative_core.reports.addresses import paper_address, web_address
from narrative_core.reports.sentences import (
    format_date,
    format_strength,
    format_terms,
    format_title,
    gap_between,
    link_sentence,
    plain_line,
    weak_label,
)

LEAD_WORDS: Final = 40
LONGEST_LEAD: Final = 320
"""Words and characters of the lead of a document; the latter is for scripts that put no space between words."""


@dataclass(frozen=True, slots=True)
class StepLink:
    """What lies between a document and the next: the words, ``percent`` (0 to 100) for the bar, a person's note."""

    strength: str
    percent: float
    gap: str
    terms: str
    warning: str
    sentence: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One document of a story. ``marker`` is A, 2, 3, … B; ``address`` is empty where there is nothing to link to.

    ``lead`` is how its text begins · ``copies`` "and 3 copies of it", empty where there are none · ``note`` a person's,
    lines and all.
    """

    marker: str
    date: str
    moment: str
    title: str
    source: str
    address: str
    link: StepLink | None
    lead: str = ""
    copies: str = ""
    note: str = ""

    @property
    def paper_address(self) -> str:
        """The address as it is printed on paper."""
        return paper_address(self.address) if self.address else ""


def story_steps(
    story: Story, *, median_link: float = math.nan, annotations: Annotations | None = None
) -> tuple[Step, ...]:
    """Return the documents of a story in order, each with its link to the next (``None`` for the last).

    ``annotations`` are the notes and copies that stand beside them; without these there are none.
    """
    last, beside = len(story.documents) - 1, annotations or Annotations()
    return tuple(
        Step(
            marker="A" if number == 0 else "B" if number == last else str(number + 1),
            date=format_date(document),
            moment=document.iso_date,
            title=format_title(document),
            source=plain_line(document.source),
            address=web_address(document.url),
            link=None if number == last else _step_link(story, number, median_link, beside),
            lead=document_lead(document),
            copies=copies_words(beside.copies.get(document.document_id, 0)),
            note=plain_lines(beside.document_notes.get(document.document_id, "")),
        )
        for number, document in enumerate(story.documents)
    )


def document_lead(document: Document) -> str:
    """Return how the text of a document begins, about 40 words and "…"; a headline that it repeats is left out.

    Examples
    --------
    >>> document_lead(Document("d1", "Liftoff", "Liftoff\\nThe rocket left  the pad."))
    'The rocket left the pad.'
    >>> len(document_lead(Document("d1", "", "word " * 60)).split())
    40
    """
    title, text = plain_line(document.title), plain_line(document.text)
    told = text.removeprefix(title).lstrip(" .:-–—") if title else text
    words = told.split(" ")
    lead = " ".join(words[:LEAD_WORDS])
    if len(lead) > LONGEST_LEAD:
        lead = lead[:LONGEST_LEAD].rsplit(" ", 1)[0]
    return lead if lead == told else f"{lead.rstrip(' ,;:.-–—')}…"


def plain_lines(text: str) -> str:
    """Return text of several lines, each of them plain."""
    return "\n".join(plain_line(line) for line in text.strip().splitlines())


def copies_words(number: int) -> str:
    """Return how many further copies of a document there are, empty where there are none.

    Examples
    --------
    >>> copies_words(1), copies_words(3), copies_words(0)
    ('and 1 copy of it', 'and 3 copies of it', '')
    """
    if number < 1:
        return ""
    return "and 1 copy of it" if number == 1 else f"and {number:,} copies of it"


def _step_link(story: Story, number: int, median_link: float, annotations: Annotations) -> StepLink:
    link: Link = story.links[number]
    first, second = story.documents[number], story.documents[number + 1]
    return StepLink(
        strength=format_strength(link.coherence),
        percent=round(100 * min(max(link.coherence, 0.0), 1.0), 1) if math.isfinite(link.coherence) else 0.0,
        gap=gap_between(first, second),
        terms=format_terms(link.shared_terms),
        warning=weak_label(link, is_only=len(story.links) == 1, median_link=median_link),
        sentence=link_sentence(link, first, second),
        note=plain_lines(annotations.link_notes.get((link.source, link.target), "")),
    )
