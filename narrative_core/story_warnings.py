"""What an editor should know of a story before it is used: one voice, one event twice, long silences, odd steps."""

import datetime as dt
import math
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Final, Literal

from narrative_core.counting import count
from narrative_core.extraction import LoadedCollection
from narrative_core.records import Document, Link, SavedStory, Story, StoryPair
from narrative_core.reports.sentences import (
    format_list,
    format_strength,
    gap_between,
    plain_line,
    quote_title,
)
from narrative_core.time_axis import duration_words, meant_days
from narrative_core.trails.baselines import documents_between

WarningKind = Literal["single source", "duplicate event", "long gap", "backwards", "below floor", "undated"]

SAME_EVENT_WORDING: Final = 0.88
"""Wording similarity S from which two documents of one or two days are taken to tell one event.

S = 0.88 is a cosine of 0.93. In 540 news articles on protests in Cuba, read by the local model, all but one in a
hundred of the pairs of one or two days lie below 0.86, and those from 0.88 on are reports of one event; in the
spaceflight and presidents collections none comes near. A model that finds all texts alike needs a higher one.
"""

SAME_EVENT_DAYS: Final = 1
LONG_GAP_MEDIANS: Final = 3.0
LONG_GAP_SHARE: Final = 0.1
LONG_GAP_DAYS: Final = 14
"""A silence shorter than two weeks is no gap, however dense the rest of the story is."""

_FEWEST_TOLD: Final = 3
_MOST_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class StoryWarning:
    """One thing to know of a story, in a sentence, and the documents that it is about, by id, in story order."""

    kind: WarningKind
    sentence: str
    document_ids: tuple[str, ...]


def pair_warnings(loaded: LoadedCollection, pair: StoryPair) -> tuple[StoryWarning, ...]:
    """Return the warnings on a trail, with all that its collection knows."""
    first, last = loaded.rows([pair.trail.documents[0].document_id, pair.trail.documents[-1].document_id])
    between = (
        documents_between(loaded.graph, first, last) if pair.request.is_chronological else range(len(loaded.documents))
    )
    sources = {loaded.documents[row].source.strip() for row in between} - {""}
    return story_warnings(pair.trail, copies=loaded.copies, floor=loaded.graph.floor, n_sources=len(sources))


def saved_warnings(saved: SavedStory) -> tuple[StoryWarning, ...]:
    """Return the warnings on a saved trail, from what was saved: its collection may have changed or be gone.

    Groups of copies and the floor are not known then. Of the sources, those of the random chronology are.
    """
    inner = (*saved.pair.trail.documents[1:-1], *saved.pair.baseline.documents[1:-1])
    return story_warnings(saved.pair.trail, n_sources=len({document.source.strip() for document in inner} - {""}))


def story_warnings(
    story: Story,
    *,
    copies: Mapping[str, Sequence[str]] | None = None,
    floor: float = math.nan,
    n_sources: int = 0,
) -> tuple[StoryWarning, ...]:
    """Return the warnings on a story, the gravest kind first.

    *Single source*: all documents, at least three, come from one; or more than half of at least three between the ends
    do, though there are three sources or more to tell from. *Duplicate event*: two documents are copies of each other,
    or consecutive ones of at most a day apart are worded alike (S ≥ `SAME_EVENT_WORDING`). *Long gap*: more than three
    times the median gap, more than a tenth of the span, and at least two weeks, counted from the last day that the
    earlier date may mean. *Backwards*: a step back in time.
    *Below floor*: a link that no search would use. *Undated*: a document without a date.

    Parameters
    ----------
    story : Story
    copies : mapping of str to sequence of str, optional
        For each document of a group of copies, the ids of the whole group.
    floor : float
        The weakest link that a search uses; nan where it is not known.
    n_sources : int
        Sources of the documents that could be told between the ends.
    """
    return (
        *_single_source(story, n_sources),
        *_duplicates(story, copies or {}),
        *_backwards(story),
        *_below_floor(story, floor),
        *_undated(story),
        *_long_gaps(story),
    )


def _single_source(story: Story, n_sources: int) -> list[StoryWarning]:
    told = _most_common_source(story.documents)
    if len(told) == len(story.documents) >= _FEWEST_TOLD:
        sentence = f"All {len(told):,} documents come from one source, {plain_line(told[0].source)}."
        return [StoryWarning("single source", sentence, _ids(told))]
    inner = story.documents[1:-1]
    told = _most_common_source(inner)
    if n_sources < 3 or len(inner) < _FEWEST_TOLD or len(told) * 2 <= len(inner):
        return []
    sentence = (
        f"{len(told):,} of the {len(inner):,} documents between the ends come from one source, "
        f"{plain_line(told[0].source)}, though there are {n_sources:,} to tell from."
    )
    return [StoryWarning("single source", sentence, _ids(told))]


def _most_common_source(documents: Sequence[Document]) -> list[Document]:
    named = Counter(document.source.strip() for document in documents if document.source.strip())
    source = named.most_common(1)[0][0] if named else None
    return [document for document in documents if document.source.strip() == source]


