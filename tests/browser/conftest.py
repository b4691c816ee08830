"""The app on a free port with a database of its own, and a real Chromium that looks at it."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from narrative_core import pipeline
from narrative_core.extraction import LoadedCollection
from narrative_core.intake import install_shipped
from narrative_core.settings import DATABASE_VARIABLE
from narrative_core.store.database import open_database
from tests.browser.visitor import Visitor

PROJECT = Path(__file__).resolve().parents[2]
REQUIRED = "THROUGHLINE_REQUIRE_BROWSER"
START_S = 120
ARGUMENTS = (
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    # A map needs WebGL, and a machine for tests has no graphics card.
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
)


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """The Chromium of this machine; without one the tests are skipped, unless the environment forbids it."""
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next((found for name in names if (found := shutil.which(name))), None)
    if path is None:
        reason = f"no browser on this machine: none of {', '.join(names)} was found"
        if os.environ.get(REQUIRED):
            pytest.fail(f"{reason}, and {REQUIRED} is set")
        pytest.skip(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def address(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the app answers. It is not started where there is no browser to look at it."""
    with running_app(tmp_path_factory.mktemp("browser")) as started:
        yield started


@contextmanager
def running_app(folder: Path, **variables: str) -> Iterator[str]:
    """Run the app with a database of its own in a folder, and with more variables in its environment."""
    port = _free_port()
    ours = ("OPENAI_", "STREAMLIT_", "THROUGHLINE_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    environment |= {DATABASE_VARIABLE: str(folder / "throughline.duckdb"), **variables}
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    command += ["--server.headless", "true"]
    with (folder / "server.log").open("w") as log:
        server = subprocess.Popen(command, cwd=PROJECT, env=environment, stdout=log, stderr=subprocess.STDOUT)
    try:
        _wait_for(f"http://localhost:{port}/_stcore/health", server, folder / "server.log")
        yield f"http://localhost:{port}"
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait(20)


@pytest.fixture(scope="package")
def spaceflight(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoadedCollection]:
    """The collection that the app opens on, to work out what must be on the screen."""
    database = open_database(tmp_path_factory.mktemp("oracle") / "throughline.duckdb")
    install_shipped(database)
    yield pipeline.load(database, "spaceflight")
    database.close()


@pytest.fixture
def newcomer(chromium: Browser, tmp_path: Path) -> Iterator[Visitor]:
    """The first person ever: nobody has left anything on the desk."""
    with running_app(tmp_path) as started:
        yield from visit(chromium, started)


@pytest.fixture
def visitor(chromium: Browser, address: str) -> Iterator[Visitor]:
    """A person with a fresh browser on a desktop screen, at a server where others were before."""
    yield from visit(chromium, address)


def visit(chromium: Browser, address: str) -> Iterator[Visitor]:
    """Give a person a fresh browser on a desktop screen; no page may complain or call out."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900}, color_scheme="light")
    person = Visitor(context.new_page(), address)
    yield person
    context.close()
    assert person.complaints == []
    assert person.calls_out == []


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"the app did not start:\n{log.read_text()[-3000:]}")
