"""Ranges of axes and places of direct labels: small arithmetic that figures share."""

import math
from collections.abc import Iterable, Sequence

_LEAST_SPAN = 0.08


def value_range(values: Iterable[float], *, pad: float = 0.18) -> tuple[float, float]:
    """Range of an axis that shows strengths: what is there and some air, within [0, 1].

    Values that are not finite do not count. The range is never narrower than 0.08, so that rounding noise does not look
    like a difference; without any value it is (0, 1).

    >>> value_range([0.5, 0.7])
    (0.464, 0.736)
    """
    known = [value for value in values if math.isfinite(value)]
    if not known:
        return 0.0, 1.0
    low, high = min(known), max(known)
    air = max((high - low) * pad, (_LEAST_SPAN - (high - low)) / 2)
    return round(max(low - air, 0.0), 6), round(min(high + air, 1.0), 6)


def spread(values: Sequence[float], heights: Sequence[float]) -> list[float]:
    """Middles of labels beside ``values``: as near as can be, in the same order, none over another.

    Labels that would touch form a block around the mean of their values; blocks that would touch are joined.

    >>> spread([0.5, 0.52, 0.9], [0.1, 0.1, 0.1])
    [0.46, 0.56, 0.9]
    """
    blocks: list[list[int]] = []
    for i in sorted(range(len(values)), key=lambda i: values[i]):
        blocks.append([i])
        while len(blocks) > 1 and _bottom(blocks[-1], values, heights) < _top(blocks[-2], values, heights):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    middles = [0.0] * len(values)
    for block in blocks:
        edge = _bottom(block, values, heights)
        for i in block:
            middles[i] = round(edge + heights[i] / 2, 6)
            edge += heights[i]
    return middles


def _bottom(block: Sequence[int], values: Sequence[float], heights: Sequence[float]) -> float:
    return sum(values[i] for i in block) / len(block) - sum(heights[i] for i in block) / 2


def _top(block: Sequence[int], values: Sequence[float], heights: Sequence[float]) -> float:
    return _bottom(block, values, heights) + sum(heights[i] for i in block)
