"""Building a collection from the page: start, progress by stage, cancel, resume."""

import streamlit as st

from narrative_core import pipeline
from narrative_core.intake import builtin, install_builtin
from narrative_core.jobs import Report
from narrative_core.records import STAGES, TOPIC_SELECTION, Job, LandscapeParameters, Stage
from narrative_core.ui import embedding, resources
from narrative_core.ui.words import markdown_text

KIND = "build"
STAGE_WORDS: dict[Stage, str] = {
    "embed": "reading the documents",
    "project": "placing them on the map",
    "cluster": "finding topics",
    "label": "naming topics",
    "coherence": "comparing all pairs",
}
POLL_S = 1.0


def start_build(name: str, fineness: str = "broad") -> None:
    """Build a collection in the background; a second click while it runs changes nothing."""
    parameters = LandscapeParameters(cluster_selection_method=TOPIC_SELECTION[fineness])
    database, model = resources.database(), embedding.chosen_model()
    key = embedding.api_key(model)

    def work(report: Report) -> None:
        if builtin(name) is not None:
            report("embed", 0, 1)
            install_builtin(database, name)
        pipeline.build(database, name, model=model, parameters=parameters, api_key=key, progress=report)

    resources.runner().start(KIND, name, work)


def latest_build(name: str) -> Job | None:
    """Return the newest build of a collection."""
    return resources.runner().latest(KIND, name)


@st.fragment(run_every=POLL_S)
def build_progress(name: str) -> None:
    """Show how far the running build is, with the way to stop it; the page is drawn anew when it ends."""
    job = latest_build(name)
    if job is None or job.state != "running":
        st.rerun()
    number = STAGES.index(job.stage) if job.stage in STAGES else 0
    share = job.done / job.total if job.total else 0.0
    words = STAGE_WORDS[STAGES[number]]
    is_counted = job.stage == "embed" and job.total > 1
    counted = f"{job.done:,} of {job.total:,} documents" if is_counted else f"{share:.0%}"
    st.progress((number + share) / len(STAGES), text=f"Step {number + 1} of {len(STAGES)}: {words}, {counted}")
    if job.is_cancel_requested:
        st.caption("Stopping …")
    else:
        st.button("Stop", key=f"stop-{name}", on_click=resources.runner().cancel, args=(job.job_id,))


def build_outcome(job: Job | None) -> None:
    """Say how the last build ended where it did not end well."""
    if job is None or job.state in ("done", "running"):
        return
    if job.state == "failed":
        st.error(markdown_text(job.message), icon=":material/error:")
    elif job.state == "cancelled":
        st.caption("The build was stopped. The steps that were finished are kept.")
    else:
        st.caption("The build was interrupted when the program ended. The steps that were finished are kept.")
