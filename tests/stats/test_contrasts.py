import math
import warnings

import numpy as np
import pingouin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from sklearn.metrics import roc_auc_score

from narrative_core.errors import InvalidInput
from narrative_core.estimates import Contrast, Estimate
from narrative_core.stats.contrasts import contrast, weighted_auc, weighted_cohens_d

SAME = 1e-9
NAN = float("nan")

WELCH = (
    [27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4],
    [27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4],
)
"""The first example of Wikipedia's article on Welch's t-test: t = −2.46, 25.0 degrees of freedom, p = 0.021."""

AGES = [19, 22, 16, 29, 24], [20, 11, 17, 12]
"""The example of scipy's page on mannwhitneyu: U = 17, with the normal approximation p = 0.1113."""

halves = st.integers(-6, 6).map(lambda half: half / 2)
Kinds = tuple[NDArray[np.float64], NDArray[np.float64]]


@st.composite
def two_kinds(draw: st.DrawFn, least: int = 2) -> Kinds:
    sizes = draw(st.integers(least, 16)), draw(st.integers(least, 16))
    return tuple(draw(arrays(np.float64, size, elements=halves)) for size in sizes)  # type: ignore[return-value]


def compare(first: ArrayLike, second: ArrayLike, *, n_resamples: int = 200, per_pair: int = 1) -> Contrast:
    """The i-th of either kind belong to one pair; ``per_pair`` neighbours of a kind share it."""
    labels = [np.arange(len(np.asarray(kind))) // per_pair for kind in (first, second)]
    rng = np.random.default_rng(3)
    return contrast(first, second, first_pairs=labels[0], second_pairs=labels[1], rng=rng, n_resamples=n_resamples)


def ends(estimate: Estimate) -> tuple[float, float, float]:
    return estimate.value, estimate.low, estimate.high


def plain_d(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    if min(len(first), len(second)) == 0 or (np.ptp(first) == 0 and np.ptp(second) == 0):
        return NAN
    squares = sum(float(np.square(kind - kind.mean()).sum()) for kind in (first, second))
    return float((first.mean() - second.mean()) / math.sqrt(squares / (len(first) + len(second) - 2)))


def test_welchs_t_is_that_of_the_printed_example() -> None:
    found = compare(*WELCH)
    assert (round(found.welch_t, 2), round(found.welch_df, 1), round(found.welch_p, 3)) == (-2.46, 25.0, 0.021)


def test_u_is_that_of_the_printed_example() -> None:
    found = compare(*AGES)
    assert found.mann_whitney_u == 17
    assert found.mann_whitney_p == pytest.approx(0.11134688653314041, abs=SAME)
    assert found.auc.value == pytest.approx(17 / 20, abs=SAME)


def test_the_tortoises_beat_the_hares_25_times_in_36() -> None:
    """Wikipedia's article on Mann and Whitney's test: T H H H H H T T T T T H in the order in which they arrive."""
    places = {kind: [-place for place, who in enumerate("THHHHHTTTTTH") if who == kind] for kind in "TH"}
    assert compare(places["T"], places["H"]).mann_whitney_u == 11
    assert compare(places["H"], places["T"]).mann_whitney_u == 25


@settings(deadline=None)
@given(two_kinds())
def test_every_statistic_is_that_of_another_program(kinds: Kinds) -> None:
    found = compare(*kinds, n_resamples=1)
    first, second = kinds
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ranks = stats.mannwhitneyu(first, second, method="asymptotic")
        welch = stats.ttest_ind(first, second, equal_var=False)
    assert found.mann_whitney_u == ranks.statistic
    assert found.mann_whitney_p == pytest.approx(ranks.pvalue, rel=SAME)
    is_first = np.repeat([1, 0], [len(first), len(second)])
    assert found.auc.value == pytest.approx(roc_auc_score(is_first, np.concatenate(kinds)), abs=SAME)
    if np.ptp(first) > 0 or np.ptp(second) > 0:
        tests = found.welch_t, found.welch_df, found.welch_p
        assert tests == pytest.approx((welch.statistic, welch.df, welch.pvalue), rel=SAME, abs=SAME)
        theirs = pingouin.compute_effsize(first, second, eftype="cohen")
        assert found.cohens_d.value == pytest.approx(theirs, rel=SAME, abs=SAME)


@pytest.mark.parametrize("seed", range(8))
def test_every_statistic_is_that_of_another_program_without_ties(seed: int) -> None:
    rng = np.random.default_rng(seed)
    first, second = (rng.normal(1e4, 1 + kind, size=int(rng.integers(2, 300))) + 0.4 * kind for kind in range(2))
    found = compare(first, second, n_resamples=1)
    ranks = stats.mannwhitneyu(first, second, method="asymptotic")
    welch = stats.ttest_ind(first, second, equal_var=False)
    expected = (
        *(pingouin.compute_effsize(first, second, eftype="cohen"), ranks.statistic / len(first) / len(second)),
        *(welch.statistic, welch.df, welch.pvalue, ranks.statistic, ranks.pvalue),
    )
    tests = found.welch_t, found.welch_df, found.welch_p, found.mann_whitney_u, found.mann_whitney_p
    assert (found.cohens_d.value, found.auc.value, *tests) == pytest.approx(expected, rel=1e-8)


@settings(max_examples=40, deadline=None)
@given(two_kinds(least=1), st.data())
def test_a_story_of_weight_w_counts_as_w_equal_stories(kinds: Kinds, data: st.DataObject) -> None:
    values = np.concatenate(kinds)
    is_first = np.arange(len(values)) < len(kinds[0])
    times = data.draw(arrays(np.int64, (len(values), 2), elements=st.integers(0, 3)))
    d, auc = (weighted(values, is_first)(times.astype(float)) for weighted in (weighted_cohens_d, weighted_auc))
    for column in range(2):
        first, second = (np.repeat(values[kind], times[kind, column]) for kind in (is_first, ~is_first))
        assert d[column] == pytest.approx(plain_d(first, second), rel=SAME, abs=SAME, nan_ok=True)
        if min(len(first), len(second)) == 0:
            assert math.isnan(auc[column])
        else:
            is_above = np.sign(first[:, None] - second) / 2 + 0.5
            assert auc[column] == pytest.approx(is_above.mean(), abs=SAME)


def test_a_resample_with_one_value_of_each_kind_has_no_d_whatever_rounding_leaves_of_its_variance() -> None:
    values = np.random.default_rng(0).normal(0.1, 1, size=100)
    weights = 5 * np.tile(np.eye(50), (2, 1))
    assert np.isnan(weighted_cohens_d(values, np.arange(100) < 50)(weights)).all()


@settings(max_examples=40, deadline=None)
@given(two_kinds(least=8))
def test_swapped_kinds_have_the_mirrored_effect(kinds: Kinds) -> None:
    one, other = compare(*kinds), compare(*kinds[::-1])
    value, low, high = ends(one.auc)
    assert ends(other.auc) == pytest.approx((1 - value, 1 - high, 1 - low), abs=SAME, nan_ok=True)
    value, low, high = ends(one.cohens_d)
    assert ends(other.cohens_d) == pytest.approx((-value, -high, -low), rel=1e-7, abs=SAME, nan_ok=True)
    assert other.welch_t == pytest.approx(-one.welch_t, rel=SAME, abs=SAME, nan_ok=True)
    assert other.mann_whitney_p == pytest.approx(one.mann_whitney_p, rel=SAME)
    assert (other.first, other.second) == (one.second, one.first)


@settings(max_examples=40, deadline=None)
@given(two_kinds(least=8), st.floats(-100, 100), st.floats(0.1, 100))
def test_shifting_and_stretching_all_scores_change_no_effect(kinds: Kinds, shift: float, stretch: float) -> None:
    plain, moved = compare(*kinds), compare(*(stretch * kind + shift for kind in kinds))
    assert ends(moved.cohens_d) == pytest.approx(ends(plain.cohens_d), rel=1e-7, abs=1e-7, nan_ok=True)
    assert ends(moved.auc) == pytest.approx(ends(plain.auc), abs=SAME, nan_ok=True)
    assert moved.welch_t == pytest.approx(plain.welch_t, rel=1e-7, abs=1e-7, nan_ok=True)


def test_a_pair_is_drawn_with_its_stories_of_both_kinds() -> None:
    """Where pairs differ a lot and kinds within a pair do not, only pairs that stay together tell kinds apart."""
    rng = np.random.default_rng(0)
    level = rng.normal(size=40)
    first, second = level + 0.2 + rng.normal(scale=0.05, size=40), level
    together = compare(first, second, n_resamples=500)
    apart = contrast(first, second, first_pairs=range(40), second_pairs=range(40, 80), rng=rng, n_resamples=500)
    assert together.auc.high - together.auc.low < 0.5 * (apart.auc.high - apart.auc.low)
    assert together.auc.low > 0.5 > apart.auc.low


def test_unknown_scores_are_skipped_in_each_kind_and_counted() -> None:
    holed = compare([*WELCH[0], NAN, NAN], [*WELCH[1], NAN])
    plain = compare(*WELCH)
    assert (holed.first.n_skipped, holed.second.n_skipped) == (2, 1)
    assert (holed.auc.n, holed.auc.n_skipped, holed.cohens_d.n, holed.cohens_d.n_skipped) == (30, 3, 30, 3)
    assert ends(holed.cohens_d) == ends(plain.cohens_d)
    assert ends(holed.auc) == ends(plain.auc)
    assert (holed.welch_p, holed.mann_whitney_p) == (plain.welch_p, plain.mann_whitney_p)


@pytest.mark.parametrize(("first", "second"), [([], []), ([], [1.0, 2.0]), ([1.0, 3.0], [NAN, NAN])])
def test_without_stories_of_a_kind_all_is_nan(first: list[float], second: list[float]) -> None:
    found = compare(first, second)
    tests = found.welch_t, found.welch_df, found.welch_p, found.mann_whitney_u, found.mann_whitney_p
    assert np.isnan([*ends(found.cohens_d), *ends(found.auc), *tests]).all()


def test_kinds_that_are_constant_have_ranks_but_no_d_and_no_t() -> None:
    for first, second, auc in [([0.3] * 9, [0.1 + 0.2] * 9, 0.5), ([0.7] * 9, [0.3] * 9, 1.0)]:
        found = compare(first, second)
        assert np.isnan([*ends(found.cohens_d), found.welch_t, found.welch_df, found.welch_p]).all()
        assert ends(found.auc) == (auc, auc, auc)
    assert compare([0.3] * 9, [0.1 + 0.2] * 9).mann_whitney_p == 1.0


def test_a_single_story_of_each_kind_has_ranks_only() -> None:
    found = compare([2.0], [1.0])
    assert np.isnan([found.cohens_d.value, found.welch_t, found.auc.low]).all()
    assert (found.auc.value, found.mann_whitney_u) == (1.0, 1.0)
    one_of_many = compare([2.0], [1.0, 3.0, 4.0])
    assert one_of_many.cohens_d.value == pytest.approx(plain_d(np.array([2.0]), np.array([1.0, 3.0, 4.0])))
    assert math.isnan(one_of_many.welch_t)


def test_values_that_differ_by_rounding_only_tie_across_kinds() -> None:
    assert compare([0.1 + 0.2, 1.0], [0.3, 1.0]).auc.value == 0.5


def test_lists_that_do_not_match_are_refused() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(InvalidInput, match="second 2, second_pairs 1"):
        contrast([1, 2], [1, 2], first_pairs=[1, 2], second_pairs=[1], rng=rng)