def _duplicates(story: Story, copies: Mapping[str, Sequence[str]]) -> list[StoryWarning]:
    warnings = []
    for first, second in combinations(story.documents, 2):
        if second.document_id in copies.get(first.document_id, ()):
            sentence = f"{quote_title(first)} and {quote_title(second)} are copies of one text: one event told twice."
            warnings.append(StoryWarning("duplicate event", sentence, _ids([first, second])))
    known = {warning.document_ids for warning in warnings}
    for first, second, link in _steps(story):
        if _ids([first, second]) not in known and _is_same_event(first, second, link):
            sentence = (
                f"{quote_title(first)} and {quote_title(second)} may tell one event twice: {_when(first, second)}, in "
                f"nearly the same words (wording {format_strength(link.wording_similarity)})."
            )
            warnings.append(StoryWarning("duplicate event", sentence, _ids([first, second])))
    return warnings


def _is_same_event(first: Document, second: Document, link: Link) -> bool:
    is_by_day = first.date_precision == second.date_precision == "day"
    is_near = link.days_between is not None and abs(link.days_between) <= SAME_EVENT_DAYS
    return is_by_day and is_near and link.wording_similarity >= SAME_EVENT_WORDING


def _backwards(story: Story) -> list[StoryWarning]:
    steps = [(first, second) for first, second, _ in _steps(story) if gap_between(first, second).endswith(" back")]
    if not steps:
        return []
    named = [
        f"from {quote_title(first)} to {quote_title(second)} ({gap_between(first, second)})" for first, second in steps
    ]
    goes = "goes" if len(steps) == 1 else "go"
    sentence = f"{count(len(steps), 'step')} {goes} back in time: {format_list(named, most=_MOST_NAMED)}."
    return [StoryWarning("backwards", sentence, _ids_of(steps))]


def _below_floor(story: Story, floor: float) -> list[StoryWarning]:
    steps = [(first, second, link) for first, second, link in _steps(story) if link.coherence < floor]
    if not steps:
        return []
    named = [
        f"from {quote_title(first)} to {quote_title(second)} ({format_strength(link.coherence)})"
        for first, second, link in steps
    ]
    are = "is" if len(steps) == 1 else "are"
    sentence = (
        f"{count(len(steps), 'link')} {are} weaker than {format_strength(floor)}, below which no search of this "
        f"collection goes: {format_list(named, most=_MOST_NAMED)}."
    )
    return [StoryWarning("below floor", sentence, _ids_of([(first, second) for first, second, _ in steps]))]


def _undated(story: Story) -> list[StoryWarning]:
    undated = [document for document in story.documents if document.date is None]
    if not undated:
        return []
    named = format_list([quote_title(document) for document in undated], most=_MOST_NAMED)
    have = "has" if len(undated) == 1 else "have"
    sentence = f"{count(len(undated), 'document')} {have} no date, so the order in time is unsure: {named}."
    return [StoryWarning("undated", sentence, _ids(undated))]


def _long_gaps(story: Story) -> list[StoryWarning]:
    dated = [(document, days) for document in story.documents if (days := meant_days(document))]
    gaps = [_silence(first, second) for (_, first), (_, second) in pairwise(dated)]
    if not gaps:
        return []
    starts = [start for _, (start, _) in dated]
    typical, span = statistics.median(abs(gap) for gap in gaps), (max(starts) - min(starts)).days
    limit = max(LONG_GAP_MEDIANS * typical, LONG_GAP_SHARE * span)
    told = duration_words(round(typical))
    usual = f"the typical gap is {told}" if told else "most of the story is told within days"
    return [
        StoryWarning(
            "long gap",
            f"Nothing is told for {duration_words(gap)} between {quote_title(first)} and {quote_title(second)}; "
            f"{usual}.",
            _ids([first, second]),
        )
        for ((first, _), (second, _)), gap in zip(pairwise(dated), gaps, strict=True)
        if gap > limit and gap >= LONG_GAP_DAYS
    ]


def _silence(first: tuple[dt.date, dt.date], second: tuple[dt.date, dt.date]) -> int:
    """Return the days between two dates in whatever way they are meant, negative where the second begins before."""
    (start, last), (next_start, next_last) = first, second
    return max((next_start - last).days, 0) if start <= next_start else -max((start - next_last).days, 0)


def _steps(story: Story) -> list[tuple[Document, Document, Link]]:
    return list(zip(story.documents[:-1], story.documents[1:], story.links, strict=True))


def _when(first: Document, second: Document) -> str:
    gap = gap_between(first, second)
    return "on the same day" if gap == "same day" else "a day apart"


def _ids(documents: Sequence[Document]) -> tuple[str, ...]:
    return tuple(document.document_id for document in documents)


def _ids_of(steps: Sequence[tuple[Document, Document]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(document.document_id for step in steps for document in step))
