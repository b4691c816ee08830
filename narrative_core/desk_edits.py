"""What a person can do to a desk: each edit is a function from a desk to a desk and touches nothing else."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from narrative_core.curation import LinkEnds
from narrative_core.desk import Desk, endpoints
from narrative_core.errors import InvalidInput
from narrative_core.records import TrailRequest

_Key = TypeVar("_Key")


def ask(desk: Desk, request: TrailRequest | None) -> Desk:
    """Return the desk with another request; between other ends it is another story, with a note of its own."""
    if endpoints(request) != endpoints(desk.request):
        desk = replace(desk, note="", story_id="")
    return replace(desk, request=request)


def open_story(desk: Desk, request: TrailRequest | None, note: str, story_id: str) -> Desk:
    """Return the desk with a saved story on it; topics that it leaves out are those of the present map."""
    return replace(save_story(desk, request, note, story_id), map_fitted_at="")


def save_story(desk: Desk, request: TrailRequest | None, note: str, story_id: str) -> Desk:
    """Return the desk whose story was saved, as it was told and noted then."""
    return replace(desk, request=request, note=note, story_id=story_id)


def on_map(desk: Desk, fitted_at: str) -> Desk:
    """Return the desk on the present map; topics that are left out by their number on another map are let back in."""
    request = desk.request
    if request is not None and desk.map_fitted_at not in ("", fitted_at):
        request = replace(request, avoid_topics=())
    return replace(desk, request=request, map_fitted_at=fitted_at)


def pin(desk: Desk, document_id: str) -> Desk:
    """Return the desk with a document that the trail must pass; a ban on it is let go."""
    request = _request(desk)
    via = (*_without(request.via, document_id), document_id)
    return _asking(desk, via=via, avoid=_without(request.avoid, document_id))


def avoid(desk: Desk, document_id: str) -> Desk:
    """Return the desk with a document that the trail must leave out; a pin on it is let go."""
    request = _request(desk)
    banned = (*_without(request.avoid, document_id), document_id)
    return _asking(desk, avoid=banned, via=_without(request.via, document_id))


def release(desk: Desk, document_id: str) -> Desk:
    """Return the desk without a pin or a ban on a document."""
    request = _request(desk)
    return _asking(desk, via=_without(request.via, document_id), avoid=_without(request.avoid, document_id))


def avoid_source(desk: Desk, source: str) -> Desk:
    """Return the desk with a source none of whose documents may be inside the trail."""
    return _asking(desk, avoid_sources=(*_without(_request(desk).avoid_sources, source), source))


def allow_source(desk: Desk, source: str) -> Desk:
    """Return the desk without the ban on a source."""
    return _asking(desk, avoid_sources=_without(_request(desk).avoid_sources, source))


def avoid_topic(desk: Desk, topic: int) -> Desk:
    """Return the desk with a topic none of whose documents may be inside the trail."""
    return _asking(desk, avoid_topics=(*_without(_request(desk).avoid_topics, topic), topic))


def allow_topic(desk: Desk, topic: int) -> Desk:
    """Return the desk without the ban on a topic."""
    return _asking(desk, avoid_topics=_without(_request(desk).avoid_topics, topic))


def insert(desk: Desk, story: Sequence[str], document_id: str, *, after: str) -> Desk:
    """Return the desk with a document put into a story by hand, behind another one.

    Parameters
    ----------
    desk : Desk
    story : sequence of str
        The documents of the story as it stands; it becomes one made by hand.
    document_id, after : str

    Raises
    ------
    InvalidInput
        If the document is in the story already, or ``after`` is not.
    """
    if document_id in story:
        raise InvalidInput(f"The story has the document “{document_id}” already. Move it instead.")
    at = _place(story, after) + 1
    return by_hand(desk, (*story[:at], document_id, *story[at:]))


def remove(desk: Desk, story: Sequence[str], document_id: str) -> Desk:
    """Return the desk with a document taken out of a story by hand.

    Raises
    ------
    InvalidInput
        If the document is not in the story, or only two are.
    """
    _place(story, document_id)
    return by_hand(desk, _without(tuple(story), document_id))


def move(desk: Desk, story: Sequence[str], document_id: str, steps: int) -> Desk:
    """Return the desk with a document of a story moved by some steps, later where positive; at most to either end.

    Raises
    ------
    InvalidInput
        If the document is not in the story.
    """
    at = _place(story, document_id)
    others = _without(tuple(story), document_id)
    to = min(max(at + steps, 0), len(others))
    return by_hand(desk, (*others[:to], document_id, *others[to:]))


def by_hand(desk: Desk, story: Sequence[str]) -> Desk:
    """Return the desk with a story as a person has put it together; its ends become those of the request.

    A pin or ban on an end is let go.

    Raises
    ------
    InvalidInput
        If it has fewer than two documents, or one twice.
    """
    if len(story) < 2 or len(set(story)) < len(story):
        raise InvalidInput("A story needs at least two documents, each once. Put another one in first.")
    request, ends = _request(desk), (story[0], story[-1])
    via, avoid = (tuple(one for one in wished if one not in ends) for wished in (request.via, request.avoid))
    told = replace(request, source=story[0], target=story[-1], via=via, avoid=avoid, by_hand=tuple(story))
    return replace(desk, request=told)


def search_again(desk: Desk) -> Desk:
    """Return the desk with the trail that is found, in place of the story made by hand."""
    return _asking(desk)


def note_story(desk: Desk, note: str) -> Desk:
    """Return the desk with another note on the story."""
    return replace(desk, note=note.strip())


def note_document(desk: Desk, document_id: str, note: str) -> Desk:
    """Return the desk with another note on a document; an empty one is none."""
    return _curating(desk, document_notes=_with(desk.curation.document_notes, document_id, note.strip()))


def note_link(desk: Desk, ends: LinkEnds, note: str) -> Desk:
    """Return the desk with another note on a link; an empty one is none."""
    return _curating(desk, link_notes=_with(desk.curation.link_notes, ends, note.strip()))


def select(desk: Desk, document_ids: Iterable[str]) -> Desk:
    """Return the desk with other documents marked."""
    return replace(desk, selection=tuple(dict.fromkeys(document_ids)))


def exclude(desk: Desk, document_ids: Iterable[str]) -> Desk:
    """Return the desk with documents taken out of the collection: none stays marked.

    The request still names them, so that they are in the story again once they are restored; see `request_without`.
    """
    out = frozenset(document_ids)
    kept = replace(desk, selection=tuple(other for other in desk.selection if other not in out))
    return _curating(kept, excluded=desk.curation.excluded | out)


def restore(desk: Desk, document_ids: Iterable[str]) -> Desk:
    """Return the desk with documents back in the collection."""
    return _curating(desk, excluded=desk.curation.excluded - frozenset(document_ids))


def stand_alone(desk: Desk, document_ids: Iterable[str]) -> Desk:
    """Return the desk with documents taken out of their groups of copies."""
    return _curating(desk, standalone=desk.curation.standalone | frozenset(document_ids))


def rejoin(desk: Desk, document_ids: Iterable[str]) -> Desk:
    """Return the desk with documents back in their groups of copies."""
    return _curating(desk, standalone=desk.curation.standalone - frozenset(document_ids))


def date_document(desk: Desk, document_id: str, date_text: str) -> Desk:
    """Return the desk with a date that a person typed for a document; an empty one is that of the file again."""
    return _curating(desk, dates=_with(desk.curation.dates, document_id, date_text.strip()))


def rename_topic(desk: Desk, landscape_id: str, topic: int, label: str) -> Desk:
    """Return the desk with another name of a topic; an empty one is the name that was found."""
    labels = desk.curation.on_landscape(landscape_id).topic_labels
    return _naming(desk, landscape_id, topic_labels=_with(labels, topic, label.strip()))


def merge_topics(desk: Desk, landscape_id: str, topic: int, into: int) -> Desk:
    """Return the desk with a topic, and all that was merged into it, shown as part of another.

    Raises
    ------
    InvalidInput
        If a topic is merged into itself.
    """
    merged = desk.curation.on_landscape(landscape_id).merged_topics
    root = merged.get(into, into)
    if root == topic:
        raise InvalidInput("A topic cannot be merged into itself. Choose another.")
    moved = {part: root if whole == topic else whole for part, whole in merged.items()}
    return _naming(desk, landscape_id, merged_topics={**moved, topic: root})


def part_topic(desk: Desk, landscape_id: str, topic: int) -> Desk:
    """Return the desk with a topic that was merged into another on its own again."""
    merged = desk.curation.on_landscape(landscape_id).merged_topics
    return _naming(desk, landscape_id, merged_topics=_with(merged, topic, None))


def hide_topic(desk: Desk, landscape_id: str, topic: int) -> Desk:
    """Return the desk with a topic that is not drawn on the map."""
    hidden = desk.curation.on_landscape(landscape_id).hidden_topics
    return _naming(desk, landscape_id, hidden_topics=hidden | {topic})


def show_topic(desk: Desk, landscape_id: str, topic: int) -> Desk:
    """Return the desk with a hidden topic on the map again."""
    hidden = desk.curation.on_landscape(landscape_id).hidden_topics
    return _naming(desk, landscape_id, hidden_topics=hidden - {topic})


def request_without(request: TrailRequest, out: Collection[str]) -> TrailRequest:
    """Return a request that names none of some documents but at its ends: another end is a person's to choose."""
    stay = set(out) - {request.source, request.target}
    return replace(
        request,
        via=tuple(pin for pin in request.via if pin not in stay),
        avoid=tuple(ban for ban in request.avoid if ban not in stay),
        by_hand=tuple(step for step in request.by_hand if step not in stay),
    )


