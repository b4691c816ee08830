"""The fields of a recorded judgement: how each is written, what is accepted in it, how it is read."""

import math
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar, get_args

from narrative_core.judgements import (
    HIGHEST_SCORE,
    LOWEST_SCORE,
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

_INT32, _INT64, _INT128 = 2**31 - 1, 2**63 - 1, 2**127 - 1
"""Largest whole numbers of the store's columns."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field: what is expected, whether a JSON value is that, and how it becomes the program's value and back."""

    expected: str
    accepts: Callable[[Any], bool]
    read: Callable[[Any], Any]
    written: Callable[[Any], Any]


def is_sound(judgement: Judgement) -> bool:
    """Return whether a judge without a prompt can have given these numbers.

    Only an ok judgement has a score; the lexical reader's are from 1 to 10; the weakest link is one of the story's.
    """
    scores = [one.score for one in judgement.criteria if not math.isnan(one.score)]
    if math.isnan(judgement.score) == (judgement.status == "ok"):
        return False
    if judgement.question.judge == "lexical" and judgement.status == "ok":
        scores.append(judgement.score)
    if judgement.question.judge == "lexical" and not all(LOWEST_SCORE <= score <= HIGHEST_SCORE for score in scores):
        return False
    n_links = len(judgement.link_scores) or judgement.n_documents - 1
    return judgement.weakest_step is None or n_links < 1 or judgement.weakest_step < n_links


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
_AMOUNT: Final = Field("a number from 0", lambda value: _is_finite(value) and value >= 0, float, float)
_SCORE: Final = Field(
    "a number or null", lambda value: value is None or _is_finite(value), _nan_from_null, _null_from_unknown
)
_MEASURE: Final = Field(
    "a number from 0, or null",
    lambda value: value is None or (_is_finite(value) and value >= 0),
    _nan_from_null,
    _null_from_unknown,
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
    "agent": _whole(_INT32),
    "temperature": _or_null(_AMOUNT),
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
    "input_tokens": _or_null(_whole(_INT64)),
    "output_tokens": _or_null(_whole(_INT64)),
    "seconds": _MEASURE,
    "cost_usd": _MEASURE,
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
"""What a judge without a prompt says; that of a prompted judge is in its reply."""
