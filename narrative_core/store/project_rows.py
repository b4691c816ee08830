"""What a project file holds beyond what other parts of the program ask the store for."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput
from narrative_core.store.bulk import fetch_table, insert_rows, list_array, matrix_from_lists
from narrative_core.store.catalogue import count_documents
from narrative_core.store.database import Database


@dataclass(frozen=True, slots=True, eq=False)
class Placement:
    """What new documents are placed by, and which were; row = position.

    ``projections`` (n, d) float32, ``None`` where none are kept · ``is_placed`` (n,) bool, false without a landscape.
    """

    projections: NDArray[np.float32] | None
    is_placed: NDArray[np.bool_]


def load_placement(database: Database, name: str) -> Placement:
    """Return what new documents of a collection are placed by, and which were.

    Raises
    ------
    InvalidInput
        If there is no collection of that name.
    """
    with database.reading() as cursor:
        n_documents = count_documents(cursor, name)
        query = "SELECT projection FROM projections WHERE collection = ? ORDER BY position"
        column = fetch_table(cursor, query, [name])["projection"]
        placed = cursor.execute(
            "SELECT position FROM points WHERE collection = ? AND coalesce(is_placed, false)", [name]
        ).fetchall()
    projections = None
    if len(column):
        projections = matrix_from_lists(column, len(column[0].as_py()), np.float32)
    is_placed = np.zeros(n_documents, dtype=np.bool_)
    is_placed[[position for (position,) in placed]] = True
    return Placement(projections, is_placed)


def save_placement(database: Database, name: str, placement: Placement) -> None:
    """Save what new documents are placed by, and which were, in place of the former.

    Raises
    ------
    InvalidInput
        If there is no collection of that name, or the rows are not those of its documents.
    """
    with database.transaction() as cursor:
        n_documents = count_documents(cursor, name)
        projections = placement.projections
        for rows in (placement.is_placed, *(() if projections is None else (projections,))):
            if len(rows) != n_documents:
                raise InvalidInput(
                    f"Collection {name!r} has {n_documents} documents, but {len(rows)} rows came. Give one a document."
                )
        cursor.execute("DELETE FROM projections WHERE collection = ?", [name])
        if projections is not None:
            insert_rows(
                cursor,
                "INSERT INTO projections (collection, position, projection)"
                " SELECT ?, position, projection FROM incoming",
                pa.table({"position": np.arange(n_documents, dtype=np.int32), "projection": list_array(projections)}),
                [name],
            )
        cursor.execute(
            "UPDATE points SET is_placed = position IN (SELECT unnest(CAST($placed AS INTEGER[])))"
            " WHERE collection = $name",
            {"placed": np.flatnonzero(placement.is_placed).tolist(), "name": name},
        )


def taken_story_ids(database: Database) -> frozenset[str]:
    """Return the ids of all saved stories and of their families, whatever collection they are of."""
    with database.reading() as cursor:
        rows = cursor.execute("SELECT story_id, coalesce(family_id, '') FROM stories").fetchall()
    return frozenset(known for row in rows for known in row if known)
