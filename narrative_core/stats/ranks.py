"""Ranks of stories that carry weights, for many sets of weights at once."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Ordering:
    """Values in rising order, sorted once for all weights.

    ``order`` (n,) the stories from the lowest value to the highest · ``group`` (n,) which distinct value each story
    has, counted from the lowest · ``starts`` (n_groups,) where each distinct value begins in ``order``.
    """

    order: NDArray[np.intp]
    group: NDArray[np.intp]
    starts: NDArray[np.intp]

    def group_weights(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the weight of each distinct value, shape (n_groups, n_resamples), from (n, n_resamples)."""
        ordered = np.take(weights, self.order, axis=0)
        if len(self.starts) == len(self.order):
            return ordered
        return np.add.reduceat(ordered, self.starts, axis=0)


def ordering(values: NDArray[np.float64]) -> Ordering:
    """Return the order of values without nan, shape (n,).

    Examples
    --------
    >>> ordering(np.array([5.0, 1.0, 5.0])).group.tolist()
    [1, 0, 1]
    """
    _, group, counts = np.unique(values, return_inverse=True, return_counts=True)
    starts: NDArray[np.intp] = np.cumsum(counts) - counts
    return Ordering(np.argsort(group, kind="stable"), group, starts)


def weight_below(group_weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weight below each distinct value plus half of its own: its mean rank, less a half.

    A story of weight w stands for w stories that tie.

    Parameters
    ----------
    group_weights : ndarray, shape (n_groups, n_resamples)
        From the lowest value to the highest.

    Returns
    -------
    ndarray, shape (n_groups, n_resamples)

    Examples
    --------
    >>> weight_below(np.array([[1.0], [2.0], [1.0]])).ravel().tolist()
    [0.5, 2.0, 3.5]
    """
    below = _running_sums(group_weights)
    below -= group_weights / 2
    return below


def mean_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the ranks of values without nan, from 1 for the lowest; ties share their mean.

    Examples
    --------
    >>> mean_ranks(np.array([5.0, 1.0, 5.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    ordered = ordering(values)
    below = weight_below(ordered.group_weights(np.ones((len(values), 1))))
    ranks: NDArray[np.float64] = below[ordered.group, 0] + 0.5
    return ranks


def _running_sums(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """As ``np.cumsum(rows, axis=0)``, several times faster: √n runs side by side, then each run on top of the last."""
    n, width = rows.shape
    size = math.isqrt(max(n - 1, 0)) + 1
    sums = np.zeros((size * size, width))
    sums[:n] = rows
    runs = sums.reshape(size, size, width)
    for place in range(1, size):
        runs[:, place] += runs[:, place - 1]
    for run in range(1, size):
        runs[run] += runs[run - 1, -1]
    return sums[:n]
