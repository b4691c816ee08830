import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from narrative_core.errors import InvalidInput
from narrative_core.estimates import Estimate
from narrative_core.stats import intervals
from narrative_core.stats.association import weighted_pearson, weighted_spearman
from narrative_core.stats.contrasts import weighted_auc, weighted_cohens_d
from narrative_core.stats.intervals import LEAST_PAIRS, bca_levels, estimates, mean_estimate, pair_codes, weighted_mean

SAME = 1e-9
NAN = float("nan")

SPATIAL = [48, 36, 20, 29, 42, 42, 20, 42, 22, 41, 45, 14, 6, 0, 33, 28, 34, 4, 32, 24, 47, 41, 24, 26, 30, 41]
"""Efron and Tibshirani (1993), table 14.1, column A: the variance is 171.5 and its acceleration 0.061."""


def rng(seed: int = 2) -> np.random.Generator:
    return np.random.default_rng(seed)


def ends(estimate: Estimate) -> tuple[float, float, float]:
    return estimate.value, estimate.low, estimate.high


def stories(n_pairs: int = 30, seed: int = 0) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Two numbers of one to three stories of each pair, alike within a pair, the second skewed and with ties."""
    draw = np.random.default_rng(seed)
    pairs = np.repeat(np.arange(n_pairs), draw.integers(1, 4, size=n_pairs))
    x = draw.normal(size=n_pairs)[pairs] + 0.5 * draw.normal(size=len(pairs))
    y = np.exp(0.7 * x + 0.5 * draw.normal(size=len(pairs))).round(1)
    order = draw.permutation(len(pairs))
    return x[order], y[order], pairs[order]


def one_by_one(
    statistic: Callable[[NDArray[np.intp]], float], pairs: NDArray[np.int64], *, n_resamples: int, seed: int
) -> tuple[float, float, float]:
    """BCa written out: stories repeated, scipy's distributions, one resample after the other."""
    n_pairs = int(pairs.max()) + 1
    members = [np.flatnonzero(pairs == pair) for pair in range(n_pairs)]
    drawn = np.random.default_rng(seed).integers(n_pairs, size=(n_resamples, n_pairs))
    resampled = np.array([statistic(np.concatenate([members[pair] for pair in row])) for row in drawn])
    without = np.array([statistic(np.flatnonzero(pairs != pair)) for pair in range(n_pairs)])
    value = statistic(np.arange(len(pairs)))
    bias = stats.norm.ppf(np.mean(resampled < value))
    acceleration = stats.skew(without.mean() - without) / (6 * math.sqrt(n_pairs))
    reach = math.sqrt(n_pairs / (n_pairs - 1)) * stats.t.ppf(0.975, n_pairs - 1)
    shifted = bias + np.array([-reach, reach])
    low, high = np.quantile(resampled, stats.norm.cdf(bias + shifted / (1 - acceleration * shifted)))
    return value, low, high


def test_every_interval_is_the_one_worked_out_story_by_story() -> None:
    x, y, pairs = stories()
    is_first = np.arange(len(x)) % 3 > 0

    def auc(chosen: NDArray[np.intp]) -> float:
        first, second = chosen[is_first[chosen]], chosen[~is_first[chosen]]
        return float(stats.mannwhitneyu(y[first], y[second]).statistic / len(first) / len(second))

    def d(chosen: NDArray[np.intp]) -> float:
        first, second = y[chosen[is_first[chosen]]], y[chosen[~is_first[chosen]]]
        freedom = len(first) - 1, len(second) - 1
        pooled = (freedom[0] * first.var(ddof=1) + freedom[1] * second.var(ddof=1)) / sum(freedom)
        return float((first.mean() - second.mean()) / math.sqrt(pooled))

    weighted = [
        *(weighted_pearson(x, y), weighted_spearman(x, y)),
        *(weighted_cohens_d(y, is_first), weighted_auc(y, is_first), weighted_mean(y)),
    ]
    plain: list[Callable[[NDArray[np.intp]], float]] = [
        lambda chosen: float(stats.pearsonr(x[chosen], y[chosen]).statistic),
        lambda chosen: float(stats.spearmanr(x[chosen], y[chosen]).statistic),
        *(d, auc, lambda chosen: float(y[chosen].mean())),
    ]
    found = estimates(weighted, pairs, rng=rng(), n_resamples=200)
    for ours, statistic in zip(found, plain, strict=True):
        expected = one_by_one(statistic, pairs, n_resamples=200, seed=2)
        assert ends(ours) == pytest.approx(expected, abs=SAME)
        assert ours.n == len(x)


