import math
import time
from dataclasses import astuple, replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput
from narrative_core.estimates import Agreement
from narrative_core.stats.agreement import agreement

NAN = float("nan")
MEASURES = slice(0, 7)

SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
"""Table 2 of Shrout and Fleiss (1979): six targets, four judges."""

KRIPPENDORFF = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
    [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
]
"""Part C of Krippendorff (2011): four observers, twelve units; a row an observer."""

SIEGEL = [[1, 6, 3, 2, 5, 4], [1, 5, 6, 4, 2, 3], [6, 3, 2, 5, 4, 1]]
"""Siegel (1956), chapter 9: three executives rank six applicants; a row a judge."""

SIEGEL_TIES = [
    [1, 4.5, 2, 4.5, 3, 7.5, 6, 9, 7.5, 10],
    [2.5, 1, 2.5, 4.5, 4.5, 8, 9, 6.5, 10, 6.5],
    [2, 1, 4.5, 4.5, 4.5, 4.5, 8, 8, 8, 10],
]
"""Kendall's example of three rankings with ties, as in Siegel (1956), chapter 9; a row a judge."""


def measures(found: Agreement) -> tuple[float, ...]:
    return astuple(found)[MEASURES]


@st.composite
def rating_tables(draw: st.DrawFn, *, may_miss: bool = True) -> NDArray[np.float64]:
    shape = draw(st.integers(1, 8)), draw(st.integers(1, 5))
    scores = st.integers(1, 10).map(float) | st.integers(2, 20).map(lambda half: half / 2)
    return draw(arrays(np.float64, shape, elements=scores | st.just(NAN) if may_miss else scores))


def test_icc_is_that_of_the_published_example() -> None:
    found = agreement(SHROUT_FLEISS)
    assert round(found.icc_single, 2) == 0.29
    assert round(found.icc_average, 2) == 0.62


def test_alpha_is_that_of_the_published_example() -> None:
    found = agreement(np.transpose(KRIPPENDORFF))
    assert round(found.krippendorff_alpha, 3) == 0.849
    assert (found.n_used, found.n_complete, found.n_agents) == (11, 8, 4)


def test_w_is_that_of_the_published_example() -> None:
    assert round(agreement(np.transpose(SIEGEL)).kendall_w, 2) == 0.16


def test_w_with_ties_is_that_of_the_published_example() -> None:
    assert round(agreement(np.transpose(SIEGEL_TIES)).kendall_w, 3) == 0.828


def test_pairwise_measures_are_counted_over_the_pairs_there_are() -> None:
    found = agreement([[7, 7, 8], [4, 9, NAN], [5, NAN, NAN]])
    assert found.exact == 1 / 4  # one of three pairs of the first story, none of one of the second
    assert found.within_one == 3 / 4
    assert found.mean_absolute_deviation == pytest.approx(((1 / 3 + 1 / 3 + 2 / 3) / 3 + 2.5) / 2)
    assert (found.n_used, found.n_complete) == (2, 1)


@given(st.integers(2, 6), st.data())
def test_with_scores_at_most_a_point_apart_the_deviation_follows_from_the_exact_share(
    n_agents: int, data: st.DataObject
) -> None:
    rows = data.draw(st.lists(st.lists(st.sampled_from([6, 7]), min_size=n_agents, max_size=n_agents), min_size=1))
    found = agreement(rows)
    assert found.mean_absolute_deviation == pytest.approx((n_agents - 1) / n_agents * (1 - found.exact))
    assert found.within_one == 1


@given(rating_tables(), st.randoms(use_true_random=False))
def test_the_order_of_stories_and_agents_changes_nothing(table: NDArray[np.float64], random: object) -> None:
    rng = np.random.default_rng(random.randrange(2**32))  # type: ignore[attr-defined]
    other = table[rng.permutation(len(table))][:, rng.permutation(table.shape[1])]
    assert measures(agreement(other)) == pytest.approx(measures(agreement(table)), abs=1e-9, nan_ok=True)
    assert astuple(agreement(other))[7:] == astuple(agreement(table))[7:]


@given(rating_tables(), st.floats(-1000, 1000))
def test_a_constant_added_to_all_changes_nothing(table: NDArray[np.float64], constant: float) -> None:
    expected = measures(agreement(table))
    assert measures(agreement(table + constant)) == pytest.approx(expected, abs=1e-7, nan_ok=True)


@given(st.lists(st.floats(1, 10), min_size=2, max_size=8), st.integers(2, 5))
def test_agents_who_say_the_same_agree_perfectly(scores: list[float], n_agents: int) -> None:
    assume(max(scores) - min(scores) > 1e-6)
    found = agreement(np.repeat(np.array(scores)[:, None], n_agents, axis=1))
    assert measures(found) == pytest.approx((1, 1, 1, 1, 0, 1, 1), abs=1e-9)


@given(rating_tables())
def test_what_is_a_share_or_a_concordance_is_within_its_bounds(table: NDArray[np.float64]) -> None:
    found = agreement(table)
    for share in (found.exact, found.within_one, found.kendall_w):
        assert math.isnan(share) or -1e-9 <= share <= 1 + 1e-9
    assert not found.exact > found.within_one
    assert not found.krippendorff_alpha > 1 + 1e-9
    assert not found.icc_single > 1 + 1e-9
    assert not found.mean_absolute_deviation < 0


@given(rating_tables(), rating_tables())
def test_a_story_that_nobody_rated_changes_nothing(table: NDArray[np.float64], other: NDArray[np.float64]) -> None:
    longer = np.vstack([table, np.full((len(other), table.shape[1]), NAN)])
    assert astuple(agreement(longer)) == pytest.approx(astuple(agreement(table)), abs=1e-12, nan_ok=True)


