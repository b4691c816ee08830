"""The schema, as numbered steps, each in a transaction of its own. Append only: a released step is never edited.

The comments are the documentation: docs/schema.md is generated from them. Tables refer to each other by value;
DuckDB's foreign keys would forbid deleting a collection and its documents in one transaction.
"""

from collections.abc import Callable
from pathlib import Path

from narrative_core.clock import now_text
from narrative_core.errors import StoreError
from narrative_core.store.collection_tables import (
    m001_collections,
    m002_documents,
    m003_load_reports,
    m004_vectors,
    m005_landscapes,
    m006_points,
    m007_topics,
    m008_term_counts,
    m009_stage_arrays,
)
from narrative_core.store.curation_tables import (
    m024_story_work,
    m025_curation,
    m026_copies,
    m027_placed_documents,
    m028_desks,
    m029_stability_checks,
    m030_load_notices,
)
from narrative_core.store.judgement_tables import m015_judgements, m016_prices, m017_capabilities
from narrative_core.store.panel_tables import m018_panels
from narrative_core.store.run_tables import (
    m019_runs,
    m020_run_seats,
    m021_run_stories,
    m022_run_questions,
    m023_run_views,
)
from narrative_core.store.story_tables import (
    m010_stories,
    m011_story_documents,
    m012_story_links,
    m013_jobs,
    m014_preferences,
)
from narrative_core.store.tables import Column, Cursor, create_table

Migration = Callable[[Cursor], None]

MIGRATIONS: tuple[Migration, ...] = (
    m001_collections,
    m002_documents,
    m003_load_reports,
    m004_vectors,
    m005_landscapes,
    m006_points,
    m007_topics,
    m008_term_counts,
    m009_stage_arrays,
    m010_stories,
    m011_story_documents,
    m012_story_links,
    m013_jobs,
    m014_preferences,
    m015_judgements,
    m016_prices,
    m017_capabilities,
    m018_panels,
    m019_runs,
    m020_run_seats,
    m021_run_stories,
    m022_run_questions,
    m023_run_views,
    m024_story_work,
    m025_curation,
    m026_copies,
    m027_placed_documents,
    m028_desks,
    m029_stability_checks,
    m030_load_notices,
)


def migrate(cursor: Cursor, path: Path, migrations: tuple[Migration, ...] = MIGRATIONS) -> None:
    """Bring a database up to date; what is applied already stays as it is.

    Parameters
    ----------
    cursor : duckdb.DuckDBPyConnection
        Outside of a transaction.
    path : Path
        The file, for messages.
    migrations : tuple of functions
        Step number i + 1 at place i.

    Raises
    ------
    StoreError
        If a newer version of the program wrote the file, or another program did.
    """
    applied = _applied(cursor, path)
    if applied > len(migrations):
        msg = (
            f"The database {path} was written by a newer version of Throughline (schema {applied}; this one knows "
            f"{len(migrations)}). Update the program, or name another file with --db."
        )
        raise StoreError(msg)
    for version, migration in enumerate(migrations[applied:], start=applied + 1):
        cursor.execute("BEGIN TRANSACTION")
        try:
            if version == 1:
                _create_register(cursor)
            migration(cursor)
            cursor.execute("INSERT INTO schema_migrations VALUES (?, ?, ?)", [version, migration.__name__, now_text()])
            cursor.execute("COMMIT")
        except BaseException:
            cursor.execute("ROLLBACK")
            raise


def _applied(cursor: Cursor, path: Path) -> int:
    """Return the number of the last step that was applied, 0 for a new file."""
    found = cursor.execute("SELECT table_name FROM duckdb_tables() WHERE NOT internal").fetchall()
    if not found:
        return 0
    if ("schema_migrations",) not in found:
        msg = f"The database {path} belongs to another program. Name another file with --db."
        raise StoreError(msg)
    return int(cursor.execute("SELECT coalesce(max(version), 0) FROM schema_migrations").fetchall()[0][0])


def _create_register(cursor: Cursor) -> None:
    create_table(
        cursor,
        "schema_migrations",
        "The steps that made this schema.",
        (
            Column("version", "INTEGER NOT NULL", "Number of the step, from 1."),
            Column("name", "VARCHAR NOT NULL", "Name of the step."),
            Column("applied_at", "VARCHAR NOT NULL", "When it was applied: UTC, ISO 8601."),
        ),
        key=("version",),
    )
