"""Opening, reading and writing the one DuckDB file, with errors that a person can act on.

Any number of threads read at once, each on a cursor of its own and each from one snapshot; writers queue, so that a
background job and a page never collide.
"""

import contextlib
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import duckdb

from narrative_core.errors import InvalidInput, StoreError
from narrative_core.store.migrations import migrate
from narrative_core.store.tables import Cursor

CONFIGURATION: Final[dict[str, str | bool | int | float | list[str]]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "allow_persistent_secrets": False,
    "enable_external_access": False,
}
"""No extension is fetched or loaded, no other file or address is read or written, whatever the query."""

_WRITING: Final[dict[Path, threading.Lock]] = {}
"""One lock a file, also when a process opens it twice."""

ANOTHER_FILE: Final = "or name another file with --db"


class Database:
    """An open database file; made by `open_database`.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        The one connection of the process to the file.
    path : Path
        The file, for messages.
    """

    def __init__(self, connection: Cursor, path: Path) -> None:
        self.path = path
        self._connection = connection
        self._writing = _WRITING.setdefault(path.resolve(), threading.Lock())
        self._writer: tuple[int, Cursor] | None = None

    def cursor(self) -> Cursor:
        """Return a new cursor of the connection, for one thread; the caller closes it.

        Raises
        ------
        StoreError
            If the database has been closed.
        """
        with _explained(self.path):
            return self._connection.cursor()

    @contextlib.contextmanager
    def reading(self) -> Iterator[Cursor]:
        """Yield a cursor whose queries all see one snapshot and cannot write.

        Raises
        ------
        InvalidInput
            If a text that was searched for is not valid Unicode.
        StoreError
            If the file cannot be read.
        """
        with _explained(self.path), contextlib.closing(self.cursor()) as cursor:
            cursor.execute("BEGIN TRANSACTION READ ONLY")
            yield cursor

    @contextlib.contextmanager
    def transaction(self) -> Iterator[Cursor]:
        """Yield a cursor whose writes are all kept, or none when anything is raised.

        Waits for the transaction of another thread to end. Inside a transaction of the same thread it is part of that
        one, so that several saves can be kept together or not at all.

        Raises
        ------
        InvalidInput
            If a text is not valid Unicode.
        StoreError
            If the file cannot be written.
        """
        if self._writer is not None and self._writer[0] == threading.get_ident():
            yield self._writer[1]
            return
        with self._writing, _explained(self.path), contextlib.closing(self.cursor()) as cursor:
            self._writer = threading.get_ident(), cursor
            try:
                cursor.execute("BEGIN TRANSACTION")
                yield cursor
                cursor.execute("COMMIT")
            except BaseException:
                # A failed COMMIT has already ended the transaction.
                with contextlib.suppress(duckdb.Error):
                    cursor.execute("ROLLBACK")
                raise
            finally:
                self._writer = None

    def close(self) -> None:
        """Close the file, after the transaction under way if there is one; its cursors end with it."""
        with self._writing:
            self._connection.close()


def open_database(path: Path) -> Database:
    """Open a database file, made with its folder where there is none, and bring its schema up to date.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    Database
        To be closed by the caller.

    Raises
    ------
    StoreError
        If another process holds the file, a newer version of the program wrote it, it is not one of ours, or its
        folder cannot be used.
    """
    # An absolute path is never taken for one of DuckDB's prefixes ("md:", "http:").
    path = path.absolute()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        msg = f"The folder {path.parent} cannot be used ({error.strerror}). Make it writable, {ANOTHER_FILE}."
        raise StoreError(msg) from error
    try:
        connection = duckdb.connect(str(path), config=CONFIGURATION)
    except duckdb.Error as error:
        raise StoreError(_opening_failure(path, str(error))) from error
    try:
        with _explained(path):
            _require_database(connection, path)
            migrate(connection, path)
    except BaseException:
        connection.close()
        raise
    return Database(connection, path)


def _require_database(connection: Cursor, path: Path) -> None:
    """Refuse a data file (CSV, JSON, Parquet), which DuckDB opens as a view in memory that would be lost."""
    query = "SELECT path FROM duckdb_databases() WHERE database_name = current_database()"
    if connection.execute(query).fetchall()[0][0] is None:
        raise StoreError(_not_a_database(path))


def _opening_failure(path: Path, reason: str) -> str:
    """Return the sentence for a file that DuckDB does not open, from DuckDB's own words."""
    if _is_folder(path):
        return f"{path} is a folder. Name a file with --db."
    if "lock on file" in reason or "used by another process" in reason or "already open" in reason:
        holder = re.search(r"PID (\d+)", reason)
        who = f" (PID {holder[1]})" if holder else ""
        return f"The database {path} is open in another process{who}. Close that one, {ANOTHER_FILE}."
    if "version number" in reason:
        return f"The database {path} was written by another version of DuckDB. Update the program, {ANOTHER_FILE}."
    # DuckDB knows the first bytes of other systems' files and asks for the extension that reads them.
    if "not a valid DuckDB" in reason or "extension" in reason:
        return _not_a_database(path)
    if "Permission denied" in reason or "Access is denied" in reason or "Read-only file system" in reason:
        return f"The database {path} may not be read and written here. Change its permissions, {ANOTHER_FILE}."
    return f"The database {path} cannot be opened: {_first_line(reason)} Repair it, {ANOTHER_FILE}."


def _is_folder(path: Path) -> bool:
    """Return whether the path is a folder; where that may not even be asked it is not."""
    try:
        return path.is_dir()
    except OSError:
        return False


def _not_a_database(path: Path) -> str:
    return f"The file {path} is not a DuckDB database. Move it away, {ANOTHER_FILE}."


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn DuckDB's errors into ours."""
    try:
        yield
    except (duckdb.Error, UnicodeEncodeError) as error:
        reason = str(error)
        if "surrogate" in reason:
            msg = (
                "Text must be valid Unicode; a text with half of a surrogate pair came. "
                "Read its file again with errors replaced."
            )
            raise InvalidInput(msg) from error
        if "already closed" in reason or "already been closed" in reason:
            msg = f"The database {path} has been closed. Open it again."
            raise StoreError(msg) from error
        msg = f"The database {path} could not be read or written: {_first_line(reason)} Nothing was changed; try again."
        raise StoreError(msg) from error


def _first_line(reason: str) -> str:
    """Return the first line of an error as a sentence."""
    line = reason.strip().partition("\n")[0].rstrip()
    return line if line.endswith((".", "!", "?")) else f"{line}."
