"""The shapes in which dates are written, and the numbers in each: no judgement yet on what is possible."""

import datetime as dt
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from narrative_core.ingest.calendar_words import HIJRI_MONTHS, MONTH_NUMBERS, WEEKDAYS, plain_digits

_MAX_CHARACTERS = 100
QUARTER = "quarter of a year"
_UNKNOWN = "it is not written as a date that can be read"

_TIME = (
    r"(?:T|[,،]?\s+(?:[-–|]\s+)?(?:(?:at|в|um|à|às|a\s+las|alle|الساعة)\s+)?)\d{1,2}[:.h]\d{2}(?:[:.]\d{2}(?:[.,]\d+)?)?"
    r"(?:\s*(?:[ap]\.?\s?m\.?|[صم]))?(?:\s*[a-zа-я]{1,5})?(?:\s*[+-]\d{1,2}(?::?\d{2})?)?(?:\s*[(\[][^()\[\]]*[)\]])?"
)
_ZONE = r"Z|[+-]\d\d:\d\d"
_YEAR = r"(?P<year>\d{4})"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|\.?[oa°]|\.)?"
# Arabic papers name a month twice, as the Maghreb or Egypt and as Syria does: "يوليو/تموز".
_MONTH = rf"(?P<name>{'|'.join(sorted(MONTH_NUMBERS, key=len, reverse=True))})\.?(?:\s*[/(]\s*[ء-ي]+(?:\s[ء-ي]+)?\)?)?"
_WEEKDAY = rf"(?:(?:يوم\s+)?(?:{'|'.join(sorted(WEEKDAYS, key=len, reverse=True))})\.?[,،]?\s+)?"
_OF = r"(?:of\s+|del?\s+|d['’]\s*)?"
_AFTER_YEAR = r"(?:\s*(?:г\.?|года?|р\.?|م))?"
_CHINESE_TIME = (
    r"(?:\s*\(?(?:星期|周|週|礼拜|禮拜)[一二三四五六日天]\)?)?"
    r"(?:\s*(?:上午|下午|凌晨|早上|晚上|中午|午前|午後|오전|오후)?\s*\d{1,2}[:时時点點시]\s*(?:\d{2}.{0,12})?)?"
)
_REPUBLIC = r"(?:(?:中華|中华)?民[國国]\s*(?P<republic>\d{1,3})|(?P<hundreds>1\d\d))"
_FIRST_OF_REPUBLIC = 1912


@dataclass(frozen=True, slots=True)
class DateParts:
    """The numbers of a date whose parts are told apart by its shape; ``pattern`` names the shape."""

    year: int
    month: int | None
    day: int | None
    pattern: str


@dataclass(frozen=True, slots=True)
class NumericParts:
    """The numbers of a date such as 07/11/2021, of which one is the day and the other the month."""

    first: int
    second: int
    year: int
    separator: str


Shape = DateParts | NumericParts | str
"""What `read_shape` finds; a text is the reason why it is nothing."""


def read_shape(text: str) -> Shape:
    """Return the numbers in a date, or the reason why it is no shape of a date that is known.

    Examples
    --------
    >>> read_shape("Sunday, July 11, 2021")
    DateParts(year=2021, month=7, day=11, pattern='Month D, YYYY')
    >>> read_shape("11.07.2021 14:30")
    NumericParts(first=11, second=7, year=2021, separator='.')
    >>> read_shape("11/07/21")
    'a two-digit year does not say which century'
    """
    return _read_written(text.strip()) if len(text.strip()) <= _MAX_CHARACTERS else _UNKNOWN


@lru_cache(maxsize=1 << 16)
def _read_written(given: str) -> Shape:
    written = plain_digits(given).strip()
    if len(written) <= _MAX_CHARACTERS:
        for pattern, shape, read in _SHAPES:
            if found := shape.fullmatch(written):
                return read(pattern, found)
    return _UNKNOWN


def _by_name(pattern: str, found: re.Match[str]) -> DateParts:
    groups = found.groupdict()
    if name := groups.get("name"):
        month: int | None = MONTH_NUMBERS[" ".join(name.casefold().split())]
    elif quarter := groups.get("quarter"):
        month = 3 * int(quarter) - 2
    else:
        month = _optional_number(groups.get("month"))
    shown = pattern.replace("-", groups.get("separator") or "-")
    return DateParts(_year(groups), month, _optional_number(groups.get("day")), shown)


def _year(groups: Mapping[str, str | None]) -> int:
    """Return the year of our era; one of the Republic of China, which Taiwan writes, counts from 1912."""
    of_republic = groups.get("republic") or groups.get("hundreds")
    return int(of_republic) + _FIRST_OF_REPUBLIC - 1 if of_republic else int(groups["year"] or 0)


def _by_order(_pattern: str, found: re.Match[str]) -> NumericParts:
    return NumericParts(int(found["first"]), int(found["second"]), int(found["year"]), found["separator"])


def _by_clock(pattern: str, found: re.Match[str]) -> DateParts:
    seconds = int(found["seconds"])
    date = dt.datetime.fromtimestamp(seconds, tz=dt.UTC).date()
    return DateParts(date.year, date.month, date.day, pattern)


