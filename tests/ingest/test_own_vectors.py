import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike, NDArray

from narrative_core.errors import InvalidInput
from narrative_core.ingest.own_vectors import read_vectors


def npy(values: ArrayLike, *, version: tuple[int, int] | None = None) -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.asarray(values), version=version)
    return stream.getvalue()


@pytest.mark.parametrize(
    "values",
    [
        np.array([[3.0, 4.0, 0.0], [0.0, -2.0, 0.0]]),
        np.array([[3.0, 4.0, 0.0], [0.0, -2.0, 0.0]], dtype=np.float16),
        np.array([[3, 4, 0], [0, -2, 0]], dtype=">i4"),
        np.asfortranarray([[3.0, 4.0, 0.0], [0.0, -2.0, 0.0]]),
        np.array([[3e200, 4e200, 0.0], [0.0, -2e-200, 0.0]]),
    ],
    ids=["float64", "float16", "big-endian integers", "columns first", "far from 1"],
)
def test_rows_come_back_as_float32_of_length_one(values: NDArray[np.generic]) -> None:
    vectors = read_vectors(npy(values), 2)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, [[0.6, 0.8, 0.0], [0.0, -1.0, 0.0]], rtol=1e-6)


@pytest.mark.parametrize("version", [(1, 0), (2, 0)])
def test_both_versions_of_the_header_are_read(version: tuple[int, int]) -> None:
    assert read_vectors(npy(np.eye(3), version=version), 3).tolist() == np.eye(3).tolist()


def test_every_row_of_a_long_array_is_scaled() -> None:
    values = np.random.default_rng(3).normal(size=(9000, 3))
    vectors = read_vectors(npy(values), 9000)
    np.testing.assert_allclose(vectors, values / np.linalg.norm(values, axis=1, keepdims=True), atol=1e-6)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (npy(np.ones((3, 4))), r"3 rows for 2 data rows\. Row i of the vectors must be of data row i"),
        (npy(np.ones(2)), r"shape \(2, dimensions\); got shape \(2,\)"),
        (npy(np.ones((2, 1))), "at least 3 dimensions; got 1"),
        (npy(np.ones((2, 2))), "got 2: two are a position on a map .* before the projection, or none"),
        (npy([[1.0, 2.0, 0.0], [np.nan, 1.0, 0.0]]), "row 2 has a nan"),
        (npy([[np.inf, 2.0, 0.0], [1.0, 1.0, 0.0]]), "row 1 has a nan or infinity"),
        (npy([[1.0, 2.0, 0.0], [0.0, 0.0, 0.0]]), "row 2 is"),
        (npy([["a", "b"], ["c", "d"]]), "holds <U1"),
        (npy(np.ones((2, 2), dtype=complex)), "holds complex128"),
        (npy(np.ones((2, 3)))[:-1], "needs 48 bytes of data and has 47"),
        (npy(np.ones((2, 3)))[:20], "header is damaged"),
        (b"\x93NUMPY", "header is damaged"),
        (b"id,x\n1,2\n", "another kind of file"),
        (b"", "another kind of file"),
    ],
)
def test_each_fault_is_named(data: bytes, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        read_vectors(data, 2)


def test_pickled_objects_are_refused_without_being_loaded() -> None:
    stream = io.BytesIO()
    np.save(stream, np.array([[Bomb(), 1]], dtype=object), allow_pickle=True)
    with pytest.raises(InvalidInput, match="Python objects"):
        read_vectors(stream.getvalue(), 1)
    assert not Bomb.went_off


class Bomb:
    went_off = False

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return go_off, ("",)


def go_off(_: str) -> None:
    Bomb.went_off = True


def test_a_header_that_promises_too_much_is_refused_before_memory_is_asked_for() -> None:
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1000000000000), }"
    padded = header + b" " * (117 - len(header)) + b"\n"
    data = b"\x93NUMPY\x01\x00" + len(padded).to_bytes(2, "little") + padded + b"\0" * 64
    with pytest.raises(InvalidInput, match="needs 8,000,000,000,000 bytes"):
        read_vectors(data, 2)


@given(st.binary(max_size=200), st.sampled_from([b"", b"\x93NUMPY\x01\x00", b"\x93NUMPY\x02\x00"]))
def test_no_bytes_crash_the_reader(rest: bytes, start: bytes) -> None:
    with pytest.raises(InvalidInput):
        read_vectors(start + rest, 2)


@given(st.text("{}[]()'\",: \\\nL0123456789-+abcdef<\t", max_size=80))
def test_no_header_crashes_the_reader(header: str) -> None:
    written = header.encode("latin-1")
    with pytest.raises(InvalidInput):
        read_vectors(b"\x93NUMPY\x01\x00" + len(written).to_bytes(2, "little") + written, 2)
