"""The desk and the steps that can be taken back as text, and back: what is kept while a person works.

Many steps share one curation and one selection, so each is written once and steps name it by its number.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Generic, TypeVar

from narrative_core.curation import Curation
from narrative_core.curation_record import curation_json, read_curation
from narrative_core.desk import Desk, History, Step
from narrative_core.errors import InvalidInput
from narrative_core.json_fields import Fields, json_bytes, parse_object
from narrative_core.records import TrailRequest

_Value = TypeVar("_Value")

MOST_KEPT: Final = 50
"""Steps each way that are kept; the nearest ones."""

_FEWER: Final = (MOST_KEPT, 10, 0)
"""Steps each way that are tried in turn where a history has no room."""

NOT_READ: Final = "What lay on the desk could not be read, so it is empty. What was decided and saved is as it was."

_REQUEST: Final[dict[str, Any]] = {
    "via": [],
    "avoid": [],
    "maximum_gap_days": None,
    "maximum_length": None,
    "is_chronological": True,
    "avoid_sources": [],
    "avoid_topics": [],
    "by_hand": [],
}
_DESK: Final[dict[str, Any]] = {"request": None, "note": "", "story_id": "", "map_fitted_at": ""}


@dataclass(frozen=True, slots=True)
class Restored:
    """The history that was kept, ``None`` where there is none, and a sentence where it could not be read."""

    history: History | None
    notice: str = ""


def restore(text: str | None) -> Restored:
    """Return a history as `history_text` wrote it; one that cannot be read keeps nobody from working.

    Examples
    --------
    >>> restore(None), restore("{").history
    (Restored(history=None, notice=''), None)
    """
    if text is None:
        return Restored(None)
    try:
        return Restored(read_history(text.encode("utf-8", "replace")))
    except InvalidInput:
        return Restored(None, NOT_READ)


def history_text(history: History, *, longest: float = math.inf) -> str:
    """Return a history as JSON, with the nearest 50 steps each way.

    Parameters
    ----------
    history : History
    longest : float
        Characters that there is room for: a longer text is written with fewer steps, at least the present desk.

    Raises
    ------
    InvalidInput
        If a text is not valid Unicode.

    Examples
    --------
    >>> restore(history_text(History(Desk(note="Check the date.")))) == Restored(History(Desk(note="Check the date.")))
    True
    """
    for n_steps in _FEWER:
        text = _text_of(_nearest(history.past, n_steps), history.present, _nearest(history.future, n_steps))
        if len(text) <= longest:
            break
    return text


def _nearest(steps: Sequence[Step], n_steps: int) -> Sequence[Step]:
    return steps[max(len(steps) - n_steps, 0) :]


def _text_of(past: Sequence[Step], present: Desk, future: Sequence[Step]) -> str:
    curations, selections = _Numbered[Curation](), _Numbered[tuple[str, ...]]()

    def desk_json(desk: Desk) -> dict[str, Any]:
        return {
            "request": None if desk.request is None else request_json(desk.request),
            "note": desk.note,
            "selection": selections.number(desk.selection),
            "curation": curations.number(desk.curation),
            "story_id": desk.story_id,
            "map_fitted_at": desk.map_fitted_at,
        }

    def steps_json(steps: Sequence[Step]) -> list[dict[str, Any]]:
        return [{"words": step.words, "desk": desk_json(step.desk)} for step in steps]

    # In the order of the work, in which neighbours mostly share what is numbered.
    told = {"past": steps_json(past), "present": desk_json(present), "future": steps_json(future[::-1])[::-1]}
    told["curations"] = [curation_json(curation) for curation in curations.values]
    told["selections"] = [{"documents": list(selection)} for selection in selections.values]
    return json_bytes(told).decode()


@dataclass(slots=True)
class _Numbered(Generic[_Value]):
    """Values, each once as far as equal ones come one after the other."""

    values: list[_Value] = field(default_factory=list)

    def number(self, value: _Value) -> int:
        if not self.values or self.values[-1] != value:
            self.values.append(value)
        return len(self.values) - 1


def read_history(data: bytes, where: str = "the desk") -> History:
    """Return a history as `history_text` has it; what it has besides, as of a later version, is passed over.

    Parameters
    ----------
    data : bytes
        The text in UTF-8.
    where : str
        What it is from, for messages.

    Raises
    ------
    InvalidInput
        If it is not what `history_text` writes.
    """
    told = parse_object(data, where)
    curations = tuple(read_curation(one) for one in told.inners("curations"))
    selections = tuple(one.texts("documents") for one in told.inners("selections"))
    read = partial(_read_desk, curations=curations, selections=selections)
    past, future = (
        tuple(Step(read(one.inner("desk")), one.text("words")) for one in told.inners(name)[-MOST_KEPT:])
        for name in ("past", "future")
    )
    return History(read(told.inner("present")), past, future)


def request_json(request: TrailRequest) -> dict[str, Any]:
    """Return a request as a JSON object."""
    return {
        "source": request.source,
        "target": request.target,
        "via": list(request.via),
        "avoid": list(request.avoid),
        "maximum_gap_days": request.maximum_gap_days,
        "maximum_length": request.maximum_length,
        "is_chronological": request.is_chronological,
        "avoid_sources": list(request.avoid_sources),
        "avoid_topics": list(request.avoid_topics),
        "by_hand": list(request.by_hand),
    }


def read_request(told: Fields) -> TrailRequest:
    """Return the request of a JSON object; what an earlier version did not know is as if not asked for.

    Raises
    ------
    InvalidInput
        If a value is not what it must be.
    """
    told = told.over(_REQUEST)
    limits: Mapping[str, int | None] = {
        name: None if told.is_null(name) else told.whole(name) for name in ("maximum_gap_days", "maximum_length")
    }
    return TrailRequest(
        told.text("source"),
        told.text("target"),
        via=told.texts("via"),
        avoid=told.texts("avoid"),
        maximum_gap_days=limits["maximum_gap_days"],
        maximum_length=limits["maximum_length"],
        is_chronological=told.flag("is_chronological"),
        avoid_sources=told.texts("avoid_sources"),
        avoid_topics=told.wholes("avoid_topics", least=-1),
        by_hand=told.texts("by_hand"),
    )


def _read_desk(told: Fields, curations: Sequence[Curation], selections: Sequence[tuple[str, ...]]) -> Desk:
    told = told.over(_DESK)
    return Desk(
        request=None if told.is_null("request") else read_request(told.inner("request")),
        note=told.text("note"),
        selection=selections[told.whole("selection", most=len(selections) - 1)],
        curation=curations[told.whole("curation", most=len(curations) - 1)],
        story_id=told.text("story_id"),
        map_fitted_at=told.text("map_fitted_at"),
    )
