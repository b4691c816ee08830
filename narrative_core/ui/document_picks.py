"""From what the small map and the histogram say was caught to documents and days: pure, tested without a browser."""

import datetime as dt
from collections.abc import Container, Mapping, Sequence
from contextlib import suppress
from typing import Any


def caught_documents(event: Mapping[str, Any] | None, known: Container[str]) -> tuple[str, ...]:
    """Return the ids of the documents that a lasso, a box or a click caught, each once, in the order of the map.

    Parameters
    ----------
    event : mapping, optional
        The chart's state; the ``customdata`` of a point is the id, or begins with it.
    known : container of str
        Ids of the collection: points of another one are none of its documents.

    Examples
    --------
    >>> points = [{"customdata": "d7"}, {"x": 1}, {"customdata": ["d2"]}]
    >>> caught_documents({"selection": {"points": points}}, {"d2", "d7"})
    ('d7', 'd2')
    """
    caught = (_first(point.get("customdata")) for point in _points(event))
    return tuple(dict.fromkeys(one for one in caught if isinstance(one, str) and one in known))


def caught_days(event: Mapping[str, Any] | None) -> tuple[dt.date, dt.date] | None:
    """Return the first and the last day of the bars that were clicked or framed, ``None`` where none was.

    Examples
    --------
    >>> caught_days({"selection": {"points": [{"customdata": ["2021-01-01", "2021-01-31"]}]}})
    (datetime.date(2021, 1, 1), datetime.date(2021, 1, 31))
    """
    firsts, lasts = [], []
    for point in _points(event):
        data = point.get("customdata")
        values = list(data.values()) if isinstance(data, Mapping) else data
        if isinstance(values, Sequence) and not isinstance(values, str) and len(values) == 2:
            with suppress(TypeError, ValueError):
                first, last = (dt.date.fromisoformat(value) for value in values)
                firsts.append(first)
                lasts.append(last)
    return (min(firsts), max(lasts)) if firsts else None


def with_mark(selection: Sequence[str], document_id: str, *, is_marked: bool) -> tuple[str, ...]:
    """Return a selection with one document marked or not.

    Examples
    --------
    >>> with_mark(("a", "b"), "a", is_marked=False), with_mark(("a",), "c", is_marked=True)
    (('b',), ('a', 'c'))
    """
    others = tuple(one for one in selection if one != document_id)
    return (*others, document_id) if is_marked else others


def _points(event: Mapping[str, Any] | None) -> Sequence[Mapping[str, Any]]:
    return ((event or {}).get("selection") or {}).get("points") or []


def _first(data: object) -> object:
    if isinstance(data, Mapping):
        data = list(data.values())
    if isinstance(data, Sequence) and not isinstance(data, str):
        return data[0] if data else None
    return data
