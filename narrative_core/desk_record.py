"""The desk and the steps that can be taken back as text, and back: what is kept while a person works.

Many steps share one curation, so each is written once and steps name it by its number.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from narrative_core.curation import Curation
from narrative_core.curation_record import curation_json, read_curation
from narrative_core.desk import Desk, History, Step
from narrative_core.errors import InvalidInput
from narrative_core.json_fields import Fields, json_bytes, parse_object
from narrative_core.records import TrailRequest

MOST_KEPT: Final = 50
"""Steps each way that are kept; the nearest ones."""

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
_DESK: Final[dict[str, Any]] = {"request": None, "note": "", "selection": [], "story_id": ""}


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


def history_text(history: History) -> str:
    """Return a history as JSON, with the nearest 50 steps each way.

    Raises
    ------
    InvalidInput
        If a text is not valid Unicode.

    Examples
    --------
    >>> restore(history_text(History(Desk(note="Check the date.")))) == Restored(History(Desk(note="Check the date.")))
    True
    """
    curations: list[Curation] = []

    def desk_json(desk: Desk) -> dict[str, Any]:
        if not curations or curations[-1] != desk.curation:
            curations.append(desk.curation)
        return {
            "request": None if desk.request is None else request_json(desk.request),
            "note": desk.note,
            "selection": list(desk.selection),
            "curation": len(curations) - 1,
            "story_id": desk.story_id,
        }

    def steps_json(steps: Sequence[Step]) -> list[dict[str, Any]]:
        return [{"words": step.words, "desk": desk_json(step.desk)} for step in steps]

    # In the order of the work, in which neighbours mostly share their curation.
    past, present = steps_json(history.past[-MOST_KEPT:]), desk_json(history.present)
    future = steps_json(history.future[-MOST_KEPT:][::-1])
    told = {
        "present": present,
        "past": past,
        "future": future[::-1],
        "curations": [curation_json(curation) for curation in curations],
    }
    return json_bytes(told).decode()


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
    present = _read_desk(told.inner("present"), curations)
    past, future = (
        tuple(
            Step(_read_desk(one.inner("desk"), curations), one.text("words")) for one in told.inners(name)[-MOST_KEPT:]
        )
        for name in ("past", "future")
    )
    return History(present, past, future)


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


def _read_desk(told: Fields, curations: Sequence[Curation]) -> Desk:
    told = told.over(_DESK)
    return Desk(
        request=None if told.is_null("request") else read_request(told.inner("request")),
        note=told.text("note"),
        selection=told.texts("selection"),
        curation=curations[told.whole("curation", most=len(curations) - 1)],
        story_id=told.text("story_id"),
    )
