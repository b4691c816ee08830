"""Vectors that a user brings along: a .npy file, checked before a byte of it is believed."""

import io
import math
import tokenize
import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput

_MAGIC = b"\x93NUMPY"
_MAX_HEADER_BYTES = 10_000
_ROWS_AT_ONCE = 4096
MIN_DIMENSIONS = 3
MAP_REMEDY = (
    "two are a position on a map and no embedding, from which no coherence can be told. Give the vectors from before "
    "the projection, or none: the chosen model then reads the texts."
)
_EXPECTED = "vectors must be a .npy file of numbers, one row per data row"
_SAVE = "Save it with numpy.save(file, array)."


@dataclass(frozen=True, slots=True)
class _Header:
    """What a .npy file says about itself, and where its data begin."""

    shape: tuple[int, ...]
    dtype: np.dtype[np.generic]
    is_fortran_order: bool
    offset: int


def read_vectors(data: bytes, n_rows: int) -> NDArray[np.float32]:
    """Return the vectors of a .npy file as **unit rows**: each is divided by its length, whatever it was.

    Parameters
    ----------
    data : bytes
        The whole file. The header is checked against the size before anything is allocated; nothing is unpickled.
    n_rows : int
        Data rows of the document file, readable or not (`RawTable.n_read`); row i is of data row i + 1.

    Returns
    -------
    ndarray, shape (n_rows, d), float32
        d ≥ 3.

    Raises
    ------
    InvalidInput
        If it is no .npy file, holds objects or no real numbers, has another shape or two columns, is truncated, or a
        row is not finite or zero.
    """
    header = _read_header(data)
    _check_header(header, n_rows)
    needed = math.prod(header.shape) * header.dtype.itemsize
    available = len(data) - header.offset
    if available < needed:
        raise InvalidInput(f"{_EXPECTED}; it needs {needed:,} bytes of data and has {available:,}. Copy it again.")
    flat = np.frombuffer(data, dtype=header.dtype, count=math.prod(header.shape), offset=header.offset)
    values = flat.reshape(header.shape, order="F" if header.is_fortran_order else "C")
    vectors = np.empty(values.shape, dtype=np.float32)
    for start in range(0, n_rows, _ROWS_AT_ONCE):
        block = slice(start, start + _ROWS_AT_ONCE)
        vectors[block] = unit_rows(_finite_rows(values[block].astype(np.float64), start))
    return vectors


def unit_rows(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return each row divided by its length; shape (n, d), finite and not zero."""
    # Scaled by the largest entry first, so that squares neither overflow nor vanish.
    scaled = rows / np.abs(rows).max(axis=1, keepdims=True)
    units: NDArray[np.float64] = scaled / np.linalg.norm(scaled, axis=1, keepdims=True)
    return units


def _read_header(data: bytes) -> _Header:
    if not data.startswith(_MAGIC):
        raise InvalidInput(f"{_EXPECTED}; this is another kind of file. {_SAVE}")
    stream = io.BytesIO(data)
    try:
        with warnings.catch_warnings(action="ignore"):  # about headers of Python 2, which are read all the same
            version = np.lib.format.read_magic(stream)
            read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
            shape, is_fortran_order, dtype = read(stream, max_header_size=_MAX_HEADER_BYTES)
    except (ValueError, EOFError, SyntaxError, TypeError, tokenize.TokenError, RecursionError, MemoryError) as error:
        raise InvalidInput(f"{_EXPECTED}; its header is damaged. {_SAVE}") from error
    return _Header(shape, dtype, is_fortran_order, stream.tell())


def _check_header(header: _Header, n_rows: int) -> None:
    if header.dtype.hasobject:
        raise InvalidInput(f"{_EXPECTED}; this one holds Python objects, which are not read. Convert it to float32.")
    if header.dtype.kind not in "fiu":
        raise InvalidInput(f"{_EXPECTED}; this one holds {header.dtype}. Convert it to float32.")
    if len(header.shape) != 2:
        raise InvalidInput(f"{_EXPECTED}, of shape ({n_rows}, dimensions); got shape {header.shape}.")
    if header.shape[0] != n_rows:
        raise InvalidInput(
            f"{_EXPECTED}; got {header.shape[0]:,} rows for {n_rows:,} data rows. "
            "Row i of the vectors must be of data row i of the file, the first row of each being 1."
        )
    if header.shape[1] < MIN_DIMENSIONS:
        raise InvalidInput(
            f"{_EXPECTED}, with at least {MIN_DIMENSIONS} dimensions; got {header.shape[1]}: {MAP_REMEDY}"
        )


def _finite_rows(rows: NDArray[np.float64], first: int) -> NDArray[np.float64]:
    finite = np.isfinite(rows).all(axis=1)
    if not finite.all():
        row = first + int(np.argmin(finite)) + 1
        raise InvalidInput(f"vectors must be finite; row {row} has a nan or infinity. Embed that document again.")
    is_something = rows.any(axis=1)
    if not is_something.all():
        row = first + int(np.argmin(is_something)) + 1
        raise InvalidInput(f"vectors must not be zero; row {row} is. Embed that document again.")
    return rows
