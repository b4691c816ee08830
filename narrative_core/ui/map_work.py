"""What the map is coloured by, computed once: the columns that documents can be told apart by, and their reach."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from narrative_core.extraction import LoadedCollection, reach_of
from narrative_core.holdings import ListedColumn, listed_column
from narrative_core.records import TrailRequest

KEPT_COLUMNS, KEPT_REACHES = 2, 32
SOURCE: Final = "source"


def columns(loaded: LoadedCollection) -> Mapping[str, ListedColumn]:
    """Return the sources, under "", and by name the further columns that have two values or more, but few."""
    return _columns(loaded.edition, loaded)


def reach(loaded: LoadedCollection, document_id: str, request: TrailRequest | None) -> NDArray[np.float64]:
    """Return the reach of a document under the conditions of a request, see `extraction.reach_of`."""
    conditions = reach_conditions(request or TrailRequest("", ""))
    return _reach(loaded.edition, document_id, conditions, loaded)


def reach_conditions(request: TrailRequest) -> TrailRequest:
    """Return what of a request counts for a reach: not its ends, its pins, its length or what was made by hand."""
    return replace(request, source="", target="", via=(), maximum_length=None, by_hand=())


@st.cache_resource(max_entries=KEPT_COLUMNS, show_spinner=False)
def _columns(edition: str, _loaded: LoadedCollection) -> Mapping[str, ListedColumn]:
    del edition
    documents = _loaded.documents
    names = dict.fromkeys(name for document in documents for name in document.extras)
    found = {"": listed_column(SOURCE, [document.source for document in documents])}
    for name in names:
        column = listed_column(name, [document.extras.get(name, "") for document in documents])
        if column.is_listed:
            found[name] = column
    return {name: column for name, column in found.items() if len(set(column.values) - {""}) > 1}


@st.cache_data(max_entries=KEPT_REACHES, show_spinner=False)
def _reach(edition: str, document_id: str, conditions: TrailRequest, _loaded: LoadedCollection) -> NDArray[np.float64]:
    del edition
    return reach_of(_loaded, document_id, conditions=conditions)
