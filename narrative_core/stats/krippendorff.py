"""Krippendorff's α for interval data, missing ratings allowed."""

import numpy as np
from numpy.typing import NDArray


def krippendorff_alpha(pairable: NDArray[np.float64]) -> float:
    """Return Krippendorff's α with the interval metric: 1 is perfect agreement, 0 what chance would give.

    α = 1 − D_o/D_e, observed over expected disagreement, where a disagreement is a squared difference. Pairs need not
    be formed: Σ_{i≠j} (x_i − x_j)² = 2m·SS for m values with sum of squares SS about their mean, hence

    α = 1 − ((N − 1)/N) · Σ_u (m_u/(m_u − 1))·SS_u / SS,

    with m_u ratings and SS_u about the mean of story u, and N ratings and SS about the mean of all of them.

    Parameters
    ----------
    pairable : ndarray, shape (n_stories, n_agents)
        Stories with at least two ratings; nan = missing.

    Returns
    -------
    float
        nan for fewer than two stories (α of one story is 0 whatever it holds) and where all ratings are equal.

    Notes
    -----
    Linear in the number of cells.

    References
    ----------
    Krippendorff (2011), Computing Krippendorff's alpha-reliability, University of Pennsylvania.

    Examples
    --------
    >>> round(krippendorff_alpha(np.array([[1.0, 1.0, np.nan], [2.0, 3.0, 2.0], [5.0, np.nan, 5.0]])), 3)
    0.951
    """
    if len(pairable) < 2:
        return float("nan")
    values = pairable - np.nanmin(pairable)  # equal ratings become exact zeros
    total = _sum_of_squares(values[~np.isnan(values)])
    if total == 0:
        return float("nan")
    counts = np.count_nonzero(~np.isnan(values), axis=1)
    within = np.nansum(np.square(values - np.nanmean(values, axis=1, keepdims=True)), axis=1)
    n = int(counts.sum())
    return float(1 - (n - 1) / n * (counts / (counts - 1) * within).sum() / total)


def _sum_of_squares(values: NDArray[np.float64]) -> float:
    return float(np.square(values - values.mean()).sum())
