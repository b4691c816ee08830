"""Many rows at once between NumPy, Arrow and DuckDB, without a Python loop over numbers.

DuckDB refuses an Arrow query while an earlier result of the cursor has rows left: the store fetches every result whole.
"""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from narrative_core.store.tables import Cursor

Float = TypeVar("Float", np.float32, np.float64)


def insert_rows(cursor: Cursor, statement: str, rows: pa.Table, parameters: Sequence[object] = ()) -> None:
    """Run an INSERT that reads an Arrow table under the name ``incoming``.

    Parameters
    ----------
    cursor : duckdb.DuckDBPyConnection
        In a transaction.
    statement : str
        ``INSERT INTO … SELECT … FROM incoming``.
    rows : pyarrow.Table
        What to insert.
    parameters : sequence
        Bound to the question marks of the statement.
    """
    cursor.register("incoming", rows)
    cursor.execute(statement, list(parameters))
    cursor.unregister("incoming")


def fetch_table(cursor: Cursor, query: str, parameters: Sequence[object] = ()) -> pa.Table:
    """Return the rows of a query as an Arrow table."""
    return cursor.sql(query, params=list(parameters)).to_arrow_table()


def list_array(matrix: NDArray[np.floating]) -> pa.LargeListArray:
    """Return a matrix (n, k) as n lists of k numbers, ``nan`` kept.

    Examples
    --------
    >>> list_array(np.array([[1.0, 2.0], [3.0, 4.0]])).to_pylist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    n_rows, n_columns = matrix.shape
    offsets = np.arange(n_rows + 1, dtype=np.int64) * n_columns
    return pa.LargeListArray.from_arrays(pa.array(offsets), pa.array(np.ascontiguousarray(matrix).ravel()))


def matrix_from_lists(column: pa.ChunkedArray, n_columns: int, dtype: type[Float]) -> NDArray[Float]:
    """Return lists of ``n_columns`` numbers each as a matrix (n, n_columns) that its caller may change.

    Examples
    --------
    >>> matrix_from_lists(pa.chunked_array([list_array(np.ones((2, 3)))]), 3, np.float64).shape
    (2, 3)
    """
    values = column.combine_chunks().flatten().to_numpy(zero_copy_only=False)
    return np.array(values, dtype=dtype).reshape(len(column), n_columns)
