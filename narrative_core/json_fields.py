"""JSON that came from outside: parsed strictly, and asked for its values by name and kind."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from narrative_core.errors import InvalidInput

AGAIN: Final = "Export the collection again."


@dataclass(frozen=True, slots=True)
class Fields:
    """A JSON object whose values are asked for by name and kind; what is not as it must be raises `InvalidInput`."""

    told: dict[str, Any]
    where: str

    def over(self, defaults: Mapping[str, Any]) -> "Fields":
        """Return the same object with values for the names that it lacks, as one of an earlier version does."""
        return Fields({**defaults, **self.told}, self.where)

    def text(self, name: str, *, is_blank_allowed: bool = True) -> str:
        """Return a text."""
        value = self.told.get(name)
        if not isinstance(value, str) or not (is_blank_allowed or value.strip()):
            self._refuse(name, "a text" if is_blank_allowed else "a text that is not blank")
        return value

    def choice(self, name: str, allowed: tuple[str, ...]) -> Any:  # noqa: ANN401  a Literal of the caller's
        """Return one of a few texts."""
        value = self.told.get(name)
        if not isinstance(value, str) or value not in allowed:
            self._refuse(name, f"one of {', '.join(allowed)}")
        return value

    def whole(self, name: str, least: int = 0, most: int = 2**31 - 1) -> int:
        """Return a whole number from ``least`` to ``most``."""
        value = self.told.get(name)
        if type(value) is not int or not least <= value <= most:
            self._refuse(name, f"a whole number from {least} to {most}")
        return value

    def number(self, name: str, *, least: float = 0.0, most: float = 1e300, is_null_allowed: bool = False) -> float:
        """Return a number from ``least`` to ``most``; nan where it is null and may be."""
        value = self.told.get(name)
        if value is None and is_null_allowed and name in self.told:
            return math.nan
        if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= most:
            self._refuse(name, f"a number from {least:g} to {most:g}" + (", or null" if is_null_allowed else ""))
        return float(value)

    def numbers(self, name: str) -> tuple[float, ...]:
        """Return a list of numbers of at least 0; nan where one is null."""
        value = self.told.get(name)
        if not isinstance(value, list):
            self._refuse(name, "a list of numbers")
        items = Fields({str(place): item for place, item in enumerate(value, start=1)}, f"{self.where}, “{name}”")
        return tuple(items.number(place, is_null_allowed=True) for place in items.told)

    def flag(self, name: str) -> bool:
        """Return true or false."""
        value = self.told.get(name)
        if not isinstance(value, bool):
            self._refuse(name, "true or false")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts."""
        value = self.told.get(name)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self._refuse(name, "a list of texts")
        return tuple(value)

    def wholes(self, name: str, least: int = 0, most: int = 2**31 - 1) -> tuple[int, ...]:
        """Return a list of whole numbers from ``least`` to ``most``."""
        value = self.told.get(name)
        if not isinstance(value, list) or not all(type(item) is int and least <= item <= most for item in value):
            self._refuse(name, f"a list of whole numbers from {least} to {most}")
        return tuple(value)

    def texts_by_name(self, name: str) -> dict[str, str]:
        """Return an object all of whose values are texts."""
        value = self.told.get(name)
        if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
            self._refuse(name, "an object of texts")
        return dict(value)

    def is_null(self, name: str) -> bool:
        """Return whether the value is there and null."""
        return name in self.told and self.told[name] is None

    def inner(self, name: str) -> "Fields":
        """Return an object."""
        value = self.told.get(name)
        if not isinstance(value, dict):
            self._refuse(name, "an object")
        return Fields(value, f"{self.where}, “{name}”")

    def inners(self, name: str) -> tuple["Fields", ...]:
        """Return a list of objects."""
        value = self.told.get(name)
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            self._refuse(name, "a list of objects")
        return tuple(Fields(item, f"{self.where}, “{name}” {place}") for place, item in enumerate(value, start=1))

    def _refuse(self, name: str, expected: str) -> NoReturn:
        got = f"got {json.dumps(self.told[name], ensure_ascii=False)[:60]}" if name in self.told else "it is missing"
        raise InvalidInput(f"{self.where}: “{name}” must be {expected}; {got}. {AGAIN}")


def parse_object(data: bytes, where: str) -> Fields:
    """Return a JSON object.

    Parameters
    ----------
    data : bytes
    where : str
        What it is from, for messages.

    Raises
    ------
    InvalidInput
        If it is not one strict JSON object in UTF-8.

    Examples
    --------
    >>> parse_object(b'{"title": "Letters"}', "out/collection.json").text("title")
    'Letters'
    """
    try:
        told = json.loads(data.decode("utf-8-sig"), parse_constant=_refuse_constant)
        json.dumps(told, ensure_ascii=False).encode()  # half of a surrogate pair can be escaped, but not stored
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{where} must be a JSON object in UTF-8; it cannot be read as one. {AGAIN}") from error
    if not isinstance(told, dict):
        raise InvalidInput(f"{where} must be a JSON object; it is something else. {AGAIN}")
    return Fields(told, where)


def json_bytes(told: object) -> bytes:
    """Return a value as one line of strict JSON in UTF-8, its keys in the order given.

    Raises
    ------
    InvalidInput
        If a text is not valid Unicode.
    """
    try:
        return json.dumps(told, ensure_ascii=False, allow_nan=False).encode() + b"\n"
    except UnicodeEncodeError as error:
        msg = "Text must be valid Unicode; a text with half of a surrogate pair came. Read its file again without it."
        raise InvalidInput(msg) from error


def null_from_unknown(value: float) -> float | None:
    """Return a number, ``None`` where it is not finite, which JSON has no word for."""
    return float(value) if math.isfinite(value) else None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)