def _islamic(_pattern: str, _found: re.Match[str]) -> str:
    return "it is a date of the Islamic calendar; give it in the common calendar"


def _two_digit_year(_pattern: str, _found: re.Match[str]) -> str:
    return "a two-digit year does not say which century"


def _optional_number(digits: str | None) -> int | None:
    return int(digits) if digits else None


_Read = Callable[[str, re.Match[str]], Shape]


def _shape(pattern: str, expression: str, read: _Read = _by_name) -> tuple[str, re.Pattern[str], _Read]:
    return pattern, re.compile(expression, re.IGNORECASE), read


# Numbers written by spreadsheets and data frames as 2021.0 are the whole numbers that they were.
_SHAPES = (
    _shape(
        "YYYY-MM-DD",
        rf"{_YEAR}(?P<separator>[-/.])(?P<month>\d{{1,2}})(?P=separator)(?P<day>\d{{1,2}})(?:{_TIME}|{_ZONE})?",
    ),
    _shape("YYYY", rf"{_YEAR}(?:\.0+)?(?:\s*(?:г\.?|года?|م))?"),
    _shape("YYYY-MM", rf"{_YEAR}(?P<separator>[-/])(?P<month>\d{{1,2}})"),
    _shape(
        "NN/NN/YYYY",
        rf"{_WEEKDAY}(?P<first>\d{{1,2}})(?P<separator>[-/.])(?P<second>\d{{1,2}})(?P=separator){_YEAR}(?:{_TIME})?",
        _by_order,
    ),
    _shape("Month D, YYYY", rf"{_WEEKDAY}{_MONTH}\s*{_DAY}(?:[,،]\s*|\s+){_YEAR}(?:{_TIME})?"),
    _shape("D Month YYYY", rf"{_WEEKDAY}{_DAY}[\s/-]*{_OF}{_MONTH}[\s,،/-]*{_OF}{_YEAR}{_AFTER_YEAR}(?:{_TIME})?"),
    _shape("Month D YYYY", rf"{_WEEKDAY}{_MONTH}\s+{_DAY}{_TIME}\s+{_YEAR}"),
    _shape("Month YYYY", rf"{_MONTH}[\s,،-]*{_OF}{_YEAR}{_AFTER_YEAR}"),
    _shape("YYYY Month D", rf"{_YEAR}[\s,-]+{_MONTH}[\s-]+{_DAY}(?:{_TIME})?"),
    # Years, months and days as Chinese, Japanese and Korean mark them.
    _shape(
        "YYYY年M月D日",
        rf"{_YEAR}\s*[年년]\s*(?P<month>\d{{1,2}})\s*[月월]\s*(?P<day>\d{{1,2}})\s*[日号號일]"
        rf"{_CHINESE_TIME}",
    ),
    _shape(
        "民國Y年M月D日", rf"{_REPUBLIC}\s*年\s*(?P<month>\d{{1,2}})\s*月\s*(?P<day>\d{{1,2}})\s*[日號号]{_CHINESE_TIME}"
    ),
    _shape("民國Y年M月", rf"{_REPUBLIC}\s*年\s*(?P<month>\d{{1,2}})\s*月"),
    _shape("民國Y年", rf"{_REPUBLIC}\s*年"),
    _shape("YYYY年M月", rf"{_YEAR}\s*[年년]\s*(?P<month>\d{{1,2}})\s*[月월]"),
    _shape("YYYY年", rf"{_YEAR}\s*[年년]"),
    _shape(QUARTER, rf"{_YEAR}[\s/-]*Q(?P<quarter>[1-4])"),
    _shape(QUARTER, rf"Q(?P<quarter>[1-4])[\s/-]*{_YEAR}"),
    _shape("MM/YYYY", rf"(?P<month>\d{{1,2}})[/-]{_YEAR}"),
    _shape("YYYYMMDD", rf"{_YEAR}(?P<month>\d\d)(?P<day>\d\d)(?:T?\d{{4}}(?:\d\d)?Z?|\.0+)?"),
    # Ten digits from 1 on are the seconds of 2001 to 2033; other numbers could be anything.
    _shape("seconds since 1970 (UTC)", r"(?P<seconds>1\d{9})(?:\.\d+)?", _by_clock),
    _shape("milliseconds since 1970 (UTC)", r"(?P<seconds>1\d{9})\d{3}(?:\.0+)?", _by_clock),
    _shape("Islamic", rf".*(?:{'|'.join(HIJRI_MONTHS)}).*|.*\d\s*هـ?", _islamic),
    _shape("NN/NN/YY", rf"\d{{1,2}}([-/.])\d{{1,2}}\1\d\d(?:{_TIME})?", _two_digit_year),
    _shape("Month D, YY", rf"{_WEEKDAY}{_MONTH}\s*{_DAY},?\s+['’]?\d\d(?:{_TIME})?", _two_digit_year),
    _shape("D Month YY", rf"{_WEEKDAY}{_DAY}[\s-]*{_MONTH}[\s,-]*['’]?\d\d(?:{_TIME})?", _two_digit_year),
)
