"""Agreement in the unit of the score: how often two agents say the same, and how far agents are from their mean."""

import numpy as np
from numpy.typing import NDArray

_SLACK = 1e-9


def mean_absolute_deviation(pairable: NDArray[np.float64]) -> float:
    """Return the mean over stories of the mean absolute deviation of the agents from the story's mean.

    Parameters
    ----------
    pairable : ndarray, shape (n_stories, n_agents)
        Stories with at least two ratings; nan = missing.

    Returns
    -------
    float
        In the unit of the score; nan without a story.

    Notes
    -----
    The reference study does not spell its definition out, but its table fits this one: where agents differ by one point
    at most, this deviation is (k − 1)/k times the share of pairs that differ, and 4/5 · (1 − 0.812) = 0.150 (k = 5) and
    2/3 · (1 − 0.812) = 0.125 (k = 3, printed 0.126) are its simple mode.

    Examples
    --------
    >>> mean_absolute_deviation(np.array([[1.0, 3.0], [2.0, 2.0]]))
    0.5
    """
    if len(pairable) == 0:
        return float("nan")
    base = np.nanmin(pairable, axis=1, keepdims=True)  # equal ratings then have a mean without rounding
    values = pairable - base
    return float(np.nanmean(np.abs(values - np.nanmean(values, axis=1, keepdims=True)), axis=1).mean())


def share_within(pairable: NDArray[np.float64], distance: float) -> float:
    """Return the share of agent pairs whose scores of a story differ by at most ``distance``.

    All pairs of all stories count alike, so that a story with more ratings weighs more.

    Parameters
    ----------
    pairable : ndarray, shape (n_stories, n_agents)
        Stories with at least two ratings; nan = missing.
    distance : float
        0 is exact agreement.

    Returns
    -------
    float
        In [0, 1]; nan without a pair.

    Notes
    -----
    O(k log k) a story of k ratings: in sorted order the partners of a rating are a run.

    Examples
    --------
    >>> share_within(np.array([[7.0, 7.0, 8.0], [4.0, 9.0, np.nan]]), 1.0)
    0.75
    """
    ordered = np.sort(pairable, axis=1)  # nan last
    counts = np.count_nonzero(~np.isnan(ordered), axis=1)
    n_pairs = int((counts * (counts - 1) // 2).sum())
    if n_pairs == 0:
        return float("nan")
    reach = distance + (_SLACK if distance else 0.0)
    n_close = 0
    for row, count in zip(ordered, counts.tolist(), strict=True):
        known = row[:count]
        n_close += int(np.searchsorted(known, known + reach, side="right").sum()) - count * (count + 1) // 2
    return n_close / n_pairs
