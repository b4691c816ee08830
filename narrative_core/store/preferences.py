"""Choices of the person who owns the file.

The file is copied, sent and queried: a key or a password never goes in here. Those live in the environment or in the
user's own secrets file.
"""

from narrative_core.store.database import Database


def load_preference(database: Database, key: str, default: str = "") -> str:
    """Return what was chosen, the default where nothing was."""
    with database.reading() as cursor:
        found = cursor.execute("SELECT value FROM preferences WHERE key = ?", [key]).fetchall()
    return str(found[0][0]) if found else default


def save_preference(database: Database, key: str, value: str) -> None:
    """Save a choice in place of the former one. Never a key or a password."""
    with database.transaction() as cursor:
        cursor.execute(
            "INSERT INTO preferences (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            [key, value],
        )
