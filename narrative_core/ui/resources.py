"""What is opened once and kept: the database, the job runner, loaded collections, told stories."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from narrative_core import extraction, pipeline
from narrative_core.curation import Curation, arrangement_key, curation_key
from narrative_core.document_index import index_documents
from narrative_core.holdings import Shelf, shelve
from narrative_core.intake import install_shipped
from narrative_core.jobs import JobRunner
from narrative_core.records import CollectionSummary, SavedStory, StoryPair, TrailRequest
from narrative_core.settings import database_path
from narrative_core.store.collections import list_collections, load_collection, load_documents
from narrative_core.store.curations import load_curation
from narrative_core.store.database import Database, open_database
from narrative_core.store.stories import list_stories
from narrative_core.trails.graph import TrailGraph

KEPT_COLLECTIONS = 2
KEPT_STORIES = 256
LARGE_COLLECTION = 4_000
"""Documents from which the coherence of all pairs (0.13 GB) is so large that no other one is kept beside it."""

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


def stories(collection: str | None = None, *, is_newest_only: bool = False) -> tuple[SavedStory, ...]:
    """Return the saved stories, newest first; on demand only the latest version of each."""
    return list_stories(database(), collection, is_newest_only=is_newest_only)


def loaded(name: str, landscape_id: str) -> extraction.LoadedCollection:
    """Return a built collection in memory as it is curated now; another landscape of the same name is another entry."""
    # What was decided about the topics of another landscape does not count, so it is in no key either.
    curation = load_curation(database(), name).on_landscape(landscape_id)
    found = _loaded(name, landscape_id, curation_key(curation), curation)
    # Notes are part of no key: they are those of now, whenever the rest was laid out.
    return replace(found, curation=curation.on_landscape(found.landscape.landscape_id))


def told(name: str, landscape_id: str, request: TrailRequest) -> StoryPair:
    """Return the answer to a request; see `extraction.tell` for what it raises."""
    opened = loaded(name, landscape_id)
    return _told(name, opened.edition, request, opened)


def opening_request(name: str, landscape_id: str) -> TrailRequest:
    """Return the endpoints that a collection opens on: the chosen ones of a built-in collection, else a good story."""
    opened = loaded(name, landscape_id)
    return _opening_request(name, opened.edition, opened)


@st.cache_resource(max_entries=KEPT_COLLECTIONS, show_spinner="Comparing all pairs of documents …")
def _coherence(name: str, landscape_id: str) -> NDArray[np.float64]:
    del landscape_id
    _make_room(name, _coherence.clear, _graph.clear, _loaded.clear)
    return pipeline.load_coherence(database(), name)


@st.cache_resource(max_entries=KEPT_COLLECTIONS, show_spinner=False)
def _graph(name: str, landscape_id: str, arrangement: str, _curation: Curation) -> TrailGraph:
    """Return the graph of the documents that take part: other names of topics need no other one."""
    del arrangement
    coherence = _coherence(name, landscape_id)
    _make_room(name, _graph.clear, _loaded.clear)
    return pipeline.load_graph(database(), name, _curation, coherence=coherence)


def _make_room(name: str, *forget: Callable[[], None]) -> None:
    """Let go of what is kept, before another large collection, or another arrangement of one, is laid out."""
    opened = summary(name)
    if opened is not None and opened.n_documents >= LARGE_COLLECTION:
        for clear in forget:
            clear()


@st.cache_resource(max_entries=KEPT_COLLECTIONS, show_spinner=False)
def _loaded(name: str, landscape_id: str, key: str, _curation: Curation) -> extraction.LoadedCollection:
    del key
    graph = _graph(name, landscape_id, arrangement_key(_curation), _curation)
    return pipeline.load(database(), name, curation=_curation, graph=graph)


@st.cache_data(max_entries=KEPT_STORIES, show_spinner=False)
def _told(name: str, edition: str, request: TrailRequest, _loaded: extraction.LoadedCollection) -> StoryPair:
    del name, edition
    return extraction.tell(_loaded, request)


@st.cache_data(max_entries=KEPT_COLLECTIONS, show_spinner=False)
def _opening_request(name: str, edition: str, _loaded: extraction.LoadedCollection) -> TrailRequest:
    del edition
    chosen = OPENING_ENDPOINTS.get(name)
    if chosen is not None and all(document_id in _loaded.row_of for document_id in chosen):
        return TrailRequest(*chosen)
    return extraction.surprise(_loaded, rng=np.random.default_rng(OPENING_SEED))


@st.cache_resource(max_entries=KEPT_COLLECTIONS, show_spinner="Reading every word of the documents …")
def shelf(name: str, landscape_id: str) -> Shelf:
    """Return all stored documents of a collection, built or not, ready to be searched."""
    del landscape_id
    return shelve(load_collection(database(), name), index_documents(load_documents(database(), name)))


def forget_loaded() -> None:
    """Let go of what is kept of collections: one of them has changed or is gone."""
    for kept in (_coherence, _graph, _loaded, _told, _opening_request, shelf):
        kept.clear()


def forget_names() -> None:
    """Let go of what tells names of topics and words in common: they were found anew."""
    for kept in (_loaded, _told, _opening_request):
        kept.clear()


def surprise(name: str, landscape_id: str) -> TrailRequest:
    """Return endpoints that have a good story, different every time."""
    return extraction.surprise(loaded(name, landscape_id), rng=np.random.default_rng())
