"""The graph of allowed links: which document may follow which, and how strongly.

`TrailGraph` is the only thing that knows how θ is kept; the searches ask it for the links out of or into a document.
"""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from narrative_core.errors import InvalidInput

Dates = Sequence[dt.date | str | None] | NDArray[np.generic]
_DAY = np.timedelta64(1, "D")
_EVERYTHING = slice(None)


def critical_coherence(coherence: ArrayLike) -> float:
    """Return the smallest edge of the maximum spanning tree of the complete undirected θ.

    Dropping every link below it (exactly equal is kept) leaves the undirected graph connected; one hair more does not.

    Parameters
    ----------
    coherence : array_like, shape (n, n)
        Symmetric, in [0, 1].

    Returns
    -------
    float
        0.0 for fewer than two documents: there is nothing to disconnect.

    Raises
    ------
    InvalidInput
        If the matrix is not square, or an entry is outside [0, 1].

    Notes
    -----
    Prim's algorithm on the dense matrix: O(n²) time, O(n) memory beyond θ.

    Examples
    --------
    >>> critical_coherence([[0.0, 0.9, 0.3], [0.9, 0.0, 0.4], [0.3, 0.4, 0.0]])
    0.4
    """
    theta = checked_coherence(coherence)
    n = len(theta)
    if n < 2:
        return 0.0
    strongest = theta[0].copy()
    outside = np.ones(n, dtype=bool)
    outside[0] = False
    smallest = np.inf
    for _ in range(n - 1):
        joined = int(np.argmax(np.where(outside, strongest, -np.inf)))
        smallest = min(smallest, float(strongest[joined]))
        outside[joined] = False
        np.maximum(strongest, theta[joined], out=strongest)
    return smallest


@dataclass(frozen=True, slots=True, eq=False)
class TrailGraph:
    """Who may follow whom.

    A link u → v is allowed when θ(u, v) ≥ ``floor``, neither document is barred, the link is not cut, and, where days
    are given, day(u) ≤ day(v) and day(v) − day(u) ≤ ``maximum_gap_days``. Documents of one day are linked both ways;
    undated ones (nan) have no links where days are given.

    Parameters
    ----------
    coherence : ndarray, shape (n, n)
        θ, symmetric.
    days : ndarray, shape (n,), optional
        Day numbers, nan for undated; ``None`` switches the chronology off.
    floor : float
        The weakest allowed link, usually the critical coherence.
    barred : ndarray of bool, shape (n,), optional
        Documents that may not be used.
    maximum_gap_days : float
        The longest allowed link; needs days.
    cut : (int, int), optional
        Two documents of which neither may follow the other.
    """

    coherence: NDArray[np.float64]
    days: NDArray[np.float64] | None = None
    floor: float = 0.0
    barred: NDArray[np.bool_] | None = None
    maximum_gap_days: float = np.inf
    cut: tuple[int, int] | None = None

    @property
    def n_documents(self) -> int:
        """How many documents, usable or not."""
        return len(self.coherence)

    def links_from(self, document: int, within: slice = _EVERYTHING) -> NDArray[np.float64]:
        """Return θ(document, v) for every v that may follow it, −inf for the others; shape (n,) or of ``within``."""
        return self._allowed(document, within, is_forward=True)

    def links_into(self, document: int, within: slice = _EVERYTHING) -> NDArray[np.float64]:
        """Return θ(u, document) for every u that may precede it, −inf for the others; shape (n,) or of ``within``."""
        return self._allowed(document, within, is_forward=False)

    def span(self, source: int, target: int | None = None) -> slice:
        """Return rows that hold every document a trail from source to target can use; ``None`` is any target.

        In position order these are the documents dated from the source's day to the target's and no other.
        """
        if self.days is None:
            return _EVERYTHING
        usable = self.days >= self.days[source]
        if target is not None:
            usable &= self.days <= self.days[target]
        usable[source] = True  # undated as it may be
        rows = np.flatnonzero(usable)
        return slice(int(rows[0]), int(rows[-1]) + 1)

    def chain_strengths(self, documents: Sequence[int]) -> tuple[float, ...]:
        """Return θ of each step of a chain, whether or not the link is allowed."""
        chain = np.asarray(documents, dtype=np.intp)
        return tuple(self.coherence[chain[:-1], chain[1:]].tolist())

    def strengths_among(self, documents: Sequence[int]) -> list[list[float]]:
        """Return θ of every pair of some documents, whether or not the link is allowed; rows and columns as given."""
        chosen = np.asarray(documents, dtype=np.intp)
        among: list[list[float]] = self.coherence[np.ix_(chosen, chosen)].tolist()
        return among

    def degrees(self) -> NDArray[np.intp]:
        """Return how many others each document is linked with by θ ≥ ``floor`` alone, whatever dates and wishes say."""
        n_linked = [np.count_nonzero(row >= self.floor) for row in self.coherence]
        return np.array(n_linked, dtype=np.intp) - (self.coherence.diagonal() >= self.floor)

    def strongest_with(self, documents: Sequence[int]) -> NDArray[np.float64]:
        """Return θ of every document with whichever of some documents is closest to it; shape (n,)."""
        strongest = np.full(self.n_documents, -np.inf)
        for document in documents:
            np.maximum(strongest, self.coherence[document], out=strongest)
        return strongest

    def without(self, documents: Iterable[int]) -> "TrailGraph":
        """Return the same graph with more documents barred."""
        barred = np.zeros(self.n_documents, dtype=bool) if self.barred is None else self.barred.copy()
        barred[list(documents)] = True
        return replace(self, barred=barred)

    def without_link(self, document: int, other: int) -> "TrailGraph":
        """Return the same graph with the link between two documents cut, in place of one that was cut before."""
        return replace(self, cut=(document, other))

    def _allowed(self, document: int, within: slice, *, is_forward: bool) -> NDArray[np.float64]:
        row = self.coherence[document, within]
        allowed = row >= self.floor
        if self.days is not None:
            day, days = self.days[document], self.days[within]
            allowed &= days >= day if is_forward else days <= day
            if self.maximum_gap_days < np.inf:
                allowed &= np.abs(days - day) <= self.maximum_gap_days
        if self.barred is not None:
            allowed &= ~self.barred[within]
            allowed &= not self.barred[document]
        first = within.start or 0
        apart = (document, *self.cut) if self.cut is not None and document in self.cut else (document,)
        for other in apart:
            if 0 <= other - first < len(row):
                allowed[other - first] = False
        return np.where(allowed, row, -np.inf)


