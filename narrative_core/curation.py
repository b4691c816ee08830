"""What a person has decided about a collection, beside its files: an overlay, so that all of it can be taken back.

The documents, vectors and landscape in the store stay as they were imported and fitted; `pipeline.load` lays the
overlay on them.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

LinkEnds = tuple[str, str]
"""The two documents of a link, by id, in story order."""


@dataclass(frozen=True, slots=True)
class Curation:
    """Decisions about the documents and topics of one collection.

    Parameters
    ----------
    excluded : frozenset of str
        Documents that are on no map, in no search and in no story until they are restored.
    standalone : frozenset of str
        Documents that a person took out of their group of copies.
    dates : mapping of str to str
        By document id, a date as a person typed it, in place of the one in the file.
    document_notes : mapping of str to str
        By document id.
    link_notes : mapping of (str, str) to str
        By the two documents of the link.
    landscape_id : str
        The landscape whose topics the next three are about; on another one they do not count.
    topic_labels : mapping of int to str
        A topic's name in place of the one that was found.
    merged_topics : mapping of int to int
        A topic that is shown as part of another; the other is no key itself.
    hidden_topics : frozenset of int
        Topics that are not drawn on the map.
    """

    excluded: frozenset[str] = frozenset()
    standalone: frozenset[str] = frozenset()
    dates: Mapping[str, str] = field(default_factory=dict)
    document_notes: Mapping[str, str] = field(default_factory=dict)
    link_notes: Mapping[LinkEnds, str] = field(default_factory=dict)
    landscape_id: str = ""
    topic_labels: Mapping[int, str] = field(default_factory=dict)
    merged_topics: Mapping[int, int] = field(default_factory=dict)
    hidden_topics: frozenset[int] = frozenset()

    def shown_topic(self, topic: int) -> int:
        """Return the topic that a topic is shown as part of; itself where it was merged into none."""
        return self.merged_topics.get(topic, topic)

    def on_landscape(self, landscape_id: str) -> "Curation":
        """Return what counts on a landscape: decisions about the topics of another one do not."""
        if self.landscape_id == landscape_id:
            return self
        return replace(self, landscape_id="", topic_labels={}, merged_topics={}, hidden_topics=frozenset())


def arrangement_key(curation: Curation) -> str:
    """Return a short text that differs wherever other documents take part, or other dates count; empty for none."""
    return _key(sorted(curation.excluded), sorted(curation.dates.items()))


def arranged_landscape(landscape_id: str, curation: Curation) -> str:
    """Return the name of a landscape with the documents that take part, for what was found out about their trails.

    Examples
    --------
    >>> arranged_landscape("3f2a", Curation()), arranged_landscape("3f2a", Curation(excluded=frozenset({"d1"})))
    ('3f2a', '3f2a 815b9898b185')
    """
    return f"{landscape_id} {arrangement_key(curation)}".rstrip()


def curation_key(curation: Curation) -> str:
    """Return a short text that differs wherever a collection is loaded as another one; notes change nothing there.

    Examples
    --------
    >>> curation_key(Curation(document_notes={"d1": "Check."})), curation_key(Curation(excluded=frozenset({"d1"})))
    ('', 'e6370dadb00f')
    """
    return _key(
        sorted(curation.excluded),
        sorted(curation.dates.items()),
        sorted(curation.standalone),
        sorted(curation.topic_labels.items()),
        sorted(curation.merged_topics.items()),
        sorted(curation.hidden_topics),
    )


def _key(*decisions: object) -> str:
    return hashlib.sha256(repr(decisions).encode()).hexdigest()[:12] if any(decisions) else ""


def with_changes(curation: Curation, *, before: Curation, after: Curation) -> Curation:
    """Return decisions in which what changed between two others is changed too, and nothing else is.

    A document, link or topic about which ``before`` and ``after`` agree keeps what was decided here. Decisions about
    the topics of another landscape than that of ``after`` give way to these.

    Examples
    --------
    >>> mine, before = Curation(excluded=frozenset({"a"}), dates={"b": "2019"}), Curation(dates={"b": "2019"})
    >>> after = Curation(excluded=frozenset({"c"}))
    >>> theirs = with_changes(mine, before=before, after=after)
    >>> sorted(theirs.excluded), theirs.dates
    (['a', 'c'], {})
    """
    told = replace(
        curation,
        excluded=_changed_set(curation.excluded, before.excluded, after.excluded),
        standalone=_changed_set(curation.standalone, before.standalone, after.standalone),
        dates=_changed_mapping(curation.dates, before.dates, after.dates),
        document_notes=_changed_mapping(curation.document_notes, before.document_notes, after.document_notes),
        link_notes=_changed_mapping(curation.link_notes, before.link_notes, after.link_notes),
    )
    if _topic_decisions(before) == _topic_decisions(after):
        is_carried = before.landscape_id == curation.landscape_id != ""
        return replace(told, landscape_id=after.landscape_id) if is_carried else told
    if after.landscape_id and curation.landscape_id not in ("", after.landscape_id):
        return replace(told, landscape_id=after.landscape_id, **_topic_decisions(after))
    if not after.landscape_id and curation.landscape_id != before.landscape_id:
        return told
    return _with_topic_changes(told, before, after)


def _topic_decisions(curation: Curation) -> dict[str, Any]:
    return {
        "topic_labels": curation.topic_labels,
        "merged_topics": curation.merged_topics,
        "hidden_topics": curation.hidden_topics,
    }


def _with_topic_changes(curation: Curation, before: Curation, after: Curation) -> Curation:
    """Return decisions with the changes of those about the topics of their own landscape."""
    changed = replace(
        curation,
        topic_labels=_changed_mapping(curation.topic_labels, before.topic_labels, after.topic_labels),
        merged_topics=_changed_merges(curation.merged_topics, before.merged_topics, after.merged_topics),
        hidden_topics=_changed_set(curation.hidden_topics, before.hidden_topics, after.hidden_topics),
    )
    is_any = any(_topic_decisions(changed).values())
    return replace(changed, landscape_id=(after.landscape_id or curation.landscape_id) if is_any else "")


def _changed_set(mine: frozenset[_Key], before: frozenset[_Key], after: frozenset[_Key]) -> frozenset[_Key]:
    return mine if before == after else (mine - (before - after)) | (after - before)


def _changed_mapping(
    mine: Mapping[_Key, _Value], before: Mapping[_Key, _Value], after: Mapping[_Key, _Value]
) -> Mapping[_Key, _Value]:
    changed = {key for key in {**before, **after} if before.get(key) != after.get(key)}
    if not changed:
        return mine
    return {key: value for key, value in mine.items() if key not in changed} | {
        key: after[key] for key in changed if key in after
    }


def _changed_merges(mine: Mapping[int, int], before: Mapping[int, int], after: Mapping[int, int]) -> dict[int, int]:
    """Return merges with changes made to them; no topic holds another and is merged itself, and what changed counts."""
    changed = {topic for topic in {**before, **after} if before.get(topic) != after.get(topic)}
    merged = {topic: after[topic] for topic in changed if topic in after}
    for topic, into in mine.items():
        root = merged.get(into, into)
        if topic not in changed and root != topic:
            merged = {part: root if whole == topic else whole for part, whole in merged.items()} | {topic: root}
    return merged


@dataclass(frozen=True, slots=True)
class Annotations:
    """What stands beside a story for its reader, copied when the story is saved.

    ``document_notes`` and ``link_notes`` are those of its own documents and links · ``copies`` says, by document id,
    how many further copies of the same text the collection has (documents without any are left out).
    """

    document_notes: Mapping[str, str] = field(default_factory=dict)
    link_notes: Mapping[LinkEnds, str] = field(default_factory=dict)
    copies: Mapping[str, int] = field(default_factory=dict)
