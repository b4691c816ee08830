"""Dates as people write them: what is said, how exactly, and whether day and month can be told apart.

A date is the calendar date as written: time and zone do not move it.
"""

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from narrative_core.ingest.calendar_words import MONTHS
from narrative_core.ingest.date_shapes import DateParts, NumericParts, Shape, read_shape
from narrative_core.records import DatePrecision

DateOrder = Literal["iso", "day first", "month first", "mixed"]

MIN_YEAR, MAX_YEAR = 1000, 2200
_SERIAL = re.compile(r"[2-5]\d{4}(?:\.\d+)?", re.ASCII)
_MIN_SERIAL_SHARE = 0.8
_SPREADSHEET_ZERO = dt.date(1899, 12, 30)
_N_EXAMPLES = 3
_N_SHAPES_NAMED = 3


@dataclass(frozen=True, slots=True)
class ParsedDate:
    """A date and how exactly it was given; ``pattern`` is the way it was written ("DD/MM/YYYY")."""

    date: dt.date
    precision: DatePrecision
    pattern: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class DateExample:
    """A value of the column as given and as understood."""

    given: str
    understood: str


@dataclass(frozen=True, slots=True)
class DateFormat:
    """How the dates of a column are written.

    ``name`` for people ("DD/MM/YYYY, day first") · ``order`` of day and month: "iso" where no value depends on it,
    "mixed" where values contradict each other or nothing tells · ``is_ambiguous`` nothing tells: a person must choose ·
    ``examples`` up to three, of different ways of writing where there are any · ``n_readable`` and ``n_unreadable``
    values; empty ones are neither · ``is_serial`` the numbers of a spreadsheet, which counts days from 1900.
    """

    name: str
    order: DateOrder
    is_ambiguous: bool
    examples: tuple[DateExample, ...]
    n_readable: int
    n_unreadable: int
    is_serial: bool = False


def parse_date(text: str, order: DateOrder) -> ParsedDate | None:
    """Return the date that a text says, or ``None``.

    Parameters
    ----------
    text : str
        ISO dates and datetimes, a year, a year and month, 2021/07/11, 11.07.2021, 07/11/2021, July 11, 2021,
        11 July 2021, Jul 2021, RFC 2822, 20210711, and seconds or milliseconds since 1970 of the years 2001 to 2033.
    order : {"iso", "day first", "month first", "mixed"}
        How to read numbers such as 07/11/2021. With "iso" and "mixed" they are read only where one reading is possible.

    Returns
    -------
    ParsedDate or None
        ``None`` for what is no date, impossible (31 February), outside the years 1000 to 2200, or has a two-digit year.

    Examples
    --------
    >>> parse_date("07/11/2021", "day first")
    ParsedDate(date=datetime.date(2021, 11, 7), precision='day', pattern='DD/MM/YYYY')
    >>> parse_date("Jul 2021", "iso")
    ParsedDate(date=datetime.date(2021, 7, 1), precision='month', pattern='Month YYYY')
    """
    found = interpret(read_shape(text), order)
    return found if isinstance(found, ParsedDate) else None


def read_serial(text: str) -> Shape:
    """Return the day that a spreadsheet means by a number: days since 30 December 1899.

    Examples
    --------
    >>> read_serial("44388.5")
    DateParts(year=2021, month=7, day=11, pattern='days since 1900 (spreadsheet)')
    """
    if not _SERIAL.fullmatch(text.strip()):
        return "it is no number of days from 20000 to 60000, as the others are"
    date = _SPREADSHEET_ZERO + dt.timedelta(days=int(float(text)))
    return DateParts(date.year, date.month, date.day, "days since 1900 (spreadsheet)")


def interpret(shape: Shape, order: DateOrder) -> ParsedDate | str:
    """Return the date that the numbers of a shape make in an order, or the reason why they make none."""
    if isinstance(shape, str):
        return shape
    if isinstance(shape, DateParts):
        return _possible(shape.year, shape.month, shape.day, shape.pattern)
    mark = shape.separator
    day_first = _possible(shape.year, shape.second, shape.first, f"DD{mark}MM{mark}YYYY")
    month_first = _possible(shape.year, shape.first, shape.second, f"MM{mark}DD{mark}YYYY")
    if order == "day first":
        return day_first
    if order == "month first" or isinstance(day_first, str):
        return month_first
    if isinstance(month_first, str) or day_first == month_first:
        return day_first
    return f"it can be {_describe(day_first)} or {_describe(month_first)}"


def why_unreadable(text: str, order: DateOrder) -> str:
    """Return why `parse_date` finds no date, as the end of a sentence; "" where it finds one."""
    found = interpret(read_shape(text), order)
    return found if isinstance(found, str) else ""


