"""Documents by calendar time: by day, week, month, quarter, year or decade, whichever gives bars that can be read."""

import datetime as dt
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import plotly.graph_objects as go

from narrative_core.counting import count
from narrative_core.figures.theme import Mode, axis, base_layout, css, ink, quiet

Unit = Literal["day", "week", "month", "quarter", "year", "decade"]

UNITS: Final[tuple[Unit, ...]] = ("day", "week", "month", "quarter", "year", "decade")
MOST_BINS: Final = 70
HEIGHT: Final = 128
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MS_PER_DAY: Final = 86_400_000


@dataclass(frozen=True, slots=True)
class DateBin:
    """One calendar stretch, both days included, and how many documents are dated in it."""

    first: dt.date
    last: dt.date
    count: int
    label: str


@dataclass(frozen=True, slots=True)
class DateBins:
    """All bins from the first document to the last one, empty ones too."""

    unit: Unit
    bins: tuple[DateBin, ...]


def date_bins(days: Sequence[dt.date], *, most: int = MOST_BINS) -> DateBins:
    """Return documents counted by calendar bins: the finest of day, week, month, quarter, year, decade that fits.

    Parameters
    ----------
    days : sequence of date
        In any order; of a document that is dated to a month or a year, the first day of it.
    most : int
        Bins that there may be; decades may be more.

    Examples
    --------
    >>> found = date_bins([dt.date(2021, 1, 31), dt.date(2021, 3, 1), dt.date(2022, 12, 31)])
    >>> found.unit, [one.count for one in found.bins][:4], found.bins[-1].label
    ('month', [1, 0, 1, 0], 'Dec 2022')
    """
    if not days:
        return DateBins("day", ())
    first, last = min(days), max(days)
    fitting = (unit for unit in UNITS if _number(last, unit) - _number(first, unit) < most)
    unit: Unit = next(fitting, "decade")
    counted = Counter(_number(day, unit) for day in days)
    numbers = range(_number(first, unit), _number(last, unit) + 1)
    return DateBins(unit, tuple(_bin(number, unit, counted[number]) for number in numbers))


def date_histogram(
    found: DateBins, *, first: dt.date | None = None, last: dt.date | None = None, mode: Mode = "light"
) -> go.Figure:
    """Bars of documents by time; those outside a chosen range are faded.

    Returns
    -------
    Figure
        One trace, "dates"; each bar's ``customdata`` is [first day, last day] in ISO form.
    """
    figure = go.Figure(_bars(found, first, last, mode))
    figure.update_layout(base_layout(mode, height=HEIGHT))
    top = max((one.count for one in found.bins), default=1)
    figure.update_layout(
        margin={"l": 36, "r": 8, "t": 8, "b": 20, "pad": 0},
        xaxis=axis("", mode, type="date", nticks=8, showspikes=False, **_window(found)),
        yaxis=axis("", mode, range=[0, top * 1.08], dtick=_step(top), tickformat=",d", showline=False, ticks=""),
        bargap=0,
    )
    return figure


def _bars(found: DateBins, first: dt.date | None, last: dt.date | None, mode: Mode) -> go.Bar:
    is_ranged = first is not None or last is not None
    inside = [(first is None or one.last >= first) and (last is None or one.first <= last) for one in found.bins]
    chosen, other = css(ink(mode), 0.75) if is_ranged else css(quiet(mode), 0.7), css(quiet(mode), 0.25)
    spans = [((one.last - one.first).days + 1) * _MS_PER_DAY for one in found.bins]
    return go.Bar(
        name="dates",
        x=[one.first.isoformat() for one in found.bins],
        y=[one.count for one in found.bins],
        width=[span * 0.88 for span in spans],
        offset=[span * 0.06 for span in spans],
        customdata=[[one.first.isoformat(), one.last.isoformat()] for one in found.bins],
        hovertext=[f"{one.label}: {count(one.count, 'document')}" for one in found.bins],
        hoverinfo="text",
        marker={"color": [chosen if is_in else other for is_in in inside], "line": {"width": 0}},
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
    )


def _step(top: int) -> int:
    """Return a round number of documents between two ticks, so that there are two to five of them."""
    digits: int = 10 ** (len(str(max(top, 1))) - 1)
    return max(next(digits * part // 10 for part in (5, 10, 20, 50) if digits * part / 10 >= top / 3), 1)


def _window(found: DateBins) -> dict[str, Any]:
    if not found.bins:
        return {}
    end = found.bins[-1].last
    return {"range": [found.bins[0].first.isoformat(), f"{end.isoformat()}T23:59:59"]}


def _number(day: dt.date, unit: Unit) -> int:
    """Return the number of the bin that a day is in, counted from a fixed day."""
    match unit:
        case "day":
            return day.toordinal()
        case "week":
            return (day.toordinal() - 1) // 7
        case "month":
            return day.year * 12 + day.month - 1
        case "quarter":
            return day.year * 4 + (day.month - 1) // 3
        case "year":
            return day.year
        case "decade":
            return day.year // 10


_START: Final[dict[Unit, Callable[[int], dt.date]]] = {
    "day": dt.date.fromordinal,
    "week": lambda number: dt.date.fromordinal(number * 7 + 1),
    "month": lambda number: dt.date(number // 12, number % 12 + 1, 1),
    "quarter": lambda number: dt.date(number // 4, number % 4 * 3 + 1, 1),
    "year": lambda number: dt.date(number, 1, 1),
    "decade": lambda number: dt.date(max(number * 10, 1), 1, 1),
}


def _bin(number: int, unit: Unit, counted: int) -> DateBin:
    start = _START[unit](number)
    try:
        last = _START[unit](number + 1) - dt.timedelta(days=1)
    except (ValueError, OverflowError):
        last = dt.date.max
    return DateBin(start, last, counted, _label(start, unit))


def _label(start: dt.date, unit: Unit) -> str:
    match unit:
        case "day":
            return f"{start.day} {_MONTHS[start.month - 1]} {start.year}"
        case "week":
            return f"Week of {start.day} {_MONTHS[start.month - 1]} {start.year}"
        case "month":
            return f"{_MONTHS[start.month - 1]} {start.year}"
        case "quarter":
            return f"{_MONTHS[start.month - 1]}–{_MONTHS[start.month + 1]} {start.year}"
        case "year":
            return f"{start.year}"
        case "decade":
            return f"{start.year // 10 * 10}s"
