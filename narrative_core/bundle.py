"""A built collection as a folder of plain files: what `export` writes and what the built-in collections ship.

``documents.csv`` (id, title, date, text, source, url, then extra columns) · ``points.csv`` (id, x, y, topic, outlier) ·
``vectors.npy`` (n, d) float32 · ``memberships.npy`` (n, k) float64 · ``landscape.json`` (settings, topics, versions) ·
``judgements.jsonl`` (what judges answered about its stories, as ``recordings.py`` has it). Rows of all but the last two
are in the same order. The two arrays may also be ``.csv`` with the ids in front, to be read by eye.
"""

import csv
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput
from narrative_core.judgements import Judgement
from narrative_core.recordings import write_recording
from narrative_core.records import Document, Landscape, LandscapeParameters, Topic, Vectors

FILES = ("documents.csv", "points.csv", "vectors.npy", "memberships.npy", "landscape.json")
RECORDING = "judgements.jsonl"
"""There where a story of the collection has been judged."""

DOCUMENT_COLUMNS = ("id", "title", "date", "text", "source", "url")
POINT_COLUMNS = ("id", "x", "y", "topic", "outlier")


def write_bundle(
    folder: Path,
    documents: Sequence[Document],
    vectors: Vectors | None,
    landscape: Landscape | None,
    *,
    judgements: Sequence[Judgement] = (),
) -> None:
    """Write a collection to a folder, which is made where it does not exist; an earlier bundle in it is replaced.

    Vectors, landscape and judgements are left out where the collection has none. A partial date is written as partial
    as it is; a column ``date_as_given`` is added where the original wording differs.
    """
    recording = write_recording(judgements)
    folder.mkdir(parents=True, exist_ok=True)
    for name in (*FILES, RECORDING):
        (folder / name).unlink(missing_ok=True)
    write_documents(folder / "documents.csv", documents)
    if recording:
        (folder / RECORDING).write_bytes(recording)
    if vectors is not None:
        np.save(folder / "vectors.npy", vectors.values, allow_pickle=False)
    if vectors is None or landscape is None:
        return
    np.save(folder / "memberships.npy", landscape.memberships, allow_pickle=False)
    with (folder / "points.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(POINT_COLUMNS)
        points = zip(documents, landscape.positions, landscape.nearest_topic, landscape.is_outlier, strict=True)
        writer.writerows(
            (document.document_id, repr(float(x)), repr(float(y)), int(topic), int(outlier))
            for document, (x, y), topic, outlier in points
        )
    (folder / "landscape.json").write_text(_landscape_json(landscape, vectors), encoding="utf-8")


def write_documents(path: Path, documents: Sequence[Document]) -> None:
    """Write documents as CSV, extra columns after the standard ones in alphabetical order."""
    extras = sorted({name for document in documents for name in document.extras})
    has_wording = any(document.date_text != document.iso_date for document in documents)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*DOCUMENT_COLUMNS, *(["date_as_given"] if has_wording else []), *extras])
        for document in documents:
            standard = [document.document_id, document.title, document.iso_date, document.text]
            wording = [document.date_text] if has_wording else []
            others = [document.extras.get(name, "") for name in extras]
            writer.writerow([*standard, document.source, document.url, *wording, *others])


def read_judgements(folder: Path) -> bytes:
    """Return the recording of a bundle as it is in the file, empty where it has none."""
    path = folder / RECORDING
    return path.read_bytes() if path.exists() else b""


def read_vectors(folder: Path) -> Vectors | None:
    """Return the vectors of a bundle, ``None`` where it has none."""
    values = _read_matrix(folder, "vectors")
    if values is None:
        return None
    told = _read_told(folder)
    return Vectors(values.astype(np.float32), str(told.get("model", "")), str(told.get("model_version", "")))


def read_landscape(folder: Path, documents: Sequence[Document]) -> Landscape | None:
    """Return the landscape of a bundle, ``None`` where it has none.

    Raises
    ------
    InvalidInput
        If its rows are not those of the documents.
    """
    told, memberships = _read_told(folder), _read_matrix(folder, "memberships")
    if not told or memberships is None:
        return None
    with (folder / "points.csv").open(encoding="utf-8", newline="") as file:
        points = list(csv.DictReader(file))
    ids = [document.document_id for document in documents]
    if [point["id"] for point in points] != ids or len(memberships) != len(ids):
        raise InvalidInput(f"{folder.name}: points.csv and memberships do not have the rows of documents.csv.")
    return Landscape(
        landscape_id=told["landscape_id"],
        positions=np.array([[float(point["x"]), float(point["y"])] for point in points]).reshape(-1, 2),
        nearest_topic=np.array([int(point["topic"]) for point in points], dtype=np.int64),
        is_outlier=np.array([point["outlier"] == "1" for point in points]),
        memberships=memberships.astype(np.float64),
        topics=tuple(Topic(t["topic"], t["label"], tuple(t["words"]), t["size"]) for t in told["topics"]),
        parameters=LandscapeParameters(**told["parameters"]),
        critical_coherence=told["critical_coherence"],
        median_link=float("nan") if told["median_link"] is None else told["median_link"],
        created_at=told["created_at"],
        versions=told["versions"],
        notices=tuple(told["notices"]),
    )


def _landscape_json(landscape: Landscape, vectors: Vectors) -> str:
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


def _read_told(folder: Path) -> dict[str, Any]:
    path = folder / "landscape.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def _read_matrix(folder: Path, name: str) -> NDArray[np.floating] | None:
    path = folder / f"{name}.csv"
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            return np.array([row[1:] for row in list(csv.reader(file))[1:]], dtype=np.float64)
    path = folder / f"{name}.npy"
    return np.load(path, allow_pickle=False) if path.exists() else None
