"""The two charts beside the list of documents, by time and on the map; what is caught on them is dealt with once."""

from collections.abc import Container, Mapping
from dataclasses import replace
from typing import Final

import numpy as np
import streamlit as st

from narrative_core.document_filters import find
from narrative_core.figures.date_histogram import date_bins, date_histogram
from narrative_core.figures.document_map import document_map
from narrative_core.ui import frame, state
from narrative_core.ui.document_picks import caught_days, caught_documents
from narrative_core.ui.documents_shown import View, change_filter, mark

_CAUGHT: Final = "documents-caught"
_MAP_CONFIG: Final = {
    "displayModeBar": True,
    "displaylogo": False,
    "scrollZoom": False,
    "modeBarButtons": [["lasso2d", "select2d"]],
}
_TIME_CONFIG: Final = {"displayModeBar": False, "scrollZoom": False}


def take_catches(known: Container[str]) -> None:
    """Deal with what was caught on the map or on the bars: documents are selected, days become the range of dates."""
    ids = caught_documents(st.session_state.get(_key("map")), known)
    if ids:
        _forget()
        mark(ids)
    days = caught_days(st.session_state.get(_key("time")))
    if days is not None:
        _forget()
        wanted = state.document_filter()
        is_same = (wanted.first, wanted.last) == days
        first, last = (None, None) if is_same else days
        change_filter(first=first, last=last)


def time_chart(view: View) -> None:
    """Show when the documents of the list are from; a click on a bar is a range of dates."""
    bins = date_bins(view.found.days)
    if len(bins.bins) < 2:
        return
    wanted = view.wanted
    st.plotly_chart(
        date_histogram(bins, first=wanted.first, last=wanted.last, mode=frame.mode()),
        theme=None,
        config=_TIME_CONFIG,
        on_select="rerun",
        selection_mode="points",
        key=_key("time"),
        alt=f"Documents by {bins.unit}.",
    )
    undated = f" {view.found.n_undated:,} without a date are not in it." if view.found.n_undated else ""
    st.html(
        f"<div class='tl-quiet tl-under-chart'>By {bins.unit}. Click a bar to see those dates only, and once more to "
        f"see all.{undated}</div>"
    )


def small_map(view: View) -> None:
    """Show where the documents of the list lie on the map; a lasso or a box selects them."""
    loaded = view.holdings.loaded
    if loaded is None:
        st.caption("This collection has no map yet. Once it is built, documents can be picked from the map here.")
        st.page_link("pages/manage/collections.py", label="Build it", icon=":material/map:")
        return
    rows = view.found.rows
    if view.wanted.state == "selected":
        # A new lasso may catch others than the former one.
        rows = find(view.holdings, replace(view.wanted, state="all"), limit=0).rows
    st.plotly_chart(
        document_map(
            loaded.landscape,
            loaded.documents,
            found=_mask(loaded.row_of, set(view.holdings.ids(rows))),
            marked=_mask(loaded.row_of, set(view.selection)),
            hidden_topics=loaded.curation.hidden_topics,
            mode=frame.mode(),
        ),
        theme=None,
        config=_MAP_CONFIG,
        on_select="rerun",
        selection_mode=("lasso", "box"),
        key=_key("map"),
        alt="Map of the documents, similar ones close together. The list and its boxes do the same.",
    )
    st.html("<div class='tl-quiet tl-under-chart'>Draw around documents to select them. Rings: selected.</div>")


def _mask(row_of: Mapping[str, int], ids: Container[str]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.fromiter((one in ids for one in row_of), bool, len(row_of))


def _key(chart: str) -> str:
    """Return the key of a chart; after a catch it is another one, so that the chart lets go of it."""
    return f"documents-{chart}-{state.collection()}-{int(st.session_state.get(_CAUGHT, 0))}"


def _forget() -> None:
    st.session_state[_CAUGHT] = int(st.session_state.get(_CAUGHT, 0)) + 1
