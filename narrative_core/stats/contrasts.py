"""Two kinds of stories, one against the other: effect sizes and tests."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from narrative_core.estimates import Contrast, Summary
from narrative_core.stats.distributions import normal_below, t_two_sided
from narrative_core.stats.intervals import WeightedStatistic, estimates, ratios
from narrative_core.stats.ranks import mean_ranks, ordering, weight_below
from narrative_core.stats.summaries import as_values, check_lengths, summary

_NOTHING = 1e-12


def contrast(
    first: ArrayLike,
    second: ArrayLike,
    *,
    first_pairs: ArrayLike,
    second_pairs: ArrayLike,
    rng: np.random.Generator,
    n_resamples: int = 1000,
) -> Contrast:
    """Return how far a number is apart between two kinds of stories, first against second.

    Parameters
    ----------
    first, second : array_like, shapes (n_first,) and (n_second,)
        nan is left out, and counted.
    first_pairs, second_pairs : array_like, shapes (n_first,) and (n_second,)
        The endpoint pair of each story, with the same labels in both: a pair is drawn with its stories of both kinds.
    rng : numpy.random.Generator
        Draws the pairs.
    n_resamples : int
        How often.

    Returns
    -------
    Contrast
        Positive d, t and an AUC above ½ where first is the higher. Without a story of either kind all is nan; d and
        Welch's t are nan without variance within the kinds, t also for a single story of a kind. Where all stories tie,
        p of U is 1. The intervals are those of `estimates`.

    Raises
    ------
    InvalidInput
        If a list is not what it must be, or lengths differ.

    Notes
    -----
    U counts the (first, second) couples of which the first is above, ties half; AUC = U/(n₁·n₂). Its p is the normal
    approximation with tie-corrected variance and continuity correction, for any n. The tests treat stories as
    independent; the intervals do not.

    References
    ----------
    Cohen (1988), Statistical Power Analysis, 2nd edition, 2.5.2; Welch (1947), Biometrika 34, 28–35; Mann and Whitney
    (1947), Annals of Mathematical Statistics 18, 50–60, with the ties as in Hollander and Wolfe (1999), 4.1.

    Examples
    --------
    >>> pairs = {"first_pairs": range(4), "second_pairs": range(4)}
    >>> found = contrast([5, 6, 7, 8], [4, 5, 6, 3], **pairs, rng=np.random.default_rng(1))
    >>> round(found.cohens_d.value, 3), found.auc.value, found.mann_whitney_u, round(found.welch_p, 3)
    (1.549, 0.875, 14.0, 0.071)
    """
    first, labels_1 = as_values(first, "first"), np.asarray(first_pairs)
    second, labels_2 = as_values(second, "second"), np.asarray(second_pairs)
    check_lengths(first=first, first_pairs=labels_1)
    check_lengths(second=second, second_pairs=labels_2)
    in_short = summary(first), summary(second)
    values, labels = as_values(np.concatenate([first, second])), np.concatenate([labels_1, labels_2])
    known = ~np.isnan(values)
    is_first = (np.arange(len(values)) < len(first))[known]
    values = values[known]
    cohens_d, auc = estimates(
        [weighted_cohens_d(values, is_first), weighted_auc(values, is_first)],
        labels[known],
        rng=rng,
        n_resamples=n_resamples,
        n_skipped=int(np.count_nonzero(~known)),
    )
    t, df = _welch(*in_short)
    u, p = _mann_whitney(values, is_first)
    return Contrast(*in_short, cohens_d, auc, t, df, t_two_sided(t, df), u, p)


def weighted_cohens_d(values: NDArray[np.float64], is_first: NDArray[np.bool_]) -> WeightedStatistic:
    """Return Cohen's d of values without nan, shape (n,), as a function of the weights of stories.

    d = (mean₁ − mean₂) / √((SS₁ + SS₂)/(N₁ + N₂ − 2)), with SS the sums of squares about the means. nan where a kind
    has no weight, or where the variance within the kinds is nothing but rounding.

    Examples
    --------
    >>> d = weighted_cohens_d(np.array([3.0, 5.0, 1.0, 3.0]), np.array([True, True, False, False]))
    >>> d(np.ones((4, 1))).round(3).tolist()
    [1.414]
    """
    bases = [float(values[kind].mean()) if kind.any() else 0.0 for kind in (is_first, ~is_first)]
    about = values - np.where(is_first, *bases)
    features = np.stack([np.ones_like(about), about, about * about])

    def cohens_d(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        first, second = (np.einsum("ij,jk->ik", features[:, of], weights[of]) for of in (is_first, ~is_first))
        means = [ratios(kind[1], kind[0]) for kind in (first, second)]
        squares = first[2] + second[2]
        within = squares - means[0] * first[1] - means[1] * second[1]
        within = np.where(within > _NOTHING * squares, within, 0.0)
        variance = ratios(within, first[0] + second[0] - 2)
        return ratios(means[0] - means[1] + (bases[0] - bases[1]), np.sqrt(variance))

    return cohens_d


def weighted_auc(values: NDArray[np.float64], is_first: NDArray[np.bool_]) -> WeightedStatistic:
    """Return the chance that a first is above a second, ties half, as a function of the weights of stories.

    nan where a kind has no weight.

    Examples
    --------
    >>> auc = weighted_auc(np.array([3.0, 5.0, 1.0, 3.0]), np.array([True, True, False, False]))
    >>> auc(np.ones((4, 1))).tolist()
    [0.875]
    """
    ordered = ordering(values)
    groups = ordered.group[is_first]

    def auc(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        below = weight_below(ordered.group_weights(weights * ~is_first[:, None]))
        first = weights[is_first]
        above = np.einsum("ij,ij->j", first, np.take(below, groups, axis=0))
        return ratios(above, first.sum(axis=0) * weights[~is_first].sum(axis=0))

    return auc


def _welch(first: Summary, second: Summary) -> tuple[float, float]:
    """Welch's t and its degrees of freedom; nan for a single story of a kind, or without variance."""
    if first.n < 2 or second.n < 2 or first.sd == second.sd == 0:
        return float("nan"), float("nan")
    error_1, error_2 = first.sd**2 / first.n, second.sd**2 / second.n
    error = error_1 + error_2
    df = error**2 / (error_1**2 / (first.n - 1) + error_2**2 / (second.n - 1))
    return (first.mean - second.mean) / error**0.5, df


def _mann_whitney(values: NDArray[np.float64], is_first: NDArray[np.bool_]) -> tuple[float, float]:
    """U of the first and its two-sided p."""
    n = len(values)
    n_first = int(np.count_nonzero(is_first))
    n_couples = n_first * (n - n_first)
    if n_couples == 0:
        return float("nan"), float("nan")
    u = float(mean_ranks(values)[is_first].sum()) - n_first * (n_first + 1) / 2
    ties = np.unique(values, return_counts=True)[1].astype(np.float64)
    if len(ties) == 1:
        return u, 1.0
    variance = n_couples / 12 * (n + 1 - float((ties**3 - ties).sum()) / (n * (n - 1)))
    z = (abs(u - n_couples / 2) - 0.5) / variance**0.5
    return u, min(1.0, 2 * normal_below(-z))
