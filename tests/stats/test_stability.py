import math
import warnings

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from narrative_core.errors import InvalidInput
from narrative_core.stats.folds import pair_folds
from narrative_core.stats.stability import stability

NAN = float("nan")
SEED = 4
Run = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_], NDArray[np.int64]]


def run(n_pairs: int = 40, *, seed: int = 0) -> Run:
    """Coherence and score of a trail and a random chronology a pair."""
    rng = np.random.default_rng(seed)
    is_trail = np.tile([True, False], n_pairs)
    coherence = rng.normal(np.where(is_trail, 0.7, 0.5), 0.1)
    return coherence, 10 * coherence + rng.normal(size=2 * n_pairs), is_trail, np.repeat(np.arange(n_pairs), 2)


def cohens_d(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    n, m = len(first), len(second)
    pooled = ((n - 1) * first.var(ddof=1) + (m - 1) * second.var(ddof=1)) / (n + m - 2)
    return float((first.mean() - second.mean()) / math.sqrt(pooled))


@pytest.mark.parametrize("n_folds", [2, 5])
def test_every_number_is_that_of_the_stories_of_the_fold(n_folds: int) -> None:
    coherence, scores, is_trail, pairs = run()
    found = stability(coherence, scores, is_trail, pairs, seed=SEED, n_folds=n_folds)
    folds = pair_folds(pairs, n_folds=n_folds, seed=SEED)
    train_r = [stats.pearsonr(coherence[fold.train], scores[fold.train])[0] for fold in folds]
    test_r = [stats.pearsonr(coherence[fold.test], scores[fold.test])[0] for fold in folds]
    d = [cohens_d(*(scores[fold.test][is_trail[fold.test] == kind] for kind in (True, False))) for fold in folds]
    assert len(found.train_r) == n_folds
    assert found.train_r == pytest.approx(train_r, abs=1e-9)
    assert found.test_r == pytest.approx(test_r, abs=1e-9)
    assert found.fold_d == pytest.approx(d, abs=1e-9)
    assert found.mean_absolute_difference == pytest.approx(np.mean(np.abs(np.subtract(train_r, test_r))), abs=1e-9)
    assert found.d_sd == pytest.approx(np.std(d, ddof=1), abs=1e-9)


def test_d_is_positive_where_trails_score_higher() -> None:
    coherence, scores, is_trail, pairs = run()
    assert min(stability(coherence, scores, is_trail, pairs, seed=SEED).fold_d) > 0
    assert max(stability(coherence, scores, ~is_trail, pairs, seed=SEED).fold_d) < 0


def test_a_relation_that_holds_for_some_pairs_only_is_less_stable() -> None:
    coherence, scores, is_trail, pairs = run()
    turned = np.where(pairs < 8, 10 - scores, scores)
    steady, shaky = (stability(coherence, values, is_trail, pairs, seed=SEED) for values in (scores, turned))
    assert shaky.mean_absolute_difference > 2 * steady.mean_absolute_difference
    assert shaky.d_sd > steady.d_sd


def test_stories_with_an_unknown_number_are_left_out() -> None:
    coherence, scores, is_trail, pairs = run()
    coherence[5] = scores[8] = NAN
    is_known = ~np.isin(np.arange(80), [5, 8])
    without = stability(coherence[is_known], scores[is_known], is_trail[is_known], pairs[is_known], seed=SEED)
    assert stability(coherence, scores, is_trail, pairs, seed=SEED) == without


@pytest.mark.parametrize("n_pairs", [0, 1])
def test_fewer_than_two_pairs_have_no_folds(n_pairs: int) -> None:
    found = stability(*run(n_pairs), seed=SEED)
    assert (found.train_r, found.test_r, found.fold_d) == ((), (), ())
    assert math.isnan(found.mean_absolute_difference)
    assert math.isnan(found.d_sd)


def test_a_fold_of_two_stories_has_no_r_and_no_d() -> None:
    found = stability(*run(5), seed=SEED)
    assert len(found.train_r) == 5
    assert not np.isnan(found.train_r).any()
    assert np.isnan(found.test_r).all()
    assert np.isnan(found.fold_d).all()
    assert math.isnan(found.mean_absolute_difference)
    assert math.isnan(found.d_sd)


def test_a_fold_without_one_kind_has_no_d_and_the_others_keep_theirs() -> None:
    coherence, scores, is_trail, pairs = run()
    scores[is_trail & np.isin(pairs, pairs[pair_folds(pairs, seed=SEED)[1].test])] = NAN
    # what is unknown moves no story between folds, since every pair still has its random chronology
    found = stability(coherence, scores, is_trail, pairs, seed=SEED)
    assert np.isnan(found.fold_d).tolist() == [False, True, False, False, False]
    assert found.d_sd == pytest.approx(np.std(np.delete(found.fold_d, 1), ddof=1))


def test_scores_that_are_all_equal_have_neither_r_nor_d() -> None:
    coherence, _, is_trail, pairs = run()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = stability(coherence, np.full(80, 6.1), is_trail, pairs, seed=SEED)
    assert np.isnan([*found.train_r, *found.test_r, *found.fold_d]).all()


def test_lists_of_different_lengths_are_refused() -> None:
    coherence, scores, is_trail, pairs = run()
    with pytest.raises(InvalidInput, match="is_trail 79"):
        stability(coherence, scores, is_trail[1:], pairs, seed=SEED)
