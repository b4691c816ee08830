"""What the rows of a figure consist of: lanes with a value each, rows with a name, panels with an axis.

Names stand above their lanes and words beside them, in pixels, so that nothing is cut off on a telephone.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from narrative_core.figures.marks import text_width
from narrative_core.figures.wording import clip_text

NARROW_PX, SIDE_PX = 360, 12
"""Width of a telephone, for which names are clipped, and the air at either side of a figure."""

LANE_PX, NAME_PX, ROW_AIR_PX = 20, 24, 8
"""Height of a lane, of the name above its lanes, and of the air below them."""

_TRUE_WIDTH, _BOLD_WIDTH = 0.94, 0.98
"""`text_width` is generous: text needs about this share of it."""

_FEWEST_CHARACTERS, _SHORTEST_HEAD = 8, 5
_LEAST_SPAN = 1e-4


@dataclass(frozen=True, slots=True)
class Lane:
    """One value: where it stands, its interval (nan is none), its words, and what a click leads to.

    ``label`` stands left and ``words`` right of the axis, both short · ``also`` further values, small, without an
    interval · ``study`` the reference study's figure, nan is none · ``passes`` the part of the axis where a check
    passes · ``colour`` and ``symbol`` are plotly's · ``key`` is the mark's ``customdata``.
    """

    value: float
    colour: str
    hover: str
    low: float = math.nan
    high: float = math.nan
    label: str = ""
    words: str = ""
    symbol: str = "circle"
    key: tuple[int | str, ...] = ()
    also: tuple[float, ...] = ()
    study: float = math.nan
    passes: tuple[float, float] | None = None
    is_bar: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A name, what is said beside it at the right, and the lanes below it."""

    name: str
    lanes: tuple[Lane, ...]
    words: str = ""

    @property
    def height_px(self) -> int:
        """Pixels from its top to the next row."""
        return NAME_PX + LANE_PX * len(self.lanes) + ROW_AIR_PX


@dataclass(frozen=True, slots=True)
class Panel:
    """Rows on one axis from ``window``; ``lines`` are reference values with their names, ``ticks`` plotly's options."""

    title: str
    rows: tuple[Row, ...]
    window: tuple[float, float]
    lines: tuple[tuple[float, str], ...] = ()
    ticks: Mapping[str, object] = field(default_factory=dict)

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """The lanes of all rows, from the top."""
        return tuple(lane for row in self.rows for lane in row.lanes)


@dataclass(frozen=True, slots=True)
class Sides:
    """Pixels kept free for the labels left and the words right of the axis."""

    left: int = 0
    right: int = 0


def fitting_text(text: str, room_px: float, *, size_px: float = 11, is_bold: bool = False) -> str:
    """``text``, clipped until it is at most ``room_px`` wide, but never below eight characters.

    What stands before the first comma is shortened first: the modes of one model differ in what follows.

    >>> fitting_text("Lexical reader", 60), fitting_text("llama-3.3-70b, simple", 90)
    ('Lexical r…', 'llama…, simple')
    """

    def fits(words: str) -> bool:
        return text_width(words, size_px) * (_BOLD_WIDTH if is_bold else _TRUE_WIDTH) <= room_px

    line = " ".join(text.split())
    head, comma, tail = line.partition(", ")
    heads = range(len(head) if comma else 0, _SHORTEST_HEAD - 1, -1)
    clipped = [line, *(_clipped(head, limit) + comma + tail for limit in heads)]
    clipped += [_clipped(line, limit) for limit in range(len(line), _FEWEST_CHARACTERS, -1)]
    return next((words for words in clipped if fits(words)), _clipped(line, _FEWEST_CHARACTERS))


def _clipped(text: str, limit: int) -> str:
    words = clip_text(text, limit)
    return words if words == text else words.removesuffix("…").rstrip(" ,·") + "…"


def fitting_name(name: str, words: str) -> str:
    """``name``, clipped until it fits in bold beside ``words`` on a telephone."""
    room_px = NARROW_PX - 2 * SIDE_PX - 16 - text_width(words, 12)
    return fitting_text(name, room_px, size_px=12, is_bold=True)


def fitting_window(
    values: Sequence[float], *, holds: Sequence[float] = (), within: tuple[float, float] = (-math.inf, math.inf)
) -> tuple[float, float]:
    """Range of an axis on which all values and all of ``holds`` lie, with air; what is beyond ``within`` is cut off.

    >>> fitting_window([0.5, float("nan")], holds=[0, 1])
    (-0.05, 1.05)
    """
    known = [min(max(value, within[0]), within[1]) for value in [*values, *holds] if math.isfinite(value)]
    low, high = min(known, default=0.0), max(known, default=1.0)
    air = 0.05 * (high - low if high - low > _LEAST_SPAN else 1.0)
    return round(low - air, 6), round(high + air, 6)


def lane_values(rows: Sequence[Row]) -> list[float]:
    """Every number that is drawn in some rows, for `fitting_window`."""
    return [
        value
        for row in rows
        for lane in row.lanes
        for value in (lane.value, lane.low, lane.high, lane.study, *lane.also)
    ]
