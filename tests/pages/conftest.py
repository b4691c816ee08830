"""Every page test has a database of its own, with the shipped collections in it, and starts with empty caches."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st

from narrative_core import build_stages
from narrative_core.intake import install_shipped
from narrative_core.settings import DATABASE_VARIABLE
from narrative_core.store.database import Database, open_database
from narrative_core.ui import resources
from tests.conductor_samples import FakeChild, fake_stage
from tests.space.fake_endpoint import FakeEndpoint


@pytest.fixture(scope="session")
def shipped_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with the shipped collections; copying it is faster than making it."""
    path = tmp_path_factory.mktemp("pages") / "shipped.duckdb"
    opened = open_database(path)
    install_shipped(opened)
    opened.close()
    return path


@pytest.fixture(autouse=True)
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shipped_file: Path) -> Iterator[Database]:
    """The database that the app opens."""
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    # Every new session searches all installed packages for components, which the app has none of.
    monkeypatch.setattr("streamlit.components.v2.manifest_scanner.scan_component_manifests", list, raising=False)
    path = tmp_path / "throughline.duckdb"
    shutil.copy(shipped_file, path)
    monkeypatch.setenv(DATABASE_VARIABLE, str(path))
    _clear_caches()
    opened = resources.database()
    yield opened
    opened.close()
    _clear_caches()


@pytest.fixture
def child(monkeypatch: pytest.MonkeyPatch) -> FakeChild:
    """In the place of the process that computes the stages of a build: quick, and without the heavy libraries."""
    fake = FakeChild(fake_stage)
    monkeypatch.setattr(build_stages, "run_stage", fake)
    return fake


@pytest.fixture
def endpoint() -> Iterator[FakeEndpoint]:
    server = FakeEndpoint()
    yield server
    server.close()


def _clear_caches() -> None:
    st.cache_resource.clear()
    st.cache_data.clear()
