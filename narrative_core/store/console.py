"""Questions in SQL that a person types: read only, bounded in time and in rows, and nothing but this database.

The connection has external access off (see `narrative_core.store.database.CONFIGURATION`) and each query has a
transaction that cannot write. What is left, functions that change the settings of the process, show them or wait, is
refused by name, from the parsed statement.
"""

import contextlib
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import duckdb

from narrative_core.errors import InvalidInput
from narrative_core.store.database import Database
from narrative_core.store.tables import Cursor

MOST_ROWS: Final = 10_000
TIMEOUT_S: Final = 30.0

MOST_MEMORY_BYTES: Final = 2 * 2**30

_TICK_S: Final = 0.1
"""How often a query is looked at. An interrupt before a statement has begun is lost, so it is repeated as well."""

_TABLE_FUNCTIONS: Final = frozenset(
    {
        "duckdb_columns",
        "duckdb_constraints",
        "duckdb_functions",
        "duckdb_tables",
        "duckdb_views",
        "generate_series",
        "json_each",
        "json_tree",
        "pragma_table_info",
        "range",
        "unnest",
    }
)
"""Those that may stand after FROM. Others read files, run text as SQL, or change how the process works."""

_CLOSED_FUNCTIONS: Final = frozenset(
    {"current_setting", "getenv", "nextval", "pg_sleep", "setseed", "setval", "sleep_ms", "write_log"}
)
_BOUNDLESS_FUNCTIONS: Final = frozenset(
    {
        *("array_resize", "bar", "bitstring", "format", "generate_series", "list_resize", "lpad"),
        *("printf", "range", "repeat", "rpad"),
    }
)
"""Those that make one value of any size in one step, in which a query cannot be stopped."""

_CLOSED_TABLES: Final = frozenset({"duckdb_logs", "pg_settings"})
_WHAT_TO_DO: Final = "Ask for rows with SELECT, WITH, FROM, VALUES, DESCRIBE, SHOW, SUMMARIZE or EXPLAIN."


@dataclass(frozen=True, slots=True)
class QueryResult:
    """What a query gave: ``rows`` hold Python values, one a column, ``None`` for NULL.

    ``types`` are DuckDB's names · ``is_cut`` whether there were more rows than were asked for.
    """

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    is_cut: bool
    seconds: float


def query(
    database: Database,
    sql: str,
    *,
    most_rows: int = MOST_ROWS,
    timeout_s: float = TIMEOUT_S,
    most_memory_bytes: int = MOST_MEMORY_BYTES,
) -> QueryResult:
    """Return the rows of one statement that only reads.

    Parameters
    ----------
    database : Database
        What to ask. It is never changed.
    sql : str
        One statement: SELECT, WITH, FROM, VALUES, DESCRIBE, SHOW, SUMMARIZE or EXPLAIN.
    most_rows : int
        How many rows come back at most; those beyond are not read.
    timeout_s : float
        After how many seconds the query is stopped.
    most_memory_bytes : int
        How much more memory the database may hold before the query is stopped; its other work counts too.

    Raises
    ------
    InvalidInput
        If it is not one statement that only reads, is not understood by DuckDB, or takes too much time or memory.
    StoreError
        If the database has been closed or cannot be read.
    """
    began = time.monotonic()
    with database.reading() as cursor, _understood(), _bounded(cursor, timeout_s, most_memory_bytes):
        cursor.execute(_checked(cursor, sql))
        described = cursor.description or []
        rows = cursor.fetchmany(most_rows + 1)
    return QueryResult(
        columns=tuple(str(column[0]) for column in described),
        types=tuple(str(column[1]) for column in described),
        rows=tuple(tuple(row) for row in rows[:most_rows]),
        is_cut=len(rows) > most_rows,
        seconds=time.monotonic() - began,
    )


def _checked(cursor: Cursor, sql: str) -> str:
    """Return the one statement of a text that may be run; raises `InvalidInput` where there is none."""
    statement = _one_statement(cursor, sql)
    if statement.type == duckdb.StatementType.SELECT:
        _require_open(cursor, statement.query)
        return str(statement.query)
    if statement.type == duckdb.StatementType.EXPLAIN:
        prefix, explained = _explained_part(str(statement.query))
        inner = _one_statement(cursor, explained)
        if inner.type == duckdb.StatementType.SELECT:
            _require_open(cursor, inner.query)
            return f"{prefix} {inner.query}"
        msg = f"EXPLAIN is for a query that only reads; what it is put before is not. {_WHAT_TO_DO}"
        raise InvalidInput(msg)
    if statement.type == duckdb.StatementType.MULTI:
        msg = "A PIVOT must name its columns here. Write ON column IN (value, value)."
        raise InvalidInput(msg)
    msg = f"This box only reads; it does not run {statement.type.name.replace('_', ' ')} statements. {_WHAT_TO_DO}"
    raise InvalidInput(msg)


def _one_statement(cursor: Cursor, sql: str) -> duckdb.Statement:
    try:
        sql.encode()
    except UnicodeEncodeError as error:
        msg = "The query must be valid Unicode; half of a surrogate pair came. Type it anew."
        raise InvalidInput(msg) from error
    statements = cursor.extract_statements(sql)
    if len(statements) != 1:
        came = f"{len(statements)} came" if statements else "none came"
        msg = f"One statement is run at a time; {came}. Keep one, without a semicolon between two."
        raise InvalidInput(msg)
    return statements[0]


