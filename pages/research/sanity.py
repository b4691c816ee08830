"""Sanity: does a judge mind what it must mind, and not what it must not?"""

import streamlit as st

from narrative_core.ui import frame
from narrative_core.ui.explorer import open_view
from narrative_core.ui.run_cards import run_list
from narrative_core.ui.run_form import run_form
from narrative_core.ui.sanity_view import sanity_told

with frame.page():
    st.title("Sanity", anchor=False)
    summary = frame.header()
    view = open_view(summary)
    sanity_told()
    if view is not None:
        run_form(view.loaded, "sanity", pairs=20)
    run_list("sanity")
