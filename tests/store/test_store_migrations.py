import contextlib
from pathlib import Path

import duckdb
import pytest

from narrative_core.errors import StoreError
from narrative_core.store.database import Database, open_database
from narrative_core.store.migrations import MIGRATIONS, migrate
from narrative_core.store.tables import Column, Cursor, create_table


def tables(cursor: Cursor) -> set[str]:
    return {row[0] for row in cursor.execute("SELECT table_name FROM duckdb_tables()").fetchall()}


def m001_first(cursor: Cursor) -> None:
    create_table(cursor, "first", "It's a table.", (Column("id", "INTEGER NOT NULL", "It's a column."),), key=("id",))


def m002_broken(cursor: Cursor) -> None:
    cursor.execute("CREATE TABLE half (id INTEGER)")
    cursor.execute("INSERT INTO first VALUES (1)")
    msg = "broken on purpose"
    raise ValueError(msg)


def m002_second(cursor: Cursor) -> None:
    cursor.execute("CREATE TABLE second (id INTEGER)")


def test_migrations_are_numbered_without_a_gap() -> None:
    assert [step.__name__[:5] for step in MIGRATIONS] == [
        f"m{version:03d}_" for version in range(1, len(MIGRATIONS) + 1)
    ]


def test_a_new_file_records_every_migration_once(database: Database) -> None:
    with database.reading() as cursor:
        rows = cursor.execute("SELECT version, name FROM schema_migrations ORDER BY version").fetchall()
    assert rows == [(version, step.__name__) for version, step in enumerate(MIGRATIONS, start=1)]


def test_opening_again_applies_nothing_again(path: Path) -> None:
    query = "SELECT * FROM schema_migrations ORDER BY version"
    with contextlib.closing(open_database(path)) as database, database.reading() as cursor:
        before = cursor.execute(query).fetchall()
    with contextlib.closing(open_database(path)) as database, database.reading() as cursor:
        assert cursor.execute(query).fetchall() == before


def test_a_file_of_a_newer_program_is_refused(path: Path) -> None:
    with contextlib.closing(open_database(path)) as database, database.transaction() as cursor:
        cursor.execute("INSERT INTO schema_migrations VALUES (999, 'm999_future', '')")
    with pytest.raises(StoreError) as refusal:
        open_database(path)
    assert str(refusal.value) == (
        f"The database {path} was written by a newer version of Throughline (schema 999; this one knows "
        f"{len(MIGRATIONS)}). Update the program, or name another file with --db."
    )


def test_only_missing_steps_are_applied() -> None:
    with contextlib.closing(duckdb.connect()) as connection:
        migrate(connection, Path("x"), (m001_first,))
        connection.execute("INSERT INTO first VALUES (7)")
        migrate(connection, Path("x"), (m001_first, m002_second))
        assert connection.execute("FROM first").fetchall() == [(7,)]
        assert tables(connection) == {"schema_migrations", "first", "second"}


def test_a_migration_that_fails_leaves_nothing_of_itself_and_all_of_the_one_before() -> None:
    with contextlib.closing(duckdb.connect()) as connection:
        with pytest.raises(ValueError, match="broken on purpose"):
            migrate(connection, Path("x"), (m001_first, m002_broken))
        assert tables(connection) == {"schema_migrations", "first"}
        assert connection.execute("SELECT count(*) FROM first").fetchall() == [(0,)]
        migrate(connection, Path("x"), (m001_first, m002_second))
        assert tables(connection) == {"schema_migrations", "first", "second"}


def test_comments_with_quotes_are_kept() -> None:
    with contextlib.closing(duckdb.connect()) as connection:
        migrate(connection, Path("x"), (m001_first,))
        query = "SELECT comment FROM duckdb_tables() WHERE table_name = 'first'"
        assert connection.execute(query).fetchall() == [("It's a table.",)]
        query = "SELECT comment FROM duckdb_columns() WHERE table_name = 'first'"
        assert connection.execute(query).fetchall() == [("It's a column.",)]
