"""New run: many pairs of stories before the same judges; and the runs that there are."""

import streamlit as st

from narrative_core.ui import frame
from narrative_core.ui.explorer import open_view
from narrative_core.ui.run_cards import run_list
from narrative_core.ui.run_form import example_offer, run_form

with frame.page():
    st.title("New run", anchor=False)
    summary = frame.header()
    view = open_view(summary)
    if view is not None:
        example_offer(view.loaded)
        run_form(view.loaded, "trails", pairs=100)
    run_list("trails")
