"""The lanes of a timeline: the dated documents of a story at their places, and its links between them."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Final, Literal

import plotly.graph_objects as go

from narrative_core.callouts import levels
from narrative_core.figures.theme import Mode, background, baseline_colour, css, ink, trail_colour
from narrative_core.figures.wording import headline, plot_text, strength_words
from narrative_core.records import Document, Link, Story
from narrative_core.time_axis import duration_words, meant_days

Told = Literal["trail", "baseline", "overlay"]
"""A story's part in a timeline; ``overlay`` is a second one laid over the trail."""

NAMES: Final[dict[Told, str]] = {
    "trail": "the trail",
    "baseline": "the random chronology",
    "overlay": "the other story",
}
LONG_GAP: Final = 2.0
"""A gap is long from this many times the median gap of its story."""

_RISE_PX, _MOST_LEVELS, _WEAK_BELOW_PX = 15.0, 6, 13.0
_ROOM_TO_HOVER_PX = 32.0
_APART_PX: Final[dict[Told, float]] = {"trail": 15.0, "baseline": 11.0, "overlay": 12.0}
_DASHES: Final[dict[Told, str]] = {"trail": "solid", "baseline": "dash", "overlay": "dot"}
_SYMBOLS: Final[dict[Told, str]] = {"trail": "circle", "baseline": "circle", "overlay": "diamond"}


@dataclass(frozen=True, slots=True)
class Scale:
    """The days of an axis and how many pixels it has where it is narrowest."""

    first: dt.date
    last: dt.date
    room_px: float

    def px(self, day: dt.date) -> float:
        """Pixels from the left end."""
        return self.room_px * (day - self.first).days / (self.last - self.first).days


@dataclass(frozen=True, slots=True)
class Stop:
    """A dated document: ``number`` counts those of its story, ``until`` is the last day that its date may mean."""

    number: int
    document: Document
    day: dt.date
    until: dt.date
    px: float
    y: float


@dataclass(frozen=True, slots=True)
class Stretch:
    """A link both of whose documents are dated; ``is_marked`` where it is drawn as weak."""

    number: int
    link: Link
    one: Stop
    other: Stop
    is_marked: bool
    is_only: bool

    @property
    def is_weakest(self) -> bool:
        """Whether it is the weakest of several links."""
        return self.link.is_weakest and not self.is_only

    @property
    def middle(self) -> str:
        """The moment halfway, as plotly reads it."""
        moments = [dt.datetime.combine(stop.day, dt.time()) for stop in (self.one, self.other)]
        return (moments[0] + (moments[1] - moments[0]) / 2).isoformat()

    @property
    def length_px(self) -> float:
        """Pixels between its two documents along the axis."""
        return abs(self.other.px - self.one.px)

    @property
    def middle_px(self) -> float:
        """Pixels from the left end to halfway."""
        return (self.one.px + self.other.px) / 2


@dataclass(frozen=True, slots=True)
class Lane:
    """One story: its stops and stretches on a line at the height ``y``."""

    kind: Told
    story: Story
    y: float
    stops: tuple[Stop, ...]
    stretches: tuple[Stretch, ...]

    @property
    def top(self) -> float:
        """The height of its highest document."""
        return max((stop.y for stop in self.stops), default=self.y)


def lay_lane(kind: Told, story: Story, scale: Scale, y: float, *, median_link: float) -> Lane:
    """Return a story on a line; documents that would lie on each other stand above one another.

    Weak are links below ``median_link`` and the weakest; but the only link of a story is weak only below it.
    """
    dated = [
        (number, document, days) for number, document in enumerate(story.documents) if (days := meant_days(document))
    ]
    points = [scale.px(first) for _, _, (first, _) in dated]
    rise = levels(points, apart=_APART_PX[kind], most=_MOST_LEVELS)
    stops = tuple(
        Stop(number, document, first, until, px, y + _RISE_PX * level)
        for (number, document, (first, until)), px, level in zip(dated, points, rise, strict=True)
    )
    at = {stop.number: stop for stop in stops}
    stretches = tuple(
        Stretch(
            number, link, at[number], at[number + 1], _is_marked(kind, story, link, median_link), len(story.links) == 1
        )
        for number, link in enumerate(story.links)
        if number in at and number + 1 in at
    )
    return Lane(kind, story, y, stops, stretches)


def colour_of(kind: Told, mode: Mode) -> str:
    """Colour of a story: deep blue, orange, and that of text for the one that is laid over."""
    return {"trail": trail_colour, "baseline": baseline_colour, "overlay": ink}[kind](mode)


def lane_traces(lane: Lane, mode: Mode) -> list[Any]:
    """Traces of a story: its line, the weak stretches of it, the links to hover, and last the documents.

    Only the documents have ``customdata``: the id of each.
    """
    weak = [stretch for stretch in lane.stretches if stretch.is_marked]
    plain = [stretch for stretch in lane.stretches if not stretch.is_marked]
    dashes = {"plain": _DASHES[lane.kind], "weak": "dot" if lane.kind == "trail" else _DASHES[lane.kind]}
    lines = [_line(lane, plain, dashes["plain"], mode), _line(lane, weak, dashes["weak"], mode)]
    return [*lines, _links(lane, mode), _documents(lane, mode)]


