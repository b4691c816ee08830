"""What a person does to a topic: each a step that can be taken back."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from narrative_core import desk_edits
from narrative_core.desk import Desk
from narrative_core.ui import workbench
from narrative_core.ui.topics_work import TopicRow
from narrative_core.ui.words import clamp

OPEN = "open-topic"
"""Session key of the topic that was edited last. Its line changes with its name, and would close otherwise."""

_NAME_LENGTH = 40


def rename(landscape_id: str, row: TopicRow, name: str) -> None:
    """Give a topic a name; none, or the one that was found, is the found one again."""
    label = " ".join(name.split())
    wanted = "" if label == row.found else label
    words = f"Renamed topic {row.topic + 1} “{clamp(wanted or row.found, _NAME_LENGTH)}”"
    _edit(row.topic, words, partial(desk_edits.rename_topic, landscape_id=landscape_id, topic=row.topic, label=wanted))


def use_found_name(landscape_id: str, row: TopicRow) -> None:
    """Give a topic the name that was found."""
    words = f"Gave topic {row.topic + 1} its found name"
    _edit(row.topic, words, partial(desk_edits.rename_topic, landscape_id=landscape_id, topic=row.topic, label=""))


def merge(landscape_id: str, row: TopicRow, key: str) -> None:
    """Show a topic as part of the one that is chosen in a list."""
    into = st.session_state.get(key)
    if into is None:
        return
    words = f"Merged topic {row.topic + 1} into {into + 1}"
    _edit(
        int(into), words, partial(desk_edits.merge_topics, landscape_id=landscape_id, topic=row.topic, into=int(into))
    )


def part(landscape_id: str, whole: int, topic: int) -> None:
    """Show a topic that was merged into another, the whole, on its own again."""
    words = f"Parted topic {topic + 1} again"
    _edit(whole, words, partial(desk_edits.part_topic, landscape_id=landscape_id, topic=topic))


def hide(landscape_id: str, row: TopicRow) -> None:
    """Leave a topic off the map."""
    words = f"Hid topic {row.topic + 1} “{clamp(row.label, _NAME_LENGTH)}”"
    _edit(row.topic, words, partial(desk_edits.hide_topic, landscape_id=landscape_id, topic=row.topic))


def show(landscape_id: str, row: TopicRow) -> None:
    """Draw a hidden topic again."""
    words = f"Showed topic {row.topic + 1} “{clamp(row.label, _NAME_LENGTH)}”"
    _edit(row.topic, words, partial(desk_edits.show_topic, landscape_id=landscape_id, topic=row.topic))


def _edit(topic: int, words: str, change: Callable[[Desk], Desk]) -> None:
    st.session_state[OPEN] = topic
    workbench.edit(words, change)
