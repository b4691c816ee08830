"""A run to take away: everything of it in one zip file, packed in the background."""

from dataclasses import dataclass, field

import streamlit as st

from narrative_core.jobs import Report
from narrative_core.records import Job
from narrative_core.run_export import run_zip
from narrative_core.runs import RunSummary
from narrative_core.study import DataSet
from narrative_core.ui import resources
from narrative_core.ui.words import markdown_text, sentence

KIND, STAGE = "pack", "draw"
POLL_S = 1.0
KEPT_PACKAGES = 2
WHAT_IS_IN_IT = (
    "One folder with the report as a single file that needs no network, every table as CSV and LaTeX, every figure as "
    "data and, where this computer has a browser to draw with, as a picture, every story with its links, every single "
    "score, and the methods with all settings: enough to rebuild each number."
)


@dataclass(slots=True)
class Packages:
    """The last packages of this process by what they are of, the oldest first."""

    packed: dict[str, bytes] = field(default_factory=dict)

    def keep(self, subject: str, package: bytes) -> None:
        """Keep a package in the place of the oldest."""
        self.packed[subject] = package
        for oldest in list(self.packed)[:-KEPT_PACKAGES]:
            self.packed.pop(oldest, None)


@st.cache_resource(show_spinner=False)
def packages() -> Packages:
    """Return the packages of this process."""
    return Packages()


def take_away(summary: RunSummary, study: DataSet | None) -> None:
    """Offer a run as a zip file, which is packed in the background when it is asked for."""
    st.markdown(WHAT_IS_IN_IT)
    missing = summary.n_questions - summary.n_answered
    if missing:
        st.caption(f"{missing:,} of {summary.n_questions:,} answers are not there yet; the file will say so.")
    subject = " ".join([*map(str, summary.version), study or ""]).strip()
    job = resources.runner().latest(KIND, subject)
    if job is not None and job.state == "running":
        _progress(subject)
        return
    package = packages().packed.get(subject)
    if package is None:
        _outcome(job)
        st.button(
            "Prepare the folder",
            key="prepare-run",
            type="primary",
            icon=":material/inventory_2:",
            on_click=_start,
            args=(summary.run.run_id, study, subject),
        )
        return
    st.download_button(
        f"Download ({len(package) / 1e6:.1f} MB)",
        package,
        f"run-{summary.run.run_id}.zip",
        "application/zip",
        key="download-run",
        icon=":material/download:",
        on_click="ignore",
    )


def _start(run_id: str, study: DataSet | None, subject: str) -> None:
    database, kept = resources.database(), packages()

    def work(report: Report) -> None:
        package = run_zip(database, run_id, study=study, progress=lambda done, total: report(STAGE, done, total))
        kept.keep(subject, package)

    resources.runner().start(KIND, subject, work)


@st.fragment(run_every=POLL_S)
def _progress(subject: str) -> None:
    job = resources.runner().latest(KIND, subject)
    if job is None or job.state != "running":
        st.rerun()
    share = min(1.0, job.done / job.total) if job.total else 0.0
    told = f"{job.done:,} of {job.total:,} pictures" if job.total else "computing the tables"
    st.progress(share, text=f"Packing: {told}")
    if job.is_cancel_requested:
        st.caption("Stopping …")
    else:
        st.button("Stop", key="stop-packing", on_click=resources.runner().cancel, args=(job.job_id,))


def _outcome(job: Job | None) -> None:
    if job is None or job.state in ("done", "running"):
        return
    if job.state == "failed":
        st.error(markdown_text(sentence(job.message)), icon=":material/error:")
    else:
        st.caption("Packing was stopped.")
