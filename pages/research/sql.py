"""SQL: ask the database yourself."""

import streamlit as st

from narrative_core.ui import frame
from narrative_core.ui.sql_box import sql_box

with frame.page():
    st.title("SQL", anchor=False)
    sql_box()
