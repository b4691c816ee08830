"""A landscape whose documents have changed: those that stay keep place and topic, others are placed beside them."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from narrative_core.build_stages import Stages
from narrative_core.records import Landscape
from narrative_core.space.worker import TOPIC_ARRAYS
from narrative_core.store.project_rows import Placement

_PLACED: Final = re.compile(r"[\d,]+ documents? (?:was|were) placed on the map after it was made; .*")


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Where the n documents of a changed collection come from, by new position.

    ``before`` (n,) is the position that each had, -1 for new ones · ``is_arriving`` (n,) whether it is placed: it is
    new, or says something else than before.
    """

    before: NDArray[np.int64]
    is_arriving: NDArray[np.bool_]

    @property
    def staying(self) -> NDArray[np.int64]:
        """New positions of the documents that keep vector, place and topic."""
        return np.flatnonzero(~self.is_arriving)


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A landscape of all documents, its id and measures still the former ones, and what further ones are placed by."""

    landscape: Landscape
    placement: Placement


def place_arrivals(
    landscape: Landscape, placement: Placement, vectors: NDArray[np.float32], rows: Rows, stages: Stages
) -> Placed | None:
    """Return the landscape with the arriving documents on it, ``None`` where none of those on it stays.

    Parameters
    ----------
    landscape, placement : Landscape, Placement
        As stored, rows in former positions.
    vectors : (n, d) float32
        Of all documents, in new positions.
    rows : Rows
    stages : Stages
        Runs the two steps in child processes.

    Notes
    -----
    Documents are placed by those that the landscape was fitted on, by earlier arrivals where no other is left. Rows
    that stay are the stored ones bit for bit. Topics keep number and name, and count their documents anew.
    """
    staying = rows.staying
    if not len(staying):
        return None
    made = _run(landscape, placement, vectors, rows, stages) if rows.is_arriving.any() else {}
    nearest = _joined(landscape.nearest_topic, rows, made.get("nearest_topic"))
    sizes = np.bincount(nearest[nearest >= 0], minlength=len(landscape.topics))
    projections = placement.projections
    is_placed = _joined(placement.is_placed, rows, np.ones(int(rows.is_arriving.sum()), np.bool_))
    told = [notice for notice in landscape.notices if not _PLACED.fullmatch(notice)]
    moved = replace(
        landscape,
        positions=_joined(landscape.positions, rows, made.get("positions")),
        nearest_topic=nearest,
        is_outlier=_joined(landscape.is_outlier, rows, made.get("is_outlier")),
        memberships=_joined(landscape.memberships, rows, made.get("memberships")),
        topics=tuple(replace(topic, size=int(sizes[topic.topic])) for topic in landscape.topics),
        notices=tuple(dict.fromkeys((*told, *stages.notices, *placed_notice(int(is_placed.sum()))))),
    )
    if projections is not None:
        projections = _joined(projections, rows, made.get("projection"))
    return Placed(moved, Placement(projections, is_placed))


def placed_notice(n_placed: int) -> tuple[str, ...]:
    """Return a sentence on the documents that the landscape was not fitted on, none where there is no such document.

    Examples
    --------
    >>> placed_notice(37)
    ('37 documents were placed on the map after it was made; build it again to fit all.',)
    """
    if not n_placed:
        return ()
    subject = "1 document was" if n_placed == 1 else f"{n_placed:,} documents were"
    return (f"{subject} placed on the map after it was made; build it again to fit all.",)


def placing_key(landscape: Landscape, vectors: NDArray[np.float32], rows: Rows) -> str:
    """Return the hash of all that decides where arriving documents are placed."""
    digest = hashlib.sha256(landscape.landscape_id.encode("utf-8", "replace"))
    for array in (vectors, rows.before, rows.is_arriving):
        digest.update(array.tobytes())
    return digest.hexdigest()


def _run(
    landscape: Landscape, placement: Placement, vectors: NDArray[np.float32], rows: Rows, stages: Stages
) -> dict[str, NDArray[Any]]:
    """Return the arrays of the arriving documents, computed beside this process."""
    staying = rows.staying
    fitted = staying[~placement.is_placed[rows.before[staying]]]
    if not len(fitted):
        fitted = staying
    before = rows.before[fitted]
    arrays = {name: getattr(landscape, name)[before] for name in ("positions", *TOPIC_ARRAYS)}
    if placement.projections is not None:
        arrays["projection"] = placement.projections[before]
    arrays |= {
        "vectors": vectors[fitted],
        "new": vectors[rows.is_arriving],
        "standing": landscape.positions[rows.before[staying]],
    }
    on_map, in_topics = stages.run_together(
        "project", ("place_on_map", "place_in_topics"), arrays, landscape.parameters
    )
    return {**in_topics, **on_map}


def _joined(stored: NDArray[Any], rows: Rows, arriving: NDArray[Any] | None) -> NDArray[Any]:
    """Return the stored rows of the documents that stay and the new ones of those that arrive, in new positions."""
    joined = np.empty((len(rows.before), *stored.shape[1:]), dtype=stored.dtype)
    joined[rows.staying] = stored[rows.before[rows.staying]]
    if arriving is not None:
        joined[rows.is_arriving] = arriving
    return joined


def document_rows(before: Sequence[str], after: Sequence[str], arriving: frozenset[str]) -> Rows:
    """Return where documents come from, by their ids before and after; those ``arriving`` are placed, and all new ones.

    Examples
    --------
    >>> rows = document_rows(["a", "b"], ["new", "b", "a"], frozenset({"b"}))
    >>> rows.before.tolist(), rows.is_arriving.tolist()
    ([-1, 1, 0], [True, True, False])
    """
    position = {document_id: row for row, document_id in enumerate(before)}
    rows = np.array([position.get(document_id, -1) for document_id in after], dtype=np.int64)
    return Rows(rows, (rows < 0) | np.array([document_id in arriving for document_id in after], dtype=np.bool_))
