"""What is opened once and kept: the database, the job runner, loaded collections, told stories."""

import numpy as np
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from narrative_core import extraction, pipeline
from narrative_core.ingest.columns import ColumnChoice, detect_columns
from narrative_core.ingest.tables import RawTable, read_table
from narrative_core.intake import install_shipped
from narrative_core.jobs import JobRunner
from narrative_core.records import CollectionSummary, SavedStory, StoryPair, TrailRequest
from narrative_core.settings import database_path
from narrative_core.store.collections import list_collections
from narrative_core.store.database import Database, open_database
from narrative_core.store.stories import list_stories

KEPT_COLLECTIONS = 2
KEPT_STORIES = 256
OPENING_SEED = 7
OPENING_ENDPOINTS = {"spaceflight": ("1961-04-12-soviet-pilot", "1998-12-10-cabana-krikalev")}


@st.cache_resource(show_spinner="Opening the database …")
def database() -> Database:
    """Return the one connection of this process, with the built-in collections stored."""
    opened = open_database(database_path())
    install_shipped(opened)
    return opened


@st.cache_resource(show_spinner=False)
def runner() -> JobRunner:
    """Return the job runner of this process."""
    return JobRunner(database())


def summaries() -> tuple[CollectionSummary, ...]:
    """Return all stored collections as they are now."""
    return list_collections(database())


def summary(name: str) -> CollectionSummary | None:
    """Return one stored collection as it is now, ``None`` where there is none of that name."""
    return next((found for found in summaries() if found.collection.name == name), None)


def stories(collection: str | None = None) -> tuple[SavedStory, ...]:
    """Return the saved stories, newest first."""
    return list_stories(database(), collection)


@st.cache_resource(max_entries=KEPT_COLLECTIONS, show_spinner="Comparing all pairs of documents …")
def loaded(name: str, landscape_id: str) -> extraction.LoadedCollection:
    """Return a built collection in memory; another landscape of the same name is another entry."""
    del landscape_id
    return pipeline.load(database(), name)


@st.cache_data(max_entries=KEPT_STORIES, show_spinner=False)
def told(name: str, landscape_id: str, request: TrailRequest) -> StoryPair:
    """Return the answer to a request; see `extraction.tell` for what it raises."""
    return extraction.tell(loaded(name, landscape_id), request)


@st.cache_data(max_entries=KEPT_COLLECTIONS, show_spinner=False)
def opening_request(name: str, landscape_id: str) -> TrailRequest:
    """Return the endpoints that a collection opens on: the chosen ones of a built-in collection, else a good story."""
    chosen = OPENING_ENDPOINTS.get(name)
    if chosen is not None and all(document_id in loaded(name, landscape_id).row_of for document_id in chosen):
        return TrailRequest(*chosen)
    return extraction.surprise(loaded(name, landscape_id), rng=np.random.default_rng(OPENING_SEED))


@st.cache_resource(max_entries=2, show_spinner="Reading the file …")
def understood(file_id: str, _file: UploadedFile) -> tuple[RawTable, ColumnChoice]:
    """Return the rows of an uploaded file and which column seems to be what; read once per upload."""
    del file_id
    table = read_table(_file.getvalue(), _file.name)
    return table, detect_columns(table)


def relabel(name: str, stop_list: list[str]) -> None:
    """Name the topics of a collection anew without some words, and let go of what was told with the old names."""
    pipeline.relabel(database(), name, stop_list)
    forget_loaded()


def forget_loaded() -> None:
    """Let go of what is kept of collections: one of them has changed or is gone."""
    loaded.clear()
    told.clear()
    opening_request.clear()


def surprise(name: str, landscape_id: str) -> TrailRequest:
    """Return endpoints that have a good story, different every time."""
    return extraction.surprise(loaded(name, landscape_id), rng=np.random.default_rng())
