"""Agreement against other people's programs, on random tables with ties and missing cells."""

import math
import warnings

import krippendorff
import numpy as np
import pandas as pd
import pingouin
import pytest
from numpy.typing import NDArray
from scipy import stats

from narrative_core.stats.agreement import agreement

SAME = 1e-9
SEEDS = range(12)


def random_ratings(seed: int, *, missing: float = 0.0) -> NDArray[np.float64]:
    """Stories of different quality, agents of different strictness; whole, half or any scores by turns."""
    rng = np.random.default_rng(seed)
    n_stories, n_agents = int(rng.integers(12, 40)), int(rng.integers(2, 7))
    quality = rng.uniform(2, 9, size=(n_stories, 1)) + rng.normal(size=n_agents)
    scores = np.clip(quality + rng.normal(scale=1.5, size=quality.shape), 1, 10)
    scores = [np.round(scores), np.round(2 * scores) / 2, scores][seed % 3]
    scores[rng.random(scores.shape) < missing] = np.nan
    return scores


def complete(table: NDArray[np.float64]) -> NDArray[np.float64]:
    return table[~np.isnan(table).any(axis=1)]


@pytest.mark.parametrize("missing", [0.0, 0.15])
@pytest.mark.parametrize("seed", SEEDS)
def test_icc_is_pingouins(seed: int, missing: float) -> None:
    table = random_ratings(seed, missing=missing)
    ours, rows = agreement(table), complete(table)
    assert ours.n_complete == len(rows) >= 2
    story, agent = np.indices(rows.shape)
    long = pd.DataFrame({"story": story.ravel(), "agent": agent.ravel(), "score": rows.ravel()})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = pingouin.intraclass_corr(long, targets="story", raters="agent", ratings="score").set_index("Type")
    assert ours.icc_single == pytest.approx(theirs.loc["ICC(A,1)", "ICC"], abs=SAME)
    assert ours.icc_average == pytest.approx(theirs.loc["ICC(A,k)", "ICC"], abs=SAME)


@pytest.mark.parametrize("seed", SEEDS)
def test_icc_is_that_of_the_table_of_variance_worked_out_by_least_squares(seed: int) -> None:
    table = random_ratings(seed)
    n, k = table.shape
    story, agent = (np.eye(size)[place.ravel()] for size, place in zip((n, k), np.indices(table.shape), strict=True))
    y = table.ravel()

    def unexplained(*columns: NDArray[np.float64]) -> float:
        design = np.column_stack([np.ones(n * k), *columns])
        return float(np.square(y - design @ np.linalg.lstsq(design, y)[0]).sum())

    stories = (unexplained(agent) - unexplained(story, agent)) / (n - 1)
    agents = (unexplained(story) - unexplained(story, agent)) / (k - 1)
    error = unexplained(story, agent) / ((n - 1) * (k - 1))
    ours = agreement(table)
    # Variance components (McGraw and Wong 1996, table 4): var(story) / (var(story) + var(agent) + var(error)).
    between, strictness = (stories - error) / k, (agents - error) / n
    assert ours.icc_single == pytest.approx(between / (between + strictness + error), abs=SAME)
    assert ours.icc_average == pytest.approx(between / (between + (strictness + error) / k), abs=SAME)


@pytest.mark.parametrize("missing", [0.0, 0.15, 0.35])
@pytest.mark.parametrize("seed", SEEDS)
def test_alpha_is_the_krippendorff_packages(seed: int, missing: float) -> None:
    table = random_ratings(seed, missing=missing)
    theirs = krippendorff.alpha(reliability_data=table.T, level_of_measurement="interval")
    assert agreement(table).krippendorff_alpha == pytest.approx(theirs, abs=SAME)


@pytest.mark.parametrize("missing", [0.0, 0.15])
@pytest.mark.parametrize("seed", SEEDS)
def test_w_follows_from_friedmans_test(seed: int, missing: float) -> None:
    table = random_ratings(seed, missing=missing)
    rows = complete(table)
    if len(rows) < 3 or rows.shape[1] < 2:
        pytest.skip("Friedman's test takes three stories or more")
    statistic = stats.friedmanchisquare(*rows).statistic  # its groups are our stories
    expected = statistic / (rows.shape[1] * (len(rows) - 1))
    assert agreement(table).kendall_w == pytest.approx(expected, abs=SAME)


@pytest.mark.parametrize("seed", SEEDS)
def test_w_without_ties_follows_from_the_mean_rank_correlation(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(3, 40)), int(rng.integers(2, 7))
    table = rng.normal(size=(n, 1)) + rng.normal(size=(n, k))
    correlations = [stats.spearmanr(table[:, i], table[:, j]).statistic for i in range(k) for j in range(i)]
    assert agreement(table).kendall_w == pytest.approx((np.mean(correlations) * (k - 1) + 1) / k, abs=SAME)


@pytest.mark.parametrize("missing", [0.0, 0.15, 0.35])
@pytest.mark.parametrize("seed", SEEDS)
def test_pairwise_measures_are_those_of_all_pairs_one_by_one(seed: int, missing: float) -> None:
    table = random_ratings(seed, missing=missing)
    known = [row[~np.isnan(row)] for row in table]
    distances = [abs(row[i] - row[j]) for row in known for i in range(len(row)) for j in range(i)]
    deviations = [np.abs(row - row.mean()).mean() for row in known if len(row) > 1]
    ours = agreement(table)
    assert ours.exact == pytest.approx(np.mean(np.array(distances) == 0), abs=SAME)
    assert ours.within_one == pytest.approx(np.mean(np.array(distances) <= 1), abs=SAME)
    assert ours.mean_absolute_deviation == pytest.approx(math.fsum(deviations) / len(deviations), abs=SAME)
    assert ours.n_used == len(deviations)
