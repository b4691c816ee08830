"""The form of a reply as a JSON schema, inside the part of JSON Schema that every endpoint enforces.

Strict structured output wants every property required and no others allowed. Bounds (``minimum``, ``maximum``),
lengths, patterns, unions and references are refused by some endpoints and ignored by others (llama.cpp bounds integers
but not numbers); a list of the allowed values (``enum``) is enforced by all of them. So scores are whole numbers from a
list: the scale of the study, on which "the same score" and "within one" mean something, and a model that is held to the
schema cannot leave it. The order of the properties is the order in which a model writes them.
"""

from typing import Any, Final

from narrative_core.errors import InvalidInput
from narrative_core.judgements import HIGHEST_SCORE, LOWEST_SCORE, Mode
from narrative_core.judging.modes import MODES
from narrative_core.judging.wordings import mode_form

SCORE, EXPLANATION, WEAKEST = "score", "explanation", "weakest_transition"
"""Keys of a reply beside those of the criteria and the steps."""

MOST_LISTED: Final = 200
"""Transitions up to which the allowed numbers are listed; endpoints take 500 values in one schema."""

_SCORES = tuple(range(int(LOWEST_SCORE), int(HIGHEST_SCORE) + 1))


def score_keys(mode: Mode) -> tuple[str, ...]:
    """Return the keys of the scores in a reply: those of the criteria, or "score" for a mode without criteria."""
    return tuple(criterion.name for criterion in MODES[mode].criteria) or (SCORE,)


def reply_schema(mode: Mode, *, n_documents: int, is_explained: bool, wording: str = "") -> dict[str, Any]:
    """Return the JSON schema of a reply: steps, then scores, then explanation and weakest transition.

    The explanation comes after the scores, because a reason that is written first is a step-by-step mode: in the other
    three a model is to score as it would without being asked why.

    Parameters
    ----------
    mode : {"simple", "cot", "standard", "complex"}
        How the judge is asked.
    n_documents : int
        Documents of the story, at least 1. The weakest transition is one of 1 … ``n_documents`` − 1, or 0 for none;
        above 200 only that it is a whole number is in the schema, and the reader of the reply checks the range.
    is_explained : bool
        Whether an explanation and the weakest transition are asked for.
    wording : str
        One of `WORDINGS` that the mode has. The keys are the same in all; their order is that of the asking.

    Raises
    ------
    InvalidInput
        If the story has no document, or the mode has no such wording.

    Examples
    --------
    >>> list(reply_schema("cot", n_documents=4, is_explained=True)["properties"])
    ['connections', 'overall_flow', 'jarring_transitions', 'score', 'explanation', 'weakest_transition']
    >>> reply_schema("simple", n_documents=4, is_explained=True)["properties"]["weakest_transition"]["enum"]
    [0, 1, 2, 3]
    """
    if n_documents < 1:
        raise InvalidInput(f"a story to be judged has at least one document; got {n_documents}. Choose a story first.")
    form = mode_form(mode, wording)
    scored = [criterion.name for criterion in form.criteria] or [SCORE]
    properties: dict[str, Any] = {step.name: {"type": "string"} for step in form.steps}
    properties |= {key: {"type": "integer", "enum": list(_SCORES)} for key in scored}
    if is_explained:
        properties[EXPLANATION] = {"type": "string"}
        properties[WEAKEST] = _transition(n_documents)
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _transition(n_documents: int) -> dict[str, Any]:
    if n_documents > MOST_LISTED:
        return {"type": "integer"}
    return {"type": "integer", "enum": list(range(n_documents))}
