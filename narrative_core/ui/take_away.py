"""A run to take away: everything of it in one zip file."""

import streamlit as st

from narrative_core.run_export import run_zip
from narrative_core.runs import RunSummary
from narrative_core.study import DataSet
from narrative_core.ui import resources

WHAT_IS_IN_IT = (
    "One folder with a report in a single file that needs no network, every table as CSV and LaTeX, every figure as "
    "data and, where this computer has a browser to draw with, as a picture, every story with its links, every single "
    "score, and the methods with all settings: enough to rebuild each number."
)
_PACKED = "packed-run"


def take_away(summary: RunSummary, study: DataSet | None) -> None:
    """Offer a run as a zip file, which is made when it is asked for."""
    st.html(f"<div class='tl-method'>{WHAT_IS_IN_IT}</div>")
    missing = summary.n_questions - summary.n_answered
    if missing:
        st.caption(f"{missing:,} of {summary.n_questions:,} answers are not there yet; the file will say so.")
    wanted = (summary.run.run_id, summary.n_answered, study)
    packed = st.session_state.get(_PACKED)
    if st.button("Prepare the folder", key="prepare-run", type="primary", icon=":material/inventory_2:"):
        with st.spinner("Drawing the figures and writing the tables …", show_time=True):
            packed = wanted, run_zip(resources.database(), summary.run.run_id, study=study)
        st.session_state[_PACKED] = packed
    if packed is not None and packed[0] == wanted:
        st.download_button(
            f"Download ({len(packed[1]) / 1e6:.1f} MB)",
            packed[1],
            f"run-{summary.run.run_id}.zip",
            "application/zip",
            key="download-run",
            icon=":material/download:",
            on_click="ignore",
        )
