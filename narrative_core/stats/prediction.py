"""How far a judge's score can be told from what is computed of a story without a judge."""

from collections.abc import Mapping, Sequence
from typing import Protocol, Self, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from narrative_core.errors import InvalidInput
from narrative_core.estimates import Model, ModelFit, Prediction
from narrative_core.runs import Metric
from narrative_core.stats.folds import Fold, pair_folds
from narrative_core.stats.summaries import as_values, check_lengths

N_FOLDS = 5
STORIES_A_FEATURE = 10
"""Fewer stories than this for each feature are too few to fit anything: the usual rule of thumb for regression."""

RIDGE_PENALTY = 1.0
N_TREES = 60
"""Between seeds, the mean R² of so many trees moves by 0.003 at 400 stories (sd), a twentieth of what it does between
folds: more trees would cost time without telling more."""

LEAF = 5
"""The fewest stories in a leaf of a tree, Breiman's choice for regression. A judge's score carries noise of its own,
which leaves of single stories learn: on made-up scores of known noise, leaves of five predict held-out stories better.
"""

MOST_A_TREE = 400
"""The most stories that are drawn for one tree. A run of the reference study's size (200 pairs) is drawn from in full;
for larger ones, trees of this size differ more from one another, which costs no accuracy and bounds the time."""


def predict(
    features: ArrayLike,
    scores: ArrayLike,
    pairs: ArrayLike,
    *,
    names: tuple[Metric, ...] = ("minimum", "average", "length"),
    seed: int,
) -> Prediction:
    """Return how well four models predict a judge's score on stories they have not seen, and what the forest goes by.

    R² = 1 − Σ (y − ŷ)² / Σ (y − ȳ)² over each of five held-out folds, ȳ the mean of that fold; whole endpoint pairs
    are held out. The models: least squares ("linear"); "ridge", with a penalty of 1 on the standardised features; least
    squares on all products of up to two standardised features ("polynomial"); a random "forest".

    Parameters
    ----------
    features : array_like, shape (n_stories, n_features)
        A column for each of ``names``. nan is unknown, and the story is then skipped and counted.
    scores : array_like, shape (n_stories,)
        The judge's mean score, nan where there is none: skipped and counted.
    pairs : array_like, shape (n_stories,)
        The endpoint pair of each story.
    names : tuple of Metric
        What the columns are.
    seed : int
        Decides on the folds and the draws of the forest.

    Returns
    -------
    Prediction
        ``mean`` and ``sd`` (n − 1) over the folds whose R² is defined; it is nan where the held-out scores do not vary.
        ``importances`` by decrease of the variance, of a forest on all stories. With fewer than ten stories a feature,
        or fewer than five pairs, nothing is fitted: ``fits`` is empty and the importances are nan. They are nan too
        where no tree can split, as when all scores are equal.

    Raises
    ------
    InvalidInput
        If the shapes do not go together, or a number is infinite.

    Notes
    -----
    R² is negative where a model predicts worse than the mean of the held-out scores would. Importances by decrease of
    the variance share the credit of two features that tell the same, and favour those with many values.

    References
    ----------
    Breiman (2001), Random forests, Machine Learning 45, 5–32; Hoerl and Kennard (1970), Technometrics 12, 55–67.
    """
    x, y, labels = _as_features(features, len(names)), as_values(scores, "scores"), np.asarray(pairs)
    check_lengths(features=x, scores=y, pairs=labels)
    is_known = ~(np.isnan(x).any(axis=1) | np.isnan(y))
    n, n_skipped = int(is_known.sum()), int((~is_known).sum())
    x, y, labels = x[is_known], y[is_known], labels[is_known]
    folds = pair_folds(labels, n_folds=N_FOLDS, seed=seed)
    if n < STORIES_A_FEATURE * len(names) or len(folds) < N_FOLDS:
        return Prediction((), dict.fromkeys(names, float("nan")), n, n_skipped)
    fits = tuple(_fit(name, x, y, folds, seed) for name in get_args(Model))
    return Prediction(fits, _importances(_forest(n, seed).fit(x, y), names), n, n_skipped)


def _as_features(features: ArrayLike, n_features: int) -> NDArray[np.float64]:
    table = np.asarray(features, dtype=np.float64)
    if table.size == 0:
        table = table.reshape(0, n_features)
    if table.ndim != 2 or table.shape[1] != n_features:
        raise InvalidInput(f"features must have a row a story and {n_features} columns; got shape {table.shape}.")
    if np.isinf(table).any():
        raise InvalidInput("features must be finite, nan where unknown; got an infinite number.")
    return table


class _Regressor(Protocol):
    """What every regression of scikit-learn has."""

    def fit(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> Self: ...

    def predict(self, x: NDArray[np.float64]) -> NDArray[np.float64]: ...


class _Forest(_Regressor, Protocol):
    feature_importances_: NDArray[np.float64]


def _model(name: Model, n_stories: int, seed: int) -> _Regressor:
    """Return a model that is to be fitted to so many stories."""
    from sklearn.linear_model import LinearRegression, Ridge
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import PolynomialFeatures, StandardScaler

    model: _Regressor
    match name:
        case "linear":
            model = LinearRegression()
        case "ridge":
            model = make_pipeline(StandardScaler(), Ridge(alpha=RIDGE_PENALTY))
        case "polynomial":
            model = make_pipeline(StandardScaler(), PolynomialFeatures(2), LinearRegression())
        case "forest":
            model = _forest(n_stories, seed)
    return model


def _forest(n_stories: int, seed: int) -> _Forest:
    from sklearn.ensemble import RandomForestRegressor

    forest: _Forest = RandomForestRegressor(
        n_estimators=N_TREES,
        min_samples_leaf=LEAF,
        max_samples=min(MOST_A_TREE, n_stories),
        random_state=int(np.random.default_rng(seed).integers(2**31)),
    )
    return forest


def _fit(name: Model, x: NDArray[np.float64], y: NDArray[np.float64], folds: Sequence[Fold], seed: int) -> ModelFit:
    found = []
    for fold in folds:
        model = _model(name, len(fold.train), seed).fit(x[fold.train], y[fold.train])
        found.append(_r2(y[fold.test], model.predict(x[fold.test])))
    defined = [value for value in found if not np.isnan(value)]
    return ModelFit(
        model=name,
        fold_r2=tuple(found),
        mean=float(np.mean(defined)) if defined else float("nan"),
        sd=float(np.std(defined, ddof=1)) if len(defined) > 1 else float("nan"),
    )


def _r2(scores: NDArray[np.float64], predicted: NDArray[np.float64]) -> float:
    if np.ptp(scores) == 0:
        return float("nan")
    return float(1 - np.square(scores - predicted).sum() / np.square(scores - scores.mean()).sum())


def _importances(forest: _Forest, names: tuple[Metric, ...]) -> Mapping[Metric, float]:
    shares = forest.feature_importances_
    if not shares.any():
        return dict.fromkeys(names, float("nan"))
    return dict(zip(names, shares.tolist(), strict=True))
