"""The landscape: the map, what a click on it does, and the dates on it."""

import datetime as dt

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from narrative_core.extraction import LoadedCollection
from narrative_core.figures.landscape_map import OnMap, landscape_deck
from narrative_core.records import SavedStory, StoryPair
from narrative_core.ui import frame, mirror, state
from narrative_core.ui.changes import use_as
from narrative_core.ui.map_colours import colouring
from narrative_core.ui.map_topics import documents_of, topic_on_show
from narrative_core.ui.selection import picked_document

_PICKING = "picking"
PICKING = {"read": "read it", "source": "start there (A)", "target": "end there (B)"}
HEIGHT = 480


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
    request = state.request()
    deck = landscape_deck(
        loaded.landscape,
        loaded.documents,
        drawn=OnMap(
            pair,
            overlay.pair.trail if overlay else None,
            source_id=request.source if request and request.source in loaded.row_of else "",
            target_id=request.target if request and request.target in loaded.row_of else "",
            opened_id=state.reading() or "",
        ),
        visible=_visible(loaded),
        colouring=colouring(loaded),
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
    """Show what a click does, and the range of dates."""
    st.segmented_control(
        "A click on a document will",
        list(PICKING),
        format_func=PICKING.__getitem__,
        key=mirror.show(_PICKING, state.picking()),
        on_change=mirror.entered,
        args=(_PICKING, _choose_picking),
    )
    _dates_slider(loaded)


def _dates_slider(loaded: LoadedCollection) -> None:
    span = _span(loaded)
    if span is None:
        return
    st.session_state.setdefault(_dates_key(loaded), span)
    st.slider("Dates on the map", *span, key=_dates_key(loaded), format="YYYY-MM-DD")
    visible = _chosen_dates(loaded)
    if visible is not None:
        st.html(
            f"<div class='tl-quiet'>{int((~visible).sum()):,} of {len(visible):,} documents are outside these dates "
            "and faded on the map. Trails are not affected.</div>"
        )


def _visible(loaded: LoadedCollection) -> NDArray[np.bool_] | None:
    """Return which documents are at full strength, ``None`` for all: those of the chosen dates and of the topic."""
    dated, of_topic = _chosen_dates(loaded), documents_of(loaded, topic_on_show(loaded))
    return of_topic if dated is None else dated if of_topic is None else dated & of_topic


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
    # Other dates of the collection are another range to choose from.
    return f"dates-{loaded.collection.name}-{_span(loaded)}"


def _choose_picking(what: str | None) -> None:
    state.set_picking(what or "read")


def _key(loaded: LoadedCollection) -> str:
    return f"map-{loaded.collection.name}-{loaded.landscape.landscape_id}"
