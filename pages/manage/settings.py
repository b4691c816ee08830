"""Settings: which model turns text into vectors."""

import streamlit as st

from narrative_core.ui import embedding, frame

with frame.page():
    st.title("Settings", anchor=False)
    st.header("Embedding model", anchor=False)
    embedding.model_form()
