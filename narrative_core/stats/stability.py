"""Whether what a run finds holds on endpoint pairs that were left out."""

import numpy as np
from numpy.typing import ArrayLike

from narrative_core.estimates import Stability
from narrative_core.stats.association import weighted_pearson
from narrative_core.stats.contrasts import weighted_cohens_d
from narrative_core.stats.folds import pair_folds
from narrative_core.stats.summaries import as_values, check_lengths, summary


def stability(
    coherence: ArrayLike, scores: ArrayLike, is_trail: ArrayLike, pairs: ArrayLike, *, seed: int, n_folds: int = 5
) -> Stability:
    """Return how the association of coherence and score, and the effect on the score, differ between parts of a run.

    Whole endpoint pairs are held out by turns, as in `pair_folds`. For each fold: Pearson's r on it and on the rest,
    and Cohen's d of the scores in it, trails against random chronologies.

    Parameters
    ----------
    coherence, scores : array_like, shape (n_stories,)
        A story with nan in either is left out.
    is_trail : array_like of bool, shape (n_stories,)
        False for a random chronology.
    pairs : array_like, shape (n_stories,)
        The endpoint pair of each story.
    seed : int
        Decides on the folds.
    n_folds : int
        At least 2.

    Returns
    -------
    Stability
        ``mean_absolute_difference`` of r on a fold and on the rest, over the folds that have both, and ``d_sd``
        (n − 1), over the folds that have a d. What is undefined is nan: r of fewer than three stories or without
        variance; d of a fold that lacks a kind or has no variance within the kinds. With fewer than two pairs there
        are no folds, and both numbers are nan.

    Raises
    ------
    InvalidInput
        If a list is not what it must be, their lengths differ, or ``n_folds`` is below 2.

    Examples
    --------
    >>> scores = [7.0, 3.0, 8.0, 4.0, 6.0, 4.0, 9.0, 2.0]
    >>> coherence = [0.8, 0.5, 0.9, 0.4, 0.7, 0.5, 0.8, 0.3]
    >>> found = stability(coherence, scores, [True, False] * 4, [0, 0, 1, 1, 2, 2, 3, 3], seed=1, n_folds=2)
    >>> [round(r, 2) for r in found.test_r], [round(d, 1) for d in found.fold_d]
    ([0.97, 0.96], [4.2, 4.9])
    """
    x, y, labels = as_values(coherence, "coherence"), as_values(scores, "scores"), np.asarray(pairs)
    kinds = np.asarray(is_trail, dtype=bool)
    check_lengths(coherence=x, scores=y, is_trail=kinds, pairs=labels)
    is_known = ~(np.isnan(x) | np.isnan(y))
    x, y, kinds = x[is_known], y[is_known], kinds[is_known]
    folds = pair_folds(labels[is_known], n_folds=n_folds, seed=seed)
    held_out = np.zeros((len(x), len(folds)))
    for number, fold in enumerate(folds):
        held_out[fold.test, number] = 1.0
    r = weighted_pearson(x, y)
    train_r, test_r, fold_d = r(1 - held_out), r(held_out), weighted_cohens_d(y, kinds)(held_out)
    return Stability(
        train_r=tuple(train_r.tolist()),
        test_r=tuple(test_r.tolist()),
        mean_absolute_difference=summary(np.abs(train_r - test_r)).mean,
        fold_d=tuple(fold_d.tolist()),
        d_sd=summary(fold_d).sd,
    )
