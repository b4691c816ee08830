"""Topics of a landscape: groups of the projection, and how much each document belongs to each."""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput
from narrative_core.records import LandscapeParameters

JITTER = 1e-4
"""Size of the displacement that tells equal points apart, relative to the spread of the projection."""


@dataclass(frozen=True, slots=True, eq=False)
class Clustering:
    """Topics of n documents, numbered by size (nearest documents counted), 0 the largest.

    ``nearest_topic`` (n,) int64, -1 for all where there is no topic · ``is_outlier`` (n,) bool, outside every group ·
    ``memberships`` (n, k) float64 in [0, 1], columns in topic order, rows as HDBSCAN gave them (they sum to at most 1)
    and all zero where it gave none · ``notices`` sentences on what had to be adapted.
    """

    nearest_topic: NDArray[np.int64]
    is_outlier: NDArray[np.bool_]
    memberships: NDArray[np.float64]
    notices: tuple[str, ...] = ()

    @property
    def n_topics(self) -> int:
        """Number of topics k."""
        return int(self.memberships.shape[1])


def cluster(projection: NDArray[np.floating], parameters: LandscapeParameters) -> Clustering:
    """Topics of a projection by HDBSCAN, with soft memberships.

    A document in no group is an outlier and keeps the topic of its largest membership, or of the nearest group centre
    where it has none. Equal points get a tiny fixed displacement, without which their density is infinite.

    Parameters
    ----------
    projection : (n, d) float
        From `project`; finite.
    parameters : LandscapeParameters
        ``min_cluster_size`` and ``cluster_selection_method`` are used; shrink them first for a small collection.

    Returns
    -------
    Clustering
        With k = 0 and a notice where no group is found or there are too few documents for one; with k = 1 and all
        documents in it where all points are equal.

    Raises
    ------
    InvalidInput
        If the projection is not a finite table.

    Notes
    -----
    About O(n log n) to O(n²), and O(n · exemplars) for the memberships.

    References
    ----------
    Campello, Moulavi and Sander (2013), Density-based clustering based on hierarchical density estimates;
    McInnes, Healy and Astels (2017), hdbscan, JOSS 2(11), 205.
    """
    return _find(_checked(projection), parameters)[0]


def cluster_and_predict(
    projection: NDArray[np.floating], others: NDArray[np.floating], parameters: LandscapeParameters
) -> tuple[Clustering, Clustering | None]:
    """Topics of a projection as `cluster` finds them, and where other points belong among them.

    Parameters
    ----------
    projection, others : (n, d) and (m, d) float
        Finite. The others have no part in the fit, and none of them changes what another one gets.
    parameters : LandscapeParameters
        Those of the fit.

    Returns
    -------
    tuple
        The second is ``None`` where HDBSCAN was not asked or found no topic to belong to.

    Raises
    ------
    InvalidInput
        If one of the projections is not a finite table.
    """
    found, topics = _find(_checked(projection), parameters)
    return found, None if topics is None else _predict(topics, _checked(others))


@dataclass(frozen=True, slots=True, eq=False)
class _Topics:
    """What HDBSCAN found, in its own numbering: its model, the centres (k, d), and its topics by size (k,)."""

    model: Any
    centres: NDArray[np.float64]
    order: NDArray[np.int64]


def _checked(projection: NDArray[np.floating]) -> NDArray[np.float64]:
    points = np.asarray(projection, dtype=np.float64)
    if points.ndim != 2 or not np.isfinite(points).all():
        raise InvalidInput(f"a projection must be a finite table (documents × dimensions); got shape {points.shape}.")
    return points


def _find(points: NDArray[np.float64], parameters: LandscapeParameters) -> tuple[Clustering, _Topics | None]:
    n = len(points)
    smallest = max(2, parameters.min_cluster_size)
    if n > 1 and not np.ptp(points, axis=0).any():
        notice = "All documents have the same vector, so they form one topic."
        return Clustering(np.zeros(n, np.int64), np.zeros(n, np.bool_), np.ones((n, 1)), (notice,)), None
    if n < smallest + 1:
        subject = "1 document is" if n == 1 else f"{n} documents are"
        return _without_topics(n, f"{subject} too few to find topics in; every link counts as on topic."), None
    model, memberships = _fit(_told_apart(points, parameters.seed), smallest, parameters.cluster_selection_method)
    labels = np.asarray(model.labels_, dtype=np.int64)
    if not memberships.shape[1]:
        return _without_topics(n, "No topics stand out in this collection; every link counts as on topic."), None
    k = memberships.shape[1]
    centres = np.stack([points[labels == topic].mean(axis=0) for topic in range(k)])
    sizes = np.bincount(_nearest(points, labels, memberships, centres), minlength=k)
    topics = _Topics(model, centres, np.argsort(-sizes, kind="stable"))
    return _numbered_by_size(topics, points, labels, memberships), topics


