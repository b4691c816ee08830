"""The fitted map of a collection, kept as it was computed: reopening it shows the same picture on any machine."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields
from typing import Any

import numpy as np
import pyarrow as pa

from narrative_core.errors import InvalidInput
from narrative_core.records import Landscape, LandscapeParameters, Topic
from narrative_core.store.bulk import fetch_table, insert_rows, list_array, matrix_from_lists
from narrative_core.store.catalogue import count_documents, require_collection
from narrative_core.store.database import Database
from narrative_core.store.missing import nan_from_null, null_from_nan
from narrative_core.store.tables import Cursor

LANDSCAPE_DELETIONS = (
    "DELETE FROM landscapes WHERE collection = ?",
    "DELETE FROM points WHERE collection = ?",
    "DELETE FROM topics WHERE collection = ?",
    "DELETE FROM memberships WHERE collection = ?",
    "DELETE FROM projections WHERE collection = ?",
)


def save_landscape(database: Database, name: str, landscape: Landscape) -> None:
    """Save the landscape of a collection in place of its former one.

    Saved stories of the former one keep its id; what new documents would have been placed on it by is gone.

    Parameters
    ----------
    database : Database
        Where to.
    name : str
        The collection.
    landscape : Landscape
        One row a document of the collection.

    Raises
    ------
    InvalidInput
        If there is no collection of that name, or an array has another shape than its documents ask for.
    """
    with database.transaction() as cursor:
        _require_shapes(landscape, name, count_documents(cursor, name))
        for statement in LANDSCAPE_DELETIONS:
            cursor.execute(statement, [name])
        cursor.execute(
            "INSERT INTO landscapes (collection, landscape_id, critical_coherence, median_link, n_memberships,"
            " parameters, versions, notices, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                name,
                landscape.landscape_id,
                null_from_nan(landscape.critical_coherence),
                null_from_nan(landscape.median_link),
                landscape.memberships.shape[1],
                json.dumps(asdict(landscape.parameters), ensure_ascii=False),
                json.dumps(dict(landscape.versions), ensure_ascii=False),
                json.dumps(list(landscape.notices), ensure_ascii=False),
                landscape.created_at,
            ],
        )
        _insert_rows_of_documents(cursor, name, landscape)
        _insert_topics(cursor, name, landscape.topics)


def save_topics(database: Database, name: str, topics: Sequence[Topic]) -> None:
    """Save other names and words of a landscape's topics; nothing else of it changes.

    Raises
    ------
    InvalidInput
        If there is no collection of that name.
    """
    with database.transaction() as cursor:
        require_collection(cursor, name)
        cursor.execute("DELETE FROM topics WHERE collection = ?", [name])
        _insert_topics(cursor, name, topics)


def delete_landscape(database: Database, name: str) -> None:
    """Delete the landscape of a collection, which then has to be built again; its documents and vectors stay.

    Raises
    ------
    InvalidInput
        If there is no collection of that name.
    """
    with database.transaction() as cursor:
        require_collection(cursor, name)
        for statement in LANDSCAPE_DELETIONS:
            cursor.execute(statement, [name])


def load_placed(database: Database, name: str) -> frozenset[str]:
    """Return the ids of the documents that were placed on the landscape after it was fitted.

    Raises
    ------
    InvalidInput
        If there is no collection of that name.
    """
    with database.reading() as cursor:
        require_collection(cursor, name)
        rows = cursor.execute(
            "SELECT document_id FROM points JOIN documents USING (collection, position)"
            " WHERE collection = ? AND is_placed",
            [name],
        ).fetchall()
    return frozenset(row[0] for row in rows)


def load_landscape(database: Database, name: str) -> Landscape | None:
    """Return the landscape of a collection, ``None`` where none was built.

    Raises
    ------
    InvalidInput
        If there is no collection of that name.
    """
    with database.reading() as cursor:
        require_collection(cursor, name)
        found = cursor.execute(
            "SELECT landscape_id, critical_coherence, median_link, n_memberships, parameters, versions, notices,"
            " created_at FROM landscapes WHERE collection = ?",
            [name],
        ).fetchall()
        if not found:
            return None
        landscape_id, critical_coherence, median_link, n_memberships, parameters, versions, notices, created_at = found[
            0
        ]
        query = "SELECT x, y, nearest_topic, is_outlier FROM points WHERE collection = ? ORDER BY position"
        points = fetch_table(cursor, query, [name])
        query = "SELECT membership FROM memberships WHERE collection = ? ORDER BY position"
        memberships = fetch_table(cursor, query, [name])["membership"]
        topics = _load_topics(cursor, name)
    return Landscape(
        landscape_id=landscape_id,
        positions=np.column_stack([points["x"].to_numpy(), points["y"].to_numpy()]),
        nearest_topic=np.array(points["nearest_topic"].to_numpy(), dtype=np.int64),
        is_outlier=np.array(points["is_outlier"].to_numpy(), dtype=np.bool_),
        memberships=matrix_from_lists(memberships, n_memberships, np.float64),
        topics=topics,
        parameters=_parameters(json.loads(parameters)),
        critical_coherence=nan_from_null(critical_coherence),
        median_link=nan_from_null(median_link),
        created_at=created_at,
        versions=json.loads(versions),
        notices=tuple(json.loads(notices)),
    )


def load_topics(database: Database, name: str) -> tuple[Topic, ...]:
    """Return the topics of a landscape as they were found, whatever they were named since; empty without a landscape.

    Raises
    ------
    InvalidInput
        If there is no collection of that name.
    """
    with database.reading() as cursor:
        require_collection(cursor, name)
        return _load_topics(cursor, name)


def _load_topics(cursor: Cursor, name: str) -> tuple[Topic, ...]:
    rows = cursor.execute(
        "SELECT topic, label, words, size FROM topics WHERE collection = ? ORDER BY topic", [name]
    ).fetchall()
    return tuple(Topic(topic, label, tuple(words), size) for topic, label, words, size in rows)


def _parameters(stored: dict[str, Any]) -> LandscapeParameters:
    """Return the settings of a fit, also of a version of the program that knew other ones."""
    known = {field.name for field in fields(LandscapeParameters)}
    return LandscapeParameters(**{key: value for key, value in stored.items() if key in known})


def _require_shapes(landscape: Landscape, name: str, n_documents: int) -> None:
    shapes = {
        "positions": (landscape.positions, (n_documents, 2)),
        "nearest_topic": (landscape.nearest_topic, (n_documents,)),
        "is_outlier": (landscape.is_outlier, (n_documents,)),
        "memberships": (landscape.memberships, (n_documents, *landscape.memberships.shape[1:2])),
    }
    for field, (array, expected) in shapes.items():
        if array.shape != expected or (field == "memberships" and array.ndim != 2):
            msg = (
                f"Collection {name!r} has {n_documents} documents, but {field} has shape {array.shape}. "
                "Build the landscape from this collection's own documents."
            )
            raise InvalidInput(msg)


def _insert_rows_of_documents(cursor: Cursor, name: str, landscape: Landscape) -> None:
    position = np.arange(len(landscape.positions), dtype=np.int32)
    x, y = np.ascontiguousarray(landscape.positions.T, dtype=np.float64)
    insert_rows(
        cursor,
        "INSERT INTO points (collection, position, x, y, nearest_topic, is_outlier)"
        " SELECT ?, position, x, y, nearest_topic, is_outlier FROM incoming",
        pa.table(
            {
                "position": position,
                "x": x,
                "y": y,
                "nearest_topic": landscape.nearest_topic,
                "is_outlier": landscape.is_outlier,
            }
        ),
        [name],
    )
    insert_rows(
        cursor,
        "INSERT INTO memberships (collection, position, membership) SELECT ?, position, membership FROM incoming",
        pa.table({"position": position, "membership": list_array(landscape.memberships)}),
        [name],
    )


def _insert_topics(cursor: Cursor, name: str, topics: Iterable[Topic]) -> None:
    for topic in topics:
        cursor.execute(
            "INSERT INTO topics (collection, topic, label, words, size) VALUES (?, ?, ?, ?, ?)",
            [name, int(topic.topic), topic.label, list(topic.words), int(topic.size)],
        )
