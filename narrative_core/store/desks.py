"""The work under way in each collection, as text: kept at every change, so that nothing is lost with a window."""

from typing import Final

from narrative_core.clock import now_text
from narrative_core.errors import InvalidInput
from narrative_core.store.catalogue import require_collection
from narrative_core.store.database import Database

LONGEST_DESK: Final = 20_000_000
"""Characters. A history of the longest kind has a small part of it."""


def keep_desk(database: Database, name: str, text: str, *, now: str | None = None) -> None:
    """Keep the work under way in a collection in place of the former.

    Parameters
    ----------
    database : Database
    name : str
        The collection.
    text : str
        The desk and its history, as JSON.
    now : str, optional
        When; the present where not given.

    Raises
    ------
    InvalidInput
        If there is no collection of that name, or the text is longer than 20 million characters.
    """
    if len(text) > LONGEST_DESK:
        raise InvalidInput(
            f"The work under way has {len(text):,} characters, more than the {LONGEST_DESK:,} that are kept. Save the "
            "story and begin another."
        )
    with database.transaction() as cursor:
        require_collection(cursor, name)
        cursor.execute(
            "INSERT INTO desks (collection, state, saved_at) VALUES (?, ?, ?)"
            " ON CONFLICT (collection) DO UPDATE SET state = excluded.state, saved_at = excluded.saved_at",
            [name, text, now or now_text()],
        )


def load_desk(database: Database, name: str) -> str | None:
    """Return the work under way in a collection, ``None`` where none was kept.

    Raises
    ------
    InvalidInput
        If there is no collection of that name.
    """
    with database.reading() as cursor:
        require_collection(cursor, name)
        found = cursor.execute("SELECT state FROM desks WHERE collection = ?", [name]).fetchall()
    return str(found[0][0]) if found else None
