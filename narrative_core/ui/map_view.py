"""The landscape: the map, what a click on it does, the dates and the topics beside it."""

import datetime as dt

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from narrative_core.extraction import LoadedCollection, reach_of
from narrative_core.figures.landscape_map import landscape_deck
from narrative_core.figures.theme import topic_colour
from narrative_core.records import StoryPair
from narrative_core.ui import frame, state
from narrative_core.ui.reading_panel import use_as
from narrative_core.ui.selection import picked_document
from narrative_core.ui.words import html_text

PICKING = {"read": "read it", "source": "start there (A)", "target": "end there (B)"}
HEIGHT = 560
_SHOWN_TOPICS = 16


def take_click(loaded: LoadedCollection) -> None:
    """Deal with a click on the map, if there was one: open the document, or make it an end of the trail."""
    document_id = picked_document(st.session_state.get(_key(loaded)), loaded.row_of)
    if document_id is None:
        return
    state.forget_click()
    if state.picking() == "read":
        state.read(document_id)
        return
    use_as(state.picking(), document_id)
    state.set_picking("target" if state.picking() == "source" else "read")


def landscape_map(loaded: LoadedCollection, pair: StoryPair | None) -> None:
    """Show the map with both stories on it, and under it the date range and what the colours mean."""
    visible = _date_filter(loaded)
    request = state.request()
    is_reach = bool(st.session_state.get("show-reach")) and request is not None and request.source in loaded.row_of
    reach = (
        reach_of(loaded, request.source, is_chronological=request.is_chronological) if is_reach and request else None
    )
    deck = landscape_deck(
        loaded.landscape,
        loaded.documents,
        pair=pair,
        visible=visible,
        reach=reach,
        source_id=request.source if request and request.source in loaded.row_of else "",
        target_id=request.target if request and request.target in loaded.row_of else "",
        mode=frame.mode(),
        generation=state.map_generation(),
    )
    st.pydeck_chart(
        deck,
        height=HEIGHT,
        on_select="rerun",
        selection_mode="single-object",
        key=_key(loaded),
        alt=f"Map of {len(loaded.documents)} documents, similar ones close together. The search boxes do the same.",
    )
    if visible is not None:
        hidden = int((~visible).sum())
        st.html(
            f"<div class='tl-quiet'>{hidden:,} of {len(visible):,} documents are outside these dates and faded.</div>"
        )


def map_controls(loaded: LoadedCollection) -> None:
    """Show what a click does, the halo of reach, and the list of topics."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.segmented_control(
            "A click on a document will",
            list(PICKING),
            format_func=PICKING.__getitem__,
            default=state.picking(),
            key=f"picking-{state.picking()}-{state.map_generation()}",
            on_change=_choose_picking,
            args=(f"picking-{state.picking()}-{state.map_generation()}",),
        )
        st.toggle(
            "Reach of A",
            key="show-reach",
            help="Colour every document by how strong a trail from A to it can be.",
            disabled=state.request() is None,
        )


def topic_list(loaded: LoadedCollection) -> None:
    """Show the topics with their colour, words and size, and how many documents are outside all of them."""
    landscape, mode = loaded.landscape, frame.mode()
    if not landscape.topics:
        st.caption("No topics stand out in this collection.")
        return
    lines = [
        f"<div><span style='color:{topic_colour(topic.topic, mode)}'>⬤</span> "
        f"<b>{topic.topic + 1}</b> {html_text(topic.label)} <span class='tl-quiet'>{topic.size:,}</span></div>"
        for topic in landscape.topics
    ]
    outliers = int(landscape.is_outlier.sum())
    share = 100 * outliers / len(landscape.is_outlier)
    note = (
        f"<div class='tl-quiet'>Numbered by size; the ten largest have a colour of their own. {outliers:,} documents "
        f"({share:.0f} %) lie outside every topic: they are drawn hollow, in the colour of the nearest one.</div>"
    )
    with st.expander(f"{len(landscape.topics)} topics", expanded=len(landscape.topics) <= _SHOWN_TOPICS):
        st.html(f"<div class='tl-topics'>{''.join(lines)}</div>{note}")
        for notice in landscape.notices:
            st.caption(notice)


def _date_filter(loaded: LoadedCollection) -> NDArray[np.bool_] | None:
    dates = [document.date for document in loaded.documents if document.date is not None]
    if not dates or dates[0] == dates[-1]:
        return None
    first, last = dates[0], dates[-1]
    chosen = st.slider(
        "Dates",
        first,
        last,
        (first, last),
        key=f"dates-{loaded.collection.name}",
        format="YYYY-MM-DD",
        label_visibility="collapsed",
    )
    if chosen == (first, last):
        return None
    return _within(loaded, *chosen)


def _within(loaded: LoadedCollection, first: dt.date, last: dt.date) -> NDArray[np.bool_]:
    return np.array([d.date is not None and first <= d.date <= last for d in loaded.documents])


def _choose_picking(key: str) -> None:
    state.set_picking(st.session_state.get(key) or "read")


def _key(loaded: LoadedCollection) -> str:
    return f"map-{loaded.collection.name}-{loaded.landscape.landscape_id}"
