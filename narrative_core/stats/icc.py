"""Intraclass correlation of a complete table: two-way random effects, absolute agreement."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_NOTHING = 1e-12


@dataclass(frozen=True, slots=True)
class MeanSquares:
    """The two-way analysis of variance of a table of n stories and k agents, one rating a cell.

    ``between_stories`` (MSR, n − 1 degrees of freedom) · ``between_agents`` (MSC, k − 1) · ``error`` (MSE,
    (n − 1)(k − 1)).
    """

    n_stories: int
    n_agents: int
    between_stories: float
    between_agents: float
    error: float


def mean_squares(table: NDArray[np.float64]) -> MeanSquares | None:
    """Return the mean squares of a table without missing cells, shape (n ≥ 2, k ≥ 2); ``None`` where it is smaller."""
    n, k = table.shape
    if n < 2 or k < 2:
        return None
    table = table - table[0, 0]  # equal ratings become exact zeros, and a large offset costs no digits
    stories, agents, grand = table.mean(axis=1), table.mean(axis=0), table.mean()
    residuals = table - stories[:, None] - agents[None, :] + grand
    return MeanSquares(
        n_stories=n,
        n_agents=k,
        between_stories=float(k * np.square(stories - grand).sum() / (n - 1)),
        between_agents=float(n * np.square(agents - grand).sum() / (k - 1)),
        error=float(np.square(residuals).sum() / ((n - 1) * (k - 1))),
    )


def icc_single(table: NDArray[np.float64]) -> float:
    """Return ICC(2,1): how far one agent's scores can be trusted, by absolute agreement.

    (MSR − MSE) / (MSR + (k − 1)·MSE + k·(MSC − MSE)/n), for n stories and k agents.

    Parameters
    ----------
    table : ndarray, shape (n_stories, n_agents)
        Without missing cells.

    Returns
    -------
    float
        At most 1; negative where the agents of a story differ more than stories do. nan for fewer than two stories
        or agents, and where the ratings have no variance that the formula could share out.

    References
    ----------
    Shrout and Fleiss (1979), Psychological Bulletin 86, 420–428; ICC(A,1) of McGraw and Wong (1996),
    Psychological Methods 1, 30–46.

    Examples
    --------
    >>> icc_single(np.array([[1.0, 2.0], [2.0, 3.0], [3.0, 4.0]]))
    0.6666666666666666
    """
    squares = mean_squares(table)
    if squares is None:
        return float("nan")
    shared = squares.n_agents * (squares.between_agents - squares.error) / squares.n_stories
    return _ratio(squares, squares.between_stories + (squares.n_agents - 1) * squares.error + shared)


def icc_average(table: NDArray[np.float64]) -> float:
    """Return ICC(2,k): how far the mean of all agents can be trusted, by absolute agreement.

    (MSR − MSE) / (MSR + (MSC − MSE)/n), for n stories.

    Parameters
    ----------
    table : ndarray, shape (n_stories, n_agents)
        Without missing cells.

    Returns
    -------
    float
        nan as in `icc_single`. Where stories differ even less than chance would have it, the denominator can be
        negative and the estimate above 1; it is given as the formula has it, so that it compares with other programs.

    References
    ----------
    As in `icc_single`; ICC(A,k) of McGraw and Wong (1996).

    Examples
    --------
    >>> icc_average(np.array([[1.0, 2.0], [2.0, 3.0], [3.0, 4.0]]))
    0.8
    """
    squares = mean_squares(table)
    if squares is None:
        return float("nan")
    shared = (squares.between_agents - squares.error) / squares.n_stories
    return _ratio(squares, squares.between_stories + shared)


def _ratio(squares: MeanSquares, denominator: float) -> float:
    scale = squares.between_stories + squares.between_agents + squares.n_agents * squares.error
    if abs(denominator) <= _NOTHING * scale:  # no variance at all, or parts that cancel to rounding noise
        return float("nan")
    return (squares.between_stories - squares.error) / denominator
