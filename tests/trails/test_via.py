import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.errors import InvalidInput, NoTrail, NoTrailReason
from narrative_core.trails.capacity import Trail, strongest_trail
from narrative_core.trails.graph import TrailGraph
from narrative_core.trails.via import trail_via
from tests.builders import symmetric
from tests.trails.oracles import Case, best_bottleneck, cases

# 0-1 .9  0-2 .4  0-3 .3  1-2 .8  1-3 .2  2-3 .7
THETA = symmetric(4, [0.9, 0.4, 0.3, 0.8, 0.2, 0.7])
DAYS = np.array([0.0, 1.0, 2.0, 3.0])


def test_a_pin_that_is_on_the_trail_anyway_changes_nothing() -> None:
    graph = TrailGraph(THETA, DAYS)
    assert trail_via(graph, 0, 3, [2]) == strongest_trail(graph, 0, 3)


def test_without_pins_it_is_the_canonical_trail() -> None:
    graph = TrailGraph(THETA, DAYS)
    assert trail_via(graph, 0, 3, []) == strongest_trail(graph, 0, 3)


def test_pins_are_visited_in_date_order_where_there_are_days_and_as_given_where_not() -> None:
    assert trail_via(TrailGraph(THETA, DAYS), 0, 3, [2, 1]).documents == (0, 1, 2, 3)
    assert trail_via(TrailGraph(THETA), 0, 3, [2, 1]) == Trail((0, 2, 1, 3), 0.2, (0.4, 0.8, 0.2))


def test_an_earlier_leg_does_not_use_up_the_document_that_a_later_leg_ends_at() -> None:
    # The best way from 0 to pin 2 runs through 3 (0.9, 0.9), which is the target.
    graph = TrailGraph(symmetric(4, [0.1, 0.3, 0.9, 0.1, 0.1, 0.9]))
    assert trail_via(graph, 0, 3, [2]).documents == (0, 2, 3)


@pytest.mark.parametrize("via", [[0], [3], [1, 1], [1, 2, 1]])
def test_a_pin_that_is_an_endpoint_or_given_twice_is_refused(via: list[int]) -> None:
    with pytest.raises(InvalidInput, match="pinned document must differ"):
        trail_via(TrailGraph(THETA, DAYS), 0, 3, via)


def test_an_undated_pin_is_refused_on_a_chronological_trail_only() -> None:
    with pytest.raises(NoTrail, match="pinned document has no date"):
        trail_via(TrailGraph(THETA, np.array([0.0, math.nan, 2.0, 3.0])), 0, 3, [1])
    assert 1 in trail_via(TrailGraph(THETA), 0, 3, [1]).documents


@pytest.mark.parametrize("day", [-1.0, 4.0])
def test_a_pin_dated_outside_the_endpoints_is_not_blamed_on_the_endpoints(day: float) -> None:
    with pytest.raises(NoTrail) as caught:
        trail_via(TrailGraph(THETA, np.array([0.0, day, 2.0, 3.0])), 0, 3, [1])
    assert caught.value.reason is NoTrailReason.NO_PATH


def test_reversed_endpoints_are_named_even_with_a_pin_between_them() -> None:
    with pytest.raises(NoTrail) as caught:
        trail_via(TrailGraph(THETA, DAYS), 3, 0, [1])
    assert caught.value.reason is NoTrailReason.REVERSED


def test_a_barred_pin_is_named_by_reason() -> None:
    with pytest.raises(NoTrail) as caught:
        trail_via(TrailGraph(THETA, DAYS).without([1]), 0, 3, [1])
    assert caught.value.reason is NoTrailReason.BARRED


@given(cases(7, smallest=5), st.data())
def test_every_leg_is_optimal_among_what_the_other_legs_leave(case: Case, data: st.DataObject) -> None:
    others = [row for row in range(case.n) if row not in (case.source, case.target)]
    pins = data.draw(st.lists(st.sampled_from(others), unique=True, min_size=1, max_size=3))
    try:
        trail = trail_via(case.graph, case.source, case.target, pins)
    except NoTrail:
        return
    documents = trail.documents
    assert len(set(documents)) == len(documents)
    assert trail.strengths == tuple(case.links[step] for step in itertools.pairwise(documents))
    assert trail.bottleneck == min(trail.strengths)
    stops = [row for row in documents if row in {case.source, case.target, *pins}]
    assert set(stops) == {case.source, case.target, *pins}
    for start, end in itertools.pairwise(stops):
        first, last = documents.index(start), documents.index(end)
        taken = (set(documents[:first]) | set(stops)) - {start, end}
        free = {step: strength for step, strength in case.links.items() if not taken & set(step)}
        assert min(trail.strengths[first:last]) == best_bottleneck(free, case.n, start, end)


@given(cases(6, smallest=4), st.data())
def test_a_pin_never_makes_a_trail_stronger(case: Case, data: st.DataObject) -> None:
    others = [row for row in range(case.n) if row not in (case.source, case.target)]
    pins = data.draw(st.lists(st.sampled_from(others), unique=True, min_size=1, max_size=2))
    try:
        pinned = trail_via(case.graph, case.source, case.target, pins)
    except NoTrail:
        return
    assert pinned.bottleneck <= strongest_trail(case.graph, case.source, case.target).bottleneck
