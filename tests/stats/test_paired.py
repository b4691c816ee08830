import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy import stats

from narrative_core.errors import InvalidInput
from narrative_core.stats.intervals import mean_estimate
from narrative_core.stats.paired import paired_difference

SAME = 1e-9
NAN = float("nan")

SLEEP = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0], [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
"""Student (1908), hours of sleep gained by two drugs: t = −4.0621, p = 0.002833, as R's page on t.test prints."""

halves = st.integers(-10, 10).map(lambda half: half / 2)


def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def test_students_example_comes_out_as_printed() -> None:
    found = paired_difference(*SLEEP, rng=rng())
    assert found.difference.value == pytest.approx(-1.58, abs=SAME)
    assert (round(found.t, 4), round(found.p, 6)) == (-4.0621, 0.002833)
    assert found.d_z == pytest.approx(found.difference.value / found.sd, abs=SAME)
    assert found.difference.low < -1.58 < found.difference.high < 0


@settings(deadline=None)
@given(arrays(np.float64, st.tuples(st.just(2), st.integers(2, 25)), elements=halves))
def test_the_test_is_scipys(both: NDArray[np.float64]) -> None:
    first, second = both
    found = paired_difference(first, second, rng=rng(), n_resamples=1)
    differences = first - second
    assert found.difference.value == pytest.approx(differences.mean(), abs=SAME)
    assert found.sd == pytest.approx(differences.std(ddof=1), abs=SAME)
    if np.ptp(differences) == 0:
        assert np.isnan([found.t, found.p, found.d_z]).all()
    else:
        theirs = stats.ttest_rel(first, second)
        assert (found.t, found.p) == pytest.approx((theirs.statistic, theirs.pvalue), rel=SAME, abs=SAME)
        assert found.d_z == pytest.approx(differences.mean() / differences.std(ddof=1), abs=SAME)


def test_a_story_with_nan_in_either_is_skipped_and_counted() -> None:
    first, second = SLEEP
    holed = paired_difference([NAN, *first, 1.0], [2.0, *second, NAN], [99, *range(10), 99], rng=rng())
    plain = paired_difference(*SLEEP, rng=rng())
    assert (holed.difference.n, holed.difference.n_skipped) == (10, 2)
    assert (holed.difference.low, holed.difference.high, holed.t) == (
        plain.difference.low,
        plain.difference.high,
        plain.t,
    )


def test_without_pairs_every_story_is_its_own() -> None:
    assert paired_difference(*SLEEP, rng=rng()) == paired_difference(*SLEEP, list("abcdefghij"), rng=rng())


def test_copies_of_the_stories_of_a_pair_leave_the_interval_as_it_is() -> None:
    plain = paired_difference(*SLEEP, rng=rng()).difference
    first, second = SLEEP
    copied = paired_difference(first * 3, second * 3, [*range(10)] * 3, rng=rng()).difference
    assert (copied.low, copied.high) == pytest.approx((plain.low, plain.high), abs=SAME)


def test_the_interval_is_that_of_the_mean_of_the_differences() -> None:
    first, second = (np.array(values) for values in SLEEP)
    found = paired_difference(first, second, rng=rng()).difference
    mean = mean_estimate(first - second, range(10), rng=rng())
    assert (mean.value, mean.low, mean.high) == pytest.approx((found.value, found.low, found.high), abs=SAME)


def test_swapped_measures_have_the_opposite_difference() -> None:
    one, other = paired_difference(*SLEEP, rng=rng()), paired_difference(*SLEEP[::-1], rng=rng())
    mirrored = -one.difference.value, -one.difference.high, -one.difference.low, -one.t, -one.d_z, one.p
    theirs = other.difference.value, other.difference.low, other.difference.high, other.t, other.d_z, other.p
    assert theirs == pytest.approx(mirrored, abs=SAME)


@pytest.mark.parametrize(("first", "second"), [([], []), ([NAN, 1.0], [1.0, NAN])])
def test_without_a_story_all_is_nan(first: list[float], second: list[float]) -> None:
    found = paired_difference(first, second, rng=rng())
    assert np.isnan([found.difference.value, found.difference.low, found.sd, found.t, found.p, found.d_z]).all()
    assert found.difference.n_skipped == len(first)


def test_a_single_story_has_a_difference_and_nothing_else() -> None:
    found = paired_difference([2.0], [0.5], rng=rng())
    assert found.difference.value == 1.5
    assert np.isnan([found.difference.low, found.sd, found.t, found.p, found.d_z]).all()


def test_differences_that_are_equal_but_for_rounding_have_no_t() -> None:
    second = np.linspace(20.1, 93.7, 12)
    found = paired_difference(second + 0.001, second, rng=rng())
    assert found.sd == 0.0
    assert np.isnan([found.t, found.p, found.d_z]).all()
    assert found.difference.value == pytest.approx(0.001, abs=SAME)
    assert found.difference.low == pytest.approx(0.001, abs=SAME)


def test_measures_that_do_not_match_are_refused() -> None:
    with pytest.raises(InvalidInput, match="first 2, second 3"):
        paired_difference([1, 2], [1, 2, 3], rng=rng())
    with pytest.raises(InvalidInput, match="second must be finite"):
        paired_difference([1, 2], [1, -math.inf], rng=rng())
