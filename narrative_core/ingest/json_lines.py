"""JSON: one object a line, or one text with a list of objects or a table; their keys are the columns."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TypeVar

from narrative_core.errors import InvalidInput
from narrative_core.ingest.json_frames import frame_rows
from narrative_core.ingest.json_values import as_texts, json_kind, parse_json
from narrative_core.ingest.raw_rows import ReadRows, RowCollector, check_shape, distinct_names, listed

MAX_FLAT_COLUMNS = 1_000
"""Inner objects that would make more columns than that stay JSON."""

_T = TypeVar("_T")
_SAMPLE_LINES = 20
_MAX_LIST_DEPTH = 4


def is_json_lines(text: str) -> bool:
    """Whether each line is a JSON value of its own, rather than all lines one value.

    Examples
    --------
    >>> is_json_lines('{"a": 1}\\n{"a": 2}'), is_json_lines('{"items": [\\n{"a": 1}]}')
    (True, False)
    """
    sample = [line for line in text[: 1 << 20].split("\n", _SAMPLE_LINES)[:_SAMPLE_LINES] if line.strip()]
    n_objects = sum(_is_object(line) for line in sample)
    return n_objects >= 2 or (n_objects == 1 and len(sample) > 1 and _is_object(sample[0]))


def read_json_lines(text: str, *, max_rows: int, delimiter: str | None = None) -> ReadRows:
    """Return the rows of a JSON-lines text, their values as `as_texts` says; a line that is no object is a problem.

    Parameters
    ----------
    text : str
    max_rows : int
        More lines than that are refused.
    delimiter : str, optional
        Not used: JSON has none.

    Raises
    ------
    InvalidInput
        If the text has too many lines, or too many keys.
    """
    del delimiter
    return _table_of(lambda: filter(str.strip, text.split("\n")), parse_json, max_rows)


def read_json(text: str, *, max_rows: int, delimiter: str | None = None) -> ReadRows:
    """Return the rows of one JSON text: a list of objects, or an object with a table or such a list inside.

    `frame_rows` says what a table is. Of several lists the longest is read, and said so; an object without one is a
    single row. An element that is no object is a problem.

    Parameters
    ----------
    text : str
    max_rows : int
        More elements than that are refused.
    delimiter : str, optional
        Not used: JSON has none.

    Raises
    ------
    InvalidInput
        If it is not JSON, nested too deeply, or has too many elements or keys.
    """
    del delimiter
    try:
        value = parse_json(text)
    except json.JSONDecodeError as error:
        raise InvalidInput(
            f"a JSON file must be one list of objects, or have one object a line; from line {error.lineno}, "
            f"character {error.colno} on this one is not JSON ({error.msg}). Save it again: it may be cut off."
        ) from error
    except RecursionError as error:
        raise InvalidInput(
            "a JSON file must be a list of objects; this one is nested too deeply to be read."
        ) from error
    elements, notice = _elements(value)
    return _table_of(lambda: elements, lambda element: element, max_rows, notice)


def _table_of(
    elements: Callable[[], Iterable[_T]], parse: Callable[[_T], object], max_rows: int, notice: str = ""
) -> ReadRows:
    """Return a row for each object; ``elements`` is asked again where its inner objects would be too many columns."""
    for is_flat in (True, False):
        collected = RowCollector(max_rows)
        objects: list[dict[str, str]] = []
        for element in elements():
            _collect(partial(parse, element), objects, collected, is_flat=is_flat)
        keys = list(dict.fromkeys(key for values in objects for key in values))
        if len(keys) <= MAX_FLAT_COLUMNS:
            break
    check_shape(len(objects), len(keys))
    collected.rows = [tuple(values.get(key, "") for key in keys) for values in objects]
    return ReadRows(distinct_names(keys), collected, notices=(notice,) if notice else ())


def _collect(
    parse: Callable[[], object], objects: list[dict[str, str]], collected: RowCollector, *, is_flat: bool
) -> None:
    try:
        value = parse()
        if not isinstance(value, dict):
            collected.reject(f"a JSON {json_kind(value)} where an object {{…}} was expected")
            return
        texts = as_texts(value, is_flat=is_flat)
    except json.JSONDecodeError as error:
        collected.reject(f"not JSON: {error.msg} at character {error.pos + 1}")
    except RecursionError:
        collected.reject("not JSON that can be read: nested too deeply")
    else:
        objects.append(texts)
        collected.keep(())


def _is_object(line: str) -> bool:
    try:
        return line.startswith("{") and isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _elements(value: object) -> tuple[list[object], str]:
    """Return the list of objects in a JSON value, and what is to be said about the choice."""
    if isinstance(value, list):
        return value, ""
    if not isinstance(value, dict):
        raise InvalidInput(f"a JSON file must be a list of objects; this one is a single {json_kind(value)}.")
    rows = frame_rows(value)
    if rows is not None:
        return [*rows], ""
    lists = dict(_lists_inside(value))
    if not lists:
        return [value], ""
    name = max(lists, key=lambda path: len(lists[path]))
    others = listed([f"“{path}”" for path in lists if path != name])
    return lists[name], f"The rows are those of “{name}”, the longest list; {others} left out." if others else ""


def _lists_inside(value: Mapping[str, object], stem: str = "", depth: int = 0) -> Iterator[tuple[str, list[object]]]:
    for key, item in value.items():
        if isinstance(item, list) and any(isinstance(element, dict) for element in item):
            yield f"{stem}{key}", item
        elif isinstance(item, dict) and depth < _MAX_LIST_DEPTH:
            yield from _lists_inside(item, f"{stem}{key}.", depth + 1)
