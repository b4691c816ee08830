"""Groups of documents with nearly the same text, as cards: what they are, and taking one out or putting it back."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

import streamlit as st

from narrative_core import desk_edits
from narrative_core.figures.wording import date_words
from narrative_core.records import Document
from narrative_core.reports.sentences import format_date, format_title
from narrative_core.ui import state, workbench
from narrative_core.ui.documents_list import documents_button, nothing_found
from narrative_core.ui.documents_shown import View, count_words, ids_met
from narrative_core.ui.words import clamp, html_text, markdown_text

SHOWN: Final = 20
"""Groups on one page."""

MOST_MEMBERS: Final = 12
TOLD: Final = (
    "A trail holds at most one document of a group, so that copies of one event do not fill it. Take a document out "
    "where it is not a copy."
)


def copy_groups(view: View) -> None:
    """Show the groups of copies, the largest first."""
    every = largest_first(view.holdings.found_copies.values())
    if not every:
        st.info("No two documents have nearly the same text.")
        return
    met = ids_met(view)
    groups = [group for group in every if met.intersection(group)]
    if not groups:
        nothing_found(view)
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center", wrap=False, key="copies-head"):
        st.html(f"<div class='tl-quiet'>{html_text(TOLD)}</div>", width="stretch")
        documents_button(view, [one for group in groups for one in group], "copies-csv", "copies")
    n_pages = -(-len(groups) // SHOWN)
    page = int(st.session_state.get("copies-page") or 1) if n_pages > 1 else 1
    for group in groups[(page - 1) * SHOWN : page * SHOWN]:
        _card(view, group)
    if n_pages > 1:
        st.pagination(n_pages, key="copies-page", width="stretch")


def largest_first(groups: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return each group once, the largest first, then as they come.

    Examples
    --------
    >>> largest_first([("a", "b"), ("c", "d", "e"), ("a", "b")])
    [('c', 'd', 'e'), ('a', 'b')]
    """
    return sorted(dict.fromkeys(groups), key=lambda group: -len(group))


def group_words(documents: Sequence[Document]) -> str:
    """Return what a group is, in words: its size, its sources, and from when to when it was published.

    Examples
    --------
    >>> group_words([Document("a", "", "", source="AP"), Document("b", "", "", source="AFP")])
    '2 documents · AP, AFP · no date'
    """
    sources = list(dict.fromkeys(document.source for document in documents if document.source))
    named = ", ".join(clamp(source, 40) for source in sources[:4]) + (
        f" and {len(sources) - 4} more" * (len(sources) > 4)
    )
    dated = [document for document in documents if document.date is not None]
    if not dated:
        dates = "no date"
    else:
        first, last = (format_date(one) for one in (min(dated, key=_day), max(dated, key=_day)))
        dates = first if first == last else f"{first} to {last}"
    return " · ".join(part for part in (f"{len(documents):,} documents", named, dates) if part)


def _card(view: View, group: tuple[str, ...]) -> None:
    holdings = view.holdings
    documents = [holdings.documents[row] for row in holdings.rows(group)]
    apart = [one for one in group if one in holdings.curation.standalone]
    joined = [one for one in group if one not in apart]
    with st.container(border=True, key=f"copies-{group[0]}", gap="xsmall"):
        head, actions = st.columns([7, 3], vertical_alignment="top")
        head.html(
            f"<div class='tl-verdict' dir='auto'>{html_text(clamp(format_title(documents[0]), 140))}</div>"
            f"<div class='tl-quiet'>{html_text(group_words(documents))}</div>"
        )
        with actions, st.container(horizontal=True, gap="xsmall", horizontal_alignment="right"):
            if len(joined) > 1:
                st.button("Split the group", key=f"split-{group[0]}", on_click=_split, args=(group,))
            if apart:
                st.button("Put together again", key=f"rejoin-{group[0]}", on_click=_rejoin, args=(tuple(apart),))
        for document in documents[:MOST_MEMBERS]:
            _member(document, is_apart=document.document_id in apart, is_excluded=_is_excluded(view, document))
        if len(documents) > MOST_MEMBERS:
            st.caption(f"and {len(documents) - MOST_MEMBERS:,} more; the CSV has them all.")


def _member(document: Document, *, is_apart: bool, is_excluded: bool) -> None:
    one = document.document_id
    with st.container(horizontal=True, gap="small", vertical_alignment="center", wrap=False, key=f"copy-{one}"):
        st.html(f"<div class='tl-date'>{html_text(date_words(document))}</div>", width=92)
        state_words = "excluded" if is_excluded else "taken out" if is_apart else ""
        told = " · ".join(filter(None, (clamp(document.source, 40), state_words)))
        st.button(
            markdown_text(clamp(format_title(document), 110)),
            key=f"read-copy-{one}",
            type="tertiary",
            on_click=state.read,
            args=(one, state.LIST_PLACE),
            wrap=True,
            width="stretch",
        )
        st.html(f"<div class='tl-quiet'>{html_text(told)}</div>", width="content")
        if is_apart:
            st.button("Put back", key=f"back-{one}", type="tertiary", on_click=_rejoin, args=((one,),))
        elif not is_excluded:
            st.button("Take out", key=f"out-{one}", type="tertiary", on_click=_split, args=((one,),))


def _is_excluded(view: View, document: Document) -> bool:
    return document.document_id in view.holdings.curation.excluded


def _day(document: Document) -> int:
    return document.date.toordinal() if document.date is not None else 0


def _split(ids: tuple[str, ...]) -> None:
    words = f"Took {count_words(len(ids))} out of a group of copies"
    workbench.edit(words, partial(desk_edits.stand_alone, document_ids=ids))


def _rejoin(ids: tuple[str, ...]) -> None:
    words = f"Put {count_words(len(ids))} back into a group of copies"
    workbench.edit(words, partial(desk_edits.rejoin, document_ids=ids))
