"""Documents: search, narrow, read, mark and curate the documents of a collection, built or not."""

import streamlit as st

from narrative_core.ui import documents_view, frame
from narrative_core.ui.documents_charts import small_map, time_chart
from narrative_core.ui.documents_copies import copy_groups
from narrative_core.ui.documents_facets import facets
from narrative_core.ui.documents_list import document_list, selection_bar
from narrative_core.ui.documents_reading import reading
from narrative_core.ui.documents_undated import undated_documents

with frame.page():
    summary = frame.header()
    view = documents_view.open_view(summary)
    if view is not None:
        documents_view.search_row(view)
        documents_view.states(view)
        documents_view.chips(view)
        with st.container(key="documents-main"):
            narrow, middle, side = st.columns([2.3, 6.6, 4.4], gap="medium")
        with narrow:
            facets(view)
        with middle:
            selection_bar(view)
            if view.wanted.state == "undated":
                undated_documents(view)
            elif view.wanted.state == "copies":
                copy_groups(view)
            else:
                time_chart(view)
                document_list(view)
        with side, st.container(key="documents-side"):
            small_map(view)
            reading(view)
