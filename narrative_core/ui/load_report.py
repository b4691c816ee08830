"""What became of every row of a file, and what there is to do about it."""

import pandas as pd
import streamlit as st

from narrative_core.build_memory import build_memory
from narrative_core.counting import count
from narrative_core.document_filters import Filter
from narrative_core.free_memory import available_memory
from narrative_core.records import LoadReport
from narrative_core.store.copies import load_copies
from narrative_core.ui import resources, state
from narrative_core.ui.csv_button import csv_button
from narrative_core.ui.words import markdown_text

SHOWN_PROBLEMS = 200


def load_report_view(report: LoadReport, *, place: str) -> None:
    """Show the counts of a load report and the rows that need attention; nothing is left out silently.

    ``place`` tells this view from others on the page.
    """
    told = [
        f"{count(report.read, 'row')} read",
        f"{count(report.kept, 'document')} kept",
        f"{report.undated:,} without a date",
        count(report.duplicates, "duplicate"),
        f"{report.dropped:,} dropped",
    ]
    st.markdown(" · ".join(told))
    separated = report.delimiter and f"separated by {delimiter_word(report.delimiter)}"
    details = [part for part in (report.encoding, separated) if part]
    if report.date_format:
        details.append(f"dates: {report.date_format}")
    if details:
        st.caption(markdown_text(" · ".join(details)))
    for notice in report.notices:
        st.caption(markdown_text(notice))
    if report.undated:
        st.caption("Documents without a date are on the map and in search, but not on a chronological trail.")
    if report.problems:
        with st.expander(f"{count(len(report.problems), 'remark')} on rows"):
            rows = [(problem.row, problem.reason) for problem in report.problems]
            table = pd.DataFrame(rows[:SHOWN_PROBLEMS], columns=["Row", "Remark"])
            st.dataframe(table, hide_index=True, key=f"remarks-table-{place}")
            csv_button("All remarks as CSV", ["row", "remark"], rows, "remarks.csv", key=f"remarks-{place}")


def document_buttons(name: str, *, place: str) -> None:
    """Offer the documents that need a person: those without a date, and groups of copies."""
    summary = resources.summary(name)
    n_undated = summary.n_undated if summary is not None else 0
    to_date = f"Give dates to {count(n_undated, 'document')}"
    with st.container(horizontal=True, gap="small"):
        if n_undated and st.button(to_date, key=f"undated-{place}-{name}", icon=":material/edit_calendar:"):
            _see(name, Filter(state="undated"))
        if load_copies(resources.database(), name) and st.button(
            "Look at the copies", key=f"copies-{place}-{name}", icon=":material/content_copy:"
        ):
            _see(name, Filter(state="copies"))


def copies_line(name: str) -> str:
    """Return how many groups of copies a collection has, and how many documents are in them; "" without any."""
    copies = load_copies(resources.database(), name) or {}
    groups = len(set(copies.values()))
    return f"{count(groups, 'group')} of copies, {count(len(copies), 'document')}" if copies else ""


def build_needs(n_documents: int) -> str:
    """Return what memory building the map takes, and what is free, as a sentence."""
    needed, available = build_memory(n_documents), available_memory()
    told = f"Building the map takes at most about {_gigabytes(needed)} of memory"
    return f"{told}." if available is None else f"{told}; {_gigabytes(available)} are free."


def delimiter_word(delimiter: str) -> str:
    """Return what separates the columns of a file, in a word."""
    return {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}.get(delimiter, delimiter)


def _see(name: str, wanted: Filter) -> None:
    state.choose_collection(name)
    state.choose_documents(wanted)
    st.switch_page("pages/explore/documents.py")


def _gigabytes(n_bytes: int) -> str:
    return f"{n_bytes / 1e9:,.1f} GB"
