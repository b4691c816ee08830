"""Values of JSON as text: objects become columns, and nothing is rounded or left out."""

import json
import math
from collections.abc import Iterator, Mapping

_MAX_DEPTH = 8
_BETWEEN = "; "
_MAX_DIGITS = 4_000


class _Number(str):
    """A number as it was written, so that 1.10 stays 1.10."""

    __slots__ = ()


def parse_json(text: str) -> object:
    """Return what a JSON text says, numbers as they were written.

    Raises
    ------
    json.JSONDecodeError
        If it is not JSON.
    RecursionError
        If it is nested too deeply.
    """
    parsed: object = json.loads(text, parse_int=_Number, parse_float=_Number, parse_constant=str)
    return parsed


def as_texts(value: Mapping[str, object], *, is_flat: bool = True) -> dict[str, str]:
    """Return an object of JSON as texts by column.

    An object inside gives columns of its own, "author.name", unless two of them would have one name. A list of texts is
    joined with "; ", a list of numbers or of objects is kept as JSON. Text stays as it is, numbers as they were
    written; ``null`` is empty, true and false are those words.

    Parameters
    ----------
    value : mapping
        As `parse_json` returns it.
    is_flat : bool
        False keeps inner objects as JSON.

    Examples
    --------
    >>> as_texts({"title": "Bridge", "author": {"name": "Ana"}, "tags": ["town", "river"]})
    {'title': 'Bridge', 'author.name': 'Ana', 'tags': 'town; river'}
    """
    if is_flat:
        pairs = list(_leaves(value))
        texts = dict(pairs)
        if len(texts) == len(pairs):
            return texts
    return {paired(key): _as_text(item) for key, item in value.items()}


def json_kind(value: object) -> str:
    """Return what a JSON value is, in a word."""
    names = {list: "list", dict: "object", str: "text", bool: "true or false", _Number: "number"}
    return names.get(type(value), "null")


def paired(text: str) -> str:
    r"""Return text without lone surrogates (``"\ud800"``), which no encoding can write; they become U+FFFD."""
    if text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _leaves(value: Mapping[str, object], stem: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    for key, item in value.items():
        if isinstance(item, dict) and item and depth < _MAX_DEPTH:
            yield from _leaves(item, f"{stem}{key}.", depth + 1)
        else:
            yield paired(f"{stem}{key}"), _as_text(item)


def _as_text(value: object) -> str:
    if isinstance(value, str):
        return paired(str(value))
    if value is None or value in ([], {}):
        return ""
    if isinstance(value, list) and _is_of_texts(value):
        return _BETWEEN.join(_as_text(item) for item in value if item is not None)
    return paired(json.dumps(_plain(value), ensure_ascii=False))


def _is_of_texts(values: list[object]) -> bool:
    is_scalar = all(item is None or isinstance(item, str | bool) for item in values)
    return is_scalar and any(type(item) is str for item in values)


def _plain(value: object) -> object:
    """Return a nested value with numbers that ``json.dumps`` writes as they were written, as far as it can."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, _Number) and len(value) < _MAX_DIGITS:
        number = int(value) if value.lstrip("-").isdigit() else float(value)
        return number if math.isfinite(number) else str(value)
    return value
