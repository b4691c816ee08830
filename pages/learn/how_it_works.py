"""How it works: the whole method on twelve documents, every number worked out on the spot."""

import streamlit as st

from narrative_core.ui import frame, lesson, lesson_answer, lesson_link, lesson_water

with frame.page():
    st.title("How it works", anchor=False)
    lesson.opening()
    loaded = lesson.open_collection()
    if loaded is not None:
        st.header("1 · Twelve documents", anchor=False)
        lesson.headlines(loaded)
        st.header("2 · One link", anchor=False)
        lesson_link.one_link(loaded)
        st.header("3 · Watch the water level", anchor=False)
        lesson_water.introduction()
        ends = lesson.endpoints(loaded)
        if ends is not None:
            lesson_water.water(loaded, ends)
            st.header("4 · The answer", anchor=False)
            lesson_answer.answer(loaded, ends)
