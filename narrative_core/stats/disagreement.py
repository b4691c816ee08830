"""How far the agents of a judge are apart on a story, and on which scores most."""

from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from narrative_core.errors import InvalidInput
from narrative_core.estimates import Band, Disagreement
from narrative_core.judgements import HIGHEST_SCORE, LOWEST_SCORE
from narrative_core.stats.intervals import mean_estimate
from narrative_core.stats.ratings import as_ratings
from narrative_core.stats.summaries import check_lengths

SCALE_EDGES = (1.0, 3.0, 5.0, 7.0, 9.0, 10.0)
"""Where the reference study's bands of the mean score begin and end."""

N_QUANTILE_BANDS = 5


def disagreement(
    ratings: ArrayLike,
    pairs: ArrayLike,
    *,
    rng: np.random.Generator,
    n_resamples: int = 1000,
    is_scale_1_to_10: bool = True,
) -> Disagreement:
    """Return the mean standard deviation of a story's agents, over all stories and by band of the mean score.

    Parameters
    ----------
    ratings : array_like, shape (n_stories, n_agents)
        Scores; nan = missing. A story that fewer than two agents rated has no spread, and is counted as skipped.
    pairs : array_like, shape (n_stories,)
        The endpoint pair of each story.
    rng : numpy.random.Generator
        Draws the pairs for the intervals.
    n_resamples : int
        How often.
    is_scale_1_to_10 : bool
        Whether scores are points from 1 to 10. Else, as for a judge in nats, the bands are the five parts, equal in
        number of stories, that quantiles of the mean score cut; ties make them fewer.

    Returns
    -------
    Disagreement
        ``spread`` is nan with n = 0 where no story has two ratings, as with a single agent. ``variation`` is the mean
        of sd / mean over the stories with a spread, nan unless scores are points, since it says nothing of a unit whose
        zero may be crossed. A story whose mean lies on an edge belongs to the band above it.

    Raises
    ------
    InvalidInput
        If the tables do not go together, a number is infinite, or points lie outside 1 to 10.

    Examples
    --------
    >>> found = disagreement([[2, 4], [8, 8], [9, float("nan")]], [0, 1, 2], rng=np.random.default_rng(1))
    >>> round(found.spread.value, 3), found.spread.n, found.spread.n_skipped, round(found.variation, 3)
    (0.707, 2, 1, 0.236)
    >>> [(band.low, band.spread.n) for band in found.bands]
    [(1.0, 0), (3.0, 1), (5.0, 0), (7.0, 1), (9.0, 0)]
    """
    table, labels = as_ratings(ratings).table, np.asarray(pairs)
    check_lengths(ratings=table, pairs=labels)
    means, spreads = _means_and_sds(table)
    edges = SCALE_EDGES if is_scale_1_to_10 else _quantile_edges(means)
    if is_scale_1_to_10 and ((table < LOWEST_SCORE) | (table > HIGHEST_SCORE)).any():
        raise InvalidInput(
            f"points must lie in {LOWEST_SCORE:g} to {HIGHEST_SCORE:g}; got {np.nanmin(table)} to {np.nanmax(table)}. "
            "Say is_scale_1_to_10=False for a judge with another unit."
        )
    bands = []
    for low, high in pairwise(edges):
        is_in = (means >= low) & ((means < high) | (high == edges[-1]) & (means <= high))
        spread = mean_estimate(spreads[is_in], labels[is_in], rng=rng, n_resamples=n_resamples)
        bands.append(Band(low, high, spread))
    variations = (spreads / means)[~np.isnan(spreads)] if is_scale_1_to_10 else np.array([])
    return Disagreement(
        spread=mean_estimate(spreads, labels, rng=rng, n_resamples=n_resamples),
        variation=float(variations.mean()) if len(variations) else float("nan"),
        bands=tuple(bands),
    )


def _means_and_sds(table: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and standard deviation (n − 1) of each row over what it has; nan without one, and without two, ratings."""
    is_given = ~np.isnan(table)
    n = np.count_nonzero(is_given, axis=1)
    unknown = np.full(len(table), np.nan)
    base = np.min(table, axis=1, initial=np.inf, where=is_given)  # equal ratings become exact zeros
    above = np.where(is_given, table - np.where(n > 0, base, 0.0)[:, None], 0.0)
    means = np.divide(above.sum(axis=1), n, out=unknown.copy(), where=n > 0)
    squares = np.where(is_given, above - means[:, None], 0.0) ** 2
    sds = np.sqrt(np.divide(squares.sum(axis=1), n - 1, out=unknown.copy(), where=n > 1))
    return base + means, sds


def _quantile_edges(means: NDArray[np.float64]) -> tuple[float, ...]:
    known = means[~np.isnan(means)]
    if len(known) == 0:
        return (float("nan"),)
    edges = np.unique(np.quantile(known, np.linspace(0, 1, N_QUANTILE_BANDS + 1)))
    return tuple(np.repeat(edges, 2 if len(edges) == 1 else 1).tolist())
