"""What there is of each collection and what is still to be done to it, counted in SQL: no document is read."""

from dataclasses import dataclass
from typing import Any

from narrative_core.store.database import Database


@dataclass(frozen=True, slots=True)
class Census:
    """The counts of one collection.

    ``n_undated`` have no date in the file and none that was typed, excluded ones not counted · ``n_dimensions`` of its
    vectors, 0 where there are none · ``n_copies`` stand in a group of copies · ``trails`` are the document ids of each
    saved story's trail · ``judged`` are hashes of stories that have a judgement with a score.
    """

    name: str
    title: str
    n_documents: int
    n_undated: int
    n_embedded: int
    n_dimensions: int
    is_built: bool
    n_placed: int
    n_excluded: int
    n_copies: int
    trails: tuple[tuple[str, ...], ...]
    judged: frozenset[str]


def take_census(database: Database) -> tuple[Census, ...]:
    """Return the counts of every collection, by name."""
    with database.reading() as cursor:
        rows = cursor.execute(
            """
            WITH decided AS (SELECT * FROM document_edits),
            undated AS (
                SELECT documents.collection AS owner, count(*) AS n FROM documents
                LEFT JOIN decided ON decided.collection = documents.collection
                    AND decided.document_id = documents.document_id
                WHERE documents.date IS NULL AND decided.date IS NULL AND NOT coalesce(decided.is_excluded, false)
                GROUP BY ALL
            ), present AS (SELECT collection AS owner, count(*) AS n FROM documents GROUP BY ALL),
            embedded AS (SELECT collection AS owner, count(*) AS n FROM vectors GROUP BY ALL),
            placed AS (SELECT collection AS owner, count(*) FILTER (is_placed) AS n FROM points GROUP BY ALL),
            excluded AS (
                SELECT decided.collection AS owner, count(*) AS n FROM decided
                SEMI JOIN documents ON documents.collection = decided.collection
                    AND documents.document_id = decided.document_id
                WHERE is_excluded GROUP BY ALL
            ), grouped AS (SELECT collection AS owner, count(*) AS n FROM copies GROUP BY ALL)
            SELECT name, title, coalesce(present.n, 0), coalesce(undated.n, 0), coalesce(embedded.n, 0),
                coalesce(n_dimensions, 0), landscape_id IS NOT NULL, coalesce(placed.n, 0), coalesce(excluded.n, 0),
                coalesce(grouped.n, 0)
            FROM collections
            LEFT JOIN present ON present.owner = name
            LEFT JOIN undated ON undated.owner = name
            LEFT JOIN embedded ON embedded.owner = name
            LEFT JOIN vector_sets ON vector_sets.collection = name
            LEFT JOIN landscapes ON landscapes.collection = name
            LEFT JOIN placed ON placed.owner = name
            LEFT JOIN excluded ON excluded.owner = name
            LEFT JOIN grouped ON grouped.owner = name
            ORDER BY name
            """
        ).fetchall()
        trails = cursor.execute(
            "SELECT collection, list(document_id ORDER BY step) FROM story_documents"
            " JOIN stories USING (story_id) WHERE kind = 'trail' GROUP BY collection, story_id ORDER BY story_id"
        ).fetchall()
        judged = cursor.execute("SELECT DISTINCT collection, story_hash FROM judgements WHERE status = 'ok'").fetchall()
    return tuple(
        _census(
            *row,
            tuple(tuple(ids) for owner, ids in trails if owner == row[0]),
            frozenset(story_hash for owner, story_hash in judged if owner == row[0]),
        )
        for row in rows
    )


def _census(*counted: Any) -> Census:  # noqa: ANN401  a row, then the trails and the judged
    return Census(*counted)


def schema_version(database: Database) -> int:
    """Return the number of the last step that made the schema."""
    with database.reading() as cursor:
        return int(cursor.execute("SELECT max(version) FROM schema_migrations").fetchall()[0][0])
