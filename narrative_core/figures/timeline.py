"""A story on a true time axis, from days to centuries: where its documents stand, and where nothing is told."""

import datetime as dt
from collections.abc import Sequence
from typing import Any, Final

import plotly.graph_objects as go

from narrative_core.callouts import place_callouts, wrap_text
from narrative_core.counting import count
from narrative_core.figures.lanes import NARROW_PX
from narrative_core.figures.marks import text_width
from narrative_core.figures.parts import Parts
from narrative_core.figures.run_marks import empty_figure
from narrative_core.figures.theme import Mode, axis, base_layout, css, grey, hairline, ink, note, quiet
from narrative_core.figures.timeline_lanes import (
    Lane,
    Scale,
    Told,
    colour_of,
    lane_spans,
    lane_traces,
    lay_lane,
    long_gaps,
)
from narrative_core.figures.wording import plot_text, strength_words
from narrative_core.records import Story, StoryPair
from narrative_core.time_axis import Period, meant_days, padded_range, periods

_SIDE_PX, _AIR_PX, _LINE_PX, _GROUND_PX = 16, 14, 17, 46
_BAND_PX, _BAND_WORDS_PX, _LANE_PX, _BELOW_PX, _GAP_PX = 46, 16, 30, 42, 18
_WORDS_BELOW_PX, _ROW_PX, _MOST_ROWS, _LABEL_PX, _MOST_BARS = 28, 31, 6, 11, 48
_LABEL_ROOMS: Final = (150.0, 120.0, 90.0)
_LEGEND: Final[dict[Told, str]] = {"trail": "● trail", "overlay": "◇ another story", "baseline": "○ random chronology"}
_LEAST_DAYS: Final = 3
"""Days of air at either side, so that the shortest axis has days for ticks, not hours."""

_DAY_MS: Final = 86_400_000
_TICK_WORDS: Final = (
    {"dtickrange": [None, _DAY_MS - 1], "value": "%H:%M\n%-d %b %Y"},
    {"dtickrange": [_DAY_MS, "M1"], "value": "%-d %b\n%Y"},
    {"dtickrange": ["M1", "M6"], "value": "%b\n%Y"},
    {"dtickrange": ["M12", None], "value": "%Y"},
)
"""How ticks are written, by the step between them."""


def timeline(
    pair: StoryPair,
    *,
    mode: Mode = "light",
    overlay: Story | None = None,
    density: Sequence[dt.date] = (),
    shown: tuple[dt.date, dt.date] | None = None,
    width_px: int = NARROW_PX,
) -> go.Figure:
    """Both stories of a pair as lanes over a calendar, the trail above with its headlines where they fit.

    Parameters
    ----------
    pair : StoryPair
    mode : "light" or "dark"
    overlay : Story, optional
        A second story, in a lane between them.
    density : sequence of date
        Dates of the documents of the collection, for a faint histogram beneath.
    shown : tuple of date, optional
        First and last day of a closer look; all days of the stories where not given.
    width_px : int
        The narrowest that the figure will be shown. Labels that fit there fit on anything wider.

    Returns
    -------
    Figure
        The traces "trail", "baseline" and "overlay" have one point for each dated document, whose ``customdata`` is its
        id; other traces have none. The axes stand still under a drag or a wheel. Documents without
        a date are counted in words.
    """
    stories: dict[Told, Story] = {"baseline": pair.baseline}
    stories |= {"overlay": overlay} if overlay else {}
    stories["trail"] = pair.trail
    spans = [meant_days(document) for story in stories.values() for document in story.documents]
    days = [day for span in spans if span for day in span]
    if not days:
        return empty_figure("No document of these stories has a date, so there is no time to show.", mode)
    scale = Scale(*padded_range(shown or days, least=_LEAST_DAYS), width_px - 2 * _SIDE_PX)
    lanes = _stack(stories, scale, float(_BAND_PX if density else 0), pair.median_link)
    trail = lanes[-1]
    labels, stems, top = _labels(trail, scale, mode)
    parts = Parts({}, shapes=stems, notes=labels)
    if density:
        _add_band(parts, periods(density, scale.first, scale.last, most=_MOST_BARS), scale, mode)
    for lane in lanes:
        parts.traces += lane_traces(lane, mode)
        parts.shapes += lane_spans(lane, mode)
        parts.notes += _words(lane, mode)
    legend = _legend(stories, width_px, mode)
    parts.notes.append(
        note("<br>".join(legend), mode, xref="paper", yref="paper", x=0, y=1, yanchor="bottom", yshift=6)
    )
    parts.layout = _layout(scale, top, _AIR_PX + _LINE_PX * len(legend), mode)
    return parts.figure()


