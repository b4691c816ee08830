import numpy as np
import pytest
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput
from narrative_core.records import LandscapeParameters
from narrative_core.space.clustering import Clustering, cluster, cluster_and_predict
from narrative_core.space.landscape_parameters import shrink_parameters
from narrative_core.space.projection import lay_out, project
from narrative_core.space.topics import label_topics

PARAMETERS = LandscapeParameters()


def require_sound(found: Clustering, n: int) -> None:
    """What every clustering promises, whatever the points."""
    k = found.n_topics
    assert found.nearest_topic.shape == found.is_outlier.shape == (n,)
    assert found.memberships.shape == (n, k)
    assert (found.nearest_topic.dtype.name, found.is_outlier.dtype.name) == ("int64", "bool")
    assert np.isfinite(found.memberships).all()
    assert (found.memberships >= 0).all()
    assert (found.memberships.sum(axis=1) <= 1 + 1e-9).all()
    if k == 0:
        assert (found.nearest_topic == -1).all()
        assert found.is_outlier.all()
        assert found.notices
    else:
        sizes = np.bincount(found.nearest_topic, minlength=k)
        assert (sizes > 0).all()
        assert (np.diff(sizes) <= 0).all()


@pytest.mark.parametrize("n", [1, 2, 3, 5, 10, 50, 300])
def test_any_number_of_documents_goes_from_vectors_to_labels(n: int) -> None:
    rng = np.random.default_rng(n)
    vectors = rng.normal(size=(n, 64))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    parameters, notices = shrink_parameters(PARAMETERS, n)
    assert bool(notices) is (n < 192)
    projection = project(vectors, parameters)
    assert projection.shape == (n, parameters.n_components)
    assert np.isfinite(projection).all()
    positions = lay_out(vectors, parameters)
    assert positions.shape == (n, 2)
    assert np.isfinite(positions).all()
    found = cluster(projection, parameters)
    require_sound(found, n)
    texts = [f"moon word{'abcdefgh'[i % 8]} rocket" for i in range(n)]
    topics = label_topics(texts, found.nearest_topic, found.is_outlier, stop=())
    assert [topic.topic for topic in topics] == list(range(found.n_topics))
    assert sum(topic.size for topic in topics) == (n if topics else 0)
    assert len({topic.label for topic in topics}) == len(topics)


def test_well_separated_groups_are_topics_numbered_by_size(blobs: NDArray[np.float32]) -> None:
    shuffled = np.random.default_rng(3).permutation(len(blobs))
    found = cluster(blobs[shuffled], PARAMETERS)
    require_sound(found, len(blobs))
    groups = np.repeat(np.arange(4), [30, 25, 20, 15])[shuffled]
    np.testing.assert_array_equal(found.nearest_topic, groups)
    core = ~found.is_outlier
    np.testing.assert_array_equal(found.memberships[core].argmax(axis=1), groups[core])


def test_an_outlier_keeps_its_nearest_topic(blobs: NDArray[np.float32]) -> None:
    stray = 3.5 * blobs[55:75].mean(axis=0)
    found = cluster(np.vstack([blobs, stray]), PARAMETERS)
    assert found.is_outlier[-1]
    assert found.nearest_topic[-1] == 2
    assert found.memberships[-1].argmax() == 2


@pytest.mark.parametrize("precision", [np.float16, np.float32, np.float64])
def test_projections_of_any_precision_are_taken(blobs: NDArray[np.float32], precision: type[np.floating]) -> None:
    assert cluster(blobs.astype(precision), PARAMETERS).n_topics == 4


def test_equal_points_are_one_topic_with_a_notice() -> None:
    found = cluster(np.ones((20, 3)), PARAMETERS)
    require_sound(found, 20)
    assert found.n_topics == 1
    assert not found.is_outlier.any()
    assert (found.memberships == 1).all()
    assert found.notices == ("All documents have the same vector, so they form one topic.",)


def test_repeated_points_have_finite_memberships_in_their_own_topic() -> None:
    points = np.repeat(np.random.default_rng(5).normal(size=(6, 4)), 20, axis=0)
    found = cluster(points, PARAMETERS)
    require_sound(found, 120)
    assert found.n_topics == 6
    assert not found.notices
    for group in found.nearest_topic.reshape(6, 20):
        assert len(set(group.tolist())) == 1


