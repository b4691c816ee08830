"""The row that asks for a trail: from, to, swap, surprise; and the conditions on it."""

from collections.abc import Sequence

import streamlit as st

from narrative_core.extraction import LoadedCollection
from narrative_core.records import Document, TrailRequest
from narrative_core.ui import resources, state
from narrative_core.ui.words import clamp, markdown_text

_SOURCE, _TARGET, _GAP, _ORDER = "pick-source", "pick-target", "gap", "order"


def endpoints(loaded: LoadedCollection) -> None:
    """Show the two search boxes with swap and surprise; a new choice becomes the present request."""
    request = state.request()
    for key, end in ((_SOURCE, request and request.source), (_TARGET, request and request.target)):
        chosen = end or st.session_state.get(key)  # before any request one box may be filled alone
        st.session_state[key] = chosen if chosen in loaded.row_of else None
    with st.container(key="picker"):
        start, swap, finish, surprise = st.columns([10, 1.3, 10, 3], vertical_alignment="bottom", gap="small")
    ids = list(loaded.row_of)
    with start:
        _search("From  A", _SOURCE, ids, loaded)
    with swap:
        st.button("⇄", key="swap", help="Swap the two ends", on_click=_swap, disabled=request is None, width="stretch")
    with finish:
        _search("To  B", _TARGET, ids, loaded)
    with surprise:
        st.button(
            "Surprise me",
            key="surprise",
            on_click=_surprise,
            args=(loaded.collection.name, loaded.landscape.landscape_id),
            help="Two documents, drawn at random, that have a good story between them",
            width="stretch",
        )


def conditions(loaded: LoadedCollection) -> None:
    """Show the conditions of the present request in a popover: pins, bans, longest gap, order in time."""
    request = state.request()
    if request is None:
        return
    number = _number_set(request)
    st.session_state[_GAP], st.session_state[_ORDER] = request.maximum_gap_days, request.is_chronological
    with st.popover(f"Conditions · {number}" if number else "Conditions", icon=":material/tune:", key="conditions"):
        st.caption("Every condition can only weaken the trail; what it costs is said above the trail.")
        _document_list("Passes through", request.via, loaded, "via")
        _document_list("Avoids", request.avoid, loaded, "avoid")
        st.number_input(
            "Longest gap between two documents, in days",
            min_value=1,
            max_value=state.LONGEST_GAP_DAYS,
            value=None,
            placeholder="no limit",
            key=_GAP,
            on_change=_change_gap,
            disabled=not request.is_chronological,
        )
        st.toggle(
            "Forward in time",
            key=_ORDER,
            on_change=_change_order,
            help="A link may only lead to the same day or a later one. Switched off, documents connect in any order.",
        )
        if number:
            st.button("Lift all conditions", key="lift", on_click=_lift)


def document_label(document: Document) -> str:
    """Return a document as a search box lists it: date, then headline."""
    return f"{document.date_text or 'no date'}  {clamp(document.title, 120)}"


def _search(label: str, key: str, ids: Sequence[str], loaded: LoadedCollection) -> None:
    st.selectbox(
        label,
        ids,
        # A box that has a choice cannot be emptied: a trail needs both ends.
        index=None if st.session_state.get(key) is None else 0,
        key=key,
        filter_mode="contains",
        format_func=lambda document_id: document_label(loaded.documents[loaded.row_of[document_id]]),
        placeholder="Search a headline or a date …",
        on_change=_pick,
    )


def _pick() -> None:
    source, target = st.session_state[_SOURCE], st.session_state[_TARGET]
    if source and target:
        state.choose_ends(source, target)


def _swap() -> None:
    request = state.request()
    if request is not None:
        state.change_request("A and B exchanged", source=request.target, target=request.source)


def _surprise(name: str, landscape_id: str) -> None:
    state.choose_request(resources.surprise(name, landscape_id))


def _change_gap() -> None:
    state.change_request("Another longest gap", maximum_gap_days=st.session_state[_GAP])


def _change_order() -> None:
    is_chronological = bool(st.session_state[_ORDER])
    request = state.request()
    gap = request.maximum_gap_days if request and is_chronological else None
    state.change_request("Order in time", is_chronological=is_chronological, maximum_gap_days=gap)


def _lift() -> None:
    request = state.request()
    if request is not None:
        state.choose_request(TrailRequest(request.source, request.target))


def _document_list(label: str, ids: tuple[str, ...], loaded: LoadedCollection, field: str) -> None:
    st.markdown(f"**{label}**" if ids else f"**{label}** nothing yet; open a document to add it.")
    for document_id in ids:
        row = loaded.row_of.get(document_id)
        title = loaded.documents[row].title if row is not None else document_id
        text, button = st.columns([6, 1], vertical_alignment="center")
        text.markdown(markdown_text(clamp(title, 90)))
        button.button("✕", key=f"drop-{field}-{document_id}", on_click=_drop, args=(field, document_id), help="Remove")


def _drop(field: str, document_id: str) -> None:
    request = state.request()
    if request is not None:
        kept = tuple(other for other in getattr(request, field) if other != document_id)
        state.change_request("A wish let go", **{field: kept})


def _number_set(request: TrailRequest) -> int:
    return (
        len(request.via) + len(request.avoid) + (request.maximum_gap_days is not None) + (not request.is_chronological)
    )