def _stack(stories: dict[Told, Story], scale: Scale, ground: float, median_link: float) -> list[Lane]:
    """Lanes from the lowest to the trail, each high enough above the one below it; heights count in pixels."""
    lanes: list[Lane] = []
    y = ground - 8
    for kind, story in stories.items():
        y += _BELOW_PX if kind == "trail" else _LANE_PX
        lanes.append(lay_lane(kind, story, scale, y, median_link=median_link))
        y = lanes[-1].top
    return lanes


def _labels(lane: Lane, scale: Scale, mode: Mode) -> tuple[list[dict[str, Any]], list[dict[str, Any]], float]:
    """Headlines as notes, their stems as shapes, and the height at which they end."""
    stops = sorted((stop for stop in lane.stops if 0 <= stop.px <= scale.room_px), key=lambda stop: stop.px)
    texts = [[_wrapped(stop.document.title, room) for room in _LABEL_ROOMS] for stop in stops]
    widths = [[6 + max((_label_width(line) for line in lines), default=0) for lines in choices] for choices in texts]
    placed = place_callouts([stop.px for stop in stops], widths, room=scale.room_px + _SIDE_PX - 4, rows=_MOST_ROWS)
    ground = lane.top + _GAP_PX + 4
    notes, stems = [], []
    for place in placed:
        stop, lines = stops[place.number], texts[place.number][place.choice]
        foot = ground + _ROW_PX * place.row
        side = "right" if place.is_leftward else "left"
        style = {"xanchor": side, "align": side, "yanchor": "top", "xshift": -2 if place.is_leftward else 2}
        words = "<br>".join(plot_text(line) for line in lines)
        font = {"size": _LABEL_PX, "color": ink(mode)}
        notes.append(note(words, mode, x=stop.day.isoformat(), y=foot + _ROW_PX - 1, font=font, borderpad=0, **style))
        stems.append(_stem(stop.day, stop.y, foot + _ROW_PX - 2, mode))
    rows = max((place.row + 1 for place in placed), default=0)
    return notes, stems, ground + _ROW_PX * rows


def _wrapped(title: str, room: float) -> tuple[str, ...]:
    return wrap_text(title, room, n_lines=2, width_of=_label_width) or ("Untitled",)


def _label_width(line: str) -> float:
    return text_width(line, _LABEL_PX)


def _stem(day: dt.date, low: float, high: float, mode: Mode) -> dict[str, Any]:
    x, line = day.isoformat(), {"color": hairline(mode), "width": 1}
    return {"type": "line", "x0": x, "x1": x, "y0": low, "y1": high, "line": line, "layer": "below"}


