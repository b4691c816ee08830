from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.typing import NDArray

from narrative_core.errors import Cancelled, InvalidInput
from narrative_core.records import LandscapeParameters
from narrative_core.space.clustering import Clustering, cluster
from narrative_core.space.landscape_parameters import shrink_parameters
from narrative_core.space.placement import (
    NO_PROJECTION,
    OTHER_TOPICS,
    Fitted,
    place_in_topics,
    place_on_map,
)
from narrative_core.space.projection import fan_out, lay_out, project
from narrative_core.space.worker import _work, parameter_options, run_stage

GROUPS = np.repeat(np.arange(4), [30, 25, 20, 15])


@dataclass(frozen=True)
class HeldOut:
    """A landscape of most documents, and the vectors and groups of those that were held out of its fit."""

    fitted: Fitted
    parameters: LandscapeParameters
    groups: NDArray[np.int64]
    vectors: NDArray[np.float32]
    vector_groups: NDArray[np.int64]


@pytest.fixture(scope="session")
def held_out(blobs: NDArray[np.float32]) -> HeldOut:
    is_held = np.arange(len(blobs)) % 6 == 0
    parameters, _ = shrink_parameters(LandscapeParameters(), int((~is_held).sum()))
    rows = blobs[~is_held]
    projection = project(rows, parameters)
    fitted = Fitted(rows, lay_out(rows, parameters), projection, cluster(projection, parameters))
    return HeldOut(fitted, parameters, GROUPS[~is_held], blobs[is_held], GROUPS[is_held])


def distances(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.linalg.norm(one[:, np.newaxis] - other, axis=2))


@pytest.mark.parametrize("has_projection", [True, False])
def test_a_document_stands_on_the_map_beside_those_it_resembles(held_out: HeldOut, has_projection: bool) -> None:
    fitted = held_out.fitted if has_projection else replace(held_out.fitted, projection=None)
    placed = place_on_map(fitted, held_out.vectors, fitted.positions, held_out.parameters)
    assert placed.shape == (len(held_out.vectors), 2)
    nearest = distances(placed, fitted.positions).argmin(axis=1)
    np.testing.assert_array_equal(held_out.groups[nearest], held_out.vector_groups)


@pytest.mark.parametrize("has_projection", [True, False])
def test_a_document_has_the_topic_of_those_it_resembles(held_out: HeldOut, has_projection: bool) -> None:
    fitted = held_out.fitted if has_projection else replace(held_out.fitted, projection=None)
    found = place_in_topics(fitted, held_out.vectors, held_out.parameters).topics
    topic_of = [np.bincount(fitted.topics.nearest_topic[held_out.groups == group]).argmax() for group in range(4)]
    np.testing.assert_array_equal(found.nearest_topic, np.array(topic_of)[held_out.vector_groups])
    assert found.memberships.shape == (len(held_out.vectors), fitted.topics.n_topics)
    assert found.is_outlier.mean() < 0.5
    in_group = ~found.is_outlier
    np.testing.assert_array_equal(found.memberships[in_group].argmax(axis=1), found.nearest_topic[in_group])
    assert found.notices == (() if has_projection else (NO_PROJECTION,))


def test_placing_twice_gives_the_same_bits(held_out: HeldOut) -> None:
    first, second = (
        place_on_map(held_out.fitted, held_out.vectors, held_out.fitted.positions, held_out.parameters)
        for _ in range(2)
    )
    assert first.tobytes() == second.tobytes()
    one, other = (place_in_topics(held_out.fitted, held_out.vectors, held_out.parameters) for _ in range(2))
    assert one.projection.tobytes() == other.projection.tobytes()
    assert one.topics.memberships.tobytes() == other.topics.memberships.tobytes()


def test_where_the_topics_are_not_found_again_the_nearest_documents_lend_theirs(held_out: HeldOut) -> None:
    topics = held_out.fitted.topics
    by_hand = replace(topics, nearest_topic=(topics.nearest_topic + 1) % topics.n_topics)
    found = place_in_topics(replace(held_out.fitted, topics=by_hand), held_out.vectors, held_out.parameters).topics
    assert found.notices == (OTHER_TOPICS,)
    topic_of = [np.bincount(by_hand.nearest_topic[held_out.groups == group]).argmax() for group in range(4)]
    np.testing.assert_array_equal(found.nearest_topic, np.array(topic_of)[held_out.vector_groups])


def test_the_same_vector_has_place_and_strengths_of_its_twin_among_neighbours(held_out: HeldOut) -> None:
    fitted = replace(held_out.fitted, projection=None)
    found = place_in_topics(fitted, fitted.vectors[3:4], held_out.parameters).topics
    np.testing.assert_allclose(found.memberships[0], fitted.topics.memberships[3], atol=1e-2)
    placed = place_on_map(fitted, fitted.vectors[3:4], fitted.positions, held_out.parameters)
    span = np.ptp(fitted.positions, axis=0).max()
    assert distances(placed, fitted.positions[3:4])[0, 0] < 0.05 * span


@pytest.mark.parametrize("n", [1, 2, 3, 10])
def test_a_tiny_landscape_takes_documents_too(n: int) -> None:
    vectors = np.eye(12, dtype=np.float32)[:n]
    parameters, _ = shrink_parameters(LandscapeParameters(), n)
    projection = project(vectors, parameters)
    fitted = Fitted(vectors, lay_out(vectors, parameters), projection, cluster(projection, parameters))
    new = np.eye(12, dtype=np.float32)[[0, 11]]
    placed = place_on_map(fitted, new, fitted.positions, parameters)
    found = place_in_topics(fitted, new, parameters)
    assert placed.shape == (2, 2)
    assert np.isfinite(placed).all()
    assert len(np.unique(np.concatenate([fitted.positions, placed]), axis=0)) == n + 2
    assert found.topics.memberships.shape == (2, fitted.topics.n_topics)
    assert found.projection.shape == (2, projection.shape[1])
    if not fitted.topics.n_topics:
        assert found.topics.nearest_topic.tolist() == [-1, -1]
        assert found.topics.is_outlier.all()


