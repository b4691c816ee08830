"""Stratified trails and random chronologies of the reference news, against the study's numbers for 200 pairs."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from benchmarks.trails import NEWS
from narrative_core.runs import SHARES, StratumCount
from narrative_core.stats.contrasts import contrast
from narrative_core.trails.baselines import run_baselines
from narrative_core.trails.coherence import coherence_matrix
from narrative_core.trails.endpoints import SampledEndpoints, given_endpoints, sample_endpoints
from narrative_core.trails.graph import TrailGraph, critical_coherence, day_numbers

N_PAIRS, SEED = 200, 42

pytestmark = pytest.mark.skipif(
    not NEWS.is_dir(), reason=f"the reference data is not at {NEWS}; see docs of shared/reference"
)


@dataclass(frozen=True, slots=True)
class Sampled:
    """The run's stories, and the weakest link of each."""

    graph: TrailGraph
    endpoints: SampledEndpoints
    baselines: list[tuple[int, ...]]
    trail_minima: NDArray[np.float64]
    baseline_minima: NDArray[np.float64]


@pytest.fixture(scope="module")
def sampled() -> Sampled:
    vectors = np.load(NEWS / "vectors.npy", allow_pickle=False)
    memberships = np.load(NEWS / "memberships.npy", allow_pickle=False)
    dates = pd.read_csv(NEWS / "documents.csv", usecols=["date"])["date"].tolist()
    theta = coherence_matrix(vectors, memberships)
    graph = TrailGraph(theta, day_numbers(dates), critical_coherence(theta))
    rng = np.random.default_rng(SEED)
    endpoints = sample_endpoints(graph, N_PAIRS, topics=memberships.argmax(axis=1), vectors=vectors, rng=rng)
    trails = [one.trail for one in endpoints.trails]
    baselines = run_baselines(graph, trails, rng=rng)
    return Sampled(
        graph,
        endpoints,
        baselines,
        np.array([trail.bottleneck for trail in trails]),
        np.array([min(graph.chain_strengths(baseline)) for baseline in baselines]),
    )


def test_every_stratum_has_its_share_of_two_hundred_pairs(sampled: Sampled) -> None:
    assert [(count.stratum, count.found) for count in sampled.endpoints.counts] == [
        (stratum, round(share * N_PAIRS)) for stratum, share in SHARES.items()
    ]
    ends = [(one.trail.documents[0], one.trail.documents[-1]) for one in sampled.endpoints.trails]
    assert len(set(ends)) == N_PAIRS


def test_rejected_pairs_are_those_that_were_drawn_and_have_no_trail(sampled: Sampled) -> None:
    assert 0 < sum(count.rejected for count in sampled.endpoints.counts) < N_PAIRS / 2
    pairs = [(one.trail.documents[0], one.trail.documents[-1], one.stratum) for one in sampled.endpoints.trails]
    again = given_endpoints(sampled.graph, pairs)
    assert again.trails == sampled.endpoints.trails
    assert again.counts == tuple(
        StratumCount(count.stratum, count.found, count.found, 0) for count in sampled.endpoints.counts
    )


def test_the_weakest_links_of_trails_are_as_strong_as_the_studys(sampled: Sampled) -> None:
    assert sampled.trail_minima.mean() == pytest.approx(0.705, abs=0.04)


def test_the_weakest_links_of_random_chronologies_are_as_weak_as_the_studys(sampled: Sampled) -> None:
    assert sampled.baseline_minima.mean() == pytest.approx(0.470, abs=0.06)


def test_weakest_links_are_at_least_as_far_apart_as_in_the_study(sampled: Sampled) -> None:
    found = contrast(
        sampled.trail_minima,
        sampled.baseline_minima,
        first_pairs=np.arange(N_PAIRS),
        second_pairs=np.arange(N_PAIRS),
        rng=np.random.default_rng(SEED),
        n_resamples=10,
    )
    assert found.cohens_d.value >= 1.59


def test_random_chronologies_are_about_as_long_as_trails(sampled: Sampled) -> None:
    trails = np.array([len(one.trail.documents) for one in sampled.endpoints.trails])
    baselines = np.array([len(baseline) for baseline in sampled.baselines])
    # Drawn from the trails' own mean and deviation, and cut off below at 2: within three standard errors.
    error = np.hypot(trails.std(ddof=1), baselines.std(ddof=1)) / np.sqrt(N_PAIRS)
    assert abs(baselines.mean() - trails.mean()) < 3 * error
