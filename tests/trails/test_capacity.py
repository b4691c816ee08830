import itertools
import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput, NoTrail, NoTrailReason
from narrative_core.trails.capacity import Trail, maximum_capacity_trail, reach, strongest_trail
from narrative_core.trails.graph import TrailGraph
from tests.builders import symmetric
from tests.trails.oracles import Case, best_bottleneck, cases, complete_graph, reference_search, thetas

# Four documents in a row of strong steps, with a weak short cut from the first to the last.
CHAIN = symmetric(4, [0.9, 0.4, 0.3, 0.8, 0.2, 0.7])
DATES = ["2020-01-01", "2020-01-02", "2020-01-03", "2020-01-04"]


def outcome(case: Case) -> Trail | None:
    try:
        return strongest_trail(case.graph, case.source, case.target)
    except NoTrail as problem:
        assert problem.reason is NoTrailReason.NO_PATH
        return None


def test_the_strong_detour_is_preferred_to_the_weak_short_cut() -> None:
    trail = maximum_capacity_trail(CHAIN, 0, 3, dates=DATES)
    assert trail == Trail((0, 1, 2, 3), 0.7, (0.9, 0.8, 0.7))


def test_a_trail_never_runs_back_in_time_but_may_where_there_are_no_dates() -> None:
    early_last = ["2020-01-01", "2020-01-05", "2020-01-03", "2020-01-04"]
    assert maximum_capacity_trail(CHAIN, 0, 3, dates=early_last).documents == (0, 2, 3)
    assert maximum_capacity_trail(CHAIN, 0, 3).documents == (0, 1, 2, 3)


def test_documents_of_one_day_are_linked_both_ways() -> None:
    one_day = ["2020-01-01"] * 4
    assert maximum_capacity_trail(CHAIN, 0, 3, dates=one_day).documents == (0, 1, 2, 3)
    assert maximum_capacity_trail(CHAIN, 3, 0, dates=one_day).documents == (3, 2, 1, 0)


def test_an_undated_document_is_never_on_a_chronological_trail() -> None:
    assert maximum_capacity_trail(CHAIN, 0, 3, dates=[DATES[0], None, *DATES[2:]]).documents == (0, 2, 3)


def test_a_link_exactly_at_the_floor_is_kept_and_one_below_is_not() -> None:
    assert maximum_capacity_trail(CHAIN, 0, 3, floor=0.7).bottleneck == 0.7
    with pytest.raises(NoTrail) as caught:
        maximum_capacity_trail(CHAIN, 0, 3, floor=np.nextafter(0.7, 1.0))
    assert caught.value.reason is NoTrailReason.NO_PATH


def test_a_link_of_strength_zero_is_a_link_where_the_floor_is_zero() -> None:
    assert maximum_capacity_trail(np.zeros((2, 2)), 0, 1) == Trail((0, 1), 0.0, (0.0,))


def test_ties_go_to_the_document_expanded_first_and_then_to_the_lower_index() -> None:
    # 0→1→3 and 0→2→3 are equal; 1 is expanded before 2, and 2 does not improve on it.
    assert maximum_capacity_trail(symmetric(4, [0.5, 0.5, 0.1, 0.1, 0.5, 0.5]), 0, 3).documents == (0, 1, 3)
    # 2 is reached with a higher capacity, so it is expanded first although 1 has the lower index.
    assert maximum_capacity_trail(symmetric(4, [0.6, 0.9, 0.1, 0.1, 0.5, 0.5]), 0, 3).documents == (0, 2, 3)


@pytest.mark.parametrize(
    ("source", "target", "dates", "reason"),
    [
        (1, 1, DATES, NoTrailReason.SAME_DOCUMENT),
        (1, 1, None, NoTrailReason.SAME_DOCUMENT),
        (2, 1, DATES, NoTrailReason.REVERSED),
        (0, 3, [*DATES[:3], None], NoTrailReason.UNDATED),
        (0, 3, ["", *DATES[1:]], NoTrailReason.UNDATED),
    ],
)
def test_endpoints_that_rule_a_trail_out_are_named_by_reason(
    source: int, target: int, dates: list[str | None] | None, reason: NoTrailReason
) -> None:
    with pytest.raises(NoTrail) as caught:
        maximum_capacity_trail(CHAIN, source, target, dates=dates)
    assert caught.value.reason is reason


@pytest.mark.parametrize("end", [0, 3])
def test_a_barred_endpoint_is_named_by_reason(end: int) -> None:
    graph = TrailGraph(CHAIN).without([end])
    with pytest.raises(NoTrail) as caught:
        strongest_trail(graph, 0, 3)
    assert caught.value.reason is NoTrailReason.BARRED


