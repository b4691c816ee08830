"""Where documents that came later stand on a landscape: nothing that stands there moves.

The fitted models are not kept. UMAP is given the stored coordinates as if it had just found them, and HDBSCAN finds its
topics again in the stored projection; where it does not find the same ones, the nearest documents lend theirs.

UMAP places a document by few neighbours, and in the projection almost where their weighted mean is: by the 32 of the
fit, and after the usual 100 epochs, it stands between the groups, outside each. Of 80 briefs on spaceflight that were
held out, HDBSCAN then gave 30 % the topic that they had in a fit with them, and called 79 % outliers; this way 82 % and
21 %, where that fit had 29 % outliers.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput
from narrative_core.records import LandscapeParameters, Progress
from narrative_core.space.clustering import Clustering, cluster_and_predict
from narrative_core.space.landscape_parameters import SMALLEST_FOR_UMAP
from narrative_core.space.projection import fan_out, quiet_umap

LENDERS = 8
"""How many of the nearest documents lend place and topic where the models cannot be asked; of few, a quarter."""

NO_PROJECTION = (
    "This landscape keeps no projection, so documents that came later stand among their nearest neighbours and have "
    "their topics."
)
OTHER_TOPICS = (
    "The topics could not be found again exactly as they were, so documents that came later have those of their "
    "nearest neighbours."
)

NEIGHBOURS = 3
"""How many of the nearest documents UMAP places another one by."""

_ONE_EPOCH = 3
"""UMAP takes a third of a model's epochs when it places others."""

_AT_ONCE = 1 << 24
_NEAREST_ANGLE = 1e-6
"""Angles below this are one text's: such a neighbour's word outweighs all others'."""


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """The documents that a landscape was fitted on, n of them, by row.

    ``vectors`` (n, d) · ``positions`` (n, 2) · ``projection`` (n, p), ``None`` where it was not kept · ``topics`` with
    the k topics of the landscape.
    """

    vectors: NDArray[np.float32]
    positions: NDArray[np.float64]
    projection: NDArray[np.float32] | None
    topics: Clustering


@dataclass(frozen=True, slots=True, eq=False)
class TopicPlaces:
    """Topics of m documents that came later, and their projection (m, p), nan where there is none."""

    topics: Clustering
    projection: NDArray[np.float32]


def place_on_map(
    fitted: Fitted,
    vectors: NDArray[np.float32],
    standing: NDArray[np.float64],
    parameters: LandscapeParameters,
    *,
    progress: Progress | None = None,
) -> NDArray[np.float64]:
    """Map coordinates (m, 2) of documents that came later, each beside those it resembles.

    Parameters
    ----------
    fitted : Fitted
        At least one document.
    vectors : (m, d) float32
        Of the documents that came later.
    standing : (s, 2) float
        All places that are taken, those of earlier arrivals included; none is given twice.
    parameters : LandscapeParameters
        Those of the fit.
    progress : callable, optional

    Returns
    -------
    (m, 2) float64
        By UMAP where a projection was kept and there are eight distinct vectors or more; else the weighted mean of the
        nearest documents of the topic that they favour.

    Raises
    ------
    InvalidInput
        If there is nothing to stand beside, or the vectors have another length.

    References
    ----------
    McInnes, Healy and Melville (2018), UMAP, arXiv:1802.03426; new points as in the library's ``transform``.
    """
    _check(fitted, vectors)
    placed = None
    if fitted.projection is not None:
        on_map = replace(parameters, min_dist=parameters.map_min_dist)
        placed = _transform(fitted.vectors, fitted.positions, vectors, on_map, epochs=None, progress=progress)
    if placed is None:
        placed = _among_neighbours(fitted, fitted.positions, vectors)
    return fan_out(standing, placed)


def place_in_topics(
    fitted: Fitted,
    vectors: NDArray[np.float32],
    parameters: LandscapeParameters,
    *,
    progress: Progress | None = None,
) -> TopicPlaces:
    """Topics of documents that came later, among those of the landscape.

    By HDBSCAN on their place in the projection, where it finds the landscape's topics again in the stored projection;
    else by vote of the nearest documents, with a notice that says so. Outliers go by that vote in any case.

    Parameters
    ----------
    fitted, vectors, parameters, progress
        As in `place_on_map`.

    Raises
    ------
    InvalidInput
        If there is nothing to stand beside, or the vectors have another length.
    """
    _check(fitted, vectors)
    if fitted.projection is None:
        return TopicPlaces(_borrowed(fitted, vectors, NO_PROJECTION), np.full((len(vectors), 0), np.nan, np.float32))
    placed = _transform(fitted.vectors, fitted.projection, vectors, parameters, epochs=_ONE_EPOCH, progress=progress)
    if placed is None:
        placed = _among_neighbours(fitted, fitted.projection, vectors)
    projection = placed.astype(np.float32)
    found, predicted = cluster_and_predict(fitted.projection, projection, parameters)
    if not _is_same(found, fitted.topics):
        return TopicPlaces(_borrowed(fitted, vectors, OTHER_TOPICS), projection)
    borrowed = _borrowed(fitted, vectors)
    if predicted is None:
        return TopicPlaces(borrowed, projection)
    nearest = np.where(predicted.is_outlier, borrowed.nearest_topic, predicted.nearest_topic)
    return TopicPlaces(replace(predicted, nearest_topic=nearest), projection)


