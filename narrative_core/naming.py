"""What topics are called: when a landscape is built, and again with other words left out."""

from collections.abc import Collection, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from narrative_core.build_stages import StageProgress
from narrative_core.records import Topic
from narrative_core.space.document_text import embedding_text
from narrative_core.space.stops import stop_words
from narrative_core.space.terms import count_documents
from narrative_core.space.topics import label_topics
from narrative_core.store.collections import load_documents, save_stop_words
from narrative_core.store.database import Database
from narrative_core.store.landscapes import load_landscape, save_topics
from narrative_core.store.terms import save_term_counts


def name_topics(
    texts: Sequence[str],
    nearest_topic: NDArray[np.int64],
    is_outlier: NDArray[np.bool_],
    *,
    stop: Collection[str],
    progress: StageProgress,
) -> tuple[tuple[Topic, ...], dict[str, int]]:
    """Return the named topics, and in how many documents each term occurs; see `label_topics`.

    ``progress`` hears of the stage "label", and may raise `Cancelled`.
    """
    progress("label", 0, 2)
    topics = label_topics(
        texts,
        nearest_topic,
        is_outlier,
        stop=stop,
        progress=lambda done, total: progress("label", done, 2 * total),
    )
    term_counts = count_documents(_watched(texts, progress), stop)
    progress("label", 2, 2)
    return topics, term_counts


def relabel(
    database: Database,
    name: str,
    stop_list: Sequence[str],
    *,
    progress: StageProgress = lambda stage, done, total: None,
) -> None:
    """Keep a collection's own stop list, and name its topics anew without those words; nothing else changes.

    Names that a person gave stay.

    Raises
    ------
    InvalidInput
        If there is no such collection.
    Cancelled
        From ``progress``; nothing has changed then.
    """
    landscape = load_landscape(database, name)
    if landscape is None:
        save_stop_words(database, name, stop_list)
        return
    texts = [embedding_text(document.title, document.text) for document in load_documents(database, name)]
    stop = stop_words(stop_list, texts=texts)
    topics, counts = name_topics(texts, landscape.nearest_topic, landscape.is_outlier, stop=stop, progress=progress)
    with database.transaction():
        save_stop_words(database, name, stop_list)
        present = load_landscape(database, name)
        # A build may have ended meanwhile; it took the former list, so its names stand until the next relabelling.
        if present is not None and present.landscape_id == landscape.landscape_id:
            save_topics(database, name, topics)
            save_term_counts(database, name, counts)


def _watched(texts: Sequence[str], progress: StageProgress) -> Iterator[str]:
    for number, text in enumerate(texts):
        if number % 100 == 0:
            progress("label", len(texts) + number, 2 * len(texts))
        yield text
