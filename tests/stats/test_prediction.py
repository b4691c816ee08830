import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestRegressor
from sklearn.model_selection import PredefinedSplit, cross_val_score

from narrative_core.errors import InvalidInput
from narrative_core.estimates import Model, ModelFit, Prediction
from narrative_core.stats.folds import pair_folds
from narrative_core.stats.prediction import LEAF, MOST_A_TREE, N_TREES, predict

SAME = 1e-9
NAN = float("nan")
SEED = 11
Data = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]


def stories(n_pairs: int = 40, *, noise: float = 0.5, seed: int = 0) -> Data:
    """Minimum, average and length of two stories a pair, and a score that bends with the average."""
    rng = np.random.default_rng(seed)
    average = rng.uniform(0.3, 0.9, size=2 * n_pairs)
    features = np.column_stack(
        [average - rng.uniform(0, 0.2, size=2 * n_pairs), average, rng.integers(2, 12, 2 * n_pairs)]
    )
    scores = 1 + 10 * average**2 - 0.1 * features[:, 2] + noise * rng.normal(size=2 * n_pairs)
    return features, scores, np.repeat(np.arange(n_pairs), 2)


def fit_of(found: Prediction, model: Model) -> ModelFit:
    return next(fit for fit in found.fits if fit.model == model)


def r2(scores: NDArray[np.float64], predicted: NDArray[np.float64]) -> float:
    return float(1 - ((scores - predicted) ** 2).sum() / ((scores - scores.mean()) ** 2).sum())


def least_squares_r2(design: NDArray[np.float64], data: Data, penalty: float = 0.0) -> list[float]:
    """R² on each fold of min |y − b − Xw|² + penalty·|w|², by the normal equations of the centred columns."""
    _, scores, pairs = data
    found = []
    for fold in pair_folds(pairs, seed=SEED):
        x, y = design[fold.train], scores[fold.train]
        centred = x - x.mean(axis=0)
        gram = centred.T @ centred + penalty * np.eye(x.shape[1])
        weights = np.linalg.lstsq(gram, centred.T @ (y - y.mean()))[0]
        found.append(r2(scores[fold.test], y.mean() + (design[fold.test] - x.mean(axis=0)) @ weights))
    return found


def test_linear_r2_is_that_of_least_squares_on_the_same_folds() -> None:
    features, scores, pairs = stories()
    expected = []
    for fold in pair_folds(pairs, seed=SEED):
        design = np.column_stack([np.ones(len(features)), features])
        weights = np.linalg.lstsq(design[fold.train], scores[fold.train])[0]
        expected.append(r2(scores[fold.test], design[fold.test] @ weights))
    found = fit_of(predict(features, scores, pairs, seed=SEED), "linear")
    assert found.fold_r2 == pytest.approx(expected, abs=SAME)
    assert found.mean == pytest.approx(np.mean(expected), abs=SAME)
    assert found.sd == pytest.approx(np.std(expected, ddof=1), abs=SAME)


def test_ridge_r2_is_that_of_its_closed_form() -> None:
    features, scores, pairs = stories()
    expected = []
    for fold in pair_folds(pairs, seed=SEED):
        middle, width = features[fold.train].mean(axis=0), features[fold.train].std(axis=0)
        x, y = (features[fold.train] - middle) / width, scores[fold.train]
        weights = np.linalg.solve(x.T @ x + np.eye(3), x.T @ (y - y.mean()))
        expected.append(r2(scores[fold.test], y.mean() + (features[fold.test] - middle) / width @ weights))
    assert fit_of(predict(features, scores, pairs, seed=SEED), "ridge").fold_r2 == pytest.approx(expected, abs=SAME)


def test_polynomial_r2_is_that_of_least_squares_on_all_products_of_two() -> None:
    data = features, scores, pairs = stories()
    products = [features[:, i] * features[:, j] for i in range(3) for j in range(i, 3)]
    expected = least_squares_r2(np.column_stack([features, *products]), data)
    found = fit_of(predict(features, scores, pairs, seed=SEED), "polynomial").fold_r2
    assert found == pytest.approx(expected, abs=1e-6)  # the products span the same whether standardised or not


@pytest.mark.parametrize("n_pairs", [40, 300])
def test_forest_r2_is_that_of_scikit_learns_own_cross_validation(n_pairs: int) -> None:
    features, scores, pairs = stories(n_pairs)
    folds = pair_folds(pairs, seed=SEED)
    part = np.empty(len(pairs), dtype=int)
    for number, fold in enumerate(folds):
        part[fold.test] = number
    forest = RandomForestRegressor(
        N_TREES,
        min_samples_leaf=LEAF,
        max_samples=min(MOST_A_TREE, len(folds[0].train)),
        random_state=int(np.random.default_rng(SEED).integers(2**31)),
    )
    expected = cross_val_score(forest, features, scores, cv=PredefinedSplit(part), scoring="r2")
    found = predict(features, scores, pairs, seed=SEED)
    assert fit_of(found, "forest").fold_r2 == pytest.approx(expected, abs=SAME)
    on_all = forest.set_params(max_samples=min(MOST_A_TREE, len(pairs))).fit(features, scores)
    assert list(found.importances.values()) == pytest.approx(on_all.feature_importances_, abs=SAME)


def test_a_signal_that_is_there_is_found_by_every_model() -> None:
    features, scores, pairs = stories(100)
    found = predict(features, scores, pairs, seed=0)
    assert [fit.model for fit in found.fits] == ["linear", "ridge", "polynomial", "forest"]
    assert all(fit.mean > 0.75 for fit in found.fits)
    assert max(found.importances, key=lambda name: found.importances[name]) == "average"
    assert sum(found.importances.values()) == pytest.approx(1)
    assert (found.n, found.n_skipped) == (200, 0)


