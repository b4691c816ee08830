import contextlib
import logging
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from narrative_core import build_stages
from narrative_core.errors import InvalidInput
from narrative_core.jobs import JobRunner, Report, Work
from narrative_core.pipeline import build, load
from narrative_core.records import Job
from narrative_core.store.database import Database, open_database
from narrative_core.store.jobs import load_job
from tests.conductor_samples import FakeChild, documents_on_two_themes, fake_stage, save_documents, stage_names

PATIENCE_S = 20.0
ROOT = Path(__file__).parents[1]
KILLED_IN_MID_JOB = """
import sys, time
from pathlib import Path
from narrative_core.jobs import JobRunner
from narrative_core.store.database import open_database

runner = JobRunner(open_database(Path(sys.argv[1])))

def work(report):
    report("embed", 3, 9)
    print("working", flush=True)
    time.sleep(60)

runner.wait(runner.start("build", "news", work).job_id)
"""
KILLED_AFTER_EMBEDDING = """
import sys, time
from pathlib import Path
from narrative_core.pipeline import build
from narrative_core.store.database import open_database

def progress(stage, done, total):
    if stage == "project":
        print("working", flush=True)
        time.sleep(60)

build(open_database(Path(sys.argv[1])), "news", progress=progress)
"""


class Clock:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "throughline.duckdb"


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    with contextlib.closing(open_database(path)) as opened:
        yield opened


@pytest.fixture
def runner(database: Database) -> JobRunner:
    return JobRunner(database)


def start(runner: JobRunner, work: Work) -> Job:
    job = runner.start("build", "news", work)
    assert job is not None
    return job


def run(runner: JobRunner, work: Work) -> Job:
    """The job as the store knows it once the work has ended."""
    job = start(runner, work)
    runner.wait(job.job_id, PATIENCE_S)
    return load_job(runner.database, job.job_id)


class Steps:
    """Work that makes one report whenever it is let, and tells when it waits for the next."""

    def __init__(self) -> None:
        self.waits, self.goes_on = threading.Semaphore(0), threading.Semaphore(0)
        self.is_told_to_end = False

    def __call__(self, report: Report) -> None:
        done = 0
        while not self.is_told_to_end:
            report("embed", done, 100)
            done += 1
            self.waits.release()
            assert self.goes_on.acquire(timeout=PATIENCE_S)

    def step(self) -> None:
        self.goes_on.release()
        assert self.waits.acquire(timeout=PATIENCE_S)

    def end(self) -> None:
        self.is_told_to_end = True
        self.goes_on.release()


