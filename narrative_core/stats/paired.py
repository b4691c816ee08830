"""The same stories measured twice: the mean difference, with its interval and test."""

import numpy as np
from numpy.typing import ArrayLike

from narrative_core.estimates import PairedDifference
from narrative_core.stats.distributions import t_two_sided
from narrative_core.stats.intervals import estimates, weighted_mean
from narrative_core.stats.ratings import ROUNDING
from narrative_core.stats.summaries import as_values, check_lengths, summary


def paired_difference(
    first: ArrayLike,
    second: ArrayLike,
    pairs: ArrayLike | None = None,
    *,
    rng: np.random.Generator,
    n_resamples: int = 1000,
) -> PairedDifference:
    """Return the mean of first less second over stories, with its interval, the paired t test, and d_z = mean / sd.

    Parameters
    ----------
    first, second : array_like, shape (n_stories,)
        Two numbers of each story; a story with nan in either is left out, and counted.
    pairs : array_like, shape (n_stories,), optional
        The endpoint pair of each story; without it every story is its own.
    rng : numpy.random.Generator
        Draws the pairs.
    n_resamples : int
        How often.

    Returns
    -------
    PairedDifference
        The interval of the mean is that of `estimates`. t, p and d_z are nan for fewer than two stories, and where all
        differences are equal but for rounding (1e-12 of the largest number), which makes ``sd`` 0.

    Raises
    ------
    InvalidInput
        If a list is not what it must be, or their lengths differ.

    Notes
    -----
    t = mean / (sd/√n) on n − 1 degrees of freedom treats stories as independent; the interval does not.

    Examples
    --------
    >>> found = paired_difference([5, 7, 6, 9], [4, 5, 6, 6], rng=np.random.default_rng(1))
    >>> found.difference.value, round(found.sd, 3), round(found.t, 3), round(found.p, 3)
    (1.5, 1.291, 2.324, 0.103)
    """
    first, second = as_values(first, "first"), as_values(second, "second")
    labels = np.arange(len(first)) if pairs is None else np.asarray(pairs)
    check_lengths(first=first, second=second, pairs=labels)
    known = ~(np.isnan(first) | np.isnan(second))
    differences = (first - second)[known]
    [difference] = estimates(
        [weighted_mean(differences)],
        labels[known],
        rng=rng,
        n_resamples=n_resamples,
        n_skipped=int(np.count_nonzero(~known)),
    )
    sd = summary(differences).sd
    largest = max(np.abs(first[known]).max(initial=0), np.abs(second[known]).max(initial=0))
    if sd <= ROUNDING * largest:
        sd = 0.0
    d_z = difference.value / sd if sd > 0 else float("nan")
    t = d_z * difference.n**0.5
    return PairedDifference(difference, sd, t, t_two_sided(t, difference.n - 1), d_z)
