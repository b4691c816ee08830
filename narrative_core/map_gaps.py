"""Empty stretches of a map, which leave no room to what is on it."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

FEWEST: Final = 50
"""Documents of which a stretch without any is more than chance."""

LONGEST_GAP: Final = 0.2
CLOSED_GAP: Final = 0.1


def close_gaps(positions: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return places on a map without long empty stretches between them.

    One far group would press all others into a corner. How far apart groups lie says little on such a map (UMAP keeps
    neighbours, not distances), so a stretch along an axis in which no document lies and which is longer than
    ``LONGEST_GAP`` of the whole becomes ``CLOSED_GAP`` of it. The order along each axis stays, and so does every
    distance on either side of the stretch. Maps of fewer than ``FEWEST`` documents are returned as they are.

    Parameters
    ----------
    positions : array (n, 2)
        Finite map coordinates, of any float type.

    Returns
    -------
    array (n, 2) of float64
    """
    places = np.asarray(positions, dtype=np.float64)
    if len(places) < FEWEST:
        return places
    return np.column_stack([_closed(column) for column in places.T])


def _closed(values: NDArray[np.float64]) -> NDArray[np.float64]:
    order = np.argsort(values, kind="stable")
    steps = np.diff(values[order])
    extent = steps.sum()
    surplus = np.where(steps > LONGEST_GAP * extent, steps - CLOSED_GAP * extent, 0.0)
    closed = values.copy()
    closed[order[1:]] -= np.cumsum(surplus)
    return closed
