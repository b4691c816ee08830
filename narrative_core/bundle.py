"""A built collection as a folder of plain files: what `export` writes and what the built-in collections ship.

``collection.json`` (title, noun, description, origin, licence, stop words, and whose the vectors are) ·
``documents.csv`` (id, title, date, text, source, url, then extra columns) · ``points.csv`` (id, x, y, topic, outlier) ·
``vectors.npy`` (n, d) float32 · ``embedded.csv`` (id, hash of the text that the vector was made from) ·
``memberships.npy`` (n, k) float64 · ``landscape.json`` (settings, topics, versions) · ``judgements.jsonl`` (what judges
answered about its stories, as ``recordings.py`` has it). Rows of the tables and arrays are in the same order. The two
arrays may also be ``.csv`` with the ids in front, to be read by eye. The built-in collections have no
``collection.json``: the program describes them itself. What people did with the collection is beside these, as
``project_parts.py`` has it.
"""

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from narrative_core.bundle_files import place, read_file, read_matrix, read_object, require_ids
from narrative_core.bundle_texts import EMBEDDED, embedded_csv
from narrative_core.errors import InvalidInput
from narrative_core.json_fields import AGAIN
from narrative_core.judgements import Judgement
from narrative_core.landscape_file import landscape_json, points_csv, read_landscape
from narrative_core.recordings import write_recording
from narrative_core.records import Collection, Document, Landscape, Vectors

__all__ = [
    "read_collection",
    "read_judgements",
    "read_landscape",
    "read_vectors",
    "write_bundle",
    "write_documents",
]

FILES = ("documents.csv", "points.csv", "vectors.npy", "memberships.npy", "landscape.json", EMBEDDED)
ABOUT = "collection.json"
RECORDING = "judgements.jsonl"
"""There where a story of the collection has been judged."""

FORMAT: Final = 1
"""Number in ``collection.json``; a folder of a later one is not read."""

DOCUMENT_COLUMNS = ("id", "title", "date", "text", "source", "url")
WORDING = "date_as_given"
"""Column behind the standard ones, there where the wording of a date is not the date itself."""


def write_bundle(
    folder: Path,
    documents: Sequence[Document],
    vectors: Vectors | None,
    landscape: Landscape | None,
    *,
    collection: Collection | None = None,
    judgements: Sequence[Judgement] = (),
    is_placed: NDArray[np.bool_] | None = None,
) -> None:
    """Write a collection to a folder that has no earlier bundle in it; it is made where it does not exist.

    Vectors, landscape and judgements are left out where the collection has none. A partial date is written as partial
    as it is; a column ``date_as_given`` is added where the original wording differs.

    Parameters
    ----------
    folder : Path
    documents : sequence of Document
        In position order.
    vectors, landscape : optional
        One row a document.
    collection : Collection, optional
        What the collection is called and what its documents are; its name is that of whoever imports it.
    judgements : sequence of Judgement
    is_placed : array (n,) of bool, optional
        Which documents were placed on the landscape after the fit.

    Raises
    ------
    InvalidInput
        If a judgement is not valid Unicode.
    """
    recording = write_recording(judgements)
    has_wording = _has_wording(documents)
    about = b"" if collection is None else _collection_json(collection, vectors, has_wording=has_wording).encode()
    folder.mkdir(parents=True, exist_ok=True)
    write_documents(folder / "documents.csv", documents)
    if about:
        (folder / ABOUT).write_bytes(about)
    if recording:
        (folder / RECORDING).write_bytes(recording)
    if vectors is not None:
        np.save(folder / "vectors.npy", vectors.values, allow_pickle=False)
        (folder / EMBEDDED).write_text(embedded_csv(documents), encoding="utf-8", newline="")
    if vectors is None or landscape is None:
        return
    np.save(folder / "memberships.npy", landscape.memberships, allow_pickle=False)
    (folder / "points.csv").write_text(
        points_csv(landscape, documents, is_placed=is_placed), encoding="utf-8", newline=""
    )
    (folder / "landscape.json").write_text(landscape_json(landscape, vectors), encoding="utf-8")


def write_documents(path: Path, documents: Sequence[Document]) -> None:
    """Write documents as CSV, extra columns after the standard ones in alphabetical order."""
    extras = sorted({name for document in documents for name in document.extras})
    has_wording = _has_wording(documents)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*DOCUMENT_COLUMNS, *([WORDING] if has_wording else []), *extras])
        for document in documents:
            standard = [document.document_id, document.title, document.iso_date, document.text]
            wording = [document.date_text] if has_wording else []
            others = [document.extras.get(name, "") for name in extras]
            writer.writerow([*standard, document.source, document.url, *wording, *others])


def read_collection(folder: Path, name: str) -> Collection | None:
    """Return what a bundle says of its collection, under a name; ``None`` where it says nothing.

    Raises
    ------
    InvalidInput
        If the file is damaged, or a newer version of the program wrote it.
    """
    told = read_object(folder / ABOUT)
    if told is None:
        return None
    if (number := told.whole("format", least=1)) > FORMAT:
        raise InvalidInput(
            f"{told.where} is of format {number}, and this version of Throughline reads {FORMAT}. Update the program."
        )
    return Collection(
        name,
        title=told.text("title"),
        noun=told.text("noun"),
        description=told.text("description"),
        origin=told.text("origin"),
        licence=told.text("licence"),
        stop_words=told.texts("stop_words"),
    )


def read_judgements(folder: Path) -> bytes:
    """Return the recording of a bundle as it is in the file, empty where it has none.

    Raises
    ------
    InvalidInput
        If the file is larger than 256 MiB or cannot be read.
    """
    return read_file(folder / RECORDING) or b""


def read_vectors(folder: Path, documents: Sequence[Document] | None = None) -> Vectors | None:
    """Return the vectors of a bundle, ``None`` where it has none.

    Parameters
    ----------
    folder : Path
    documents : sequence of Document, optional
        Where given, the rows must be theirs.

    Returns
    -------
    Vectors or None
        ``model`` and ``version`` are empty where the bundle does not say whose they are.

    Raises
    ------
    InvalidInput
        If they are not one finite float32 row a document, none of them zero.
    """
    matrix = read_matrix(folder, "vectors", np.float32)
    if matrix is None:
        return None
    where, values = place(folder / "vectors"), matrix.values.astype(np.float32, copy=False)
    if documents is not None:
        ids = [document.document_id for document in documents]
        require_ids(matrix.ids or ids, ids, where)
        if len(values) != len(ids):
            raise InvalidInput(f"{where} do not have the rows of documents.csv: {len(ids)}, not {len(values)}. {AGAIN}")
    if not np.isfinite(values).all() or not values.any(axis=1).all():
        raise InvalidInput(f"{where} must be finite and not zero; a row is not. {AGAIN}")
    told = read_object(folder / "landscape.json")
    if told is None:
        told = read_object(folder / ABOUT)
        if told is None or "model" not in told.told:
            return Vectors(values, "", "")
    return Vectors(values, told.text("model"), told.text("model_version"))


def _has_wording(documents: Sequence[Document]) -> bool:
    return any(document.date_text != document.iso_date for document in documents)


def _collection_json(collection: Collection, vectors: Vectors | None, *, has_wording: bool) -> str:
    told = {
        "format": FORMAT,
        "title": collection.title,
        "noun": collection.noun,
        "description": collection.description,
        "origin": collection.origin,
        "licence": collection.licence,
        "stop_words": collection.stop_words,
        WORDING: has_wording,  # an extra column may have that name too
        **({} if vectors is None else {"model": vectors.model, "model_version": vectors.version}),
    }
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"
