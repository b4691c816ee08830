"""Empty stretches of a map: closed where they are long, and nothing else is moved."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core.map_gaps import FEWEST, close_gaps


def cloud(n: int, *, centre: tuple[float, float], seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-1, 1, (n, 2)) + centre


def test_a_far_group_comes_nearer_and_both_groups_keep_their_shape() -> None:
    near, far = cloud(80, centre=(0, 0)), cloud(9, centre=(1, -12), seed=1)
    closed = close_gaps(np.vstack([near, far]))
    np.testing.assert_allclose(closed[:80] - closed[0], near - near[0], atol=1e-12)
    np.testing.assert_allclose(closed[80:] - closed[80], far - far[0], atol=1e-12)
    whole = np.ptp(np.vstack([near, far])[:, 1])
    gap = closed[:80, 1].min() - closed[80:, 1].max()
    assert abs(gap - whole / 10) < 1e-9
    np.testing.assert_array_equal(closed[:, 0], np.vstack([near, far])[:, 0])


def test_a_map_without_long_gaps_and_one_of_few_documents_stay_as_they_are() -> None:
    whole = cloud(200, centre=(3, 4))
    np.testing.assert_array_equal(close_gaps(whole), whole)
    few = np.array([[0.0, 0.0], [1.0, 1.0], [9.0, 9.0]])
    np.testing.assert_array_equal(close_gaps(few), few)
    assert close_gaps(np.empty((0, 2))).shape == (0, 2)
    assert close_gaps(np.ones((FEWEST, 2), dtype=np.float32)).dtype == np.float64


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(-1e3, 1e3), st.floats(-1e3, 1e3)), min_size=FEWEST, max_size=FEWEST + 20))
def test_the_order_along_each_axis_stays(points: list[tuple[float, float]]) -> None:
    places = np.array(points)
    closed = close_gaps(places)
    for axis in (0, 1):
        order = np.argsort(places[:, axis], kind="stable")
        assert (np.diff(closed[order, axis]) >= -1e-9).all()
        assert np.ptp(closed[:, axis]) <= np.ptp(places[:, axis]) + 1e-9
