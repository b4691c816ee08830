"""The files of a bundle as they are read: bounded, checked before they are believed, each refusal in one sentence.

A bundle may come from anybody. Nothing is unpickled, no size in a file is trusted before the file is as large, and a
symbolic link counts as the file that it leads to.
"""

import csv
import io
import math
import stat
import tokenize
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import DTypeLike, NDArray

from narrative_core import recordings
from narrative_core.errors import InvalidInput
from narrative_core.ingest.tables import MAX_BYTES
from narrative_core.json_fields import AGAIN, Fields, parse_object

MOST_BYTES: Final[dict[str, int]] = {
    "documents.csv": 1_000_000_000,
    "points.csv": 100_000_000,
    "vectors.npy": 2_000_000_000,
    "vectors.csv": MAX_BYTES,
    "memberships.npy": 2_000_000_000,
    "memberships.csv": MAX_BYTES,
    "landscape.json": 20_000_000,
    "collection.json": 1_000_000,
    "judgements.jsonl": recordings.MOST_BYTES,
    "embedded.csv": 100_000_000,
    "documents.jsonl": 1_000_000_000,
    "load_report.json": 100_000_000,
    "projections.npy": 2_000_000_000,
    "projections.csv": MAX_BYTES,
    "curation.json": 100_000_000,
    "copies.json": 100_000_000,
    "stories.jsonl": 500_000_000,
    "panels.jsonl": 100_000_000,
    "desk.json": 100_000_000,
    "stability.json": 10_000_000,
    "manifest.json": 1_000_000,
}
"""The largest size of each file, in bytes."""

_MAX_HEADER_BYTES = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """Rows of numbers (n, d), and the ids that stand in front of them in a ``.csv``; ``None`` in a ``.npy``."""

    values: NDArray[Any]
    ids: tuple[str, ...] | None


def place(path: Path) -> str:
    """Return the name of a file with that of its folder, for messages.

    Examples
    --------
    >>> place(Path("/home/ann/export/points.csv"))
    'export/points.csv'
    """
    return f"{path.absolute().parent.name}/{path.name}"


def read_file(path: Path) -> bytes | None:
    """Return a file of a bundle, ``None`` where there is none.

    Raises
    ------
    InvalidInput
        If it is larger than `MOST_BYTES`, no regular file (a folder, a pipe, a device), or cannot be read.
    """
    most = MOST_BYTES[path.name]
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise InvalidInput(f"{place(path)} must be a file; it is a folder or a device. {AGAIN}")
        if found.st_size > most:
            size = f"at most {most / 1e6:,.0f} MB; it has {found.st_size / 1e6:,.0f} MB"
            raise InvalidInput(f"{place(path)} may have {size}. {AGAIN}")
        with path.open("rb") as file:
            return file.read(found.st_size)
    except FileNotFoundError as error:
        if not path.is_symlink():
            return None
        raise InvalidInput(f"{place(path)} is a link to a file that is not there. {AGAIN}") from error
    except OSError as error:
        raise InvalidInput(f"{place(path)} cannot be read ({error.strerror}). {AGAIN}") from error


def read_object(path: Path) -> Fields | None:
    """Return the object of a JSON file, ``None`` where there is no file.

    Raises
    ------
    InvalidInput
        As `read_file` does, and if it is not one strict JSON object in UTF-8.
    """
    data = read_file(path)
    return None if data is None else parse_object(data, place(path))


def read_objects(path: Path) -> tuple[Fields, ...] | None:
    """Return the objects of a file with one JSON object a line, ``None`` where there is no file.

    Raises
    ------
    InvalidInput
        As `read_file` does, and if a line is not one strict JSON object in UTF-8.
    """
    data = read_file(path)
    if data is None:
        return None
    lines = enumerate(data.split(b"\n"), start=1)
    return tuple(parse_object(line, f"{place(path)}, line {number}") for number, line in lines if line.strip())


