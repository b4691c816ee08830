"""The stories on a true time axis, beside their headlines: a click on a mark opens the document."""

import datetime as dt
from typing import Final, Literal

import plotly.graph_objects as go
import streamlit as st

from narrative_core.extraction import LoadedCollection
from narrative_core.figures.timeline import timeline
from narrative_core.records import SavedStory, StoryPair
from narrative_core.time_axis import meant_days
from narrative_core.ui import frame, state
from narrative_core.ui.selection import picked_stop

Span = tuple[dt.date, dt.date]
Screen = Literal["wide", "phone"]
"""Both are on the page, and the style sheet shows the one that fits: a server does not know how wide a window is."""

_WIDTHS_PX: Final[dict[Screen, int]] = {"wide": 520, "phone": 320}
_KEYS: Final[dict[Screen, str]] = {"wide": "wide-only-time", "phone": "phone-only-time"}
# A wheel and a finger that come past move the page: a closer look is what the dates below are for.
_CONFIG: Final = {"displayModeBar": False, "scrollZoom": False, "doubleClick": False}


def take_timeline_click(loaded: LoadedCollection) -> None:
    """Deal with a click on the time axis, if there was one: open the document."""
    for screen in _WIDTHS_PX:
        event = st.session_state.get(_key(loaded, screen))
        clicked = picked_stop(event, loaded.row_of, generation=state.stop_generation())
        if clicked is not None:
            state.forget_stop_click()
            state.read(clicked)
            return


def timeline_view(loaded: LoadedCollection, pair: StoryPair, overlay: SavedStory | None) -> None:
    """Show when the documents of both stories were written."""
    span = _span(pair, overlay)
    density = [document.date for document in loaded.documents if document.date is not None]
    for screen, width_px in _WIDTHS_PX.items():
        figure = timeline(
            pair,
            mode=frame.mode(),
            overlay=overlay.pair.trail if overlay else None,
            density=density,
            shown=_chosen(span),
            width_px=width_px,
        )
        _number_marks(figure)
        with st.container(key=_KEYS[screen]):
            st.plotly_chart(
                figure,
                theme=None,
                config=_CONFIG,
                on_select="rerun",
                selection_mode="points",
                key=_key(loaded, screen),
            )
    st.html(
        "<div class='tl-quiet tl-under-chart'>A click on a mark opens its document. The bars count all documents of "
        "the collection.</div>"
    )
    if span is not None:
        _dates(span)


def _dates(span: Span) -> None:
    """Let the first and the last date of the axis be chosen; with the way back to all of them."""
    key = _span_key(span)
    st.session_state.setdefault(key, span)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.slider("Dates on the time axis", *span, key=key, format="YYYY-MM-DD")
        if _chosen(span):
            st.button("All dates", key="all-dates", type="tertiary", on_click=_show_all, args=(key, span))


def _show_all(key: str, span: Span) -> None:
    st.session_state[key] = span


def _number_marks(figure: go.Figure) -> None:
    """Give the marks of a figure the present generation, so that a click on one is dealt with once."""
    for trace in figure.data:
        if trace.customdata is not None:
            trace.customdata = [[document_id, state.stop_generation()] for document_id in trace.customdata]


def _span(pair: StoryPair, overlay: SavedStory | None) -> Span | None:
    """Return the first and the last day that the stories on show have, ``None`` where there is nothing between."""
    stories = (pair.trail, pair.baseline, *((overlay.pair.trail,) if overlay else ()))
    spans = [meant_days(document) for story in stories for document in story.documents]
    days = [day for span in spans if span for day in span]
    return (min(days), max(days)) if days and min(days) < max(days) else None


def _chosen(span: Span | None) -> Span | None:
    """Return the dates that were chosen, ``None`` where all are."""
    chosen: Span | None = st.session_state.get(_span_key(span)) if span else None
    return chosen if chosen != span else None


def _span_key(span: Span) -> str:
    return f"time-{span[0]}-{span[1]}"


def _key(loaded: LoadedCollection, screen: Screen) -> str:
    return f"timeline-{screen}-{loaded.collection.name}"
