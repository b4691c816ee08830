"""Vectors of a collection whose documents have changed: those that stay bit for bit, and those that arrive."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from narrative_core.build_stages import OWN_VECTORS, Embedded, Model, StageProgress, embed_texts, is_of_model
from narrative_core.errors import InvalidInput
from narrative_core.ingest.documents import Loaded
from narrative_core.placing import Rows
from narrative_core.records import Vectors
from narrative_core.store.database import Database

_OTHER_MODEL: Final = (
    "The collection's vectors are from {was}, and those of {now} cannot stand beside them. Build the collection again, "
    "and then update it."
)


def join_vectors(stored: Vectors, rows: Rows, arriving: NDArray[np.float32]) -> Vectors:
    """Return the vectors of all documents, in new positions; ``arriving`` (m, d) are those of the arriving ones."""
    values = np.empty((len(rows.before), stored.values.shape[1]), dtype=np.float32)
    values[rows.staying] = stored.values[rows.before[rows.staying]]
    values[rows.is_arriving] = arriving
    return replace(stored, values=values)


def brought_vectors(loaded: Loaded, document_ids: Sequence[str]) -> Vectors | None:
    """Return the person's own vectors of some documents, ``None`` where the file brings none.

    Raises
    ------
    InvalidInput
        If one of the documents is not in the file.
    """
    if loaded.vectors is None:
        return None
    row_of = {document.document_id: row for row, document in enumerate(loaded.documents)}
    rows = [row_of[document_id] for document_id in document_ids if document_id in row_of]
    if len(rows) < len(document_ids):
        raise InvalidInput(
            f"{len(document_ids) - len(rows):,} of {len(document_ids):,} documents are not in the file, so they would "
            "have no vector. Remove them, or update without vectors."
        )
    values = loaded.vectors[rows]
    return Vectors(values, OWN_VECTORS, f"from file, {values.shape[1]} dimensions")


def require_brought(stored: Vectors, brought: Vectors | None, n_arriving: int) -> Vectors:
    """Return the vectors that a person brought, or raise `InvalidInput` where documents need some and have none."""
    if brought is None:
        raise InvalidInput(
            f"The collection came with its own vectors, and {n_arriving:,} new or changed documents have none. Add a "
            f".npy file of {stored.values.shape[1]} dimensions, one row a row of the file."
        )
    return brought


def embed_arrivals(
    database: Database,
    name: str,
    texts: Sequence[str],
    stored: Vectors,
    *,
    model: Model | None,
    api_key: str,
    progress: StageProgress,
) -> Embedded:
    """Return new vectors of texts, from the model of the stored ones.

    Raises
    ------
    InvalidInput
        If the model asked for, or what answers under its name now, is another one.
    EmbeddingUnavailable
        If it cannot be used.
    """
    was = f"{stored.model} ({stored.version})"
    asked = model or Model(stored.model)
    if not is_of_model(stored, asked):
        raise InvalidInput(_OTHER_MODEL.format(was=was, now=asked.name))
    made = embed_texts(database, name, texts, asked, api_key=api_key, progress=progress)
    n_dimensions = made.vectors.values.shape[1]
    if made.vectors.version != stored.version or n_dimensions != stored.values.shape[1]:
        now = f"{made.vectors.model} ({made.vectors.version}), {n_dimensions} dimensions,"
        raise InvalidInput(_OTHER_MODEL.format(was=was, now=now))
    return made
