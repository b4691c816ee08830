"""The conditions of the present request: what the trail must pass, what it must leave out, and how far it may jump."""

from collections import Counter
from collections.abc import Sequence
from functools import partial

import streamlit as st

from narrative_core import desk_edits
from narrative_core.counting import count
from narrative_core.extraction import LoadedCollection
from narrative_core.records import TrailRequest
from narrative_core.ui import changes, mirror, state, workbench
from narrative_core.ui.request_address import LONGEST_GAP_DAYS
from narrative_core.ui.words import clamp, markdown_text

_GAP, _ORDER, _SOURCE, _TOPIC = "gap", "order", "avoid-source", "avoid-topic"


def conditions(loaded: LoadedCollection) -> None:
    """Show the conditions of the present request in a popover: pins, bans, longest gap, order in time."""
    request = state.request()
    if request is None:
        return
    number = number_set(request)
    with st.popover(f"Conditions · {number}" if number else "Conditions", icon=":material/tune:", key="conditions"):
        st.caption("Every condition can only weaken the trail; what it costs is said above the trail.")
        _documents("Passes through", "via", request.via, loaded)
        _documents("Avoids", "avoid", request.avoid, loaded)
        _sources(request, loaded)
        _topics(request, loaded)
        _time(request)
        if number:
            st.button("Lift all conditions", key="lift", on_click=_lift)


def number_set(request: TrailRequest) -> int:
    """Return how many conditions a request has.

    Examples
    --------
    >>> number_set(TrailRequest("a", "b", via=("c",), avoid_sources=("The Post",), is_chronological=False))
    3
    """
    listed = (request.via, request.avoid, request.avoid_sources, request.avoid_topics)
    return sum(map(len, listed)) + (request.maximum_gap_days is not None) + (not request.is_chronological)


def topics_let_back(n_topics: int) -> str:
    """Return in a sentence that topics are not left out any more, as their numbers are those of another map.

    Examples
    --------
    >>> topics_let_back(1)
    'The map was built anew and has other topics, so 1 topic that was left out of the story is told again.'
    """
    verb = "that was left out of the story is" if n_topics == 1 else "that were left out of the story are"
    return f"The map was built anew and has other topics, so {count(n_topics, 'topic')} {verb} told again."


def _documents(label: str, wish: str, ids: Sequence[str], loaded: LoadedCollection) -> None:
    st.markdown(f"**{label}**" if ids else f"**{label}** no document yet; open one to add it.")
    for document_id in ids:
        row = loaded.row_of.get(document_id)
        title = loaded.documents[row].title if row is not None else f"{document_id}, which is excluded"
        _line(clamp(title, 90), f"drop-{wish}-{document_id}", partial(changes.release, document_id))


def _sources(request: TrailRequest, loaded: LoadedCollection) -> None:
    """Show the sources that are left out, and a list to leave out another; nothing where there is one source only."""
    counted = Counter(document.source for document in loaded.documents if document.source)
    if len(counted) < 2 and not request.avoid_sources:
        return
    for source in request.avoid_sources:
        _line(f"No document of {clamp(source, 60)}", f"drop-source-{source}", partial(_allow_source, source))
    left = [source for source, _ in counted.most_common() if source not in request.avoid_sources]
    st.session_state[_SOURCE] = None
    st.selectbox(
        "Leave out a source",
        left,
        index=None,
        key=_SOURCE,
        format_func=lambda source: f"{clamp(source, 50)} ({counted[source]:,})",
        placeholder="choose a source …",
        on_change=_avoid_source,
        help="Its documents are not told between the ends; the ends and the documents passed through stay.",
    )


def _topics(request: TrailRequest, loaded: LoadedCollection) -> None:
    """Show the topics that are left out, and a list to leave out another."""
    topics = {topic.topic: topic for topic in loaded.landscape.topics if topic.size}
    if len(topics) < 2 and not request.avoid_topics:
        return
    shown = {number: loaded.curation.shown_topic(number) for number in request.avoid_topics}
    for number, whole in shown.items():
        label = topics[whole].label if whole in topics else f"topic {whole + 1}"
        part = f"topic {number + 1}, which is now part of " if whole != number else ""
        _line(f"Nothing on {part}{label}", f"drop-topic-{number}", partial(_allow_topic, number))
    st.session_state[_TOPIC] = None
    st.selectbox(
        "Leave out a topic",
        [number for number in topics if number not in shown.values()],
        index=None,
        key=_TOPIC,
        format_func=lambda number: f"{number + 1} {topics[number].label} ({topics[number].size:,})",
        placeholder="choose a topic …",
        on_change=_avoid_topic,
        help="Its documents are not told between the ends; the ends and the documents passed through stay.",
    )


def _time(request: TrailRequest) -> None:
    st.number_input(
        "Longest gap between two documents, in days",
        min_value=1,
        max_value=LONGEST_GAP_DAYS,
        value=None,
        placeholder="no limit",
        key=mirror.show(_GAP, request.maximum_gap_days),
        on_change=mirror.entered,
        args=(_GAP, _change_gap),
        disabled=not request.is_chronological,
    )
    st.toggle(
        "Forward in time",
        key=mirror.show(_ORDER, request.is_chronological),
        on_change=mirror.entered,
        args=(_ORDER, _change_order),
        help="A link may only lead to the same day or a later one. Switched off, documents connect in any order.",
    )


def _line(words: str, key: str, drop: "partial[None]") -> None:
    with st.container(horizontal=True, wrap=False, vertical_alignment="center", gap="small"):
        st.button("✕", key=key, on_click=drop, help="Remove", type="tertiary")
        st.markdown(markdown_text(words))


def _avoid_source() -> None:
    source = st.session_state.get(_SOURCE)
    if source:
        workbench.edit(f"Left out {clamp(source, 40)}", partial(desk_edits.avoid_source, source=source))


def _allow_source(source: str) -> None:
    workbench.edit(f"Let {clamp(source, 40)} back in", partial(desk_edits.allow_source, source=source))


def _avoid_topic() -> None:
    topic = st.session_state.get(_TOPIC)
    if topic is not None:
        workbench.edit(f"Left out topic {topic + 1}", partial(desk_edits.avoid_topic, topic=topic))


def _allow_topic(topic: int) -> None:
    workbench.edit(f"Let topic {topic + 1} back in", partial(desk_edits.allow_topic, topic=topic))


def _change_gap(days: int | None) -> None:
    state.change_request("Another longest gap", maximum_gap_days=days)


def _change_order(is_chronological: bool) -> None:
    request = state.request()
    gap = request.maximum_gap_days if request and is_chronological else None
    state.change_request("Order in time", is_chronological=is_chronological, maximum_gap_days=gap)


def _lift() -> None:
    request = state.request()
    if request is not None:
        state.choose_request(TrailRequest(request.source, request.target), "Lifted all conditions")
