"""One document, open for reading, with its note and what it can be used for; built collections and others."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from narrative_core import desk_edits
from narrative_core.document_query import Query, Span, matching_spans
from narrative_core.extraction import LoadedCollection, neighbours
from narrative_core.records import Document
from narrative_core.reports.addresses import web_address
from narrative_core.reports.sentences import format_date, format_strength
from narrative_core.ui import mirror, state, workbench
from narrative_core.ui.changes import avoid, pin, release, use_as
from narrative_core.ui.marked_text import marked_html
from narrative_core.ui.words import clamp, html_text, markdown_text

LONG_TEXT = 1400
MOST_TEXT = 200_000
"""Characters of a text that a page shows; what is longer would hold the browser up."""

LONGEST_NOTE = 4_000
OUTSIDE_HELP = (
    "Every document belongs to each topic to some degree. Where too little around a document is like it, no group "
    "holds it, and it lies outside every topic: the map draws it hollow, in the colour of the nearest one. The share "
    "says how much of all it belongs to falls to that topic; the smaller it is, the less the topic says about it."
)


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """A document to be read, with what its collection knows of it.

    ``topic`` and ``copies`` are sentences, empty where there is none · ``file_date`` is the wording of the file where a
    person has typed another date, ``None`` where not · ``loaded`` the built collection that it takes part in.
    """

    document: Document
    topic: str = ""
    copies: str = ""
    file_date: str | None = None
    loaded: LoadedCollection | None = None


def reading_panel(loaded: LoadedCollection, document_id: str) -> None:
    """Show a document of a built collection with its text, source link, note, neighbours and uses."""
    row = loaded.row_of[document_id]
    open_document(
        Opened(
            loaded.documents[row],
            topic=topic_sentence(loaded, row),
            copies=copies_sentence(loaded.copies.get(document_id, ())),
            file_date=loaded.file_dates.get(document_id),
            loaded=loaded,
        )
    )


def open_document(opened: Opened, *, query: Query | None = None, more: Callable[[], None] | None = None) -> None:
    """Show a document.

    Parameters
    ----------
    opened : Opened
    query : Query, optional
        What was looked for; it is marked in headline and text.
    more : callable, optional
        Shows further uses beside the usual ones.
    """
    document, wanted = opened.document, query or Query()
    is_outside = _is_outside(opened)
    told = ("" if is_outside else opened.topic, opened.copies)
    with st.container(border=True, key="reading"):
        title = marked_html(document.title, matching_spans(document.title, wanted))
        with st.container(horizontal=True, gap="small", wrap=False):
            st.html(
                f"<div class='tl-date'>{html_text(_byline(opened))}</div>"
                f"<div class='tl-verdict' dir='auto'>{title or 'untitled'}</div>"
                + "".join(f"<div class='tl-quiet'>{html_text(sentence)}</div>" for sentence in told if sentence)
            )
            st.button("✕", key="close-reading", help="Close", on_click=state.read, args=(None,), type="tertiary")
        if is_outside:
            st.caption(markdown_text(opened.topic), help=OUTSIDE_HELP)
        with st.container(horizontal=True, gap="xsmall"):
            if opened.loaded is not None:
                _uses(document)
            if more is not None:
                more()
        _text(document, matching_spans(document.text, wanted))
        _extras(document)
        address = web_address(document.url)
        if address:
            st.link_button("Open the source", address, icon=":material/open_in_new:", type="tertiary")
        _note(document)
        if opened.loaded is not None:
            _closest(opened.loaded, document.document_id)


def topic_sentence(loaded: LoadedCollection, row: int) -> str:
    """Return what a landscape says of a document's topic; outside of all, which is nearest and with which share."""
    nearest = int(loaded.landscape.nearest_topic[row])
    if nearest < 0:
        return "No topic: this collection has none that stand out."
    label = loaded.landscape.topics[nearest].label
    if not loaded.landscape.is_outlier[row]:
        return f"Topic: {label}"
    share = membership_share(loaded, row, nearest)
    told = f", {share:.0%} of its membership" if math.isfinite(share) else ""
    return f"Outside every topic; the nearest is {label}{told}"


def membership_share(loaded: LoadedCollection, row: int, topic: int) -> float:
    """Return which part of all that a document belongs to falls to a topic, with those merged into it.

    In [0, 1]; nan for a document that belongs to none at all.
    """
    curation = loaded.curation
    belongings = loaded.landscape.memberships[row]
    total = float(belongings.sum())
    parts = [at for at in range(len(belongings)) if curation.shown_topic(at) == topic]
    return float(belongings[parts].sum()) / total if total > 0 else math.nan


