"""Kendall's W: whether agents put the stories in the same order."""

import numpy as np
from numpy.typing import NDArray


def kendall_w(table: NDArray[np.float64]) -> float:
    """Return Kendall's coefficient of concordance, corrected for ties: 1 where all agents rank alike, 0 for no accord.

    W = 12·S / (k²·(n³ − n) − k·Σ_j T_j) for n stories and k agents, with S the sum of squared deviations of the
    stories' rank sums from their mean, and T_j = Σ (t³ − t) over the groups of t tied stories of agent j. Tied stories
    share the mean of their ranks.

    Parameters
    ----------
    table : ndarray, shape (n_stories, n_agents)
        Without missing cells.

    Returns
    -------
    float
        In [0, 1]; nan for fewer than two stories or agents, and where every agent scores all stories alike.

    References
    ----------
    Kendall and Babington Smith (1939), The problem of m rankings, Annals of Mathematical Statistics 10, 275–287;
    Siegel and Castellan (1988), Nonparametric Statistics, 262–272, for the ties.

    Examples
    --------
    >>> kendall_w(np.array([[1.0, 2.0], [5.0, 4.0], [7.0, 9.0]]))
    1.0
    """
    n, k = table.shape
    if n < 2 or k < 2:
        return float("nan")
    ranks = np.empty_like(table)
    ties = 0
    for agent in range(k):
        ranks[:, agent], tied = _mean_ranks(table[:, agent])
        ties += tied
    spread = k * k * (n**3 - n) - k * ties  # whole numbers: exactly 0 where every agent ties all stories
    if spread == 0:
        return float("nan")
    sums = ranks.sum(axis=1)
    return float(12 * np.square(sums - k * (n + 1) / 2).sum() / spread)


def _mean_ranks(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], int]:
    """Ranks from 1, ties sharing their mean, and Σ (t³ − t) over the groups of ties."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[places], sum(t**3 - t for t in counts.tolist())
