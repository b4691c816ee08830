"""Results: every table and figure of one run."""

import streamlit as st

from narrative_core.ui import frame
from narrative_core.ui.results_view import run_results

with frame.page():
    st.title("Results", anchor=False)
    run_results()
