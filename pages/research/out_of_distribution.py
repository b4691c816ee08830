"""Out of distribution: stories that mix two collections, scored by coherence and by judges."""

import streamlit as st

from narrative_core.ui import frame
from narrative_core.ui.mixture_view import mixture_form
from narrative_core.ui.run_cards import run_list

with frame.page():
    st.title("Out of distribution", anchor=False)
    mixture_form(frame.header())
    run_list("mixtures")
