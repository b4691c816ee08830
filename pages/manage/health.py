"""Health: what is ready, what is missing, and the step that puts it right."""

import streamlit as st

from narrative_core.ui import frame
from narrative_core.ui.health_view import health

with frame.page():
    st.title("Health", anchor=False)
    health()
