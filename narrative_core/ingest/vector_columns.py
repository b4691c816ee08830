"""Vectors that stand in a column of the table itself: written as text in a CSV, or as lists in a Parquet file."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput
from narrative_core.ingest.own_vectors import MAP_REMEDY, MIN_DIMENSIONS, unit_rows
from narrative_core.ingest.tables import RawTable

_MIN_DETECTED = 8
_MIN_SHARE = 0.8
_SAMPLE_ROWS = 50
_WRAPPED = re.compile(r"(?:(?:np\.|numpy\.)?array|tensor)\((\[.*?\])(?:,\s*dtype=[\w.]+)?\)", re.DOTALL)
_BRACKETS = {"[": "]", "(": ")"}


@dataclass(frozen=True, slots=True, eq=False)
class VectorColumn:
    """A column of vectors: ``values`` (rows, d) unit rows, nan where there is none; ``faults`` {row of the table: why}.

    Rows are counted from 0, as in `RawTable.rows`.
    """

    values: NDArray[np.float32]
    faults: Mapping[int, str]

    @property
    def n_dimensions(self) -> int:
        """How many numbers a vector has."""
        return int(self.values.shape[1])


def find_vector_column(table: RawTable, columns: Iterable[str]) -> str:
    """Return the first of some columns that holds vectors, after those of a Parquet file; "" where there is none.

    A column of texts holds vectors if at least 80 % of its first 50 values are lists of 8 or more numbers.
    """
    if table.vectors:
        return next(iter(table.vectors))
    for column in columns:
        sample = [value for value in table.values(column)[:_SAMPLE_ROWS] if value.strip()]
        if sample and sum(map(_is_vector, sample)) >= _MIN_SHARE * len(sample):
            return column
    return ""


def read_vector_column(table: RawTable, column: str) -> VectorColumn:
    """Return the vectors of a column, each divided by its length.

    Parameters
    ----------
    table : RawTable
    column : str
        One of its columns, whose values are lists such as ``[0.1, 0.2]`` or ``[0.1 0.2]``, or one of its ``vectors``.

    Returns
    -------
    VectorColumn
        d is the most frequent length; a row of another length, without numbers, not finite or zero is a fault.

    Raises
    ------
    InvalidInput
        If no row has a vector, or they have two dimensions and are thus positions on a map.
    """
    if column in table.vectors:
        rows = [None if np.isnan(row).all() else row.astype(np.float64) for row in table.vectors[column]]
    else:
        rows = [_numbers(value) for value in table.values(column)]
    return _checked(rows, column)


def _checked(rows: Sequence[NDArray[np.float64] | None], column: str) -> VectorColumn:
    lengths = Counter(len(row) for row in rows if row is not None)
    if not lengths:
        raise InvalidInput(
            f"a column of vectors must hold lists of numbers such as [0.1, 0.2, …]; “{column}” has none. Choose "
            "another column, or none: the chosen model then reads the texts."
        )
    usual = lengths.most_common(1)[0][0]
    if usual < MIN_DIMENSIONS:
        raise InvalidInput(f"the vectors of “{column}” have {usual} dimensions; {MAP_REMEDY}")
    values = np.full((len(rows), usual), np.nan, dtype=np.float32)
    faults: dict[int, str] = {}
    for i, row in enumerate(rows):
        if fault := _fault(row, usual):
            faults[i] = fault
        elif row is not None:
            values[i] = unit_rows(row[None, :])
    return VectorColumn(values, faults)


def _fault(row: NDArray[np.float64] | None, usual: int) -> str:
    if row is None:
        return "it is no list of numbers"
    if len(row) != usual:
        return f"it has {len(row):,} numbers where most have {usual:,}"
    if not np.isfinite(row).all():
        return "it has a nan or an infinity"
    return "" if row.any() else "it is all zeros"


def _is_vector(value: str) -> bool:
    """Whether a value is a list in brackets of enough numbers."""
    written = value.strip()
    is_listed = _BRACKETS.get(written[:1], " ") == written[-1:] or _WRAPPED.fullmatch(written) is not None
    numbers = _numbers(value) if is_listed else None
    return numbers is not None and len(numbers) >= _MIN_DETECTED


def _numbers(value: str) -> NDArray[np.float64] | None:
    """Return the numbers of a list as written by JSON, Python or numpy, with or without brackets."""
    written = value.strip()
    if found := _WRAPPED.fullmatch(written):
        written = found[1]
    if _BRACKETS.get(written[:1], " ") == written[-1:]:
        written = written[1:-1]
    try:
        numbers = np.array(written.replace(",", " ").replace(";", " ").split(), dtype=np.float64)
    except ValueError:
        return None
    return numbers if len(numbers) > 1 else None
