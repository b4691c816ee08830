"""A judgement and its question as one row."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import pyarrow as pa

from narrative_core.judgements import CriterionScore, Judgement, Question
from narrative_core.store.missing import nan_from_null, null_from_nan

_TEXT: Final = pa.large_string()
_CRITERIA: Final = pa.list_(pa.struct([("name", _TEXT), ("score", pa.float64()), ("reason", _TEXT)]))

QUESTION_FIELDS: Final[dict[str, pa.DataType]] = {
    "judge": _TEXT,
    "model": _TEXT,
    "endpoint": _TEXT,
    "mode": _TEXT,
    "agent": pa.int32(),
    "temperature": pa.float64(),
    "seed": _TEXT,
    "story_hash": _TEXT,
    "shown": _TEXT,
    "shown_hash": _TEXT,
    "prompt_hash": _TEXT,
}
"""Fields of a question with the types they travel in. A seed goes as text: Arrow has no integer of 128 bits."""

RESULT_FIELDS: Final[dict[str, pa.DataType]] = {
    "status": _TEXT,
    "score": pa.float64(),
    "criteria": _CRITERIA,
    "link_scores": pa.list_(pa.float64()),
    "weakest_step": pa.int32(),
    "explanation": _TEXT,
    "reply": _TEXT,
    "message": _TEXT,
    "input_tokens": pa.int64(),
    "output_tokens": pa.int64(),
    "seconds": pa.float64(),
    "cost_usd": pa.float64(),
    "dropped": pa.list_(_TEXT),
    "form": _TEXT,
    "is_repaired": pa.bool_(),
    "place": pa.int32(),
    "asked_at": _TEXT,
    "first_reply": _TEXT,
    "n_documents": pa.int32(),
    "is_explained": pa.bool_(),
}
"""Fields of a judgement other than its question, with the types they travel in."""

_TO_ROW: Final[dict[str, Callable[[Any], Any]]] = {
    "seed": lambda seed: None if seed is None else str(int(seed)),
    "score": null_from_nan,
    "criteria": lambda criteria: [
        {"name": one.name, "score": null_from_nan(one.score), "reason": one.reason} for one in criteria
    ],
    "link_scores": lambda scores: [null_from_nan(score) for score in scores],
    "seconds": null_from_nan,
    "cost_usd": null_from_nan,
    "dropped": list,
}
_FROM_ROW: Final[dict[str, Callable[[Any], Any]]] = {
    "score": nan_from_null,
    "criteria": lambda found: tuple(
        CriterionScore(one["name"], nan_from_null(one["score"]), one["reason"]) for one in found
    ),
    "link_scores": lambda found: tuple(nan_from_null(score) for score in found),
    "seconds": nan_from_null,
    "cost_usd": nan_from_null,
    "dropped": tuple,
}


def judgement_columns(judgements: Sequence[Judgement]) -> dict[str, pa.Array]:
    """Return judgements as Arrow columns: question id, then the fields of question and judgement by their names.

    Examples
    --------
    >>> question = Question("lexical", "", "", None, 0, None, None, "s", "titles", "t", "1")
    >>> judgement_columns([Judgement(question, "failed")])["score"].to_pylist()
    [None]
    """
    columns = {"question_id": pa.array([judgement.question.question_id for judgement in judgements], _TEXT)}
    questions = [judgement.question for judgement in judgements]
    for fields, records in ((QUESTION_FIELDS, questions), (RESULT_FIELDS, judgements)):
        for name, kind in fields.items():
            values = [getattr(record, name) for record in records]
            if name in _TO_ROW:
                values = [_TO_ROW[name](value) for value in values]
            columns[name] = pa.array(values, kind)
    return columns


def judgement_from_row(row: Sequence[Any]) -> Judgement:
    """Return the judgement of a row: the fields of a question in order, then those of a judgement."""
    n_asked = len(QUESTION_FIELDS)
    told = {
        name: _FROM_ROW[name](value) if name in _FROM_ROW else value
        for name, value in zip(RESULT_FIELDS, row[n_asked:], strict=True)
    }
    return Judgement(question=Question(*row[:n_asked]), **told)
