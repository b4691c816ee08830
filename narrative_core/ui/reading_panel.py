"""One document, open for reading, and what it can be used for."""

import streamlit as st

from narrative_core.extraction import LoadedCollection, neighbours
from narrative_core.records import Document
from narrative_core.reports.addresses import web_address
from narrative_core.reports.sentences import format_date, format_strength
from narrative_core.ui import state
from narrative_core.ui.changes import avoid, pin, release, use_as
from narrative_core.ui.words import clamp, html_text, markdown_text

LONG_TEXT = 1400


def reading_panel(loaded: LoadedCollection, document_id: str) -> None:
    """Show a document with its text, source link, neighbours and uses."""
    row = loaded.row_of[document_id]
    document = loaded.documents[row]
    with st.container(border=True, key="reading"):
        head, close = st.columns([9, 1], vertical_alignment="top")
        head.html(
            f"<div class='tl-date'>{html_text(_byline(document))}</div>"
            f"<div class='tl-verdict' dir='auto'>{html_text(document.title) or 'untitled'}</div>"
            f"<div class='tl-quiet'>{html_text(_topic(loaded, row))}</div>"
        )
        close.button("✕", key="close-reading", help="Close", on_click=state.read, args=(None,), type="tertiary")
        _uses(document)
        _text(document)
        address = web_address(document.url)
        if address:
            st.link_button("Open the source", address, icon=":material/open_in_new:", type="tertiary")
        with st.expander("Closest documents, of any date"):
            for other, strength in neighbours(loaded, document_id):
                st.button(
                    markdown_text(f"{format_strength(strength)} · {format_date(other)} · {clamp(other.title, 80)}"),
                    key=f"near-{other.document_id}",
                    type="tertiary",
                    on_click=state.read,
                    args=(other.document_id, state.reading_place()),
                    wrap=True,
                )


def _byline(document: Document) -> str:
    given = f" (given as {document.date_text})" if document.date_precision in ("month", "year") else ""
    return " · ".join(part for part in (format_date(document) + given, document.source) if part)


def _topic(loaded: LoadedCollection, row: int) -> str:
    nearest = int(loaded.landscape.nearest_topic[row])
    if nearest < 0:
        return "No topic: this collection has none that stand out."
    label = loaded.landscape.topics[nearest].label
    return f"Outside every topic; the nearest is {label}" if loaded.landscape.is_outlier[row] else f"Topic: {label}"


def _uses(document: Document) -> None:
    request, document_id = state.request(), document.document_id
    is_end = request is None or document_id in (request.source, request.target)
    is_pinned = request is not None and document_id in request.via
    # An address may ask for both; the one button lets go of both.
    is_avoided = request is not None and document_id in request.avoid and not is_pinned
    with st.container(horizontal=True, gap="xsmall"):
        st.button("Start here", key="use-source", on_click=use_as, args=("source", document_id), help="Make it A")
        st.button("End here", key="use-target", on_click=use_as, args=("target", document_id), help="Make it B")
        if is_pinned:
            st.button("Stop passing through", key="release", on_click=release, args=(document_id,))
        else:
            st.button("Pass through", key="use-via", on_click=pin, args=(document_id,), disabled=is_end)
        if is_avoided:
            st.button("Allow again", key="release", on_click=release, args=(document_id,))
        else:
            st.button("Avoid", key="use-avoid", on_click=avoid, args=(document_id,), disabled=is_end)


def _text(document: Document) -> None:
    text = document.text
    if not text.strip():
        st.caption("This document has a headline only.")
        return
    body = f"<div class='tl-text' dir='auto'>{html_text(text[:LONG_TEXT])}{'…' if len(text) > LONG_TEXT else ''}</div>"
    st.html(body)
    if len(text) > LONG_TEXT:
        with st.expander(f"More ({len(text.split()):,} words)"):
            st.html(f"<div class='tl-text' dir='auto'>{html_text(text[LONG_TEXT:])}</div>")
