"""All documents of a collection as a list to look through, built or not, with what was decided about them laid on."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from narrative_core.curating import copies_among, curate
from narrative_core.curation import Curation
from narrative_core.document_index import DocumentIndex
from narrative_core.document_search import Similar, similar_by_wording, similar_by_words
from narrative_core.extraction import LoadedCollection
from narrative_core.records import Collection, Document

FEW_VALUES: Final = 12
MOST_VALUES: Final = 60
"""Values up to which those of a further column are listed; one with more is searched by what it contains."""

NO_TOPIC: Final = -1


@dataclass(frozen=True, slots=True, eq=False)
class ListedColumn:
    """One property of all documents: ``codes`` (n,) are positions in ``values``, the most frequent first."""

    name: str
    values: tuple[str, ...]
    codes: NDArray[np.int64]

    @property
    def is_listed(self) -> bool:
        """Whether it has few enough values to be chosen from a list, and not nearly one for each document."""
        return len(self.values) <= FEW_VALUES or (
            len(self.values) <= MOST_VALUES and 2 * len(self.values) <= len(self.codes)
        )

    def has_any(self, wanted: frozenset[str]) -> NDArray[np.bool_]:
        """Return which documents have one of some values, or contain one of some texts where there are many."""
        if self.is_listed:
            chosen = np.array([value in wanted for value in self.values], dtype=bool)
        else:
            parts = [part.casefold() for part in wanted]
            chosen = np.array([any(part in value.casefold() for part in parts) for value in self.values], dtype=bool)
        return chosen[self.codes] if len(self.values) else np.zeros(len(self.codes), dtype=bool)


@dataclass(frozen=True, slots=True, eq=False)
class Shelf:
    """What is read once of a collection: its documents as stored, their words, their sources and further columns."""

    collection: Collection
    index: DocumentIndex
    sources: ListedColumn
    extras: tuple[ListedColumn, ...]
    row_of: Mapping[str, int]

    @property
    def documents(self) -> tuple[Document, ...]:
        """The documents as stored."""
        return self.index.documents


@dataclass(frozen=True, slots=True, eq=False)
class Holdings:
    """All documents of a collection, excluded ones too; row = position in the store.

    ``documents`` have the dates that a person typed · ``order`` (n,) are the rows by date, undated ones last ·
    ``topics`` (n,) are the nearest topics by number, −1 where there is none · ``topic_labels`` names them, none where
    the collection has no landscape · ``copies`` gives the groups of copies as they stand, by document id, and
    ``found_copies`` as they were found, before any document was taken out · ``loaded`` is the built collection,
    ``None`` where there is none.
    """

    shelf: Shelf
    documents: tuple[Document, ...]
    order: NDArray[np.int64]
    is_excluded: NDArray[np.bool_]
    topics: NDArray[np.int64]
    topic_labels: Mapping[int, str]
    curation: Curation = field(default_factory=Curation)
    copies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    found_copies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    loaded: LoadedCollection | None = None

    def ids(self, rows: Sequence[int] | NDArray[np.int64]) -> tuple[str, ...]:
        """Return the ids of some rows, in their order."""
        return tuple(self.documents[row].document_id for row in rows)

    def rows(self, document_ids: Iterable[str]) -> list[int]:
        """Return the rows of documents; ids of none are left out."""
        return [self.shelf.row_of[one] for one in document_ids if one in self.shelf.row_of]

    def document(self, document_id: str) -> Document | None:
        """Return a document, ``None`` where there is none of that id."""
        row = self.shelf.row_of.get(document_id)
        return None if row is None else self.documents[row]

    def similar_to(self, document_id: str) -> Similar | None:
        """Return the documents like one: by wording where the collection is built, by words in common elsewhere."""
        row = self.shelf.row_of.get(document_id)
        if row is None:
            return None
        if self.loaded is None or document_id not in self.loaded.row_of:
            return similar_by_words(self.shelf.index, row)
        found = similar_by_wording(self.loaded.vectors.values, self.loaded.row_of[document_id])
        rows = self.rows([self.loaded.documents[at].document_id for at in found.rows])
        return replace(found, rows=np.array(rows, dtype=np.int64))


def shelve(collection: Collection, index: DocumentIndex) -> Shelf:
    """Return a collection's documents with their sources and further columns listed, once for many searches."""
    documents = index.documents
    names = dict.fromkeys(name for document in documents for name in document.extras)
    return Shelf(
        collection,
        index,
        listed_column("source", [document.source for document in documents]),
        tuple(listed_column(name, [document.extras.get(name, "") for document in documents]) for name in names),
        {document.document_id: row for row, document in enumerate(documents)},
    )


def listed_column(name: str, values: Sequence[str]) -> ListedColumn:
    """Return one property of all documents from its value in each; "" is no value.

    Examples
    --------
    >>> listed_column("desk", ["Home", "", "World", "World"]).values
    ('World', 'Home', '')
    """
    counted = Counter(values)
    listed = tuple(sorted((value for value in counted if value), key=lambda value: (-counted[value], value)))
    # The empty value is behind all others, and no value of the list.
    places = {value: at for at, value in enumerate((*listed, ""))}
    codes = np.array([places[value] for value in values], dtype=np.int64)
    return ListedColumn(name, listed if "" not in counted else (*listed, ""), codes)


def hold(
    shelf: Shelf,
    curation: Curation,
    *,
    copies: Mapping[str, str] | None = None,
    loaded: LoadedCollection | None = None,
) -> Holdings:
    """Return a collection's documents with what a person has decided about them.

    Parameters
    ----------
    shelf : Shelf
    curation : Curation
    copies : mapping of str to str, optional
        By document id, the first of its group of copies, as they were found.
    loaded : LoadedCollection, optional
        The same collection, built.
    """
    curated = curate(shelf.documents, Curation(dates=curation.dates))
    documents = dict(zip(curated.rows.tolist(), curated.documents, strict=True))
    taking_part = [document for document in curated.documents if document.document_id not in curation.excluded]
    return Holdings(
        shelf=shelf,
        documents=tuple(documents[row] for row in range(len(documents))),
        order=curated.rows.astype(np.int64),
        is_excluded=np.array([one.document_id in curation.excluded for one in shelf.documents], dtype=bool),
        topics=_topics(shelf, loaded),
        topic_labels={} if loaded is None else {topic.topic: topic.label for topic in loaded.landscape.topics},
        curation=curation,
        copies=copies_among(copies or {}, taking_part, curation.standalone),
        found_copies=copies_among(copies or {}, curated.documents, frozenset()),
        loaded=loaded,
    )


def _topics(shelf: Shelf, loaded: LoadedCollection | None) -> NDArray[np.int64]:
    topics = np.full(len(shelf.documents), NO_TOPIC, dtype=np.int64)
    if loaded is not None:
        for document_id, at in loaded.row_of.items():
            if document_id in shelf.row_of:
                topics[shelf.row_of[document_id]] = loaded.landscape.nearest_topic[at]
    return topics
