"""The documentation of the database, read from the database itself.

``python -m narrative_core.store.schema > docs/schema.md`` writes it anew after a migration.
"""

import contextlib
import sys
import tempfile
from itertools import groupby
from pathlib import Path

from narrative_core.store.database import Database, open_database

INTRODUCTION = """# The database

Everything is in one DuckDB file; any DuckDB client can query it while the program is closed. Documents stand in
*position* order: position *i* is row *i* of vectors, points and memberships. Unless a comment says otherwise NULL is
unknown and is counted, never a zero. Raw rows are kept; every table on screen is a query over them.

This page is generated from the comments in the database by `python -m narrative_core.store.schema > docs/schema.md`.
"""


def describe_schema(database: Database) -> str:
    """Return the schema as Markdown: each table with its comment and its columns."""
    with database.reading() as cursor:
        tables = cursor.execute(
            "SELECT table_name, coalesce(comment, '') FROM duckdb_tables() WHERE NOT internal ORDER BY table_name"
        ).fetchall()
        columns = cursor.execute(
            "SELECT table_name, column_name, data_type, is_nullable, coalesce(comment, '') FROM duckdb_columns()"
            " WHERE NOT internal AND table_name IN (SELECT table_name FROM duckdb_tables() WHERE NOT internal)"
            " ORDER BY table_name, column_index"
        ).fetchall()
        keys = cursor.execute(
            "SELECT table_name, array_to_string(constraint_column_names, ', ') FROM duckdb_constraints()"
            " WHERE constraint_type = 'PRIMARY KEY'"
        ).fetchall()
    key_of = dict(keys)
    columns_of = {table: list(rows) for table, rows in groupby(columns, key=lambda row: row[0])}
    sections = [INTRODUCTION]
    for table, comment in tables:
        lines = [f"## {table}", "", comment, "", f"Primary key: {key_of[table]}.", ""]
        lines += ["| column | type | NULL | |", "|---|---|---|---|"]
        lines += [
            f"| {name} | {kind} | {'yes' if is_nullable else 'no'} | {_cell(text)} |"
            for _, name, kind, is_nullable, text in columns_of[table]
        ]
        sections.append("\n".join(lines) + "\n")
    return "\n".join(sections)


def main() -> None:
    """Write the description of a new database to standard output, in UTF-8 wherever it runs."""
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.closing(open_database(Path(folder) / "schema.duckdb")) as database,
    ):
        sys.stdout.buffer.write(describe_schema(database).encode())


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    main()