def test_many_single_story_pairs_have_the_interval_of_scipys_bootstrap() -> None:
    values = np.random.default_rng(1).exponential(size=300)
    found = mean_estimate(values, np.arange(300), rng=rng(), n_resamples=20_000)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=20_000, method="BCa", rng=rng(9)).confidence_interval
    slack = 0.03 * (theirs.high - theirs.low)  # what chance leaves of 20,000 resamples
    assert found.low == pytest.approx(theirs.low, abs=slack)
    assert found.high == pytest.approx(theirs.high, abs=slack)


def test_levels_are_those_of_the_printed_example() -> None:
    """Efron and Tibshirani (1993), page 186: z₀ = 0.146 and a = 0.061 take 5 and 95 % to 11.0 and 98.5 %."""
    values = np.array(SPATIAL, dtype=np.float64)
    assert round(float(values.var()), 1) == 171.5
    left_out = np.array([np.delete(values, place).var() for place in range(len(values))])
    n_below = round(10_000 * stats.norm.cdf(0.146))
    resampled = np.repeat([100.0, 200.0], [n_below, 10_000 - n_below])
    low, high = bca_levels(171.5, resampled, left_out, reach=1.645)
    assert (round(low, 3), round(high, 3)) == (0.110, 0.985)


@pytest.mark.parametrize(
    ("value", "left_out"),
    [(0.5, [1.0, 2.0, 4.0]), (9.5, [1.0, 2.0, 4.0]), (4.2, [1.0, NAN, 4.0]), (4.2, [4.0, 4.0, 4.0 + 1e-15])],
    ids=["all above", "all below", "undefined without a pair", "no pair matters"],
)
def test_where_bca_is_undefined_the_levels_are_those_of_the_percentile_interval(
    value: float, left_out: list[float]
) -> None:
    resampled = np.arange(1.0, 9.0)
    low, high = bca_levels(value, resampled, np.array(left_out), reach=1.96)
    assert (low, high) == pytest.approx((stats.norm.cdf(-1.96), stats.norm.cdf(1.96)), abs=SAME)
    assert bca_levels(4.2, resampled, np.array([1.0, 2.0, 4.0]), reach=1.96) != (low, high)


def test_too_strong_an_acceleration_falls_back_to_the_percentile_interval() -> None:
    left_out = np.array([0.0, *[1.0] * 7])
    resampled = np.repeat([0.0, 2.0], [9_999, 1])
    low, high = bca_levels(1.0, resampled, left_out, reach=4.0)
    assert (low, high) == pytest.approx((stats.norm.cdf(-4), stats.norm.cdf(4)), abs=SAME)


def test_resamples_that_differ_from_the_value_by_rounding_tie_with_it() -> None:
    left_out = np.array([0.29, 0.3, 0.31])
    low, high = bca_levels(0.3, np.array([0.1 + 0.2] * 8 + [0.2, 0.4]), left_out, reach=1.96)
    assert low == pytest.approx(1 - high, abs=SAME)


def test_copies_of_the_stories_of_a_pair_change_nothing() -> None:
    x, y, pairs = stories()
    plain = estimates([weighted_mean(y), weighted_pearson(x, y)], pairs, rng=rng())
    x, y = np.tile(x, 2), np.tile(y, 2)
    copied = estimates([weighted_mean(y), weighted_pearson(x, y)], np.tile(pairs, 2), rng=rng())
    for one, other in zip(plain, copied, strict=True):
        assert ends(other) == pytest.approx(ends(one), abs=SAME)
        assert other.n == 2 * one.n


def test_neither_labels_of_pairs_nor_the_order_of_stories_matter() -> None:
    x, y, pairs = stories()
    plain = estimates([weighted_spearman(x, y)], pairs, rng=rng())
    named = estimates([weighted_spearman(x, y)], [f"pair {pair:03}" for pair in pairs], rng=rng())
    order = rng().permutation(len(x))
    shuffled = estimates([weighted_spearman(x[order], y[order])], pairs[order] - 7, rng=rng())
    assert named == plain
    assert ends(shuffled[0]) == pytest.approx(ends(plain[0]), abs=SAME)


def test_shifting_and_stretching_the_values_moves_the_interval_of_the_mean_along() -> None:
    _, y, pairs = stories()
    plain, moved = (mean_estimate(values, pairs, rng=rng()) for values in (y, 1000 - 3 * y))
    expected = 1000 - 3 * plain.value, 1000 - 3 * plain.high, 1000 - 3 * plain.low
    assert ends(moved) == pytest.approx(expected, abs=SAME)


