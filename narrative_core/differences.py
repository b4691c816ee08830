"""What a file would change in a collection, document by document, before anything is stored."""

import datetime as dt
import hashlib
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from operator import attrgetter
from typing import Any, Final, TypeVar

import numpy as np

from narrative_core.build_stages import OWN_VECTORS
from narrative_core.errors import InvalidInput
from narrative_core.ingest.documents import CONTENT, PARTS, Loaded, content, made_title
from narrative_core.records import Document, Vectors

VECTOR: Final = "vector"
FIELDS: Final = (*PARTS, "extras", VECTOR)
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
    order of the collection · ``unchanged`` ids · ``staying`` are fields that the file has no column for, or not every
    one, and that stay as they are in documents it has · ``brings_vectors`` to a collection that has none.
    """

    new: tuple[Document, ...]
    changed: tuple[Change, ...]
    unchanged: tuple[str, ...]
    absent: tuple[Document, ...]
    staying: tuple[str, ...] = ()
    brings_vectors: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing is new, nothing changed and no vector comes; documents may be absent."""
        return not self.new and not self.changed and not self.brings_vectors

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
        The file, from `reconciled`.

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
    staying = set[str]()
    for position, before in enumerate(documents):
        row = row_of.get(before.document_id)
        if row is None:
            continue
        staying.update(field for field in FIELDS if _stays(field, before, loaded))
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
        staying=tuple(field for field in FIELDS if field in staying),
        brings_vectors=vectors is None and loaded.vectors is not None,
    )


def reconciled(documents: Sequence[Document], loaded: Loaded) -> Loaded:
    """Return a file as a collection takes it: with the ids of `identified`, changing nothing it has no column for.

    A document that is known keeps what is stored of parts and extras whose column the file does not have. Only a title
    that was made of the opening words is made again, of the text in the file.
    """
    loaded = identified(documents, loaded)
    known = {document.document_id: document for document in documents}
    rows = (
        _filled(known[one.document_id], one, loaded) if one.document_id in known else one for one in loaded.documents
    )
    return replace(loaded, documents=tuple(rows))


def identified(documents: Sequence[Document], loaded: Loaded) -> Loaded:
    """Return a file whose documents have the ids that the collection knows them by.

    An id that is in the file stays, but for a path that the collection does not know: a file may lie elsewhere now.
    Where there is none it was made of the number of the row, which is another one as soon as a row is added above. A
    document is then the one that says the same, or else has the same title, text, date and source, or else the same
    address, as far as both sides have them and that names one document alone; any other is new, and keeps its path or
    gets an id of its own. That is made of what it says, so that it is never the id of another document that was
    removed, about which something may be decided.

    Examples
    --------
    >>> from narrative_core.records import LoadReport
    >>> old = [Document("d00001", "Flood", "")]
    >>> rows = Document("d00001", "Rain", ""), Document("d00002", "Flood", "")
    >>> found = identified(old, Loaded(rows, None, LoadReport(2, 2, 2, 0, 0, columns={"title": "Headline"})))
    >>> [(one.document_id, one.title) for one in found.documents]
    [('d440b97e3', 'Rain'), ('d00001', 'Flood')]
    """
    is_any_given = "document_id" in loaded.report.columns
    rows, known = dict(enumerate(loaded.documents)), {document.document_id for document in documents}
    made = {row: one for row, one in rows.items() if not is_any_given or one.document_id in loaded.made_ids}
    if loaded.has_paths:
        made |= {row: one for row, one in rows.items() if one.document_id not in known}
    given = {one.document_id for row, one in rows.items() if row not in made}
    found = _matches([document for document in documents if document.document_id not in given], made, loaded)
    taken = given | known
    for row, document in made.items():
        own = document.document_id if loaded.has_paths else _fresh_id(document, taken)
        name = found.get(row, own)
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


def _matches(documents: Sequence[Document], others: Mapping[int, Document], loaded: Loaded) -> dict[int, str]:
    """Return the ids of the same documents, by row of the file; rows that say just the same are taken in order."""
    columns = loaded.columns.intersection(name for one in documents for name in one.extras)
    parts = [part for part in PARTS if part in loaded.report.columns and any(_words(part, one) for one in documents)]

    def by_all(document: Document) -> Hashable:
        return content(document, parts, columns)

    def by_content(document: Document) -> Hashable:
        return content(document, [part for part in CONTENT if part in parts], ())

    # Without a headline or a text on both sides, date and source alone would make documents the same.
    is_telling = "title" in parts or "text" in parts
    keys: list[Callable[[Document], Hashable]] = [by_all, by_content] if is_telling else []
    keys.append(attrgetter("url"))
    found: dict[int, str] = {}
    here, there = {one.document_id: one for one in documents}, dict(others)
    for key in keys:
        ids_of = _grouped(here, key)
        for told, rows in _grouped(there, key).items():
            ids = ids_of.get(told, []) if told else []
            if key is by_all or len(rows) == len(ids) == 1:
                found |= zip(rows, ids, strict=False)
        taken = set(found.values())
        here = {name: one for name, one in here.items() if name not in taken}
        there = {row: one for row, one in there.items() if row not in found}
    return found


def _grouped(documents: Mapping[Key, Document], key: Callable[[Document], Hashable]) -> dict[Hashable, list[Key]]:
    groups = defaultdict[Hashable, list[Key]](list)
    for name, document in documents.items():
        groups[key(document)].append(name)
    return dict(groups)


def _filled(before: Document, after: Document, loaded: Loaded) -> Document:
    """Return a document of the file with what stays of the stored one."""
    kept: dict[str, Any] = {part: getattr(before, part) for part in PARTS if _stays(part, before, loaded)}
    if "date" in kept:
        kept |= {"date_text": before.date_text, "date_precision": before.date_precision}
    others = {name: value for name, value in before.extras.items() if name not in loaded.columns}
    return replace(after, **kept, extras={**others, **after.extras})


def _stays(field: str, before: Document, loaded: Loaded) -> bool:
    """Return whether a stored document has something in a field that the file has no column for."""
    if field == "extras":
        return not loaded.columns.issuperset(before.extras)
    if field == VECTOR or field in loaded.report.columns:
        return False
    return bool(_words(field, before)) and not (field == "title" and before.title == made_title(before.text))


def _fresh_id(document: Document, taken: set[str]) -> str:
    """Return an id that says what the document says, with a number behind it where another one has it."""
    parts = document.title, document.text, document.date_text, document.source, document.url
    told = repr(parts).encode("utf-8", "replace")
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
