"""What the page Topics shows, and the long work that it starts: naming topics again, fitting with other seeds."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

import numpy as np
import streamlit as st

from narrative_core.curation import arranged_landscape
from narrative_core.estimates import SeedAgreement
from narrative_core.extraction import LoadedCollection
from narrative_core.jobs import Report
from narrative_core.naming import relabel
from narrative_core.records import Document, Job, Topic
from narrative_core.space.document_text import embedding_text
from narrative_core.space.stops import detect_languages
from narrative_core.stability import check_stability
from narrative_core.store.landscapes import load_topics
from narrative_core.store.stability import load_seed_agreements
from narrative_core.ui import resources

NAMING, CHECK = "relabel", "stability"
KEPT_LANGUAGES = 8
N_TYPICAL: Final = 3


@dataclass(frozen=True, slots=True)
class TopicRow:
    """A topic as the page lists it.

    ``found`` is the name that was found · ``n_outliers`` of ``size`` documents are only nearest to it · ``typical`` are
    its documents that belong to it most · ``parts`` the topics that were merged into it, by their found names.
    """

    topic: int
    label: str
    found: str
    words: tuple[str, ...]
    size: int
    n_outliers: int
    typical: tuple[Document, ...]
    parts: tuple[tuple[int, str], ...]
    is_hidden: bool


def topic_rows(loaded: LoadedCollection, found: Sequence[Topic]) -> tuple[TopicRow, ...]:
    """Return the topics that are shown, by number; those merged into another are among its parts.

    Parameters
    ----------
    loaded : LoadedCollection
    found : sequence of Topic
        The topics as they were found, whatever they are called now; topic ``i`` at place ``i``.
    """
    merged = loaded.curation.merged_topics
    rows = []
    for topic in loaded.landscape.topics:
        if topic.topic in merged:
            continue
        parts = tuple((part, found[part].label) for part in sorted(merged) if merged[part] == topic.topic)
        members = loaded.landscape.nearest_topic == topic.topic
        rows.append(
            TopicRow(
                topic=topic.topic,
                label=topic.label,
                found=found[topic.topic].label,
                words=topic.words,
                size=topic.size,
                n_outliers=int((members & loaded.landscape.is_outlier).sum()),
                typical=_typical(loaded, topic.topic, [part for part, _ in parts]),
                parts=parts,
                is_hidden=topic.topic in loaded.curation.hidden_topics,
            )
        )
    return tuple(rows)


def found_topics(name: str) -> tuple[Topic, ...]:
    """Return the topics of a collection as they were found."""
    return load_topics(resources.database(), name)


@st.cache_data(max_entries=KEPT_LANGUAGES, show_spinner=False)
def languages(edition: str, _loaded: LoadedCollection) -> tuple[str, ...]:
    """Return the languages that a collection seems to be written in, as ISO 639-1 codes, the main one first."""
    del edition
    return detect_languages([embedding_text(one.title, one.text) for one in _loaded.documents])


def start_naming(name: str, stop_list: Sequence[str]) -> None:
    """Name the topics of a collection anew without some words, in the background."""
    database, words = resources.database(), tuple(stop_list)

    def work(report: Report) -> None:
        relabel(database, name, words, progress=report)
        resources.forget_names()

    resources.runner().start(NAMING, name, work)


def start_check(loaded: LoadedCollection, n_seeds: int) -> None:
    """Fit a collection's landscape with other seeds and compare, in the background."""
    database = resources.database()

    def work(report: Report) -> None:
        check_stability(database, loaded, n_seeds=n_seeds, progress=report)

    resources.runner().start(CHECK, loaded.collection.name, work)


def agreements(loaded: LoadedCollection) -> tuple[SeedAgreement, ...]:
    """Return how far other seeds agree, as far as they were compared over the documents that take part now."""
    arranged = arranged_landscape(loaded.landscape.landscape_id, loaded.curation)
    return load_seed_agreements(resources.database(), loaded.collection.name, arranged)


def latest(kind: str, name: str) -> Job | None:
    """Return the newest job of a kind on a collection."""
    return resources.runner().latest(kind, name)


def _typical(loaded: LoadedCollection, topic: int, parts: Sequence[int]) -> tuple[Document, ...]:
    """Return the documents that belong to a topic most, by turns to it and to each topic merged into it.

    Those outside every topic are typical only where there is no other.
    """
    landscape = loaded.landscape
    members = np.flatnonzero((landscape.nearest_topic == topic) & ~landscape.is_outlier)
    if not len(members):
        members = np.flatnonzero(landscape.nearest_topic == topic)
    memberships = landscape.memberships[:, [topic, *parts]][members]
    belonging, own = memberships.max(axis=1), memberships.argmax(axis=1)
    by_turns = [members[own == part][np.argsort(-belonging[own == part], kind="stable")] for part in np.unique(own)]
    best = np.array([row for turn in zip_longest(*by_turns) for row in turn if row is not None][:N_TYPICAL], dtype=int)
    return tuple(loaded.documents[row] for row in sorted(best.tolist()))
