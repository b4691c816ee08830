"""The list of topics beside the map: a click on one shows its documents, and fades the others."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from narrative_core.counting import count
from narrative_core.extraction import LoadedCollection
from narrative_core.figures.theme import topic_colour
from narrative_core.records import Topic
from narrative_core.ui import frame, state
from narrative_core.ui.map_colours import is_by_topic
from narrative_core.ui.topics_list import see_documents
from narrative_core.ui.words import clamp, html_text, markdown_text

SHOWN_TOPICS: Final = 16
"""Up to so many topics the list is open from the start."""

_LONGEST_NAME: Final = 60


def topic_on_show(loaded: LoadedCollection) -> int | None:
    """Return the topic that alone is at full strength on the map, ``None`` where all are."""
    topic = state.map_topic(loaded.landscape.landscape_id)
    is_drawn = topic is not None and topic in {one.topic for one in _topics(loaded)}
    return topic if is_drawn and topic not in loaded.curation.hidden_topics else None


def documents_of(loaded: LoadedCollection, topic: int | None) -> NDArray[np.bool_] | None:
    """Return which documents are in a topic or nearest to it; shape (n,), ``None`` for those of all topics."""
    return None if topic is None else loaded.landscape.nearest_topic == topic


def topic_list(loaded: LoadedCollection) -> None:
    """Show the topics with their colour, words and size, and how many documents are outside all of them."""
    topics = _topics(loaded)
    if not topics:
        st.caption("No topics stand out in this collection.")
        return
    shown = topic_on_show(loaded)
    listed = st.expander(
        count(len(topics), "topic"),
        expanded=len(topics) <= SHOWN_TOPICS,
        key=f"topics-of-{loaded.collection.name}",
        on_change="rerun",
    )
    if listed.open:
        with listed:
            _open_list(loaded, topics, shown)
    if shown is not None:
        # Under the list, so that a topic stays where it was clicked.
        _on_show(loaded, loaded.landscape.topics[shown])


def _open_list(loaded: LoadedCollection, topics: Sequence[Topic], shown: int | None) -> None:
    st.html(f"<style>{_dots(topics, shown, is_coloured=is_by_topic(loaded))}</style>")
    with st.container(key="map-topics", gap=None):
        for topic in topics:
            _topic_button(loaded, topic, is_shown=topic.topic == shown)
    st.html(f"<div class='tl-quiet'>{html_text(_note(loaded))}</div>")
    st.page_link("pages/explore/topics.py", label="Rename, merge or hide topics", icon=":material/category:")
    for notice in loaded.landscape.notices:
        st.caption(markdown_text(notice))


def _topics(loaded: LoadedCollection) -> list[Topic]:
    return [topic for topic in loaded.landscape.topics if topic.size]


def _on_show(loaded: LoadedCollection, topic: Topic) -> None:
    """Say which topic is on show by itself, with the way to its documents and the way back."""
    with st.container(border=True, key="map-topic-on-show", gap="xsmall"):
        st.html(
            f"<div class='tl-quiet'>On show: topic {topic.topic + 1}, <bdi><b>{html_text(topic.label)}</b></bdi>. "
            f"{html_text(_members_told(loaded, topic))} The others are faded.</div>"
        )
        with st.container(horizontal=True, gap="small"):
            if st.button("See its documents", key="map-topic-documents", icon=":material/article:"):
                see_documents(topic.topic)
            st.button("All topics", key="map-topic-all", on_click=state.show_topic, args=(None,))


def _members_told(loaded: LoadedCollection, topic: Topic) -> str:
    n_near = int((loaded.landscape.is_outlier & (loaded.landscape.nearest_topic == topic.topic)).sum())
    near = f", {n_near:,} of them hollow: only near it" if n_near else ""
    return f"{count(topic.size, 'document')}{near}."


def _topic_button(loaded: LoadedCollection, topic: Topic, *, is_shown: bool) -> None:
    is_hidden = topic.topic in loaded.curation.hidden_topics
    remark = " · hidden" if is_hidden else ""
    name = markdown_text(clamp(topic.label, _LONGEST_NAME))
    st.button(
        f"**{topic.topic + 1}** {name} :gray[{topic.size:,}{remark}]",
        key=f"map-topic-{topic.topic}",
        type="tertiary",
        wrap=True,
        disabled=is_hidden,
        on_click=_show,
        args=(loaded.landscape.landscape_id, None if is_shown else topic.topic),
    )


def _show(landscape_id: str, topic: int | None) -> None:
    state.show_topic(topic, landscape_id)
    if topic is not None:
        st.session_state["map-or-time"] = "map"


def _note(loaded: LoadedCollection) -> str:
    landscape, is_coloured = loaded.landscape, is_by_topic(loaded)
    outliers = int(landscape.is_outlier.sum())
    parts = ["A click on a topic shows its documents and fades the others; another click lifts it. Numbered by size"]
    parts.append("; the ten largest have a colour of their own." if is_coloured else ".")
    if outliers:
        drawn = "drawn hollow, in the colour of the nearest one" if is_coloured else "drawn hollow"
        parts.append(f" {outliers:,} of {len(landscape.is_outlier):,} documents lie outside every topic: {drawn}.")
    return "".join(parts)


def _dots(topics: Sequence[Topic], shown: int | None, *, is_coloured: bool) -> str:
    """Return the style of the list: a topic's colour on the map before it, a frame around the one on show."""
    mode = frame.mode()
    colours = {topic.topic: topic_colour(topic.topic, mode) for topic in topics}
    rules = [f".st-key-map-topic-{topic} button p::before {{ color: {colour}; }}" for topic, colour in colours.items()]
    if not is_coloured:
        rules = [".st-key-map-topics button p::before { display: none; }"]
    if shown is not None:
        rules.append(f".st-key-map-topic-{shown} button {{ box-shadow: inset 0 0 0 1.5px var(--ink); }}")
    return " ".join(rules)
