import datetime as dt
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core.figures.date_histogram import MOST_BINS, DateBins, date_bins, date_histogram

days = st.lists(st.dates(), max_size=30)


@settings(deadline=None)
@given(days)
def test_every_document_is_in_one_bin_and_bins_follow_each_other_without_a_gap(dated: list[dt.date]) -> None:
    bins = date_bins(dated).bins
    assert sum(one.count for one in bins) == len(dated)
    for one in bins:
        assert one.count == sum(one.first <= day <= one.last for day in dated)
    for before, after in pairwise(bins):
        assert after.first - before.last == dt.timedelta(days=1)
    if dated:
        assert bins[0].first <= min(dated) <= bins[0].last
        assert bins[-1].first <= max(dated) <= bins[-1].last


@pytest.mark.parametrize(
    ("last", "unit", "first_bin"),
    [
        (dt.date(2021, 3, 20), "day", "10 Mar 2021"),
        (dt.date(2021, 12, 31), "week", "Week of 8 Mar 2021"),
        (dt.date(2024, 12, 31), "month", "Mar 2021"),
        (dt.date(2035, 1, 1), "quarter", "Jan–Mar 2021"),
        (dt.date(2080, 1, 1), "year", "2021"),
        (dt.date(2300, 1, 1), "decade", "2020s"),
    ],
)
def test_bins_are_calendar_stretches_of_the_finest_kind_that_fits(last: dt.date, unit: str, first_bin: str) -> None:
    found = date_bins([dt.date(2021, 3, 10), last])
    assert (found.unit, found.bins[0].label) == (unit, first_bin)
    assert 2 <= len(found.bins) <= MOST_BINS
    assert found.bins[-1].count == 1


def test_weeks_begin_on_monday_and_a_leap_february_has_its_last_day() -> None:
    weeks = date_bins([dt.date(2021, 1, 1), dt.date(2021, 6, 1)]).bins
    assert {one.first.weekday() for one in weeks} == {0}
    months = date_bins([dt.date(2020, 1, 1), dt.date(2024, 1, 1)]).bins
    assert months[1].last == dt.date(2020, 2, 29)


def test_bars_carry_their_days_and_those_outside_the_chosen_range_are_faded() -> None:
    found = date_bins([dt.date(2021, 1, 1), dt.date(2022, 12, 31)])
    figure = date_histogram(found, first=dt.date(2021, 2, 1), last=dt.date(2021, 2, 28))
    (bars,) = figure.data
    assert list(bars.customdata[1]) == ["2021-02-01", "2021-02-28"]
    colours = list(bars.marker.color)
    assert colours[1] not in (colours[0], colours[2])
    assert len(set(colours)) == 2
    assert len(set(date_histogram(found).data[0].marker.color)) == 1


def test_no_document_gives_no_bar() -> None:
    assert date_bins([]) == DateBins("day", ())
    assert len(date_histogram(date_bins([])).data[0].x) == 0


def test_ticks_are_whole_numbers_of_documents() -> None:
    for top in (1, 2, 3, 7, 30, 615):
        figure = date_histogram(date_bins([dt.date(2021, 1, 1)] * top))
        assert figure.layout.yaxis.dtick >= 1
        assert float(figure.layout.yaxis.dtick).is_integer()
        assert figure.layout.yaxis.dtick <= max(top, 1)