def _without_topics(n: int, notice: str) -> Clustering:
    return Clustering(np.full(n, -1, np.int64), np.ones(n, np.bool_), np.zeros((n, 0)), (notice,))


def _told_apart(points: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    """The points, with those that equal an earlier one displaced a little."""
    _, first = np.unique(points, axis=0, return_index=True)
    is_repeat = np.ones(len(points), np.bool_)
    is_repeat[first] = False
    if not is_repeat.any():
        return points
    noise = np.random.default_rng(seed).normal(size=points.shape) * JITTER * np.ptp(points)
    return np.where(is_repeat[:, np.newaxis], points + noise, points)


def _fit(points: NDArray[np.float64], smallest: int, method: str) -> tuple[Any, NDArray[np.float64]]:
    """The fitted model, and memberships (n, k) in its own order."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import hdbscan

    model = hdbscan.HDBSCAN(
        min_cluster_size=smallest,
        cluster_selection_method=method,
        prediction_data=True,
        core_dist_n_jobs=1,
    )
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        k = int(model.fit(points).labels_.max(initial=-1)) + 1
        if k == 0:
            return model, np.zeros((len(points), 0))
        if k == 1:
            return model, np.asarray(model.probabilities_, dtype=np.float64).reshape(-1, 1)
        memberships = hdbscan.all_points_membership_vectors(model)
    return model, np.asarray(memberships, dtype=np.float64).reshape(len(points), k)


def _predict(topics: _Topics, points: NDArray[np.float64]) -> Clustering:
    import hdbscan

    k = len(topics.order)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        labels, strengths = hdbscan.approximate_predict(topics.model, points)
        memberships = strengths if k == 1 else hdbscan.membership_vector(topics.model, points)
    memberships = np.asarray(memberships, dtype=np.float64).reshape(len(points), k)
    return _numbered_by_size(topics, points, np.asarray(labels, dtype=np.int64), memberships)


def _nearest(
    points: NDArray[np.float64],
    labels: NDArray[np.int64],
    memberships: NDArray[np.float64],
    centres: NDArray[np.float64],
) -> NDArray[np.int64]:
    """The topic of each point, in HDBSCAN's numbering: its own, the softest one, or that of the nearest centre."""
    distances = np.linalg.norm(points[:, np.newaxis] - centres, axis=2)
    softest = np.where(_is_bad(memberships), distances.argmin(axis=1), memberships.argmax(axis=1))
    return np.where(labels >= 0, labels, softest)


def _is_bad(memberships: NDArray[np.float64]) -> NDArray[np.bool_]:
    is_bad: NDArray[np.bool_] = ~np.isfinite(memberships).all(axis=1) | (memberships.sum(axis=1) <= 0)
    return is_bad


def _numbered_by_size(
    topics: _Topics, points: NDArray[np.float64], labels: NDArray[np.int64], memberships: NDArray[np.float64]
) -> Clustering:
    nearest = _nearest(points, labels, memberships, topics.centres)
    is_bad = _is_bad(memberships)
    memberships = np.where(is_bad[:, np.newaxis], 0.0, memberships)
    rank = np.argsort(topics.order)
    return Clustering(rank[nearest], labels < 0, memberships[:, topics.order], _notices(len(rank), int(is_bad.sum())))


def _notices(k: int, n_bad: int) -> tuple[str, ...]:
    notices = []
    if k == 1:
        notices.append("Only one topic stands out in this collection; every link counts as on topic.")
    if n_bad:
        subject = "1 document has" if n_bad == 1 else f"{n_bad} documents have"
        notices.append(f"{subject} no topic strengths, so every topic counts the same there.")
    return tuple(notices)
