"""A process that is killed in the middle of its questions: after a restart exactly the missing ones are asked."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from narrative_core.intake import install_shipped
from narrative_core.judgements import Judgement
from narrative_core.store.database import open_database
from narrative_core.store.judgements import list_judgements
from tests.judging.scripted_server import ScriptedServer, scripted
from tests.judging_bench import KEY, MODEL, answering, asked_of

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are POSIX")

ROOT = Path(__file__).parents[1]
PATIENCE_S = 120.0
CONCURRENCY = 16
MODES = ("simple", "complex")
N_STORIES = 2
MOST_UNWRITTEN = 32
"""Answers that come in the time of one write to a busy disk."""


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


def start(db: Path, server: ScriptedServer, n_agents: int) -> "subprocess.Popen[str]":
    """Start to judge the toy collection, in a process of its own."""
    modes = [part for mode in MODES for part in ("--mode", mode)]
    return subprocess.Popen(
        [sys.executable, "-m", "narrative_core", "judge", "toy", "t01", "t12", "--judge", "openai", *modes,
         "--agents", str(n_agents), "--model", MODEL, "--base-url", server.url, "--json", "--db", str(db),
         "--concurrency", str(CONCURRENCY)],
        cwd=ROOT,
        env={**os.environ, "OPENAI_API_KEY": KEY},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip


def wait_for(server: ScriptedServer, n: int, process: "subprocess.Popen[str]") -> None:
    """Return once a server has been asked n questions."""
    until = time.monotonic() + PATIENCE_S
    while len(server.asked) < n:
        assert process.poll() is None, "the process ended before it had asked enough"
        assert time.monotonic() < until
        time.sleep(0.002)


def stored(db: Path) -> tuple[Judgement, ...]:
    with contextlib.closing(open_database(db)) as database:
        return list_judgements(database, "toy")


def questions_of(server: ScriptedServer) -> Counter[tuple[str, str, int]]:
    return Counter(asked_of(body) for body in server.bodies)


@pytest.mark.parametrize(
    ("n_agents", "kill_at"), [(100, (150,)), pytest.param(100, (40, 150, 90), marks=pytest.mark.slow)]
)
def test_after_a_kill_exactly_the_missing_questions_are_asked(
    db: Path, server: ScriptedServer, n_agents: int, kill_at: tuple[int, ...]
) -> None:
    n_all, n_kept = n_agents * len(MODES) * N_STORIES, 0
    every = Counter[tuple[str, str, int]]()
    for n in kill_at:
        server.asked.clear()
        with start(db, server, n_agents) as process:
            wait_for(server, n, process)
            process.send_signal(signal.SIGKILL)
            assert process.wait(PATIENCE_S) == -signal.SIGKILL
        kept = stored(db)
        assert {judgement.status for judgement in kept} == {"ok"}
        # What is lost is what was under way, and what came while the last answers were being written.
        n_lost = n_kept + len(server.asked) - len(kept)
        assert len(kept) > n_kept
        assert 0 <= n_lost <= CONCURRENCY + MOST_UNWRITTEN
        every |= questions_of(server)
        n_kept = len(kept)
    assert n_kept < n_all

    server.asked.clear()
    with start(db, server, n_agents) as process:
        printed, said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, said
    assert len(server.asked) == n_all - n_kept
    last = questions_of(server)
    assert set(last.values()) == {1}
    assert len(every | last) == n_all

    told = json.loads(printed)
    assert (told["reused"], told["asked_now"], told["not_asked"]) == (n_kept, n_all - n_kept, {})
    assert [(each["asked"], each["ok"]) for each in told["summary"]] == [(n_agents, n_agents)] * 4
    found = stored(db)
    assert Counter(judgement.status for judgement in found) == {"ok": n_all}
    # By representation: an unknown cost is nan, which is not equal to itself.
    assert {repr(one) for one in kept} < {repr(one) for one in found}


def test_an_interrupt_from_the_keyboard_keeps_what_was_answered_and_ends_in_one_sentence(
    db: Path, server: ScriptedServer
) -> None:
    with start(db, server, 40) as process:
        wait_for(server, 30, process)
        process.send_signal(signal.SIGINT)
        printed, said = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, printed) == (130, "")
    assert said == "judge …\nthroughline: stopped; what was finished is kept.\n"
    found = stored(db)
    assert 0 < len(found) < 160
    assert {judgement.status for judgement in found} == {"ok"}
    # Those under way are given up; everything that came is kept.
    assert len(server.asked) <= len(found) + CONCURRENCY
