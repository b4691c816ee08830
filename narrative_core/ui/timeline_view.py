"""The stories on a true time axis, beside their headlines: a click on a mark opens the document."""

import streamlit as st

from narrative_core.extraction import LoadedCollection
from narrative_core.figures.timeline import timeline
from narrative_core.records import SavedStory, StoryPair
from narrative_core.ui import frame, state
from narrative_core.ui.document_picks import caught_documents

_CONFIG = {"displayModeBar": False, "scrollZoom": True, "doubleClick": "reset"}
WIDTH_PX = 520


def take_timeline_click(loaded: LoadedCollection) -> None:
    """Deal with a click on the time axis, if there was one: open the document."""
    clicked = caught_documents(st.session_state.get(_key(loaded)), loaded.row_of)
    if clicked:
        state.forget_curve_click()
        state.read(clicked[0])


def timeline_view(loaded: LoadedCollection, pair: StoryPair, overlay: SavedStory | None) -> None:
    """Show when the documents of both stories were written."""
    figure = timeline(
        pair,
        mode=frame.mode(),
        overlay=overlay.pair.trail if overlay else None,
        density=[document.date for document in loaded.documents if document.date is not None],
        width_px=WIDTH_PX,
    )
    st.plotly_chart(figure, theme=None, config=_CONFIG, on_select="rerun", selection_mode="points", key=_key(loaded))
    st.html(
        "<div class='tl-quiet'>Drag to look closer, double-click to see all. A click on a mark opens its document. "
        "The bars below count all documents of the collection.</div>"
    )


def _key(loaded: LoadedCollection) -> str:
    return f"timeline-{loaded.collection.name}-{state.curve_generation()}"
