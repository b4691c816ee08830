"""Both stories of a pair on a true time axis, for paper and slides; it can be read in grey."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from narrative_core.callouts import levels, place_callouts, wrap_text
from narrative_core.counting import count
from narrative_core.records import Document, Story, StoryPair
from narrative_core.reports import palette, svg
from narrative_core.reports.sentences import (
    counts_sentence,
    format_date,
    format_strength,
    format_title,
    gap_between,
    weak_label,
)
from narrative_core.reports.story_marks import LOOKS, Style, Told, dot, legend, numbered_dot, weak_mark
from narrative_core.time_axis import meant_days, padded_range, periods, time_ticks

_SIDE, _TOP, _LEGEND, _AXIS, _BAND, _LANE, _WORDS = 30.0, 14.0, 30.0, 42.0, 52.0, 44.0, 34.0
"""Pixels: air at the sides and above, the legend, the words of the axis, the histogram, a lane, the words below it."""

_RISE, _APART, _MOST_LEVELS = 19.0, 19.0, 4
"""Documents that would lie on each other stand on levels above their lane."""

_TEXT, _LINE, _ROW, _HIGHEST_ROW, _FLAG_ROOMS = 12.5, 15.0, 49.0, 88.0, (215.0, 160.0, 110.0)
_BOLD: Final = 1.1
"""How much wider than plain ones bold letters are."""

_QUIET: Final[Style] = {"font_size": 12, "fill": palette.QUIET}
_PX_PER_PERIOD, _PX_PER_TICK = 9, 90
LONG_GAP: Final = 2.0
"""A gap is long from this many times the median gap of its story."""


@dataclass(frozen=True, slots=True)
class _Axis:
    first: dt.date
    last: dt.date
    width: float

    def x(self, day: dt.date, *, after: int = 0) -> float:
        share = ((day - self.first).days + after) / (self.last - self.first).days
        return _SIDE + share * (self.width - 2 * _SIDE)


@dataclass(frozen=True, slots=True)
class _Mark:
    """A dated document at its place; ``number`` counts the documents of its story, ``right`` is where its days end."""

    number: int
    document: Document
    x: float
    right: float
    y: float


def timeline_svg(
    pair: StoryPair,
    *,
    overlay: Story | None = None,
    density: Sequence[dt.date] = (),
    width: float = 900,
    height: float = 440,
    caption: str = "",
) -> str:
    """Return the stories as lanes over a calendar, the trail above with its headlines as flags where they fit.

    A document stands at its date, one whose date is a month or a year at its first day with a bar over all of it.
    Empty where no document has a date.

    Parameters
    ----------
    pair : StoryPair
    overlay : Story, optional
        A second story, in a lane between them.
    density : sequence of date
        Dates of the documents of the collection, drawn as a faint histogram.
    width, height : float
        Pixels; the picture scales with the place it stands in. What has no room for a flag is a number only.
    caption : str
        What else the description of the picture says.
    """
    stories: dict[Told, Story] = {"trail": pair.trail, "baseline": pair.baseline}
    stories |= {"overlay": overlay} if overlay else {}
    axis = _axis_of(list(stories.values()), width)
    if axis is None:
        return ""
    ground = height - _LEGEND - _AXIS
    top = ground - (_BAND if density else 14)
    lanes = _lanes(stories, axis, top)
    trail, weak = lanes["trail"], _weak_links(pair)
    parts = [
        svg.element("rect", width=width, height=height, fill=palette.PAPER),
        *_band(density, axis, ground),
        *_scale(axis, ground),
        *_flags(trail, axis, bottom=min((mark.y for mark in trail), default=top) - 26),
        *(
            part
            for kind in ("baseline", "overlay", "trail")
            if kind in stories
            for part in _lane(kind, stories[kind], lanes[kind], weak=weak if kind == "trail" else {})
        ),
        *_words(pair, trail, weak),
        legend([kind for kind in LOOKS if kind in stories], height - 14, also="weak link"),
    ]
    told = [counts_sentence(pair.trail), *_undated(stories), caption]
    return svg.picture(
        parts,
        width=width,
        height=height,
        title="The story in time",
        description=f"The trail on a time axis: {'. '.join(filter(None, told))}".rstrip(". ") + ".",
        font_family=palette.FONT_FAMILY,
    )


def _axis_of(stories: Sequence[Story], width: float) -> _Axis | None:
    spans = [meant_days(document) for story in stories for document in story.documents]
    days = [day for span in spans if span for day in span]
    return _Axis(*padded_range(days), width) if days else None


def _lanes(stories: dict[Told, Story], axis: _Axis, top: float) -> dict[Told, list[_Mark]]:
    """Return the dated documents of each story at their places, the lanes stacked upwards from ``top``."""
    lanes: dict[Told, list[_Mark]] = {}
    y = top
    for kind in ("baseline", "overlay", "trail"):
        if kind not in stories:
            continue
        y -= _WORDS if kind == "trail" else 16
        lanes[kind] = _marks(stories[kind], axis, y)
        y = min((mark.y for mark in lanes[kind]), default=y) - (_LANE - 16)
    return lanes


def _marks(story: Story, axis: _Axis, y: float) -> list[_Mark]:
    dated = [
        (number, document, span) for number, document in enumerate(story.documents) if (span := meant_days(document))
    ]
    points = [axis.x(first) for _, _, (first, _) in dated]
    rise = levels(points, apart=_APART, most=_MOST_LEVELS)
    return [
        _Mark(number, document, x, axis.x(last, after=1) if last > first else x, y - _RISE * level)
        for (number, document, (first, last)), x, level in zip(dated, points, rise, strict=True)
    ]


def _weak_links(pair: StoryPair) -> dict[int, str]:
    """Return the weak links of the trail by number, in words."""
    n_links = len(pair.trail.links)
    return {
        number: f"{'weakest' if link.is_weakest and n_links > 1 else 'weak'} {format_strength(link.coherence)}"
        for number, link in enumerate(pair.trail.links)
        if weak_label(link, is_only=n_links == 1, median_link=pair.median_link)
    }


def _lane(kind: Told, story: Story, marks: Sequence[_Mark], *, weak: Mapping[int, str]) -> list[str]:
    look, n = LOOKS[kind], len(story.documents)
    at = {mark.number: mark for mark in marks}
    parts: list[str] = []
    for mark in marks:
        if mark.right > mark.x:
            bar: Style = {"x": mark.x, "y": mark.y - 4, "width": mark.right - mark.x, "height": 8, "rx": 4}
            parts.append(svg.element("rect", fill=look.colour, fill_opacity=0.22, **bar))
    for number in range(len(story.links)):
        if number in at and number + 1 in at:
            one, other = at[number], at[number + 1]
            dashes: Style = {"stroke_dasharray": "2 4"} if number in weak else {}
            parts.append(svg.element("line", x1=one.x, y1=one.y, x2=other.x, y2=other.y, **look.line | dashes))
    for mark in reversed(marks):
        is_numbered = kind == "trail"
        parts.append(
            numbered_dot(mark.x, mark.y, mark.number, n) if is_numbered else dot(mark.x, mark.y, kind, radius=4.5)
        )
    return parts


def _words(pair: StoryPair, marks: Sequence[_Mark], weak: Mapping[int, str]) -> list[str]:
    """Return what stands at the lane of the trail: weak links below it in words, long gaps above it."""
    at = {mark.number: mark for mark in marks}
    links = [(number, link) for number, link in enumerate(pair.trail.links) if number in at and number + 1 in at]
    known = [link.days_between for _, link in links if link.days_between]
    typical = median(known) if len(known) > 1 else float("inf")
    lane = max((mark.y for mark in marks), default=0.0)
    parts: list[str] = []
    taken: list[tuple[float, float]] = []
    for number, link in sorted(links, key=lambda one: (not one[1].is_weakest, one[0])):
        one, other = at[number], at[number + 1]
        x = (one.x + other.x) / 2
        gap = gap_between(one.document, other.document)
        if (link.days_between or 0) >= LONG_GAP * typical and other.x - one.x > svg.text_width(gap, 12) + 24:
            parts.append(svg.text(gap, x, min(one.y, other.y) - 8, text_anchor="middle", **_QUIET))
        if number in weak:
            parts.append(weak_mark(x, lane + 9, "trail"))
            half = svg.text_width(weak[number], 12) / 2
            if not any(x - half < right + 8 and left - 8 < x + half for left, right in taken):
                taken.append((x - half, x + half))
                parts.append(svg.text(weak[number], x, lane + 29, text_anchor="middle", **_QUIET))
    return parts


def _flags(marks: Sequence[_Mark], axis: _Axis, *, bottom: float) -> list[str]:
    """Return headlines with their dates over the trail, each at a thin pole that rises from its document."""
    by_place = sorted(marks, key=lambda mark: mark.x)
    texts = [[_flag_text(mark, room) for room in _FLAG_ROOMS] for mark in by_place]
    widths = [[6 + max(_flag_width(line) for line in lines) for lines in choices] for choices in texts]
    points = [mark.x for mark in by_place]
    rows = max(int((bottom - _TOP) // _ROW), 0)
    placed = place_callouts(points, widths, room=axis.width - 6, rows=rows)
    n_rows = max((place.row + 1 for place in placed), default=1)
    row = min((bottom - _TOP) / n_rows, _HIGHEST_ROW)
    parts: list[str] = []
    for place in placed:
        mark, top = by_place[place.number], bottom - row * (place.row + 1)
        lines = texts[place.number][place.choice]
        pole = svg.element("line", x1=mark.x, y1=top, x2=mark.x, y2=mark.y, stroke=palette.GREY, stroke_width=1)
        x, anchor = (mark.x - 6, "end") if place.is_leftward else (mark.x + 6, "start")
        dated: Style = {"font_size": 11.5, "fill": palette.QUIET, "text_anchor": anchor}
        headline: Style = {"font_size": _TEXT, "fill": palette.INK, "font_weight": "600", "text_anchor": anchor}
        parts += [pole, svg.text(lines[0], x, top + 10, **dated)]
        parts += [svg.text(line, x, top + 10 + _LINE * n, **headline) for n, line in enumerate(lines[1:], start=1)]
    return parts


def _flag_text(mark: _Mark, room: float) -> tuple[str, ...]:
    title = format_title(mark.document)
    return (format_date(mark.document), *wrap_text(title, room, n_lines=2, width_of=_flag_width))


def _flag_width(words: str) -> float:
    return _BOLD * svg.text_width(words, _TEXT)


def _band(density: Sequence[dt.date], axis: _Axis, ground: float) -> list[str]:
    """Return the documents of the collection as a faint histogram on the ground line."""
    if not density:
        return []
    bars = periods(density, axis.first, axis.last, most=max(int(axis.width / _PX_PER_PERIOD), 1))
    tallest, n = max(bar.n for bar in bars) or 1, sum(bar.n for bar in bars)
    drawn = [
        svg.element(
            "rect",
            x=axis.x(bar.start),
            y=ground - (_BAND - 22) * bar.n / tallest,
            width=max(min(axis.x(bar.end), axis.x(axis.last)) - axis.x(bar.start) - 1, 0.8),
            height=(_BAND - 22) * bar.n / tallest,
        )
        for bar in bars
        if bar.n
    ]
    words = f"{count(n, 'document')} of the collection in this time"
    return [
        svg.element("g", "".join(drawn), fill=palette.GREY, fill_opacity=0.45) if drawn else "",
        svg.text(words, _SIDE, ground - _BAND + 14, **_QUIET),
    ]


def _scale(axis: _Axis, ground: float) -> list[str]:
    parts = [svg.element("line", x1=_SIDE, y1=ground, x2=axis.width - _SIDE, y2=ground, stroke=palette.QUIET)]
    for tick in time_ticks(axis.first, axis.last, most=max(int(axis.width / _PX_PER_TICK), 2)):
        x = axis.x(tick.day)
        parts.append(svg.element("line", x1=x, y1=ground, x2=x, y2=ground + 5, stroke=palette.QUIET))
        parts.append(svg.text(tick.words, x, ground + 18, text_anchor="middle", **_QUIET))
        parts.append(svg.text(tick.year, x, ground + 32, text_anchor="middle", **_QUIET) if tick.year else "")
    return parts


def _undated(stories: dict[Told, Story]) -> list[str]:
    n = sum(document.date is None for story in stories.values() for document in story.documents)
    return [f"{count(n, 'document')} without a date {'is' if n == 1 else 'are'} not drawn"] if n else []
