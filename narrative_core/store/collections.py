"""Collections: their documents, the report of their loading, and the removal of all that hangs on them."""

from collections.abc import Sequence
from typing import Any

from narrative_core.clock import now_text
from narrative_core.errors import InvalidInput
from narrative_core.records import Collection, CollectionSummary, Document, LoadReport
from narrative_core.store.catalogue import known_names, require_collection
from narrative_core.store.copies import COPY_DELETIONS
from narrative_core.store.curations import CURATION_DELETIONS
from narrative_core.store.database import Database
from narrative_core.store.document_rows import document_from_row
from narrative_core.store.documents import DOCUMENT_DELETIONS, insert_documents, require_unique
from narrative_core.store.judgements import JUDGEMENT_DELETION
from narrative_core.store.landscapes import LANDSCAPE_DELETIONS
from narrative_core.store.panels import PANEL_DELETION
from narrative_core.store.report_rows import insert_report, read_report
from narrative_core.store.runs import RUN_DELETIONS
from narrative_core.store.stability import STABILITY_DELETION
from narrative_core.store.tables import Cursor

STORY_DELETIONS = (
    "DELETE FROM story_links WHERE story_id IN (SELECT story_id FROM stories WHERE collection = ?)",
    "DELETE FROM story_documents WHERE story_id IN (SELECT story_id FROM stories WHERE collection = ?)",
    "DELETE FROM stories WHERE collection = ?",
    JUDGEMENT_DELETION,
    PANEL_DELETION,
    *RUN_DELETIONS,
    *CURATION_DELETIONS,
    "DELETE FROM desks WHERE collection = ?",
)
DELETIONS = (
    *DOCUMENT_DELETIONS,
    "DELETE FROM vector_sets WHERE collection = ?",
    "DELETE FROM vectors WHERE collection = ?",
    "DELETE FROM term_counts WHERE collection = ?",
    "DELETE FROM stage_arrays WHERE collection = ?",
    *COPY_DELETIONS,
    STABILITY_DELETION,
    "DELETE FROM jobs WHERE subject = ? AND state <> 'running'",
    "DELETE FROM collections WHERE name = ?",
)


def save_collection(
    database: Database,
    collection: Collection,
    documents: Sequence[Document],
    report: LoadReport,
    *,
    origin_hash: str = "",
    now: str | None = None,
) -> None:
    """Save a new collection with its documents and the report of their loading: all of it, or nothing.

    Parameters
    ----------
    database : Database
        Where to.
    collection : Collection
        Its name must be new.
    documents : sequence of Document
        In position order, each id once.
    report : LoadReport
        What became of every row of the file.
    origin_hash : str
        Hash of the imported bytes and settings; empty where unknown.
    now : str, optional
        When; the present where not given.

    Raises
    ------
    InvalidInput
        If the name is blank or taken, or a document id repeats.
    """
    if not collection.name.strip():
        msg = "A collection needs a name; an empty one came. Give it a name of letters and digits."
        raise InvalidInput(msg)
    require_unique(documents)
    with database.transaction() as cursor:
        if collection.name in known_names(cursor):
            msg = (
                f"A collection named {collection.name!r} exists already. Choose another name, or delete that one first."
            )
            raise InvalidInput(msg)
        _insert_collection(cursor, collection, origin_hash, now or now_text())
        insert_documents(cursor, collection.name, documents)
        insert_report(cursor, collection.name, report)


def load_collection(database: Database, name: str) -> Collection:
    """Return a collection, without its documents.

    Raises
    ------
    InvalidInput
        If there is none of that name.
    """
    with database.reading() as cursor:
        require_collection(cursor, name)
        row = cursor.execute(
            "SELECT name, title, noun, description, origin, licence, stop_words FROM collections WHERE name = ?", [name]
        ).fetchall()[0]
    return _collection(row)


def load_origin_hash(database: Database, name: str) -> str:
    """Return the hash that the collection was saved with, empty where it is unknown.

    Raises
    ------
    InvalidInput
        If there is no collection of that name.
    """
    with database.reading() as cursor:
        require_collection(cursor, name)
        return str(cursor.execute("SELECT origin_hash FROM collections WHERE name = ?", [name]).fetchall()[0][0])


def load_documents(database: Database, name: str) -> tuple[Document, ...]:
    """Return the documents of a collection in position order.

    Raises
    ------
    InvalidInput
        If there is no collection of that name.
    """
    with database.reading() as cursor:
        require_collection(cursor, name)
        rows = cursor.execute(
            "SELECT document_id, title, text, date, date_text, date_precision, source, url, extras"
            " FROM documents WHERE collection = ? ORDER BY position",
            [name],
        ).fetchall()
    return tuple(document_from_row(row) for row in rows)


