"""How the program stands: what is ready, what is missing, and the step that puts it right. Nothing is loaded for it."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Literal

from narrative_core import __version__
from narrative_core.build_memory import build_memory
from narrative_core.counting import count
from narrative_core.errors import EmbeddingUnavailable
from narrative_core.free_memory import available_memory
from narrative_core.judging.endpoint import Endpoint
from narrative_core.judging.reader import reader_state
from narrative_core.judging.shown import story_hash
from narrative_core.records import Document
from narrative_core.space.versions import library_versions
from narrative_core.space.wordllama_embedder import require_files
from narrative_core.store.census import Census, schema_version, take_census
from narrative_core.store.database import Database

State = Literal["ready", "attention", "missing"]
"""Nothing to do; works, and something could be done; does not work until something is done."""

Step = Literal["undated", "build", "judge", "documents", "collections", "judges", "settings"]
"""Where on the screen the remedy is: documents without a date, a build, a saved story to judge, or a page."""

ENDPOINT: Final = "Prompted judges"
LOW_DISK_BYTES: Final = 1_000_000_000
_LIBRARIES: Final = ("streamlit", "plotly", "duckdb", "pyarrow")
_ASK_TIMEOUT_S: Final = 4.0
_BROWSERS: Final = ("google-chrome", "google-chrome-stable", "chromium", "chromium-browser", "chrome", "msedge")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    ``sentence`` says what was found · ``remedy`` what to do, empty where there is nothing to do · ``step`` where on the
    screen that is, ``None`` where it is not on the screen.
    """

    title: str
    state: State
    sentence: str
    remedy: str = ""
    step: Step | None = None