def test_a_polynomial_finds_a_bend_that_a_line_cannot() -> None:
    features, _, pairs = stories(100)
    found = predict(features, (features[:, 1] - 0.6) ** 2, pairs, seed=0)
    assert fit_of(found, "polynomial").mean == pytest.approx(1)
    assert fit_of(found, "linear").mean < 0.2


def test_of_pure_noise_nothing_is_predicted() -> None:
    features, _, pairs = stories(100)
    found = predict(features, np.random.default_rng(5).normal(size=200), pairs, seed=0)
    assert all(fit.mean < 0.05 for fit in found.fits)


def test_a_score_that_only_the_pair_decides_is_not_learnt_from_the_other_story_of_the_pair() -> None:
    features, _, pairs = stories(100)
    features[:, 1] = pairs  # tells the pair, and the score of a pair is drawn at random
    found = predict(features, np.random.default_rng(5).normal(size=100)[pairs], pairs, seed=0)
    assert all(fit.mean < 0.05 for fit in found.fits)


def test_the_same_seed_gives_the_same_numbers_and_another_seed_others() -> None:
    features, scores, pairs = stories()
    found = [predict(features, scores, pairs, seed=seed) for seed in (1, 1, 2)]
    assert found[0] == found[1]
    assert all(first.fold_r2 != other.fold_r2 for first, other in zip(found[0].fits, found[2].fits, strict=True))


def test_stories_with_an_unknown_number_are_skipped_and_counted() -> None:
    features, scores, pairs = stories()
    features[3, 0] = features[4, 2] = scores[4] = scores[10] = NAN
    found = predict(features, scores, pairs, seed=1)
    is_known = ~np.isin(np.arange(80), [3, 4, 10])
    assert (found.n, found.n_skipped) == (77, 3)
    assert replace(found, n_skipped=0) == predict(features[is_known], scores[is_known], pairs[is_known], seed=1)


def test_the_unit_of_the_score_changes_nothing() -> None:
    features, scores, pairs = stories()
    points, nats = (predict(features, values, pairs, seed=1) for values in (scores, scores / 64))
    for first, second in zip(points.fits, nats.fits, strict=True):
        assert first.fold_r2 == pytest.approx(second.fold_r2, abs=SAME)


@pytest.mark.parametrize("n_pairs", [0, 1, 14])
def test_fewer_than_ten_stories_a_feature_are_too_few(n_pairs: int) -> None:
    found = predict(*stories(n_pairs), seed=0)
    assert found.fits == ()
    assert (found.n, found.n_skipped) == (2 * n_pairs, 0)
    assert list(found.importances) == ["minimum", "average", "length"]
    assert all(math.isnan(share) for share in found.importances.values())


def test_ten_stories_a_feature_are_enough() -> None:
    assert len(predict(*stories(15), seed=0).fits) == 4


def test_four_pairs_are_too_few_whatever_the_number_of_stories() -> None:
    features, scores, _ = stories()
    assert predict(features, scores, np.arange(80) % 4, seed=0).fits == ()
    assert len(predict(features, scores, np.arange(80) % 5, seed=0).fits) == 4


def test_lists_without_a_story_are_a_run_without_a_story() -> None:
    assert predict([], [], [], seed=0).n == 0


@pytest.mark.parametrize("score", [5.0, 0.1])
def test_scores_that_are_all_equal_leave_nothing_to_predict(score: float) -> None:
    features, _, pairs = stories()
    found = predict(features, np.full(80, score), pairs, seed=0)
    assert all(math.isnan(value) for fit in found.fits for value in (*fit.fold_r2, fit.mean, fit.sd))
    assert all(math.isnan(share) for share in found.importances.values())


def test_a_fold_whose_scores_do_not_vary_is_left_out_of_the_mean() -> None:
    features, scores, pairs = stories()
    scores[pair_folds(pairs, seed=SEED)[2].test] = 4.0
    found = fit_of(predict(features, scores, pairs, seed=SEED), "linear")
    known = [*found.fold_r2[:2], *found.fold_r2[3:]]
    assert math.isnan(found.fold_r2[2])
    assert not np.isnan(known).any()
    assert (found.mean, found.sd) == pytest.approx((np.mean(known), np.std(known, ddof=1)))


def test_a_feature_that_does_not_vary_is_no_obstacle() -> None:
    features, scores, pairs = stories()
    features[:, 2] = 2
    found = predict(features, scores, pairs, seed=0)
    assert all(fit.mean > 0.5 for fit in found.fits)
    assert found.importances["length"] == 0


def test_other_features_go_by_their_own_names() -> None:
    features, scores, pairs = stories()
    found = predict(features[:, 1:], scores, pairs, names=("average", "length"), seed=0)
    assert list(found.importances) == ["average", "length"]


@pytest.mark.parametrize(
    ("features", "scores", "pairs", "message"),
    [
        (np.ones((4, 2)), np.ones(4), np.arange(4), "3 columns"),
        (np.ones((4, 3)), np.ones(3), np.arange(4), "one entry a story"),
        (np.ones((4, 3)), np.ones(4), np.arange(5), "one entry a story"),
        (np.full((4, 3), np.inf), np.ones(4), np.arange(4), "finite"),
        (np.ones((4, 3)), np.full(4, -np.inf), np.arange(4), "finite"),
    ],
)
def test_numbers_that_do_not_go_together_are_refused(
    features: NDArray[np.float64], scores: NDArray[np.float64], pairs: NDArray[np.int64], message: str
) -> None:
    with pytest.raises(InvalidInput, match=message):
        predict(features, scores, pairs, seed=0)
