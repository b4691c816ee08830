"""What a person has decided about a collection: one value in, the same value out."""

import datetime as dt
from collections.abc import Iterable, Mapping

import pyarrow as pa

from narrative_core.curation import Curation
from narrative_core.store.bulk import insert_rows
from narrative_core.store.catalogue import require_collection
from narrative_core.store.database import Database
from narrative_core.store.tables import Cursor

CURATION_DELETIONS = (
    "DELETE FROM document_edits WHERE collection = ?",
    "DELETE FROM link_notes WHERE collection = ?",
    "DELETE FROM topic_edits WHERE collection = ?",
)


def save_curation(
    database: Database, name: str, curation: Curation, *, days: Mapping[str, dt.date | None] | None = None
) -> None:
    """Save the decisions about a collection in place of the former ones.

    Parameters
    ----------
    database : Database
    name : str
        The collection.
    curation : Curation
    days : mapping of str to date, optional
        By document id, the first day of each of ``curation.dates``; for counting in SQL.

    Raises
    ------
    InvalidInput
        If there is no collection of that name.
    """
    with database.transaction() as cursor:
        require_collection(cursor, name)
        for statement in CURATION_DELETIONS:
            cursor.execute(statement, [name])
        _insert_documents(cursor, name, curation, days or {})
        for (source, target), note in sorted(curation.link_notes.items()):
            cursor.execute(
                "INSERT INTO link_notes (collection, source, target, note) VALUES (?, ?, ?, ?)",
                [name, source, target, note],
            )
        _insert_topics(cursor, name, curation)


def load_curation(database: Database, name: str) -> Curation:
    """Return the decisions about a collection; an empty `Curation` where there are none.

    Raises
    ------
    InvalidInput
        If there is no collection of that name.
    """
    with database.reading() as cursor:
        require_collection(cursor, name)
        documents = cursor.execute(
            "SELECT document_id, is_excluded, is_standalone, date_text, note FROM document_edits"
            " WHERE collection = ? ORDER BY document_id",
            [name],
        ).fetchall()
        links = cursor.execute(
            "SELECT source, target, note FROM link_notes WHERE collection = ? ORDER BY source, target", [name]
        ).fetchall()
        topics = cursor.execute(
            "SELECT topic, label, merged_into, is_hidden, landscape_id FROM topic_edits WHERE collection = ?"
            " ORDER BY topic",
            [name],
        ).fetchall()
    return Curation(
        excluded=frozenset(row[0] for row in documents if row[1]),
        standalone=frozenset(row[0] for row in documents if row[2]),
        dates={row[0]: row[3] for row in documents if row[3] is not None},
        document_notes={row[0]: row[4] for row in documents if row[4]},
        link_notes={(source, target): note for source, target, note in links},
        landscape_id=topics[0][4] if topics else "",
        topic_labels={row[0]: row[1] for row in topics if row[1] is not None},
        merged_topics={row[0]: row[2] for row in topics if row[2] is not None},
        hidden_topics=frozenset(row[0] for row in topics if row[3]),
    )


def count_left(database: Database, name: str, excluded: Iterable[str]) -> tuple[int, int]:
    """Return how many documents a collection has without some of them, and in all.

    Raises
    ------
    InvalidInput
        If there is no collection of that name.
    """
    with database.reading() as cursor:
        require_collection(cursor, name)
        n_left, n = cursor.execute(
            "SELECT count(*) FILTER (document_id NOT IN (SELECT unnest(?))), count(*)"
            " FROM documents WHERE collection = ?",
            [list(excluded), name],
        ).fetchall()[0]
    return int(n_left), int(n)


def _insert_documents(cursor: Cursor, name: str, curation: Curation, days: Mapping[str, dt.date | None]) -> None:
    edited = sorted({*curation.excluded, *curation.standalone, *curation.dates, *curation.document_notes})
    rows = pa.table(
        {
            "document_id": pa.array(edited, pa.large_string()),
            "is_excluded": pa.array([one in curation.excluded for one in edited], pa.bool_()),
            "is_standalone": pa.array([one in curation.standalone for one in edited], pa.bool_()),
            "date_text": pa.array([curation.dates.get(one) for one in edited], pa.large_string()),
            "date": pa.array([days.get(one) for one in edited], pa.date32()),
            "note": pa.array([curation.document_notes.get(one, "") for one in edited], pa.large_string()),
        }
    )
    insert_rows(
        cursor,
        "INSERT INTO document_edits (collection, document_id, is_excluded, is_standalone, date_text, date, note)"
        " SELECT ?, document_id, is_excluded, is_standalone, date_text, date, note FROM incoming",
        rows,
        [name],
    )


def _insert_topics(cursor: Cursor, name: str, curation: Curation) -> None:
    edited = {*curation.topic_labels, *curation.merged_topics, *curation.hidden_topics}
    for topic in sorted(edited):
        cursor.execute(
            "INSERT INTO topic_edits (collection, landscape_id, topic, label, merged_into, is_hidden)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            [
                name,
                curation.landscape_id,
                topic,
                curation.topic_labels.get(topic),
                curation.merged_topics.get(topic),
                topic in curation.hidden_topics,
            ],
        )
