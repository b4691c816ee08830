"""The documents and links of saved stories as rows."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from narrative_core.records import Document, Link, Story
from narrative_core.store.bulk import insert_rows
from narrative_core.store.document_rows import document_columns, document_from_row
from narrative_core.store.missing import nan_from_null, null_from_nan
from narrative_core.store.tables import Cursor

StoryKey = tuple[str, str]
"""Story id and kind."""


def insert_documents(cursor: Cursor, story_id: str, story: Story) -> None:
    """Insert copies of the documents of one side of a saved pair."""
    insert_rows(
        cursor,
        "INSERT INTO story_documents (story_id, kind, step, document_id, title, text, date, date_text, date_precision,"
        " source, url, extras)"
        " SELECT ?, ?, step, document_id, title, text, date, date_text, date_precision, source, url, extras"
        " FROM incoming",
        pa.table({"step": pa.array(range(len(story.documents)), pa.int32()), **document_columns(story.documents)}),
        [story_id, story.kind],
    )


def insert_links(cursor: Cursor, story_id: str, story: Story) -> None:
    """Insert the links of one side of a saved pair."""
    text = pa.large_string()
    links = story.links
    rows = {
        "step": pa.array(range(len(links)), pa.int32()),
        "source": pa.array([link.source for link in links], text),
        "target": pa.array([link.target for link in links], text),
        "coherence": pa.array([null_from_nan(link.coherence) for link in links], pa.float64()),
        "wording_similarity": pa.array([null_from_nan(link.wording_similarity) for link in links], pa.float64()),
        "topic_similarity": pa.array([null_from_nan(link.topic_similarity) for link in links], pa.float64()),
        "days_between": pa.array([link.days_between for link in links], pa.int32()),
        "shared_terms": pa.array([link.shared_terms for link in links], pa.list_(text)),
        "is_weakest": pa.array([link.is_weakest for link in links], pa.bool_()),
        "is_weak": pa.array([link.is_weak for link in links], pa.bool_()),
    }
    insert_rows(
        cursor,
        "INSERT INTO story_links (story_id, kind, step, source, target, coherence, wording_similarity,"
        " topic_similarity, days_between, shared_terms, is_weakest, is_weak)"
        " SELECT ?, ?, step, source, target, coherence, wording_similarity, topic_similarity, days_between,"
        " shared_terms, is_weakest, is_weak FROM incoming",
        pa.table(rows),
        [story_id, story.kind],
    )


def load_documents_of(cursor: Cursor, story_ids: Sequence[str]) -> Mapping[StoryKey, list[Document]]:
    """Return the documents of stories in order, by story and kind; nothing for a side without any."""
    found = cursor.execute(
        "SELECT story_id, kind, document_id, title, text, date, date_text, date_precision, source, url, extras"
        " FROM story_documents WHERE list_contains(CAST(? AS VARCHAR[]), story_id) ORDER BY story_id, kind, step",
        [list(story_ids)],
    ).fetchall()
    documents: defaultdict[StoryKey, list[Document]] = defaultdict(list)
    for story_id, kind, *row in found:
        documents[story_id, kind].append(document_from_row(row))
    return documents


def load_links_of(cursor: Cursor, story_ids: Sequence[str]) -> Mapping[StoryKey, list[Link]]:
    """Return the links of stories in order, by story and kind; nothing for a side without any."""
    found = cursor.execute(
        "SELECT story_id, kind, source, target, coherence, wording_similarity, topic_similarity, days_between,"
        " shared_terms, is_weakest, is_weak"
        " FROM story_links WHERE list_contains(CAST(? AS VARCHAR[]), story_id) ORDER BY story_id, kind, step",
        [list(story_ids)],
    ).fetchall()
    links: defaultdict[StoryKey, list[Link]] = defaultdict(list)
    for story_id, kind, *row in found:
        links[story_id, kind].append(_link(row))
    return links


def _link(row: Sequence[Any]) -> Link:
    source, target, coherence, wording, topic, days_between, shared_terms, is_weakest, is_weak = row
    return Link(
        source=source,
        target=target,
        coherence=nan_from_null(coherence),
        wording_similarity=nan_from_null(wording),
        topic_similarity=nan_from_null(topic),
        days_between=days_between,
        shared_terms=tuple(shared_terms),
        is_weakest=is_weakest,
        is_weak=is_weak,
    )
