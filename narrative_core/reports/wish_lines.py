"""What was wished of a story, by name: pins, bans, the longest gap, and that it was put together by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from narrative_core.counting import count
from narrative_core.records import Document, StoryPair, TrailRequest
from narrative_core.reports.sentences import format_list, plain_line, quote_title

MADE_BY_HAND: Final = "A person chose these documents and their order. The links were measured as those of any trail."
MOST_NAMED: Final = 12
"""Documents, sources or topics that one wish names; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Names:
    """What a story does not carry: titles of ``documents`` by id, labels of ``topics`` by number.

    ``collection`` is the title of its collection, empty where it is known by its short name only.
    """

    documents: Mapping[str, str] = field(default_factory=dict)
    topics: Mapping[int, str] = field(default_factory=dict)
    collection: str = ""


NO_NAMES: Final = Names()


def told_wishes(pair: StoryPair, names: Names = NO_NAMES) -> tuple[str, ...]:
    """Return each wish of the request of a pair as a line without a full stop; none where nothing was wished.

    A document is named by its headline where the story or ``names`` has it, else by its id. A story that was made by
    hand fulfils no wishes, so none is told of it; `MADE_BY_HAND` says what it is.

    Examples
    --------
    >>> from narrative_core.records import Story
    >>> story = Story("trail", (), (), 0.0, 0.0, 0.0)
    >>> request = TrailRequest("a", "b", maximum_gap_days=30, avoid_sources=("TASS",))
    >>> told_wishes(StoryPair(request, story, story, 0, (), 0, 0, 0.0))
    ('Avoids the source TASS', 'No gap over 30 days')
    """
    request = pair.request
    if request.is_edited:
        return ()
    known = dict(names.documents)
    known |= {document.document_id: document.title for document in pair.trail.documents}
    documents = {"Passes through": request.via, "Avoids": request.avoid}
    lines = [
        f"{verb} {_listed([_quoted(known.get(document_id, ''), document_id) for document_id in ids])}"
        for verb, ids in documents.items()
        if ids
    ]
    lines += _named("source", request.avoid_sources)
    lines += _named("topic", [names.topics.get(topic) or f"number {topic + 1}" for topic in request.avoid_topics])
    return (*lines, *_limits(request))


def _named(noun: str, found: Sequence[str]) -> list[str]:
    words = _listed([plain_line(name) or "without a name" for name in found])
    return [f"Avoids the {noun}{'s' if len(found) > 1 else ''} {words}"] if found else []


def _limits(request: TrailRequest) -> list[str]:
    lines = []
    if request.maximum_gap_days is not None:
        lines.append(f"No gap over {count(request.maximum_gap_days, 'day')}")
    if request.maximum_length is not None:
        lines.append(f"At most {count(request.maximum_length, 'document')}")
    if not request.is_chronological:
        lines.append("Need not follow the order of dates")
    return lines


def _quoted(title: str, document_id: str) -> str:
    is_titled = bool(plain_line(title))
    return quote_title(Document(document_id, title, "")) if is_titled else f"the document {plain_line(document_id)}"


def _listed(words: Sequence[str]) -> str:
    return format_list(words, most=MOST_NAMED)
