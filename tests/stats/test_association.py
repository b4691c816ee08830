import math
import warnings

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy import stats

from narrative_core.errors import InvalidInput
from narrative_core.estimates import Association, Estimate
from narrative_core.stats.association import association, weighted_pearson, weighted_spearman

SAME = 1e-9
NAN = float("nan")

LAW_SCHOOLS = (
    [576, 635, 558, 578, 666, 580, 555, 661, 651, 605, 653, 575, 545, 572, 594],
    [3.39, 3.30, 2.81, 3.03, 3.44, 3.07, 3.00, 3.43, 3.36, 3.13, 3.12, 2.74, 2.76, 2.88, 2.96],
)
"""Efron and Tibshirani (1993), table 3.1: mean LSAT and GPA of fifteen law schools; r = 0.776."""

TELEVISION = [106, 100, 86, 101, 99, 103, 97, 113, 112, 110], [7, 27, 2, 50, 28, 29, 20, 12, 6, 17]
"""The worked example of Wikipedia's article on Spearman's correlation: IQ and hours a week; ρ = −29/165, p = 0.627."""

halves = st.integers(-8, 8).map(lambda half: half / 2)


@st.composite
def two_numbers(draw: st.DrawFn, least: int = 3) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    n = draw(st.integers(least, 25))
    return draw(arrays(np.float64, n, elements=halves)), draw(arrays(np.float64, n, elements=halves))


def associate(x: object, y: object, pairs: object = None, *, seed: int = 3, n_resamples: int = 200) -> Association:
    labels = np.arange(len(x)) if pairs is None else pairs  # type: ignore[arg-type]
    return association(x, y, labels, rng=np.random.default_rng(seed), n_resamples=n_resamples)  # type: ignore[arg-type]


def ends(estimate: Estimate) -> tuple[float, float, float]:
    return estimate.value, estimate.low, estimate.high


