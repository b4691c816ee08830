"""The random draws of a pair as a small histogram, with the trail and the shown draw marked."""

import math
from collections import Counter
from typing import Final

from narrative_core.records import StoryPair
from narrative_core.reports import palette, svg
from narrative_core.reports.sentences import comparison_sentence, format_strength

WIDTH: Final = 380.0
HEIGHT: Final = 150.0
_LEFT: Final = 16.0
_BASE: Final = 104.0
_TALLEST: Final = 62.0
_BIN: Final = 0.02


def draws_svg(pair: StoryPair) -> str:
    """Return how strong the weakest links of all random chronologies are, and where the trail stands among them.

    Bars are 0.02 wide. Empty where there is nothing to show: no draw of known strength, or two documents, whose every
    chronology is the same.
    """
    known = [value for value in pair.draw_bottlenecks if math.isfinite(value)]
    trail, shown = pair.trail.bottleneck, pair.baseline.bottleneck
    if not known or len(pair.trail.documents) == 2 or not math.isfinite(trail):
        return ""
    bins = Counter(_bin(value) for value in known)
    first, last = min(*bins, _bin(trail)) - 1, max(*bins, _bin(trail)) + 2
    step = (WIDTH - 2 * _LEFT) / (last - first)

    def place(strength: float) -> float:
        return _LEFT + (strength / _BIN - first) * step

    parts = [
        _bars(bins, first, step),
        svg.element("line", x1=_LEFT, y1=_BASE, x2=WIDTH - _LEFT, y2=_BASE, stroke=palette.RULE),
        *_ends(first, last),
        *(_shown_mark(place(shown)) if math.isfinite(shown) else []),
        *_trail_mark(place(trail), trail),
    ]
    return svg.picture(
        parts,
        width=WIDTH,
        height=HEIGHT,
        title="Weakest links of the random chronologies",
        description=f"{comparison_sentence(pair)}. The random weakest links lie between {format_strength(min(known))} "
        f"and {format_strength(max(known))}; that of the trail is {format_strength(trail)}.",
        font_family=palette.FONT_FAMILY,
    )


def _bars(bins: Counter[int], first: int, step: float) -> str:
    tallest = max(bins.values())
    bars = [
        svg.element(
            "rect",
            x=_LEFT + (number - first) * step + 0.5,
            y=_BASE - _TALLEST * drawn / tallest,
            width=max(step - 1, 0.5),
            height=_TALLEST * drawn / tallest,
        )
        for number, drawn in sorted(bins.items())
    ]
    return svg.element("g", "".join(bars), fill=palette.BASELINE, fill_opacity=0.35)


def _bin(strength: float) -> int:
    return math.floor(strength / _BIN + 1e-9)


def _ends(first: int, last: int) -> list[str]:
    style: dict[str, str | float] = {"font_size": 12, "fill": palette.QUIET}
    y = _BASE + 17
    return [
        svg.text(format_strength(max(first, 0) * _BIN), _LEFT, y, **style),
        svg.text(format_strength(last * _BIN), WIDTH - _LEFT, y, text_anchor="end", **style),
        svg.text("strength of the weakest link", WIDTH / 2, y + 20, text_anchor="middle", **style),
    ]


def _shown_mark(x: float) -> list[str]:
    return [svg.element("circle", cx=x, cy=_BASE, r=4.5, fill=palette.PAPER, stroke=palette.BASELINE, stroke_width=2)]


def _trail_mark(x: float, strength: float) -> list[str]:
    anchor = "end" if x > WIDTH * 0.7 else "start" if x < WIDTH * 0.3 else "middle"
    label_x = min(max(x + {"end": 5, "start": -5, "middle": 0}[anchor], _LEFT), WIDTH - _LEFT)
    words = f"this trail {format_strength(strength)}"
    return [
        svg.element("line", x1=x, y1=26, x2=x, y2=_BASE, stroke=palette.TRAIL, stroke_width=2),
        svg.element("circle", cx=x, cy=_BASE, r=5, fill=palette.TRAIL),
        svg.text(words, label_x, 17, text_anchor=anchor, font_size=13, font_weight="700", fill=palette.TRAIL),
    ]
