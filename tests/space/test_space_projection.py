import threading

import numpy as np
import pytest
from numpy.typing import NDArray

from narrative_core.errors import Cancelled, InvalidInput
from narrative_core.records import LandscapeParameters
from narrative_core.space.projection import lay_out, project

PARAMETERS = LandscapeParameters()


def unit_rows(n: int, d: int = 32, seed: int = 0) -> NDArray[np.float32]:
    rows = np.random.default_rng(seed).normal(size=(n, d))
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def repeated(distinct: int, times: int) -> NDArray[np.float32]:
    return np.repeat(unit_rows(distinct), times, axis=0)


@pytest.mark.parametrize(("distinct", "times"), [(1, 2), (1, 40), (2, 30), (3, 1), (7, 9), (10, 12), (40, 2)])
def test_duplicates_give_finite_positions_that_can_be_told_apart(distinct: int, times: int) -> None:
    vectors = repeated(distinct, times)
    assert np.isfinite(project(vectors, PARAMETERS)).all()
    positions = lay_out(vectors, PARAMETERS)
    assert np.isfinite(positions).all()
    assert len(np.unique(positions.round(9), axis=0)) == len(vectors)


def test_duplicates_stay_together_on_the_map() -> None:
    positions = lay_out(repeated(3, 10), PARAMETERS).reshape(3, 10, 2)
    centres = positions.mean(axis=1)
    apart = np.linalg.norm(centres[0] - centres[1])
    assert np.linalg.norm(positions - centres[:, np.newaxis], axis=2).max() < 0.2 * apart


def test_a_few_documents_keep_their_distances() -> None:
    vectors = unit_rows(3)
    positions = lay_out(vectors, PARAMETERS)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        expected = np.linalg.norm(vectors[i] - vectors[j])
        assert np.linalg.norm(positions[i] - positions[j]) == pytest.approx(expected, rel=1e-5)


def test_groups_of_vectors_are_groups_on_the_map_and_in_the_projection(blobs: NDArray[np.float32]) -> None:
    groups = np.repeat(np.arange(4), [30, 25, 20, 15])
    for reduced in (project(blobs, PARAMETERS).astype(np.float64), lay_out(blobs, PARAMETERS)):
        distances = np.linalg.norm(reduced[:, np.newaxis] - reduced, axis=2)
        np.fill_diagonal(distances, np.inf)
        assert (groups[distances.argmin(axis=1)] == groups).all()


def test_the_same_seed_gives_the_same_positions_and_another_one_does_not(blobs: NDArray[np.float32]) -> None:
    first, second = lay_out(blobs, PARAMETERS), lay_out(blobs, PARAMETERS)
    np.testing.assert_array_equal(first, second)
    assert not np.array_equal(first, lay_out(blobs, LandscapeParameters(seed=1)))


@pytest.mark.parametrize("precision", [np.float16, np.float32, np.float64])
def test_vectors_of_any_precision_are_taken(precision: type[np.floating]) -> None:
    vectors = unit_rows(30).astype(precision)
    reduced, positions = project(vectors, PARAMETERS), lay_out(vectors, PARAMETERS)
    assert (reduced.shape, reduced.dtype.name) == ((30, 7), "float32")
    assert (positions.shape, positions.dtype.name) == ((30, 2), "float64")


def test_epochs_are_reported_as_they_pass(blobs: NDArray[np.float32]) -> None:
    seen: list[tuple[int, int]] = []
    project(blobs, PARAMETERS, progress=lambda done, total: seen.append((done, total)))
    assert seen[0] == (0, 500)
    assert seen[-1] == (500, 500)
    assert seen == sorted(seen)


def test_what_progress_raises_stops_the_work(blobs: NDArray[np.float32]) -> None:
    def cancel(done: int, total: int) -> None:
        raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        project(blobs, PARAMETERS, progress=cancel)


def test_a_stopped_projection_leaves_the_next_one_free_to_run_in_another_thread(blobs: NDArray[np.float32]) -> None:
    reported: list[int] = []

    def cancel(done: int, total: int) -> None:
        raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        project(blobs, PARAMETERS, progress=cancel)
    arguments = {"progress": lambda done, total: reported.append(done)}
    other = threading.Thread(target=project, args=(blobs, PARAMETERS), kwargs=arguments, daemon=True)
    other.start()
    other.join(timeout=120)
    assert not other.is_alive()
    assert reported[-1] > 0


@pytest.mark.parametrize("vectors", [np.zeros((0, 4)), np.zeros(4), np.array([[1.0, np.nan]]), np.full((9, 2), np.inf)])
def test_what_is_no_finite_table_is_refused(vectors: NDArray[np.float64]) -> None:
    with pytest.raises(InvalidInput, match="finite table with at least one row; got shape"):
        project(vectors, PARAMETERS)
