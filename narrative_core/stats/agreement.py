"""How far the agents of a judge agree with one another."""

from numpy.typing import ArrayLike

from narrative_core.estimates import Agreement
from narrative_core.stats.icc import icc_average, icc_single
from narrative_core.stats.kendall import kendall_w
from narrative_core.stats.krippendorff import krippendorff_alpha
from narrative_core.stats.pairwise import mean_absolute_deviation, share_within
from narrative_core.stats.ratings import as_ratings


def agreement(ratings: ArrayLike) -> Agreement:
    """Return how far agents agree on the scores of stories.

    Parameters
    ----------
    ratings : array_like, shape (n_stories, n_agents)
        Scores; nan = missing. An agent that rated nothing is left out.

    Returns
    -------
    Agreement
        What is undefined is nan: ICC, α and W with fewer than two stories or agents, or without variance; the pairwise
        measures where no story has two ratings.

    Raises
    ------
    InvalidInput
        If ``ratings`` is not a table of numbers, or a number is infinite.

    Notes
    -----
    ICC and W need complete rows; α and the pairwise measures use every pair there is. Linear in the number of cells,
    but for the sorting. Ratings that differ by rounding only (1e-12 of the largest) count as equal.

    References
    ----------
    Shrout and Fleiss (1979) and McGraw and Wong (1996) for ICC; Krippendorff (2011) for α; Kendall and Babington Smith
    (1939) for W. The formulas stand with each function.

    Examples
    --------
    >>> found = agreement([[7, 7, 8], [3, 4, 3], [9, 9, float("nan")]])
    >>> found.n_used, found.n_complete, round(found.exact, 3), found.within_one
    (3, 2, 0.429, 1.0)
    """
    checked = as_ratings(ratings)
    complete, pairable = checked.complete, checked.pairable
    return Agreement(
        icc_single=icc_single(complete),
        icc_average=icc_average(complete),
        krippendorff_alpha=krippendorff_alpha(pairable),
        kendall_w=kendall_w(complete),
        mean_absolute_deviation=mean_absolute_deviation(pairable),
        exact=share_within(pairable, 0.0),
        within_one=share_within(pairable, 1.0),
        n_used=len(pairable),
        n_complete=len(complete) if checked.table.shape[1] else 0,
        n_agents=checked.table.shape[1],
    )
