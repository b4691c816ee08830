import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.trails.measures import mean_strength, reliability, weak_links, weakest_link

strengths = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=8)


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