def lane_spans(lane: Lane, mode: Mode) -> list[dict[str, Any]]:
    """Bars over the days that a date may mean, as shapes; none for a date that is known to the day."""
    return [
        {
            "type": "rect",
            "x0": stop.day.isoformat(),
            "x1": (dt.datetime.combine(stop.until, dt.time(23, 59))).isoformat(),
            "y0": stop.y - 4,
            "y1": stop.y + 4,
            "line": {"width": 0},
            "fillcolor": css(colour_of(lane.kind, mode), 0.22),
            "layer": "below",
        }
        for stop in lane.stops
        if stop.until > stop.day
    ]


def long_gaps(lane: Lane) -> list[tuple[Stretch, str]]:
    """Stretches that are at least twice as long as the median one of their story, with their time in words."""
    known = [days for stretch in lane.stretches if (days := (stretch.other.day - stretch.one.day).days) > 0]
    if len(known) < 2:
        return []
    least = LONG_GAP * median(known)
    gaps = [(stretch, (stretch.other.day - stretch.one.day).days) for stretch in lane.stretches]
    return [(stretch, duration_words(days)) for stretch, days in gaps if days >= least]


def _is_marked(kind: Told, story: Story, link: Link, median_link: float) -> bool:
    """Whether a link is drawn as weak; chance is weak nearly everywhere, so only its weakest link is."""
    if len(story.links) == 1:
        return link.coherence < median_link
    return link.is_weakest or (kind == "trail" and link.is_weak)


def _line(lane: Lane, stretches: Sequence[Stretch], dash: str, mode: Mode) -> go.Scatter:
    x: list[str | None] = []
    y: list[float | None] = []
    for stretch in stretches:
        x += [stretch.one.day.isoformat(), stretch.other.day.isoformat(), None]
        y += [stretch.one.y, stretch.other.y, None]
    line = {"color": colour_of(lane.kind, mode), "width": 2.5 if lane.kind == "trail" else 1.8, "dash": dash}
    return go.Scatter(x=x, y=y, mode="lines", hoverinfo="skip", line=line, name=f"{lane.kind} line")


def _links(lane: Lane, mode: Mode) -> go.Scatter:
    """The middles of the links: a triangle below a weak one, nothing to see but a hover at any other."""
    colour, hollow = colour_of(lane.kind, mode), lane.kind != "trail"
    # The smallest mark under the pointer wins: one that lay on a document's would take its clicks.
    shown = [stretch for stretch in lane.stretches if stretch.is_marked or stretch.length_px >= _ROOM_TO_HOVER_PX]
    return go.Scatter(
        name=f"{lane.kind} links",
        x=[stretch.middle for stretch in shown],
        y=[lane.y - _WEAK_BELOW_PX if stretch.is_marked else lane.y for stretch in shown],
        mode="markers",
        hovertext=[_link_sentence(lane, stretch) for stretch in shown],
        hoverinfo="text",
        marker={
            "symbol": "triangle-down",
            "size": 11,
            "color": background(mode) if hollow else colour,
            "line": {"width": 1.5, "color": colour},
            "opacity": [1.0 if stretch.is_marked else 0.0 for stretch in shown],
        },
        unselected={"marker": {}},
    )


def _documents(lane: Lane, mode: Mode) -> go.Scatter:
    colour, paper, is_trail = colour_of(lane.kind, mode), background(mode), lane.kind == "trail"
    n = len(lane.story.documents)
    ends = {0: "A", n - 1: "B"} if is_trail else {}
    return go.Scatter(
        name=lane.kind,
        x=[stop.day.isoformat() for stop in lane.stops],
        y=[stop.y for stop in lane.stops],
        customdata=[stop.document.document_id for stop in lane.stops],
        mode="markers+text",
        text=[ends.get(stop.number, "") for stop in lane.stops],
        textposition="middle center",
        textfont={"size": 11, "color": paper, "weight": 700},
        hovertext=[_document_sentence(lane, stop) for stop in lane.stops],
        hoverinfo="text",
        marker={
            "symbol": _SYMBOLS[lane.kind],
            "size": [19 if stop.number in ends else 11 if is_trail else 10 for stop in lane.stops],
            "color": colour if is_trail else paper,
            "opacity": 1,
            "line": {"width": 1.5 if is_trail else 2, "color": paper if is_trail else colour},
        },
        unselected={"marker": {"opacity": 1}},
    )


def _document_sentence(lane: Lane, stop: Stop) -> str:
    place = f"Document {stop.number + 1} of {len(lane.story.documents)} of {NAMES[lane.kind]}"
    source = f", from {plot_text(' '.join(stop.document.source.split())[:60])}" if stop.document.source.strip() else ""
    return f"{headline(stop.document)}<br>{place}{source}."


def _link_sentence(lane: Lane, stretch: Stretch) -> str:
    link = stretch.link
    name = "Weakest link" if stretch.is_weakest else "Weak link" if stretch.is_marked else "Link"
    days = (stretch.other.day - stretch.one.day).days
    apart = f", {duration_words(abs(days))} {'back' if days < 0 else 'later'}" if days else ", at the same date"
    return (
        f"{name} of {NAMES[lane.kind]}, {strength_words(link.coherence)}{apart}:<br>"
        f"from {headline(stretch.one.document)}<br>to {headline(stretch.other.document)}."
    )