@dataclass(frozen=True, slots=True)
class CollectionHealth:
    """What there is of a collection, and what is still to be done to it."""

    census: Census
    n_unjudged: int
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class HealthReport:
    """How the program stands: ``checks`` of the machine, then each collection; ``versions`` by what they are of."""

    checks: tuple[Finding, ...]
    collections: tuple[CollectionHealth, ...]
    versions: Mapping[str, str]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All of them, those of the machine first."""
        return (*self.checks, *(finding for one in self.collections for finding in one.findings))


def report(database: Database, endpoint: Finding) -> HealthReport:
    """Return how the program stands; no network is used and no model is loaded.

    Parameters
    ----------
    database : Database
    endpoint : Finding
        Of the judge that is asked over the network, which its owner looked at: see `endpoint_finding`.
    """
    taken = take_census(database)
    checks = (
        _text_model(),
        _reading_model(),
        endpoint,
        _memory(taken),
        _database(database.path),
        _pictures(),
        _NETWORK,
    )
    return HealthReport(checks, tuple(map(_collection, taken)), _versions(database))


def endpoint_finding(endpoint: Endpoint | None, *, key_origin: str = "", problem: str = "") -> Finding:
    """Return whether a judge over the network is set up; whether it can be reached is asked by `ask_endpoint` alone.

    Parameters
    ----------
    endpoint : Endpoint or None
        ``None`` where none can be asked.
    key_origin : str
        In words, where its key was found; the key itself is in no finding.
    problem : str
        Why none can be asked.
    """
    if endpoint is None:
        remedy = "Optional. Give an address or a key on the page Judges; the other judges need neither."
        return Finding(ENDPOINT, "attention", problem or "No endpoint is set up.", remedy, "judges")
    key = f"key {key_origin}" if endpoint.api_key else "without a key"
    return Finding(ENDPOINT, "ready", f"{endpoint.model} at {endpoint.host}, {key}. Whether it answers was not asked.")


def ask_endpoint(endpoint: Endpoint, *, timeout_s: float = _ASK_TIMEOUT_S) -> Finding:
    """Return whether an endpoint can be reached: its list of models is asked for, which costs nothing.

    Parameters
    ----------
    endpoint : Endpoint
    timeout_s : float
        Longest wait for a connection, and for the answer.
    """
    import httpx

    title, host = ENDPOINT, endpoint.host
    head = {"Authorization": f"Bearer {endpoint.api_key}"} if endpoint.api_key and not endpoint.sign_in else {}
    address = f"{endpoint.bare_address.rstrip('/')}/models"
    try:
        with httpx.stream("GET", address, headers=head, auth=endpoint.sign_in, timeout=timeout_s) as reply:
            status = reply.status_code
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        kind = "did not answer in time" if isinstance(error, httpx.TimeoutException) else "cannot be reached"
        remedy = "Check the address, and whether the server is running; or use a judge that needs no network."
        return Finding(title, "missing", f"{host} {kind}.", remedy, "judges")
    if status in (401, 403):
        return Finding(
            title, "missing", f"{host} answers and refuses the key ({status}).", "Give another key.", "judges"
        )
    if status >= 500 and status != httpx.codes.NOT_IMPLEMENTED:
        return Finding(title, "missing", f"{host} answers with an error ({status}).", "Ask again later.", "judges")
    return Finding(title, "ready", f"{host} answers. Whether it knows {endpoint.model}, the test on Judges tells.")


_NETWORK: Final = Finding(
    "Network",
    "ready",
    "Works with the network unplugged: import, build, search, trails, reading flow, the lexical reader, reports and "
    "project files stay on this computer. Only prompted judges, an embedding model of an endpoint and feeds by address "
    "need a network.",
)


def _text_model() -> Finding:
    title = "Text model"
    try:
        require_files()
    except EmbeddingUnavailable as problem:
        return Finding(title, "missing", str(problem), "Or choose an embedding model of an endpoint.", "settings")
    return Finding(
        title, "ready", "WordLlama is on this computer and turns text into vectors with no key and no network."
    )


def _reading_model() -> Finding:
    found = reader_state()
    return Finding(
        "Reading model", "ready" if found.is_ready else "attention", found.what, found.remedy,
        None if found.is_ready else "judges",
    )  # fmt: skip


def _memory(taken: tuple[Census, ...]) -> Finding:
    title, free = "Memory", available_memory()
    largest = max(taken, key=lambda census: census.n_documents, default=None)
    if free is None:
        return Finding(title, "attention", "The system does not say how much memory is free.")
    told = f"{free / 1e9:.1f} GB are free"
    if largest is None:
        return Finding(title, "ready", f"{told}.")
    needed = build_memory(largest.n_documents, largest.n_dimensions)
    told = f"{told}; to build the largest collection, {largest.title}, takes about {needed / 1e9:.1f} GB"
    if needed <= free:
        return Finding(title, "ready", f"{told}.")
    return Finding(title, "attention", f"{told}.", "Close other programs before you build it.")


def _database(path: Path) -> Finding:
    size, free = path.stat().st_size, shutil.disk_usage(path.parent).free
    held = f"{path} has {size / 1e6:,.1f} MB and is held by this process ({os.getpid()})"
    told = f"{held}; {free / 1e9:,.1f} GB of disk are free"
    if not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        return Finding(
            "Database", "missing", f"{told}. It cannot be written.", "Make the file and its folder writable."
        )
    if free < max(LOW_DISK_BYTES, size):
        return Finding("Database", "attention", f"{told}.", "Free some disk: a build writes about as much again.")
    return Finding("Database", "ready", f"{told}.")


def _pictures() -> Finding:
    has_browser = any(shutil.which(name) for name in _BROWSERS)
    if has_browser and find_spec("kaleido") is not None:
        return Finding("Pictures", "ready", "A browser is here to draw the figures of research runs as PNG and SVG.")
    lacking = "No Chrome or Chromium was found" if not has_browser else "The package kaleido is not installed"
    told = f"{lacking}, so the folder of a research run has no pictures of its figures; all else is as usual."
    return Finding("Pictures", "attention", told, "Optional. Install Chromium, or pip install kaleido.")


def _collection(census: Census) -> CollectionHealth:
    hashes = [story_hash([Document(each, "", "") for each in trail]) for trail in census.trails]
    n_unjudged = sum(one not in census.judged for one in hashes)
    n_left, n_documents = census.n_documents - census.n_embedded, count(census.n_documents, "document")
    without = f"{n_left:,} of {n_documents} without a vector, and no map yet." if n_left else "No map yet."
    undated = f"{count(census.n_undated, 'document')} without a date: on the map, and on no trail forward in time."
    placed = f"{count(census.n_placed, 'document')} came after the map was fitted and were placed on it."
    unjudged = f"{n_unjudged:,} of {len(hashes):,} saved stories without a judgement."
    looked = (
        (not census.is_built, Finding(census.title, "missing", without, "Build the map.", "build")),
        (census.n_undated, Finding(census.title, "attention", undated, "Type the dates.", "undated")),
        (
            census.n_placed,
            Finding(census.title, "attention", placed, "Build the map again when they are many.", "build"),
        ),
        (n_unjudged, Finding(census.title, "attention", unjudged, "Open one and ask a judge.", "judge")),
    )
    findings = tuple(finding for is_there, finding in looked if is_there)
    others = f"{census.n_excluded:,} of them excluded; the others are " if census.n_excluded else ""
    told = f"{n_documents}, {others}all on the map and dated."
    return CollectionHealth(census, n_unjudged, findings or (Finding(census.title, "ready", told),))


def _versions(database: Database) -> dict[str, str]:
    """Return the versions of the program, of its schema, of Python and of the libraries."""
    return {
        "throughline": __version__,
        "schema": str(schema_version(database)),
        **library_versions(),
        **{library: _installed(library) for library in _LIBRARIES},
    }


def _installed(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "not installed"
