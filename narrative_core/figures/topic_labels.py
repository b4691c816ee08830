"""Names of topics on the map: at their centre, the larger topics first, none over another or under a mark."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from narrative_core.figures.map_points import FIT_HEIGHT_PX, FIT_WIDTH_PX
from narrative_core.figures.marks import ENDPOINT_PX, LABEL_HEIGHT_PX, LabelStyle, text_width
from narrative_core.figures.wording import clip_text
from narrative_core.records import Landscape

MAX_LABELS = 12
_LABEL_LIMIT = 32
_GAP_PX = 4.0
_MARGIN_PX = 10.0


@dataclass(frozen=True, slots=True)
class TopicLabel:
    """The name of a topic at a place on the map, in pixels of the first view."""

    topic: int
    text: str
    x: float
    y: float
    width: float
    height: float
    style: LabelStyle


def place_labels(
    landscape: Landscape,
    places: NDArray[np.float64],
    hidden_topics: Collection[int] = (),
    marks: Sequence[tuple[float, float]] = (),
) -> list[TopicLabel]:
    """Labels of the larger topics, at most `MAX_LABELS`, largest first; one that is hidden, or empty, has none.

    The name stands at the median of the topic's documents, outliers left out where others remain, and as far towards
    the middle as it takes to be read whole. Where one of the marks (the centres of A and B) would hide a part of it, it
    stands just above or below.
    """
    labels = []
    for topic in sorted(landscape.topics, key=lambda topic: topic.topic):
        if topic.topic in hidden_topics:
            continue
        members = landscape.nearest_topic == topic.topic
        core = members & ~landscape.is_outlier
        rows = core if core.any() else members
        text = clip_text(topic.label, _LABEL_LIMIT)
        if not text or not rows.any():
            continue
        x, y = (float(value) for value in np.median(places[rows], axis=0))
        style = LabelStyle(13, 650) if topic.topic < 4 else LabelStyle(12, 550)
        width = text_width(text, style.size_px)
        x = _inside(x, width)
        labels.append(TopicLabel(topic.topic, text, round(x, 2), round(y, 2), width, LABEL_HEIGHT_PX, style))
    return without_overlaps(labels, MAX_LABELS, marks)


def _inside(x: float, width: float) -> float:
    """``x`` moved so far towards the middle that the label is not cut off where the first view is narrow."""
    most = max(FIT_WIDTH_PX / 2 + _MARGIN_PX - width / 2, 0.0)
    return min(max(x, -most), most)


def without_overlaps(
    labels: Sequence[TopicLabel], limit: int, marks: Sequence[tuple[float, float]] = ()
) -> list[TopicLabel]:
    """The labels that fit: taken in the order given, each unless it overlaps one taken before; at most ``limit``."""
    taken: list[TopicLabel] = []
    for label in labels:
        if len(taken) == limit:
            break
        moved = _clear_of(label, marks)
        free = next((one for one in moved if not any(is_overlapping(one, other) for other in taken)), None)
        if free is not None:
            taken.append(free)
    return taken


def _clear_of(label: TopicLabel, marks: Sequence[tuple[float, float]]) -> list[TopicLabel]:
    """The label as it is, or, where a mark lies on it, above and below that within the map, the shorter way first."""
    hiding = [y for x, y in marks if _is_hidden(label, x, y)]
    if not hiding:
        return [label]
    reach = (label.height + ENDPOINT_PX) / 2
    moved = (replace(label, y=round(y, 2)) for y in (max(hiding) + reach, min(hiding) - reach))
    inside = [one for one in moved if abs(one.y) <= FIT_HEIGHT_PX / 2]
    clear = [one for one in inside if not any(_is_hidden(one, x, y) for x, y in marks)]
    return sorted(clear, key=lambda one: abs(one.y - label.y))


def _is_hidden(label: TopicLabel, x: float, y: float) -> bool:
    across, down = abs(label.x - x), abs(label.y - y)
    # Half a pixel of patience: a label that was moved just clear is clear, however it is rounded.
    return across < (label.width + ENDPOINT_PX) / 2 and down < (label.height + ENDPOINT_PX - 1) / 2


def is_overlapping(a: TopicLabel, b: TopicLabel) -> bool:
    """Whether two labels share space, a small gap included."""
    across = abs(a.x - b.x) < (a.width + b.width) / 2 + _GAP_PX
    down = abs(a.y - b.y) < (a.height + b.height) / 2
    return across and down
