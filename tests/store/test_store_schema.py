import subprocess
import sys
from pathlib import Path

from narrative_core.store.database import Database
from narrative_core.store.schema import describe_schema

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "schema.md"


def test_the_page_in_docs_is_the_one_the_database_describes(database: Database) -> None:
    regenerate = "write it anew with: python -m narrative_core.store.schema > docs/schema.md"
    assert PAGE.read_text(encoding="utf-8") == describe_schema(database), regenerate


def test_the_command_writes_the_page() -> None:
    command = [sys.executable, "-m", "narrative_core.store.schema"]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    assert done.stdout == PAGE.read_bytes().replace(b"\r\n", b"\n")


def test_every_table_and_column_is_explained(database: Database) -> None:
    with database.reading() as cursor:
        names = cursor.execute(
            "SELECT table_name, comment FROM duckdb_tables() UNION ALL"
            " SELECT table_name || '.' || column_name, comment FROM duckdb_columns() WHERE NOT internal"
        ).fetchall()
    assert len(names) > 100
    assert [name for name, comment in names if not comment] == []


def test_a_column_says_its_type_and_whether_it_may_be_null(database: Database) -> None:
    page = describe_schema(database)
    assert "| date | DATE | yes | First day of what date_text says; NULL is undated. |" in page
    assert "| embedding | FLOAT[] | no | The vector, of unit length. |" in page
    assert "Primary key: collection, position." in page


def test_a_bar_in_a_comment_does_not_break_the_table(database: Database) -> None:
    with database.transaction() as cursor:
        cursor.execute("COMMENT ON COLUMN preferences.value IS 'a|b'")
    assert "| value | VARCHAR | no | a\\|b |" in describe_schema(database)


def test_views_have_a_part_of_their_own_with_their_columns_explained(database: Database) -> None:
    tables, _, views = describe_schema(database).partition("# Views")
    assert "## run_scores" not in tables
    assert "| score_mean | DOUBLE | Mean score; NULL where there is none. |" in views.partition("## run_scores")[2]
    assert "## run_judgements" in views
    with database.reading() as cursor:
        names = cursor.execute("SELECT view_name, comment FROM duckdb_views() WHERE NOT internal").fetchall()
    assert {name for name, comment in names if comment} == {"run_judgements", "run_scores"}
