from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray
from store_samples import texts

from narrative_core.errors import InvalidInput, StoreError
from narrative_core.store import stage_arrays
from narrative_core.store.database import Database
from narrative_core.store.stage_arrays import delete_arrays, load_array, save_array

formats = hnp.boolean_dtypes() | hnp.integer_dtypes() | hnp.unsigned_integer_dtypes() | hnp.floating_dtypes()


def assert_same(one: NDArray[Any] | None, other: NDArray[Any]) -> None:
    assert one is not None
    assert (one.dtype, one.shape) == (other.dtype, other.shape)
    assert one.tobytes() == other.tobytes()


@settings(max_examples=60, deadline=None)
@given(texts, texts, hnp.arrays(formats, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)))
def test_an_array_comes_back_bit_for_bit(lasting_database: Database, key: str, name: str, array: NDArray[Any]) -> None:
    save_array(lasting_database, key, name, array)
    assert_same(load_array(lasting_database, key, name), array)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 100))
def test_an_array_longer_than_a_row_comes_back(lasting_database: Database, length: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stage_arrays, "PART_BYTES", 16)
        save_array(lasting_database, "long", "array", np.arange(length, dtype=np.int32))
    assert_same(load_array(lasting_database, "long", "array"), np.arange(length, dtype=np.int32))


def test_a_longer_array_is_replaced_whole_by_a_shorter_one(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stage_arrays, "PART_BYTES", 8)
    save_array(database, "build", "map", np.arange(9))
    save_array(database, "build", "map", np.arange(2))
    assert_same(load_array(database, "build", "map"), np.arange(2))


def test_a_view_comes_back_in_its_own_order(database: Database) -> None:
    array = np.arange(24).reshape(4, 6).T[::2]
    save_array(database, "build", "map", array)
    assert_same(load_array(database, "build", "map"), array)


def test_a_loaded_array_can_be_changed(database: Database) -> None:
    save_array(database, "build", "map", np.zeros(3))
    loaded = load_array(database, "build", "map")
    assert loaded is not None
    loaded[0] = 1
    assert_same(load_array(database, "build", "map"), np.zeros(3))


def test_deleting_the_arrays_of_one_build_leaves_those_of_another(database: Database) -> None:
    save_array(database, "one", "map", np.ones(1))
    save_array(database, "one", "tree", np.ones(1))
    save_array(database, "two", "map", np.ones(2))
    delete_arrays(database, "one")
    assert load_array(database, "one", "map") is None
    assert load_array(database, "one", "tree") is None
    assert_same(load_array(database, "two", "map"), np.ones(2))
    delete_arrays(database, "none such")


@pytest.mark.parametrize(
    "array",
    [
        np.array([object()]),
        np.array(["text"]),
        np.array([1j]),
        np.array(["2020-01-01"], dtype="datetime64[D]"),
        np.zeros(1, dtype=[("x", "f8")]),
    ],
    ids=lambda array: array.dtype.name,
)
def test_anything_but_plain_numbers_is_refused(database: Database, array: NDArray[Any]) -> None:
    with pytest.raises(InvalidInput, match="Only booleans, integers and floats"):
        save_array(database, "build", "map", array)
    assert load_array(database, "build", "map") is None


@pytest.mark.parametrize(
    "damage", ["data = 'xyz'::BLOB", "shape = [7, 7]", "dtype = '|O'", "dtype = 'rubbish'", "dtype = '|S8'"]
)
def test_damaged_bytes_are_an_error_not_an_array(database: Database, damage: str) -> None:
    save_array(database, "build", "map", np.ones(3))
    with database.transaction() as cursor:
        cursor.execute(f"UPDATE stage_arrays SET {damage}")
    with pytest.raises(StoreError, match="is damaged"):
        load_array(database, "build", "map")
