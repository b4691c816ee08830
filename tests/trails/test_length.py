import math

import numpy as np
import pytest
from hypothesis import given

from narrative_core.errors import NoTrail, NoTrailReason
from narrative_core.records import CurvePoint
from narrative_core.trails.capacity import Trail, strongest_trail
from narrative_core.trails.graph import TrailGraph
from narrative_core.trails.length import length_curve, trail_of_length
from tests.builders import symmetric
from tests.trails.oracles import Case, best_bottleneck, cases, simple_paths, strengths_of

# 0→3 directly 0.2, 0→1→3 at 0.5, 0→1→2→3 at 0.7.
GRAPH = TrailGraph(symmetric(4, [0.9, 0.4, 0.2, 0.8, 0.5, 0.7]), np.array([0.0, 1.0, 2.0, 3.0]))


def curve_of(case: Case) -> tuple[CurvePoint, ...]:
    try:
        return length_curve(case.graph, case.source, case.target)
    except NoTrail:
        return ()


def test_each_further_document_buys_strength_until_the_canonical_trail() -> None:
    assert length_curve(GRAPH, 0, 3) == (CurvePoint(2, 0.2), CurvePoint(3, 0.5), CurvePoint(4, 0.7))


def test_a_trail_of_a_given_length_is_the_strongest_that_short() -> None:
    assert trail_of_length(GRAPH, 0, 3, 2) == Trail((0, 3), 0.2, (0.2,))
    assert trail_of_length(GRAPH, 0, 3, 3) == Trail((0, 1, 3), 0.5, (0.9, 0.5))
    assert trail_of_length(GRAPH, 0, 3, 9) == Trail((0, 1, 2, 3), 0.7, (0.9, 0.8, 0.7))


def test_a_detour_that_buys_nothing_is_not_taken() -> None:
    # The canonical search finds 0→1→2 because 1 is reached more strongly; the direct link is as good.
    graph = TrailGraph(symmetric(3, [0.9, 0.5, 0.5]))
    assert trail_of_length(graph, 0, 2, 3).documents == (0, 2)


def test_among_the_shortest_the_highest_mean_wins() -> None:
    # 0→1→3: 0.5, 0.6; 0→2→3: 0.5, 0.9.
    graph = TrailGraph(symmetric(4, [0.5, 0.5, 0.1, 0.1, 0.6, 0.9]))
    assert strongest_trail(graph, 0, 3).documents == (0, 1, 3)
    assert trail_of_length(graph, 0, 3, 3) == Trail((0, 2, 3), 0.5, (0.5, 0.9))


@pytest.mark.parametrize("length", [-1, 0, 1])
def test_no_trail_has_fewer_than_two_documents(length: int) -> None:
    with pytest.raises(NoTrail, match=f"as short as {length};"):
        trail_of_length(GRAPH, 0, 3, length)


def test_a_length_that_only_longer_trails_have_is_refused() -> None:
    graph = TrailGraph(GRAPH.coherence, GRAPH.days, floor=0.5)
    assert length_curve(graph, 0, 3) == (CurvePoint(3, 0.5), CurvePoint(4, 0.7))
    with pytest.raises(NoTrail) as caught:
        trail_of_length(graph, 0, 3, 2)
    assert caught.value.reason is NoTrailReason.NO_PATH


def test_the_curve_of_reversed_endpoints_says_so() -> None:
    with pytest.raises(NoTrail) as caught:
        length_curve(GRAPH, 3, 0)
    assert caught.value.reason is NoTrailReason.REVERSED


@given(cases())
def test_the_curve_is_the_best_bottleneck_of_at_most_so_many_documents(case: Case) -> None:
    curve = curve_of(case)
    for longest in range(2, case.n + 1):
        told = [point.bottleneck for point in curve if point.length <= longest]
        expected = best_bottleneck(case.links, case.n, case.source, case.target, longest=longest)
        assert (told[-1] if told else -math.inf) == expected


@given(cases())
def test_the_curve_rises_in_length_and_strength_up_to_the_canonical_bottleneck(case: Case) -> None:
    curve = curve_of(case)
    lengths, bottlenecks = [point.length for point in curve], [point.bottleneck for point in curve]
    assert lengths == sorted(set(lengths))
    assert bottlenecks == sorted(set(bottlenecks))
    if curve:
        assert bottlenecks[-1] == strongest_trail(case.graph, case.source, case.target).bottleneck


@given(cases(6, smallest=4))
def test_a_trail_of_length_has_the_best_mean_among_the_shortest_of_its_bottleneck(case: Case) -> None:
    paths = list(simple_paths(case.links, case.n, case.source, case.target))
    for length in range(2, case.n + 1):
        short = [path for path in paths if len(path) <= length]
        if not short:
            with pytest.raises(NoTrail):
                trail_of_length(case.graph, case.source, case.target, length)
            continue
        trail = trail_of_length(case.graph, case.source, case.target, length)
        best = max(min(strengths_of(case.links, path)) for path in short)
        equals = [path for path in short if min(strengths_of(case.links, path)) == best]
        fewest = min(len(path) for path in equals)
        means = [np.mean(strengths_of(case.links, path)) for path in equals if len(path) == fewest]
        assert trail.documents in equals
        assert (trail.bottleneck, len(trail.documents)) == (best, fewest)
        assert np.mean(trail.strengths) == pytest.approx(max(means), abs=1e-12)
