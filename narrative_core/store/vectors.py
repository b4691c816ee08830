"""The embedding of a collection, one queryable row a document, bit for bit."""

import numpy as np
import pyarrow as pa

from narrative_core.errors import InvalidInput
from narrative_core.records import Vectors
from narrative_core.store.bulk import fetch_table, insert_rows, list_array, matrix_from_lists
from narrative_core.store.catalogue import count_documents, require_collection
from narrative_core.store.database import Database


def save_vectors(database: Database, name: str, vectors: Vectors) -> None:
    """Save the vectors of a collection in place of its former ones.

    Parameters
    ----------
    database : Database
        Where to.
    name : str
        The collection.
    vectors : Vectors
        ``values`` (n, d) float32, one row a document of the collection.

    Raises
    ------
    InvalidInput
        If there is no collection of that name, or the values are not one float32 row a document.
    """
    values = vectors.values
    if values.dtype != np.float32 or values.ndim != 2:
        msg = f"Vectors must be a float32 matrix; got {values.dtype} of shape {values.shape}. Convert them first."
        raise InvalidInput(msg)
    with database.transaction() as cursor:
        n_documents = count_documents(cursor, name)
        if len(values) != n_documents:
            msg = (
                f"Collection {name!r} has {n_documents} documents, but {len(values)} vectors came. "
                "Give one vector a document, in position order."
            )
            raise InvalidInput(msg)
        cursor.execute("DELETE FROM vector_sets WHERE collection = ?", [name])
        cursor.execute("DELETE FROM vectors WHERE collection = ?", [name])
        cursor.execute(
            "INSERT INTO vector_sets (collection, model, version, n_dimensions) VALUES (?, ?, ?, ?)",
            [name, vectors.model, vectors.version, values.shape[1]],
        )
        insert_rows(
            cursor,
            "INSERT INTO vectors (collection, position, embedding) SELECT ?, position, embedding FROM incoming",
            pa.table({"position": np.arange(n_documents, dtype=np.int32), "embedding": list_array(values)}),
            [name],
        )


def load_vectors(database: Database, name: str) -> Vectors | None:
    """Return the vectors of a collection, ``None`` where it has not been embedded.

    Raises
    ------
    InvalidInput
        If there is no collection of that name.
    """
    with database.reading() as cursor:
        require_collection(cursor, name)
        found = cursor.execute(
            "SELECT model, version, n_dimensions FROM vector_sets WHERE collection = ?", [name]
        ).fetchall()
        if not found:
            return None
        model, version, n_dimensions = found[0]
        query = "SELECT embedding FROM vectors WHERE collection = ? ORDER BY position"
        rows = fetch_table(cursor, query, [name])
    return Vectors(matrix_from_lists(rows["embedding"], n_dimensions, np.float32), model=model, version=version)
