from pathlib import Path

from narrative_core.settings import DATABASE_VARIABLE, PROJECT, database_path


def test_the_file_that_is_named_wins_over_the_environment() -> None:
    assert database_path("mine.duckdb", environ={DATABASE_VARIABLE: "class.duckdb"}) == Path("mine.duckdb")


def test_the_environment_wins_over_the_default() -> None:
    assert database_path(environ={"THROUGHLINE_DB": "/data/class.duckdb"}) == Path("/data/class.duckdb")


def test_without_a_name_the_database_lies_in_the_project() -> None:
    assert database_path(environ={}) == PROJECT / "throughline.duckdb"
    assert (PROJECT / "narrative_core" / "settings.py").is_file()


def test_an_empty_name_is_none() -> None:
    assert database_path("", environ={DATABASE_VARIABLE: ""}) == PROJECT / "throughline.duckdb"


def test_a_tilde_is_the_home_folder() -> None:
    assert database_path("~/mine.duckdb") == Path.home() / "mine.duckdb"
    assert database_path(environ={DATABASE_VARIABLE: "~/mine.duckdb"}) == Path.home() / "mine.duckdb"
