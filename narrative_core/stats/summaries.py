"""Values of stories at the door, and in short."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from narrative_core.errors import InvalidInput
from narrative_core.estimates import Summary
from narrative_core.stats.ratings import as_ratings


def summary(values: ArrayLike) -> Summary:
    """Return how many values there are, their mean, standard deviation (n − 1), minimum and maximum.

    Parameters
    ----------
    values : array_like, shape (n,)
        nan or ``None`` is unknown: left out, and counted.

    Returns
    -------
    Summary
        nan without a value; ``sd`` is nan for a single one and exactly 0 where all are equal but for rounding.

    Raises
    ------
    InvalidInput
        As in `as_values`.

    Examples
    --------
    >>> summary([2.0, 4.0, 9.0, float("nan")])
    Summary(n=3, mean=5.0, sd=3.605551275463989, minimum=2.0, maximum=9.0, n_skipped=1)
    """
    checked = as_values(values)
    known = checked[~np.isnan(checked)]
    n_skipped = len(checked) - len(known)
    if len(known) == 0:
        return Summary(0, np.nan, np.nan, np.nan, np.nan, n_skipped)
    least = float(known.min())
    above = known - least  # equal values become exact zeros, and a large offset costs no digits
    sd = float(above.std(ddof=1)) if len(known) > 1 else np.nan
    return Summary(len(known), least + float(above.mean()), sd, least, float(known.max()), n_skipped)


def as_values(values: ArrayLike, name: str = "values") -> NDArray[np.float64]:
    """Return a list of numbers, checked, in which rounding noise makes no difference.

    Parameters
    ----------
    values : array_like, shape (n,)
        nan or ``None`` is unknown.
    name : str
        What a message calls them.

    Returns
    -------
    ndarray, shape (n,)
        A copy; values that differ by rounding only (1e-12 of the largest) are equal, as in `as_ratings`.

    Raises
    ------
    InvalidInput
        If it is not a list of numbers, or a number is infinite.

    Examples
    --------
    >>> as_values([0.1 + 0.2, 0.3, None]).tolist()
    [0.3, 0.3, nan]
    """
    try:
        numbers = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidInput(
            f"{name} must be a list of numbers, nan where one is unknown; got something else ({error})."
        ) from error
    if numbers.ndim != 1:
        raise InvalidInput(f"{name} must have one axis, a number a story; got shape {numbers.shape}.")
    if np.isinf(numbers).any():
        place = int(np.flatnonzero(np.isinf(numbers))[0])
        raise InvalidInput(f"{name} must be finite, nan where unknown; got {numbers[place]} at {place}.")
    if np.isnan(numbers).all():
        return numbers
    clean: NDArray[np.float64] = as_ratings(numbers[:, None]).table[:, 0]
    return clean


def check_lengths(**lists: NDArray[np.generic]) -> None:
    """Refuse lists that must go together story by story and do not have the same length.

    Raises
    ------
    InvalidInput
        If lengths differ.
    """
    lengths = {name: len(values) for name, values in lists.items()}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise InvalidInput(f"every list must hold one entry a story, in the same order; got lengths {found}.")
