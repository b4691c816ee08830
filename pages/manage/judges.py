"""Judges: which can be asked, what is missing, what they are told, what they cost, what they said."""

import streamlit as st

from narrative_core.ui import frame
from narrative_core.ui.judge_cards import provider_cards
from narrative_core.ui.learnt import capability_notes, count_table
from narrative_core.ui.price_table import price_table
from narrative_core.ui.prompt_viewer import prompt_viewer
from narrative_core.ui.recorded import recorded_replies
from narrative_core.ui.trial_view import known_stories_note

with frame.page():
    st.title("Judges", anchor=False)
    provider_cards()
    known_stories_note()
    st.header("What judges are told, and what they said", anchor=False)
    summary = frame.header()
    prompts, prices, learnt, recorded = st.tabs(["Prompts", "Prices", "What was learnt", "Recorded replies"])
    with prompts:
        prompt_viewer(summary)
    with prices:
        price_table()
    with learnt:
        capability_notes()
        count_table(summary)
    with recorded:
        recorded_replies(summary)
