"""Other trails between the same ends, and a saved story laid over the one on show."""

import streamlit as st

from narrative_core.alternatives import Alternative, alternatives, overlap
from narrative_core.counting import count
from narrative_core.errors import NarrativeError
from narrative_core.extraction import LoadedCollection
from narrative_core.records import SavedStory, StoryPair, TrailRequest
from narrative_core.reports.sentences import counts_sentence, format_strength, quote_title
from narrative_core.ui import resources, state
from narrative_core.ui.words import clamp, html_text, markdown_text

KEPT = 64
_NONE = ""
_OVERLAY = "overlay-story"
_POPOVER = "other-trails"


def other_trails(loaded: LoadedCollection, pair: StoryPair) -> None:
    """Offer the trails that come next, and other saved stories to compare with, in a popover."""
    overlay = overlaid(loaded)
    label = "Other trails" if overlay is None else "Other trails · 1 laid over"
    with st.popover(label, icon=":material/alt_route:", key=_POPOVER, on_change="rerun") as opened:
        if opened.open:
            _alternatives(loaded, pair)
            _overlay(loaded, pair)


def overlaid(loaded: LoadedCollection) -> SavedStory | None:
    """Return the saved story that is laid over the one on show, ``None`` where there is none."""
    wanted = st.session_state.get(_OVERLAY) or _NONE
    found = next((story for story in _comparable(loaded) if story.story_id == wanted), None) if wanted else None
    if wanted and found is None:
        # One of another collection, or one that was deleted: no list offers it.
        st.session_state[_OVERLAY] = _NONE
    return found


def overlap_line(pair: StoryPair, overlay: SavedStory) -> str:
    """Return in a sentence what two stories share."""
    shared = overlap(pair.trail, overlay.pair.trail)
    name = f"◇ “{clamp(overlay.name, 80)}”"
    if not shared.documents:
        return f"{name} shares no document with this trail."
    links = f" and {count(len(shared.links), 'link')}" if shared.links else ""
    return f"{name} shares {count(len(shared.documents), 'document')}{links} with this trail."


@st.cache_data(max_entries=KEPT, show_spinner=False)
def _found(name: str, edition: str, request: TrailRequest, _loaded: LoadedCollection) -> tuple[Alternative, ...]:
    del name, edition
    return alternatives(_loaded, request)


def _alternatives(loaded: LoadedCollection, pair: StoryPair) -> None:
    st.markdown("**Other trails between A and B**")
    st.caption("Each goes without the documents inside this trail and inside the ones before it.")
    try:
        found = _found(loaded.collection.name, loaded.edition, pair.request, loaded)
    except NarrativeError as problem:
        st.caption(markdown_text(str(problem)))
        return
    if not found:
        st.caption("There is no other: without its documents nothing leads from A to B.")
    for number, alternative in enumerate(found):
        told, act = st.columns([5, 1.2], vertical_alignment="center")
        inside = [quote_title(document) for document in alternative.story.documents[1:-1]]
        by = f" by {', '.join(inside[:2])}" + (" …" if len(inside) > 2 else "") if inside else " directly"
        told.html(
            f"<div><b>weakest link {format_strength(alternative.story.bottleneck)}</b> "
            f"<span class='tl-quiet'>{html_text(counts_sentence(alternative.story))}</span></div>"
            f"<div class='tl-quiet' dir='auto'>{html_text(by.strip())}</div>"
        )
        act.button(
            "Show",
            key=f"alternative-{number}",
            on_click=_show,
            args=(alternative.request,),
        )


def _show(request: TrailRequest) -> None:
    """Tell another trail, and close the popover, which lies over it."""
    st.session_state[_POPOVER] = False
    state.choose_request(request, "Another trail between the same ends")


def _overlay(loaded: LoadedCollection, pair: StoryPair) -> None:
    st.markdown("**Lay a saved story over this one**")
    stories = {story.story_id: story for story in _comparable(loaded)}
    if not stories:
        st.caption("No story of this collection is saved yet. Save this one, look at another, and lay one over.")
        return
    st.selectbox(
        "Saved story",
        [_NONE, *stories],
        key=_OVERLAY,
        format_func=lambda story_id: _told(stories[story_id]) if story_id in stories else "none",
        label_visibility="collapsed",
    )
    chosen = overlaid(loaded)
    if chosen is not None:
        st.caption(markdown_text(overlap_line(pair, chosen)))


def _told(story: SavedStory) -> str:
    trail = story.pair.trail
    version = f", version {story.version}" if story.version > 1 else ""
    return f"{counts_sentence(trail)}{version}: {clamp(story.name, 70)}"


def _comparable(loaded: LoadedCollection) -> list[SavedStory]:
    """Return the saved stories of the collection all of whose documents are on its map, the newest first."""
    return [
        story
        for story in resources.stories(loaded.collection.name)
        if all(document.document_id in loaded.row_of for document in story.pair.trail.documents)
    ]
