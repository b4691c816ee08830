"""The quiet column that narrows a list of documents: sources, topics, dates, further columns, each with its numbers."""

import datetime as dt
from collections.abc import Sequence
from functools import partial
from typing import Final, Literal

import streamlit as st

from narrative_core.bidi import isolated
from narrative_core.document_filters import Facet, FacetValue
from narrative_core.ui import mirror, state
from narrative_core.ui.documents_shown import View, change_filter
from narrative_core.ui.words import clamp, html_text, markdown_text

SHOWN: Final = 7
"""Values of a property that are listed; the others can be searched for."""

COLUMNS: Final = 6
"""Further columns that are shown at once; a table may have hundreds."""

_Part = Literal["sources", "topics", "extras"]


def facets(view: View) -> None:
    """Show all that can narrow the list."""
    found = view.found
    # Folded on a phone until it is asked for; on a wide screen it is always open.
    with st.container(key="phone-only-filters"):
        is_open = st.toggle("Filters", key="documents-filters")
    with st.container(key="facets-open" if is_open else "facets-folded", gap="small"):
        if found.topics.values:
            _facet("Topic", found.topics, "topics", empty="no topic")
        if len(found.sources.values) > 1 or view.wanted.sources:
            _facet("Source", found.sources, "sources", empty="no source")
        for facet in _columns(view):
            if facet.is_listed:
                _facet(facet.name, facet, "extras", empty="empty")
            else:
                _contains(facet, view)
        _dates(view)


def _columns(view: View) -> list[Facet]:
    """Return the further columns to show: the first few, those in use, and one that was asked for; offer the others."""
    useful = [
        facet
        for facet in view.found.extras
        if not facet.is_listed or len(facet.values) > 1 or view.wanted.extras.get(facet.name)
    ]
    if len(useful) <= COLUMNS:
        return useful
    names = [facet.name for facet in useful]
    asked = st.selectbox(
        "Narrow by another column",
        names[COLUMNS:],
        index=None,
        placeholder=f"{len(names) - COLUMNS:,} more columns …",
        key="facet-column",
        filter_mode="contains",
    )
    shown = {*names[:COLUMNS], asked, *view.wanted.extras}
    return [facet for facet in useful if facet.name in shown]


def _facet(title: str, facet: Facet, part: _Part, *, empty: str) -> None:
    listed = [one for at, one in enumerate(facet.values) if at < SHOWN or one.is_chosen]
    others = [one for one in facet.values if one not in listed]
    with st.container(key=f"facet-{part}-{facet.name}", gap="xxsmall"):
        st.html(f"<div class='tl-facet' dir='auto'>{html_text(title)}</div>")
        for one in listed:
            name = f"facet-{part}-{facet.name}-{one.value}"
            st.checkbox(
                f"{isolated(markdown_text(clamp(one.label or empty, 42)))} :gray[{one.count:,}]",
                key=mirror.show(name, one.is_chosen),
                on_change=mirror.entered,
                args=(name, partial(_choose, part, facet.name, one.value)),
                width="stretch",
            )
        if others:
            _others(facet, part, others, empty)


def _others(facet: Facet, part: _Part, others: Sequence[FacetValue], empty: str) -> None:
    labels = {one.value: f"{clamp(one.label or empty, 60)} · {one.count:,}" for one in others}
    key = f"facet-more-{part}-{facet.name}-{len(labels)}"
    st.selectbox(
        f"More of {facet.name}",
        list(labels),
        index=None,
        format_func=lambda value: labels.get(value, str(value)),
        placeholder=f"{len(others):,} more …",
        key=key,
        label_visibility="collapsed",
        filter_mode="contains",
        on_change=_choose_more,
        args=(part, facet.name, key),
    )


def _contains(facet: Facet, view: View) -> None:
    name = f"facet-contains-{facet.name}"
    st.text_input(
        markdown_text(f"{clamp(facet.name, 40)} contains"),
        key=mirror.show(name, next(iter(view.wanted.extras.get(facet.name, ())), "")),
        on_change=mirror.entered,
        args=(name, partial(_choose_text, facet.name)),
    )


def _dates(view: View) -> None:
    wanted = view.wanted
    if not view.found.days and not (wanted.first or wanted.last):
        return
    first, last = (min(view.found.days), max(view.found.days)) if view.found.days else (wanted.first, wanted.last)
    bounds = [day for day in (first, last, wanted.first, wanted.last) if day is not None]
    st.html("<div class='tl-facet'>Date</div>")
    with st.container(horizontal=True, gap="xsmall", key="facet-dates"):
        for end, value in (("first", wanted.first), ("last", wanted.last)):
            name = f"facet-date-{end}"
            st.date_input(
                "From" if end == "first" else "To",
                key=mirror.show(name, value),
                value=None,
                min_value=min(bounds),
                max_value=max(bounds),
                format="YYYY-MM-DD",
                on_change=mirror.entered,
                args=(name, partial(_choose_date, end)),
            )


def _choose_more(part: _Part, name: str, key: str) -> None:
    value = st.session_state.get(key)
    if value is not None:
        _choose(part, name, value, is_chosen=True)


def _choose_text(name: str, text: str) -> None:
    words = text.strip()
    change_filter(extras={**state.document_filter().extras, name: frozenset({words} if words else ())})


def _choose_date(end: str, day: dt.date | None) -> None:
    change_filter(**{end: day})


def _choose(part: _Part, name: str, value: str | int, is_chosen: bool) -> None:
    wanted = state.document_filter()
    present = wanted.extras.get(name, frozenset()) if part == "extras" else getattr(wanted, part)
    chosen = present | {value} if is_chosen else present - {value}
    if part == "extras":
        change_filter(extras={**wanted.extras, name: chosen})
    else:
        change_filter(**{part: chosen})
