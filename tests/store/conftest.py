import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from narrative_core.store.database import Database, open_database


@pytest.fixture(scope="session")
def new_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with nothing in it; copying it is faster than making it."""
    path = tmp_path_factory.mktemp("store") / "new.duckdb"
    open_database(path).close()
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "throughline.duckdb"


@pytest.fixture
def database(path: Path, new_file: Path) -> Iterator[Database]:
    shutil.copy(new_file, path)
    with contextlib.closing(open_database(path)) as opened:
        yield opened


@pytest.fixture(scope="module")
def lasting_database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """One database for all the examples of a property."""
    with contextlib.closing(open_database(tmp_path_factory.mktemp("store") / "lasting.duckdb")) as opened:
        yield opened
