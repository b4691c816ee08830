import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from narrative_core.trails.measures import (
    mean_strength,
    path_efficiency,
    reliability,
    weak_links,
    weak_share,
    weakest_link,
)

strengths = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=8)


def on_a_circle(*degrees: float) -> NDArray[np.float64]:
    radians = np.radians(degrees)
    return np.column_stack([np.cos(radians), np.sin(radians)])


def random_rows(n: int, seed: int) -> NDArray[np.float64]:
    rows = np.random.default_rng(seed).normal(size=(n, 5))
    unit: NDArray[np.float64] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def test_reliability_is_the_geometric_mean() -> None:
    assert reliability([0.2, 0.4, 0.8]) == pytest.approx(0.4, abs=1e-15)
    assert reliability([0.25]) == 0.25


def test_one_broken_link_leaves_no_reliability() -> None:
    assert reliability([0.9, 0.0, 0.9]) == 0.0


def test_mean_strength_is_the_arithmetic_mean() -> None:
    assert mean_strength([0.2, 0.4, 0.9]) == pytest.approx(0.5, abs=1e-15)


def test_the_weakest_link_is_the_first_of_the_smallest() -> None:
    assert weakest_link([0.5, 0.3, 0.3, 0.4]) == 1
    assert weakest_link([0.5]) == 0


def test_a_link_at_the_median_is_not_weak_and_one_below_is() -> None:
    assert weak_links([0.6, 0.7, 0.5, 0.69], median_link=0.7) == (True, False, True, True)


def test_the_weakest_link_is_weak_in_a_strong_story_too() -> None:
    assert weak_links([0.9, 0.8], median_link=0.1) == (False, True)


def test_without_a_median_only_the_weakest_link_is_weak() -> None:
    assert weak_links([0.2, 0.1, 0.1], median_link=math.nan) == (False, True, False)


@given(strengths)
def test_bottleneck_reliability_and_mean_come_in_this_order(values: list[float]) -> None:
    assert min(values) <= reliability(values) + 1e-12
    assert reliability(values) <= mean_strength(values) + 1e-12


@given(strengths, st.floats(0.0, 1.0))
def test_the_weakest_link_is_the_bottleneck_and_always_weak(values: list[float], median: float) -> None:
    assert values[weakest_link(values)] == min(values)
    assert weak_links(values, median)[weakest_link(values)]


@pytest.mark.parametrize(
    ("values", "median", "expected"),
    [
        ([0.6, 0.7, 0.5, 0.9], 0.7, 0.5),  # one at the median is not below it
        ([0.9, 0.8], 0.1, 0.0),
        ([0.1], 0.5, 1.0),
        ([0.1, 0.2, 0.9], 0.3, 2 / 3),
    ],
)
def test_the_share_of_weak_links_is_of_those_below_the_median(
    values: list[float], median: float, expected: float
) -> None:
    assert weak_share(values, median) == pytest.approx(expected, abs=1e-15)


def test_without_a_median_the_share_of_weak_links_is_unknown() -> None:
    assert math.isnan(weak_share([0.1, 0.2], math.nan))


@pytest.mark.parametrize(
    ("degrees", "expected"),
    [
        ((0, 30, 90), 1.0),
        ((0, 90, 45), 1 / 3),
        ((0, 60, 120, 180), 1.0),
        ((0, 120, 240), 1 / 2),  # 240° one way is 120° the other
        ((0, 50, 0), 0.0),
        ((0, 0, 40, 40), 1.0),
    ],
)
def test_directness_is_the_angle_of_the_ends_over_the_way(degrees: tuple[float, ...], expected: float) -> None:
    assert path_efficiency(on_a_circle(*degrees)) == pytest.approx(expected, abs=1e-12)


@given(st.integers(2, 9), st.integers(0, 999), st.sampled_from([np.float32, np.float64]))
def test_no_story_is_more_than_direct_and_it_is_as_direct_backwards(
    n: int, seed: int, dtype: type[np.floating]
) -> None:
    rows = random_rows(n, seed).astype(dtype)
    efficiency = path_efficiency(rows)
    assert 0.0 <= efficiency <= 1.0
    assert path_efficiency(rows[::-1]) == pytest.approx(efficiency, abs=1e-12)


@given(st.lists(st.floats(0, 179), min_size=2, max_size=8).map(sorted).filter(lambda v: v[-1] - v[0] > 1))
def test_a_straight_way_is_one_and_not_a_rounding_more(degrees: list[float]) -> None:
    efficiency = path_efficiency(on_a_circle(*degrees))
    assert efficiency <= 1.0
    assert efficiency == pytest.approx(1.0, abs=1e-12)


@given(st.floats(1e-6, math.pi), st.sampled_from([np.float32, np.float64]))
def test_two_documents_are_exactly_direct(angle: float, dtype: type[np.floating]) -> None:
    assert path_efficiency(np.array([[1.0, 0.0], [math.cos(angle), math.sin(angle)]], dtype=dtype)) == 1.0


def test_documents_that_are_nearly_alike_have_their_true_angles() -> None:
    step = math.degrees(1e-9)  # whose cosine is 1 in double precision
    assert path_efficiency(on_a_circle(0, 2 * step, step)) == pytest.approx(1 / 3, abs=1e-6)


@pytest.mark.parametrize("n", [0, 1, 2, 4])
def test_documents_that_are_all_alike_have_no_directness(n: int) -> None:
    assert math.isnan(path_efficiency(np.tile(random_rows(1, 0).astype(np.float32), (n, 1))))
