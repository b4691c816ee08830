"""Saved stories: a whole `StoryPair` under a name, with copies of its documents, which may outlive the collection."""

from dataclasses import replace
from typing import Any

from narrative_core.errors import InvalidInput
from narrative_core.records import SavedStory, Story, StoryKind
from narrative_core.store.database import Database
from narrative_core.store.story_rows import (
    insert_documents,
    insert_links,
    load_documents_of,
    load_links_of,
    saved_story,
    story_side,
    story_values,
)
from narrative_core.store.tables import Cursor

INSERT_STORY = """
    INSERT INTO stories (
        story_id, ordinal, name, note, collection, landscape_id, created_at,
        source, target, via, avoid, maximum_gap_days, maximum_length, is_chronological,
        trail_bottleneck, trail_mean, trail_reliability, baseline_bottleneck, baseline_mean, baseline_reliability,
        draw, draw_bottlenecks, beaten, seed, median_link, curve, unconstrained_bottleneck,
        avoid_sources, avoid_topics, by_hand, family_id, version, annotations
    )
    SELECT $story_id, coalesce(max(ordinal), 0) + 1, $name, $note, $collection, $landscape_id, $created_at,
        $source, $target, $via, $avoid, $maximum_gap_days, $maximum_length, $is_chronological,
        $trail_bottleneck, $trail_mean, $trail_reliability, $baseline_bottleneck, $baseline_mean, $baseline_reliability,
        $draw, $draw_bottlenecks, $beaten, $seed, $median_link, $curve, $unconstrained_bottleneck,
        $avoid_sources, $avoid_topics, $by_hand, $family_id, $version, $annotations
    FROM stories
"""

LIST_STORIES = """
    WITH known AS (SELECT *, coalesce(nullif(family_id, ''), story_id) AS family FROM stories),
    ranked AS (
        SELECT *,
            max(created_at) OVER (PARTITION BY collection, family) AS renewed_at,
            max(ordinal) OVER (PARTITION BY collection, family) AS renewed_ordinal,
            row_number() OVER (PARTITION BY collection, family ORDER BY version DESC, ordinal DESC) AS age
        FROM known WHERE ($collection IS NULL OR collection = $collection) AND ($family IS NULL OR family = $family)
    )
    SELECT * FROM ranked WHERE age = 1 OR NOT $is_newest_only
    ORDER BY renewed_at DESC, renewed_ordinal DESC, age
"""

FIND_FAMILY = """
    SELECT coalesce(nullif(family_id, ''), story_id) FROM stories
    WHERE collection = $collection AND $named <> '' AND (story_id = $named OR family_id = $named)
    ORDER BY ordinal LIMIT 1
"""

DELETIONS = (
    "DELETE FROM story_links WHERE story_id = ?",
    "DELETE FROM story_documents WHERE story_id = ?",
    "DELETE FROM stories WHERE story_id = ?",
)


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
        cursor.execute(INSERT_STORY, story_values(story))
        for side in (pair.trail, pair.baseline):
            insert_documents(cursor, story.story_id, side)
            insert_links(cursor, story.story_id, side)


def save_version(database: Database, story: SavedStory) -> SavedStory:
    """Save a story as the next version of one that is saved, and return it with its family and number.

    Parameters
    ----------
    database : Database
    story : SavedStory
        Its id is new; its ``family_id`` names the family, or any version of it, of its own collection. Its ``version``
        is not looked at. The name is that of all versions from now on.

    Raises
    ------
    InvalidInput
        If its collection has no story of that family, or as in `save_story`.
    """
    with database.transaction() as cursor:
        named = {"named": story.family_id, "collection": story.collection}
        found = cursor.execute(FIND_FAMILY, named).fetchall()
        if not found:
            raise InvalidInput(
                f"There is no saved story {story.family_id!r} of collection {story.collection!r} to be a version of. "
                "Save this one as a new story."
            )
        family = found[0][0]
        own = [family, story.collection]
        cursor.execute("UPDATE stories SET family_id = story_id WHERE story_id = ? AND collection = ?", own)
        versions = cursor.execute("SELECT max(version) FROM stories WHERE family_id = ? AND collection = ?", own)
        newest = versions.fetchall()[0][0]
        saved = replace(story, family_id=family, version=newest + 1)
        save_story(database, saved)
        cursor.execute("UPDATE stories SET name = ? WHERE family_id = ? AND collection = ?", [story.name, *own])
    return saved


