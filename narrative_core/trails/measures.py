"""Numbers about one story, from the strengths of its links or the vectors of its documents."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray


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


def weak_share(strengths: Sequence[float], median_link: float) -> float:
    """Return the share of the links that are below the collection's median link, nan where that is unknown (nan).

    Unlike `weak_links`, it does not count the weakest link where that is strong.

    Examples
    --------
    >>> weak_share([0.6, 0.7, 0.8, 0.5], median_link=0.7)
    0.5
    """
    return float("nan") if np.isnan(median_link) else float(np.mean(np.less(strengths, median_link)))


def path_efficiency(vectors: ArrayLike) -> float:
    """Return how directly a story goes from its first document to its last.

    The angle between the first and the last vector over the sum of the angles of the links. An angle obeys the triangle
    inequality, so that 1 is the straight way, and 0 is a story that ends in the wording it began with.

    Parameters
    ----------
    vectors : array_like, shape (documents, d)
        Unit rows, in the order of the story.

    Returns
    -------
    float
        In [0, 1], exactly 1 for two documents that differ; nan where the sum is 0: all are worded alike, or there are
        fewer than two.

    Notes
    -----
    The angle of u and v is 2 atan2(|u − v|, |u + v|) (Kahan), which is exact where arccos is not: for vectors that are
    nearly the same.

    Examples
    --------
    >>> round(path_efficiency([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]]), 3)
    0.419
    """
    units = np.asarray(vectors, dtype=np.float64)
    walked = _angles(units[:-1], units[1:]).sum()
    if not walked > 0:
        return float("nan")
    return min(1.0, float(_angles(units[:1], units[-1:]).item() / walked))


def _angles(units: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    apart: NDArray[np.float64] = 2 * np.arctan2(
        np.linalg.norm(units - others, axis=1), np.linalg.norm(units + others, axis=1)
    )
    return apart
