"""Topics: what the documents are about; rename, merge and hide, and whether another seed would tell the same."""

import streamlit as st

from narrative_core.ui import frame
from narrative_core.ui.topics_list import introduction, open_view, topic_list
from narrative_core.ui.topics_sections import naming, outside, topics_map
from narrative_core.ui.topics_stability import stability
from narrative_core.ui.undo_bar import undo_bar

with frame.page():
    summary = frame.header()
    view = open_view(summary)
    if view is not None:
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            st.title("Topics", anchor=False, width="content")
            undo_bar("topics")
        introduction(view)
        listed, beside = st.columns([7, 5], gap="large")
        with listed:
            topic_list(view)
        with beside:
            topics_map(view)
            outside(view)
        checked, named = st.columns([7, 5], gap="large")
        with checked:
            stability(view.loaded)
        with named:
            naming(view)
