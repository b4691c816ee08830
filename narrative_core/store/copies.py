"""Documents of a collection with nearly the same text, in groups that go by their first document."""

from collections.abc import Mapping

import pyarrow as pa

from narrative_core.store.bulk import insert_rows
from narrative_core.store.catalogue import require_collection
from narrative_core.store.database import Database

COPY_DELETIONS = ("DELETE FROM copies WHERE collection = ?",)


def save_copies(database: Database, name: str, copies: Mapping[str, str]) -> None:
    """Save the groups of copies of a collection in place of the former ones, and that they were looked for.

    Parameters
    ----------
    database : Database
    name : str
        The collection.
    copies : mapping of str to str
        By document id, the id of the first document of its group; that one names itself. Documents without copies are
        left out.

    Raises
    ------
    InvalidInput
        If there is no collection of that name.
    """
    with database.transaction() as cursor:
        require_collection(cursor, name)
        for statement in COPY_DELETIONS:
            cursor.execute(statement, [name])
        rows = pa.table(
            {
                "document_id": pa.array(list(copies.keys()), pa.large_string()),
                "original": pa.array(list(copies.values()), pa.large_string()),
            }
        )
        insert_rows(
            cursor,
            "INSERT INTO copies (collection, document_id, original) SELECT ?, document_id, original FROM incoming",
            rows,
            [name],
        )
        cursor.execute("UPDATE collections SET are_copies_known = true WHERE name = ?", [name])


def load_copies(database: Database, name: str) -> dict[str, str] | None:
    """Return, for each document of a group of copies, the id of its first; ``None`` where none were looked for yet.

    Raises
    ------
    InvalidInput
        If there is no collection of that name.
    """
    with database.reading() as cursor:
        require_collection(cursor, name)
        known = cursor.execute("SELECT are_copies_known FROM collections WHERE name = ?", [name]).fetchall()[0][0]
        if not known:
            return None
        rows = cursor.execute(
            "SELECT document_id, original FROM copies WHERE collection = ? ORDER BY document_id", [name]
        ).fetchall()
    return dict(rows)
