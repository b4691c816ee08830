"""The same collection from a newer file: what would change, and changing it.

Documents are known by their ids. What does not change keeps vector, place and topic bit for bit; only new texts are
embedded, and placed on the landscape that is there. All of it is stored at the end, in one transaction, or nothing is.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from narrative_core.build_stages import OWN_VECTORS, Model, StageProgress, Stages
from narrative_core.copy_groups import find_copies
from narrative_core.curating import keep_curation, require_left
from narrative_core.differences import Difference, difference, merge, reconciled
from narrative_core.errors import InvalidInput
from narrative_core.ingest.documents import Loaded
from narrative_core.intake import builtin
from narrative_core.pipeline import check_size, landscape_id, measure
from narrative_core.placing import Placed, Rows, document_rows, place_arrivals, placing_key
from narrative_core.records import Document, Landscape, Vectors
from narrative_core.space.document_text import embedding_text
from narrative_core.space.stops import stop_words
from narrative_core.space.terms import count_documents
from narrative_core.store.collections import load_collection, load_documents
from narrative_core.store.copies import save_copies
from narrative_core.store.curations import load_curation
from narrative_core.store.database import Database
from narrative_core.store.documents import update_documents
from narrative_core.store.landscapes import delete_landscape, load_landscape, save_landscape
from narrative_core.store.project_rows import load_placement, save_placement
from narrative_core.store.stage_arrays import delete_arrays
from narrative_core.store.terms import save_term_counts
from narrative_core.store.vectors import load_vectors, save_vectors
from narrative_core.update_vectors import brought_vectors, embed_arrivals, join_vectors, require_brought

_FIRST_VECTORS: Final = "The collection had no vectors; its documents now have those of the file."


@dataclass(frozen=True, slots=True)
class UpdateReport:
    """What an update did; ``landscape_id`` is ``None`` where there is no landscape, or none any more."""

    n_new: int
    n_changed: int
    n_unchanged: int
    n_removed: int
    n_embedded: int
    n_placed: int
    landscape_id: str | None
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class _Stored:
    """A collection as it was when the update began."""

    documents: tuple[Document, ...]
    vectors: Vectors | None
    landscape: Landscape | None


@dataclass(frozen=True, slots=True, eq=False)
class _Embedding:
    """Vectors of all documents, sentences on them, and how many texts were embedded."""

    vectors: Vectors | None
    notices: tuple[str, ...] = ()
    n_embedded: int = 0


@dataclass(frozen=True, slots=True)
class _Description:
    """What the texts of all documents have in common."""

    copies: dict[str, str]
    term_counts: dict[str, int]


def compare(database: Database, name: str, loaded: Loaded) -> Difference:
    """Return what a file would change in a collection; nothing is stored.

    Parameters
    ----------
    database : Database
    name : str
        The collection.
    loaded : Loaded
        The file, from `build_documents`.

    Raises
    ------
    InvalidInput
        If there is no such collection, or the file's vectors cannot stand beside those of the collection.
    """
    stored = _read(database, name)
    return difference(stored.documents, stored.vectors, reconciled(stored.documents, loaded))


def apply_update(
    database: Database,
    name: str,
    loaded: Loaded,
    *,
    remove_absent: bool = False,
    model: Model | None = None,
    api_key: str = "",
    progress: StageProgress = lambda stage, done, total: None,
) -> UpdateReport:
    """Bring a collection to what a file says, and return what was done; see `compare`.

    Parameters
    ----------
    database : Database
    name : str
        The collection; not a built-in one.
    loaded : Loaded
        The file, from `build_documents`.
    remove_absent : bool
        Whether documents that are not in the file are removed; otherwise they stay.
    model : Model, optional
        Where the model of the collection's vectors is asked; its name must be theirs.
    api_key : str
        Of the endpoint, where it is not in the environment.
    progress : callable
        Hears of the stages "embed", "project", "label" and "coherence".

    Raises
    ------
    InvalidInput
        If there is no such collection, the file is empty, no story could be left, or vectors are missing or others.
    EmbeddingUnavailable
        If the model cannot be used.
    Cancelled
        From ``progress``. The collection is as it was; parts that were embedded are kept for the next attempt.
    """
    if builtin(name) is not None:
        raise InvalidInput(f"“{name}” is a built-in collection and stays as it is. Import the file under another name.")
    if not loaded.documents:
        raise InvalidInput("The file has no row with a title or a text, so there is nothing to update from.")
    stored = _read(database, name)
    loaded = reconciled(stored.documents, loaded)
    found = difference(stored.documents, stored.vectors, loaded)
    removed = found.absent if remove_absent else ()
    if found.is_empty and not removed:
        here = stored.landscape.landscape_id if stored.landscape else None
        return UpdateReport(0, 0, len(found.unchanged), 0, 0, 0, here)
    documents = merge(stored.documents, loaded.documents, frozenset(one.document_id for one in removed))
    if stored.landscape is not None and stored.vectors is not None:
        check_size(name, len(documents), n_dimensions=stored.vectors.values.shape[1])
    excluded = load_curation(database, name).excluded
    require_left(sum(one.document_id not in excluded for one in documents), len(documents))
    arriving = frozenset(change.after.document_id for change in found.changed if change.is_embedded_anew)
    rows = document_rows(_ids(stored.documents), _ids(documents), arriving)
    update = _Update(database, name, stored, documents, rows, progress=progress)
    embedding = update.embed(loaded, model, api_key)
    is_redrawn = bool(found.new or removed or any(set(change.fields) != {"extras"} for change in found.changed))
    placed = update.place(embedding)
    described = update.describe(is_counted=placed is not None)
    if placed is not None and is_redrawn:
        placed = update.measured(placed, embedding)
    update.save(loaded, embedding, placed, described)
    n_arriving = int(rows.is_arriving.sum())
    return UpdateReport(
        n_new=len(found.new),
        n_changed=len(found.changed),
        n_unchanged=len(found.unchanged),
        n_removed=len(removed),
        n_embedded=embedding.n_embedded,
        n_placed=n_arriving if placed else 0,
        landscape_id=placed.landscape.landscape_id if placed else None,
        notices=update.notices(embedding, placed),
    )


class _Update:
    """One update under way: nothing is stored before `save`."""

    def __init__(
        self,
        database: Database,
        name: str,
        stored: _Stored,
        documents: tuple[Document, ...],
        rows: Rows,
        *,
        progress: StageProgress,
    ) -> None:
        self._database, self._name, self._progress = database, name, progress
        self._stored, self._documents, self._rows = stored, documents, rows
        self._texts = [embedding_text(document.title, document.text) for document in documents]
        self._keys: tuple[str, ...] = ()

    def embed(self, loaded: Loaded, model: Model | None, api_key: str) -> _Embedding:
        """Return the vectors of all documents: those that stay bit for bit, the others from the file or the model."""
        vectors, arriving = self._stored.vectors, np.flatnonzero(self._rows.is_arriving)
        ids = [document.document_id for document in self._documents]
        if vectors is None:
            brought = brought_vectors(loaded, ids)
            return _Embedding(brought, (_FIRST_VECTORS,) if brought else ())
        if not len(arriving):
            return _Embedding(join_vectors(vectors, self._rows, vectors.values[:0]))
        if vectors.model == OWN_VECTORS:
            brought = brought_vectors(loaded, [ids[row] for row in arriving])
            own = require_brought(vectors, brought, len(arriving))
            return _Embedding(join_vectors(vectors, self._rows, own.values))
        made = embed_arrivals(
            self._database,
            self._name,
            [self._texts[row] for row in arriving],
            vectors,
            model=model,
            api_key=api_key,
            progress=self._progress,
        )
        self._keys += (made.key,)
        return _Embedding(join_vectors(vectors, self._rows, made.vectors.values), made.notices, len(arriving))

    def place(self, embedding: _Embedding) -> Placed | None:
        """Return the landscape of all documents, its id and measures still the former ones; ``None`` without any."""
        former, vectors = self._stored.landscape, embedding.vectors
        if former is None or vectors is None:
            return None
        key = f"{self._name} {placing_key(former, vectors.values, self._rows)}"
        stages = Stages(self._database, self._name, key, self._progress)
        self._keys += (key,)
        return place_arrivals(former, load_placement(self._database, self._name), vectors.values, self._rows, stages)

    def describe(self, *, is_counted: bool) -> _Description:
        """Return what the texts have in common: copies, and, for a landscape, how many documents have each term."""
        self._progress("label", 0, 1)
        copies = find_copies(self._documents)
        stop = stop_words(load_collection(self._database, self._name).stop_words, texts=self._texts)
        counts = count_documents(self._texts, stop) if is_counted else {}
        self._progress("label", 1, 1)
        return _Description(copies, counts)

    def measured(self, placed: Placed, embedding: _Embedding) -> Placed:
        """Return the landscape under a new id, with what depends on all its documents measured anew."""
        landscape, vectors = placed.landscape, embedding.vectors
        if vectors is None:
            return placed
        floor, median_link = measure(
            vectors, landscape.memberships, self._documents, landscape.parameters, self._progress
        )
        key = placing_key(landscape, vectors.values, self._rows)
        notices = dict.fromkeys((*landscape.notices, *embedding.notices))
        return replace(
            placed,
            landscape=replace(
                landscape,
                landscape_id=landscape_id(key, self._documents),
                critical_coherence=floor,
                median_link=median_link,
                notices=tuple(notices),
            ),
        )

    def save(self, loaded: Loaded, embedding: _Embedding, placed: Placed | None, described: _Description) -> None:
        """Store all that the update made, unless the collection has changed meanwhile."""
        database, name = self._database, self._name
        with database.transaction():
            self._require_as_it_was()
            update_documents(database, name, self._documents, loaded.report)
            save_copies(database, name, described.copies)
            if embedding.vectors is not None:
                save_vectors(database, name, embedding.vectors)
            if placed is not None:
                save_landscape(database, name, placed.landscape)
                save_placement(database, name, placed.placement)
                save_term_counts(database, name, described.term_counts)
                self._carry_topic_edits(placed.landscape.landscape_id)
            elif self._stored.landscape is not None:
                delete_landscape(database, name)
            for key in self._keys:
                delete_arrays(database, key)

    def notices(self, embedding: _Embedding, placed: Placed | None) -> tuple[str, ...]:
        """Return what is to be said of the update."""
        if placed is not None:
            former = self._stored.landscape.notices if self._stored.landscape else ()
            return tuple(notice for notice in placed.landscape.notices if notice not in former)
        gone = ("No document of the landscape is as it was, so there is none any more; build it again.",)
        return (*embedding.notices, *(gone if self._stored.landscape is not None else ()))

    def _require_as_it_was(self) -> None:
        now = _read(self._database, self._name)
        landscapes = [one.landscape.landscape_id if one.landscape else None for one in (now, self._stored)]
        if now.documents != self._stored.documents or landscapes[0] != landscapes[1]:
            raise InvalidInput(f"The collection {self._name} was changed meanwhile. Compare the file with it again.")

    def _carry_topic_edits(self, new_id: str) -> None:
        curation = load_curation(self._database, self._name)
        former = self._stored.landscape
        if former is not None and curation.landscape_id == former.landscape_id != new_id:
            keep_curation(self._database, self._name, replace(curation, landscape_id=new_id))


def _read(database: Database, name: str) -> _Stored:
    return _Stored(load_documents(database, name), load_vectors(database, name), load_landscape(database, name))


def _ids(documents: tuple[Document, ...]) -> list[str]:
    return [document.document_id for document in documents]
