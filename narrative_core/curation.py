"""What a person has decided about a collection, beside its files: an overlay, so that all of it can be taken back.

The documents, vectors and landscape in the store stay as they were imported and fitted; `pipeline.load` lays the
overlay on them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

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


@dataclass(frozen=True, slots=True)
class Annotations:
    """What stands beside a story for its reader, copied when the story is saved.

    ``document_notes`` and ``link_notes`` are those of its own documents and links · ``copies`` says, by document id,
    how many further copies of the same text the collection has (documents without any are left out).
    """

    document_notes: Mapping[str, str] = field(default_factory=dict)
    link_notes: Mapping[LinkEnds, str] = field(default_factory=dict)
    copies: Mapping[str, int] = field(default_factory=dict)
