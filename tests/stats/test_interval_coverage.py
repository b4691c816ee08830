"""How often a 95 % interval holds the true value, where the stories of a pair are alike.

Numbers are normal with variance 1, and a share of it is between pairs. Then the true values are known: r, Spearman's
6/π·asin(r/2), d the distance of the means, AUC Φ(d/√2).
"""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from narrative_core.estimates import Estimate
from narrative_core.stats import intervals
from narrative_core.stats.association import association
from narrative_core.stats.contrasts import contrast
from narrative_core.stats.paired import paired_difference

R, D, DIFFERENCE = 0.6, 1.0, 0.3
TRUE = {
    "pearson": R,
    "spearman": 6 / math.pi * math.asin(R / 2),
    "cohens_d": D,
    "auc": float(stats.norm.cdf(D / math.sqrt(2))),
    "difference": DIFFERENCE,
}


@dataclass(frozen=True, slots=True)
class Design:
    """``between`` the share of the variance that is between pairs · ``together`` how two kinds of a pair correlate."""

    n_pairs: int
    per_pair: int
    between: float
    together: float = 0.0


def alike_within_pairs(design: Design, rng: np.random.Generator, *, correlation: float) -> NDArray[np.float64]:
    """Two numbers of each story, (2, n_stories): correlated between pairs and, but for ``together``, within them."""
    covariance = [[1, correlation], [correlation, 1]]
    levels = rng.multivariate_normal([0, 0], covariance, size=design.n_pairs).T.repeat(design.per_pair, axis=1)
    rest = rng.multivariate_normal([0, 0], covariance, size=levels.shape[1]).T
    return math.sqrt(design.between) * levels + math.sqrt(1 - design.between) * rest


def found_in_one_simulation(
    design: Design, rng: np.random.Generator, *, n_resamples: int, ignore_pairs: bool
) -> dict[str, Estimate]:
    pairs = np.arange(design.n_pairs).repeat(design.per_pair)
    labels = [np.arange(len(pairs)), np.arange(len(pairs)) + len(pairs)] if ignore_pairs else [pairs, pairs]
    x, y = alike_within_pairs(design, rng, correlation=R)
    both = association(x, y, labels[0], rng=rng, n_resamples=n_resamples)
    first, second = alike_within_pairs(design, rng, correlation=design.together)
    apart = contrast(
        *(first + D, second), first_pairs=labels[0], second_pairs=labels[1], rng=rng, n_resamples=n_resamples
    )
    change, base = alike_within_pairs(design, rng, correlation=0)
    paired = paired_difference(change + base + DIFFERENCE, base, labels[0], rng=rng, n_resamples=n_resamples)
    return {
        **{"pearson": both.pearson, "spearman": both.spearman, "cohens_d": apart.cohens_d, "auc": apart.auc},
        "difference": paired.difference,
    }


def coverage(design: Design, *, n_simulations: int, n_resamples: int, ignore_pairs: bool = False) -> dict[str, float]:
    rng = np.random.default_rng(20)
    hits = dict.fromkeys(TRUE, 0)
    for _ in range(n_simulations):
        found = found_in_one_simulation(design, rng, n_resamples=n_resamples, ignore_pairs=ignore_pairs)
        for name, value in TRUE.items():
            hits[name] += found[name].low <= value <= found[name].high
    return {name: count / n_simulations for name, count in hits.items()}


def sampled(*, ignore_pairs: bool = False) -> list[float]:
    """Coverages in 150 simulations of stories that are very much alike within their pair."""
    design = Design(n_pairs=40, per_pair=3, between=0.9)
    return list(coverage(design, n_simulations=150, n_resamples=300, ignore_pairs=ignore_pairs).values())


def is_near_95(share: float) -> bool:
    """Whether 150 simulations leave it possible that 95 % are covered: 0.05 is 2.8 standard errors."""
    return 0.90 <= share <= 0.995


def test_intervals_cover_about_nineteen_times_in_twenty() -> None:
    found = sampled()
    assert all(map(is_near_95, found)), found


def test_an_interval_that_ignored_pairs_would_be_noticed() -> None:
    found = sampled(ignore_pairs=True)
    assert not any(map(is_near_95, found)), found


def test_an_80_percent_interval_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intervals, "LEVEL", 0.8)
    found = sampled()
    assert not any(map(is_near_95, found)), found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("design", "few_pairs"),
    [
        (Design(n_pairs=10, per_pair=2, between=0.5, together=0.6), 0.035),
        (Design(n_pairs=20, per_pair=2, between=0.5, together=0.6), 0.03),
        (Design(n_pairs=60, per_pair=2, between=0.5, together=0.6), 0.015),
        (Design(n_pairs=60, per_pair=1, between=0.5, together=0.0), 0.015),
        (Design(n_pairs=60, per_pair=4, between=0.8, together=0.6), 0.015),
        (Design(n_pairs=200, per_pair=2, between=0.8, together=0.3), 0.01),
    ],
    ids=str,
)
def test_intervals_cover_at_their_nominal_rate(design: Design, few_pairs: float) -> None:
    """Within three standard errors of 1,000 simulations and what few pairs are allowed to cost."""
    n_simulations = 1_000
    found = coverage(design, n_simulations=n_simulations, n_resamples=1_000)
    slack = 3 * math.sqrt(0.95 * 0.05 / n_simulations) + few_pairs
    assert found == pytest.approx(dict.fromkeys(TRUE, 0.95), abs=slack)
