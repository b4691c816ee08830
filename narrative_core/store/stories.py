"""Saved stories: a whole `StoryPair` under a name, with copies of its documents, which may outlive the collection."""

from collections.abc import Sequence
from typing import Any

from narrative_core.errors import InvalidInput
from narrative_core.records import CurvePoint, Document, Link, SavedStory, Story, StoryKind, StoryPair, TrailRequest
from narrative_core.store.database import Database
from narrative_core.store.missing import nan_from_null, null_from_nan
from narrative_core.store.story_rows import insert_documents, insert_links, load_documents_of, load_links_of
from narrative_core.store.tables import Cursor

INSERT_STORY = """
    INSERT INTO stories (
        story_id, ordinal, name, note, collection, landscape_id, created_at,
        source, target, via, avoid, maximum_gap_days, maximum_length, is_chronological,
        trail_bottleneck, trail_mean, trail_reliability, baseline_bottleneck, baseline_mean, baseline_reliability,
        draw, draw_bottlenecks, beaten, seed, median_link, curve, unconstrained_bottleneck
    )
    SELECT $story_id, coalesce(max(ordinal), 0) + 1, $name, $note, $collection, $landscape_id, $created_at,
        $source, $target, $via, $avoid, $maximum_gap_days, $maximum_length, $is_chronological,
        $trail_bottleneck, $trail_mean, $trail_reliability, $baseline_bottleneck, $baseline_mean, $baseline_reliability,
        $draw, $draw_bottlenecks, $beaten, $seed, $median_link, $curve, $unconstrained_bottleneck
    FROM stories
"""


def save_story(database: Database, story: SavedStory) -> None:
    """Save a new story.

    Parameters
    ----------
    database : Database
        Where to.
    story : SavedStory
        Its id must be new; its collection need not be stored.

    Raises
    ------
    InvalidInput
        If the id is taken, or trail and baseline stand in each other's place.
    """
    pair = story.pair
    if (pair.trail.kind, pair.baseline.kind) != ("trail", "baseline"):
        msg = f"A pair is a trail and a baseline; got a {pair.trail.kind} and a {pair.baseline.kind}. Exchange them."
        raise InvalidInput(msg)
    with database.transaction() as cursor:
        if cursor.execute("SELECT 1 FROM stories WHERE story_id = ?", [story.story_id]).fetchall():
            msg = f"A story {story.story_id!r} is saved already. Save this one under a new id."
            raise InvalidInput(msg)
        cursor.execute(INSERT_STORY, _values(story))
        for side in (pair.trail, pair.baseline):
            insert_documents(cursor, story.story_id, side)
            insert_links(cursor, story.story_id, side)


def list_stories(database: Database, collection: str | None = None) -> tuple[SavedStory, ...]:
    """Return the saved stories, the newest first.

    Parameters
    ----------
    database : Database
        Where from.
    collection : str, optional
        Only the stories of this one; all where not given.
    """
    with database.reading() as cursor:
        return _load_stories(
            cursor,
            "SELECT * FROM stories WHERE $collection IS NULL OR collection = $collection"
            " ORDER BY created_at DESC, ordinal DESC",
            {"collection": collection},
        )


def load_story(database: Database, story_id: str) -> SavedStory:
    """Return a saved story.

    Raises
    ------
    InvalidInput
        If there is none of that id.
    """
    with database.reading() as cursor:
        _require_story(cursor, story_id)
        return _load_stories(cursor, "SELECT * FROM stories WHERE story_id = $story_id", {"story_id": story_id})[0]


def rename_story(database: Database, story_id: str, name: str, note: str) -> None:
    """Give a saved story another name and note.

    Raises
    ------
    InvalidInput
        If there is none of that id.
    """
    with database.transaction() as cursor:
        _require_story(cursor, story_id)
        cursor.execute("UPDATE stories SET name = ?, note = ? WHERE story_id = ?", [name, note, story_id])


def delete_story(database: Database, story_id: str) -> None:
    """Delete a saved story with its copied documents and links.

    Raises
    ------
    InvalidInput
        If there is none of that id.
    """
    with database.transaction() as cursor:
        _require_story(cursor, story_id)
        cursor.execute("DELETE FROM story_links WHERE story_id = ?", [story_id])
        cursor.execute("DELETE FROM story_documents WHERE story_id = ?", [story_id])
        cursor.execute("DELETE FROM stories WHERE story_id = ?", [story_id])


def _require_story(cursor: Cursor, story_id: str) -> None:
    if not cursor.execute("SELECT 1 FROM stories WHERE story_id = ?", [story_id]).fetchall():
        msg = f"There is no saved story {story_id!r}. Choose one from the list of saved stories."
        raise InvalidInput(msg)


def _values(story: SavedStory) -> dict[str, object]:
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
    }


def _curve_value(point: CurvePoint) -> dict[str, float]:
    return {"length": int(point.length), "bottleneck": float(point.bottleneck)}


def _measures(side: Story) -> dict[str, float | None]:
    return {
        f"{side.kind}_bottleneck": null_from_nan(side.bottleneck),
        f"{side.kind}_mean": null_from_nan(side.mean),
        f"{side.kind}_reliability": null_from_nan(side.reliability),
    }


def _load_stories(cursor: Cursor, query: str, parameters: dict[str, str | None]) -> tuple[SavedStory, ...]:
    """Return the stories that a query over ``stories`` finds, in its order."""
    found = cursor.execute(query, parameters).fetchall()
    names = [column[0] for column in cursor.description or ()]
    rows = [dict(zip(names, values, strict=True)) for values in found]
    story_ids = [row["story_id"] for row in rows]
    documents = load_documents_of(cursor, story_ids)
    links = load_links_of(cursor, story_ids)

    def side(row: dict[str, Any], kind: StoryKind) -> Story:
        key = (row["story_id"], kind)
        return _side(row, kind, documents.get(key, ()), links.get(key, ()))

    return tuple(_saved_story(row, side(row, "trail"), side(row, "baseline")) for row in rows)


def _side(row: dict[str, Any], kind: StoryKind, documents: Sequence[Document], links: Sequence[Link]) -> Story:
    return Story(
        kind=kind,
        documents=tuple(documents),
        links=tuple(links),
        bottleneck=nan_from_null(row[f"{kind}_bottleneck"]),
        mean=nan_from_null(row[f"{kind}_mean"]),
        reliability=nan_from_null(row[f"{kind}_reliability"]),
    )


def _saved_story(row: dict[str, Any], trail: Story, baseline: Story) -> SavedStory:
    request = TrailRequest(
        source=row["source"],
        target=row["target"],
        via=tuple(row["via"]),
        avoid=tuple(row["avoid"]),
        maximum_gap_days=row["maximum_gap_days"],
        maximum_length=row["maximum_length"],
        is_chronological=row["is_chronological"],
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
    )
