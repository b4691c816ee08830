"""Which collections there are, asked inside a transaction that goes on to use one."""

from narrative_core.errors import InvalidInput
from narrative_core.store.tables import Cursor


def known_names(cursor: Cursor) -> tuple[str, ...]:
    """Return the names of all collections, sorted."""
    return tuple(row[0] for row in cursor.execute("SELECT name FROM collections ORDER BY name").fetchall())


def require_collection(cursor: Cursor, name: str) -> None:
    """Raise `InvalidInput`, naming the collections there are, unless one has this name."""
    names = known_names(cursor)
    if name not in names:
        known = ", ".join(names) if names else "none yet; import one first"
        msg = f"There is no collection named {name!r}. The collections are: {known}."
        raise InvalidInput(msg)


def count_documents(cursor: Cursor, name: str) -> int:
    """Return how many documents a collection has; raises `InvalidInput` where there is none of that name."""
    require_collection(cursor, name)
    return int(cursor.execute("SELECT count(*) FROM documents WHERE collection = ?", [name]).fetchall()[0][0])
