"""The page of documents: what is on it now, the box to search in, the states, and what is looked for in words."""

from collections.abc import Callable
from typing import Final

import streamlit as st

from narrative_core.document_filters import PAGE, Filter, Order, State, find, state_counts
from narrative_core.document_query import LONGEST_QUERY
from narrative_core.holdings import Holdings, hold
from narrative_core.records import CollectionSummary
from narrative_core.reports.sentences import format_title
from narrative_core.store.copies import load_copies
from narrative_core.ui import mirror, resources, state
from narrative_core.ui.documents_charts import take_catches
from narrative_core.ui.documents_shown import View, change_filter, days_words
from narrative_core.ui.documents_undated import take_dates
from narrative_core.ui.undo_bar import undo_bar
from narrative_core.ui.words import clamp, markdown_text

ORDERS: Final[dict[Order, str]] = {
    "best": "Best match first",
    "oldest": "Oldest first",
    "newest": "Newest first",
    "title": "By headline, A to Z",
    "source": "By source, A to Z",
}
STATES: Final[dict[State, str]] = {
    "all": "All",
    "undated": "Undated",
    "copies": "Copies",
    "excluded": "Excluded",
    "noted": "With a note",
    "placed": "Added later",
    "selected": "Selected",
}
HELP: Final = (
    'Words in any order; the last may be unfinished. "In quotation marks" side by side, -minus to leave out. '
    "The id of a document or the name of a source finds it as well."
)
_QUERY, _ORDER, _STATE = "documents-query", "documents-order", "documents-state"


def open_view(summary: CollectionSummary | None) -> View | None:
    """Return what is on the page, after what was caught on the charts; say what is missing where nothing can be."""
    if summary is None:
        st.info(f"There is no collection “{markdown_text(state.collection())}” here. Choose another, or add documents.")
        st.page_link("pages/manage/collections.py", label="Go to Collections", icon=":material/folder_open:")
        return None
    holdings = _holdings(summary)
    if not holdings.documents:
        st.info("This collection has no documents yet. Import some, and they are listed here.")
        st.page_link("pages/manage/collections.py", label="Go to Collections", icon=":material/folder_open:")
        return None
    take_catches(holdings.shelf.row_of)
    take_dates()
    if state.desk().curation != holdings.curation:
        # The counts above the page are those from before.
        st.rerun()
    wanted, selection = state.document_filter(), state.desk().selection
    order = state.document_order()
    page_key = f"documents-page-{hash((repr(wanted), order, summary.collection.name))}"
    page = int(st.session_state.get(page_key) or 1)
    found = find(holdings, wanted, selection=selection, order=order, first=(page - 1) * PAGE)
    if page > 1 and not found.hits:
        # Fewer are found than a moment ago: that page is gone.
        st.session_state[page_key] = page = 1
        found = find(holdings, wanted, selection=selection, order=order)
    return View(holdings, wanted, found, tuple(holdings.ids(holdings.rows(selection))), page, page_key)


def search_row(view: View) -> None:
    """Show the box to search in, the order of the list, and undo."""
    with st.container(key="documents-search"):
        box, order, bar = st.columns([9, 3, 2.4], vertical_alignment="bottom", gap="small")
    box.text_input(
        "Search the documents",
        type="search",
        key=mirror.show(_QUERY, view.wanted.query),
        live="400ms",
        placeholder="Search headlines and texts …",
        icon=":material/search:",
        help=HELP,
        on_change=mirror.entered,
        args=(_QUERY, _search),
    )
    with order:
        _order(view.wanted)
    with bar:
        undo_bar("documents")


def _order(wanted: Filter) -> None:
    """Let the order be chosen; nothing is a better match than another where nothing is looked for."""
    orders = [one for one in ORDERS if one != "best" or wanted.is_ranked]
    name = f"{_ORDER}-{len(orders)}"
    present = state.document_order()
    st.selectbox(
        "Order",
        orders,
        format_func=ORDERS.__getitem__,
        key=mirror.show(name, present if present in orders else "oldest"),
        label_visibility="collapsed",
        disabled=wanted.state in ("copies", "undated"),
        on_change=mirror.entered,
        args=(name, _choose_order),
    )


def states(view: View) -> None:
    """Show the states that a document can be in, each with how many are; those of none are left out."""
    counts = state_counts(view.holdings, view.selection)
    n_groups = len(set(view.holdings.found_copies.values()))
    shown = [
        one for one in STATES if counts[one] or one in ("all", view.wanted.state) or (one == "copies" and n_groups)
    ]
    numbers = {**counts, "copies": n_groups}

    def told(one: State) -> str:
        unit = " groups" if one == "copies" and numbers[one] != 1 else " group" if one == "copies" else ""
        return f"{STATES[one]} · {numbers[one]:,}{unit}"

    if len(shown) == 1:
        return
    st.segmented_control(
        "Which documents",
        shown,
        format_func=told,
        required=True,
        key=mirror.show(_STATE, view.wanted.state),
        label_visibility="collapsed",
        on_change=mirror.entered,
        args=(_STATE, _choose_state),
    )


def chips(view: View) -> None:
    """Show each part of what is looked for as a button that lifts it."""
    wanted = view.wanted
    parts = [
        (f"source-{one}", one or "no source", _less(sources=wanted.sources - {one})) for one in sorted(wanted.sources)
    ]
    labels = view.holdings.topic_labels
    parts += [
        (f"topic-{one}", labels.get(one) or "no topic", _less(topics=wanted.topics - {one}))
        for one in sorted(wanted.topics)
    ]
    if wanted.first or wanted.last:
        parts.append(("days", days_words(wanted), _less(first=None, last=None)))
    parts += [
        (f"extra-{name}-{one}", f"{name}: {one or 'empty'}", _less(extras={**wanted.extras, name: values - {one}}))
        for name, values in wanted.extras.items()
        for one in sorted(values)
    ]
    if wanted.similar_to:
        parts.append(("similar", f"like {_title(view, wanted.similar_to)}", _less(similar_to="")))
    if not parts:
        return
    with st.container(horizontal=True, gap="xsmall", key="documents-chips"):
        for key, words, lift in parts:
            st.button(
                markdown_text(clamp(words, 60)),
                key=f"chip-{key}",
                icon=":material/close:",
                icon_position="right",
                help="Lift this",
                on_click=lift,
            )
        if len(parts) > 1:
            st.button("Lift all", key="chip-all", type="tertiary", on_click=_lift_all)


def _holdings(summary: CollectionSummary) -> Holdings:
    name, landscape_id = summary.collection.name, summary.landscape_id or ""
    return hold(
        resources.shelf(name, landscape_id),
        state.desk().curation,
        copies=load_copies(resources.database(), name),
        loaded=resources.loaded(name, landscape_id) if summary.is_built else None,
    )


def _less(**changes: object) -> Callable[[], None]:
    return lambda: change_filter(**changes)


def _lift_all() -> None:
    wanted = state.document_filter()
    state.choose_documents(Filter(query=wanted.query, state=wanted.state))


def _search(query: str) -> None:
    change_filter(query=query[:LONGEST_QUERY])


def _choose_order(order: Order) -> None:
    # Oldest first is what there is where nothing ranks: whoever goes back to it has not asked for it in a search.
    is_usual = order == "oldest" and not state.document_filter().is_ranked
    state.order_documents("best" if is_usual else order)


def _choose_state(chosen: State | None) -> None:
    change_filter(state=chosen or "all")


def _title(view: View, document_id: str) -> str:
    document = view.holdings.document(document_id)
    return f"“{clamp(format_title(document), 40)}”" if document is not None else "a document that is not here"
