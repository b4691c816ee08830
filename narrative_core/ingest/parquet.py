"""Parquet: columns of typed values as text, read a batch at a time; columns of embeddings as vectors."""

import io
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput
from narrative_core.ingest.own_vectors import MIN_DIMENSIONS
from narrative_core.ingest.raw_rows import ReadRows, RowCollector, check_shape, distinct_names, listed
from narrative_core.records import Progress

if TYPE_CHECKING:
    from pyarrow import Array, DataType
    from pyarrow.parquet import ParquetFile

MAX_UNPACKED_BYTES = 2_000_000_000
_ROWS_AT_ONCE = 1_024


def read_parquet(data: bytes, filename: str, *, max_rows: int, progress: Progress | None = None) -> ReadRows:
    """Return the rows of a Parquet file.

    Dates and times are ISO text, lists and structs JSON, missing values empty. A column of lists of decimal numbers,
    most of them of one length, is a column of vectors and no text.

    Parameters
    ----------
    data : bytes
        The whole file.
    filename : str
        For messages.
    max_rows : int
        More rows than that are refused before they are read.
    progress : callable, optional
        Called with (rows read, all rows).

    Raises
    ------
    InvalidInput
        If it is damaged, has too many rows or columns, or unpacks to more than 2 GB.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(io.BytesIO(data))
        _check_size(file, filename, max_rows)
        return _read(file, max_rows, progress)
    except (pa.ArrowException, OSError, ValueError, OverflowError, TypeError, IndexError) as error:
        if isinstance(error, InvalidInput):
            raise
        said = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise InvalidInput(f"{filename} must be a Parquet file; it is damaged ({said}). Save it again.") from error


def _check_size(file: "ParquetFile", filename: str, max_rows: int) -> None:
    metadata = file.metadata
    if metadata.num_rows > max_rows:
        raise InvalidInput(
            f"a file may have at most {max_rows:,} rows; {filename} has {metadata.num_rows:,}. "
            "Split it or take a sample."
        )
    check_shape(metadata.num_rows, len(file.schema_arrow))
    unpacked = sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
    if unpacked > MAX_UNPACKED_BYTES:
        raise InvalidInput(
            f"a Parquet file may unpack to at most {MAX_UNPACKED_BYTES / 1e6:,.0f} MB; {filename} unpacks to "
            f"{unpacked / 1e6:,.0f} MB. Leave out columns that you do not need."
        )


def _read(file: "ParquetFile", max_rows: int, progress: Progress | None) -> ReadRows:
    fields = list(file.schema_arrow)
    names = distinct_names([field.name for field in fields])
    is_vector = [_holds_decimals(field.type) for field in fields]
    binary = [name for name, field in zip(names, fields, strict=True) if _is_binary(field.type)]
    texts: list[list[str]] = [[] for _ in fields]
    lists: list[list[NDArray[np.floating] | None]] = [[] for _ in fields]
    n_read = 0
    for batch in file.iter_batches(batch_size=_ROWS_AT_ONCE):
        for i, column in enumerate(batch.columns):
            if is_vector[i]:
                lists[i].extend(_arrays(column))
            else:
                texts[i].extend(_texts(column))
        n_read += batch.num_rows
        if progress is not None:
            progress(n_read, file.metadata.num_rows)
    vectors: dict[str, NDArray[np.float32]] = {}
    for i in [i for i, is_it in enumerate(is_vector) if is_it]:
        stacked = _stacked(lists[i])
        if stacked is None:
            texts[i] = [_as_json(row) for row in lists[i]]
        else:
            vectors[names[i]] = stacked
    kept = [i for i, name in enumerate(names) if name not in vectors]
    collected = RowCollector(max_rows)
    for row in zip(*(texts[i] for i in kept), strict=True) if kept else iter([()] * n_read):
        collected.keep(row)
    notices = (f"{listed(binary)} cannot be shown: the values are bytes and no text.",) if binary else ()
    return ReadRows(tuple(names[i] for i in kept), collected, notices=notices, vectors=vectors)


def _holds_decimals(kind: "DataType") -> bool:
    from pyarrow import types

    is_list = types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)
    return bool(is_list and types.is_floating(kind.value_type))


def _is_binary(kind: "DataType") -> bool:
    from pyarrow import types

    return bool(types.is_binary(kind) or types.is_large_binary(kind) or types.is_fixed_size_binary(kind))


def _arrays(column: "Array") -> Iterator[NDArray[np.floating] | None]:
    for value in column:
        yield np.asarray(value.values.to_numpy(zero_copy_only=False)) if value.is_valid else None


def _as_json(row: NDArray[np.floating] | None) -> str:
    """Return numbers as JSON, each with as many digits as it holds, null for nan."""
    if row is None:
        return ""
    return json.dumps([float(str(number)) if np.isfinite(number) else None for number in row])


def _stacked(rows: Sequence[NDArray[np.floating] | None]) -> NDArray[np.float32] | None:
    """Return rows as one array, nan where one has not the usual length; ``None`` where most have none."""
    lengths = [len(row) for row in rows if row is not None and len(row)]
    if not lengths:
        return None
    usual = max(set(lengths), key=lengths.count)
    if usual < MIN_DIMENSIONS or lengths.count(usual) <= len(lengths) / 2:
        return None
    stacked = np.full((len(rows), usual), np.nan, dtype=np.float32)
    for i, row in enumerate(rows):
        if row is not None and len(row) == usual:
            stacked[i] = row
    return stacked


def _texts(column: "Array") -> list[str]:
    import pyarrow as pa

    try:
        return ["" if value is None else value for value in _written(column)]
    except (ValueError, OverflowError, LookupError):
        # A year beyond 9999 or a zone that nobody knows: the library writes what Python cannot hold, times in UTC.
        if pa.types.is_timestamp(column.type) and column.type.tz:
            column = column.cast(pa.timestamp(column.type.unit, "UTC"))
        return ["" if value is None else value for value in column.cast(pa.string()).to_pylist()]


def _written(column: "Array") -> list[str | None]:
    """Return the values of a column as text, ``None`` where there are none."""
    import pyarrow as pa
    from pyarrow import types

    kind = column.type
    if types.is_dictionary(kind):
        return _written(column.cast(kind.value_type))
    if _is_binary(kind):
        return [None] * len(column)
    if types.is_timestamp(kind):
        column = column.cast(pa.timestamp("us", tz=kind.tz), safe=False)
    elif types.is_boolean(kind) or types.is_floating(kind) or types.is_integer(kind) or types.is_decimal(kind):
        column = column.cast(pa.string())
    return [None if value is None else _as_text(value) for value in column.to_pylist()]


def _as_text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value.isoformat()) if hasattr(value, "isoformat") else str(value)
