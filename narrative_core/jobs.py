"""Background work: one thread a job, its progress in the store, cancel within a second, resume after a kill."""

import logging
import os
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field

from narrative_core.errors import Cancelled, NarrativeError
from narrative_core.records import Job
from narrative_core.store import jobs as job_table
from narrative_core.store.database import Database

_LOG = logging.getLogger(__name__)
_WRITE_EVERY_S = 0.25

Report = Callable[[str, int, int], None]
"""Called by the work with (stage, done, total); raises `Cancelled` once a person has asked to stop."""

Work = Callable[[Report], None]


@dataclass(slots=True)
class JobRunner:
    """Starts, cancels and remembers the background work of this process.

    Parameters
    ----------
    database : Database
        Jobs that it still lists as running belong to a process that is gone, and become interrupted.
    clock : callable
        Seconds, monotonic.
    """

    database: Database
    clock: Callable[[], float] = time.monotonic
    _stops: dict[str, threading.Event] = field(default_factory=dict)
    _threads: dict[str, threading.Thread] = field(default_factory=dict)

    def __post_init__(self) -> None:
        job_table.mark_interrupted(self.database)

    def start(self, kind: str, subject: str, work: Work) -> Job | None:
        """Run ``work`` in the background; ``None`` where the same job is running already."""
        job = job_table.start_job(self.database, kind, subject, holder=os.getpid())
        if job is None:
            return None
        self._stops[job.job_id] = threading.Event()
        thread = threading.Thread(target=self._run, args=(job.job_id, work), name=f"{kind} {subject}", daemon=True)
        self._threads[job.job_id] = thread
        thread.start()
        return job

    def cancel(self, job_id: str) -> None:
        """Ask a job to stop; it does at its next report."""
        job_table.request_cancel(self.database, job_id)
        stop = self._stops.get(job_id)
        if stop is not None:
            stop.set()

    def latest(self, kind: str, subject: str) -> Job | None:
        """Return the newest job of a kind on a subject, whatever its state."""
        return job_table.latest_job(self.database, kind, subject)

    def wait(self, job_id: str, timeout_s: float | None = None) -> None:
        """Return when the job has ended, or after the time given."""
        thread = self._threads.get(job_id)
        if thread is not None:
            thread.join(timeout_s)

    def _run(self, job_id: str, work: Work) -> None:
        try:
            work(self._reporter(job_id))
        except Cancelled:
            job_table.finish_job(self.database, job_id, "cancelled", "Stopped. What was finished is kept.")
        except NarrativeError as error:
            job_table.finish_job(self.database, job_id, "failed", str(error))
        except Exception:  # noqa: BLE001  the thread's border: a job must end in a state, whatever happened
            incident = uuid.uuid4().hex[:8]
            _LOG.exception("job %s failed, incident %s", job_id, incident)
            message = f"Something went wrong that we did not expect (incident {incident}; details in the log)."
            job_table.finish_job(self.database, job_id, "failed", message)
        else:
            job_table.finish_job(self.database, job_id, "done")
        finally:
            self._stops.pop(job_id, None)

    def _reporter(self, job_id: str) -> Report:
        stop = self._stops[job_id]
        written: tuple[str, float] = ("", 0.0)

        def report(stage: str, done: int, total: int) -> None:
            nonlocal written
            if stop.is_set():
                raise Cancelled("The work was stopped.")
            now = self.clock()
            if stage != written[0] or done >= total or now - written[1] >= _WRITE_EVERY_S:
                written = (stage, now)
                job_table.report_progress(self.database, job_id, stage, done, total)
                if job_table.is_cancel_requested(self.database, job_id):
                    stop.set()

        return report
