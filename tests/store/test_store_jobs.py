import threading
from dataclasses import replace

import pytest
from store_samples import HOSTILE

from narrative_core.errors import InvalidInput
from narrative_core.records import Job, JobState
from narrative_core.store.database import Database
from narrative_core.store.jobs import (
    finish_job,
    is_cancel_requested,
    latest_job,
    list_jobs,
    load_job,
    mark_interrupted,
    report_progress,
    request_cancel,
    start_job,
)

NOON = "2024-03-01T12:00:00+00:00"
LATER = "2024-03-01T12:00:09+00:00"


def start(database: Database, kind: str = "build", subject: str = "news") -> Job:
    job = start_job(database, kind, subject, holder=4711, now=NOON)
    assert job is not None
    return job


def test_a_job_starts_with_nothing_done(database: Database) -> None:
    job = start(database)
    assert job == Job(job.job_id, "build", "news", "running", "", 0, 0, "", 4711, False, NOON, NOON)
    assert load_job(database, job.job_id) == job


def test_a_second_click_starts_nothing(database: Database) -> None:
    job = start(database)
    assert start_job(database, "build", "news", holder=1) is None
    assert list_jobs(database) == (job,)
    start(database, "run", "news")
    start(database, "build", "archive")
    finish_job(database, job.job_id, "done")
    start(database)


def test_of_many_simultaneous_clicks_one_starts_a_job(database: Database) -> None:
    started: list[Job | None] = []
    barrier = threading.Barrier(6)

    def click() -> None:
        barrier.wait()
        started.append(start_job(database, "build", "news", holder=1))

    threads = [threading.Thread(target=click) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(started) == 6
    assert len([job for job in started if job is not None]) == 1
    assert len(list_jobs(database)) == 1


def test_progress_is_recorded(database: Database) -> None:
    job = start(database)
    other = start(database, "run")
    report_progress(database, job.job_id, "embed", 3, 10, message=HOSTILE, now=LATER)
    expected = replace(job, stage="embed", done=3, total=10, message=HOSTILE, updated_at=LATER)
    assert load_job(database, job.job_id) == expected
    assert load_job(database, other.job_id) == other


def test_a_request_to_cancel_is_seen_by_whoever_works(database: Database) -> None:
    job = start(database)
    assert not is_cancel_requested(database, job.job_id)
    request_cancel(database, job.job_id)
    assert is_cancel_requested(database, job.job_id)
    assert load_job(database, job.job_id).state == "running"


@pytest.mark.parametrize("state", ["done", "failed", "cancelled", "interrupted"])
def test_a_job_ends_once_and_then_stays_as_it_is(database: Database, state: JobState) -> None:
    job = start(database)
    finish_job(database, job.job_id, state, "The end.", now=LATER)
    ended = replace(job, state=state, message="The end.", updated_at=LATER)
    assert load_job(database, job.job_id) == ended
    finish_job(database, job.job_id, "failed", "Too late.")
    report_progress(database, job.job_id, "embed", 1, 1)
    request_cancel(database, job.job_id)
    assert load_job(database, job.job_id) == ended


def test_running_is_not_an_end(database: Database) -> None:
    job = start(database)
    with pytest.raises(InvalidInput, match="ends as one of done, failed, cancelled, interrupted; got 'running'"):
        finish_job(database, job.job_id, "running")


def test_the_latest_job_is_the_one_started_last(database: Database) -> None:
    assert latest_job(database, "build", "news") is None
    first = start(database)
    finish_job(database, first.job_id, "failed")
    second = start(database)
    start(database, "build", "archive")
    report_progress(database, second.job_id, "embed", 1, 2)
    latest = latest_job(database, "build", "news")
    assert latest is not None
    assert latest.job_id == second.job_id


def test_jobs_are_listed_newest_first_up_to_the_limit(database: Database) -> None:
    ids = [start(database, subject=f"collection {i}").job_id for i in range(5)]
    finish_job(database, ids[0], "done")
    assert [job.job_id for job in list_jobs(database)] == ids[::-1]
    assert [job.job_id for job in list_jobs(database, limit=2)] == ids[:2:-1]


def test_a_new_process_marks_what_was_running_as_interrupted(database: Database) -> None:
    done = start(database, subject="one")
    finish_job(database, done.job_id, "done")
    running = [start(database, subject=subject) for subject in ("two", "three")]
    report_progress(database, running[0].job_id, "embed", 3, 10, now=NOON)
    assert mark_interrupted(database, now=LATER) == 2
    assert load_job(database, done.job_id).state == "done"
    assert load_job(database, running[0].job_id) == replace(
        running[0], state="interrupted", stage="embed", done=3, total=10, updated_at=LATER
    )
    assert mark_interrupted(database) == 0
    start(database, subject="two")


def test_an_unknown_job_is_refused(database: Database) -> None:
    start(database)
    with pytest.raises(InvalidInput, match="There is no job 'x'"):
        load_job(database, "x")
    with pytest.raises(InvalidInput, match="There is no job 'x'"):
        report_progress(database, "x", "embed", 1, 1)
    with pytest.raises(InvalidInput, match="There is no job 'x'"):
        request_cancel(database, "x")
    with pytest.raises(InvalidInput, match="There is no job 'x'"):
        is_cancel_requested(database, "x")
    with pytest.raises(InvalidInput, match="There is no job 'x'"):
        finish_job(database, "x", "done")
