"""What a person has decided about a collection: one value in, the same value out."""

import datetime as dt
from collections.abc import Mapping

from narrative_core.curation import Curation
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
        for document_id in sorted(_edited(curation)):
            cursor.execute(
                "INSERT INTO document_edits"
                " (collection, document_id, is_excluded, is_standalone, date_text, date, note)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    name,
                    document_id,
                    document_id in curation.excluded,
                    document_id in curation.standalone,
                    curation.dates.get(document_id),
                    (days or {}).get(document_id),
                    curation.document_notes.get(document_id, ""),
                ],
            )
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


def _edited(curation: Curation) -> set[str]:
    return {*curation.excluded, *curation.standalone, *curation.dates, *curation.document_notes}


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
