"""A calendar as an axis: ticks from days to millennia, the days that a date may mean, and documents by period.

Dates have no hours here, so the finest tick is a day; the coarsest is a thousand years.
"""

import calendar
import datetime as dt
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from narrative_core.counting import count
from narrative_core.records import Document

Unit = Literal["day", "month", "year"]

_STEPS: Final[tuple[tuple[Unit, int], ...]] = (
    *(("day", step) for step in (1, 2, 3, 7, 14)),
    *(("month", step) for step in (1, 2, 3, 6)),
    *(("year", step) for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)),
)
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAYS_PER_YEAR: Final = 365.2425
_LAST_ORDINAL: Final = dt.date.max.toordinal()


@dataclass(frozen=True, slots=True)
class Tick:
    """A day that is named on the axis: ``words`` below it, and ``year`` below these where the words have none.

    ``year`` is empty where it is that of the tick before.
    """

    day: dt.date
    words: str
    year: str = ""


@dataclass(frozen=True, slots=True)
class Period:
    """The days from ``start`` up to but without ``end``, and how many of some dates lie in them."""

    start: dt.date
    end: dt.date
    n: int


def time_ticks(first: dt.date, last: dt.date, *, most: int = 7) -> tuple[Tick, ...]:
    """Return the ticks of an axis from ``first`` to ``last``: the finest step that gives at most ``most`` of them.

    Weeks begin on Mondays, months and quarters on their first day, decades with a year that ends in 0. A range in which
    no such day lies (eleven days in one month, say, with room for two ticks) has its first day as the only tick.

    Examples
    --------
    >>> [tick.words for tick in time_ticks(dt.date(1957, 10, 4), dt.date(1998, 12, 10))]
    ['1960', '1970', '1980', '1990']
    >>> [(tick.words, tick.year) for tick in time_ticks(dt.date(1961, 11, 20), dt.date(1962, 2, 3), most=4)]
    [('Dec', '1961'), ('Jan', '1962'), ('Feb', '')]
    """
    unit, days = _finest(first, last, max(most, 1))
    ticks: list[Tick] = []
    year = 0
    for day in days or [first]:
        words = {"day": f"{day.day} {_MONTHS[day.month - 1]}", "month": _MONTHS[day.month - 1], "year": f"{day.year}"}
        ticks.append(Tick(day, words[unit], "" if unit == "year" or day.year == year else f"{day.year}"))
        year = day.year
    return tuple(ticks)


def periods(dates: Sequence[dt.date], first: dt.date, last: dt.date, *, most: int = 60) -> tuple[Period, ...]:
    """Return how many dates lie in each period of the calendar from ``first`` to ``last``, both days included.

    Periods are whole days, weeks, months, quarters, years and so on, but for the first and the last, which end with the
    range; dates outside of it are not counted.

    Examples
    --------
    >>> found = periods([dt.date(1961, 4, 12), dt.date(1970, 1, 1)], dt.date(1961, 3, 1), dt.date(1961, 5, 31), most=3)
    >>> [(period.start.isoformat(), period.n) for period in found]
    [('1961-03-01', 0), ('1961-04-01', 1), ('1961-05-01', 0)]
    """
    _, days = _finest(first, last, max(most, 1))
    starts = sorted({first, *days})
    ends = [*starts[1:], _day(last.toordinal() + 1)]
    counts = [0] * len(starts)
    for date in dates:
        if first <= date <= last:
            counts[bisect_right(starts, date) - 1] += 1
    return tuple(Period(start, end, n) for start, end, n in zip(starts, ends, counts, strict=True))


def period_words(found: Sequence[Period]) -> tuple[str, ...]:
    """Return the name of each of the periods of a range, in years, months or days: the coarsest that tells them apart.

    Examples
    --------
    >>> period_words(periods([], dt.date(1957, 10, 4), dt.date(1971, 12, 10), most=2))
    ('1957–1959', '1960–1969', '1970–1971')
    >>> period_words(periods([], dt.date(1961, 11, 20), dt.date(1962, 5, 3), most=2))
    ('Nov–Dec 1961', 'Jan–Mar 1962', 'Apr–May 1962')
    >>> period_words(periods([], dt.date(1961, 4, 12), dt.date(1961, 4, 18), most=2))
    ('12 Apr 1961', '13–15 Apr 1961', '16–18 Apr 1961')
    """
    bounds = [period.start for period in found[1:]]
    is_monthly = bool(bounds) and all(day.day == 1 for day in bounds)
    is_yearly = is_monthly and all(day.month == 1 for day in bounds)
    return tuple(
        _span_words(*(_parts(day, is_yearly=is_yearly, is_monthly=is_monthly) for day in (one.start, _last(one))))
        for one in found
    )