def detect_date_format(values: Iterable[str]) -> DateFormat:
    """Return how a column of dates is written.

    A value whose first number is over 12 says day first, one whose second number is over 12 month first; values of both
    kinds make the column mixed; without either it is ambiguous, as soon as one value has two readings. A column of
    numbers from 20000 to 60000, with less than a fifth of other values and no date among them, counts days, as
    spreadsheets do.

    Examples
    --------
    >>> detect_date_format(["25/12/2021", "03/04/2021"]).order
    'day first'
    >>> detect_date_format(["07/11/2021"]).examples
    (DateExample(given='07/11/2021', understood='7 November 2021 or 11 July 2021'),)
    """
    counts = Counter(value.strip() for value in values if value.strip())
    is_serial = _are_serials(counts)
    shapes = {value: read_serial(value) if is_serial else read_shape(value) for value in counts}
    order, is_ambiguous = _detect_order(shapes.values())
    readings = {value: _readings(shape, order, is_ambiguous=is_ambiguous) for value, shape in shapes.items()}
    n_readable = sum(counts[value] for value, found in readings.items() if found)
    patterns: Counter[str] = Counter()
    for value, found in readings.items():
        patterns[" or ".join(reading.pattern for reading in found)] += counts[value] if found else 0
    return DateFormat(
        name=_format_name(patterns, order),
        order=order,
        is_ambiguous=is_ambiguous,
        examples=_examples(readings, shapes),
        n_readable=n_readable,
        n_unreadable=counts.total() - n_readable,
        is_serial=is_serial,
    )


def describe_date(date: dt.date, precision: DatePrecision) -> str:
    """Return a date in words, as exactly as it was given.

    Examples
    --------
    >>> describe_date(dt.date(2021, 7, 1), "month")
    'July 2021'
    """
    month = MONTHS[date.month - 1]
    return {"day": f"{date.day} {month} {date.year}", "month": f"{month} {date.year}", "year": str(date.year)}[
        precision
    ]


def _possible(year: int, month: int | None, day: int | None, pattern: str) -> ParsedDate | str:
    if not MIN_YEAR <= year <= MAX_YEAR:
        return f"the year {year} is outside {MIN_YEAR} to {MAX_YEAR}"
    if month is not None and not 1 <= month <= 12:
        return f"there is no month {month}"
    try:
        date = dt.date(year, month or 1, 1 if day is None else day)
    except ValueError:
        return f"there is no {day} {MONTHS[(month or 1) - 1]} {year}"
    return ParsedDate(date, "year" if month is None else "month" if day is None else "day", pattern)


def _detect_order(shapes: Iterable[Shape]) -> tuple[DateOrder, bool]:
    """Return (order, whether a person must choose)."""
    numeric = [shape for shape in shapes if isinstance(shape, NumericParts)]
    is_day_first = any(12 < shape.first <= 31 and shape.second <= 12 for shape in numeric)
    is_month_first = any(12 < shape.second <= 31 and shape.first <= 12 for shape in numeric)
    if is_day_first and is_month_first:
        return "mixed", False
    if is_day_first or is_month_first:
        return ("day first" if is_day_first else "month first"), False
    has_two_readings = any(len(_readings(shape, "mixed", is_ambiguous=True)) > 1 for shape in numeric)
    return ("mixed" if has_two_readings else "iso"), has_two_readings


def _are_serials(counts: Counter[str]) -> bool:
    """Whether values are the days of a spreadsheet: most are such numbers, and the others are no dates."""
    others = [value for value in counts if not _SERIAL.fullmatch(value)]
    is_most = 0 < counts.total() * _MIN_SERIAL_SHARE <= counts.total() - sum(counts[value] for value in others)
    return is_most and all(isinstance(read_shape(value), str) for value in others)


def _readings(shape: Shape, order: DateOrder, *, is_ambiguous: bool) -> tuple[ParsedDate, ...]:
    orders: tuple[DateOrder, ...] = ("day first", "month first") if is_ambiguous else (order,)
    found = [reading for each in orders if isinstance(reading := interpret(shape, each), ParsedDate)]
    return tuple(dict.fromkeys(found))


def _format_name(patterns: Counter[str], order: DateOrder) -> str:
    named = [(pattern, count) for pattern, count in patterns.most_common() if count]
    if len(named) == 1:
        return named[0][0] + (f", {order}" if order.endswith("first") else "")
    shown = [f"{pattern} ({count:,})" for pattern, count in named[:_N_SHAPES_NAMED]]
    more = len(named) - _N_SHAPES_NAMED
    return "; ".join(shown + ([f"{more} other ways"] if more > 0 else []) + ([] if order == "iso" else [order]))


def _examples(readings: Mapping[str, tuple[ParsedDate, ...]], shapes: Mapping[str, Shape]) -> tuple[DateExample, ...]:
    """Return up to three values with their readings, those first whose numbers could be told either way.

    After the first, ways of writing that are not among the examples yet go before those that are.
    """
    readable = [value for value, found in readings.items() if found]
    readable.sort(key=lambda value: (-len(readings[value]), not isinstance(shapes[value], NumericParts)))
    firsts = {readings[value][0].pattern: value for value in reversed(readable)}
    rank = len(readings[readable[0]]) if readable else 0
    different = [value for value in readable if firsts[readings[value][0].pattern] == value]
    chosen = dict.fromkeys([*different, *readable] if rank < 2 else readable)
    return tuple(
        DateExample(value, " or ".join(_describe(reading) for reading in readings[value]))
        for value in list(chosen)[:_N_EXAMPLES]
    )


def _describe(reading: ParsedDate) -> str:
    return describe_date(reading.date, reading.precision)
