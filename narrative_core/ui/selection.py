"""From what a chart says was clicked to what was meant: pure functions, tested without a browser."""

import math
from collections.abc import Mapping, Sequence
from typing import Any


def picked_document(event: Mapping[str, Any] | None, known: Mapping[str, int], *, generation: int = 0) -> str | None:
    """Return the id of the document that was clicked on the map, ``None`` where none was.

    Parameters
    ----------
    event : mapping, optional
        The chart's state: ``{"selection": {"objects": {layer id: [row, …]}}}``.
    known : mapping of str to int
        Document ids of the collection; a row of another collection's map is no pick.
    generation : int
        That of the layer on show: what is still selected in an older one is a click that was dealt with.

    Examples
    --------
    >>> picked_document({"selection": {"objects": {"documents-3": [{"id": "d7"}]}}}, {"d7": 0}, generation=3)
    'd7'
    """
    layers = _selection(event).get("objects") or {}
    rows = layers.get(f"documents-{generation}" if generation else "documents") or []
    return next((str(row["id"]) for row in rows if row.get("id") in known), None)


def picked_length(event: Mapping[str, Any] | None) -> int | None:
    """Return the trail length that was clicked on the length-against-strength curve, ``None`` where none was.

    Examples
    --------
    >>> picked_length({"selection": {"points": [{"customdata": [5]}]}})
    5
    """
    for point in _selection(event).get("points") or []:
        value = point.get("customdata")
        if isinstance(value, Sequence) and not isinstance(value, str):
            value = value[0] if value else None
        elif isinstance(value, Mapping):
            value = next(iter(value.values()), None)
        if isinstance(value, int | float) and 2 <= value < math.inf:
            return int(value)
    return None


def _selection(event: Mapping[str, Any] | None) -> Mapping[str, Any]:
    return (event or {}).get("selection") or {}
