"""JSON lines: one object a line, its keys the columns."""

import json

from narrative_core.errors import InvalidInput
from narrative_core.ingest.raw_rows import ReadRows, RowCollector, distinct_names


class _Number(float):
    """A number that remembers how it was written, so that 1.10 stays 1.10."""

    written: str


def read_json_lines(text: str, *, max_rows: int, delimiter: str | None = None) -> ReadRows:
    """Return the rows of a JSON-lines text; the columns are all keys, in the order in which they first appear.

    Text values stay as they are, numbers as they were written, ``null`` and missing keys are empty, true and false are
    those words, lists and objects are kept as JSON text. A line that is no JSON object is a problem.

    Parameters
    ----------
    text : str
    max_rows : int
        More lines than that are refused.
    delimiter : str, optional
        Not used: lines of JSON have none.

    Raises
    ------
    InvalidInput
        If the text is one JSON list, or has too many lines.
    """
    del delimiter
    if text.lstrip().startswith("["):
        raise InvalidInput(
            "a JSON file must have one object a line (JSON lines); this one is a single list. "
            "Write each element of the list on a line of its own."
        )
    collected = RowCollector(max_rows)
    objects: list[dict[str, str]] = []
    for line in text.split("\n"):
        if line.strip():
            _collect(line, objects, collected)
    keys = list(dict.fromkeys(key for values in objects for key in values))
    collected.rows = [tuple(values.get(key, "") for key in keys) for values in objects]
    return ReadRows(distinct_names(keys), collected)


def _collect(line: str, objects: list[dict[str, str]], collected: RowCollector) -> None:
    try:
        value = json.loads(line, parse_int=_number, parse_float=_number, parse_constant=str)
    except json.JSONDecodeError as error:
        collected.reject(f"not JSON: {error.msg} at character {error.pos + 1}")
        return
    except (ValueError, RecursionError):
        collected.reject("not JSON that can be read: nested too deeply, or a number out of bounds")
        return
    if not isinstance(value, dict):
        collected.reject(f"a JSON {_kind(value)} where an object {{…}} was expected")
        return
    objects.append({_paired(key): _as_text(item) for key, item in value.items()})
    collected.keep(())


def _number(written: str) -> _Number:
    number = _Number(written)
    number.written = written
    return number


def _as_text(value: object) -> str:
    if isinstance(value, str):
        return _paired(value)
    if value is None:
        return ""
    if isinstance(value, _Number):
        return value.written
    return _paired(json.dumps(_plain(value), ensure_ascii=False))


def _plain(value: object) -> object:
    """Return a nested value with numbers that ``json.dumps`` writes as they were written, as far as it can."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, _Number):
        return int(value.written) if value.written.lstrip("-").isdigit() else float(value)
    return value


def _paired(text: str) -> str:
    r"""Return text without lone surrogates (``"\ud800"``), which no encoding can write; they become U+FFFD."""
    if text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _kind(value: object) -> str:
    names = {list: "list", str: "text", bool: "true or false", _Number: "number"}
    return names.get(type(value), "null")
