"""The documents that were found, as a list to read and to mark, and what can be done with the marked ones."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import streamlit as st

from narrative_core import desk_edits
from narrative_core.document_filters import PAGE, Filter, Part, Widening, widenings
from narrative_core.document_search import Hit
from narrative_core.document_spelling import respelled
from narrative_core.figures.wording import date_words
from narrative_core.records import Document
from narrative_core.reports.document_table import documents_csv
from narrative_core.ui import mirror, state, workbench
from narrative_core.ui.changes import use_as
from narrative_core.ui.csv_button import csv_file_button
from narrative_core.ui.document_picks import with_mark
from narrative_core.ui.documents_shown import View, change_filter, count_words, documents_of, mark
from narrative_core.ui.marked_text import marked_markdown, snippet_html
from narrative_core.ui.words import clamp, html_text, markdown_text

LONGEST_TITLE: Final = 220
_LIFTED: Final[dict[Part, str]] = {
    "query": "Without the words",
    "sources": "From every source",
    "topics": "On every topic",
    "dates": "Of any date",
    "extras": "Without the further columns",
    "similar_to": "Not only similar ones",
    "state": "Among all documents",
}


def selection_bar(view: View) -> None:
    """Show how many documents are selected, and what can be done with them."""
    ids = view.selection
    if not ids:
        return
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="selection-bar"):
        st.html(
            f"<div class='tl-selected'>{html_text(_capital(count_words(len(ids))))} selected</div>", width="content"
        )
        if view.wanted.state != "selected":
            st.button("Show", key="selection-show", on_click=mark, args=(ids,), help="List the selected documents only")
        documents_button(view, ids, "selection-csv", "selected-documents")
        if len(ids) == 1 and view.holdings.loaded is not None:
            st.button("Use as A", key="selection-source", on_click=use_as, args=("source", ids[0]), help="Start here")
            st.button("Use as B", key="selection-target", on_click=use_as, args=("target", ids[0]), help="End here")
        st.button("Exclude", key="selection-exclude", on_click=exclude, args=(ids,), help=EXCLUDE_HELP)
        st.button("Clear", key="selection-clear", on_click=_clear)


EXCLUDE_HELP: Final = "Leave them out of the map, of searches and of stories, until they are restored."


def exclude(ids: tuple[str, ...]) -> None:
    """Exclude documents; one that is read is closed."""
    words = f"Excluded {count_words(len(ids))}"
    workbench.edit(words, partial(desk_edits.exclude, document_ids=ids))
    _leave_empty_selection()


def restore(ids: tuple[str, ...]) -> None:
    """Restore excluded documents."""
    words = f"Restored {count_words(len(ids))}"
    workbench.edit(words, partial(desk_edits.restore, document_ids=ids))


def documents_button(view: View, ids: Sequence[str], key: str, name: str) -> None:
    """Offer a list of documents as a table; it is written when it is asked for."""
    csv_file_button(
        "CSV",
        lambda: _csv(view, ids),
        f"{name}.csv",
        key=key,
        icon=":material/download:",
        help=f"{_capital(count_words(len(ids)))} as a table, without their texts.",
    )


def document_list(view: View) -> None:
    """Show one page of what was found, under how many there are; what can be lifted where nothing was."""
    found, n = view.found, len(view.found.rows)
    if not n:
        nothing_found(view)
        return
    _head(view)
    with st.container(key="documents-list", gap=None):
        for place, hit in enumerate(found.hits):
            _row(view, hit, place)
    n_pages = -(-n // PAGE)
    if n_pages > 1:
        st.pagination(n_pages, key=view.page_key, width="stretch")


def _head(view: View) -> None:
    ids = view.holdings.ids(view.found.rows)
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="documents-head"):
        st.html(f"<div class='tl-quiet'>{html_text(_place(view))}</div>", width="stretch")
        if view.wanted.state == "excluded":
            st.button(f"Restore all {len(ids):,}", key="restore-all", on_click=restore, args=(ids,))
        elif set(ids) - set(view.selection):
            words = f"Select all {len(ids):,}" if len(ids) > 1 else "Select it"
            st.button(words, key="select-all", type="tertiary", on_click=mark, args=(ids,))
        documents_button(view, ids, "found-csv", "documents")
    told = _told(view)
    if told:
        st.html(f"<div class='tl-quiet tl-remark'>{html_text(told)}</div>")
    if view.found.is_partial:
        _other_spelling(view)


def _place(view: View) -> str:
    n, first = len(view.found.rows), (view.page - 1) * PAGE
    if n <= PAGE:
        return _capital(count_words(n))
    return f"{first + 1:,}–{first + len(view.found.hits):,} of {n:,} documents"


def _told(view: View) -> str:
    """Return what has to be known to read the list, "" where nothing."""
    similar = view.found.similar
    if similar is not None and similar.shared_words:
        return f"Alike by words in common, as there is no map: {', '.join(similar.shared_words)}."
    if similar is not None:
        return "Alike by wording; the number is the cosine of the two texts, 1 is the same."
    return "No document has all of these words; these have some of them." if view.found.is_partial else ""


def _other_spelling(view: View) -> None:
    """Offer words that documents have in place of those that none has."""
    words = respelled(view.holdings.shelf.index, view.query)
    if words:
        st.button(
            f"Did you mean {_quoted(words)}?",
            key="other-spelling",
            type="tertiary",
            on_click=change_filter,
            kwargs={"query": words},
        )


def _row(view: View, hit: Hit, place: int) -> None:
    document = view.holdings.documents[hit.row]
    one, is_open = document.document_id, document.document_id == state.reading()
    with st.container(key=f"hit-{'open-' if is_open else ''}{place}", horizontal=True, gap="xsmall", wrap=False):
        if view.wanted.state == "excluded":
            st.button("Restore", key=f"restore-{one}", type="tertiary", on_click=restore, args=((one,),))
        else:
            _box(view, document)
        st.html(f"<div class='tl-date'>{html_text(date_words(document))}</div>", width=92)
        with st.container(gap=None, key=f"told-{place}"):
            spans = [span for span in hit.title_spans if span[1] <= LONGEST_TITLE]
            cut = document.title[:LONGEST_TITLE] + ("…" if len(document.title) > LONGEST_TITLE else "")
            st.button(
                marked_markdown(cut, spans) if cut.strip() else "Untitled",
                key=f"read-{one}",
                type="tertiary",
                on_click=state.read,
                args=(one, state.LIST_PLACE),
                wrap=True,
            )
            st.html(_below(view, document, hit))


def _box(view: View, document: Document) -> None:
    name = f"mark-{document.document_id}"
    st.checkbox(
        f"Select {markdown_text(clamp(document.title, 60)) or 'this document'}",
        key=mirror.show(name, document.document_id in view.selection),
        label_visibility="collapsed",
        on_change=mirror.entered,
        args=(name, partial(_mark, document.document_id)),
    )


def _below(view: View, document: Document, hit: Hit) -> str:
    holdings, one = view.holdings, document.document_id
    topic = holdings.topic_labels.get(int(holdings.topics[hit.row]), "")
    n_copies = len(holdings.copies.get(one, ()))
    parts = [
        f"<bdi class='tl-phone'>{html_text(date_words(document))}</bdi>",
        f"alike {hit.score:.2f}" if view.found.similar is not None and not view.found.similar.shared_words else "",
        html_text(clamp(document.source, 60)),
        html_text(topic),
        f"{n_copies} copies" if n_copies else "",
        f"<b>Note:</b> {html_text(clamp(holdings.curation.document_notes[one], 80))}"
        if one in holdings.curation.document_notes
        else "",
    ]
    meta = f"<div class='tl-quiet tl-meta' dir='auto'>{''.join(f'<span>{part}</span>' for part in parts if part)}</div>"
    if not view.query.wanted or not hit.snippet.spans:
        return meta
    return f"<div class='tl-snippet' dir='auto'>{snippet_html(hit.snippet)}</div>{meta}"


def nothing_found(view: View) -> None:
    """Say that nothing was found, and offer what would find something."""
    wanted = view.wanted
    if wanted.state == "selected" and not view.selection:
        st.info("Nothing is selected. Tick documents in the list, or draw around some on the map.")
    elif wanted == Filter(state=wanted.state):
        st.info(f"There are no such documents{'' if wanted.state == 'all' else ' any more'}.")
    elif wanted == Filter(query=wanted.query):
        st.info(f"No document has {_quoted(wanted.query)}. Try fewer words, another spelling, or the beginning of one.")
    else:
        query = f" for {_quoted(wanted.query)}" if wanted.query.strip() else ""
        st.info(f"No document{query} meets all of this. Lift one part of it:")
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="widenings"):
        _other_spelling(view)
        for wider in widenings(view.holdings, wanted, selection=view.selection):
            _widening(wider)


def _quoted(query: str) -> str:
    return f"“{markdown_text(clamp(query, 60))}”"


def _widening(wider: Widening) -> None:
    st.button(
        f"{_LIFTED[wider.part]}: {wider.count:,}",
        key=f"widen-{wider.part}",
        on_click=state.choose_documents,
        args=(wider.filter,),
    )


def _mark(document_id: str, is_marked: bool) -> None:
    selection = with_mark(state.desk().selection, document_id, is_marked=is_marked)
    words = "Selected a document" if is_marked else "Took a document out of the selection"
    workbench.edit(words, partial(desk_edits.select, document_ids=selection))


def _clear() -> None:
    workbench.edit("Cleared the selection", partial(desk_edits.select, document_ids=()))
    _leave_empty_selection()


def _leave_empty_selection() -> None:
    if state.document_filter().state == "selected" and not state.desk().selection:
        state.choose_documents(state.document_filter().without("state"))


def _csv(view: View, ids: Sequence[str]) -> str:
    holdings = view.holdings
    rows = holdings.rows(ids)
    return documents_csv(
        documents_of(view, ids),
        topics={
            holdings.documents[row].document_id: holdings.topic_labels.get(int(holdings.topics[row]), "")
            for row in rows
        },
        copies={one: len(group) - 1 for one, group in holdings.copies.items()},
        notes=holdings.curation.document_notes,
    )


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
