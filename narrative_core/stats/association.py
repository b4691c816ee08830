"""How two numbers of a story go together: Pearson's and Spearman's correlation."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from narrative_core.estimates import Association
from narrative_core.stats.distributions import t_two_sided
from narrative_core.stats.intervals import WeightedStatistic, estimates, ratios
from narrative_core.stats.ranks import ordering, weight_below
from narrative_core.stats.summaries import as_values, check_lengths

_LEAST_STORIES = 3
_NOTHING = 1e-12


def association(
    x: ArrayLike, y: ArrayLike, pairs: ArrayLike, *, rng: np.random.Generator, n_resamples: int = 1000
) -> Association:
    """Return Pearson's r and Spearman's ρ between two numbers of a story, with intervals and two-sided p-values.

    Parameters
    ----------
    x, y : array_like, shape (n_stories,)
        A story with nan in either is left out, and counted.
    pairs : array_like, shape (n_stories,)
        The endpoint pair of each story.
    rng : numpy.random.Generator
        Draws the pairs.
    n_resamples : int
        How often.

    Returns
    -------
    Association
        nan where a number has no variance, and for fewer than three stories (r of two is ±1 whatever they hold). The
        intervals are those of `estimates`.

    Raises
    ------
    InvalidInput
        If a list is not what it must be, or their lengths differ.

    Notes
    -----
    ρ is r of the mean ranks. Both p-values are those of t = r·√((n − 2)/(1 − r²)) on n − 2 degrees of freedom: exact
    for r of normal numbers, an approximation for ρ, and for independent stories in either case. The intervals are not
    bound to that.

    Examples
    --------
    >>> found = association([1, 2, 3, 4, 5], [2, 1, 4, 3, 5], range(5), rng=np.random.default_rng(1))
    >>> round(found.pearson.value, 3), round(found.spearman.value, 3), round(found.pearson_p, 3)
    (0.8, 0.8, 0.104)
    """
    x, y, labels = as_values(x, "x"), as_values(y, "y"), np.asarray(pairs)
    check_lengths(x=x, y=y, pairs=labels)
    known = ~(np.isnan(x) | np.isnan(y))
    x, y = x[known], y[known]
    pearson, spearman = estimates(
        [weighted_pearson(x, y), weighted_spearman(x, y)],
        labels[known],
        rng=rng,
        n_resamples=n_resamples,
        n_skipped=int(np.count_nonzero(~known)),
    )
    return Association(
        pearson=pearson,
        spearman=spearman,
        pearson_p=_p(pearson.value, pearson.n),
        spearman_p=_p(spearman.value, spearman.n),
    )


def weighted_pearson(x: NDArray[np.float64], y: NDArray[np.float64]) -> WeightedStatistic:
    """Return Pearson's r of values without nan, shape (n,), as a function of the weights of stories.

    r = cov(x, y) / √(var(x)·var(y)), from the weighted sums of x, y, x², y² and xy about the means of all stories; nan
    for a weight below three, and for a variance that is nothing but rounding.

    Examples
    --------
    >>> r = weighted_pearson(np.array([1.0, 2.0, 4.0]), np.array([1.0, 3.0, 3.0]))
    >>> r(np.array([[1.0, 1.0], [1.0, 0.0], [1.0, 2.0]])).round(3).tolist()
    [0.756, 1.0]
    """
    x, y = _centred(x), _centred(y)
    features = np.stack([np.ones_like(x), x, y, x * x, y * y, x * y])

    def pearson(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        # No matrix product: its threads wait for each other wherever a machine has something else to do.
        total, *sums = np.einsum("ij,jk->ik", features, weights)
        mean_x, mean_y, square_x, square_y, product = (ratios(part, total) for part in sums)
        spread_x, spread_y = _spread(square_x, mean_x), _spread(square_y, mean_y)
        return _correlation(product - mean_x * mean_y, spread_x, spread_y, total)

    return pearson


def weighted_spearman(x: NDArray[np.float64], y: NDArray[np.float64]) -> WeightedStatistic:
    """Return Spearman's ρ of values without nan, shape (n,), as a function of the weights of stories.

    Pearson's r of the mean ranks, which are counted anew for each set of weights. About their mean, N/2 for a weight N
    in all, the squares of the ranks sum to (N³ − Σ t³)/12 over the groups of ties of weight t. nan for a weight below
    three, and where all stories of any weight tie.

    Notes
    -----
    O(n_stories · n_resamples), after sorting once. Whole weights make exact sums, up to about 100,000 stories.

    Examples
    --------
    >>> rho = weighted_spearman(np.array([1.0, 2.0, 4.0]), np.array([1.0, 9.0, 3.0]))
    >>> rho(np.array([[1.0, 1.0], [1.0, 0.0], [1.0, 2.0]])).round(3).tolist()
    [0.5, 1.0]
    """
    order_x, order_y = ordering(x), ordering(y)

    def spearman(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        total = weights.sum(axis=0)
        ranks_x, spread_x = _centred_ranks(order_x.group_weights(weights), total)
        ranks_y, spread_y = _centred_ranks(order_y.group_weights(weights), total)
        ranks_x, ranks_y = np.take(ranks_x, order_x.group, axis=0), np.take(ranks_y, order_y.group, axis=0)
        return _correlation(np.einsum("ij,ij,ij->j", weights, ranks_x, ranks_y), spread_x, spread_y, total)

    return spearman


def _centred_ranks(
    group_weights: NDArray[np.float64], total: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The mean rank of each distinct value less the mean of all ranks, and the weighted sum of the squares."""
    cubes = np.einsum("ij,ij,ij->j", group_weights, group_weights, group_weights)
    ranks = weight_below(group_weights)
    ranks -= total / 2
    return ranks, (total**3 - cubes) / 12


def _centred(values: NDArray[np.float64]) -> NDArray[np.float64]:
    if len(values) == 0:
        return values
    centred: NDArray[np.float64] = values - values.mean()  # a large offset costs no digits
    return centred


def _spread(square: NDArray[np.float64], mean: NDArray[np.float64]) -> NDArray[np.float64]:
    """The variance, 0 where it is lost in rounding."""
    variance = square - mean * mean
    return np.where(variance > _NOTHING * square, variance, 0.0)


def _correlation(
    shared: NDArray[np.float64],
    spread_x: NDArray[np.float64],
    spread_y: NDArray[np.float64],
    total: NDArray[np.float64],
) -> NDArray[np.float64]:
    values = np.clip(ratios(shared, np.sqrt(spread_x) * np.sqrt(spread_y)), -1.0, 1.0)
    return np.where(total >= _LEAST_STORIES, values, np.nan)


def _p(correlation: float, n: int) -> float:
    """Two-sided p of a correlation of ``n`` stories, by the t distribution."""
    rest = (1 - correlation) * (1 + correlation)
    t = np.inf if rest == 0 else correlation * np.sqrt((n - 2) / rest)
    return t_two_sided(float(t), n - 2)
