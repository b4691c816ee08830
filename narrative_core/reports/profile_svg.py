"""The strength of every link along both stories, for paper and slides; it can be read in grey."""

import math
from dataclasses import dataclass
from typing import Final

from narrative_core.records import Story, StoryPair
from narrative_core.reports import palette, svg
from narrative_core.reports.sentences import comparison_sentence, format_strength, weakest_link_sentence
from narrative_core.reports.story_marks import LOOKS, Style, Told, dot, legend, weak_mark

_LEFT, _RIGHT, _TOP, _BOTTOM = 62.0, 26.0, 34.0, 92.0
_QUIET: Final[Style] = {"font_size": 12, "fill": palette.QUIET}
_LEAST_SPAN: Final = 0.08
_MOST_STEPS: Final = 12
_TRUE_WIDTH: Final = 0.82
"""`svg.text_width` is generous: plain words need about this share of it."""

_STRENGTH_STEPS: Final = (0.01, 0.02, 0.05, 0.1, 0.2)


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where a step and a strength stand on a picture of some size."""

    width: float
    height: float
    n_steps: int
    low: float
    high: float

    def x(self, step: float) -> float:
        room = self.width - _LEFT - _RIGHT
        return _LEFT + room * ((step - 1) / (self.n_steps - 1) if self.n_steps > 1 else 0.5)

    def y(self, strength: float) -> float:
        room = self.height - _TOP - _BOTTOM
        return _TOP + room * (self.high - strength) / (self.high - self.low)


def profile_svg(pair: StoryPair, *, width: float = 900, height: float = 380, caption: str = "") -> str:
    """Return the strength of each link by its step, the weakest of each story named; empty where none is known.

    Parameters
    ----------
    pair : StoryPair
    width, height : float
        Pixels; the picture scales with the place it stands in.
    caption : str
        What else the description of the picture says.
    """
    stories: dict[Told, Story] = {"baseline": pair.baseline, "trail": pair.trail}
    known = [link.coherence for story in stories.values() for link in story.links if math.isfinite(link.coherence)]
    if not known:
        return ""
    low, high = _span([*known, *([pair.median_link] if math.isfinite(pair.median_link) else [])])
    frame = _Frame(width, height, max(len(story.links) for story in stories.values()), low, high)
    parts = [
        svg.element("rect", width=width, height=height, fill=palette.PAPER),
        *_axes(frame),
        *_typical(frame, pair.median_link),
        *(part for kind, story in stories.items() for part in _line(frame, kind, story)),
        *(part for kind, story in stories.items() for part in _weakest(frame, kind, story)),
        legend(["trail", "baseline"], height - 14, also="weakest link of a story"),
    ]
    return svg.picture(
        parts,
        width=width,
        height=height,
        title="Strength along both stories",
        description=f"{comparison_sentence(pair)}. {weakest_link_sentence(pair.trail)} {caption}",
        font_family=palette.FONT_FAMILY,
    )


def _span(values: list[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    air = max((high - low) * 0.16, (_LEAST_SPAN - (high - low)) / 2)
    return max(low - air, 0.0), min(high + air, 1.0)


def _axes(frame: _Frame) -> list[str]:
    ground, end = frame.height - _BOTTOM, frame.width - _RIGHT
    parts = [svg.element("line", x1=_LEFT - 14, y1=ground, x2=end + 8, y2=ground, stroke=palette.QUIET)]
    step = next((one for one in _STRENGTH_STEPS if (frame.high - frame.low) / one <= 6), 0.2)
    for number in range(math.ceil(frame.low / step - 1e-9), math.floor(frame.high / step + 1e-9) + 1):
        y = frame.y(number * step)
        parts.append(svg.element("line", x1=_LEFT - 14, y1=y, x2=end + 8, y2=y, stroke=palette.RULE, stroke_width=0.7))
        parts.append(svg.text(format_strength(number * step), _LEFT - 20, y + 4, text_anchor="end", **_QUIET))
    every = max(1, math.ceil(frame.n_steps / _MOST_STEPS))
    for number in range(1, frame.n_steps + 1, every):
        parts.append(svg.text(str(number), frame.x(number), ground + 17, text_anchor="middle", **_QUIET))
    middle = (_LEFT + end) / 2
    return [
        *parts,
        svg.text("step along the story", middle, ground + 37, text_anchor="middle", **_QUIET),
        svg.text("strength of the link", 14, 18, **_QUIET),
    ]


def _typical(frame: _Frame, median_link: float) -> list[str]:
    """Return the line of a typical link, and what it is above the plot at the right."""
    if not math.isfinite(median_link):
        return []
    y, end = frame.y(median_link), frame.width - _RIGHT
    line: Style = {"stroke": palette.INK, "stroke_width": 1.2, "stroke_dasharray": "1.5 3"}
    words = f"a typical link of the collection, {format_strength(median_link)}"
    left = end - svg.text_width(words, 12) * _TRUE_WIDTH
    return [
        svg.element("line", x1=_LEFT - 14, y1=y, x2=end + 8, y2=y, **line),
        svg.element("line", x1=left - 34, y1=14, x2=left - 8, y2=14, **line),
        svg.text(words, end, 18, text_anchor="end", **_QUIET),
    ]


def _line(frame: _Frame, kind: Told, story: Story) -> list[str]:
    places = [
        (frame.x(step), frame.y(link.coherence), link.is_weakest)
        for step, link in enumerate(story.links, start=1)
        if math.isfinite(link.coherence)
    ]
    corners = " ".join(f"{x:.2f},{y:.2f}" for x, y, _ in places)
    line = svg.element("polyline", points=corners, stroke_linejoin="round", **LOOKS[kind].line)
    return [line, *(weak_mark(x, y - 1, kind) if is_weakest else dot(x, y, kind) for x, y, is_weakest in places)]


def _weakest(frame: _Frame, kind: Told, story: Story) -> list[str]:
    step = next((step for step, link in enumerate(story.links, start=1) if link.is_weakest), None)
    if step is None or not math.isfinite(story.bottleneck):
        return []
    words = f"weakest {format_strength(story.bottleneck)}"
    half = svg.text_width(words, 13) / 2
    x = min(max(frame.x(step), half + 4), frame.width - half - 4)
    style: Style = {"font_size": 13, "font_weight": "700", "fill": LOOKS[kind].colour, "text_anchor": "middle"}
    halo: Style = {"stroke": palette.PAPER, "stroke_width": 4, "stroke_linejoin": "round", "paint_order": "stroke"}
    return [svg.text(words, x, frame.y(story.bottleneck) + 23, **style, **halo)]
