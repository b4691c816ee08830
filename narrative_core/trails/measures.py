"""Numbers about one story, from the strengths of its links."""

from collections.abc import Sequence

import numpy as np


def mean_strength(strengths: Sequence[float]) -> float:
    """Return the arithmetic mean of the link strengths.

    Examples
    --------
    >>> mean_strength([0.5, 0.7])
    0.6
    """
    return float(np.mean(strengths))


def reliability(strengths: Sequence[float]) -> float:
    """Return the geometric mean of the link strengths, 0 where one of them is 0.

    Examples
    --------
    >>> round(reliability([0.4, 0.9]), 12)
    0.6
    """
    values = np.asarray(strengths, dtype=np.float64)
    return float(np.exp(np.log(values).mean())) if values.min() > 0 else 0.0


def weakest_link(strengths: Sequence[float]) -> int:
    """Return the number of the weakest link, the first among equals.

    Examples
    --------
    >>> weakest_link([0.8, 0.5, 0.5])
    1
    """
    return int(np.argmin(strengths))


def weak_links(strengths: Sequence[float], median_link: float) -> tuple[bool, ...]:
    """Return, for each link, whether it is weak: the weakest of its story, or below the collection's median link.

    A nan median marks the weakest link only.

    Examples
    --------
    >>> weak_links([0.8, 0.6, 0.9], median_link=0.7)
    (False, True, False)
    """
    weakest = weakest_link(strengths)
    return tuple(number == weakest or strength < median_link for number, strength in enumerate(strengths))
