"""Throughline: page config and navigation. Run with ``streamlit run app.py``."""

from pathlib import Path

import streamlit as st

PICTURES = Path(__file__).parent / "narrative_core" / "ui"
ICON, WORDMARK = ((PICTURES / name).read_text(encoding="utf-8") for name in ("icon.svg", "wordmark.svg"))

st.set_page_config(page_title="Throughline", page_icon=ICON, layout="wide")
st.logo(WORDMARK, size="large")

PAGES = {
    "": [
        st.Page("pages/explore/explore.py", title="Explore", icon=":material/timeline:", default=True),
        st.Page("pages/explore/documents.py", title="Documents", icon=":material/article:", url_path="documents"),
        st.Page("pages/explore/topics.py", title="Topics", icon=":material/category:", url_path="topics"),
        st.Page("pages/explore/stories.py", title="Stories", icon=":material/bookmarks:", url_path="stories"),
        st.Page(
            "pages/manage/collections.py", title="Collections", icon=":material/folder_open:", url_path="collections"
        ),
        st.Page("pages/manage/judges.py", title="Judges", icon=":material/gavel:", url_path="judges"),
        st.Page("pages/manage/settings.py", title="Settings", icon=":material/settings:", url_path="settings"),
        st.Page("pages/manage/health.py", title="Health", icon=":material/monitor_heart:", url_path="health"),
        st.Page("pages/learn/how_it_works.py", title="How it works", icon=":material/school:", url_path="how-it-works"),
    ],
    "Research": [
        st.Page("pages/research/new_run.py", title="New run", icon=":material/science:", url_path="new-run"),
        st.Page("pages/research/results.py", title="Results", icon=":material/table_chart:", url_path="results"),
        st.Page("pages/research/compare.py", title="Compare", icon=":material/compare_arrows:", url_path="compare"),
        st.Page(
            "pages/research/out_of_distribution.py",
            title="Out of distribution",
            icon=":material/shuffle:",
            url_path="out-of-distribution",
        ),
        st.Page("pages/research/sanity.py", title="Sanity", icon=":material/health_and_safety:", url_path="sanity"),
        st.Page("pages/research/sql.py", title="SQL", icon=":material/database:", url_path="sql"),
    ],
}

st.navigation(PAGES, position="top").run()
