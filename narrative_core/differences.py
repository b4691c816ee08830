"""What a file would change in a collection, document by document, before anything is stored."""

import datetime as dt
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Final, TypeVar

import numpy as np

from narrative_core.build_stages import OWN_VECTORS
from narrative_core.errors import InvalidInput
from narrative_core.ingest.documents import Loaded
from narrative_core.records import Document, Vectors

VECTOR: Final = "vector"
FIELDS: Final = ("title", "text", "date", "source", "url", "extras", VECTOR)
EMBEDDED: Final = frozenset(("title", "text", VECTOR))
"""Fields whose change gives a document another place on the landscape."""

SAMPLE_LENGTH: Final = 120
Key = TypeVar("Key", int, str)
_BEFORE_THE_CHANGE: Final = 30


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field of a document before and after, cut to where they begin to differ."""

    field: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Change:
    """A document that is in the collection and in the file, and not the same; ``fields`` in the order of `FIELDS`."""

    before: Document
    after: Document
    fields: tuple[str, ...]

    @property
    def is_embedded_anew(self) -> bool:
        """Whether it gets another vector, and with it another place on the landscape."""
        return not EMBEDDED.isdisjoint(self.fields)

    @property
    def samples(self) -> tuple[FieldChange, ...]:
        """What the changed fields say before and after, each in at most 120 characters around the first difference."""
        return tuple(_sample(field, self.before, self.after) for field in self.fields if field != VECTOR)


@dataclass(frozen=True, slots=True)
class Difference:
    """What a file brings to a collection.

    ``new`` in position order of the file · ``changed`` and ``absent`` (in the collection, not in the file) in position
    order of the collection · ``unchanged`` ids.
    """

    new: tuple[Document, ...]
    changed: tuple[Change, ...]
    unchanged: tuple[str, ...]
    absent: tuple[Document, ...]

    @property
    def is_empty(self) -> bool:
        """Whether nothing is new and nothing changed; documents may be absent."""
        return not self.new and not self.changed

    @property
    def n_embedded_anew(self) -> int:
        """How many documents get a vector: new ones, and those with another title or text."""
        return len(self.new) + sum(change.is_embedded_anew for change in self.changed)


def difference(documents: Sequence[Document], vectors: Vectors | None, loaded: Loaded) -> Difference:
    """Return what a file would change.

    Parameters
    ----------
    documents : sequence of Document
        Of the collection, in position order.
    vectors : Vectors or None
        Of the collection; compared only where a person brought them and brings some again.
    loaded : Loaded
        The file, its documents under the ids that `identified` gives them.

    Raises
    ------
    InvalidInput
        If the file's vectors cannot stand beside those of the collection.

    Examples
    --------
    >>> from narrative_core.records import LoadReport
    >>> old = [Document("a", "Flood", ""), Document("b", "Rain", "")]
    >>> rows = Document("a", "Flood at the ford", ""), Document("c", "Sun", "")
    >>> found = difference(old, None, Loaded(rows, None, LoadReport(2, 2, 2, 0, 0)))
    >>> [one.title for one in found.new], found.changed[0].fields, [one.title for one in found.absent]
    (['Sun'], ('title',), ['Rain'])
    """
    _check_vectors(vectors, loaded)
    row_of = {document.document_id: row for row, document in enumerate(loaded.documents)}
    known = {document.document_id for document in documents}
    changed, unchanged = list[Change](), list[str]()
    for position, before in enumerate(documents):
        row = row_of.get(before.document_id)
        if row is None:
            continue
        fields = _changed_fields(before, loaded.documents[row])
        if vectors is not None and loaded.vectors is not None:
            fields += () if np.array_equal(vectors.values[position], loaded.vectors[row]) else (VECTOR,)
        if fields:
            changed.append(Change(before, loaded.documents[row], fields))
        else:
            unchanged.append(before.document_id)
    return Difference(
        new=tuple(document for document in loaded.documents if document.document_id not in known),
        changed=tuple(changed),
        unchanged=tuple(unchanged),
        absent=tuple(document for document in documents if document.document_id not in row_of),
    )


def identified(documents: Sequence[Document], loaded: Loaded) -> Loaded:
    """Return a file whose documents have the ids that the collection knows them by.

    An id that is in the file stays. Where there is none it was made of the number of the row, which is another one as
    soon as a row is added above: a document is then the one of the same title, text, date and source, or else of the
    same address where that names one document alone; any other is new and gets an id of its own. That is made of what
    it says, so that it is never the id of another document that was removed, about which something may be decided.

    Examples
    --------
    >>> from narrative_core.records import LoadReport
    >>> old = [Document("d00001", "Flood", "")]
    >>> rows = Document("d00001", "Rain", ""), Document("d00002", "Flood", "")
    >>> found = identified(old, Loaded(rows, None, LoadReport(2, 2, 2, 0, 0)))
    >>> [(one.document_id, one.title) for one in found.documents]
    [('d440b97e3', 'Rain'), ('d00001', 'Flood')]
    """
    is_any_given = "document_id" in loaded.report.columns
    rows = dict(enumerate(loaded.documents))
    made = {row: one for row, one in rows.items() if not is_any_given or one.document_id in loaded.made_ids}
    given = {one.document_id for row, one in rows.items() if row not in made}
    found = _matches([document for document in documents if document.document_id not in given], made)
    taken = given | {document.document_id for document in documents}
    for row, document in made.items():
        name = found[row] if row in found else _fresh_id(document, taken)
        taken.add(name)
        rows[row] = replace(document, document_id=name)
    return replace(loaded, documents=tuple(rows.values())) if made else loaded


def merge(stored: Sequence[Document], loaded: Sequence[Document], removed: frozenset[str]) -> tuple[Document, ...]:
    """Return all documents by date, then as they stood, new ones behind those of their day, undated ones last.

    Examples
    --------
    >>> old = [Document("a", "Flood", ""), Document("b", "Rain", "")]
    >>> new = [Document("c", "Sun", ""), Document("a", "Floods", "")]
    >>> [document.title for document in merge(old, new, frozenset("b"))]
    ['Floods', 'Sun']
    """
    newer = {document.document_id: document for document in loaded}
    kept = [newer.pop(document.document_id, document) for document in stored if document.document_id not in removed]
    return tuple(sorted([*kept, *newer.values()], key=lambda one: (one.date is None, one.date or dt.date.min)))


def _matches(documents: Sequence[Document], others: Mapping[int, Document]) -> dict[int, str]:
    """Return the ids of the same documents, by row of the file."""
    contents = {_content(document): document.document_id for document in documents}
    found: dict[int, str] = {}
    for row, other in others.items():
        if (known := contents.pop(_content(other), None)) is not None:
            found[row] = known
    taken = set(found.values())
    addresses = _addresses({one.document_id: one for one in documents if one.document_id not in taken})
    rest = _addresses({row: other for row, other in others.items() if row not in found})
    return found | {row: addresses[url] for url, row in rest.items() if url in addresses}


def _content(document: Document) -> tuple[str, ...]:
    return document.title, document.text, document.date_text, document.source


def _addresses(documents: Mapping[Key, Document]) -> dict[str, Key]:
    """Return the key of each address that only one document has."""
    n_of = Counter(document.url for document in documents.values() if document.url)
    return {document.url: key for key, document in documents.items() if n_of[document.url] == 1}


def _fresh_id(document: Document, taken: set[str]) -> str:
    """Return an id that says what the document says, with a number behind it where another one has it."""
    told = repr((*_content(document), document.url)).encode("utf-8", "replace")
    stem = f"d{hashlib.sha256(told).hexdigest()[:8]}"
    others = (f"{stem}-{number}" for number in count(2))
    return stem if stem not in taken else next(name for name in others if name not in taken)


def _check_vectors(vectors: Vectors | None, loaded: Loaded) -> None:
    if vectors is None or loaded.vectors is None:
        return
    if vectors.model != OWN_VECTORS:
        raise InvalidInput(
            f"The collection's vectors are from {vectors.model}, and the file brings its own, which cannot join them. "
            "Update without vectors, or import the file as a collection of its own."
        )
    n_dimensions, n_others = vectors.values.shape[1], loaded.vectors.shape[1]
    if n_dimensions != n_others:
        raise InvalidInput(
            f"The collection's vectors have {n_dimensions} dimensions and those of the file {n_others}. Embed the file "
            "with the same model."
        )


def _changed_fields(before: Document, after: Document) -> tuple[str, ...]:
    return tuple(field for field in FIELDS if field != VECTOR and _told(field, before) != _told(field, after))


def _told(field: str, document: Document) -> object:
    """Return what a document says in a field; all that makes a date is one field."""
    if field == "date":
        return document.date, document.date_precision, document.date_text
    return dict(document.extras) if field == "extras" else getattr(document, field)


def _sample(field: str, before: Document, after: Document) -> FieldChange:
    one, other = (_words(field, document) for document in (before, after))
    same = next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    start = max(0, same - _BEFORE_THE_CHANGE)
    return FieldChange(field, *(_cut(text, start) for text in (one, other)))


def _words(field: str, document: Document) -> str:
    if field == "date":
        return document.date_text or document.iso_date
    if field == "extras":
        return ", ".join(f"{name}: {value}" for name, value in sorted(document.extras.items()))
    return str(getattr(document, field))


def _cut(text: str, start: int) -> str:
    end = start + SAMPLE_LENGTH - 2
    return f"{'…' * (start > 0)}{text[start:end]}{'…' * (end < len(text))}"
