"""Tables and views with their documentation: written into the database, where docs/schema.md comes from."""

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb

Cursor = duckdb.DuckDBPyConnection


@dataclass(frozen=True, slots=True)
class Column:
    """A column as SQL declares it. ``kind`` is its type and, where NULL cannot be, ``NOT NULL``."""

    name: str
    kind: str
    comment: str


def create_table(
    cursor: Cursor,
    name: str,
    comment: str,
    columns: Sequence[Column],
    *,
    key: Sequence[str],
    unique: Sequence[str] = (),
) -> None:
    """Create a table and write the comments of the table and of each column.

    Names, types and comments come from the migrations alone; a definition in SQL takes no bound parameter.

    Parameters
    ----------
    cursor : duckdb.DuckDBPyConnection
        In the transaction of the migration.
    name, comment : str
        Of the table.
    columns : sequence of Column
        In order.
    key, unique : sequence of str
        Columns of the primary key, and of one more uniqueness constraint.
    """
    parts = [f"{column.name} {column.kind}" for column in columns]
    parts.append(f"PRIMARY KEY ({', '.join(key)})")
    if unique:
        parts.append(f"UNIQUE ({', '.join(unique)})")
    cursor.execute(f"CREATE TABLE {name} ({', '.join(parts)})")
    cursor.execute(f"COMMENT ON TABLE {name} IS {_quoted(comment)}")
    for column in columns:
        cursor.execute(f"COMMENT ON COLUMN {name}.{column.name} IS {_quoted(column.comment)}")


def add_columns(cursor: Cursor, name: str, columns: Sequence[Column]) -> None:
    """Add columns to a table, with their comments; rows that are there take the default in ``kind``.

    Parameters
    ----------
    cursor : duckdb.DuckDBPyConnection
        In the transaction of the migration.
    name : str
        Of the table.
    columns : sequence of Column
        DuckDB adds none with a constraint: what NULL must not be has a default instead.
    """
    for column in columns:
        cursor.execute(f"ALTER TABLE {name} ADD COLUMN {column.name} {column.kind}")
        cursor.execute(f"COMMENT ON COLUMN {name}.{column.name} IS {_quoted(column.comment)}")


def create_view(
    cursor: Cursor, name: str, comment: str, columns: Sequence[Column], *, source: str, given: str = ""
) -> None:
    """Create a view and write the comments of the view and of each column.

    Parameters
    ----------
    cursor : duckdb.DuckDBPyConnection
        In the transaction of the migration.
    name, comment : str
        Of the view.
    columns : sequence of Column
        In order; ``kind`` is what the column holds, an expression in SQL.
    source : str
        What stands after FROM.
    given : str
        Common tables of the query, ``WITH …``; empty for none.
    """
    expressions = ", ".join(f"{column.kind} AS {column.name}" for column in columns)
    cursor.execute(f"CREATE VIEW {name} AS {given} SELECT {expressions} FROM {source}")
    cursor.execute(f"COMMENT ON VIEW {name} IS {_quoted(comment)}")
    for column in columns:
        cursor.execute(f"COMMENT ON COLUMN {name}.{column.name} IS {_quoted(column.comment)}")


def _quoted(text: str) -> str:
    """Return a text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"
