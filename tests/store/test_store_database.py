import contextlib
import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import duckdb
import pytest
from store_samples import save_sample

from narrative_core.errors import InvalidInput, StoreError
from narrative_core.store.collections import has_collection
from narrative_core.store.database import Database, _opening_failure, open_database
from narrative_core.store.preferences import load_preference, save_preference

ROOT = Path(__file__).parents[2]

HOLD = """
import sys
from pathlib import Path
from narrative_core.store.database import open_database
database = open_database(Path(sys.argv[1]))
print("open", flush=True)
sys.stdin.read()
"""

DIE = """
import os, sys
from pathlib import Path
from narrative_core.store.database import open_database
from narrative_core.store.preferences import save_preference
database = open_database(Path(sys.argv[1]))
save_preference(database, "kept", "yes")
with database.transaction() as cursor:
    cursor.execute("INSERT INTO preferences VALUES ('lost', 'yes')")
    cursor.execute("DELETE FROM preferences WHERE key = 'kept'")
    os._exit(9)
"""


def test_opening_makes_the_folder_and_the_file(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "throughline.duckdb"
    with contextlib.closing(open_database(path)) as database:
        assert database.path == path
    assert path.is_file()


def test_what_was_saved_is_there_when_the_file_is_opened_again(path: Path) -> None:
    with contextlib.closing(open_database(path)) as database:
        save_preference(database, "colour", "blue")
    with contextlib.closing(open_database(path)) as database:
        assert load_preference(database, "colour") == "blue"


def test_a_file_held_by_another_process_is_refused_with_its_process_id(path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == b"open"
        with pytest.raises(StoreError) as refusal:
            open_database(path)
        expected = (
            f"The database {path} is open in another process (PID {holder.pid}). "
            "Close that one, or name another file with --db."
        )
        assert str(refusal.value) == expected
        holder.communicate()
    open_database(path).close()


def test_a_process_killed_in_a_transaction_leaves_what_was_committed_before(path: Path) -> None:
    killed = subprocess.run([sys.executable, "-c", DIE, str(path)], cwd=ROOT, check=False)
    assert killed.returncode == 9
    with contextlib.closing(open_database(path)) as database:
        assert load_preference(database, "kept") == "yes"
        assert load_preference(database, "lost", "none") == "none"


@pytest.mark.parametrize("content", [b"", b"id,title\n1,Hello\n", b"x" * 100_000], ids=["empty", "csv", "long"])
def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"is not a DuckDB database\. Move it away, or name another file with --db\.$"):
        open_database(path)
    assert path.read_bytes() == content


def test_a_database_of_another_system_is_refused(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE notes (text)")
    with pytest.raises(StoreError, match="is not a DuckDB database"):
        open_database(path)


def test_a_duckdb_file_of_another_program_is_refused_and_left_alone(path: Path) -> None:
    with contextlib.closing(duckdb.connect(path)) as other:
        other.execute("CREATE TABLE notes (text VARCHAR)")
    with pytest.raises(StoreError, match=r"belongs to another program\. Name another file with --db\.$"):
        open_database(path)
    with contextlib.closing(duckdb.connect(path)) as other:
        assert other.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("notes",)]


def test_a_folder_in_place_of_the_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"is a folder\. Name a file with --db\.$"):
        open_database(tmp_path)


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match=r"^The folder .* cannot be used \(.+\)\. Make it writable, or name another"):
        open_database(tmp_path / "file" / "below" / "throughline.duckdb")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is forbidden to this user")
def test_a_file_without_permission_is_refused(path: Path) -> None:
    open_database(path).close()
    path.chmod(0)
    with pytest.raises(StoreError, match="Change its permissions"):
        open_database(path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is forbidden to this user")
def test_a_folder_without_permission_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    folder.chmod(0)
    with pytest.raises(StoreError, match="Change its permissions"):
        open_database(folder / "throughline.duckdb")


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        (
            'IO Error: Cannot open file "x": Permission denied',
            "may not be read and written here. Change its permissions, or name another file with --db.",
        ),
        (
            'IO Error: Cannot open file "x": The process cannot access the file because it is being used by another '
            "process.\n\nFile is already open in \nC:\\python.exe (PID 71)",
            "is open in another process (PID 71). Close that one, or name another file with --db.",
        ),
        ('IO Error: Could not set lock on file "x"', "is open in another process. Close that one, or name another"),
        (
            "IO Error: Trying to read a database file with version number 99, but we can only read versions up to 68",
            "was written by another version of DuckDB. Update the program, or name another file with --db.",
        ),
        ("IO Error: Disk on fire\nmore", "cannot be opened: IO Error: Disk on fire. Repair it, or name another file"),
    ],
)
def test_each_failure_to_open_is_told_in_a_sentence_that_says_what_to_do(reason: str, sentence: str) -> None:
    told = _opening_failure(Path("/data/x.duckdb"), reason)
    assert told.startswith("The database /data/x.duckdb ".replace("/", os.sep))
    assert sentence in told