def test_an_agent_that_rated_nothing_is_no_agent() -> None:
    table = np.array(SHROUT_FLEISS, dtype=float)
    assert agreement(np.column_stack([table, np.full(len(table), NAN)])) == agreement(table)


@pytest.mark.parametrize("table", [[], [[]], np.empty((0, 3)), np.empty((4, 0)), np.full((3, 4), NAN), [[5.0]]])
def test_without_a_pair_of_ratings_nothing_is_defined(table: object) -> None:
    found = agreement(table)  # type: ignore[arg-type]
    assert all(math.isnan(measure) for measure in measures(found))
    assert found.n_used == 0


def test_of_one_story_only_the_pairwise_measures_are_defined() -> None:
    found = agreement([[6, 7, 9]])
    assert all(math.isnan(m) for m in (found.icc_single, found.icc_average, found.krippendorff_alpha, found.kendall_w))
    assert (found.exact, found.within_one, found.n_used) == (0, 1 / 3, 1)
    assert found.mean_absolute_deviation == pytest.approx((4 / 3 + 1 / 3 + 5 / 3) / 3)


def test_one_agent_agrees_with_nobody() -> None:
    found = agreement([[6], [7], [9]])
    assert all(math.isnan(measure) for measure in measures(found))
    assert (found.n_used, found.n_agents) == (0, 1)


@pytest.mark.parametrize("value", [0.0, 7.0, 0.1, 0.1 + 0.2, 1e9 / 3])
def test_ratings_that_are_all_equal_agree_exactly_and_have_no_reliability(value: float) -> None:
    found = agreement(np.full((6, 3), value))
    undefined = replace(found, exact=NAN, within_one=NAN, mean_absolute_deviation=NAN)
    assert all(math.isnan(measure) for measure in measures(undefined))
    assert (found.exact, found.within_one, found.mean_absolute_deviation) == (1, 1, 0)


def test_rounding_noise_is_no_variance_and_no_disagreement() -> None:
    noisy = agreement([[0.1 + 0.2, 0.3, 0.3], [0.3, 0.3, 0.1 + 0.2]])
    assert math.isnan(noisy.krippendorff_alpha) and math.isnan(noisy.icc_single) and math.isnan(noisy.kendall_w)
    assert noisy.exact == 1
    criteria = [[(7.1 + 8.2 + 6.3) / 3, (6.3 + 8.2 + 7.1) / 3], [4.0, 4.0]]
    assert agreement(criteria).exact == 1


def test_scores_one_point_apart_are_within_one_whatever_their_last_digit() -> None:
    assert all(agreement([[(thirds + 3) / 3, thirds / 3]]).within_one == 1 for thirds in range(3, 28))
    assert agreement([[7.001, 6.0]]).within_one == 0


def test_stories_that_do_not_differ_have_no_reliability_though_agents_differ() -> None:
    found = agreement([[4, 8], [4, 8], [4, 8]])
    assert (found.icc_single, found.icc_average) == pytest.approx((0, 0), abs=1e-12)
    assert found.krippendorff_alpha < 0
    assert math.isnan(found.kendall_w)


def test_a_denominator_that_cancels_is_undefined_and_not_enormous() -> None:
    assert math.isnan(agreement([[0.1, 0.7], [0.7, 0.1]]).icc_single)
    assert math.isnan(agreement([[5, 2, 1], [3, 1, 1], [1, 2, 5]]).icc_average)


def test_opposite_orders_have_no_concordance() -> None:
    assert agreement([[1, 3], [2, 2], [3, 1]]).kendall_w == 0


@pytest.mark.parametrize(
    ("ratings", "said"),
    [
        ([1.0, 2.0], "two axes"),
        (np.zeros((2, 2, 2)), "two axes"),
        (7.0, "two axes"),
        ([[1.0, float("inf")]], r"finite.*at \(0, 1\)"),
        ([[1.0], [-math.inf]], r"finite.*at \(1, 0\)"),
        ([["good", "bad"]], "table of numbers"),
        ([[1.0, 2.0], [3.0]], "table of numbers"),
    ],
)
def test_what_is_no_table_of_finite_numbers_is_refused(ratings: object, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        agreement(ratings)  # type: ignore[arg-type]


def test_none_is_a_missing_score_and_whole_numbers_are_scores() -> None:
    assert agreement([[7, None], [5, 6], [8, 8]]).n_used == 2  # type: ignore[list-item]


def test_the_ratings_of_the_caller_are_left_alone() -> None:
    table = np.array([[0.1 + 0.2, 0.3], [NAN, 4.0]])
    before = table.copy()
    agreement(table)
    np.testing.assert_array_equal(table, before)


@pytest.mark.parametrize(
    ("small", "large"),
    [((2_000, 5), (10_000, 5)), ((5_000, 2), (25_000, 2)), ((5, 2_000), (5, 10_000)), ((2, 5_000), (2, 25_000))],
)
def test_time_grows_with_the_ratings_and_not_with_their_pairs(small: tuple[int, int], large: tuple[int, int]) -> None:
    rng = np.random.default_rng(0)
    few, many = (min(_seconds(rng.integers(1, 11, size=shape)) for _ in range(2)) for shape in (small, large))
    assert many < 15 * few  # five times the ratings; with all pairs of an axis it would be 25 times


def _seconds(table: NDArray[np.int64]) -> float:
    started = time.perf_counter()
    agreement(table)
    return time.perf_counter() - started
