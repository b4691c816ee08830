"""What a person has decided about a collection, beside its files: an overlay, so that all of it can be taken back.

The documents, vectors and landscape in the store stay as they were imported and fitted; `pipeline.load` lays the
overlay on them.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

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


@dataclass(frozen=True, slots=True)
class Annotations:
    """What stands beside a story for its reader, copied when the story is saved.

    ``document_notes`` and ``link_notes`` are those of its own documents and links · ``copies`` says, by document id,
    how many further copies of the same text the collection has (documents without any are left out).
    """

    document_notes: Mapping[str, str] = field(default_factory=dict)
    link_notes: Mapping[LinkEnds, str] = field(default_factory=dict)
    copies: Mapping[str, int] = field(default_factory=dict)
