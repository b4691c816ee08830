"""The landscape: the map, what a click on it does, the dates and the topics beside it."""

import datetime as dt

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from narrative_core.extraction import LoadedCollection, reach_of
from narrative_core.figures.landscape_map import OnMap, landscape_deck
from narrative_core.figures.theme import N_REACH_STEPS, reach_colour, topic_colour
from narrative_core.records import SavedStory, StoryPair
from narrative_core.ui import frame, state
from narrative_core.ui.changes import use_as
from narrative_core.ui.selection import picked_document
from narrative_core.ui.words import html_text

PICKING = {"read": "read it", "source": "start there (A)", "target": "end there (B)"}
HEIGHT = 480
_SHOWN_TOPICS = 16


def take_click(loaded: LoadedCollection) -> None:
    """Deal with a click on the map, if there was one: open the document, or make it an end of the trail."""
    document_id = picked_document(st.session_state.get(_key(loaded)), loaded.row_of, generation=state.map_generation())
    if document_id is None:
        return
    state.forget_click()
    if state.picking() == "read":
        state.read(document_id)
        return
    use_as(state.picking(), document_id)
    state.set_picking("target" if state.picking() == "source" else "read")


def landscape_map(loaded: LoadedCollection, pair: StoryPair | None, overlay: SavedStory | None = None) -> None:
    """Show the map with both stories on it, and a saved one where it is laid over them."""
    visible = _chosen_dates(loaded)
    request = state.request()
    is_reach = bool(st.session_state.get("show-reach")) and request is not None and request.source in loaded.row_of
    reach = (
        reach_of(loaded, request.source, is_chronological=request.is_chronological) if is_reach and request else None
    )
    deck = landscape_deck(
        loaded.landscape,
        loaded.documents,
        drawn=OnMap(
            pair,
            overlay.pair.trail if overlay else None,
            source_id=request.source if request and request.source in loaded.row_of else "",
            target_id=request.target if request and request.target in loaded.row_of else "",
        ),
        visible=visible,
        reach=reach,
        hidden_topics=loaded.curation.hidden_topics,
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


def map_controls(loaded: LoadedCollection) -> None:
    """Show what a click does, the halo of reach, and the range of dates."""
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
    if st.session_state.get("show-reach"):
        colours = (reach_colour(step, frame.mode()) for step in range(N_REACH_STEPS))
        swatches = "".join(f"<span style='color:{colour}'>⬤</span>" for colour in colours)
        told = "from the weakest to the strongest trail that leads from A to a document; grey: no trail leads there."
        st.html(f"<div class='tl-quiet'>{swatches} {told}</div>")
    _dates_slider(loaded)


def topic_list(loaded: LoadedCollection) -> None:
    """Show the topics with their colour, words and size, and how many documents are outside all of them."""
    landscape, mode = loaded.landscape, frame.mode()
    topics = [topic for topic in landscape.topics if topic.size]
    if not topics:
        st.caption("No topics stand out in this collection.")
        return
    lines = [
        f"<div><span style='color:{topic_colour(topic.topic, mode)}'>⬤</span> "
        f"<b>{topic.topic + 1}</b> {html_text(topic.label)} <span class='tl-quiet'>{topic.size:,}"
        f"{' · hidden' if topic.topic in loaded.curation.hidden_topics else ''}</span></div>"
        for topic in topics
    ]
    outliers = int(landscape.is_outlier.sum())
    outside = (
        f" {outliers:,} of {len(landscape.is_outlier):,} documents lie outside every topic: they are drawn hollow, in "
        "the colour of the nearest one."
        if outliers
        else ""
    )
    note = f"<div class='tl-quiet'>Numbered by size; the ten largest have a colour of their own.{outside}</div>"
    with st.expander(f"{len(topics)} topics", expanded=len(topics) <= _SHOWN_TOPICS):
        st.html(f"<div class='tl-topics'>{''.join(lines)}</div>{note}")
        st.page_link("pages/explore/topics.py", label="Rename, merge or hide topics", icon=":material/category:")
        for notice in landscape.notices:
            st.caption(notice)


def _dates_slider(loaded: LoadedCollection) -> None:
    span = _span(loaded)
    if span is None:
        return
    st.slider("Dates on the map", *span, span, key=_dates_key(loaded), format="YYYY-MM-DD")
    visible = _chosen_dates(loaded)
    if visible is not None:
        st.html(
            f"<div class='tl-quiet'>{int((~visible).sum()):,} of {len(visible):,} documents are outside these dates "
            "and faded on the map. Trails are not affected.</div>"
        )


def _chosen_dates(loaded: LoadedCollection) -> NDArray[np.bool_] | None:
    """Return which documents lie in the chosen range of dates, ``None`` where all dates are chosen."""
    chosen = st.session_state.get(_dates_key(loaded))
    if chosen is None or chosen == _span(loaded):
        return None
    first, last = chosen
    return np.array([d.date is not None and first <= d.date <= last for d in loaded.documents])


def _span(loaded: LoadedCollection) -> tuple[dt.date, dt.date] | None:
    dates = [document.date for document in loaded.documents if document.date is not None]
    return (dates[0], dates[-1]) if dates and dates[0] < dates[-1] else None


def _dates_key(loaded: LoadedCollection) -> str:
    return f"dates-{loaded.collection.name}"


def _choose_picking(key: str) -> None:
    state.set_picking(st.session_state.get(key) or "read")


def _key(loaded: LoadedCollection) -> str:
    return f"map-{loaded.collection.name}-{loaded.landscape.landscape_id}"
