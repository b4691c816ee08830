"""How collections come into the store: the built-in ones, and a person's own files."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from narrative_core.build_stages import OWN_VECTORS
from narrative_core.bundle import read_collection, read_judgements, read_landscape, read_vectors
from narrative_core.bundle_documents import read_documents
from narrative_core.bundle_texts import require_embedded_texts
from narrative_core.copy_groups import find_copies
from narrative_core.errors import InvalidInput
from narrative_core.ingest.builtin import BUILTIN, DATA_FOLDER, builtin_documents
from narrative_core.ingest.columns import ColumnChoice
from narrative_core.ingest.dates import DateOrder
from narrative_core.ingest.documents import Loaded, build_documents
from narrative_core.ingest.tables import RawTable
from narrative_core.project_parts import read_parts, save_parts
from narrative_core.recordings import RecordingReport, install_recording
from narrative_core.records import Collection, Document, Landscape, LoadReport, Vectors
from narrative_core.space.document_text import embedding_text
from narrative_core.space.stops import stop_words
from narrative_core.space.terms import count_documents
from narrative_core.store.collections import (
    delete_collection,
    has_collection,
    list_collections,
    load_origin_hash,
    save_collection,
)
from narrative_core.store.copies import save_copies
from narrative_core.store.database import Database
from narrative_core.store.landscapes import save_landscape
from narrative_core.store.terms import save_term_counts
from narrative_core.store.vectors import save_vectors

SHIPPED = ("spaceflight", "toy")
"""Built-in collections that come with their landscape; the others are built on request."""


@dataclass(frozen=True, slots=True)
class BundleReport:
    """What became of the rows of a bundle and of the lines of its recording, and what came with them."""

    documents: LoadReport
    judgements: RecordingReport
    is_built: bool
    n_documents: int
    n_topics: int
    n_stories: int


def builtin(name: str) -> Collection | None:
    """Return the built-in collection of a name, ``None`` where it is somebody's own."""
    return next((collection for collection in BUILTIN if collection.name == name), None)


def install_shipped(database: Database) -> None:
    """Store the built-in collections that come with their landscape, unless they are there as shipped.

    A newer edition of the data replaces the older one; saved stories stay readable, and no judgement is lost. A
    collection whose files are gone stays as it is stored.
    """
    built = {summary.collection.name: summary.is_built for summary in list_collections(database)}
    for collection in BUILTIN:
        name, edition = collection.name, _edition(collection)
        if name not in SHIPPED or (name in built and not edition):
            continue
        if not built.get(name) or load_origin_hash(database, name) != edition:
            _save_builtin(database, collection)


def install_builtin(database: Database, name: str) -> None:
    """Store a built-in collection, with its landscape where it is shipped; nothing happens where it is stored.

    Raises
    ------
    InvalidInput
        If there is no built-in collection of that name.
    """
    collection = builtin(name)
    if collection is None:
        names = ", ".join(known.name for known in BUILTIN)
        raise InvalidInput(f"There is no built-in collection “{name}”. The built-in ones are {names}.")
    if not has_collection(database, name):
        _save_builtin(database, collection)


def import_table(
    database: Database,
    collection: Collection,
    table: RawTable,
    choice: ColumnChoice,
    *,
    date_order: DateOrder | None = None,
    vectors: NDArray[np.float32] | None = None,
    progress: Callable[[str, int, int], None] = lambda stage, done, total: None,
) -> LoadReport:
    """Store the documents of a table as a new collection, and return what became of each row.

    Parameters
    ----------
    database : Database
    collection : Collection
        Its name must be new and not that of a built-in one.
    table, choice : RawTable, ColumnChoice
        The file as read, and which column is what.
    date_order : optional
        Needed where day and month cannot be told apart.
    vectors : ndarray, shape (rows, d), optional
        The person's own embeddings, one row a data row of the file.
    progress : callable
        Hears of the stages "documents", "copies" and "store"; what it raises, such as `Cancelled`, comes out of here
        with nothing stored.

    Raises
    ------
    InvalidInput
        If no document is left, or the name is taken. Nothing is stored then.
    """
    _require_own_name(collection.name)
    progress("documents", 0, 1)
    loaded: Loaded = build_documents(table, choice, date_order=date_order, vectors=vectors)
    if not loaded.documents:
        raise InvalidInput("The file has no row with a title or a text, so there is nothing to import.")
    progress("copies", 0, 1)
    copies = find_copies(loaded.documents)
    progress("store", 0, 1)
    with database.transaction():
        save_collection(database, collection, loaded.documents, loaded.report)
        save_copies(database, collection.name, copies)
        if loaded.vectors is not None:
            version = f"from file, {loaded.vectors.shape[1]} dimensions"
            save_vectors(database, collection.name, Vectors(loaded.vectors, OWN_VECTORS, version))
    return loaded.report


