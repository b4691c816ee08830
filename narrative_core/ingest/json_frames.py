"""Tables in one JSON object, as pandas and others write them: by column, by row, or with the columns named apart."""

from collections.abc import Collection, Mapping

from narrative_core.ingest.raw_rows import distinct_names

_Row = dict[str, object]
_NEARLY_ALL = 0.8
_MIN_NAMED_ROWS = 3
_PARTS = frozenset(["title", "headline", "text", "body", "content", "abstract", "summary", "date"])
"""Names of the parts of one document: no rows are called so."""


def frame_rows(value: Mapping[str, object]) -> list[_Row] | None:
    """Return the rows of an object that is a table, ``None`` where it is none.

    The three forms are ``{"title": {"0": …, "1": …}, …}``, ``{"0": {"title": …}, "1": …}`` and
    ``{"columns": […], "index": […], "data": [[…], …]}`` (``DataFrame.to_json`` with ``orient`` "columns", "index" and
    "split"). Names of rows that are no count from 0 are kept as the column "id".

    Parameters
    ----------
    value : mapping
        As `parse_json` returns it.

    Examples
    --------
    >>> frame_rows({"title": {"0": "A", "1": "B"}})
    [{'title': 'A'}, {'title': 'B'}]
    >>> frame_rows({"title": "A", "meta": {"0": "B"}}) is None
    True
    """
    if {"columns", "data"} <= value.keys() <= {"columns", "index", "data"}:
        return _split(value["columns"], value["data"], value.get("index"))
    inner = {key: item for key, item in value.items() if isinstance(item, dict)}
    if not inner or len(inner) < len(value):
        return None
    labels = list(next(iter(inner.values())))
    if _are_numbers(labels) and all(column.keys() == set(labels) for column in inner.values()):
        return _named(labels, [{name: column[label] for name, column in inner.items()} for label in labels])
    return _named(list(inner), list(inner.values())) if _are_rows(inner) else None


def _split(columns: object, data: object, index: object) -> list[_Row] | None:
    if not (isinstance(columns, list) and isinstance(data, list) and columns and data):
        return None
    if not all(isinstance(name, str) for name in columns):
        return None
    if not all(isinstance(row, list) and len(row) == len(columns) for row in data):
        return None
    names = distinct_names(columns)
    rows = [dict(zip(names, row, strict=True)) for row in data]
    return _named(index, rows) if isinstance(index, list) and len(index) == len(rows) else rows


def _are_rows(inner: Mapping[str, _Row]) -> bool:
    """Whether objects are rows by their names: they have nearly the same keys, and none of those is a name of one."""
    keys = {key for row in inner.values() for key in row}
    if not keys or not keys.isdisjoint(inner):
        return False
    if not _are_numbers(inner) and (len(inner) < _MIN_NAMED_ROWS or any(name.casefold() in _PARTS for name in inner)):
        return False
    return sum(map(len, inner.values())) >= _NEARLY_ALL * len(inner) * len(keys)


def _named(labels: list[object] | list[str], rows: list[_Row]) -> list[_Row] | None:
    """Return rows with their names; ``None`` where no column has a plain value, as in lists of articles by year."""
    columns = dict.fromkeys(key for row in rows for key in row)
    if not any(all(_is_plain(row.get(column)) for row in rows) for column in columns):
        return None
    if list(map(str, labels)) == list(map(str, range(len(rows)))):
        return rows
    column = distinct_names([*columns, "id"])[-1]
    return [{column: label, **row} for label, row in zip(labels, rows, strict=True)]


def _are_numbers(labels: Collection[str]) -> bool:
    return bool(labels) and all(label.removeprefix("-").isdecimal() for label in labels)


def _is_plain(value: object) -> bool:
    return not isinstance(value, dict | list)
