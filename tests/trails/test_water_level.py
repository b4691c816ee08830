import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.errors import NoTrail
from narrative_core.trails.capacity import strongest_trail
from narrative_core.trails.graph import TrailGraph
from narrative_core.trails.water_level import water_level

# 0–1 0.9, 1–2 0.8, 2–3 0.6, 0–2 0.5, 1–3 0.3, 0–3 0.2: by way of all four the weakest link is 0.6.
THETA = np.array([[0.0, 0.9, 0.5, 0.2], [0.9, 0.0, 0.8, 0.3], [0.5, 0.8, 0.0, 0.6], [0.2, 0.3, 0.6, 0.0]])
GRAPH = TrailGraph(THETA, np.arange(4.0))


@pytest.mark.parametrize(
    ("level", "n_links", "chain", "weakest", "is_last"),
    [
        (0.0, 6, (0, 3), (0, 3), False),
        (0.2, 6, (0, 3), (0, 3), False),
        (0.25, 5, (0, 2, 3), (0, 2), False),
        (0.4, 4, (0, 2, 3), (0, 2), False),
        (0.55, 3, (0, 1, 2, 3), (2, 3), True),
        (0.6, 3, (0, 1, 2, 3), (2, 3), True),
        (0.61, 2, (), (2, 3), True),
        (1.0, 0, (), (2, 3), True),
    ],
)
def test_weak_links_go_under_until_the_endpoints_part(
    level: float, n_links: int, chain: tuple[int, ...], weakest: tuple[int, int], is_last: bool
) -> None:
    now = water_level(GRAPH, 0, 3, level)
    assert (len(now.links), now.n_links) == (n_links, 6)
    assert (now.chain, now.weakest, now.is_last) == (chain, weakest, is_last)
    assert now.has_parted == (not chain)
    assert now.strength == THETA[weakest]


def test_reached_are_the_documents_that_the_source_still_leads_to() -> None:
    assert water_level(GRAPH, 0, 3, 0.7).reached == {0, 1, 2}
    assert water_level(GRAPH, 0, 3, 0.95).reached == {0}


def test_documents_of_one_day_are_linked_once() -> None:
    graph = TrailGraph(THETA, np.array([0.0, 1.0, 1.0, 2.0]))
    assert water_level(graph, 0, 3, 0.0).n_links == 6


def test_without_any_trail_there_is_no_water_to_watch() -> None:
    with pytest.raises(NoTrail):
        water_level(GRAPH, 3, 0, 0.5)


@given(st.lists(st.integers(0, 1000), min_size=15, max_size=15, unique=True), st.integers(0, 1000))
def test_the_endpoints_part_exactly_at_the_bottleneck(values: list[int], height: int) -> None:
    theta = np.zeros((6, 6))
    theta[np.triu_indices(6, 1)] = np.array(values) / 1000
    graph, level = TrailGraph(theta + theta.T, np.arange(6.0)), height / 1000
    best = strongest_trail(graph, 0, 5)
    now = water_level(graph, 0, 5, level)
    assert now.has_parted == (level > best.bottleneck) == (5 not in now.reached)
    assert all((theta + theta.T)[pair] >= level for pair in now.links)
    assert set(itertools.pairwise(now.chain)) <= set(now.links)
    if now.is_last:
        assert now.weakest in set(itertools.pairwise(best.documents))