@pytest.mark.parametrize("seed", range(40))
def test_any_points_give_a_sound_clustering(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, d, smallest = int(rng.integers(9, 120)), int(rng.integers(1, 12)), int(rng.integers(2, 9))
    kinds = (
        rng.normal(size=(n, d)),
        np.repeat(rng.normal(size=(n, d)), 2, axis=0),
        rng.integers(0, 3, size=(n, d)).astype(float),
        np.vstack([np.repeat(rng.normal(size=(3, d)) * 5, smallest + 2, axis=0), rng.normal(size=(n, d))]),
    )
    points = kinds[seed % 4]
    require_sound(cluster(points, LandscapeParameters(min_cluster_size=smallest)), len(points))


@pytest.mark.parametrize(
    "points",
    [
        np.random.default_rng(0).normal(size=(200, 48)) * 0.01,
        np.random.default_rng(1).uniform(size=(60, 40)),
        np.vstack([np.zeros((50, 3)), np.random.default_rng(2).normal(size=(3, 3))]),
    ],
    ids=["one tight blob", "pure noise", "one place and three strays"],
)
def test_where_nothing_stands_out_there_is_no_topic_and_a_notice(points: NDArray[np.float64]) -> None:
    found = cluster(points, PARAMETERS)
    require_sound(found, len(points))
    assert found.n_topics == 0
    assert found.notices == ("No topics stand out in this collection; every link counts as on topic.",)


@pytest.mark.parametrize(("n", "said"), [(0, "0 documents are"), (1, "1 document is"), (8, "8 documents are")])
def test_too_few_documents_have_no_topic_and_a_notice(n: int, said: str) -> None:
    found = cluster(np.random.default_rng(0).normal(size=(n, 2)), PARAMETERS)
    require_sound(found, n)
    assert found.notices[0].startswith(f"{said} too few")


class FakeModel:
    """What HDBSCAN returns when it finds one group, or rows that it cannot compute."""

    def __init__(self, labels: list[int], probabilities: list[float]) -> None:
        self.labels_ = np.array(labels)
        self.probabilities_ = np.array(probabilities)

    def fit(self, points: NDArray[np.float64]) -> "FakeModel":
        return self


def test_one_group_has_one_column_of_memberships(monkeypatch: pytest.MonkeyPatch) -> None:
    labels = [0] * 9 + [-1]
    monkeypatch.setattr("hdbscan.HDBSCAN", lambda **_: FakeModel(labels, [1.0] * 9 + [0.0]))
    found = cluster(np.arange(20.0).reshape(10, 2), PARAMETERS)
    require_sound(found, 10)
    assert found.memberships[:, 0].tolist() == [1.0] * 9 + [0.0]
    assert found.nearest_topic.tolist() == [0] * 10
    assert found.is_outlier.tolist() == [False] * 9 + [True]
    assert found.notices == (
        "Only one topic stands out in this collection; every link counts as on topic.",
        "1 document has no topic strengths, so every topic counts the same there.",
    )


def test_rows_without_memberships_are_zero_take_the_nearest_centre_and_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    points = np.array([[0.0, 0], [1, 0], [0, 1], [10, 10], [11, 10], [10, 11], [10, 12], [9, 9], [1, 1]])
    memberships = np.array([[0.9, 0.1]] * 3 + [[0.1, 0.9]] * 4 + [[np.nan, np.nan], [0.0, 0.0]])
    monkeypatch.setattr("hdbscan.HDBSCAN", lambda **_: FakeModel([0] * 3 + [1] * 4 + [-1, -1], []))
    monkeypatch.setattr("hdbscan.all_points_membership_vectors", lambda model: memberships)
    found = cluster(points, PARAMETERS)
    require_sound(found, 9)
    assert found.nearest_topic.tolist() == [1, 1, 1, 0, 0, 0, 0, 0, 1]
    assert found.memberships[0].tolist() == [0.1, 0.9]
    assert found.memberships[7:].tolist() == [[0, 0], [0, 0]]
    assert found.notices == ("2 documents have no topic strengths, so every topic counts the same there.",)


@pytest.mark.parametrize("points", [np.zeros(4), np.array([[np.nan, 1.0]]), np.array([[np.inf, 1.0]])])
def test_what_is_no_finite_table_is_refused(points: NDArray[np.float64]) -> None:
    with pytest.raises(InvalidInput, match="finite table"):
        cluster(points, PARAMETERS)


def test_other_points_belong_where_their_like_belongs_and_change_nothing(blobs: NDArray[np.float32]) -> None:
    is_other = np.arange(len(blobs)) % 5 == 0
    found, others = cluster_and_predict(blobs[~is_other], blobs[is_other], PARAMETERS)
    alone = cluster(blobs[~is_other], PARAMETERS)
    for name in ("nearest_topic", "is_outlier", "memberships"):
        np.testing.assert_array_equal(getattr(found, name), getattr(alone, name))
    assert others is not None
    groups = np.repeat(np.arange(4), [30, 25, 20, 15])
    np.testing.assert_array_equal(others.nearest_topic, groups[is_other])
    assert others.memberships.shape == (int(is_other.sum()), 4)
    _, one = cluster_and_predict(blobs[~is_other], blobs[is_other][:1], PARAMETERS)
    assert one is not None
    np.testing.assert_array_equal(one.memberships, others.memberships[:1])


def test_points_far_from_every_group_are_outliers_among_the_others(blobs: NDArray[np.float32]) -> None:
    _, others = cluster_and_predict(blobs, -10 * blobs[:1], PARAMETERS)
    assert others is not None
    assert others.is_outlier.tolist() == [True]
    assert np.isfinite(others.memberships).all()


@pytest.mark.parametrize("points", [np.ones((20, 2)), np.arange(4.0).reshape(2, 2)], ids=["equal", "too few"])
def test_where_nothing_was_fitted_nothing_is_predicted(points: NDArray[np.float64]) -> None:
    found, others = cluster_and_predict(points, points, PARAMETERS)
    assert others is None
    np.testing.assert_array_equal(found.memberships, cluster(points, PARAMETERS).memberships)
