"""Stories of two collections at once: what a judge should score low, if the collections have nothing in common."""

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput

LENGTHS = (4, 8)
"""Documents in a mixed story, from and to."""


def alternating_stories(
    groups: tuple[NDArray[np.integer], NDArray[np.integer]],
    n: int,
    *,
    lengths: tuple[int, int] = LENGTHS,
    rng: np.random.Generator,
    days: NDArray[np.float64] | None = None,
) -> list[tuple[int, ...]]:
    """Return stories that switch collection at every step.

    For each story its length and the collection that begins are drawn uniformly, then the documents of each collection
    without replacement. A collection's own documents are in date order among themselves, the order within a day that in
    which they were drawn; an undated document keeps the place that it was drawn for.

    Parameters
    ----------
    groups : two ndarrays of int
        The rows of each collection. They share none.
    n : int
        Stories, drawn independently of each other.
    lengths : (int, int)
        Fewest and most documents in a story, at least 2.
    rng : numpy.random.Generator
    days : ndarray, shape (rows of both,), optional
        Day numbers by row, nan for undated; ``None`` leaves the order to chance.

    Raises
    ------
    InvalidInput
        If a collection has too few documents for the longest story, the collections overlap, or the lengths are none.

    Examples
    --------
    >>> alternating_stories((np.array([0]), np.array([1])), 1, lengths=(2, 2), rng=np.random.default_rng(0))
    [(1, 0)]
    """
    first, second = (np.unique(group) for group in groups)
    if (shared := np.intersect1d(first, second)).size:
        raise InvalidInput(f"the two collections must share no document; row {shared[0]} is in both.")
    _check_lengths(lengths, n)
    for group in (first, second):
        _check_enough(group, -(-lengths[1] // 2), "each collection")
    stories = []
    for _ in range(n):
        length = int(rng.integers(lengths[0], lengths[1], endpoint=True))
        begins, follows = (second, first) if rng.integers(2) else (first, second)
        story = np.empty(length, dtype=np.intp)
        story[::2] = _draw(begins, -(-length // 2), rng, days)
        story[1::2] = _draw(follows, length // 2, rng, days)
        stories.append(tuple(story.tolist()))
    return stories


def mixed_stories(
    rows: NDArray[np.integer],
    n: int,
    *,
    lengths: tuple[int, int] = LENGTHS,
    rng: np.random.Generator,
) -> list[tuple[int, ...]]:
    """Return stories whose documents are drawn without replacement from all rows alike, in the order drawn.

    By date, collections of different years would be told one after the other instead of mixed.

    Parameters
    ----------
    rows : ndarray of int
        The rows of both collections together.
    n, lengths, rng
        As in `alternating_stories`.

    Raises
    ------
    InvalidInput
        If there are too few documents for the longest story, or the lengths are none.
    """
    union = np.unique(rows)
    _check_lengths(lengths, n)
    _check_enough(union, lengths[1], "the collections together")
    drawn = (int(rng.integers(lengths[0], lengths[1], endpoint=True)) for _ in range(n))
    return [tuple(_draw(union, length, rng, None).tolist()) for length in drawn]


def _check_lengths(lengths: tuple[int, int], n: int) -> None:
    fewest, most = lengths
    if not 2 <= fewest <= most:
        raise InvalidInput(f"lengths must be at least 2, the smaller one first; got {fewest} and {most}.")
    if n < 0:
        raise InvalidInput(f"the number of stories must be at least 0; got {n}.")


def _check_enough(rows: NDArray[np.integer], n_needed: int, of: str) -> None:
    if len(rows) < n_needed:
        raise InvalidInput(f"{of} must have at least {n_needed} documents for the longest story; got {len(rows)}.")


def _draw(
    rows: NDArray[np.integer], n: int, rng: np.random.Generator, days: NDArray[np.float64] | None
) -> NDArray[np.integer]:
    drawn = rng.choice(rows, size=n, replace=False)
    if days is not None:
        dated = np.flatnonzero(~np.isnan(days[drawn]))
        drawn[dated] = drawn[dated][np.argsort(days[drawn[dated]], kind="stable")]
    return drawn
