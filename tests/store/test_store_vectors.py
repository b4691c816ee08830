import time
import uuid

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray
from store_samples import HOSTILE, save_sample, vectors

from narrative_core.errors import InvalidInput
from narrative_core.records import Document, Vectors
from narrative_core.store.collections import delete_collection
from narrative_core.store.database import Database
from narrative_core.store.vectors import load_vectors, save_vectors


@settings(max_examples=40, deadline=None)
@given(hnp.arrays(np.float32, st.tuples(st.integers(0, 4), st.integers(0, 4))))
def test_vectors_come_back_bit_for_bit(lasting_database: Database, values: NDArray[np.float32]) -> None:
    name = uuid.uuid4().hex
    save_sample(lasting_database, name, [Document(str(i), "", "") for i in range(len(values))])
    save_vectors(lasting_database, name, Vectors(values, HOSTILE, "1"))
    loaded = load_vectors(lasting_database, name)
    delete_collection(lasting_database, name)
    assert loaded is not None
    assert (loaded.model, loaded.version) == (HOSTILE, "1")
    assert (loaded.values.dtype, loaded.values.shape) == (values.dtype, values.shape)
    assert loaded.values.tobytes() == values.tobytes()


def test_a_view_of_another_memory_order_comes_back_in_its_own_order(database: Database) -> None:
    save_sample(database)
    values = np.asfortranarray(np.arange(24, dtype=np.float32).reshape(3, 8))[:, ::2]
    save_vectors(database, "news", Vectors(values, "m", "1"))
    loaded = load_vectors(database, "news")
    assert loaded is not None
    np.testing.assert_array_equal(loaded.values, values)


def test_new_vectors_replace_the_former_ones(database: Database) -> None:
    save_sample(database)
    save_vectors(database, "news", vectors(d=4))
    save_vectors(database, "news", Vectors(np.eye(3, 9, dtype=np.float32), "other", "2"))
    loaded = load_vectors(database, "news")
    assert loaded is not None
    assert loaded.model == "other"
    np.testing.assert_array_equal(loaded.values, np.eye(3, 9))


def test_vectors_can_be_queried_one_row_a_document(database: Database) -> None:
    save_sample(database)
    save_vectors(database, "news", Vectors(np.array([[1, 0], [0, 1], [0.5, 0.5]], dtype=np.float32), "m", "1"))
    with database.reading() as cursor:
        rows = cursor.execute(
            "SELECT document_id, typeof(embedding), embedding[2] FROM vectors"
            " JOIN documents USING (collection, position) ORDER BY position"
        ).fetchall()
    assert rows == [("d1", "FLOAT[]", 0.0), ("d2", "FLOAT[]", 1.0), ("d3", "FLOAT[]", 0.5)]


def test_a_collection_that_is_not_embedded_has_no_vectors(database: Database) -> None:
    save_sample(database)
    assert load_vectors(database, "news") is None


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (np.ones((2, 4), dtype=np.float32), "has 3 documents, but 2 vectors came"),
        (np.ones((3, 4)), "got float64 of shape"),
        (np.ones(3, dtype=np.float32), r"got float32 of shape \(3,\)"),
    ],
)
def test_vectors_that_do_not_fit_are_refused_and_the_former_ones_stay(
    database: Database, values: NDArray[np.float32], message: str
) -> None:
    save_sample(database)
    save_vectors(database, "news", vectors())
    with pytest.raises(InvalidInput, match=message):
        save_vectors(database, "news", Vectors(values, "m", "1"))
    loaded = load_vectors(database, "news")
    assert loaded is not None
    np.testing.assert_array_equal(loaded.values, vectors().values)


def test_an_unknown_collection_is_refused(database: Database) -> None:
    with pytest.raises(InvalidInput, match="no collection named"):
        save_vectors(database, "nwes", vectors())
    with pytest.raises(InvalidInput, match="no collection named"):
        load_vectors(database, "nwes")


def test_six_thousand_vectors_take_less_than_two_seconds(database: Database) -> None:
    save_sample(database, documents=[Document(str(i), "", "") for i in range(6000)])
    given_vectors = vectors(6000, 256)
    start = time.perf_counter()
    save_vectors(database, "news", given_vectors)
    loaded = load_vectors(database, "news")
    assert time.perf_counter() - start < 2
    assert loaded is not None
    np.testing.assert_array_equal(loaded.values, given_vectors.values)