def _explained_part(sql: str) -> tuple[str, str]:
    """Return EXPLAIN or EXPLAIN ANALYZE, and the text that it is put before; comments before that are left out."""
    raw = sql.encode()
    starts = [at for at, kind in duckdb.tokenize(sql) if kind != duckdb.token_type.comment]
    words = [raw[at:].decode().lower() for at in starts[1:3]]
    if words and words[0].startswith("analyze"):
        return "EXPLAIN ANALYZE", raw[starts[2] :].decode() if len(starts) > 2 else ""
    return "EXPLAIN", raw[starts[1] :].decode() if len(starts) > 1 else ""


def _require_open(cursor: Cursor, sql: str) -> None:
    """Raise `InvalidInput` where a query uses a function or table that is not for this box."""
    parsed = str(cursor.execute("SELECT json_serialize_sql(CAST(? AS VARCHAR))", [sql]).fetchall()[0][0])
    try:
        tree = json.loads(parsed)
    except RecursionError as error:
        msg = "The query is nested too deeply. Name its parts with WITH."
        raise InvalidInput(msg) from error
    if tree["error"]:
        msg = f"The query cannot be checked ({tree['error_message']}). {_WHAT_TO_DO}"
        raise InvalidInput(msg)
    for node in _nodes(tree):
        _require_open_node(node)


def _require_open_node(node: dict[str, Any]) -> None:
    if node.get("type") == "TABLE_FUNCTION":
        name = str(node["function"].get("function_name", "")).lower()
        if name not in _TABLE_FUNCTIONS:
            msg = f"{name} cannot be read from here. Ask the tables and views of this database; SHOW TABLES names them."
            raise InvalidInput(msg)
    elif node.get("type") == "BASE_TABLE" and str(node["table_name"]).lower() in _CLOSED_TABLES:
        msg = f"{node['table_name']} cannot be read from here. SHOW TABLES names what can."
        raise InvalidInput(msg)
    elif (name := str(node.get("function_name", "")).lower()) in _CLOSED_FUNCTIONS:
        msg = f"The function {name} is not for this box. Leave it out."
        raise InvalidInput(msg)
    elif name in _BOUNDLESS_FUNCTIONS and not node.get("is_source"):
        msg = (
            f"The function {name} makes values of any size and is not for this box. "
            "Round numbers with round(…), take rows FROM range(…)."
        )
        raise InvalidInput(msg)


def _nodes(tree: object) -> Iterator[dict[str, Any]]:
    """Yield every object of a parsed statement; the function of a table function is marked as ``is_source``."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            if node.get("type") == "TABLE_FUNCTION":
                node["function"]["is_source"] = True
            yield node
            waiting.extend(node.values())
        elif isinstance(node, list):
            waiting.extend(node)


@contextlib.contextmanager
def _bounded(cursor: Cursor, timeout_s: float, most_bytes: int) -> Iterator[None]:
    """Interrupt what the cursor runs once the time is over, or once the database holds so much more memory."""
    is_done, reasons = threading.Event(), list[str]()
    deadline = time.monotonic() + timeout_s

    def watch() -> None:
        with contextlib.suppress(duckdb.Error), contextlib.closing(own):
            most = _memory(own) + most_bytes
            while not is_done.wait(_TICK_S if reasons else min(_TICK_S, max(0.0, deadline - time.monotonic()))):
                if time.monotonic() >= deadline:
                    reasons.append(f"The query took longer than {timeout_s:g} seconds and was stopped.")
                elif _memory(own) > most:
                    reasons.append(f"The query took more than {most_bytes / 2**30:g} GB of memory and was stopped.")
                if reasons:
                    cursor.interrupt()

    own = cursor.cursor()
    watcher = threading.Thread(target=watch, name="query watcher", daemon=True)
    watcher.start()
    try:
        yield
    except duckdb.InterruptException as error:
        reason = reasons[0] if reasons else "The query was stopped."
        msg = f"{reason} Ask about fewer rows, or for counts."
        raise InvalidInput(msg) from error
    finally:
        is_done.set()
        watcher.join()


def _memory(cursor: Cursor) -> int:
    """Return how many bytes the database holds in memory."""
    query_memory = "SELECT CAST(coalesce(sum(memory_usage_bytes), 0) AS BIGINT) FROM duckdb_memory()"
    return int(cursor.execute(query_memory).fetchall()[0][0])


@contextlib.contextmanager
def _understood() -> Iterator[None]:
    """Turn what DuckDB says about a query into a sentence for whoever wrote it."""
    try:
        yield
    except duckdb.TransactionException as error:
        msg = f"This box only reads; the query would write. {_WHAT_TO_DO}"
        raise InvalidInput(msg) from error
    except (duckdb.FatalException, duckdb.InternalException, duckdb.IOException, duckdb.ConnectionException):
        raise
    except duckdb.Error as error:
        msg = (
            f"{_first_lines(str(error))} Correct the query; SHOW TABLES lists the tables, DESCRIBE the columns of one."
        )
        raise InvalidInput(msg) from error


def _first_lines(reason: str) -> str:
    """Return what DuckDB says up to where it quotes the query, as one line.

    Examples
    --------
    >>> _first_lines('Binder Error: "nme" not found!\\nCandidate bindings: "name"\\n\\nLINE 1: SELECT nme')
    'Binder Error: "nme" not found! Candidate bindings: "name".'
    """
    said = " ".join(reason.partition("\nLINE ")[0].split())
    return said if said.endswith((".", "!", "?")) else f"{said}."
