"""Intermediate results of a build, so that an interrupted one resumes. Plain numbers only, never a pickle."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput, StoreError
from narrative_core.store.database import Database

PART_BYTES: Final = 1 << 24
"""Size of a row: a BLOB is held in memory whole and cannot exceed 4 GB."""

FORMATS: Final = frozenset(
    f"{kind}{size}" for kind, sizes in {"i": "1248", "u": "1248", "f": "248"}.items() for size in sizes
)


def save_array(database: Database, key: str, name: str, array: NDArray[Any], *, collection: str | None = None) -> None:
    """Save an array in place of the former one of the same key and name.

    Parameters
    ----------
    database : Database
        Where to.
    key, name : str
        The build, and which of its results.
    array : ndarray
        Booleans, integers or floats of 16 to 64 bits, of any shape.
    collection : str, optional
        The collection that is built, with which the array is deleted; the key where not given.

    Raises
    ------
    InvalidInput
        If the array holds anything else.
    """
    _require_format(array.dtype)
    data = array.tobytes()
    # An empty array still needs a row for its shape.
    starts = range(0, max(len(data), 1), PART_BYTES)
    with database.transaction() as cursor:
        cursor.execute("DELETE FROM stage_arrays WHERE key = ? AND name = ?", [key, name])
        for part, start in enumerate(starts):
            cursor.execute(
                "INSERT INTO stage_arrays (key, name, part, collection, dtype, shape, data)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    key,
                    name,
                    part,
                    key if collection is None else collection,
                    array.dtype.str,
                    list(array.shape),
                    data[start : start + PART_BYTES],
                ],
            )


def load_array(database: Database, key: str, name: str) -> NDArray[Any] | None:
    """Return a saved array that its caller may change, ``None`` where there is none.

    Raises
    ------
    StoreError
        If the stored bytes are not the array that was saved.
    """
    with database.reading() as cursor:
        rows = cursor.execute(
            "SELECT dtype, shape, data FROM stage_arrays WHERE key = ? AND name = ? ORDER BY part", [key, name]
        ).fetchall()
    if not rows:
        return None
    try:
        dtype = np.dtype(rows[0][0])
        _require_format(dtype)
        return np.frombuffer(bytearray().join(row[2] for row in rows), dtype=dtype).reshape(rows[0][1])
    except (TypeError, ValueError) as error:
        msg = f"The stored array {name!r} of {key!r} is damaged ({error}). Delete the build's arrays and build again."
        raise StoreError(msg) from error


def delete_arrays(database: Database, key: str) -> None:
    """Delete every array of a build; nothing happens where there is none."""
    with database.transaction() as cursor:
        cursor.execute("DELETE FROM stage_arrays WHERE key = ?", [key])


def _require_format(dtype: np.dtype[Any]) -> None:
    if dtype.kind != "b" and f"{dtype.kind}{dtype.itemsize}" not in FORMATS:
        msg = f"Only booleans, integers and floats of up to 64 bits are stored; got {dtype}. Convert the array first."
        raise InvalidInput(msg)