def _request(desk: Desk) -> TrailRequest:
    if desk.request is None:
        raise InvalidInput("There is no story on the desk. Choose where it begins and where it ends first.")
    return desk.request


def _asking(desk: Desk, **changes: Any) -> Desk:  # noqa: ANN401  the fields of TrailRequest
    """Return the desk with a changed request: the story is found anew, and no limit on its length stands."""
    return replace(desk, request=replace(_request(desk), **{"maximum_length": None, "by_hand": (), **changes}))


def _curating(desk: Desk, **changes: Any) -> Desk:  # noqa: ANN401  the fields of Curation
    return replace(desk, curation=replace(desk.curation, **changes))


def _naming(desk: Desk, landscape_id: str, **changes: Any) -> Desk:  # noqa: ANN401  the fields of Curation
    """Return the desk with other decisions about the topics of this landscape; those about another one are let go."""
    changed = replace(desk.curation.on_landscape(landscape_id), landscape_id=landscape_id, **changes)
    is_any = changed.topic_labels or changed.merged_topics or changed.hidden_topics
    return replace(desk, curation=changed if is_any else replace(changed, landscape_id=""))


def _with(values: Mapping[_Key, Any], key: _Key, value: object) -> dict[_Key, Any]:
    """Return a mapping with another value of a key; one that is empty is left out."""
    others = {other: kept for other, kept in values.items() if other != key}
    return others if value in ("", None) else {**others, key: value}


def _without(values: Sequence[_Key], value: _Key) -> tuple[_Key, ...]:
    return tuple(other for other in values if other != value)


def _place(story: Sequence[str], document_id: str) -> int:
    if document_id not in story:
        raise InvalidInput(f"The story has no document “{document_id}”. Choose one of its steps.")
    return list(story).index(document_id)
