"""From the raw text of a reply to scores, or to a sentence that says why it has none.

Nothing is guessed: the reply is one JSON object with the keys that were asked for, or it is unreadable. No number is
looked for in prose, none is rounded into the scale, and none stands in for one that is missing.
"""

import json
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NoReturn

from narrative_core.errors import UnreadableReply
from narrative_core.judgements import HIGHEST_SCORE, LOWEST_SCORE, CriterionScore, Mode
from narrative_core.judging.modes import MODES
from narrative_core.judging.schemas import EXPLANATION, WEAKEST, score_keys

LONGEST_REPLY: Final = 100_000
"""Characters. What is longer is no judgement, and is not parsed."""

_FENCE = "```"
_JSON_BLANKS = " \t\r\n"
_SAID_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class ReadReply:
    """What a reply says.

    ``score`` is in 1–10: the stated one, or the mean of ``criteria`` in a mode that has them · ``criteria`` in the
    order of the mode, whatever the wording · ``explanation`` has the written steps first, a paragraph each under its
    title, then the explanation if one was asked for · ``weakest_step`` counts links from 0; ``None`` where none is
    named.
    """

    score: float
    criteria: tuple[CriterionScore, ...]
    explanation: str
    weakest_step: int | None


def read_reply(reply: str, mode: Mode, *, n_documents: int, is_explained: bool) -> ReadReply:
    r"""Return what a reply says, if it has the form that was asked for.

    A fence (three backticks, with or without "json") around the whole reply is taken off. A score may have a fraction:
    whole numbers are asked for, but 7.5 is a clear answer and rounding it would change it. Keys that were not asked
    for, a stated overall score among them, are passed over; a key that differs from one asked for only in case, blanks
    or signs contradicts it and makes the reply unreadable. An empty explanation is accepted, a step without a word is
    not: a score without the steps is an answer in another mode. 0 and null name no weakest transition.

    Parameters
    ----------
    reply : str
        The raw text.
    mode : {"simple", "cot", "standard", "complex"}
        How the judge was asked.
    n_documents : int
        Documents of the story. It has ``n_documents`` − 1 transitions.
    is_explained : bool
        Whether an explanation and the weakest transition were asked for.

    Raises
    ------
    UnreadableReply
        With a sentence on what was expected and what came.

    Examples
    --------
    >>> read_reply('{"score": 7}', "simple", n_documents=3, is_explained=False).score
    7.0
    >>> read_reply("7 out of 10", "simple", n_documents=3, is_explained=False)
    Traceback (most recent call last):
    narrative_core.errors.UnreadableReply: expected one JSON object and nothing else; got "7 out of 10".
    """
    said = _json_object(reply)
    keys = score_keys(mode)
    steps = MODES[mode].steps
    _refuse_contradictions(said, {*keys, *(step.name for step in steps), EXPLANATION, WEAKEST})
    paragraphs = [f"{step.title}: {_text(said, step.name, is_empty_allowed=False)}" for step in steps]
    scores = tuple(CriterionScore(key, _score(said, key)) for key in keys)
    if is_explained:
        paragraphs.append(_text(said, EXPLANATION, is_empty_allowed=True))
    return ReadReply(
        score=math.fsum(scored.score for scored in scores) / len(scores),
        criteria=scores if MODES[mode].criteria else (),
        explanation="\n\n".join(paragraph for paragraph in paragraphs if paragraph),
        weakest_step=_weakest_step(said, n_documents) if is_explained else None,
    )


def _json_object(reply: str) -> Mapping[str, object]:
    if len(reply) > LONGEST_REPLY:
        raise UnreadableReply(f"expected a reply of at most {LONGEST_REPLY} characters; got {len(reply)}.")
    text = reply.strip(_JSON_BLANKS)
    if not text:
        raise UnreadableReply("expected a JSON object; the reply is empty.")
    try:
        said = json.loads(_unfenced(text), object_pairs_hook=_without_repeats, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as problem:
        # ValueError covers bad JSON and a whole number of more digits than Python converts.
        raise UnreadableReply(f"expected one JSON object and nothing else; got {_quoted(text)}.") from problem
    if not isinstance(said, dict):
        raise UnreadableReply(f"expected a JSON object; got {_quoted(text)}.")
    return said


def _unfenced(text: str) -> str:
    if not (text.startswith(_FENCE) and text.endswith(_FENCE)):
        return text
    inside = text[len(_FENCE) : -len(_FENCE)]
    return inside[4:] if inside[:4].lower() == "json" else inside


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    repeated = [key for key, count in Counter(key for key, _ in pairs).items() if count > 1]
    if repeated:
        raise UnreadableReply(f"expected every key once; {_quoted(repeated[0])} is there more than once.")
    return dict(pairs)


def _refuse_constant(name: str) -> NoReturn:
    raise UnreadableReply(f"expected JSON, which has no {name}.")


def _refuse_contradictions(said: Mapping[str, object], asked: set[str]) -> None:
    """Raise where a key that was not asked for reads like one that was: "Score" beside "score"."""
    plain = {_plain_key(key): key for key in asked}
    for key in said:
        meant = plain.get(_plain_key(key))
        if key not in asked and meant in said:
            raise UnreadableReply(f"expected {_quoted(meant)} once; {_quoted(key)} says it again.")


def _plain_key(key: str) -> str:
    return "".join(sign for sign in key.casefold() if sign.isalnum())


def _value(said: Mapping[str, object], key: str) -> object:
    if key not in said:
        raise UnreadableReply(f'expected a value for "{key}"; the reply has none.')
    return said[key]


def _number(said: Mapping[str, object], key: str, expected: str) -> float:
    value = _value(said, key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UnreadableReply(f'expected {expected} for "{key}"; got {_quoted(value)}.')
    return value


def _score(said: Mapping[str, object], key: str) -> float:
    expected = f"a number from {LOWEST_SCORE:g} to {HIGHEST_SCORE:g}"
    score = _number(said, key, expected)
    # Written so that nan fails it, and compared before the conversion, which a huge whole number would break.
    if not LOWEST_SCORE <= score <= HIGHEST_SCORE:
        raise UnreadableReply(f'expected {expected} for "{key}"; got {_quoted(score)}.')
    return float(score)


def _weakest_step(said: Mapping[str, object], n_documents: int) -> int | None:
    expected = f"a whole number from 0 to {n_documents - 1}"
    if _value(said, WEAKEST) is None:
        return None
    number = _number(said, WEAKEST, expected)
    if not 0 <= number < n_documents or number != int(number):
        raise UnreadableReply(f'expected {expected} for "{WEAKEST}"; got {_quoted(number)}.')
    return int(number) - 1 if number else None


def _text(said: Mapping[str, object], key: str, *, is_empty_allowed: bool) -> str:
    """Return a text without control signs and half characters, which neither the store nor a page can hold."""
    value = _value(said, key)
    if not isinstance(value, str):
        raise UnreadableReply(f'expected a text for "{key}"; got {_quoted(value)}.')
    clean = "".join(sign if sign.isprintable() or sign in "\n\u200d" else " " for sign in value).strip()
    if not is_empty_allowed and not any(sign.isalnum() for sign in clean):
        raise UnreadableReply(f'expected a text for "{key}"; got {_quoted(value)}, without a word.')
    return clean


def _quoted(value: object) -> str:
    """Return what came: the beginning of a text or number, the kind of anything that has parts."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    text = value if isinstance(value, str) else json.dumps(value)
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text[: 4 * _SAID_CHARACTERS]).split())
    return f'"{line[:_SAID_CHARACTERS]}{"…" if len(line) > _SAID_CHARACTERS else ""}"'
