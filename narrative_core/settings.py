"""Where things are, from the environment. Keys are read where they are used and kept nowhere."""

import os
from collections.abc import Mapping
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
DATABASE_VARIABLE = "THROUGHLINE_DB"


def database_path(named: str | None = None, *, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the database file: the one named, else ``THROUGHLINE_DB``, else ``throughline.duckdb`` in the project.

    Examples
    --------
    >>> database_path("mine.duckdb").name
    'mine.duckdb'
    >>> database_path(environ={"THROUGHLINE_DB": "class.duckdb"}).name
    'class.duckdb'
    """
    chosen = named or environ.get(DATABASE_VARIABLE)
    return Path(chosen).expanduser() if chosen else PROJECT / "throughline.duckdb"
