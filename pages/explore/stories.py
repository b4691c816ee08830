"""Stories: what was saved, to reopen, hand over or delete."""

import streamlit as st

from narrative_core.ui import frame
from narrative_core.ui.story_cards import story_cards

with frame.page():
    st.title("Stories", anchor=False)
    story_cards()
