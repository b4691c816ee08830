"""The row that asks for a trail: from, to, swap, surprise."""

import streamlit as st

from narrative_core.bidi import isolated
from narrative_core.extraction import LoadedCollection
from narrative_core.records import Document
from narrative_core.ui import mirror, resources, state
from narrative_core.ui.words import clamp

_SOURCE, _TARGET = "pick-source", "pick-target"


def endpoints(loaded: LoadedCollection) -> None:
    """Show the two search boxes with swap and surprise; a new choice becomes the present request."""
    request = state.request()
    # Before any request one box may be filled alone.
    ends = (request.source, request.target) if request else (mirror.shown(_SOURCE), mirror.shown(_TARGET))
    first, last = (end if isinstance(end, str) and end in loaded.row_of else None for end in ends)
    with st.container(key="picker"):
        start, swap, finish, surprise = st.columns([10, 1.3, 10, 3], vertical_alignment="bottom", gap="small")
    with start:
        _search("From  A", _SOURCE, first, loaded)
    with swap:
        st.button("⇄", key="swap", help="Swap the two ends", on_click=_swap, disabled=request is None, width="stretch")
    with finish:
        _search("To  B", _TARGET, last, loaded)
    with surprise:
        st.button(
            "Surprise me",
            key="surprise",
            on_click=_surprise,
            args=(loaded.collection.name, loaded.landscape.landscape_id),
            help="Two documents, drawn at random, that have a good story between them",
            width="stretch",
        )


def document_label(document: Document) -> str:
    """Return a document as a search box lists it: date, then headline."""
    return f"{isolated(document.date_text) or 'no date'}  {isolated(clamp(document.title, 120))}"


def _search(label: str, name: str, chosen: str | None, loaded: LoadedCollection) -> None:
    st.selectbox(
        label,
        list(loaded.row_of),
        # A box that has a choice cannot be emptied: a trail needs both ends.
        index=None if chosen is None else 0,
        key=mirror.show(name, chosen),
        filter_mode="contains",
        format_func=lambda document_id: document_label(loaded.documents[loaded.row_of[document_id]]),
        placeholder="Search a headline or a date …",
        on_change=mirror.entered,
        args=(name, _pick),
    )


def _pick(_: str | None) -> None:
    source, target = mirror.shown(_SOURCE), mirror.shown(_TARGET)
    if isinstance(source, str) and isinstance(target, str):
        state.choose_ends(source, target)


def _swap() -> None:
    request = state.request()
    if request is not None:
        state.change_request("A and B exchanged", source=request.target, target=request.source)


def _surprise(name: str, landscape_id: str) -> None:
    state.choose_request(resources.surprise(name, landscape_id), "A surprise")