@pytest.mark.parametrize("cells", [1, 5_000])
def test_blocks_of_any_size_make_the_same_interval(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    x, y, pairs = stories(n_pairs=90)
    whole = estimates([weighted_pearson(x, y), weighted_mean(y)], pairs, rng=rng())
    monkeypatch.setattr(intervals, "_BLOCK_CELLS", cells)
    blocks = estimates([weighted_pearson(x, y), weighted_mean(y)], pairs, rng=rng())
    for one, other in zip(whole, blocks, strict=True):
        assert ends(other) == pytest.approx(ends(one), abs=SAME)


def test_groups_of_pairs_left_out_together_make_nearly_the_same_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(4).exponential(size=2_000) ** 2
    each = mean_estimate(values, np.arange(2_000), rng=rng())
    monkeypatch.setattr(intervals, "_MOST_LEFT_OUT", 2_000)
    grouped = mean_estimate(values, np.arange(2_000), rng=rng())
    assert ends(grouped) == pytest.approx(ends(each), abs=0.05 * (each.high - each.low))


def test_a_seed_gives_one_interval_and_another_seed_another() -> None:
    _, y, pairs = stories()
    one, same, other = (mean_estimate(y, pairs, rng=rng(seed)) for seed in (1, 1, 2))
    assert one == same != other


@pytest.mark.parametrize("n_pairs", [1, LEAST_PAIRS - 1])
def test_few_pairs_have_a_value_without_an_interval(n_pairs: int) -> None:
    values = np.arange(40.0)
    found = mean_estimate(values, np.arange(40) % n_pairs, rng=rng())
    assert (found.value, found.n) == (19.5, 40)
    assert np.isnan([found.low, found.high]).all()
    enough = mean_estimate(values, np.arange(40) % LEAST_PAIRS, rng=rng())
    assert enough.low < enough.value < enough.high


def test_equal_values_have_an_interval_without_width() -> None:
    found = mean_estimate([0.3, 0.1 + 0.2] * 10, np.arange(20), rng=rng())
    assert ends(found) == (0.3, 0.3, 0.3)


@pytest.mark.parametrize(("n_second", "has_interval"), [(1, False), (2, False), (6, True)])
def test_an_interval_needs_a_value_in_nearly_all_resamples(n_second: int, has_interval: bool) -> None:
    """One pair of 20 is missing from 36 % of the resamples, both of two from 12 %, and all of six from 0.08 %."""
    values = np.random.default_rng(0).normal(size=20)
    is_first = np.arange(20) >= n_second
    [found] = estimates([weighted_auc(values, is_first)], np.arange(20), rng=rng(), n_resamples=4_000)
    assert not math.isnan(found.value)
    assert math.isnan(found.low) != has_interval


def test_resamples_without_a_value_are_left_out() -> None:
    values = np.arange(20.0)

    def mean_with_the_first(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        n_missing = np.sum(weights[:4] == 0, axis=0)
        return np.where(n_missing == 4, NAN, weighted_mean(values)(weights))

    [found] = estimates([mean_with_the_first], np.arange(20), rng=rng())
    assert found.low < 9.5 < found.high


def test_a_mean_skips_what_is_unknown_and_counts_it() -> None:
    _, y, pairs = stories()
    holed = mean_estimate([NAN, *y], [99, *pairs], rng=rng())
    assert (holed.n, holed.n_skipped) == (len(y), 1)
    assert ends(holed) == pytest.approx(ends(mean_estimate(y, pairs, rng=rng())), abs=SAME)
    nothing = mean_estimate([NAN, NAN], [1, 2], rng=rng())
    assert (nothing.n, nothing.n_skipped) == (0, 2)
    assert np.isnan(ends(nothing)).all()


def test_pairs_are_numbered_in_the_order_of_their_labels() -> None:
    assert pair_codes(["b", "a", "b"]).tolist() == [1, 0, 1]
    assert pair_codes([]).tolist() == []


@pytest.mark.parametrize("pairs", [[[1, 2]], [1, None, "a"]])
def test_pairs_that_are_not_a_list_of_labels_are_refused(pairs: list[object]) -> None:
    with pytest.raises(InvalidInput, match="pair"):
        pair_codes(pairs)  # type: ignore[arg-type]


def test_no_resamples_are_refused() -> None:
    with pytest.raises(InvalidInput, match="at least 1; got 0"):
        mean_estimate(np.arange(9.0), np.arange(9), rng=rng(), n_resamples=0)