def load_report(database: Database, name: str) -> LoadReport:
    """Return what became of every row of the file that the collection was loaded from.

    Raises
    ------
    InvalidInput
        If there is no collection of that name.
    """
    with database.reading() as cursor:
        require_collection(cursor, name)
        return read_report(cursor, name)


def list_collections(database: Database) -> tuple[CollectionSummary, ...]:
    """Return every collection with its counts as it is curated, by name: excluded documents are counted apart."""
    with database.reading() as cursor:
        rows = cursor.execute(
            """
            WITH curated AS (
                SELECT documents.collection, position, coalesce(is_excluded, false) AS is_excluded,
                       CASE WHEN NOT coalesce(is_excluded, false) THEN coalesce(edits.date, documents.date) END AS day
                FROM documents LEFT JOIN document_edits AS edits USING (collection, document_id)
            ), dated AS (
                SELECT collection, count(*) FILTER (NOT is_excluded) AS n_documents,
                       count(*) FILTER (NOT is_excluded AND day IS NULL) AS n_undated,
                       min(day) AS first_date, max(day) AS last_date, count(*) FILTER (is_excluded) AS n_excluded
                FROM curated GROUP BY collection
            ), merged AS (
                SELECT edits.collection, edits.landscape_id, count(*) AS n_merged
                FROM topic_edits AS edits JOIN topics USING (collection, topic)
                WHERE merged_into IS NOT NULL GROUP BY ALL
            ), grouped AS (
                SELECT collection, count(*) AS n_topics FROM topics GROUP BY collection
            ), outside AS (
                SELECT collection, count(*) FILTER (is_outlier AND NOT is_excluded) AS n_outliers
                FROM points JOIN curated USING (collection, position) GROUP BY collection
            )
            SELECT name, title, noun, description, origin, licence, stop_words,
                   coalesce(n_documents, 0), coalesce(n_undated, 0), first_date, last_date, landscapes.landscape_id,
                   coalesce(n_topics, 0) - coalesce(n_merged, 0), coalesce(n_outliers, 0), coalesce(n_excluded, 0)
            FROM collections
            LEFT JOIN dated ON dated.collection = name
            LEFT JOIN landscapes ON landscapes.collection = name
            LEFT JOIN merged ON merged.collection = name AND merged.landscape_id = landscapes.landscape_id
            LEFT JOIN grouped ON grouped.collection = name
            LEFT JOIN outside ON outside.collection = name
            ORDER BY name
            """
        ).fetchall()
    return tuple(CollectionSummary(_collection(row[:7]), *row[7:]) for row in rows)


def has_collection(database: Database, name: str) -> bool:
    """Return whether there is a collection of that name."""
    with database.reading() as cursor:
        return name in known_names(cursor)


def delete_collection(database: Database, name: str, *, keep_stories: bool = False) -> None:
    """Delete a collection and all that hangs on it: all of it, or nothing.

    Parameters
    ----------
    database : Database
        Where from.
    name : str
        The collection.
    keep_stories : bool
        Whether all that people did with it stays: saved stories, runs, judgements, the curation and the desk, for
        another edition of the same documents. A saved story carries copies of its documents, so it can still be read; a
        judgement counts wherever a judge would read the same text of the same documents; a decision about a document
        counts where there is one of its id, one about a topic on the landscape that it was made on.

    Raises
    ------
    InvalidInput
        If there is no collection of that name.
    """
    with database.transaction() as cursor:
        require_collection(cursor, name)
        for statement in (*(() if keep_stories else STORY_DELETIONS), *LANDSCAPE_DELETIONS, *DELETIONS):
            cursor.execute(statement, [name])


def save_stop_words(database: Database, name: str, words: Sequence[str]) -> None:
    """Replace the stop words of a collection.

    Raises
    ------
    InvalidInput
        If there is no collection of that name.
    """
    with database.transaction() as cursor:
        require_collection(cursor, name)
        cursor.execute("UPDATE collections SET stop_words = ? WHERE name = ?", [list(words), name])


def _collection(row: Sequence[Any]) -> Collection:
    """Return the collection of a row (name, title, noun, description, origin, licence, stop_words)."""
    name, title, noun, description, origin, licence, stop_words = row
    return Collection(name, title, noun, description, origin, licence, tuple(stop_words))


def _insert_collection(cursor: Cursor, collection: Collection, origin_hash: str, created_at: str) -> None:
    cursor.execute(
        "INSERT INTO collections"
        " (name, title, noun, description, origin, licence, stop_words, origin_hash, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            collection.name,
            collection.title,
            collection.noun,
            collection.description,
            collection.origin,
            collection.licence,
            list(collection.stop_words),
            origin_hash,
            created_at,
        ],
    )
