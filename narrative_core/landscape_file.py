"""A landscape as ``landscape.json`` and ``points.csv`` of a bundle, and back, checked before it is believed."""

import csv
import io
import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from narrative_core.bundle_files import place, read_matrix, read_object, read_rows, require_ids
from narrative_core.errors import InvalidInput
from narrative_core.json_fields import AGAIN, Fields
from narrative_core.records import Divergence, Document, Landscape, LandscapeParameters, Topic, Vectors

POINT_COLUMNS = ("id", "x", "y", "topic", "outlier")
PLACED = "placed"
"""Column behind the others, there where a document was placed on the landscape after the fit."""

_FLAGS: dict[str, bool] = {"0": False, "1": True}


def landscape_json(landscape: Landscape, vectors: Vectors) -> str:
    """Return the settings, topics and versions of a landscape, and what its vectors are, as strict JSON."""
    told = {
        "landscape_id": landscape.landscape_id,
        "created_at": landscape.created_at,
        "model": vectors.model,
        "model_version": vectors.version,
        "parameters": asdict(landscape.parameters),
        "critical_coherence": landscape.critical_coherence,
        "median_link": None if np.isnan(landscape.median_link) else landscape.median_link,
        "topics": [asdict(topic) for topic in landscape.topics],
        "notices": landscape.notices,
        "versions": dict(landscape.versions),
    }
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


def points_csv(
    landscape: Landscape, documents: Sequence[Document], *, is_placed: NDArray[np.bool_] | None = None
) -> str:
    """Return where each document lies and which topic it has, as CSV; numbers come back bit for bit.

    Parameters
    ----------
    landscape : Landscape
    documents : sequence of Document
        In position order.
    is_placed : array (n,) of bool, optional
        Which documents came after the fit; none where not given.
    """
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    placed = (
        [(int(flag),) for flag in is_placed] if is_placed is not None and is_placed.any() else [()] * len(documents)
    )
    writer.writerow((*POINT_COLUMNS, *((PLACED,) if any(placed) else ())))
    points = zip(documents, landscape.positions, landscape.nearest_topic, landscape.is_outlier, placed, strict=True)
    writer.writerows(
        (document.document_id, repr(float(x)), repr(float(y)), int(topic), int(outlier), *flag)
        for document, (x, y), topic, outlier, flag in points
    )
    return file.getvalue()


def read_placed(folder: Path, documents: Sequence[Document]) -> NDArray[np.bool_]:
    """Return which documents of a bundle were placed on its landscape after the fit; (n,), all false without one.

    Parameters
    ----------
    folder : Path
        Its landscape has been read.
    documents : sequence of Document

    Raises
    ------
    InvalidInput
        If a row says something else than 0 or 1.
    """
    rows = read_rows(folder / "points.csv")
    if rows is None or rows[0][-1] != PLACED:
        return np.zeros(len(documents), dtype=np.bool_)
    if unknown := [row[-1] for row in rows[1:] if row[-1] not in _FLAGS]:
        raise InvalidInput(
            f"{place(folder / 'points.csv')} must say 0 or 1 in “{PLACED}”; got “{unknown[0][:60]}”. {AGAIN}"
        )
    return np.array([_FLAGS[row[-1]] for row in rows[1:]], dtype=np.bool_)