def import_bundle(
    database: Database, name: str, folder: Path, *, title: str | None = None, noun: str | None = None
) -> BundleReport:
    """Store what an export wrote as a new collection: documents, landscape, stories and all else, all or none.

    The landscape keeps its id, so that the copy draws the same random chronologies and knows the same replies.

    Parameters
    ----------
    database : Database
    name : str
        Must be new and not that of a built-in collection.
    folder : Path
        As `write_bundle` left it; one of an earlier version has no ``collection.json``, and its documents are then
        called "documents".
    title, noun : str, optional
        In place of those of the bundle. A prompted judge is told the noun, so that another one asks other questions.

    Raises
    ------
    InvalidInput
        If a file is missing, damaged or too large, the rows do not belong together, a text was changed since its vector
        was made, or the name is taken. Nothing is stored then.
    """
    _require_own_name(name)
    told = read_collection(folder, name) or Collection(name, name, origin=f"imported from {folder.absolute().name}")
    collection = replace(told, title=told.title if title is None else title, noun=told.noun if noun is None else noun)
    documents, report = read_documents(folder)
    vectors, landscape, recorded = _read_computed(folder, documents)
    parts = read_parts(folder, documents, name, landscape=landscape)
    if vectors is not None and not vectors.model:
        vectors = replace(vectors, model=OWN_VECTORS, version=f"from file, {vectors.values.shape[1]} dimensions")
    with database.transaction():
        save_collection(database, collection, documents, report)
        _save_computed(database, collection, documents, vectors, landscape)
        save_parts(database, name, parts, landscape_id="" if landscape is None else landscape.landscape_id)
        replies = install_recording(database, name, recorded)
    return BundleReport(
        report,
        replies,
        is_built=landscape is not None,
        n_documents=len(documents),
        n_topics=0 if landscape is None else len(landscape.topics),
        n_stories=len(parts.stories),
    )


def collection_name(title: str) -> str:
    """Return a short name for a title, fit for a command line and an address.

    Examples
    --------
    >>> collection_name("Cuban protests, 2016–2021")
    'cuban-protests-2016-2021'
    """
    words = "".join(letter if letter.isalnum() else " " for letter in title.casefold()).split()
    return "-".join(words)[:60] or "collection"


def _require_own_name(name: str) -> None:
    if builtin(name) is not None:
        raise InvalidInput(f"“{name}” is the name of a built-in collection. Choose another.")


def _save_builtin(database: Database, collection: Collection) -> None:
    """Store a built-in collection in place of the one that is stored; what is stored stays where a file is at fault."""
    name = collection.name
    documents, report = builtin_documents(name)
    vectors, landscape, recorded = _read_computed(DATA_FOLDER / name, documents)
    with database.transaction():
        if has_collection(database, name):
            delete_collection(database, name, keep_stories=True)
        save_collection(database, collection, documents, report, origin_hash=_edition(collection))
        _save_computed(database, collection, documents, vectors, landscape)
        install_recording(database, name, recorded)


def _read_computed(folder: Path, documents: Sequence[Document]) -> tuple[Vectors | None, Landscape | None, bytes]:
    """Return the vectors, the landscape and the recording of a bundle."""
    vectors, landscape = read_vectors(folder, documents), read_landscape(folder, documents)
    if landscape is not None and vectors is None:
        raise InvalidInput(f"{folder.absolute().name} has a landscape and no vectors. Export the collection again.")
    if vectors is not None:
        require_embedded_texts(folder, documents)
    return vectors, landscape, read_judgements(folder)


def _save_computed(
    database: Database,
    collection: Collection,
    documents: Sequence[Document],
    vectors: Vectors | None,
    landscape: Landscape | None,
) -> None:
    """Store copies, vectors and landscape where there are any, and count the terms of a landscape's texts."""
    save_copies(database, collection.name, find_copies(documents))
    if vectors is not None:
        save_vectors(database, collection.name, vectors)
    if landscape is not None:
        texts = [embedding_text(document.title, document.text) for document in documents]
        counts = count_documents(texts, stop_words(collection.stop_words, texts=texts))
        save_term_counts(database, collection.name, counts)
        save_landscape(database, collection.name, landscape)


def _edition(collection: Collection) -> str:
    """Return the hash of a built-in collection's description and files, empty where it has no files."""
    digest = hashlib.sha256(repr(collection).encode())
    folder = DATA_FOLDER / collection.name
    files = sorted(folder.glob("*.*")) if folder.is_dir() else []
    for path in files:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest() if files else ""
