"""How a run was made and measured, in words and line by line."""

import streamlit as st

from narrative_core.reports.run_methods import run_method_paragraphs, run_method_parameters
from narrative_core.run_outcomes import RunResults
from narrative_core.runs import Run
from narrative_core.ui.words import html_text


def run_methods(run: Run, results: RunResults | None = None) -> None:
    """Show the methods text of a run, and every setting of it."""
    for paragraph in run_method_paragraphs(run, results):
        st.html(
            f"<div class='tl-method'><b>{html_text(paragraph.heading)}.</b> "
            f"<span>{html_text(paragraph.text)}</span></div>"
        )
    lines = (
        f"<div class='tl-setting'><span>{html_text(one.name)}</span><span>{html_text(one.value)}</span></div>"
        for one in run_method_parameters(run)
    )
    with st.expander("Every setting of this run"):
        st.html("".join(lines))