@pytest.mark.parametrize(
    ("theta", "source", "target", "dates", "words"),
    [
        (CHAIN, 0, 4, None, "between 0 and 3; got 4"),
        (CHAIN, -1, 3, None, "got -1"),
        (CHAIN, 0, 3, DATES[:3], "got 3 for 4 documents"),
        (CHAIN[:3], 0, 1, None, "square"),
        (CHAIN * 2, 0, 1, None, r"\[0, 1\]; got 1.8 at \(0, 1\)"),
        (np.full((2, 2), np.nan), 0, 1, None, "got nan at"),
        (np.zeros((0, 0)), 0, 0, None, "endpoint"),
    ],
)
def test_input_that_does_not_fit_is_refused_in_words(
    theta: NDArray[np.float64], source: int, target: int, dates: list[str] | None, words: str
) -> None:
    with pytest.raises(InvalidInput, match=words):
        maximum_capacity_trail(theta, source, target, dates=dates)


@given(cases(7, smallest=5))
def test_no_path_beats_the_maximum_capacity_one(case: Case) -> None:
    best = best_bottleneck(case.links, case.n, case.source, case.target)
    trail = outcome(case)
    assert (-math.inf if trail is None else trail.bottleneck) == best


@given(cases())
def test_a_trail_is_a_chain_of_allowed_links_without_repeats(case: Case) -> None:
    trail = outcome(case)
    if trail is None:
        return
    assert (trail.documents[0], trail.documents[-1]) == (case.source, case.target)
    assert trail.strengths == tuple(case.links[step] for step in itertools.pairwise(trail.documents))
    assert trail.bottleneck == min(trail.strengths)
    assert len(set(trail.documents)) == len(trail.documents)


@given(cases(12, smallest=6))
def test_among_equals_the_reference_search_decides(case: Case) -> None:
    trail = outcome(case)
    expected = reference_search(case.links, case.n, case.source, case.target)
    assert (None if trail is None else trail.documents) == expected


@pytest.mark.parametrize("seed", range(8))
def test_large_tied_matrices_have_the_path_of_the_reference_search(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 60
    theta = symmetric(n, rng.choice([0.2, 0.4, 0.6], size=n * (n - 1) // 2, p=[0.9, 0.07, 0.03]).tolist())
    days = np.sort(rng.integers(0, 25, size=n)).astype(float)
    for graph in (TrailGraph(theta, days), TrailGraph(theta), TrailGraph(theta, days[rng.permutation(n)], 0.4)):
        links = {
            (u, v): float(theta[u, v])
            for u, v in itertools.permutations(range(n), 2)
            if theta[u, v] >= graph.floor and (graph.days is None or graph.days[u] <= graph.days[v])
        }
        for source, target in rng.choice(n, size=(10, 2)).tolist():
            if source == target or (graph.days is not None and graph.days[source] > graph.days[target]):
                continue
            trail = outcome(Case(graph, links, source, target))
            assert (None if trail is None else trail.documents) == reference_search(links, n, source, target)


@given(st.integers(2, 7).flatmap(thetas), st.data())
def test_the_unconstrained_bottleneck_is_that_of_the_maximum_spanning_tree(
    theta: NDArray[np.float64], data: st.DataObject
) -> None:
    source, target = data.draw(st.permutations(range(len(theta))))[:2]
    tree = nx.maximum_spanning_tree(complete_graph(theta))
    way = nx.shortest_path(tree, source, target)
    expected = min(tree.edges[step]["weight"] for step in itertools.pairwise(way))
    assert maximum_capacity_trail(theta, source, target).bottleneck == expected


@given(cases(), st.data())
def test_relabelling_documents_changes_no_bottleneck(case: Case, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(case.n)))
    graph = case.graph
    relabelled = TrailGraph(
        graph.coherence[np.ix_(order, order)],
        None if graph.days is None else graph.days[order],
        graph.floor,
        None if graph.barred is None else graph.barred[order],
        graph.maximum_gap_days,
    )
    before = outcome(case)
    after = outcome(Case(relabelled, {}, order.index(case.source), order.index(case.target)))
    assert (before and before.bottleneck) == (after and after.bottleneck)


@given(cases())
def test_reach_is_the_bottleneck_of_the_trail_to_every_document(case: Case) -> None:
    capacity = reach(case.graph, case.source)
    assert capacity.shape == (case.n,)
    assert capacity[case.source] == math.inf
    for target in range(case.n):
        if target != case.source:
            assert capacity[target] == best_bottleneck(case.links, case.n, case.source, target)


def test_reach_of_a_document_that_leads_nowhere_is_minus_infinity_elsewhere() -> None:
    days = np.array([0.0, 1.0, 2.0, math.nan])
    assert reach(TrailGraph(CHAIN, days), 2).tolist() == [-math.inf, -math.inf, math.inf, -math.inf]
    assert reach(TrailGraph(CHAIN, days), 3).tolist() == [-math.inf, -math.inf, -math.inf, math.inf]
