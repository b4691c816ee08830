"""Compare: two runs, or two judges of one, side by side."""

import streamlit as st

from narrative_core.ui import frame
from narrative_core.ui.compare_view import compare_view

with frame.page():
    st.title("Compare", anchor=False)
    compare_view()
