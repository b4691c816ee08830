"""Panels: who was asked about a pair of stories, and in which order."""

import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from narrative_core.clock import now_text
from narrative_core.judgements import Seat
from narrative_core.store.database import Database

PANEL_DELETION: Final = "DELETE FROM panels WHERE collection = ?"

_SEAT_FIELDS: Final = [field.name for field in fields(Seat)]


@dataclass(frozen=True, slots=True)
class Panel:
    """Who was asked about a pair of stories, by the hashes of the two, with the questions in the order of asking."""

    trail_hash: str
    baseline_hash: str
    seats: tuple[Seat, ...]
    question_ids: tuple[str, ...]
    asked_at: str


def save_panel(
    database: Database,
    collection: str,
    story_hashes: tuple[str, str],
    seats: Sequence[Seat],
    question_ids: Sequence[str],
    *,
    now: str | None = None,
) -> None:
    """Save who is asked about a pair of stories.

    Parameters
    ----------
    database : Database
        Where to.
    collection : str
        Name of the collection that the stories are from.
    story_hashes : pair of str
        Of the trail and of its random chronology.
    seats : sequence of Seat
        Who is asked.
    question_ids : sequence of str
        In the order in which they are put.
    now : str, optional
        When; the present where not given.
    """
    trail, baseline = story_hashes
    told = [asdict(seat) for seat in seats]
    with database.transaction() as cursor:
        cursor.execute(
            "INSERT INTO panels (panel_id, ordinal, collection, trail_hash, baseline_hash, seats, question_ids,"
            " asked_at) SELECT ?, coalesce(max(ordinal), 0) + 1, ?, ?, ?, ?, ?, ? FROM panels",
            [uuid.uuid4().hex, collection, trail, baseline, told, list(question_ids), now or now_text()],
        )


def list_seats(database: Database, collection: str, trail_hash: str) -> tuple[Seat, ...]:
    """Return the seats that were asked about a trail beside any random chronology, each once, the latest first."""
    with database.reading() as cursor:
        rows = cursor.execute(
            "SELECT seats FROM panels WHERE collection = ? AND trail_hash = ? ORDER BY ordinal DESC",
            [collection, trail_hash],
        ).fetchall()
    return tuple(dict.fromkeys(_seat(seat) for (seats,) in rows for seat in seats))


def list_panels(database: Database, collection: str) -> tuple[Panel, ...]:
    """Return all panels of a collection in the order of asking."""
    with database.reading() as cursor:
        rows = cursor.execute(
            "SELECT trail_hash, baseline_hash, seats, question_ids, asked_at FROM panels WHERE collection = ?"
            " ORDER BY ordinal",
            [collection],
        ).fetchall()
    return tuple(
        Panel(trail, baseline, tuple(map(_seat, seats)), tuple(question_ids), asked_at)
        for trail, baseline, seats, question_ids, asked_at in rows
    )


def _seat(row: dict[str, Any]) -> Seat:
    return Seat(*(row[name] for name in _SEAT_FIELDS))
