import contextlib
import datetime as dt
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from store_run_samples import save_answered_run
from store_samples import save_sample

from narrative_core.errors import InvalidInput, StoreError
from narrative_core.store.console import query
from narrative_core.store.database import Database, open_database
from narrative_core.store.preferences import load_preference, save_preference


def contents(database: Database) -> dict[str, tuple[object, ...]]:
    """Return how many rows each table has and what is in it, the objects there are, and the settings."""
    with database.reading() as cursor:
        names = [row[0] for row in cursor.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
        found: dict[str, tuple[object, ...]] = {
            name: cursor.execute(f"SELECT count(*), sum(hash(t)) FROM {name} AS t").fetchall()[0] for name in names
        }
        for objects in ("duckdb_views", "duckdb_types", "duckdb_sequences", "duckdb_databases"):
            found[objects] = tuple(cursor.execute(f"SELECT count(*) FROM {objects}()").fetchall())
        found["comments"] = tuple(cursor.execute("SELECT comment FROM duckdb_columns() ORDER BY ALL").fetchall())
        found["settings"] = tuple(cursor.execute("SELECT name, value FROM duckdb_settings() ORDER BY name").fetchall())
    return found


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """One database for all: each test that could change it looks whether it did."""
    with contextlib.closing(open_database(tmp_path_factory.mktemp("console") / "filled.duckdb")) as database:
        save_sample(database)
        save_answered_run(database)
        save_preference(database, "theme", "dark")
        yield database


def test_the_rows_come_with_names_and_types(filled: Database) -> None:
    result = query(filled, "SELECT document_id, date, NULL AS nothing FROM documents ORDER BY document_id")
    assert result.columns == ("document_id", "date", "nothing")
    assert result.types[:2] == ("VARCHAR", "DATE")
    assert result.rows == (("d1", dt.date(2020, 1, 1), None), ("d2", dt.date(2020, 2, 1), None), ("d3", None, None))
    assert not result.is_cut
    assert 0 <= result.seconds < 60


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1",
        "  select 1 ;  ",
        "SELECT 1; -- DROP TABLE documents",
        "-- a comment\nSELECT ';' /* ; DROP TABLE documents; */",
        "WITH one AS (SELECT 1 AS x) SELECT x FROM one",
        "FROM documents",
        "TABLE documents",
        "VALUES (1), (2)",
        "DESCRIBE documents",
        "DESCRIBE SELECT * FROM run_scores",
        "SHOW TABLES",
        "SUMMARIZE run_stories",
        "EXPLAIN SELECT * FROM run_scores",
        "EXPLAIN ANALYZE SELECT count(*) FROM documents",
        "/* naïve */ EXPLAIN /* ü */ ANALYZE -- ü\n SELECT 1;",
        "explain\tselect 1",
        "SELECT * FROM duckdb_columns()",
        "SELECT * FROM range(3), unnest([1, 2])",
        "PIVOT run_scores ON label IN ('Lexical reader') USING avg(score_mean)",
        "SELECT count(*) FILTER (made = 'trail') OVER () FROM run_stories",
        "SELECT corr(score_mean, bottleneck) FROM run_scores",
        "SELECT versions[1].part, unnest(strata) FROM runs",
        "SELECT extras ->> 'a' FROM documents",
    ],
)
def test_what_only_reads_is_answered(filled: Database, sql: str) -> None:
    before = contents(filled)
    assert query(filled, sql).rows
    assert contents(filled) == before


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO preferences VALUES ('a', 'b')",
        "DELETE FROM documents",
        "UPDATE documents SET title = ''",
        "TRUNCATE documents",
        "DROP TABLE documents",
        "DROP VIEW run_scores",
        "CREATE TABLE x (a INTEGER)",
        "CREATE TEMP TABLE x AS SELECT 1",
        "CREATE OR REPLACE VIEW run_scores AS SELECT 1",
        "CREATE MACRO m(a) AS a",
        "CREATE SECRET s (TYPE s3)",
        "ALTER TABLE documents RENAME TO x",
        "COMMENT ON TABLE documents IS 'x'",
        "MERGE INTO documents USING documents AS d ON true WHEN MATCHED THEN DELETE",
        "COPY documents TO '/tmp/documents.csv'",
        "COPY preferences FROM '/etc/passwd'",
        "COPY (SELECT 1) TO '/tmp/one.csv'",
        "EXPORT DATABASE '/tmp/all'",
        "IMPORT DATABASE '/tmp/all'",
        "ATTACH '/tmp/other.duckdb'",
        "ATTACH ':memory:' AS other",
        "DETACH memory",
        "USE main",
        "INSTALL httpfs",
        "LOAD json",
        "FORCE INSTALL json",
        "SET threads = 1",
        "SET enable_external_access = true",
        "SET VARIABLE x = 1",
        "RESET threads",
        "PRAGMA table_info('documents')",
        "PRAGMA threads = 1",
        "PRAGMA enable_profiling",
        "PRAGMA database_list",
        "CALL duckdb_settings()",
        "CALL enable_logging()",
        "CHECKPOINT",
        "VACUUM",
        "ANALYZE",
        "BEGIN",
        "COMMIT",
        "ROLLBACK",
        "PREPARE p AS DELETE FROM documents",
        "EXECUTE p",
        "DEALLOCATE p",
        "WITH one AS (SELECT 'a' AS k, 'b' AS v) INSERT INTO preferences SELECT * FROM one",
        "WITH one AS (DELETE FROM documents RETURNING *) SELECT * FROM one",
        "FROM (DELETE FROM documents RETURNING *)",
        "EXPLAIN DELETE FROM documents",
        "EXPLAIN ANALYZE DELETE FROM documents",
        "EXPLAIN ANALYZE INSERT INTO preferences VALUES ('a', 'b')",
        "/* ; */ EXPLAIN /* SELECT 1 */ ANALYZE /* SELECT 1 */ DELETE FROM documents",
        "EXPLAIN ANALYZE COPY documents TO '/tmp/documents.csv'",
        "EXPLAIN (ANALYZE) DELETE FROM documents",
        "EXPLAIN ANALYZE SELECT * FROM enable_logging()",
        "EXPLAIN ANALYZE SELECT 1; DELETE FROM documents",
        "SELECT 1; DELETE FROM documents",
        "SELECT 1; SELECT 2",
        "SELECT ';'; DELETE FROM documents; --",
        "/* */ DELETE FROM documents -- SELECT",
        "SELECT 1 /* ; */; /* */ DROP TABLE documents",
        "COMMIT; DELETE FROM documents",
        "PIVOT run_scores ON label USING avg(score_mean)",
        "SELECT * FROM query('DELETE FROM documents')",
        "SELECT * FROM query('SELECT * FROM enable_logging()')",
        "SELECT * FROM query_table('documents')",
        "SELECT * FROM json_execute_serialized_sql('{}')",
        "SELECT * FROM enable_logging()",
        "SELECT * FROM Enable_Logging('QueryLog')",
        "SELECT * FROM enable_profiling()",
        "SELECT * FROM checkpoint()",
        "SELECT (SELECT count(*) FROM force_checkpoint())",
        "DESCRIBE SELECT * FROM enable_logging()",
        "SUMMARIZE SELECT * FROM enable_logging()",
        "WITH a AS (SELECT * FROM enable_logging()) SELECT 1",
        "SELECT 1 WHERE EXISTS (FROM system.main.enable_logging())",
        "SELECT * FROM documents, LATERAL (SELECT * FROM enable_logging())",
        "SELECT write_log('x')",
        "SELECT nextval('x')",
        "SELECT getenv('HOME')",
        "SELECT 'HOME'.getenv()",
        "SELECT [x FOR x IN [getenv('HOME')]]",
        "SELECT title FROM documents ORDER BY getenv('HOME')",
        "SELECT max(title) OVER (PARTITION BY GETENV('HOME')) FROM documents",
        "SELECT current_setting('threads')",
        "SELECT * FROM duckdb_settings()",
        "SELECT * FROM duckdb_secrets()",
        "SELECT * FROM pg_catalog.pg_settings",
        "SELECT * FROM duckdb_logs",
        "SELECT * FROM which_secret('s3://x', 's3')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM '/etc/passwd.csv'",
        "SELECT * FROM 'https://example.org/x.parquet'",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_csv_auto(['/etc/passwd'])",
        "SELECT * FROM read_text('/etc/*')",
        "SELECT * FROM read_blob('/etc/passwd')",
        "SELECT * FROM read_json('/etc/passwd')",
        "SELECT * FROM read_parquet('/etc/passwd')",
        "SELECT * FROM read_duckdb('/tmp/other.duckdb')",
        "SELECT * FROM sniff_csv('/etc/passwd')",
        "SELECT * FROM glob('/etc/*')",
        "SELECT * FROM pandas_scan(1)",
        "SELECT repeat('x', 10000000000)",
        "SELECT list_sum(range(10000000000))",
        "SELECT rpad('x', 2000000000, 'x')",
        "SELECT length(format('{:>2000000000}', 'x'))",
        "SELECT length(printf('%2000000000d', 1))",
        "SELECT bit_length(bitstring('1', 2000000000))",
        "SELECT ?",
        "SELECT $name",
        "SELECT",
        "",
        " ; ",
        "-- SELECT 1",
        "EXPLAIN",
        "EXPLAIN ANALYZE",
        "EXPLAIN EXPLAIN SELECT 1",
        "\ud800",
        "SELECT " + "abs(" * 900 + "1" + ")" * 900,
    ],
)
def test_whatever_else_is_refused_with_a_sentence_and_changes_nothing(filled: Database, sql: str) -> None:
    before = contents(filled)
    with pytest.raises(InvalidInput) as refusal:
        query(filled, sql)
    assert str(refusal.value).endswith(".")
    assert "\n" not in str(refusal.value)
    assert contents(filled) == before
    assert load_preference(filled, "theme") == "dark"


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELECT nme FROM runs", r"\"nme\" not found in FROM clause! Candidate bindings: \"name\".* SHOW TABLES lists"),
        ("SELECT * FROM run_score", r"Table with name run_score does not exist! Did you mean \"run_scores\"\?"),
        ("SELCT 1", r"syntax error at or near \"SELCT\"\. Correct the query"),
        ("SELECT CAST('x' AS INTEGER)", "Could not convert string 'x'"),
        ("DELETE FROM runs", "This box only reads; it does not run DELETE statements. Ask for rows with SELECT"),
        ("WITH a AS (DELETE FROM runs RETURNING *) FROM a", "This box only reads; the query would write"),
        ("SELECT 1; SELECT 2", "One statement is run at a time; 2 came"),
        ("", "One statement is run at a time; none came"),
        ("EXPLAIN DELETE FROM runs", "EXPLAIN is for a query that only reads"),
        ("PIVOT runs ON name USING count(*)", r"Write ON column IN"),
        ("FROM read_csv('x')", "read_csv cannot be read from here. Ask the tables and views of this database"),
        ("SELECT getenv('x')", "The function getenv is not for this box"),
        ("SELECT repeat('x', 3)", "repeat makes values of any size"),
    ],
)
def test_a_refusal_says_what_to_do(filled: Database, sql: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        query(filled, sql)


def test_no_file_is_written(filled: Database, tmp_path: Path) -> None:
    before = {path.name for path in tmp_path.iterdir()}
    for sql in ("COPY documents TO '{}/x.csv'", "EXPLAIN ANALYZE COPY documents TO '{}/x.csv'", "ATTACH '{}/x.duckdb'"):
        with pytest.raises(InvalidInput):
            query(filled, sql.format(tmp_path))
    assert {path.name for path in tmp_path.iterdir()} == before


def test_more_rows_than_wanted_are_cut_and_told(database: Database) -> None:
    whole, cut = query(database, "FROM range(5)", most_rows=5), query(database, "FROM range(5)", most_rows=4)
    assert (len(whole.rows), whole.is_cut) == (5, False)
    assert (cut.rows, cut.is_cut) == (((0,), (1,), (2,), (3,)), True)


def test_a_result_without_end_costs_no_more_than_its_first_rows(database: Database) -> None:
    result = query(database, "SELECT range, range * 2 FROM range(1000000000000)", most_rows=3)
    assert (len(result.rows), result.is_cut) == (3, True)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT count(*) FROM range(1000000000000) a, range(1000000000000) b",
        "SELECT max(a.range * b.range) FROM range(1000000000000) a, range(1000000000000) b",
        "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r",
        "EXPLAIN ANALYZE SELECT count(*) FROM range(1000000000000) a, range(1000000000000) b",
        "SELECT * FROM range(1000000000000) a WHERE a.range < 0",
    ],
)
def test_a_query_that_takes_too_long_is_stopped_and_the_next_one_runs(database: Database, sql: str) -> None:
    with pytest.raises(InvalidInput, match=r"took longer than 0\.2 seconds and was stopped\. Ask about fewer rows"):
        query(database, sql, timeout_s=0.2)
    assert query(database, "SELECT 42").rows == ((42,),)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM range(1000000000000) a, range(1000000000000) b",
        "SELECT list(range) FROM range(100000000000)",
        "SELECT range, count(*) FROM range(100000000000) GROUP BY range",
    ],
)
def test_a_query_that_takes_too_much_memory_is_stopped_and_the_next_one_runs(database: Database, sql: str) -> None:
    with pytest.raises(
        InvalidInput, match=r"took more than 0\.0625 GB of memory and was stopped\. Ask about fewer rows"
    ):
        query(database, sql, most_memory_bytes=2**26)
    assert query(database, "SELECT 42", most_memory_bytes=2**26).rows == ((42,),)


def test_a_stopped_query_leaves_other_readers_and_writers_alone(database: Database) -> None:
    failure: list[BaseException] = []

    def endless() -> None:
        try:
            query(database, "SELECT count(*) FROM range(1000000000000) a, range(1000000000000) b", timeout_s=0.5)
        except InvalidInput as error:
            failure.append(error)

    thread = threading.Thread(target=endless)
    thread.start()
    while thread.is_alive():
        save_preference(database, "key", "value")
        assert query(database, "SELECT value FROM preferences").rows == (("value",),)
        time.sleep(0.01)
    thread.join()
    assert len(failure) == 1


def test_no_watcher_outlives_its_query(database: Database) -> None:
    for sql in ("SELECT 1", "SELECT nothing"):
        with contextlib.suppress(InvalidInput):
            query(database, sql)
    assert [thread for thread in threading.enumerate() if thread.name == "query watcher"] == []


def test_a_closed_database_is_told_apart_from_a_wrong_query(database: Database) -> None:
    database.close()
    with pytest.raises(StoreError, match="has been closed"):
        query(database, "SELECT 1")
