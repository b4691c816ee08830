"""How common each term is in a collection."""

from collections.abc import Mapping

import pyarrow as pa

from narrative_core.store.bulk import insert_rows
from narrative_core.store.catalogue import require_collection
from narrative_core.store.database import Database


def save_term_counts(database: Database, name: str, counts: Mapping[str, int]) -> None:
    """Save in how many documents each term occurs, in place of the former counts.

    Parameters
    ----------
    database : Database
        Where to.
    name : str
        The collection.
    counts : mapping
        Term to number of documents.

    Raises
    ------
    InvalidInput
        If there is no collection of that name.
    """
    rows = pa.table(
        {"term": pa.array(list(counts), pa.large_string()), "n": pa.array(list(counts.values()), pa.int64())}
    )
    with database.transaction() as cursor:
        require_collection(cursor, name)
        cursor.execute("DELETE FROM term_counts WHERE collection = ?", [name])
        insert_rows(
            cursor,
            "INSERT INTO term_counts (collection, term, n_documents) SELECT ?, term, n FROM incoming",
            rows,
            [name],
        )


def load_term_counts(database: Database, name: str) -> dict[str, int]:
    """Return in how many documents each term occurs, the commonest first; empty where nothing was counted.

    Raises
    ------
    InvalidInput
        If there is no collection of that name.
    """
    with database.reading() as cursor:
        require_collection(cursor, name)
        rows = cursor.execute(
            "SELECT term, n_documents FROM term_counts WHERE collection = ? ORDER BY n_documents DESC, term", [name]
        ).fetchall()
    return dict(rows)
