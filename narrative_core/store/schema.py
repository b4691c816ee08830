"""The documentation of the database, read from the database itself.

``python -m narrative_core.store.schema > docs/schema.md`` writes it anew after a migration.
"""

import contextlib
import sys
import tempfile
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from narrative_core.store.database import Database, open_database

INTRODUCTION = """# The database

Everything is in one DuckDB file; any DuckDB client can query it while the program is closed. Documents stand in
*position* order: position *i* is row *i* of vectors, points and memberships. Unless a comment says otherwise NULL is
unknown and is counted, never a zero. Raw rows are kept; every table on screen is a query over them.

This page is generated from the comments in the database by `python -m narrative_core.store.schema > docs/schema.md`.
"""

VIEWS = """# Views

Queries with a name: they hold no rows of their own and are read like tables.
"""


def describe_schema(database: Database) -> str:
    """Return the schema as Markdown: each table and each view with its comment and its columns."""
    with database.reading() as cursor:
        tables = cursor.execute(
            "SELECT table_name, coalesce(comment, '') FROM duckdb_tables() WHERE NOT internal ORDER BY table_name"
        ).fetchall()
        views = cursor.execute(
            "SELECT view_name, coalesce(comment, '') FROM duckdb_views() WHERE NOT internal ORDER BY view_name"
        ).fetchall()
        columns = cursor.execute(
            "SELECT table_name, column_name, data_type, is_nullable, coalesce(comment, '') FROM duckdb_columns()"
            " WHERE NOT internal ORDER BY table_name, column_index"
        ).fetchall()
        keys = cursor.execute(
            "SELECT table_name, array_to_string(constraint_column_names, ', ') FROM duckdb_constraints()"
            " WHERE constraint_type = 'PRIMARY KEY'"
        ).fetchall()
    key_of = dict(keys)
    columns_of = {table: list(rows) for table, rows in groupby(columns, key=lambda row: row[0])}
    sections = [INTRODUCTION]
    for table, comment in tables:
        head = f"## {table}\n\n{comment}\n\nPrimary key: {key_of[table]}.\n\n"
        cells = [(name, kind, "yes" if is_null else "no", text) for _, name, kind, is_null, text in columns_of[table]]
        sections.append(head + _grid(("column", "type", "NULL", ""), cells))
    sections.append(VIEWS)
    for view, comment in views:
        shown = [(name, kind, text) for _, name, kind, _, text in columns_of[view]]
        sections.append(f"## {view}\n\n{comment}\n\n" + _grid(("column", "type", ""), shown))
    return "\n".join(sections)


def main() -> None:
    """Write the description of a new database to standard output, in UTF-8 wherever it runs."""
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.closing(open_database(Path(folder) / "schema.duckdb")) as database,
    ):
        sys.stdout.buffer.write(describe_schema(database).encode())


def _grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown; a bar in a cell is escaped."""
    lines = [f"| {' | '.join(head)} |".replace("|  |", "| |"), f"|{'---|' * len(head)}"]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
