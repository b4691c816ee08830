"""Small stories and good replies for the tests of judging."""

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import replace

from narrative_core.judgements import Mode, Shown, ShownStory
from narrative_core.judging.modes import MODES
from narrative_core.judging.wordings import WORDINGS, has_wording
from narrative_core.records import Document

NOUN = "news articles"
ALL_MODES: tuple[Mode, ...] = tuple(MODES)
ALL_ASKED: tuple[tuple[Mode, str], ...] = tuple(
    (mode, wording) for mode in MODES for wording in WORDINGS if has_wording(mode, wording)
)
"""Every mode in every wording that it has."""

_HEADLINES = (
    ("River rises after a week of rain", "Gauges at the old bridge passed the warning mark on Monday evening."),
    ("Lower town is told to leave", "Buses took families to the school on the hill through the night."),
    ("Dam gate jams, engineers called in", "The third gate would not open. A crew from the capital is on its way."),
    ("Water falls, the bridge stays closed", "Inspectors found cracks in two of the piers."),
    ("Council votes for a new bridge", "Nine of eleven members were in favour; building starts in spring."),
)


def sample_documents(n: int = 5) -> tuple[Document, ...]:
    """Return n dated documents of one story about a flood, named s1, s2, …; from the sixth on they repeat."""
    documents = []
    for number in range(n):
        title, text = _HEADLINES[number % len(_HEADLINES)]
        date = dt.date(2021, 3, 1) + dt.timedelta(days=3 * number)
        documents.append(Document(f"s{number + 1}", title, text, date, date.isoformat(), "day"))
    return tuple(documents)


def sample_story(n: int = 5, shown: Shown = "titles") -> ShownStory:
    """Return a story of n documents about a flood, called "news articles"."""
    return ShownStory(sample_documents(n), shown, NOUN)


def story_of_titles(titles: Sequence[str], shown: Shown = "titles") -> ShownStory:
    """Return a story whose documents have these titles, and the same words as text."""
    documents = sample_documents(len(titles))
    told = tuple(replace(document, title=title, text=title) for document, title in zip(documents, titles, strict=True))
    return ShownStory(told, shown, NOUN)


def good_values(
    mode: Mode, *, score: float = 7, is_explained: bool = True, weakest_transition: int = 2
) -> dict[str, object]:
    """Return the values of a reply in the form that is asked for; every criterion has the same score."""
    form = MODES[mode]
    values: dict[str, object] = {step.name: f"What I see of {step.title.lower()}." for step in form.steps}
    values |= {criterion.name: score for criterion in form.criteria} or {"score": score}
    if is_explained:
        values |= {"explanation": "Water first, then the bridge.", "weakest_transition": weakest_transition}
    return values


def good_reply(mode: Mode, *, score: float = 7, is_explained: bool = True, weakest_transition: int = 2) -> str:
    """Return the text of a reply in the form that is asked for; every criterion has the same score."""
    values = good_values(mode, score=score, is_explained=is_explained, weakest_transition=weakest_transition)
    return json.dumps(values)
