"""Long work: what is under way, how far it is, and whether a person has asked it to stop.

The store keeps the account; whoever does the work reads and writes it.
"""

import uuid
from typing import get_args

from narrative_core.clock import now_text
from narrative_core.errors import InvalidInput
from narrative_core.records import Job, JobState
from narrative_core.store.database import Database
from narrative_core.store.tables import Cursor

SELECT_JOBS = (
    "SELECT job_id, kind, subject, state, stage, done, total, message, holder, is_cancel_requested, started_at,"
    " updated_at FROM jobs"
)
ENDED = tuple(state for state in get_args(JobState) if state != "running")


def start_job(database: Database, kind: str, subject: str, *, holder: int, now: str | None = None) -> Job | None:
    """Return a new running job, ``None`` where one of the same kind and subject is running already.

    A second click on the same button therefore starts nothing.

    Parameters
    ----------
    database : Database
        Where to.
    kind, subject : str
        What is done, and to what.
    holder : int
        Number of the process at work.
    now : str, optional
        When; the present where not given.
    """
    job_id = uuid.uuid4().hex
    moment = now or now_text()
    with database.transaction() as cursor:
        query = "SELECT 1 FROM jobs WHERE kind = ? AND subject = ? AND state = 'running'"
        if cursor.execute(query, [kind, subject]).fetchall():
            return None
        cursor.execute(
            "INSERT INTO jobs (job_id, ordinal, kind, subject, state, stage, done, total, message, holder,"
            " is_cancel_requested, started_at, updated_at)"
            " SELECT ?, coalesce(max(ordinal), 0) + 1, ?, ?, 'running', '', 0, 0, '', ?, false, ?, ? FROM jobs",
            [job_id, kind, subject, holder, moment, moment],
        )
    return load_job(database, job_id)


def report_progress(
    database: Database, job_id: str, stage: str, done: int, total: int, *, message: str = "", now: str | None = None
) -> None:
    """Record how far a running job is; a job that has ended stays as it is.

    Parameters
    ----------
    database : Database
        Where to.
    job_id : str
        The job.
    stage : str
        Part of the work.
    done, total : int
        Units of the stage; a total of 0 is not known.
    message : str
        A sentence for a person.
    now : str, optional
        When; the present where not given.

    Raises
    ------
    InvalidInput
        If there is no such job.
    """
    with database.transaction() as cursor:
        _require_job(cursor, job_id)
        cursor.execute(
            "UPDATE jobs SET stage = ?, done = ?, total = ?, message = ?, updated_at = ?"
            " WHERE job_id = ? AND state = 'running'",
            [stage, int(done), int(total), message, now or now_text(), job_id],
        )


def request_cancel(database: Database, job_id: str) -> None:
    """Ask a running job to stop; a job that has ended stays as it is.

    Raises
    ------
    InvalidInput
        If there is no such job.
    """
    with database.transaction() as cursor:
        _require_job(cursor, job_id)
        cursor.execute("UPDATE jobs SET is_cancel_requested = true WHERE job_id = ? AND state = 'running'", [job_id])


def is_cancel_requested(database: Database, job_id: str) -> bool:
    """Return whether a person has asked the job to stop.

    Raises
    ------
    InvalidInput
        If there is no such job.
    """
    return load_job(database, job_id).is_cancel_requested


def finish_job(database: Database, job_id: str, state: JobState, message: str = "", *, now: str | None = None) -> None:
    """Record how a running job ended; one that has ended already keeps its first end.

    Parameters
    ----------
    database : Database
        Where to.
    job_id : str
        The job.
    state : {"done", "failed", "cancelled", "interrupted"}
        How.
    message : str
        A sentence for a person.
    now : str, optional
        When; the present where not given.

    Raises
    ------
    InvalidInput
        If there is no such job, or the state is not an end.
    """
    if state not in ENDED:
        msg = f"A job ends as one of {', '.join(ENDED)}; got {state!r}. Name one of these."
        raise InvalidInput(msg)
    with database.transaction() as cursor:
        _require_job(cursor, job_id)
        cursor.execute(
            "UPDATE jobs SET state = ?, message = ?, updated_at = ? WHERE job_id = ? AND state = 'running'",
            [state, message, now or now_text(), job_id],
        )


def load_job(database: Database, job_id: str) -> Job:
    """Return a job.

    Raises
    ------
    InvalidInput
        If there is no such job.
    """
    with database.reading() as cursor:
        _require_job(cursor, job_id)
        row = cursor.execute(SELECT_JOBS + " WHERE job_id = ?", [job_id]).fetchall()[0]
    return Job(*row)


def latest_job(database: Database, kind: str, subject: str) -> Job | None:
    """Return the job of this kind and subject that was started last, ``None`` where there was none."""
    with database.reading() as cursor:
        rows = cursor.execute(
            SELECT_JOBS + " WHERE kind = ? AND subject = ? ORDER BY ordinal DESC LIMIT 1",
            [kind, subject],
        ).fetchall()
    return Job(*rows[0]) if rows else None


def list_jobs(database: Database, *, limit: int = 50) -> tuple[Job, ...]:
    """Return the jobs that were started last, the newest first."""
    with database.reading() as cursor:
        rows = cursor.execute(
            SELECT_JOBS + " ORDER BY ordinal DESC LIMIT ?",
            [limit],
        ).fetchall()
    return tuple(Job(*row) for row in rows)


def mark_interrupted(database: Database, *, now: str | None = None) -> int:
    """Mark every running job as interrupted and return how many there were.

    For the start of a process, before it starts a job: one process holds the file, so whoever ran them is gone.
    """
    with database.transaction() as cursor:
        rows = cursor.execute(
            "UPDATE jobs SET state = 'interrupted', updated_at = ? WHERE state = 'running' RETURNING job_id",
            [now or now_text()],
        ).fetchall()
    return len(rows)


def _require_job(cursor: Cursor, job_id: str) -> None:
    if not cursor.execute("SELECT 1 FROM jobs WHERE job_id = ?", [job_id]).fetchall():
        msg = f"There is no job {job_id!r}. Look it up in the list of jobs."
        raise InvalidInput(msg)
