import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.figures.scales import spread, value_range


def test_the_range_holds_every_value_with_air_on_both_sides() -> None:
    low, high = value_range([0.4, 0.6, 0.5])
    assert 0 < low < 0.4 and 0.6 < high < 1


def test_the_range_never_leaves_the_scale_of_coherence() -> None:
    assert value_range([0.0, 1.0]) == (0.0, 1.0)


def test_the_range_of_equal_values_is_not_blown_up() -> None:
    assert value_range([0.5, 0.5]) == (0.46, 0.54)


@pytest.mark.parametrize("values", [[], [math.nan], [math.inf, math.nan]])
def test_without_a_known_value_the_range_is_the_whole_scale(values: list[float]) -> None:
    assert value_range(values) == (0.0, 1.0)


def test_unknown_values_do_not_move_the_range() -> None:
    assert value_range([0.4, math.nan, 0.6]) == value_range([0.4, 0.6])


def test_labels_that_do_not_touch_stay_where_they_are() -> None:
    assert spread([0.9, 0.1, 0.5], [0.2, 0.2, 0.2]) == [0.9, 0.1, 0.5]


def test_labels_of_different_height_are_stacked_around_their_mean() -> None:
    assert spread([0.5, 0.5], [0.2, 0.4]) == [0.3, 0.6]


LABELS = st.lists(st.tuples(st.floats(0, 1), st.floats(0.01, 0.3)), min_size=1, max_size=6)


@given(LABELS)
def test_spread_labels_never_overlap_and_keep_their_order(labels: list[tuple[float, float]]) -> None:
    values, heights = [value for value, _ in labels], [height for _, height in labels]
    middles = spread(values, heights)
    order = sorted(range(len(values)), key=lambda i: values[i])
    for lower, upper in pairwise(order):
        assert middles[upper] - middles[lower] >= (heights[lower] + heights[upper]) / 2 - 1e-5
