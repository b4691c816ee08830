"""The landscape of a collection as a picture, with both stories drawn on it."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from narrative_core.counting import count
from narrative_core.errors import InvalidInput
from narrative_core.reports import palette, svg
from narrative_core.reports.sentences import format_list, plain_line
from narrative_core.reports.story_marks import LOOKS, Style, Told, dot, legend, numbered_dot, step_name

MARGIN: Final = 34.0
LABEL_SIZE: Final = 14.0
LONGEST_LABEL: Final = 34
MOST_LABELS: Final = 24
"""Topics that are named at most: more names than that hide the map."""

_LEGEND_HEIGHT: Final = 26.0
_ASIDES: Final = (0.0, -0.6, 0.6, -1.2, 1.2)
_SHIFTS: Final = (0.0, -18.0, 18.0, -36.0, 36.0, -54.0, 54.0)
_HALO: Final = {"stroke": palette.PAPER, "stroke_linejoin": "round", "paint_order": "stroke"}


@dataclass(frozen=True, slots=True, eq=False)
class MapSketch:
    """What the map shows.

    ``positions`` (n, 2) map coordinates, row = document · ``topics`` (n,) topic of each document by rank in size, -1
    where there is none · ``trail`` and ``baseline`` rows in story order, ``None`` for a document that has no place on
    the map, either may be empty · ``labels`` topic names in rank order; an empty one is not written.
    """

    positions: NDArray[np.float64]
    topics: NDArray[np.int64]
    trail: tuple[int | None, ...] = ()
    baseline: tuple[int | None, ...] = ()
    labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check shapes and rows, so that drawing can trust them."""
        n = len(self.positions)
        if self.positions.shape != (n, 2) or self.topics.shape != (n,):
            raise InvalidInput(
                f"positions must be (n, 2) and topics (n,); got {self.positions.shape} and {self.topics.shape}."
            )
        if not np.isfinite(self.positions).all():
            raise InvalidInput("every position on the map must be a finite number; leave the other documents out.")
        outside = [row for row in (*self.trail, *self.baseline) if row is not None and not 0 <= row < n]
        if outside:
            raise InvalidInput(f"story rows must lie in 0 … {n - 1}; got {outside[0]}.")


@dataclass(frozen=True, slots=True)
class _Box:
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "_Box") -> bool:
        apart = self.right < other.left or other.right < self.left or self.bottom < other.top or other.bottom < self.top
        return not apart


def map_svg(sketch: MapSketch, *, width: float = 900, height: float = 560, caption: str = "") -> str:
    """Return the map as a standalone SVG.

    Quiet dots in topic colours; the trail deep blue and solid from A to B, its documents numbered; the random
    chronology orange, dashed and hollow; either line broken at a document that has no place on the map; topic names
    where they fit without covering each other or an endpoint, larger topics first. Both axes have one scale, since
    distance is what the map means.

    Parameters
    ----------
    sketch : MapSketch
    width, height : float
        Pixels; the picture scales with the place it stands in.
    caption : str
        What else the description of the picture says: what it is of, and what made it.
    """
    points = _fit(sketch.positions, width, height)
    trail, baseline = _stops(points, sketch.trail), _stops(points, sketch.baseline)
    parts = [
        svg.element("rect", width=width, height=height, fill=palette.PAPER),
        _dots(points, sketch.topics),
        *_baseline(baseline),
        *_labels(points, sketch, taken=_boxes(trail, baseline), line=_along(trail), width=width),
        *_trail(trail),
        legend([*_told("trail", trail), *_told("baseline", baseline)], height - 14),
    ]
    return svg.picture(
        parts,
        width=width,
        height=height,
        title="Map of the collection",
        description=f"{_description(sketch)} {caption}",
        font_family=palette.FONT_FAMILY,
    )


def _fit(positions: NDArray[np.float64], width: float, height: float) -> NDArray[np.float64]:
    if len(positions) == 0:
        return np.empty((0, 2))
    low, high = positions.min(axis=0), positions.max(axis=0)
    room = np.array([width - 2 * MARGIN, height - 2 * MARGIN - _LEGEND_HEIGHT])
    span = high - low
    scale = float(np.min(room[span > 0] / span[span > 0])) if (span > 0).any() else 1.0
    middle = np.array([width, height - _LEGEND_HEIGHT]) / 2
    return np.asarray(middle + (positions - (low + high) / 2) * scale * np.array([1.0, -1.0]))


def _dots(points: NDArray[np.float64], topics: NDArray[np.int64]) -> str:
    radius = float(np.clip(60 / np.sqrt(max(len(points), 1)), 1.4, 3.6))
    groups = [
        svg.element("g", "".join(svg.element("circle", cx=x, cy=y, r=radius) for x, y in members), fill=colour)
        for colour, members in _by_colour(points, topics)
    ]
    return svg.element("g", "".join(groups), fill_opacity="0.5")


def _by_colour(
    points: NDArray[np.float64], topics: NDArray[np.int64]
) -> Iterable[tuple[str, list[tuple[float, float]]]]:
    colours = np.array([palette.topic_colour(int(topic)) for topic in topics], dtype=np.str_)
    for colour in [palette.GREY, *palette.TOPICS]:
        members = points[colours == colour]
        if len(members):
            yield colour, [(float(x), float(y)) for x, y in members]


def _path(points: NDArray[np.float64], **attributes: str | float) -> str:
    corners = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
    return svg.element("polyline", points=corners, stroke_linejoin="round", **attributes)


