"""What the dates of a story say: whether it runs forward, and how far apart its documents lie."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from narrative_core.records import Document
from narrative_core.time_axis import meant_days

LONGEST_DAYS = 3650
"""A gap of ten years is as loose as a gap can be."""

UNKNOWN = 0.5
"""What counts where no date tells: the middle of the scale."""

_DAYS_A_YEAR, _DAYS_A_MONTH = 365.25, 30.44


@dataclass(frozen=True, slots=True)
class Timing:
    """The dates of a story, documents without one passed over.

    ``n_dated`` of ``n_documents`` have a date · ``n_backward`` of the steps between them go back in time · ``gaps`` the
    days between them, without sign · ``span_days`` from the first to the last day.
    """

    n_documents: int
    n_dated: int
    n_backward: int
    gaps: tuple[int, ...]
    span_days: int

    @property
    def value(self) -> float:
        """How well the story holds together in time, in [0, 1].

        The share of steps that do not go back, times the mean of 1 and the closeness: half of it is for the order, half
        for the gaps. *Closeness* is the mean over the gaps of 1 − ln(1 + days) / ln(1 + ten years), at least 0. The
        share of undated documents counts `UNKNOWN`.

        Notes
        -----
        No order of dated documents beats the chronological one: on a line, the gaps between neighbours are a minimum
        spanning tree, whose edges, sorted, are each at most those of any other order; and it has no step back.
        """
        if not self.gaps:
            return UNKNOWN
        order = 1 - self.n_backward / len(self.gaps)
        closeness = sum(map(_closeness, self.gaps)) / len(self.gaps)
        known = order * (1 + closeness) / 2
        share = self.n_dated / self.n_documents
        return share * known + (1 - share) * UNKNOWN


def timing(documents: Sequence[Document]) -> Timing:
    """Return what the dates of a story say."""
    dated = [document for document in documents if document.date is not None]
    days = [document.date.toordinal() for document in dated if document.date is not None]
    return Timing(
        n_documents=len(documents),
        n_dated=len(dated),
        n_backward=sum(is_backward(first, second) for first, second in pairwise(dated)),
        gaps=tuple(abs(second - first) for first, second in pairwise(days)),
        span_days=max(days) - min(days) if days else 0,
    )


def is_backward(first: Document, second: Document) -> bool:
    """Whether the second document is surely earlier: its last possible day is before the other's first.

    Examples
    --------
    >>> import datetime as dt
    >>> may = Document("a", "", "", dt.date(2021, 5, 9), "", "day")
    >>> is_backward(may, Document("b", "", "", dt.date(2021, 1, 1), "", "year"))
    False
    """
    told, then = meant_days(first), meant_days(second)
    return told is not None and then is not None and then[1] < told[0]


def days_between(first: Document, second: Document) -> int | None:
    """Return the days between two documents, without sign; ``None`` where a date is missing."""
    if first.date is None or second.date is None:
        return None
    return abs((second.date - first.date).days)


def lapse_words(days: int) -> str:
    """Return a span of time in words.

    Examples
    --------
    >>> [lapse_words(days) for days in (0, 1, 45, 200, 1500)]
    ['less than a day', '1 day', '45 days', '7 months', '4 years']
    """
    if days == 0:
        return "less than a day"
    if days < 60:
        number, unit = days, "day"
    elif days < 2 * _DAYS_A_YEAR:
        number, unit = round(days / _DAYS_A_MONTH), "month"
    else:
        number, unit = round(days / _DAYS_A_YEAR), "year"
    return f"{number} {unit}" if number == 1 else f"{number} {unit}s"


def _closeness(days: int) -> float:
    return max(1 - math.log1p(days) / math.log1p(LONGEST_DAYS), 0.0)
