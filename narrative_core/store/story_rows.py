"""Saved stories, their documents and their links as rows."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from narrative_core.curation import Annotations
from narrative_core.records import CurvePoint, Document, Link, SavedStory, Story, StoryKind, StoryPair, TrailRequest
from narrative_core.store.bulk import insert_rows
from narrative_core.store.document_rows import document_columns, document_from_row
from narrative_core.store.missing import nan_from_null, null_from_nan
from narrative_core.store.tables import Cursor

StoryKey = tuple[str, str]
"""Story id and kind."""


def story_values(story: SavedStory) -> dict[str, object]:
    """Return the row of a saved story, apart from its documents and links."""
    pair, request = story.pair, story.pair.request
    curve = pair.curve
    return {
        "story_id": story.story_id,
        "name": story.name,
        "note": story.note,
        "collection": story.collection,
        "landscape_id": story.landscape_id,
        "created_at": story.created_at,
        "source": request.source,
        "target": request.target,
        "via": list(request.via),
        "avoid": list(request.avoid),
        "maximum_gap_days": request.maximum_gap_days,
        "maximum_length": request.maximum_length,
        "is_chronological": request.is_chronological,
        **_measures(pair.trail),
        **_measures(pair.baseline),
        "draw": int(pair.draw),
        "draw_bottlenecks": [float(bottleneck) for bottleneck in pair.draw_bottlenecks],
        "beaten": int(pair.beaten),
        "seed": int(pair.seed),
        "median_link": null_from_nan(pair.median_link),
        "curve": None if curve is None else [_curve_value(point) for point in curve],
        "unconstrained_bottleneck": null_from_nan(pair.unconstrained_bottleneck),
        "avoid_sources": list(request.avoid_sources),
        "avoid_topics": list(request.avoid_topics),
        "by_hand": list(request.by_hand),
        "family_id": story.family_id,
        "version": int(story.version),
        "annotations": _annotations_json(story.annotations),
    }


def story_side(row: dict[str, Any], kind: StoryKind, documents: Sequence[Document], links: Sequence[Link]) -> Story:
    """Return one side of a saved pair from its row, its documents and its links."""
    return Story(
        kind=kind,
        documents=tuple(documents),
        links=tuple(links),
        bottleneck=nan_from_null(row[f"{kind}_bottleneck"]),
        mean=nan_from_null(row[f"{kind}_mean"]),
        reliability=nan_from_null(row[f"{kind}_reliability"]),
    )


def saved_story(row: dict[str, Any], trail: Story, baseline: Story) -> SavedStory:
    """Return a saved story from its row and the two sides of its pair."""
    request = TrailRequest(
        source=row["source"],
        target=row["target"],
        via=tuple(row["via"]),
        avoid=tuple(row["avoid"]),
        maximum_gap_days=row["maximum_gap_days"],
        maximum_length=row["maximum_length"],
        is_chronological=row["is_chronological"],
        avoid_sources=tuple(row["avoid_sources"]),
        avoid_topics=tuple(row["avoid_topics"]),
        by_hand=tuple(row["by_hand"]),
    )
    curve = row["curve"]
    pair = StoryPair(
        request=request,
        trail=trail,
        baseline=baseline,
        draw=row["draw"],
        draw_bottlenecks=tuple(row["draw_bottlenecks"]),
        beaten=row["beaten"],
        seed=row["seed"],
        median_link=nan_from_null(row["median_link"]),
        curve=None if curve is None else tuple(CurvePoint(at["length"], at["bottleneck"]) for at in curve),
        unconstrained_bottleneck=nan_from_null(row["unconstrained_bottleneck"]),
    )
    return SavedStory(
        story_id=row["story_id"],
        name=row["name"],
        note=row["note"],
        collection=row["collection"],
        landscape_id=row["landscape_id"],
        created_at=row["created_at"],
        pair=pair,
        family_id=row["family_id"],
        version=row["version"],
        annotations=_annotations(row["annotations"]),
    )


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


def _curve_value(point: CurvePoint) -> dict[str, float]:
    return {"length": int(point.length), "bottleneck": float(point.bottleneck)}


def _measures(side: Story) -> dict[str, float | None]:
    return {
        f"{side.kind}_bottleneck": null_from_nan(side.bottleneck),
        f"{side.kind}_mean": null_from_nan(side.mean),
        f"{side.kind}_reliability": null_from_nan(side.reliability),
    }


def _annotations_json(annotations: Annotations) -> str:
    """Return what stands beside a story as a JSON object."""
    return json.dumps(
        {
            "document_notes": dict(annotations.document_notes),
            "link_notes": [[*ends, note] for ends, note in annotations.link_notes.items()],
            "copies": dict(annotations.copies),
        }
    )


def _annotations(told: str) -> Annotations:
    """Return what stands beside a story; nothing for one that was saved before there were notes."""
    value = json.loads(told)
    return Annotations(
        document_notes=value.get("document_notes", {}),
        link_notes={(source, target): note for source, target, note in value.get("link_notes", [])},
        copies=value.get("copies", {}),
    )
