import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.trails.capacity import Trail, strongest_trail
from narrative_core.trails.graph import TrailGraph
from narrative_core.trails.sampling import SampledTrails, sample_trails
from tests.builders import symmetric
from tests.trails.oracles import Case, cases


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@given(cases(), st.integers(0, 9))
def test_every_pair_drawn_is_a_canonical_trail_or_counted_as_rejected(case: Case, seed: int) -> None:
    sampled = sample_trails(case.graph, 6, rng=rng(seed))
    assert len(sampled.trails) + sampled.rejected == 6
    for trail in sampled.trails:
        assert trail == strongest_trail(case.graph, trail.documents[0], trail.documents[-1])


def test_pairs_without_a_trail_are_counted() -> None:
    # 0-1 hang together; 2 is alone.
    sampled = sample_trails(TrailGraph(symmetric(3, [0.9, 0.1, 0.1]), floor=0.5), 200, rng=rng())
    assert {frozenset(trail.documents) for trail in sampled.trails} == {frozenset({0, 1})}
    assert 100 < sampled.rejected < 170  # two of three pairs


def test_undated_documents_are_left_out_and_not_counted_as_rejected() -> None:
    graph = TrailGraph(symmetric(4, [0.5] * 6), np.array([3.0, math.nan, 1.0, math.nan]))
    sampled = sample_trails(graph, 20, rng=rng())
    assert {trail.documents for trail in sampled.trails} == {(2, 0)}
    assert sampled.rejected == 0


def test_documents_of_one_day_are_asked_for_in_their_own_order() -> None:
    sampled = sample_trails(TrailGraph(symmetric(3, [0.5] * 3), np.zeros(3)), 40, rng=rng())
    assert {trail.documents for trail in sampled.trails} == {(0, 1), (0, 2), (1, 2)}


@pytest.mark.parametrize(
    "graph",
    [
        TrailGraph(np.zeros((0, 0))),
        TrailGraph(np.zeros((1, 1))),
        TrailGraph(symmetric(3, [0.5] * 3), np.array([1.0, math.nan, math.nan])),
    ],
)
def test_fewer_than_two_usable_documents_give_an_empty_sample(graph: TrailGraph) -> None:
    sampled = sample_trails(graph, 5, rng=rng())
    assert sampled == SampledTrails((), 0)
    assert math.isnan(sampled.median_link)


def test_the_median_link_is_over_all_links_of_all_trails() -> None:
    trails = (Trail((0, 1, 2), 0.2, (0.9, 0.2)), Trail((0, 3), 0.4, (0.4,)))
    assert SampledTrails(trails, 3).median_link == 0.4
    assert SampledTrails((*trails, Trail((1, 2), 0.6, (0.6,))), 0).median_link == pytest.approx(0.5)


def test_one_seed_gives_one_sample() -> None:
    graph = TrailGraph(symmetric(8, rng(1).random(28).tolist()))
    first, again, other = (sample_trails(graph, 10, rng=rng(seed)) for seed in (3, 3, 4))
    assert first == again
    assert first != other
