"""The documents of a landscape as points: where they stand, how they look, what their tooltip says.

Map coordinates have no unit, so they are scaled once to pixels of the first view: at zoom 0 one unit is one pixel, the
first view is the same for every landscape, and positions need two decimals only.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NotRequired, TypedDict

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput
from narrative_core.figures.map_colouring import Colouring, step_colour
from narrative_core.figures.theme import Mode, Rgba, background, rgba
from narrative_core.figures.wording import clip_text, date_words, tooltip_text
from narrative_core.records import Document, Landscape

FIT_WIDTH_PX, FIT_HEIGHT_PX, MOST_STRETCH = 332.0, 430.0, 1.3
TITLE_LIMIT = 120
_BYLINE_LIMIT = 60
_TOPIC_LIMIT = 60
_TOLD_LIMIT = 80
_SOLID, _FADED, _CLEAR = 225, 38, 0


class PointRecord(TypedDict):
    """One document as the browser gets it. ``style`` is a row of `PointStyles`, ``told`` what its colour stands for."""

    id: str
    position: tuple[float, float]
    style: int
    title: str
    byline: str
    topic: str
    told: NotRequired[str]


@dataclass(frozen=True, slots=True)
class PointStyles:
    """Looks of documents, named by their row: fill and ring of each."""

    fills: tuple[Rgba, ...]
    rings: tuple[Rgba, ...]


def pixel_positions(positions: NDArray[np.floating]) -> NDArray[np.float64]:
    """Map coordinates centred on zero and scaled to fit `FIT_WIDTH_PX` by `FIT_HEIGHT_PX`, a column or a phone.

    The axes of a map have no meaning and its distances are only roughly kept, so a map that is wider than high is
    turned by a quarter, and one side may be stretched by up to `MOST_STRETCH` to use the room.

    Parameters
    ----------
    positions : array (n, 2)
        Finite map coordinates, of any float type.

    Returns
    -------
    array (n, 2) of float64, in pixels at zoom 0, y upwards. Documents that all share one place stand at (0, 0).

    Raises
    ------
    InvalidInput
        If the array has another shape or holds a value that is not finite.
    """
    places = np.asarray(positions, dtype=np.float64)
    if places.ndim != 2 or places.shape[1] != 2:
        raise InvalidInput(f"positions must have shape (n, 2); got {places.shape}. Build the landscape again.")
    if not np.isfinite(places).all():
        raise InvalidInput("positions must be finite; got nan or infinity. Build the landscape again.")
    if len(places) == 0:
        return places
    low, high = places.min(axis=0), places.max(axis=0)
    centred, extent = places - (low + high) / 2, high - low
    if extent[0] > extent[1]:
        centred, extent = np.column_stack([-centred[:, 1], centred[:, 0]]), extent[::-1]
    if not extent.any():
        return np.zeros_like(places)
    scales = np.divide([FIT_WIDTH_PX, FIT_HEIGHT_PX], extent, out=np.full(2, np.inf), where=extent > 0)
    scaled: NDArray[np.float64] = np.round(centred * np.minimum(scales, MOST_STRETCH * scales.min()), 2)
    return scaled


def point_records(
    landscape: Landscape,
    documents: Sequence[Document],
    places: NDArray[np.float64],
    *,
    visible: NDArray[np.bool_] | None,
    colouring: Colouring,
    hidden_topics: Collection[int] = (),
    mode: Mode,
) -> tuple[list[PointRecord], PointStyles]:
    """The documents that are drawn as points, in position order, with the styles that the points name.

    Parameters
    ----------
    landscape, documents
        The map and its documents, row = position.
    places : array (n, 2)
        From `pixel_positions`.
    visible : array (n,) of bool, optional
        Documents outside it are faded, not removed, so that rows never shift.
    colouring : Colouring
        What they are coloured by.
    hidden_topics : collection of int
        Documents that are nearest to one of these have no point.
    """
    shown = np.ones(len(documents), dtype=bool) if visible is None else np.asarray(visible, dtype=bool)
    labels = {topic.topic: topic.label for topic in landscape.topics}
    looks: dict[tuple[str, bool, bool], int] = {}
    records: list[PointRecord] = []
    for row, document in enumerate(documents):
        topic, is_outlier = int(landscape.nearest_topic[row]), bool(landscape.is_outlier[row])
        if topic in hidden_topics:
            continue
        look = (step_colour(colouring.kind, int(colouring.steps[row]), mode), is_outlier, bool(shown[row]))
        record: PointRecord = {
            "id": document.document_id,
            "position": (float(places[row, 0]), float(places[row, 1])),
            "style": looks.setdefault(look, len(looks)),
            "title": tooltip_text(clip_text(document.title, TITLE_LIMIT) or "Untitled"),
            "byline": _byline(document),
            "topic": _topic_words(labels.get(topic, ""), is_outlier),
        }
        if colouring.told:
            record["told"] = tooltip_text(clip_text(colouring.told[row], _TOLD_LIMIT))
        records.append(record)
    return records, _styles(looks, mode)


def point_radius(n_documents: int) -> float:
    """Radius of a document in pixels at zoom 0: smaller where there are many.

    >>> point_radius(300), point_radius(6000)
    (4.0, 2.2)
    """
    return round(float(np.clip(4.0 * (300 / max(n_documents, 1)) ** 0.2, 2.2, 4.5)), 1)


def _byline(document: Document) -> str:
    parts = (date_words(document), clip_text(document.source, _BYLINE_LIMIT))
    return tooltip_text(" · ".join(part for part in parts if part))


def _topic_words(label: str, is_outlier: bool) -> str:
    if not label:
        return "no topic"
    words = tooltip_text(clip_text(label, _TOPIC_LIMIT))
    return f"outlier, nearest topic: {words}" if is_outlier else words


def _styles(looks: dict[tuple[str, bool, bool], int], mode: Mode) -> PointStyles:
    fills: list[Rgba] = []
    rings: list[Rgba] = []
    for colour, is_hollow, is_shown in looks:
        alpha = _SOLID if is_shown else _FADED
        fills.append(rgba(colour, _CLEAR if is_hollow else alpha))
        rings.append(rgba(colour, alpha) if is_hollow else rgba(background(mode), alpha))
    return PointStyles(fills=tuple(fills), rings=tuple(rings))


def distance(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Distance of two places on the map."""
    return math.hypot(a[0] - b[0], a[1] - b[1])
