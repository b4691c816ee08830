"""Ticks of a calendar axis, periods of a histogram, and what a date may mean."""

import datetime as dt
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.records import DatePrecision, Document
from narrative_core.time_axis import duration_words, meant_days, padded_range, period_words, periods, time_ticks

DAYS = st.dates(min_value=dt.date(1, 1, 1), max_value=dt.date(9999, 12, 31))


def words(first: str, last: str, most: int = 7) -> list[str]:
    ticks = time_ticks(dt.date.fromisoformat(first), dt.date.fromisoformat(last), most=most)
    return [f"{tick.words} {tick.year}".strip() for tick in ticks]


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        ("1961-04-12", "1961-04-12", ["12 Apr 1961"]),
        ("1961-04-11", "1961-04-13", ["11 Apr 1961", "12 Apr", "13 Apr"]),
        ("1960-12-30", "1961-01-02", ["30 Dec 1960", "31 Dec", "1 Jan 1961", "2 Jan"]),
        ("2025-11-03", "2025-11-24", ["3 Nov 2025", "10 Nov", "17 Nov", "24 Nov"]),
        ("1961-01-10", "1961-06-20", ["Feb 1961", "Mar", "Apr", "May", "Jun"]),
        ("1961-03-15", "1962-05-01", ["May 1961", "Jul", "Sep", "Nov", "Jan 1962", "Mar", "May"]),
        ("1957-10-04", "1961-04-12", ["Jan 1958", "Jul", "Jan 1959", "Jul", "Jan 1960", "Jul", "Jan 1961"]),
        ("1957-10-04", "1969-07-20", ["1958", "1960", "1962", "1964", "1966", "1968"]),
        ("1957-10-04", "2025-01-01", ["1960", "1970", "1980", "1990", "2000", "2010", "2020"]),
        ("1600-01-01", "2000-12-31", ["1600", "1700", "1800", "1900", "2000"]),
    ],
)
def test_ticks_are_days_weeks_months_years_and_centuries_by_the_span(
    first: str, last: str, expected: list[str]
) -> None:
    assert words(first, last) == expected


def test_ten_thousand_years_have_a_tick_a_millennium() -> None:
    assert words("0001-01-01", "9999-12-31", most=10) == [f"{year}" for year in range(1000, 10_000, 1000)]


def test_weeks_begin_on_mondays() -> None:
    ticks = time_ticks(dt.date(2025, 11, 1), dt.date(2025, 12, 10), most=6)
    assert {tick.day.weekday() for tick in ticks} == {0}
    assert len(ticks) == 6


@given(DAYS, DAYS, st.integers(1, 20))
def test_there_are_never_more_ticks_than_asked_for_and_all_lie_in_the_range(
    one: dt.date, two: dt.date, most: int
) -> None:
    first, last = sorted([one, two])
    ticks = time_ticks(first, last, most=most)
    days = [tick.day for tick in ticks]
    assert 1 <= len(ticks) <= most
    assert days == sorted(set(days))
    assert first <= days[0] and days[-1] <= last


@given(st.lists(DAYS, max_size=30), DAYS, DAYS, st.integers(1, 60))
def test_every_date_of_a_range_is_in_one_period(dates: list[dt.date], one: dt.date, two: dt.date, most: int) -> None:
    first, last = sorted([one, two])
    found = periods(dates, first, last, most=most)
    assert sum(period.n for period in found) == sum(first <= date <= last for date in dates)
    assert found[0].start == first
    assert all(period.end == following.start for period, following in itertools.pairwise(found))
    assert len(found) <= most + 1


@pytest.mark.parametrize(
    ("date", "precision", "expected"),
    [
        (dt.date(1961, 4, 12), "day", ("1961-04-12", "1961-04-12")),
        (dt.date(1961, 4, 1), "month", ("1961-04-01", "1961-04-30")),
        (dt.date(1900, 2, 1), "month", ("1900-02-01", "1900-02-28")),
        (dt.date(1961, 1, 1), "year", ("1961-01-01", "1961-12-31")),
        (dt.date(9999, 1, 1), "year", ("9999-01-01", "9999-12-31")),
    ],
)
def test_a_partial_date_means_all_its_days(date: dt.date, precision: DatePrecision, expected: tuple[str, str]) -> None:
    found = meant_days(Document("d", "", "", date, "", precision))
    assert found is not None
    assert tuple(day.isoformat() for day in found) == expected


def test_no_date_means_no_day() -> None:
    assert meant_days(Document("d", "", "")) is None


@given(st.lists(DAYS, min_size=1, max_size=5))
def test_a_padded_range_holds_all_days_and_is_longer_than_a_day(days: list[dt.date]) -> None:
    first, last = padded_range(days, least=3)
    assert first <= min(days) and max(days) <= last
    assert (last - first).days >= 3


@pytest.mark.parametrize(
    ("days", "expected"),
    [(0, ""), (1, "1 day"), (60, "60 days"), (365, "1 year"), (500, "16 months"), (4000, "11 years")],
)
def test_a_time_is_told_in_days_months_or_years(days: int, expected: str) -> None:
    assert duration_words(days) == expected


@given(DAYS, DAYS, st.integers(1, 12))
def test_every_period_has_a_name_of_its_own(first: dt.date, last: dt.date, most: int) -> None:
    found = periods([], min(first, last), max(first, last), most=most)
    names = period_words(found)
    assert len(set(names)) == len(names) == len(found)


def test_a_range_of_one_day_is_named_by_it() -> None:
    day = dt.date(2021, 3, 1)
    assert period_words(periods([day], day, day)) == ("1 Mar 2021",)
    assert period_words(()) == ()
