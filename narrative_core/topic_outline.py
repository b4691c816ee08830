"""Topics in groups of kin: an outline of two levels for a collection that has many."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from narrative_core.extraction import LoadedCollection

MOST_GROUPS: Final = 8
"""Headings that a reader takes in at a glance."""

_WORDS: Final = 3


@dataclass(frozen=True, slots=True)
class TopicGroup:
    """Topics that are kin, by number, the largest first, under the words that most of their documents share."""

    label: str
    topics: tuple[int, ...]


def topic_outline(loaded: LoadedCollection, topics: Sequence[int]) -> tuple[TopicGroup, ...]:
    """Return topics in at most 8 groups of kin, the group with most documents first.

    The centroid of a topic is the mean of the unit vectors of its documents, outliers left out. Topics are joined by
    average linkage over the cosine distance of their centroids, and cut where √n groups are left.

    Parameters
    ----------
    loaded : LoadedCollection
    topics : sequence of int
        Numbers of topics as they are shown; those without a document of their own are grouped by their outliers.

    Returns
    -------
    tuple of TopicGroup
        Each topic once. One group where there are fewer than three topics.
    """
    sizes = {topic.topic: topic.size for topic in loaded.landscape.topics}
    by_size = sorted(topics, key=lambda topic: (-sizes.get(topic, 0), topic))
    groups: dict[int, list[int]] = {}
    for topic, group in zip(by_size, _kinship(_centroids(loaded, by_size)), strict=True):
        groups.setdefault(group, []).append(topic)
    ordered = sorted(groups.values(), key=lambda members: (-sum(sizes.get(one, 0) for one in members), members[0]))
    return tuple(TopicGroup(_label(loaded, members), tuple(members)) for members in ordered)


def _kinship(centroids: NDArray[np.float64]) -> list[int]:
    """Return the group of each row, counted from 1."""
    n = len(centroids)
    if n < 3:
        return [1] * n
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import pdist

    n_groups = min(MOST_GROUPS, round(math.sqrt(n)))
    # Rounding may leave two equal centroids a hair below no distance.
    distances = np.clip(pdist(centroids, "cosine"), 0.0, None)
    found: list[int] = fcluster(linkage(distances, "average"), n_groups, "maxclust").tolist()
    return found


def _centroids(loaded: LoadedCollection, topics: Sequence[int]) -> NDArray[np.float64]:
    nearest, is_outlier = loaded.landscape.nearest_topic, loaded.landscape.is_outlier
    values = loaded.vectors.values
    rows = []
    for topic in topics:
        members = nearest == topic
        proper = members & ~is_outlier
        chosen = proper if proper.any() else members
        rows.append(values[chosen].mean(axis=0) if chosen.any() else np.full(values.shape[1], 1.0))
    return np.array(rows, dtype=np.float64).reshape(len(topics), values.shape[1])


def _label(loaded: LoadedCollection, members: Sequence[int]) -> str:
    """Return the words that stand for most documents of a group: a word of a topic counts for all its documents."""
    weights: dict[str, int] = {}
    for topic in loaded.landscape.topics:
        if topic.topic in members:
            for word in topic.words:
                weights[word] = weights.get(word, 0) + topic.size
    best = sorted(weights, key=lambda word: -weights[word])[:_WORDS]
    return " · ".join(best)
