"""The fields of a recorded judgement: how each is written, what is accepted in it, how it is read."""

import math
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar, get_args

from narrative_core.judgements import (
    MOST_AGENTS,
    CriterionScore,
    Judgement,
    JudgeName,
    Mode,
    ReplyForm,
    Shown,
    Status,
)

Value = TypeVar("Value")

_HALF_CHARACTERS: Final = re.compile("[\ud800-\udfff]")
_LARGEST: Final = sys.float_info.max
_LONGEST_REPLY, _LONGEST_TEXT, _LONGEST_LIST = 2_000_000, 100_000, 10_000
"""Characters and items. What a judge says is shorter by far; what is longer is a file that is not ours."""

_INT32, _INT128 = 2**31 - 1, 2**127 - 1
"""Largest whole numbers of the store's columns."""

_MOST_SECONDS, _MOST_USD, _MOST_TOKENS, _MOST_TEMPERATURE = 10_000_000, 1_000_000, 1_000_000_000, 1_000
"""What no judgement takes. Measures are added up, and a sum of the largest floats is none."""

_MOST_NATS: Final = 100.0
"""Gain or loss a token that no model gives."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field: what is expected, whether a JSON value is that, and how it becomes the program's value and back."""

    expected: str
    accepts: Callable[[Any], bool]
    read: Callable[[Any], Any]
    written: Callable[[Any], Any]


def is_sound(judgement: Judgement) -> bool:
    """Return whether reading flow can have given these numbers.

    An ok judgement has the gain of every link, its score is their mean and its weakest link the first smallest; any
    other has no number at all. A gain lies within ±100 nats per token.
    """
    links, weakest = judgement.link_scores, judgement.weakest_step
    if judgement.status != "ok":
        return math.isnan(judgement.score) and not links and not judgement.criteria and weakest is None
    numbers = (judgement.score, *links, *(one.score for one in judgement.criteria))
    if not links or not all(abs(number) <= _MOST_NATS for number in numbers):
        return False
    if judgement.n_documents not in (0, len(links) + 1) or weakest != links.index(min(links)):
        return False
    mean = math.fsum(links) / len(links)
    told = {"mean": mean, "minimum": links[weakest]}
    return _is_same(judgement.score, mean) and all(
        _is_same(one.score, told.get(one.name, one.score)) for one in judgement.criteria
    )


def _is_same(one: float, other: float) -> bool:
    # Sums in another order differ in the last digits, and of gains that cancel out little else is left.
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)


def _is_text(value: object, most: int = _LONGEST_TEXT) -> bool:
    return isinstance(value, str) and len(value) <= most and not _HALF_CHARACTERS.search(value)


def _is_finite(value: object) -> bool:
    # A whole number too large for a float is compared before it is converted; true is no number.
    return isinstance(value, int | float) and not isinstance(value, bool) and -_LARGEST <= value <= _LARGEST


def _null_from_unknown(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _nan_from_null(value: float | None) -> float:
    return math.nan if value is None else float(value)


def _same(value: Value) -> Value:
    return value


def _whole(most: int, least: int = 0) -> Field:
    return Field(
        f"a whole number from {least} to {most}", lambda value: type(value) is int and least <= value <= most, int, int
    )


def _amount(most: float) -> Field:
    return Field(f"a number from 0 to {most:,}", lambda value: _is_finite(value) and 0 <= value <= most, float, float)


def _measure(most: float) -> Field:
    """Return an amount that is nan where it is not known."""
    amount = _amount(most)
    return Field(
        f"{amount.expected}, or null",
        lambda value: value is None or amount.accepts(value),
        _nan_from_null,
        _null_from_unknown,
    )


def _choice(*allowed: str) -> Field:
    return Field(
        f"one of {', '.join(allowed)}", lambda value: isinstance(value, str) and value in allowed, _same, _same
    )


def _or_null(field: Field) -> Field:
    return Field(
        f"{field.expected}, or null",
        lambda value: value is None or field.accepts(value),
        lambda value: None if value is None else field.read(value),
        lambda value: None if value is None else field.written(value),
    )


def _text(most: int) -> Field:
    return Field(f"a text of at most {most:,} characters", lambda value: _is_text(value, most), _same, _same)


def _list(
    things: str,
    is_one: Callable[[Any], bool],
    read: Callable[[Any], Any] = _same,
    written: Callable[[Any], Any] = _same,
) -> Field:
    return Field(
        f"a list of at most {_LONGEST_LIST:,} {things}",
        lambda value: isinstance(value, list) and len(value) <= _LONGEST_LIST and all(map(is_one, value)),
        lambda value: tuple(map(read, value)),
        lambda value: list(map(written, value)),
    )


def _is_criterion(value: object) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == {"name", "score", "reason"}
        and _is_text(value["name"])
        and (value["score"] is None or _is_finite(value["score"]))
        and _is_text(value["reason"])
    )


_NAME: Final = _text(1_000)
_TEXT: Final = _text(_LONGEST_TEXT)
_REPLY: Final = _text(_LONGEST_REPLY)
_FLAG: Final = Field("true or false", lambda value: isinstance(value, bool), bool, bool)
_SCORE: Final = Field(
    "a number or null", lambda value: value is None or _is_finite(value), _nan_from_null, _null_from_unknown
)
_NAMES: Final = _list("names", lambda value: _is_text(value, 1_000))
_SCORES: Final = _list("numbers", _SCORE.accepts, _SCORE.read, _SCORE.written)
_CRITERIA: Final = _list(
    "criteria",
    _is_criterion,
    lambda one: CriterionScore(one["name"], _nan_from_null(one["score"]), one["reason"]),
    lambda one: {"name": one.name, "score": _null_from_unknown(one.score), "reason": one.reason},
)

QUESTION_FIELDS: Final[dict[str, Field]] = {
    "judge": _choice(*get_args(JudgeName)),
    "model": _NAME,
    "endpoint": _NAME,
    "mode": _or_null(_choice(*get_args(Mode))),
    "agent": _whole(MOST_AGENTS - 1),
    "temperature": _or_null(_amount(_MOST_TEMPERATURE)),
    "seed": _or_null(_whole(_INT128, -_INT128)),
    "story_hash": _NAME,
    "shown": _choice(*get_args(Shown)),
    "shown_hash": _NAME,
    "prompt_hash": _NAME,
}
"""What identifies the question."""

ASKED_FIELDS: Final[dict[str, Field]] = {
    "status": _choice(*get_args(Status)),
    "reply": _REPLY,
    "first_reply": _REPLY,
    "message": _TEXT,
    "n_documents": _whole(_INT32),
    "is_explained": _FLAG,
    "input_tokens": _or_null(_whole(_MOST_TOKENS)),
    "output_tokens": _or_null(_whole(_MOST_TOKENS)),
    "seconds": _measure(_MOST_SECONDS),
    "cost_usd": _measure(_MOST_USD),
    "dropped": _NAMES,
    "form": _or_null(_choice(*get_args(ReplyForm))),
    "is_repaired": _FLAG,
    "place": _whole(_INT32),
    "asked_at": _NAME,
}
"""What came of asking, whoever was asked."""

SAID_FIELDS: Final[dict[str, Field]] = {
    "score": _SCORE,
    "criteria": _CRITERIA,
    "link_scores": _SCORES,
    "weakest_step": _or_null(_whole(_INT32)),
    "explanation": _TEXT,
}
"""What reading flow says; that of a prompted judge is in its reply."""