def _check(fitted: Fitted, vectors: NDArray[np.float32]) -> None:
    if not len(fitted.vectors):
        raise InvalidInput("There is no document left to place others beside. Build the landscape again.")
    if vectors.ndim != 2 or vectors.shape[1] != fitted.vectors.shape[1]:
        raise InvalidInput(
            f"Vectors of new documents must have {fitted.vectors.shape[1]} dimensions as the others; "
            f"got shape {vectors.shape}."
        )


def _transform(
    rows: NDArray[np.float32],
    places: NDArray[np.floating],
    others: NDArray[np.float32],
    parameters: LandscapeParameters,
    *,
    epochs: int | None,
    progress: Progress | None,
) -> NDArray[np.float64] | None:
    """Coordinates (m, p) of other vectors among places (n, p) by UMAP, ``None`` where it cannot tell."""
    if len(np.unique(rows, axis=0)) < SMALLEST_FOR_UMAP:
        return None
    with quiet_umap(progress) as bar, np.errstate(all="ignore"):
        from umap import UMAP

        model = UMAP(
            n_components=places.shape[1],
            n_neighbors=NEIGHBOURS,
            min_dist=parameters.min_dist,
            metric=parameters.metric,
            random_state=parameters.seed,
            n_jobs=1,
            init=np.array(places, dtype=np.float32),
            n_epochs=0,
            tqdm_kwds=bar,
        ).fit(np.ascontiguousarray(rows, dtype=np.float32))
        # As if the fit had ended there; it went through no epoch of its own.
        model.embedding_ = np.array(places, dtype=np.float32)
        model.n_epochs = epochs
        placed = np.asarray(model.transform(np.ascontiguousarray(others, dtype=np.float32)), dtype=np.float64)
    return placed if np.isfinite(placed).all() else None


def _is_same(found: Clustering, stored: Clustering) -> bool:
    return (
        found.n_topics == stored.n_topics
        and np.array_equal(found.nearest_topic, stored.nearest_topic)
        and np.array_equal(found.is_outlier, stored.is_outlier)
    )


def _borrowed(fitted: Fitted, vectors: NDArray[np.float32], *notices: str) -> Clustering:
    """Topics by vote of the nearest documents, each with the weight of its nearness."""
    lenders, weights = _lenders(fitted.vectors, vectors)
    topics = fitted.topics
    memberships = np.einsum("ml,mlk->mk", weights, topics.memberships[lenders])
    is_outlier = (weights * topics.is_outlier[lenders]).sum(axis=1) > 0.5
    return Clustering(_favoured(topics, lenders, weights), is_outlier, memberships, notices)


def _among_neighbours(
    fitted: Fitted, places: NDArray[np.floating], vectors: NDArray[np.float32]
) -> NDArray[np.float64]:
    """The weighted mean of the nearest documents' places, of those in the topic that they favour.

    Between two topics there may be nothing at all: a mean over both would stand beside neither.
    """
    lenders, weights = _lenders(fitted.vectors, vectors)
    topic = _favoured(fitted.topics, lenders, weights)
    weights = np.where(fitted.topics.nearest_topic[lenders] == topic[:, np.newaxis], weights, 0.0)
    weights /= weights.sum(axis=1, keepdims=True)
    return np.asarray(np.einsum("ml,mld->md", weights, np.asarray(places, dtype=np.float64)[lenders]))


def _favoured(topics: Clustering, lenders: NDArray[np.int64], weights: NDArray[np.float64]) -> NDArray[np.int64]:
    """The topic (m,) with most weight among the lenders, the lower one where two have the same."""
    if not topics.n_topics:
        return np.full(len(lenders), -1, np.int64)
    votes = np.zeros((len(lenders), topics.n_topics))
    np.add.at(votes, (np.arange(len(lenders))[:, np.newaxis], topics.nearest_topic[lenders]), weights)
    return np.asarray(votes.argmax(axis=1), dtype=np.int64)


def _lenders(rows: NDArray[np.float32], others: NDArray[np.float32]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The nearest rows (m, l) of each other vector by angle, and their weights, which sum to 1: one over the angle."""
    n_lenders = min(LENDERS, max(2, len(rows) // 4), len(rows))
    lenders = np.empty((len(others), n_lenders), np.int64)
    weights = np.empty((len(others), n_lenders))
    block = max(1, _AT_ONCE // len(rows))
    for start in range(0, len(others), block):
        part = slice(start, start + block)
        cosines = others[part].astype(np.float64) @ rows.T.astype(np.float64)
        nearest = np.argsort(-cosines, axis=1, kind="stable")[:, :n_lenders]
        angles = np.arccos(np.clip(np.take_along_axis(cosines, nearest, axis=1), -1.0, 1.0))
        lenders[part] = nearest
        weights[part] = 1.0 / np.maximum(angles, _NEAREST_ANGLE)
    return lenders, weights / weights.sum(axis=1, keepdims=True)
