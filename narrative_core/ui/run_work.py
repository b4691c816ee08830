"""Runs from the page: plan, start in the background, go on, read what came of them."""

import streamlit as st

from narrative_core import experiments, joint
from narrative_core.assessment import NOT_HERE
from narrative_core.counting import count
from narrative_core.errors import JudgeUnavailable
from narrative_core.experiments import PlannedRun
from narrative_core.extraction import LoadedCollection
from narrative_core.jobs import Report
from narrative_core.judgements import Forecast
from narrative_core.records import Job
from narrative_core.run_outcomes import RunResults
from narrative_core.run_results import results_of
from narrative_core.runs import Design, Run, RunSettings, RunSummary, RunTable, Version
from narrative_core.store.runs import list_runs, load_run_table
from narrative_core.ui import judges, resources
from narrative_core.ui.judging_work import without_known_cost_elsewhere
from narrative_core.ui.words import markdown_text, sentence

KIND, JOIN = "run", "join"
POLL_S = 1.0
KEPT_PLANS, KEPT_TABLES = 4, 6
STAGE_WORDS = {"sample": "looking for trails", "judge": "asking the judges"}


@st.cache_resource(max_entries=KEPT_PLANS, show_spinner="Looking for pairs of documents that have a trail …")
def planned(edition: str, settings: RunSettings, name: str, _loaded: LoadedCollection) -> PlannedRun:
    """Return what a run would be about and ask; nothing is stored yet."""
    del edition
    return experiments.plan_run(resources.database(), _loaded, settings, name=name)


def forecasts(plan: PlannedRun) -> tuple[Forecast, ...]:
    """Return what a planned run is about to take, a forecast a seat; what another host takes is not known."""
    return without_known_cost_elsewhere(experiments.run_forecasts(resources.database(), plan))


def start_run(loaded: LoadedCollection, plan: PlannedRun, *, budget_usd: float | None = None) -> str:
    """Store a planned run, ask its judges in the background, and return its id. A second click starts nothing."""
    run_id = plan.run.run_id
    if not any(summary.run.run_id == run_id for summary in runs()):
        experiments.start_run(resources.database(), plan)
    go_on(loaded, run_id, budget_usd=budget_usd)
    return run_id


def go_on(loaded: LoadedCollection, run_id: str, *, budget_usd: float | None = None) -> None:
    """Ask what a run has no answer to yet, in the background; while it runs, asking again changes nothing."""
    # What belongs to the session, the key above all, is taken here: the work runs on another thread.
    database, bench = resources.database(), judges.bench(budget_usd)

    def work(report: Report) -> None:
        outcome = experiments.continue_run(database, loaded, run_id, bench, report=report)
        unasked = {reason: n for reason, n in outcome.unasked.items() if reason != NOT_HERE}
        if unasked:
            told = [f"{count(n, 'answer')} not asked for: {reason}" for reason, n in unasked.items()]
            raise JudgeUnavailable(" ".join(told))

    resources.runner().start(KIND, run_id, work)


def start_joining(first: str, second: str) -> None:
    """Make the joint collection of two in the background."""
    database = resources.database()

    def work(report: Report) -> None:
        joint.make_joint(database, first, second, progress=report)

    resources.runner().start(JOIN, joint.joint_name(first, second), work)


def latest_job(run_id: str, kind: str = KIND) -> Job | None:
    """Return the newest job of a run, or of joining two collections."""
    return resources.runner().latest(kind, run_id)


def runs(collection: str | None = None, design: Design | None = None) -> tuple[RunSummary, ...]:
    """Return the stored runs, the newest first."""
    return list_runs(resources.database(), collection, design)


def table(summary: RunSummary) -> RunTable:
    """Return the raw numbers of a run; read anew as soon as another answer is there."""
    return _table(summary.version)


def results(summary: RunSummary, *, with_models: bool = False) -> RunResults:
    """Return the estimates of a run of trails and random chronologies; computed anew with another answer.

    The models that predict scores take half of the time, and one section of the page needs them.
    """
    return _results(summary.version, with_models)


@st.cache_resource(max_entries=KEPT_TABLES, show_spinner="Reading the scores …")
def _table(version: Version) -> RunTable:
    return load_run_table(resources.database(), version[0])


@st.cache_resource(max_entries=KEPT_TABLES, show_spinner="Computing the statistics …")
def _results(version: Version, with_models: bool) -> RunResults:
    return results_of(_table(version), with_models=with_models)


@st.fragment(run_every=POLL_S)
def run_progress(run_id: str) -> None:
    """Show how far a running run is, with the way to stop it; the page is drawn anew when it ends."""
    job = latest_job(run_id)
    if job is None or job.state != "running":
        st.rerun()
    share = min(1.0, job.done / job.total) if job.total else 0.0
    words = STAGE_WORDS.get(job.stage, "getting ready")
    counted = f", {job.done:,} of {job.total:,} answers" if job.stage == "judge" else ""
    st.progress(share, text=f"{words[:1].upper()}{words[1:]}{counted}")
    if job.is_cancel_requested:
        st.caption("Stopping …")
    else:
        st.button("Stop", key=f"stop-run-{run_id}", on_click=resources.runner().cancel, args=(job.job_id,))


def run_outcome(job: Job | None) -> None:
    """Say how the last work on a run ended where it did not end well."""
    if job is None or job.state in ("done", "running"):
        return
    if job.state == "failed":
        st.error(markdown_text(sentence(job.message)), icon=":material/error:")
    elif job.state == "cancelled":
        st.caption("The run was stopped. The answers that came are kept.")
    else:
        st.caption("The run was interrupted when the program ended. The answers that came are kept.")


def can_go_on(summary: RunSummary) -> bool:
    """Return whether questions of a run have no answer yet."""
    return summary.n_answered < summary.n_questions


def origin_words(run: Run) -> str:
    """Return when a run was made, in words."""
    return f"{run.created_at[:10]} {run.created_at[11:16]} UTC"
