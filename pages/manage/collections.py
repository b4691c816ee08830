"""Collections: what is here, what state it is in, and how to add your own documents."""

import streamlit as st

from narrative_core.ui import frame
from narrative_core.ui.collection_cards import collection_cards
from narrative_core.ui.import_steps import ANCHOR, import_steps, ongoing

with frame.page():
    st.title("Collections", anchor=False)
    present = ongoing()
    collection_cards()
    st.header("Add your own documents", anchor=ANCHOR)
    import_steps(present)