def read_landscape(folder: Path, documents: Sequence[Document]) -> Landscape | None:
    """Return the landscape of a bundle, ``None`` where it has none.

    Parameters
    ----------
    folder : Path
    documents : sequence of Document
        Those of the bundle, in position order.

    Raises
    ------
    InvalidInput
        If one of its three files is missing or damaged, or its rows are not those of the documents.
    """
    told = read_object(folder / "landscape.json")
    memberships = read_matrix(folder, "memberships", np.float64)
    points = read_rows(folder / "points.csv")
    if told is None and memberships is None and points is None:
        return None
    if told is None or memberships is None or points is None:
        absent = "landscape.json" if told is None else "points.csv" if points is None else "memberships.npy"
        raise InvalidInput(f"{place(folder / absent)} is missing, without which the others say nothing. {AGAIN}")
    ids = [document.document_id for document in documents]
    what = f"{place(folder / 'points.csv')} and memberships"
    require_ids([row[0] for row in points[1:]], ids, what)
    require_ids(memberships.ids or ids, ids, what)
    if len(memberships.values) != len(ids):
        shape = memberships.values.shape
        raise InvalidInput(f"{what} do not have the rows of documents.csv: {len(ids)}, not {shape[0]}. {AGAIN}")
    with np.errstate(over="ignore"):
        if (memberships.values < 0).any() or not np.isfinite(memberships.values.sum(axis=1)).all():
            raise InvalidInput(f"{place(folder / 'memberships')} must be finite and at least 0. {AGAIN}")
    topics = _topics(told, len(ids))
    positions, nearest_topic, is_outlier = _points(points, len(topics), place(folder / "points.csv"))
    return Landscape(
        landscape_id=told.text("landscape_id", is_blank_allowed=False),
        positions=positions,
        nearest_topic=nearest_topic,
        is_outlier=is_outlier,
        memberships=memberships.values,
        topics=topics,
        parameters=_parameters(told.inner("parameters")),
        critical_coherence=told.number("critical_coherence", most=1.0),
        median_link=told.number("median_link", most=1.0, is_null_allowed=True),
        created_at=told.text("created_at"),
        versions={name: told.inner("versions").text(name) for name in told.inner("versions").told},
        notices=told.texts("notices"),
    )


def _topics(told: Fields, n_documents: int) -> tuple[Topic, ...]:
    topics = tuple(
        Topic(one.whole("topic"), one.text("label"), one.texts("words"), one.whole("size", most=n_documents))
        for one in told.inners("topics")
    )
    if [topic.topic for topic in topics] != list(range(len(topics))):
        raise InvalidInput(f"{told.where}: “topics” must be numbered from 0 in their order; they are not. {AGAIN}")
    return topics


def _points(
    rows: Sequence[tuple[str, ...]], n_topics: int, where: str
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.bool_]]:
    """Return positions (n, 2), nearest topics (n,) and outliers (n,)."""
    if rows[0] not in (POINT_COLUMNS, (*POINT_COLUMNS, PLACED)):
        raise InvalidInput(f"{where} must have the columns {', '.join(POINT_COLUMNS)}. {AGAIN}")
    positions, nearest, outliers = np.empty((len(rows) - 1, 2)), [], []
    for row, (_, x, y, topic, outlier, *_placed) in enumerate(rows[1:]):
        try:
            position, number, is_outlier = (float(x), float(y)), int(topic), _FLAGS[outlier]
            if not all(map(math.isfinite, position)) or not -1 <= number < n_topics:
                raise ValueError
        except (ValueError, KeyError) as error:
            expected = "finite x and y, a topic of landscape.json or -1, and an outlier of 0 or 1"
            raise InvalidInput(f"{where}: row {row + 1} must have {expected}. {AGAIN}") from error
        positions[row] = position
        nearest.append(number)
        outliers.append(is_outlier)
    return positions, np.array(nearest, dtype=np.int64), np.array(outliers, dtype=np.bool_)


def _parameters(told: Fields) -> LandscapeParameters:
    divergence: Any = told.text("divergence")
    if divergence not in get_args(Divergence):
        known = ", ".join(get_args(Divergence))
        raise InvalidInput(f"{told.where}: “divergence” must be one of {known}; got “{divergence[:60]}”. {AGAIN}")
    return LandscapeParameters(
        n_components=told.whole("n_components"),
        n_neighbors=told.whole("n_neighbors"),
        min_dist=told.number("min_dist"),
        metric=told.text("metric"),
        min_cluster_size=told.whole("min_cluster_size"),
        cluster_selection_method=told.text("cluster_selection_method"),
        map_min_dist=told.number("map_min_dist"),
        seed=told.whole("seed", most=2**63 - 1),
        divergence=divergence,
    )