def test_known_votes_by_angle() -> None:
    # At angles of 30° and 60° the weights are 2/3 and 1/3.
    vectors = np.array([[1, 0], [0, 1]], dtype=np.float32)
    topics = Clustering(np.array([1, 0]), np.array([False, True]), np.array([[0.3, 0.6], [0.9, 0.0]]))
    fitted = Fitted(vectors, np.array([[0.0, 0.0], [6.0, 0.0]]), None, topics)
    new = np.array([[np.cos(np.pi / 6), np.sin(np.pi / 6)]], dtype=np.float32)
    found = place_in_topics(fitted, new, LandscapeParameters()).topics
    assert found.nearest_topic.tolist() == [1]
    assert found.is_outlier.tolist() == [False]
    np.testing.assert_allclose(found.memberships, [[0.3 * 2 / 3 + 0.9 / 3, 0.6 * 2 / 3]], rtol=1e-6)
    # The other one is of another topic, so the place is that of the first; and as it is taken, beside it.
    placed = place_on_map(fitted, new, fitted.positions, LandscapeParameters())
    np.testing.assert_allclose(np.linalg.norm(placed), 0.06)


def test_nothing_to_stand_beside_and_vectors_of_another_length_are_refused(held_out: HeldOut) -> None:
    nothing = Fitted(
        np.zeros((0, 3), np.float32),
        np.zeros((0, 2)),
        None,
        Clustering(np.zeros(0, int), np.zeros(0, bool), np.zeros((0, 1))),
    )
    with pytest.raises(InvalidInput, match="no document left"):
        place_on_map(nothing, np.ones((1, 3), np.float32), np.zeros((0, 2)), LandscapeParameters())
    with pytest.raises(InvalidInput, match=r"must have 32 dimensions as the others; got shape \(1, 3\)"):
        place_in_topics(held_out.fitted, np.ones((1, 3), np.float32), held_out.parameters)


def test_arrivals_take_no_place_that_is_taken_not_even_on_a_spiral() -> None:
    standing = np.array([[0.0, 0.0], [10.0, 10.0]])
    first = fan_out(standing, np.zeros((3, 2)))
    second = fan_out(np.concatenate([standing, first]), np.zeros((3, 2)))
    everything = np.concatenate([standing, first, second])
    assert len(np.unique(everything, axis=0)) == len(everything)
    assert np.linalg.norm(everything[2:], axis=1).max() < 1.0


def test_arrivals_on_free_places_stay_there() -> None:
    np.testing.assert_array_equal(fan_out(np.zeros((1, 2)), np.array([[1.0, 2.0]])), [[1.0, 2.0]])


@pytest.fixture
def arrays(held_out: HeldOut) -> dict[str, NDArray[np.generic]]:
    topics = held_out.fitted.topics
    return {
        "vectors": held_out.fitted.vectors,
        "positions": held_out.fitted.positions,
        "projection": np.asarray(held_out.fitted.projection),
        "nearest_topic": topics.nearest_topic,
        "is_outlier": topics.is_outlier,
        "memberships": topics.memberships,
        "new": held_out.vectors,
        "standing": held_out.fitted.positions,
    }


def test_the_steps_of_an_update_place_as_the_functions_do(
    held_out: HeldOut, arrays: dict[str, NDArray[np.generic]]
) -> None:
    options = parameter_options(held_out.parameters)
    on_map = _work("place_on_map", arrays, options, lambda done, total: None)
    expected = place_on_map(held_out.fitted, held_out.vectors, held_out.fitted.positions, held_out.parameters)
    np.testing.assert_array_equal(on_map.arrays["positions"], expected)
    in_topics = _work("place_in_topics", arrays, options, lambda done, total: None)
    found = place_in_topics(held_out.fitted, held_out.vectors, held_out.parameters)
    np.testing.assert_array_equal(in_topics.arrays["memberships"], found.topics.memberships)
    np.testing.assert_array_equal(in_topics.arrays["projection"], found.projection)
    del arrays["projection"]
    borrowed = _work("place_in_topics", arrays, options, lambda done, total: None)
    assert borrowed.notices == (NO_PROJECTION,)
    assert borrowed.arrays["projection"].shape == (len(held_out.vectors), 0)


@pytest.mark.slow
def test_a_child_process_places_as_this_one_does(held_out: HeldOut, arrays: dict[str, NDArray[np.generic]]) -> None:
    reports: list[tuple[int, int]] = []
    options = parameter_options(held_out.parameters)
    on_map = run_stage("place_on_map", arrays, options, progress=lambda *report: reports.append(report))
    expected = place_on_map(held_out.fitted, held_out.vectors, held_out.fitted.positions, held_out.parameters)
    np.testing.assert_array_equal(on_map.arrays["positions"], expected)
    assert max(total for _, total in reports) > 1


def test_placing_can_be_cancelled(held_out: HeldOut) -> None:
    def stop(done: int, total: int) -> None:
        raise Cancelled("The work was stopped.")

    with pytest.raises(Cancelled):
        place_on_map(held_out.fitted, held_out.vectors, held_out.fitted.positions, held_out.parameters, progress=stop)
    # The bar's lock is free again.
    place_on_map(
        held_out.fitted,
        held_out.vectors,
        held_out.fitted.positions,
        held_out.parameters,
        progress=lambda done, total: None,
    )