def quietly(correlation: object, x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[float, float]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = correlation(x, y)  # type: ignore[operator]
    return float(found.statistic), float(found.pvalue)


def test_r_of_the_law_schools_is_the_printed_one() -> None:
    assert round(associate(*LAW_SCHOOLS).pearson.value, 3) == 0.776


def test_rho_of_the_worked_example_is_the_printed_one() -> None:
    found = associate(*TELEVISION)
    assert found.spearman.value == pytest.approx(-29 / 165, abs=SAME)
    assert round(found.spearman_p, 3) == 0.627


@settings(deadline=None)
@given(two_numbers())
def test_both_coefficients_and_their_p_are_scipys(both: tuple[NDArray[np.float64], NDArray[np.float64]]) -> None:
    found = associate(*both, n_resamples=1)
    for ours, p, theirs in [
        (found.pearson, found.pearson_p, stats.pearsonr),
        (found.spearman, found.spearman_p, stats.spearmanr),
    ]:
        value, theirs_p = quietly(theirs, *both)
        assert ours.value == pytest.approx(value, abs=SAME, nan_ok=True)
        if not abs(value) > 1 - SAME:  # there p is 0, or what rounding makes of it
            assert p == pytest.approx(theirs_p, rel=1e-8, abs=SAME, nan_ok=True)


@pytest.mark.parametrize("seed", range(8))
def test_both_are_scipys_for_numbers_without_ties_far_from_zero(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = 1e5 + rng.normal(size=int(rng.integers(3, 400)))
    y = 0.4 * x + rng.normal(size=len(x))
    found = associate(x, y, n_resamples=1)
    expected = (*quietly(stats.pearsonr, x, y), *quietly(stats.spearmanr, x, y))
    ours = found.pearson.value, found.pearson_p, found.spearman.value, found.spearman_p
    assert ours == pytest.approx(expected, rel=1e-7, abs=SAME)


@settings(max_examples=40, deadline=None)
@given(two_numbers(least=1), st.data())
def test_a_story_of_weight_w_counts_as_w_equal_stories(
    both: tuple[NDArray[np.float64], NDArray[np.float64]], data: st.DataObject
) -> None:
    x, y = both
    times = data.draw(arrays(np.int64, (len(x), 2), elements=st.integers(0, 3)))
    for weighted, plain in [(weighted_pearson, stats.pearsonr), (weighted_spearman, stats.spearmanr)]:
        values = weighted(x, y)(times.astype(np.float64))
        for column in range(2):
            repeated = np.repeat(x, times[:, column]), np.repeat(y, times[:, column])
            expected = quietly(plain, *repeated)[0] if len(repeated[0]) >= 3 else NAN
            assert values[column] == pytest.approx(expected, abs=SAME, nan_ok=True)


def test_a_resample_that_holds_one_value_only_is_undefined_whatever_rounding_leaves_of_its_variance() -> None:
    x, y = np.random.default_rng(0).normal(0.1, 1, size=(2, 50))
    for weighted in (weighted_pearson, weighted_spearman):
        assert np.isnan(weighted(x, y)(5 * np.eye(50))).all()
    equal = np.full(50, 0.1)
    assert np.isnan(weighted_pearson(equal, y)(np.ones((50, 1)))).all()


@settings(max_examples=40, deadline=None)
@given(two_numbers(least=8))
def test_rising_maps_of_the_numbers_change_nothing_of_rho(
    both: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> None:
    x, y = both
    plain, mapped = associate(x, y), associate(np.exp(x), y**3 + 7)
    assert ends(mapped.spearman) == pytest.approx(ends(plain.spearman), abs=SAME, nan_ok=True)


@settings(max_examples=40, deadline=None)
@given(two_numbers(least=8), st.floats(-100, 100), st.floats(0.1, 100))
def test_shifting_and_stretching_change_nothing_of_r(
    both: tuple[NDArray[np.float64], NDArray[np.float64]], shift: float, stretch: float
) -> None:
    x, y = both
    plain, moved, turned = associate(x, y), associate(stretch * x + shift, y), associate(-x, y)
    assert ends(moved.pearson) == pytest.approx(ends(plain.pearson), abs=1e-7, nan_ok=True)
    value, low, high = ends(plain.pearson)
    assert ends(turned.pearson) == pytest.approx((-value, -high, -low), abs=1e-7, nan_ok=True)


def test_x_and_y_are_alike() -> None:
    x, y = LAW_SCHOOLS
    one, other = associate(x, y), associate(y, x)
    assert ends(one.pearson) == pytest.approx(ends(other.pearson), abs=SAME)
    assert ends(one.spearman) == pytest.approx(ends(other.spearman), abs=SAME)


def test_a_story_with_nan_in_either_is_skipped_with_its_pair_and_counted() -> None:
    x, y = (np.array(values, dtype=np.float64) for values in LAW_SCHOOLS)
    pairs = np.arange(15) // 2 + 4
    holed = associate(np.insert(x, 3, NAN), np.insert(y, 3, 3.0), np.insert(pairs, 3, 99))
    holed_y = associate(np.append(x, 600), np.append(y, NAN), np.append(pairs, 99))
    plain = associate(x, y, pairs)
    for found in (holed, holed_y):
        assert (found.pearson.n, found.pearson.n_skipped, found.spearman.n, found.spearman.n_skipped) == (15, 1, 15, 1)
        assert ends(found.pearson) == ends(plain.pearson)
        assert ends(found.spearman) == ends(plain.spearman)
    assert (plain.pearson.n, plain.pearson.n_skipped) == (15, 0)


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([], []),
        ([1.0], [2.0]),
        ([1.0, 2.0], [2.0, 5.0]),
        ([NAN] * 9, [1.0] * 9),
        ([0.3] * 9, list(range(9))),
        (list(range(10)), [0.1 + 0.2, 0.3] * 5),
    ],
    ids=["none", "one", "two", "all nan", "constant", "constant but for rounding"],
)
def test_what_is_undefined_is_nan(x: list[float], y: list[float]) -> None:
    found = associate(x, y)
    assert all(math.isnan(value) for value in (*ends(found.pearson), *ends(found.spearman)))
    assert math.isnan(found.pearson_p)
    assert math.isnan(found.spearman_p)


def test_a_perfect_line_has_p_0_and_an_interval_without_width() -> None:
    x = np.linspace(0.1, 0.9, 20)
    found = associate(x, 3 - 0.7 * x)
    assert ends(found.pearson) == pytest.approx((-1, -1, -1), abs=SAME)
    assert ends(found.spearman) == pytest.approx((-1, -1, -1), abs=SAME)
    assert found.pearson_p == pytest.approx(0, abs=1e-60)
    assert found.spearman_p == 0


@settings(max_examples=40, deadline=None)
@given(two_numbers(least=8))
def test_intervals_stay_within_what_a_correlation_can_be(
    both: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> None:
    found = associate(*both)
    for estimate in (found.pearson, found.spearman):
        assume(not math.isnan(estimate.low))
        assert -1 <= estimate.low <= estimate.high <= 1


def test_lists_that_do_not_match_are_refused() -> None:
    with pytest.raises(InvalidInput, match="x 3, y 2, pairs 3"):
        associate([1, 2, 3], [1, 2], [1, 2, 3])
    with pytest.raises(InvalidInput, match="y must be finite"):
        associate([1, 2], [1, math.inf])