def read_rows(path: Path) -> tuple[tuple[str, ...], ...] | None:
    """Return the rows of a CSV file that are not blank, the names of the columns first; ``None`` where there is none.

    Raises
    ------
    InvalidInput
        As `read_file` does, and if it is no CSV in UTF-8, or a row is not as wide as the first.
    """
    data = read_file(path)
    if data is None:
        return None
    try:
        text = data.decode("utf-8-sig")
        rows = tuple(tuple(row) for row in csv.reader(io.StringIO(text, newline=""), strict=True) if row)
    except (UnicodeDecodeError, csv.Error) as error:
        raise InvalidInput(f"{place(path)} must be a CSV file in UTF-8; it cannot be read as one. {AGAIN}") from error
    if not rows:
        raise InvalidInput(f"{place(path)} must name its columns in the first row; it is empty. {AGAIN}")
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise InvalidInput(f"{place(path)}: row {number} has {len(row)} values for {len(rows[0])} columns. {AGAIN}")
    return rows


def read_matrix(folder: Path, name: str, dtype: DTypeLike) -> Matrix | None:
    """Return an array of a bundle, from ``name.csv`` or ``name.npy``; ``None`` where there is neither.

    Parameters
    ----------
    folder : Path
    name : str
    dtype : dtype
        What the array must hold; the numbers of a ``.csv`` are converted to it.

    Raises
    ------
    InvalidInput
        As `read_file` does, and if it is damaged, pickled, of another type, or not two-dimensional.
    """
    path = folder / f"{name}.csv"
    if (rows := read_rows(path)) is not None:
        ids, numbers = tuple(row[0] for row in rows[1:]), [row[1:] for row in rows[1:]]
        try:
            values = np.array(numbers, dtype=np.float64).reshape(len(ids), len(rows[0]) - 1)
        except ValueError as error:
            raise InvalidInput(f"{place(path)} must have numbers behind the ids; it has others. {AGAIN}") from error
        with np.errstate(over="ignore"):  # what overflows becomes infinite, which the caller refuses
            return Matrix(values.astype(dtype), ids)
    path = folder / f"{name}.npy"
    data = read_file(path)
    return None if data is None else Matrix(_matrix(data, place(path), np.dtype(dtype)), None)


def require_ids(given: Iterable[str], expected: Iterable[str], what: str) -> None:
    """Raise `InvalidInput` where the rows of a file are not those of documents.csv."""
    if tuple(given) != tuple(expected):
        raise InvalidInput(f"{what} do not have the rows of documents.csv. {AGAIN}")


def _matrix(data: bytes, where: str, dtype: np.dtype[Any]) -> NDArray[Any]:
    stream = io.BytesIO(data)
    try:
        with warnings.catch_warnings(action="ignore"):  # about headers of Python 2, which are read all the same
            version = np.lib.format.read_magic(stream)
            read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
            shape, is_fortran_order, found = read(stream, max_header_size=_MAX_HEADER_BYTES)
    except (ValueError, EOFError, SyntaxError, TypeError, tokenize.TokenError, RecursionError, MemoryError) as error:
        raise InvalidInput(f"{where} must be a .npy file; it is another or a damaged one. {AGAIN}") from error
    if found.hasobject:
        raise InvalidInput(f"{where} holds Python objects, which are not read. {AGAIN}")
    if found.newbyteorder("=") != dtype:
        raise InvalidInput(f"{where} must hold {dtype}; it holds {found}. {AGAIN}")
    if len(shape) != 2 or not all(type(side) is int and side >= 0 for side in shape):
        raise InvalidInput(f"{where} must have one row a document; it has shape {shape}. {AGAIN}")
    needed, available = math.prod(shape) * found.itemsize, len(data) - stream.tell()
    if needed != available:
        raise InvalidInput(f"{where} must have {needed:,} bytes of numbers; it has {available:,}. {AGAIN}")
    values: NDArray[Any] = np.ndarray(shape, found, data, stream.tell(), order="F" if is_fortran_order else "C")
    return np.array(values, dtype=dtype, order="C")
