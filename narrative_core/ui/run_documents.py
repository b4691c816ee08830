"""What a run's stories are made of, read once: the documents of its collection, and where they lie on the map."""

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from narrative_core.records import Document, Link, Story, StoryKind
from narrative_core.run_export_figures import Coverage, load_coverage
from narrative_core.runs import Made, RunStory, RunTable
from narrative_core.store.collections import load_documents
from narrative_core.store.landscapes import load_landscape
from narrative_core.trails.measures import mean_strength, reliability
from narrative_core.ui import resources

KEPT_COLLECTIONS = 3


def documents_of(collection: str) -> Mapping[str, Document]:
    """Return the documents of a collection by id; none where it is not here any more."""
    summary = resources.summary(collection)
    return {} if summary is None else _documents(collection, summary.landscape_id or "", summary.n_documents)


def coverage_of(table: RunTable) -> Coverage | None:
    """Return where the endpoint pairs of a run lie, ``None`` where its map or one of its documents is gone."""
    stored = resources.summary(table.run.settings.collection)
    return None if stored is None else _coverage(table.run.run_id, stored.landscape_id or "", table)


def end_topics(table: RunTable, coverage: Coverage) -> NDArray[np.int64]:
    """Return the topics of source and target of each pair, (n_pairs, 2), −1 where there is none."""
    topics: NDArray[np.int64] = _topics(table.run.settings.collection, table.run.landscape_id)[coverage.ends]
    return topics


def told_story(story: RunStory, documents: Mapping[str, Document]) -> Story:
    """Return a story of a run as it is read; a document that is not here any more stands in it with its id alone.

    The halves of a link's strength and its shared terms are not kept with a run: they are nan, and none.
    """
    told = tuple(documents.get(one) or Document(one, f"{one} (not here any more)", "") for one in story.document_ids)
    weakest = min(story.strengths)
    links = tuple(
        Link(
            source=first.document_id,
            target=second.document_id,
            coherence=strength,
            wording_similarity=float("nan"),
            topic_similarity=float("nan"),
            days_between=(second.date - first.date).days if first.date and second.date else None,
            shared_terms=(),
            is_weakest=strength == weakest,
            is_weak=strength == weakest,
        )
        for strength, first, second in zip(story.strengths, told[:-1], told[1:], strict=True)
    )
    kind: StoryKind = "baseline" if story.made == "baseline" else "trail"
    return Story(kind, told, links, weakest, mean_strength(story.strengths), reliability(story.strengths))


def stories_of_pair(table: RunTable, pair: int) -> Mapping[Made, RunStory]:
    """Return the stories of one pair by how they were made."""
    return {story.made: story for story in table.stories if story.pair == pair}


def pairs_of(table: RunTable, rows: Sequence[int]) -> tuple[int, ...]:
    """Return the pairs of some stories, each once, in the order of the stories."""
    return tuple(dict.fromkeys(table.stories[row].pair for row in rows))


@st.cache_resource(max_entries=KEPT_COLLECTIONS, show_spinner="Reading the documents …")
def _documents(collection: str, landscape_id: str, n_documents: int) -> Mapping[str, Document]:
    del landscape_id, n_documents
    return {document.document_id: document for document in load_documents(resources.database(), collection)}


@st.cache_resource(max_entries=KEPT_COLLECTIONS, show_spinner="Reading the map …")
def _coverage(run_id: str, landscape_id: str, _table: RunTable) -> Coverage | None:
    del run_id, landscape_id
    return load_coverage(resources.database(), _table)


@st.cache_resource(max_entries=KEPT_COLLECTIONS, show_spinner=False)
def _topics(collection: str, landscape_id: str) -> NDArray[np.int64]:
    del landscape_id
    landscape = load_landscape(resources.database(), collection)
    return np.empty(0, dtype=np.int64) if landscape is None else landscape.nearest_topic
