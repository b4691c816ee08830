"""Where short texts stand above the points of a line, so that none lies over another or over another's stem."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import Final

STEM_AIR: Final = 4.0
TEXT_AIR: Final = 8.0
"""Pixels that stay free between a text and a stem, and between two texts of one row."""

MOST_CHARACTERS: Final = 300
"""Characters of a text that are looked at to wrap it."""


@dataclass(frozen=True, slots=True)
class Callout:
    """The place of one text.

    ``number`` of its point · ``choice`` which of its widths · ``row`` from 0, the nearest to the line · ``left`` and
    ``right`` its ends in pixels, one of which is at the stem · ``is_leftward``: it ends at the stem, so it is set
    flush right.
    """

    number: int
    choice: int
    row: int
    left: float
    right: float
    is_leftward: bool


def place_callouts(
    points: Sequence[float], widths: Sequence[Sequence[float]], *, room: float, rows: int
) -> tuple[Callout, ...]:
    """Return where texts can stand above points of a line, from the point that is left-most to the right-most.

    A text begins or ends at the stem that rises from its point, and stands in one of ``rows`` rows; a stem passes all
    rows below that of its text. The two ends come first, then the points next to them, and so on inwards; a point for
    which there is no place has none.

    Parameters
    ----------
    points : sequence of float
        Pixels from the left, in ascending order.
    widths : sequence of sequences of float
        For each point how wide its text may be set, in pixels, the best first.
    room : float
        Pixels from the left to the right end.
    rows : int
        At most so many; rows that are not needed are left out.

    Notes
    -----
    A place holds on a wider line too: where all points move apart in proportion and the texts keep their width,
    nothing that was apart meets.

    Examples
    --------
    >>> placed = place_callouts([0, 50, 300], [[120], [120], [120]], room=300, rows=3)
    >>> [(place.row, place.left, place.right) for place in placed]
    [(1, 0, 120), (0, 50, 170), (1, 180, 300)]
    """
    placed: list[Callout] = []
    for number in _inwards(len(points)):
        found = _free_place(number, points[number], widths[number], placed, room=room, rows=rows)
        if found is not None:
            placed.append(found)
    used = sorted({place.row for place in placed})
    return tuple(replace(place, row=used.index(place.row)) for place in sorted(placed, key=lambda place: place.number))


def levels(points: Sequence[float], *, apart: float, most: int) -> tuple[int, ...]:
    """Return on which level each point stands so that points of one level are ``apart`` where ``most`` levels allow it.

    Points are taken from the left and stand as low as they can; where no level has room, the one whose last point is
    furthest away takes it.

    Examples
    --------
    >>> levels([0, 3, 20, 21], apart=10, most=3), levels([0, 0, 0], apart=10, most=2)
    ((0, 1, 0, 1), (0, 1, 0))
    """
    last = [float("-inf")] * most
    found = [0] * len(points)
    for number in sorted(range(len(points)), key=lambda number: points[number]):
        free = [level for level in range(most) if points[number] - last[level] >= apart]
        found[number] = free[0] if free else min(range(most), key=last.__getitem__)
        last[found[number]] = points[number]
    return tuple(found)


def wrap_text(text: str, room: float, *, n_lines: int, width_of: Callable[[str], float]) -> tuple[str, ...]:
    """Return a text on at most so many lines, each at most ``room`` wide; what is left out is an ellipsis.

    Lines break at spaces, and within a word that has no room on a line of its own.

    Examples
    --------
    >>> wrap_text("Gagarin orbits the Earth", 14, n_lines=2, width_of=len)
    ('Gagarin orbits', 'the Earth')
    >>> wrap_text("Gagarin orbits the Earth", 7, n_lines=2, width_of=len)
    ('Gagarin', 'orbits…')
    """
    rest = " ".join(text.split())[:MOST_CHARACTERS]
    lines: list[str] = []
    while rest and len(lines) < n_lines:
        is_last = len(lines) == n_lines - 1
        fit = _fitting(rest, room, width_of)
        if fit < len(rest) and is_last:
            fit = _fitting(rest, room - width_of("…"), width_of)
            lines.append(f"{rest[:fit].rstrip(' ,;:.-–—')}…")
            break
        lines.append(rest[:fit].rstrip())
        rest = rest[fit:].lstrip()
    return tuple(lines)


def _fitting(text: str, room: float, width_of: Callable[[str], float]) -> int:
    """Return how many characters of a text fit, up to the end of a word if one does; at least one."""
    fit = len(text)
    while fit > 1 and width_of(text[:fit]) > room:
        fit -= 1
    if fit == len(text) or text[fit] == " ":
        return fit
    end = text.rfind(" ", 0, fit)
    return end if end > 0 else fit


def _inwards(n: int) -> list[int]:
    """Return numbers from both ends inwards: 0, n - 1, 1, n - 2, …"""
    left, right = range((n + 1) // 2), range(n - 1, (n + 1) // 2 - 1, -1)
    return [number for number in chain.from_iterable(zip_longest(left, right)) if number is not None]


def _free_place(
    number: int, x: float, widths: Sequence[float], placed: Sequence[Callout], *, room: float, rows: int
) -> Callout | None:
    """Return the highest free place: the highest, so that what comes after it finds its stem outside of its text."""
    for choice, width in enumerate(widths):
        sides = [(x, x + width, False), (x - width, x, True)]
        for left, right, is_leftward in sides if x <= room / 2 else reversed(sides):
            if left < 0 or right > room:
                continue
            for row in range(rows - 1, -1, -1):
                place = Callout(number, choice, row, left, right, is_leftward)
                if not any(_meet(place, other) for other in placed):
                    return place
    return None


def _meet(one: Callout, other: Callout) -> bool:
    if one.row == other.row:
        return one.left < other.right + TEXT_AIR and other.left < one.right + TEXT_AIR
    high, low = (one, other) if one.row > other.row else (other, one)
    stem = high.right if high.is_leftward else high.left
    return low.left - STEM_AIR < stem < low.right + STEM_AIR
