"""The document that is open beside the list."""

from functools import partial

import streamlit as st

from narrative_core.records import Document
from narrative_core.ui import state
from narrative_core.ui.documents_list import EXCLUDE_HELP, exclude, restore
from narrative_core.ui.documents_shown import View, change_filter
from narrative_core.ui.reading_panel import Opened, copies_sentence, open_document, topic_sentence


def reading(view: View) -> None:
    """Show the open document with what was looked for marked; how to open one where none is."""
    opened = state.reading()
    document = view.holdings.document(opened) if opened is not None else None
    if document is None:
        st.html("<div class='tl-quiet tl-open-hint'>Click a headline to read the document here.</div>")
        return
    open_document(_opened(view, document), query=view.query, more=partial(_more, view, document.document_id))


def _opened(view: View, document: Document) -> Opened:
    holdings, one = view.holdings, document.document_id
    loaded = holdings.loaded if holdings.loaded is not None and one in holdings.loaded.row_of else None
    is_excluded = one in holdings.curation.excluded
    stored = holdings.shelf.documents[holdings.shelf.row_of[one]]
    return Opened(
        document,
        topic=topic_sentence(loaded, loaded.row_of[one]) if loaded is not None else "Excluded" if is_excluded else "",
        copies=copies_sentence(holdings.copies.get(one, ())),
        file_date=stored.date_text if one in holdings.curation.dates else None,
        loaded=loaded,
    )


def _more(view: View, document_id: str) -> None:
    is_excluded = document_id in view.holdings.curation.excluded
    if not is_excluded:
        st.button(
            "Similar documents",
            key="read-similar",
            icon=":material/hub:",
            on_click=_similar,
            args=(document_id,),
            help="List the documents that are most like this one, of any date",
        )
        st.button("Exclude", key="read-exclude", on_click=exclude, args=((document_id,),), help=EXCLUDE_HELP)
    else:
        st.button("Restore", key="read-restore", on_click=restore, args=((document_id,),))


def _similar(document_id: str) -> None:
    change_filter(similar_to=document_id, query="", state="all")