def kill_in_mid_work(program: str, path: Path) -> None:
    """Run a program in a process of its own and end it, as the system does, when it says that it is working."""
    with subprocess.Popen(
        [sys.executable, "-c", program, str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "working\n"
        finally:
            process.kill()


def test_work_that_returns_is_done(runner: JobRunner) -> None:
    job = run(runner, lambda report: report("embed", 4, 4))
    assert (job.state, job.stage, job.done, job.total, job.message) == ("done", "embed", 4, 4, "")
    assert job.holder == os.getpid()


def test_progress_is_in_the_store_while_the_work_goes_on(database: Database) -> None:
    clock, work = Clock(), Steps()
    runner = JobRunner(database, clock=clock)
    job = start(runner, work)
    assert work.waits.acquire(timeout=PATIENCE_S)
    seen = [load_job(database, job.job_id)]
    for seconds in (0.1, 0.1, 0.1):
        clock.now += seconds
        work.step()
        seen.append(load_job(database, job.job_id))
    work.end()
    runner.wait(job.job_id, PATIENCE_S)
    assert [(told.state, told.done) for told in seen] == [
        ("running", 0),
        ("running", 0),
        ("running", 0),
        ("running", 3),
    ]
    assert {(told.stage, told.total) for told in seen} == {("embed", 100)}


def test_a_new_stage_and_the_end_of_one_are_written_at_once(database: Database) -> None:
    seen: list[tuple[str, int]] = []
    runner = JobRunner(database, clock=Clock())

    def work(report: Report) -> None:
        for stage, done in (("embed", 0), ("embed", 1), ("embed", 2), ("project", 0), ("project", 1)):
            report(stage, done, 2)
            found = runner.latest("build", "news")
            assert found is not None
            seen.append((found.stage, found.done))

    assert run(runner, work).state == "done"
    assert seen == [("embed", 0), ("embed", 0), ("embed", 2), ("project", 0), ("project", 0)]


def test_a_second_start_of_the_same_work_starts_nothing(runner: JobRunner) -> None:
    work, calls = Steps(), []
    job = start(runner, work)
    assert work.waits.acquire(timeout=PATIENCE_S)
    assert runner.start("build", "news", lambda report: calls.append("news")) is None
    other = runner.start("build", "olds", lambda report: calls.append("olds"))
    assert other is not None
    runner.wait(other.job_id, PATIENCE_S)
    work.end()
    runner.wait(job.job_id, PATIENCE_S)
    assert calls == ["olds"]
    assert run(runner, lambda report: calls.append("news")).state == "done"
    assert calls == ["olds", "news"]


def test_a_job_that_is_cancelled_ends_at_its_next_report(runner: JobRunner) -> None:
    work = Steps()
    job = start(runner, work)
    assert work.waits.acquire(timeout=PATIENCE_S)
    runner.cancel(job.job_id)
    asked = load_job(runner.database, job.job_id)
    assert (asked.state, asked.is_cancel_requested) == ("running", True)
    work.goes_on.release()
    runner.wait(job.job_id, PATIENCE_S)
    ended = load_job(runner.database, job.job_id)
    assert (ended.state, ended.done) == ("cancelled", 0)
    assert ended.message == "Stopped. What was finished is kept."


def test_cancelling_a_job_that_has_ended_or_never_was_changes_nothing(runner: JobRunner) -> None:
    job = run(runner, lambda report: None)
    runner.cancel(job.job_id)
    assert load_job(runner.database, job.job_id) == job
    with pytest.raises(InvalidInput, match="There is no job 'x'"):
        runner.cancel("x")


def test_a_real_build_is_cancelled_within_a_second_and_its_child_ends(runner: JobRunner) -> None:
    save_documents(runner.database, documents_on_two_themes(6))
    started = threading.Event()

    def work(report: Report) -> None:
        def progress(stage: str, done: int, total: int) -> None:
            report(stage, done, total)
            started.set()

        build(runner.database, "news", progress=progress)

    job = start(runner, work)
    assert started.wait(PATIENCE_S)
    asked_at = time.monotonic()
    runner.cancel(job.job_id)
    runner.wait(job.job_id, PATIENCE_S)
    assert time.monotonic() - asked_at < 1.0
    assert load_job(runner.database, job.job_id).state == "cancelled"


def test_a_known_error_becomes_the_sentence_of_a_failed_job(
    runner: JobRunner, caplog: pytest.LogCaptureFixture
) -> None:
    def work(report: Report) -> None:
        raise InvalidInput("The collection news has no documents. Import some first.")

    job = run(runner, work)
    assert (job.state, job.message) == ("failed", "The collection news has no documents. Import some first.")
    assert caplog.records == []


def test_an_unknown_error_becomes_an_incident_with_the_details_in_the_log(
    runner: JobRunner, caplog: pytest.LogCaptureFixture
) -> None:
    def work(report: Report) -> None:
        raise ZeroDivisionError("secret detail")

    with caplog.at_level(logging.ERROR, logger="narrative_core.jobs"):
        job = run(runner, work)
    assert job.state == "failed"
    incident = re.search(r"\(incident ([0-9a-f]{8}); details in the log\)", job.message)
    assert incident is not None
    assert "secret detail" not in job.message
    (record,) = caplog.records
    assert incident[1] in record.getMessage()
    assert record.exc_info is not None
    assert "ZeroDivisionError: secret detail" in caplog.text
    assert "Traceback" in caplog.text


def test_waiting_for_a_job_takes_no_longer_than_asked(runner: JobRunner) -> None:
    work = Steps()
    job = start(runner, work)
    assert work.waits.acquire(timeout=PATIENCE_S)
    runner.wait(job.job_id, 0.01)
    assert load_job(runner.database, job.job_id).state == "running"
    work.end()
    runner.wait(job.job_id, PATIENCE_S)
    runner.wait("of another process", 0.01)


def test_the_latest_job_is_the_newest_of_its_kind_and_subject(runner: JobRunner) -> None:
    assert runner.latest("build", "news") is None
    first = run(runner, lambda report: None)
    second = run(runner, lambda report: None)
    assert runner.latest("build", "news") == second != first


def test_a_job_whose_process_was_killed_is_interrupted_for_the_next_one(path: Path) -> None:
    kill_in_mid_work(KILLED_IN_MID_JOB, path)
    with contextlib.closing(open_database(path)) as database:
        with database.reading() as cursor:
            ((job_id, state),) = cursor.execute("SELECT job_id, state FROM jobs").fetchall()
        assert state == "running"
        runner = JobRunner(database)
        left = load_job(database, job_id)
        assert (left.state, left.stage, left.done, left.total) == ("interrupted", "embed", 3, 9)
        assert left.holder != os.getpid()
        assert run(runner, lambda report: None).state == "done"


def test_a_build_that_was_killed_after_embedding_goes_on_without_embedding_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with contextlib.closing(open_database(path)) as database:
        save_documents(database, documents_on_two_themes(6))
    kill_in_mid_work(KILLED_AFTER_EMBEDDING, path)
    child = FakeChild(fake_stage)
    monkeypatch.setattr(build_stages, "run_stage", child)
    with contextlib.closing(open_database(path)) as database:
        assert stage_names(database) != set()
        build(database, "news")
        vectors = load(database, "news").vectors
        assert stage_names(database) == set()
    assert sorted(child.stages) == ["cluster", "lay_out", "project"]
    assert vectors.model == "wordllama"
    assert vectors.values.shape == (6, 256)
    np.testing.assert_allclose(np.linalg.norm(vectors.values, axis=1), 1.0, rtol=1e-5)