@pytest.mark.parametrize(
    "statement",
    [
        "INSTALL httpfs",
        "LOAD httpfs",
        "SELECT * FROM read_text('/etc/hostname')",
        "SELECT * FROM 'https://example.org/a.parquet'",
        "COPY (SELECT 1) TO 'out.csv'",
        "ATTACH 'other.duckdb' AS other",
        "SET enable_external_access = true",
    ],
)
def test_nothing_outside_of_the_file_can_be_reached(database: Database, statement: str) -> None:
    with contextlib.closing(database.cursor()) as cursor, pytest.raises(duckdb.Error, match=r"disabled|Cannot enable"):
        cursor.execute(statement)


def test_extensions_are_neither_fetched_nor_loaded_by_themselves(database: Database) -> None:
    with database.reading() as cursor:
        settings = dict(cursor.execute("SELECT name, value FROM duckdb_settings()").fetchall())
    for name in ("autoinstall_known_extensions", "autoload_known_extensions", "enable_external_access"):
        assert settings[name] == "false"


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, duckdb.Error])
def test_a_transaction_that_raises_leaves_nothing_half_written(database: Database, error: type[BaseException]) -> None:
    save_preference(database, "kept", "yes")

    def break_off() -> None:
        with database.transaction() as cursor:
            cursor.execute("DELETE FROM preferences")
            cursor.execute("INSERT INTO preferences VALUES ('lost', 'yes')")
            raise error

    with pytest.raises(StoreError if error is duckdb.Error else error):
        break_off()
    assert load_preference(database, "kept") == "yes"
    assert load_preference(database, "lost", "none") == "none"
    save_preference(database, "after", "works")
    assert load_preference(database, "after") == "works"


def test_writers_queue_so_that_no_increment_is_lost(database: Database) -> None:
    save_preference(database, "count", "0")

    def increment() -> None:
        for _ in range(10):
            with database.transaction() as cursor:
                ((value,),) = cursor.execute("SELECT value FROM preferences WHERE key = 'count'").fetchall()
                cursor.execute("UPDATE preferences SET value = ? WHERE key = 'count'", [str(int(value) + 1)])

    threads = [threading.Thread(target=increment) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert load_preference(database, "count") == "40"


def test_writers_queue_also_when_a_process_opens_the_file_twice(database: Database) -> None:
    entered = threading.Event()
    with contextlib.closing(open_database(database.path)) as second:

        def write() -> None:
            save_preference(second, "key", "second")
            entered.set()

        with database.transaction() as cursor:
            thread = threading.Thread(target=write)
            thread.start()
            assert not entered.wait(0.1)
            cursor.execute("INSERT INTO preferences VALUES ('key', 'first')")
        thread.join()
    assert load_preference(database, "key") == "second"


def test_a_reader_sees_one_snapshot_while_another_writes(database: Database) -> None:
    save_preference(database, "key", "before")
    query = "SELECT value FROM preferences WHERE key = 'key'"
    with database.reading() as cursor:
        assert cursor.execute(query).fetchall() == [("before",)]
        save_preference(database, "key", "after")
        assert cursor.execute(query).fetchall() == [("before",)]
    assert load_preference(database, "key") == "after"


def test_a_reader_cannot_write(database: Database) -> None:
    with pytest.raises(StoreError, match="read-only"), database.reading() as cursor:
        cursor.execute("INSERT INTO preferences VALUES ('key', 'value')")


def test_saves_inside_a_transaction_are_kept_together(database: Database) -> None:
    with database.transaction():
        save_preference(database, "first", "kept")
        save_preference(database, "second", "kept")
    assert [load_preference(database, key) for key in ("first", "second")] == ["kept", "kept"]


def test_saves_inside_a_failing_transaction_are_undone_together(database: Database) -> None:
    with pytest.raises(ZeroDivisionError), database.transaction():
        save_preference(database, "first", "lost")
        raise ZeroDivisionError
    assert load_preference(database, "first", "nothing") == "nothing"
    save_preference(database, "after", "works")
    assert load_preference(database, "after") == "works"


def test_a_closed_database_says_so(path: Path) -> None:
    database = open_database(path)
    database.close()
    with pytest.raises(StoreError, match=r"has been closed\. Open it again\.$"):
        load_preference(database, "key")


def test_text_that_is_not_unicode_is_invalid_input(database: Database) -> None:
    with pytest.raises(InvalidInput, match="valid Unicode"):
        save_preference(database, "key", "half \ud83d")
    with pytest.raises(InvalidInput, match="valid Unicode"):
        save_sample(database, "half \ud83d")
    assert not has_collection(database, "news")


def test_importing_the_package_is_light() -> None:
    program = "import sys, narrative_core.store; print(sorted({'duckdb', 'pyarrow', 'numpy'} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