def _stops(points: NDArray[np.float64], rows: tuple[int | None, ...]) -> NDArray[np.float64]:
    """Return where the documents of a story stand, shape (k, 2); ``nan`` for one without a place."""
    nowhere = np.full(2, np.nan)
    return np.array([nowhere if row is None else points[row] for row in rows], dtype=np.float64).reshape(-1, 2)


def _placed(stops: NDArray[np.float64]) -> list[tuple[int, float, float]]:
    """Return the stops that have a place, each with its number from 0 on the whole story."""
    return [(number, x, y) for number, (x, y) in enumerate(stops.tolist()) if not np.isnan(x)]


def _stretches(stops: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Return the parts of a story, two stops or more each, between those without a place."""
    gaps = [-1, *np.flatnonzero(np.isnan(stops[:, 0])).tolist(), len(stops)]
    return [stops[before + 1 : after] for before, after in pairwise(gaps) if after - before > 2]


def _told(kind: Told, stops: NDArray[np.float64]) -> list[Told]:
    return [kind] if _placed(stops) else []


def _baseline(stops: NDArray[np.float64]) -> list[str]:
    lines = [_path(stretch, **LOOKS["baseline"].line) for stretch in _stretches(stops)]
    return [*lines, *(dot(x, y, "baseline") for _, x, y in _placed(stops))]


def _trail(stops: NDArray[np.float64]) -> list[str]:
    stretches, last = _stretches(stops), len(stops) - 1
    ground: Style = {"fill": "none", "stroke": palette.PAPER, "stroke_width": 6, "stroke_opacity": 0.85}
    parts = [_path(stretch, **ground) for stretch in stretches]
    parts += [_path(stretch, **LOOKS["trail"].line) for stretch in stretches]
    ends_on_top = sorted(_placed(stops), key=lambda stop: stop[0] in (0, last))
    return parts + [numbered_dot(x, y, number, len(stops)) for number, x, y in ends_on_top]


def _labels(
    points: NDArray[np.float64], sketch: MapSketch, *, taken: list[_Box], line: list[_Box], width: float
) -> list[str]:
    placed: list[str] = []
    for topic, label in enumerate(sketch.labels):
        members = points[sketch.topics == topic]
        words = _clip(plain_line(label))
        if not len(members) or not words:
            continue
        if len(placed) == MOST_LABELS:
            break
        centre_x, centre_y = (float(value) for value in np.median(members, axis=0))
        half = svg.text_width(words, LABEL_SIZE) / 2
        box = _free_place(centre_x, centre_y, half, taken + line, width)
        box = box or _free_place(centre_x, centre_y, half, taken, width)
        if box:
            taken.append(box)
            placed.append(_label(words, (box.left + box.right) / 2, box.bottom - 6))
    return placed


def _free_place(x: float, y: float, half: float, taken: list[_Box], width: float) -> _Box | None:
    """Return the free place nearest to the centre of a topic for a name of half width ``half``, if there is one."""
    moves = [(aside * half, shift) for aside in _ASIDES for shift in _SHIFTS]
    for aside, shift in sorted(moves, key=lambda move: abs(move[0]) + abs(move[1])):
        centre = min(max(x + aside, half + 6), width - half - 6)
        box = _Box(centre - half - 4, y + shift - LABEL_SIZE, centre + half + 4, y + shift + 6)
        if box.top > 0 and not any(box.meets(other) for other in taken):
            return box
    return None


def _label(words: str, x: float, y: float) -> str:
    return svg.text(
        words,
        x,
        y,
        text_anchor="middle",
        font_size=LABEL_SIZE,
        font_weight="600",
        fill=palette.INK,
        stroke_width=4,
        **_HALO,
    )


def _clip(label: str) -> str:
    return label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1].rstrip(' ,')}…"


def _boxes(trail: NDArray[np.float64], baseline: NDArray[np.float64]) -> list[_Box]:
    """Return the room that the circles of both stories take."""
    circles = [(x, y, 13.0 if number in (0, len(trail) - 1) else 9.0) for number, x, y in _placed(trail)]
    # The ends of the baseline lie under those of the trail.
    circles += [(x, y, 6.0) for number, x, y in _placed(baseline) if 0 < number < len(baseline) - 1]
    return [_Box(x - reach, y - reach, x + reach, y + reach) for x, y, reach in circles]


def _along(trail: NDArray[np.float64]) -> list[_Box]:
    """Return the room that the line of the trail takes, as a string of small boxes."""
    boxes = []
    for start, end in (link for stretch in _stretches(trail) for link in pairwise(stretch)):
        n_boxes = max(int(np.hypot(*(end - start)) // 6), 1)
        for x, y in (start + np.linspace(0, 1, n_boxes + 1)[:, None] * (end - start)).tolist():
            boxes.append(_Box(x - 3, y - 3, x + 3, y + 3))
    return boxes


def _description(sketch: MapSketch) -> str:
    said = [f"{count(len(sketch.positions), 'document')} as dots, near each other where their content is alike."]
    if any(row is not None for row in sketch.trail):
        said.append(f"The trail is a solid blue line through {_through(sketch.trail, ', from A to B')}.")
    if any(row is not None for row in sketch.baseline):
        said.append(f"A random chronology is a dashed orange line through {_through(sketch.baseline)}.")
    return " ".join(said)


def _through(rows: tuple[int | None, ...], ends: str = "") -> str:
    """Return what the line of a story goes through, in words."""
    without = [step_name(number, len(rows)) for number, row in enumerate(rows) if row is None]
    if not without:
        return f"{count(len(rows), 'document')}{ends}"
    placed = f"{len(rows) - len(without)} of its {count(len(rows), 'document')}"
    return f"{placed}, but is broken at {format_list(without)}, without a place on this map"
