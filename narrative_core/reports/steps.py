"""A story as a reader meets it: dated headlines with what lies between them, ready for any page."""

import math
from dataclasses import dataclass

from narrative_core.records import Link, Story
from narrative_core.reports.addresses import web_address
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


@dataclass(frozen=True, slots=True)
class StepLink:
    """What lies between a document and the next: the words, and ``percent`` (0 to 100) for the bar."""

    strength: str
    percent: float
    gap: str
    terms: str
    warning: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Step:
    """One document of a story. ``marker`` is A, 2, 3, … B; ``address`` is empty where there is nothing to link to."""

    marker: str
    date: str
    moment: str
    title: str
    source: str
    address: str
    link: StepLink | None


def story_steps(story: Story, *, median_link: float = math.nan) -> tuple[Step, ...]:
    """Return the documents of a story in order, each with its link to the next (``None`` for the last)."""
    last = len(story.documents) - 1
    return tuple(
        Step(
            marker="A" if number == 0 else "B" if number == last else str(number + 1),
            date=format_date(document),
            moment=document.iso_date,
            title=format_title(document),
            source=plain_line(document.source),
            address=web_address(document.url),
            link=None if number == last else _step_link(story, number, median_link),
        )
        for number, document in enumerate(story.documents)
    )


def _step_link(story: Story, number: int, median_link: float) -> StepLink:
    link: Link = story.links[number]
    first, second = story.documents[number], story.documents[number + 1]
    return StepLink(
        strength=format_strength(link.coherence),
        percent=round(100 * min(max(link.coherence, 0.0), 1.0), 1) if math.isfinite(link.coherence) else 0.0,
        gap=gap_between(first, second),
        terms=format_terms(link.shared_terms),
        warning=weak_label(link, is_only=len(story.links) == 1, median_link=median_link),
        sentence=link_sentence(link, first, second),
    )
