"""Tables of ratings at the door: stories down, agents across, nan where an agent gave no score."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from narrative_core.errors import InvalidInput

ROUNDING = 1e-12
"""Ratings that differ by less than this share of the largest count as equal: a mean of criteria carries such noise."""


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """Checked ratings: ``table`` (n_stories, n_agents) float64, nan = missing, without agents that rated nothing."""

    table: NDArray[np.float64]

    @property
    def complete(self) -> NDArray[np.float64]:
        """The stories that every agent rated, shape (n_complete, n_agents)."""
        complete: NDArray[np.float64] = self.table[~np.isnan(self.table).any(axis=1)]
        return complete

    @property
    def pairable(self) -> NDArray[np.float64]:
        """The stories that at least two agents rated, shape (n_used, n_agents), nan = missing."""
        pairable: NDArray[np.float64] = self.table[np.count_nonzero(~np.isnan(self.table), axis=1) >= 2]
        return pairable


def as_ratings(ratings: ArrayLike) -> Ratings:
    """Return a table of ratings, checked, in which rounding noise makes no difference.

    Parameters
    ----------
    ratings : array_like, shape (n_stories, n_agents)
        nan or ``None`` is missing. An empty list is a table of no stories.

    Returns
    -------
    Ratings
        Values that differ by less than `ROUNDING` times the largest magnitude are made equal; an agent that rated
        nothing is not one of its columns.

    Raises
    ------
    InvalidInput
        If it is not a table of numbers, or a number is infinite.
    """
    try:
        table = np.array(ratings, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidInput(
            "ratings must be a table of numbers, a row a story and a column an agent, nan where a score is missing; "
            f"got something else ({error})."
        ) from error
    if table.shape == (0,):
        table = table.reshape(0, 0)
    if table.ndim != 2:
        raise InvalidInput(
            f"ratings must have two axes, (stories, agents); got shape {table.shape}. A single agent is one column."
        )
    if np.isinf(table).any():
        story, agent = np.argwhere(np.isinf(table))[0].tolist()
        raise InvalidInput(
            f"ratings must be finite, nan where missing; got {table[story, agent]} at ({story}, {agent})."
        )
    return Ratings(_without_rounding(table[:, ~np.isnan(table).all(axis=0)]))


def _without_rounding(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give each value the smallest of the run of neighbours that it differs from by rounding only."""
    values, places = np.unique(table, return_inverse=True)  # nan last, as one value
    if len(values) == 0:
        return table
    is_new = np.ones(len(values), dtype=bool)
    is_new[1:] = ~(np.diff(values) <= ROUNDING * np.nanmax(np.abs(values)))
    representative = values[np.flatnonzero(is_new)[np.cumsum(is_new) - 1]]
    clean: NDArray[np.float64] = representative[places].reshape(table.shape)
    return clean
