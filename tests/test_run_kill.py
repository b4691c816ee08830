"""A run that is killed in the middle: it is in the store, and going on with it asks exactly what is missing."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from narrative_core.intake import install_shipped
from narrative_core.store.database import open_database
from narrative_core.store.judgements import list_judgements
from narrative_core.store.runs import list_runs, load_run_questions
from tests.judging.scripted_server import ScriptedServer, scripted
from tests.judging_bench import KEY, MODEL, answering

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are POSIX")

ROOT = Path(__file__).parents[1]
PATIENCE_S = 120.0
PAIRS, AGENTS, KILL_AT = 20, 3, 40


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "throughline.duckdb"
    with contextlib.closing(open_database(path)) as database:
        install_shipped(database)
    return path


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with scripted(answering(wait_s=0.05)) as running:
        yield running


def start(db: Path, server: ScriptedServer, *more: str) -> "subprocess.Popen[str]":
    """Start a run, or go on with one, in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "narrative_core", "run", "spaceflight", "--pairs", str(PAIRS), "--agents", str(AGENTS),
         "--model", MODEL, "--base-url", server.url, "--json", "--db", str(db), "--concurrency", "4", *more],
        cwd=ROOT,
        env={**os.environ, "OPENAI_API_KEY": KEY},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip


def test_a_killed_run_goes_on_with_exactly_what_is_missing(db: Path, server: ScriptedServer) -> None:
    with start(db, server, "--judge", "openai") as process:
        until = time.monotonic() + PATIENCE_S
        while len(server.asked) < KILL_AT:
            assert process.poll() is None, "the process ended before it had asked enough"
            assert time.monotonic() < until
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        assert process.wait(PATIENCE_S) == -signal.SIGKILL
    with contextlib.closing(open_database(db)) as database:
        (summary,) = list_runs(database)
        run_id = summary.run.run_id
        n_all = len({question.question_id for question in load_run_questions(database, run_id)})
        n_kept = sum(judgement.question.judge == "openai" for judgement in list_judgements(database, "spaceflight"))
    assert 0 < n_kept < n_all

    server.asked.clear()
    with start(db, server, "--resume", run_id) as process:
        printed, said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, said
    assert len(server.asked) == n_all - n_kept
    (judge,) = json.loads(printed)["judges"]
    assert (judge["not_asked"], judge["ok"]) == (0, judge["asked"])
    with contextlib.closing(open_database(db)) as database:
        assert len(list_runs(database)) == 1