def day_numbers(dates: Dates) -> NDArray[np.float64]:
    """Return each date as a day number (days since 1970-01-01), nan where there is none; shape (n,).

    Parameters
    ----------
    dates : sequence
        `datetime.date`, ISO strings, numpy datetimes, ``None`` or NaT; or numbers, which pass as they are.

    Raises
    ------
    InvalidInput
        If a value is not a date.

    Examples
    --------
    >>> day_numbers(["1970-01-02", None, "1969-07-20"]).tolist()
    [1.0, nan, -165.0]
    """
    values = np.asarray(dates)
    if values.dtype.kind in "iuf":
        return values.astype(np.float64)
    try:
        if values.dtype.kind in "OU":
            values = np.array([_as_day(value) for value in values], dtype="datetime64[D]")
        days = values.astype("datetime64[D]")
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"dates must be ISO dates (2021-07-11) or None: {error}.") from error
    return np.where(np.isnat(days), np.nan, (days - np.datetime64(0, "D")) / _DAY)


def checked_coherence(coherence: ArrayLike) -> NDArray[np.float64]:
    """Return θ as a float64 array, or say what is wrong with it."""
    theta = np.asarray(coherence, dtype=np.float64)
    if theta.ndim != 2 or theta.shape[0] != theta.shape[1]:
        raise InvalidInput(f"coherence must be square, (documents, documents); got shape {theta.shape}.")
    if theta.size and not (theta.min() >= 0.0 and theta.max() <= 1.0):
        i, j = np.argwhere(~((theta >= 0.0) & (theta <= 1.0)))[0]
        raise InvalidInput(
            f"coherence must lie in [0, 1]; got {theta[i, j]:g} at ({i}, {j}). Compute it with coherence_matrix."
        )
    return theta


def _as_day(value: object) -> np.datetime64:
    if value is None or value == "" or value != value:  # noqa: PLR0124  nan and NaT differ from themselves
        return np.datetime64("NaT", "D")
    if isinstance(value, dt.datetime):
        value = value.date()
    return np.datetime64(value, "D")  # type: ignore[call-overload, no-any-return]