def list_stories(
    database: Database, collection: str | None = None, *, is_newest_only: bool = False
) -> tuple[SavedStory, ...]:
    """Return the saved stories, the newest first; the versions of one story stand together, the latest first.

    Parameters
    ----------
    database : Database
        Where from.
    collection : str, optional
        Only the stories of this one; all where not given.
    is_newest_only : bool
        Whether of each story the latest version alone is wanted.
    """
    asked = {"collection": collection, "family": None, "is_newest_only": is_newest_only}
    with database.reading() as cursor:
        return _load_stories(cursor, LIST_STORIES, asked)


def story_versions(database: Database, collection: str, family_id: str) -> tuple[SavedStory, ...]:
    """Return the versions of a story of a collection, the latest first; empty where there is no such story.

    Parameters
    ----------
    database : Database
    collection : str
    family_id : str
        As a saved story has it; its ``story_id`` where that is empty.
    """
    asked = {"collection": collection, "family": family_id, "is_newest_only": False}
    with database.reading() as cursor:
        return _load_stories(cursor, LIST_STORIES, asked)


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
    """Give a saved story another name and note; its other versions take the name and keep their notes.

    Raises
    ------
    InvalidInput
        If there is none of that id.
    """
    with database.transaction() as cursor:
        _require_story(cursor, story_id)
        cursor.execute("UPDATE stories SET note = ? WHERE story_id = ?", [note, story_id])
        for version in _family(cursor, story_id):
            cursor.execute("UPDATE stories SET name = ? WHERE story_id = ?", [name, version])


def delete_story(database: Database, story_id: str, *, all_versions: bool = False) -> None:
    """Delete a saved story with its copied documents and links: this version alone, or all versions of it.

    Raises
    ------
    InvalidInput
        If there is none of that id.
    """
    with database.transaction() as cursor:
        _require_story(cursor, story_id)
        for doomed in _family(cursor, story_id) if all_versions else [story_id]:
            for statement in DELETIONS:
                cursor.execute(statement, [doomed])


def _family(cursor: Cursor, story_id: str) -> list[str]:
    """Return the ids of all versions of the story that one of them is, in its collection alone."""
    found = cursor.execute(
        "SELECT other.story_id FROM stories AS other, stories AS this"
        " WHERE this.story_id = $story_id AND other.collection = this.collection"
        " AND (other.story_id = this.story_id OR (this.family_id <> '' AND other.family_id = this.family_id))"
        " ORDER BY other.ordinal",
        {"story_id": story_id},
    ).fetchall()
    return [row[0] for row in found]


def _require_story(cursor: Cursor, story_id: str) -> None:
    if not cursor.execute("SELECT 1 FROM stories WHERE story_id = ?", [story_id]).fetchall():
        msg = f"There is no saved story {story_id!r}. Choose one from the list of saved stories."
        raise InvalidInput(msg)


def _load_stories(cursor: Cursor, query: str, parameters: dict[str, Any]) -> tuple[SavedStory, ...]:
    """Return the stories that a query over ``stories`` finds, in its order."""
    found = cursor.execute(query, parameters).fetchall()
    names = [column[0] for column in cursor.description or ()]
    rows = [dict(zip(names, values, strict=True)) for values in found]
    story_ids = [row["story_id"] for row in rows]
    documents = load_documents_of(cursor, story_ids)
    links = load_links_of(cursor, story_ids)

    def side(row: dict[str, Any], kind: StoryKind) -> Story:
        key = (row["story_id"], kind)
        return story_side(row, kind, documents.get(key, ()), links.get(key, ()))

    return tuple(saved_story(row, side(row, "trail"), side(row, "baseline")) for row in rows)
