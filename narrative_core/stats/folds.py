"""Parts of a run that are held out by turns, whole endpoint pairs at a time."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from narrative_core.errors import InvalidInput
from narrative_core.stats.intervals import pair_codes


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """One division of the stories: ``test`` rows are held out, ``train`` rows are all others, both ascending."""

    train: NDArray[np.intp]
    test: NDArray[np.intp]


def pair_folds(pairs: ArrayLike, *, n_folds: int = 5, seed: int) -> tuple[Fold, ...]:
    """Return divisions of the stories in which every story is held out once, together with all others of its pair.

    Pairs are shuffled and cut into parts whose numbers of pairs differ by at most one. The stories of a pair are not
    independent of each other, so a model that has seen one of them must not be tested on another.

    Parameters
    ----------
    pairs : array_like, shape (n_stories,)
        The endpoint pair of each story: any labels that can be sorted.
    n_folds : int
        At least 2.
    seed : int
        The same seed and pairs give the same folds, whatever the order of the stories.

    Returns
    -------
    tuple of Fold
        Where there are fewer pairs than folds, a fold a pair; none where there are fewer than two pairs.

    Raises
    ------
    InvalidInput
        If ``pairs`` is not a list of such labels, or ``n_folds`` is below 2.

    Examples
    --------
    >>> [fold.test.tolist() for fold in pair_folds([0, 0, 1, 1, 2], n_folds=3, seed=0)]
    [[2, 3], [4], [0, 1]]
    """
    if n_folds < 2:
        raise InvalidInput(f"n_folds must be at least 2, so that something is left to learn from; got {n_folds}.")
    codes = pair_codes(pairs)
    n_pairs = int(codes.max(initial=-1)) + 1
    n_parts = min(n_folds, n_pairs)
    if n_parts < 2:
        return ()
    part = np.random.default_rng(seed).permutation(np.arange(n_pairs) % n_parts)[codes]
    return tuple(
        Fold(np.flatnonzero(part != held_out), np.flatnonzero(part == held_out)) for held_out in range(n_parts)
    )