def _words(lane: Lane, mode: Mode) -> list[dict[str, Any]]:
    """What stands at a lane: its weak links below it, the weakest first; at the trail also long gaps, above it."""
    words = [
        (stretch, f"{'weakest' if stretch.is_weakest else 'weak'} {strength_words(stretch.link.coherence)}")
        for stretch in sorted(lane.stretches, key=lambda stretch: not stretch.is_weakest)
        if stretch.is_marked and lane.kind == "trail"
    ]
    notes, taken = [], list[tuple[float, float]]()
    for stretch, text in words:
        half = text_width(text, 11) / 2
        ends = (stretch.middle_px - half, stretch.middle_px + half)
        if all(ends[1] + 8 <= left or right + 8 <= ends[0] for left, right in taken):
            taken.append(ends)
            notes.append(_centred(stretch.middle, lane.y - _WORDS_BELOW_PX, text, colour_of(lane.kind, mode), mode))
    for stretch, text in long_gaps(lane) if lane.kind == "trail" else []:
        if stretch.other.px - stretch.one.px > text_width(text, 11) + 26:
            above = max(stretch.one.y, stretch.other.y) + 10
            notes.append(_centred(stretch.middle, above, text, quiet(mode), mode))
    return notes


def _centred(x: str, y: float, text: str, colour: str, mode: Mode) -> dict[str, Any]:
    return note(text, mode, x=x, y=y, xanchor="center", font={"size": 11, "color": colour}, borderpad=0)


def _add_band(parts: Parts, bars: Sequence[Period], scale: Scale, mode: Mode) -> None:
    """Add the documents of the collection as faint bars on the ground, and how many they are."""
    n, tallest = sum(bar.n for bar in bars), max(bar.n for bar in bars) or 1
    full = [bar for bar in bars if bar.n]
    bar_ms = [(bar.end - bar.start).days * _DAY_MS for bar in full]
    parts.traces.append(
        go.Bar(
            name="collection",
            x=[bar.start.isoformat() for bar in full],
            y=[(_BAND_PX - _BAND_WORDS_PX) * bar.n / tallest for bar in full],
            width=[0.9 * ms for ms in bar_ms],
            offset=[0.05 * ms for ms in bar_ms],
            marker={"color": css(grey(mode), 0.45), "line": {"width": 0}},
            hovertext=[
                f"{count(bar.n, 'document')} of the collection from {bar.start} to {_last_day(bar)}" for bar in full
            ],
            hoverinfo="text",
            unselected={"marker": {"opacity": 1}},
        )
    )
    words = f"{count(n, 'document')} of the collection in this time"
    parts.notes.append(note(words, mode, xref="paper", x=0, y=_BAND_PX - 7, font={"size": 11, "color": quiet(mode)}))


def _last_day(bar: Period) -> dt.date:
    return max(bar.start, bar.end - dt.timedelta(days=1))


def _legend(stories: dict[Told, Story], width_px: int, mode: Mode) -> list[str]:
    """Lines that say how each story is drawn, and how many documents are not, to stand above the plot."""
    words = {_LEGEND[kind]: colour_of(kind, mode) for kind in _LEGEND if kind in stories}
    words["▼ weak link"] = quiet(mode)
    lines: list[list[str]] = [[]]
    for text in words:
        if lines[-1] and text_width("    ".join([*lines[-1], text]), 12) > width_px - 2 * _SIDE_PX:
            lines.append([])
        lines[-1].append(text)
    shown = ["   ".join(f"<span style='color:{words[text]}'>{text}</span>" for text in line) for line in lines]
    n = sum(document.date is None for story in stories.values() for document in story.documents)
    undated = [f"{count(n, 'document')} without a date {'is' if n == 1 else 'are'} not drawn"] if n else []
    return [*shown, *undated]


def _layout(scale: Scale, top: float, above_px: int, mode: Mode) -> dict[str, Any]:
    ends = [scale.first.isoformat(), scale.last.isoformat()]
    time = {"type": "date", "range": ends, "tickangle": 0}
    margin = {"l": _SIDE_PX, "r": _SIDE_PX, "t": above_px, "b": _GROUND_PX, "pad": 0}
    upright = {"range": [0, top], "visible": False, "fixedrange": True}
    return base_layout(mode, height=round(top) + above_px + _GROUND_PX) | {
        "margin": margin,
        "barmode": "overlay",
        "xaxis": axis("", mode, automargin=False, tickformatstops=list(_TICK_WORDS), **time),
        "yaxis": upright,
    }