def meant_days(document: Document) -> tuple[dt.date, dt.date] | None:
    """Return the first and the last day that a document's date may mean; ``None`` where it has no date.

    Examples
    --------
    >>> first, last = meant_days(Document("d1", "", "", dt.date(1960, 2, 1), "1960-02", "month"))
    >>> first.isoformat(), last.isoformat()
    ('1960-02-01', '1960-02-29')
    """
    date = document.date
    if date is None:
        return None
    if document.date_precision == "year":
        return date, date.replace(month=12, day=31)
    if document.date_precision == "month":
        return date, date.replace(day=calendar.monthrange(date.year, date.month)[1])
    return date, date


def padded_range(days: Sequence[dt.date], *, share: float = 0.03, least: int = 1) -> tuple[dt.date, dt.date]:
    """Return the range of an axis that shows some days (at least one) with air on both sides, ``least`` days or more.

    Examples
    --------
    >>> [day.isoformat() for day in padded_range([dt.date(1961, 4, 12)])]
    ['1961-04-11', '1961-04-13']
    """
    first, last = min(days), max(days)
    air = max(least, round(share * (last - first).days))
    return _day(first.toordinal() - air), _day(last.toordinal() + air)


def duration_words(days: int) -> str:
    """Return a time of some days in words, in days up to 60, months up to 24, and years; empty for none.

    Examples
    --------
    >>> [duration_words(days) for days in (0, 1, 60, 61, 366, 591, 900)]
    ['', '1 day', '60 days', '2 months', '1 year', '19 months', '2 years']
    """
    if days <= 60:
        return count(days, "day") if days else ""
    months = round(days * 12 / _DAYS_PER_YEAR)
    return months_words(months) if months < 24 else count(round(days / _DAYS_PER_YEAR), "year")


def months_words(months: int) -> str:
    """Return a time of some months in words, in years where it is 12 or at least 24; empty for none."""
    if months == 12 or months >= 24:
        return count(round(months / 12), "year")
    return count(months, "month") if months else ""


def _last(period: Period) -> dt.date:
    return max(period.start, period.end - dt.timedelta(days=1))


def _parts(day: dt.date, *, is_yearly: bool, is_monthly: bool) -> list[str]:
    """Return the name of a day as day, month and year, without those that are not needed."""
    return [f"{day.day}", _MONTHS[day.month - 1], f"{day.year}"][2 if is_yearly else 1 if is_monthly else 0 :]


def _span_words(first: list[str], last: list[str]) -> str:
    """Return a stretch from its first to its last part; the month and the year that both share come once."""
    end = " ".join(last)
    if first == last:
        return end
    while len(first) > 1 and first[-1] == last[-1]:
        first, last = first[:-1], last[:-1]
    return f"{' '.join(first)}–{end}"


def _finest(first: dt.date, last: dt.date, most: int) -> tuple[Unit, list[dt.date]]:
    """Return the finest step of the calendar that has at most so many marks in a range, and these."""
    for unit, step in _STEPS:
        if (last - first).days // _longest(unit, step) > most:
            continue  # so many that they need not be counted one by one
        marks = list(_marks(first, last, unit, step))
        if len(marks) <= most:
            return unit, marks
    return "year", []


def _longest(unit: Unit, step: int) -> int:
    return step * {"day": 1, "month": 31, "year": 366}[unit]


def _marks(first: dt.date, last: dt.date, unit: Unit, step: int) -> Iterator[dt.date]:
    if unit == "day":
        # Ordinal 1 is a Monday, so multiples of seven after it are Mondays too.
        start = first.toordinal() + (1 - first.toordinal()) % step
        yield from (dt.date.fromordinal(ordinal) for ordinal in range(start, last.toordinal() + 1, step))
        return
    months = step if unit == "month" else 12 * step
    number = -(-(12 * first.year + first.month - 1 + (first.day > 1)) // months) * months
    while number <= 12 * last.year + last.month - 1:
        if 12 <= number < 12 * (dt.MAXYEAR + 1):
            yield dt.date(number // 12, number % 12 + 1, 1)
        number += months


def _day(ordinal: int) -> dt.date:
    return dt.date.fromordinal(min(max(ordinal, 1), _LAST_ORDINAL))
