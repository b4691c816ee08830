"""Explore: pick two documents, read the trail between them beside a random chronology, hear what judges say."""

import streamlit as st

from narrative_core.errors import InvalidInput, NoTrail
from narrative_core.records import StoryPair, TrailRequest
from narrative_core.ui import explorer, frame, state


def story_of(view: explorer.View, request: TrailRequest) -> StoryPair | None:
    """Return the pair that was asked for; show why there is none instead."""
    try:
        return view.pair(request)
    except (NoTrail, InvalidInput) as problem:
        explorer.show_refusal(view, request, problem)
        return None


with frame.page():
    summary = frame.header()
    view = explorer.open_view(summary)
    if view is not None:
        explorer.take_clicks(view)
        explorer.picker_row(view)
        request = state.request()
        with st.container(key="explore-main"):
            left, right = st.columns([5, 7], gap="large")
        with right:
            pair = story_of(view, request) if request is not None else None
            if pair is not None:
                explorer.stories(view, pair)
        with left:
            explorer.landscape(view, pair)
        if pair is not None:
            explorer.plots(view, pair)
            explorer.judges(view, pair)
