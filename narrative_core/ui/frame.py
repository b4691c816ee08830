"""The frame of every page: style, header with the collection, and errors turned into sentences."""

import logging
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from narrative_core.errors import NarrativeError
from narrative_core.figures.theme import Mode
from narrative_core.records import CollectionSummary
from narrative_core.ui import resources, state, workbench
from narrative_core.ui.style import page_css
from narrative_core.ui.words import html_text, markdown_text, sentence

DEFAULT_COLLECTION = "spaceflight"
_LOG = logging.getLogger(__name__)


def mode() -> Mode:
    """Return whether the person sees the light or the dark theme."""
    return "dark" if st.context.theme.type == "dark" else "light"


@contextmanager
def page() -> Iterator[None]:
    """Put a page in its frame; a `NarrativeError` inside becomes a sentence, anything else a sentence with a number."""
    st.html(page_css(mode()))
    is_begun = False
    try:
        state.begin(DEFAULT_COLLECTION)
        state.keep_choices()
        workbench.keep()  # what a button changed, at once: a page may fail, or send a person to another one
        workbench.sync()
        is_begun = True
        yield
        workbench.keep()
        notice = state.take_notice()
        if notice:
            st.toast(markdown_text(notice))
    except NarrativeError as error:
        st.error(markdown_text(sentence(str(error))), icon=":material/error:")
    except Exception:  # noqa: BLE001  the frame is the one place that turns an accident into words
        incident = uuid.uuid4().hex[:8]
        _LOG.exception("incident %s", incident)
        st.error(
            "Something went wrong that we did not expect. Your documents and stories are safe.", icon=":material/error:"
        )
        st.button("Try again", key="try-again")
        st.caption(f"Incident {incident}; the details are in the log of the server.")
    finally:
        state.write_address()
    if not is_begun:
        st.stop()  # the page itself has nothing to stand on


def header() -> CollectionSummary | None:
    """Show which collection is open, and let another be chosen; return it, ``None`` where it is not stored."""
    known = {summary.collection.name: summary for summary in resources.summaries()}
    present = state.collection()
    options = list(known) if present in known else [present, *known]
    left, right = st.columns([2, 5], vertical_alignment="center")
    with left:
        chosen = st.selectbox(
            "Collection",
            options,
            index=options.index(present),
            format_func=lambda name: known[name].collection.title if name in known else f"{name} (not here)",
            label_visibility="collapsed",
            help="The documents that stories are told from. Add your own on the page Collections.",
        )
    if chosen != present:
        state.choose_collection(chosen)
        st.rerun()
    summary = known.get(present)
    with right:
        if summary is not None:
            st.html(f"<div class='tl-quiet'>{counts(summary)}</div>")
    return summary


def counts(summary: CollectionSummary) -> str:
    """Return the counts of a collection as one line of HTML."""
    parts = [f"{summary.n_documents:,} {html_text(summary.collection.noun)}"]
    if summary.first_date and summary.last_date:
        years = (summary.first_date.year, summary.last_date.year)
        parts.append(f"{years[0]}" if years[0] == years[1] else f"{years[0]}–{years[1]}")
    if summary.is_built:
        parts.append(f"{summary.n_topics} topics")
    if summary.n_undated:
        parts.append(f"{summary.n_undated:,} without a date, on the map but not on trails")
    if summary.n_excluded:
        parts.append(f"{summary.n_excluded:,} excluded")
    return " · ".join(parts)