def copies_sentence(group: Sequence[str]) -> str:
    """Return how many copies of a document there are; empty where there is none.

    Examples
    --------
    >>> copies_sentence(("d1", "d2", "d3")), copies_sentence(())
    ('One of 3 copies of nearly the same text', '')
    """
    return f"One of {len(group)} copies of nearly the same text" if len(group) > 1 else ""


def _is_outside(opened: Opened) -> bool:
    if opened.loaded is None:
        return False
    row = opened.loaded.row_of[opened.document.document_id]
    nearest, is_outlier = opened.loaded.landscape.nearest_topic[row], opened.loaded.landscape.is_outlier[row]
    return bool(is_outlier and nearest >= 0)


def _byline(opened: Opened) -> str:
    document = opened.document
    given = f" (given as {document.date_text})" if document.date_precision in ("month", "year") else ""
    if opened.file_date is not None:
        given = f" (dated by hand; the file says {opened.file_date or 'nothing'})"
    return " · ".join(part for part in (format_date(document) + given, document.source) if part)


def _closest(loaded: LoadedCollection, document_id: str) -> None:
    with st.expander("Closest documents, of any date"):
        for other, strength in neighbours(loaded, document_id):
            st.button(
                markdown_text(f"{format_strength(strength)} · {format_date(other)} · {clamp(other.title, 80)}"),
                key=f"near-{other.document_id}",
                type="tertiary",
                on_click=state.read,
                args=(other.document_id, state.reading_place()),
                wrap=True,
            )


def _uses(document: Document) -> None:
    request, document_id = state.request(), document.document_id
    is_end = request is None or document_id in (request.source, request.target)
    is_pinned = request is not None and document_id in request.via
    # An address may ask for both; the one button lets go of both.
    is_avoided = request is not None and document_id in request.avoid and not is_pinned
    why = "There is no trail yet." if request is None else "An end of the trail." if is_end else None
    st.button("Start here", key="use-source", on_click=use_as, args=("source", document_id), help="Make it A")
    st.button("End here", key="use-target", on_click=use_as, args=("target", document_id), help="Make it B")
    if is_pinned:
        st.button("Stop passing through", key="release", on_click=release, args=(document_id,))
    else:
        st.button("Pass through", key="use-via", on_click=pin, args=(document_id,), disabled=is_end, help=why)
    if is_avoided:
        st.button("Allow again", key="release", on_click=release, args=(document_id,))
    else:
        st.button("Avoid", key="use-avoid", on_click=avoid, args=(document_id,), disabled=is_end, help=why)


def _text(document: Document, spans: Sequence[Span]) -> None:
    text = document.text
    if not text.strip():
        st.caption("This document has a headline only.")
        return
    head, rest = text[:LONG_TEXT], text[LONG_TEXT:MOST_TEXT]
    st.html(_passage(head, spans, "…" if rest else ""))
    if rest:
        with st.expander(f"More ({len(text.split()):,} words)"):
            st.html(_passage(rest, [(a - LONG_TEXT, b - LONG_TEXT) for a, b in spans if a >= LONG_TEXT], ""))
            if len(text) > MOST_TEXT:
                st.caption(f"The first {MOST_TEXT:,} of {len(text):,} characters. The rest is in your file.")


def _passage(text: str, spans: Sequence[Span], end: str) -> str:
    inside = [(first, last) for first, last in spans if last <= len(text)]
    return f"<div class='tl-text' dir='auto'>{marked_html(text, inside)}{end}</div>"


def _extras(document: Document) -> None:
    given = [(name, value) for name, value in document.extras.items() if value.strip()]
    if given:
        lines = (
            f"<div class='tl-setting'><span dir='auto'>{html_text(name)}</span>"
            f"<span dir='auto'>{html_text(clamp(value, 300))}</span></div>"
            for name, value in given
        )
        st.html(f"<div class='tl-extras'>{''.join(lines)}</div>")


def _note(document: Document) -> None:
    name = f"note-{document.document_id}"
    st.text_area(
        "Note on this document",
        key=mirror.show(name, state.desk().curation.document_notes.get(document.document_id, "")),
        max_chars=LONGEST_NOTE,
        height=76,
        placeholder="A note on this document. It is kept with the collection and goes into reports.",
        on_change=mirror.entered,
        args=(name, partial(_keep_note, document.document_id)),
    )


def _keep_note(document_id: str, note: str) -> None:
    workbench.edit("Note on a document", partial(desk_edits.note_document, document_id=document_id, note=note))
