import datetime as dt
import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput
from narrative_core.trails.capacity import reach
from narrative_core.trails.graph import (
    Dates,
    TrailGraph,
    checked_coherence,
    critical_coherence,
    day_numbers,
)
from tests.builders import symmetric
from tests.trails.oracles import Case, cases, complete_graph, simple_paths, thetas


@pytest.mark.parametrize("n", [0, 1])
def test_critical_coherence_of_fewer_than_two_documents_is_zero(n: int) -> None:
    assert critical_coherence(np.zeros((n, n))) == 0.0


def test_critical_coherence_is_the_weakest_link_that_holds_the_collection_together() -> None:
    # Two tight pairs, 0-1 and 2-3, held together by 1-2 alone.
    assert critical_coherence(symmetric(4, [0.9, 0.1, 0.2, 0.4, 0.3, 0.8])) == 0.4
    assert critical_coherence([[0.0, 0.25], [0.25, 0.0]]) == 0.25


@given(st.integers(2, 8).flatmap(thetas))
def test_critical_coherence_is_the_smallest_edge_of_the_maximum_spanning_tree(theta: NDArray[np.float64]) -> None:
    tree = nx.maximum_spanning_tree(complete_graph(theta))
    assert critical_coherence(theta) == min(weight for _, _, weight in tree.edges(data="weight"))


@given(st.integers(2, 8).flatmap(thetas))
def test_links_at_or_above_critical_connect_all_and_those_above_it_do_not(theta: NDArray[np.float64]) -> None:
    critical = critical_coherence(theta)
    kept, above = complete_graph(theta), complete_graph(theta)
    kept.remove_edges_from([(u, v) for u, v, weight in kept.edges(data="weight") if weight < critical])
    above.remove_edges_from([(u, v) for u, v, weight in above.edges(data="weight") if weight <= critical])
    assert nx.is_connected(kept)
    assert not nx.is_connected(above)


def test_critical_coherence_does_not_depend_on_the_diagonal() -> None:
    theta = symmetric(3, [0.9, 0.3, 0.4])
    np.fill_diagonal(theta, 1.0)
    assert critical_coherence(theta) == 0.4


@given(cases())
def test_links_are_those_that_the_rules_allow(case: Case) -> None:
    for u in range(case.n):
        expected = [case.links.get((u, v), -math.inf) for v in range(case.n)]
        assert case.graph.links_from(u).tolist() == expected


@given(cases())
def test_links_into_a_document_mirror_the_links_out_of_the_others(case: Case) -> None:
    for v in range(case.n):
        expected = [case.links.get((u, v), -math.inf) for u in range(case.n)]
        assert case.graph.links_into(v).tolist() == expected


@given(cases(8), st.integers(0, 7))
def test_links_within_a_span_are_the_same_links(case: Case, first: int) -> None:
    within = slice(first, case.n)
    for row in range(case.n):
        assert case.graph.links_from(row, within).tolist() == case.graph.links_from(row)[within].tolist()
        assert case.graph.links_into(row, within).tolist() == case.graph.links_into(row)[within].tolist()


@given(cases())
def test_a_span_holds_every_document_that_a_trail_can_use(case: Case) -> None:
    rows = set(range(case.n)[case.graph.span(case.source, case.target)])
    for path in simple_paths(case.links, case.n, case.source, case.target):
        assert set(path) <= rows
    reached = np.flatnonzero(reach(case.graph, case.source) > -math.inf).tolist()
    assert set(reached) <= set(range(case.n)[case.graph.span(case.source)])


def test_in_date_order_a_span_holds_nothing_else() -> None:
    graph = TrailGraph(np.zeros((7, 7)), np.array([0.0, 1.0, 1.0, 2.0, 3.0, 3.0, math.nan]))
    assert [graph.span(2, 3), graph.span(1, 4), graph.span(3)] == [slice(1, 4), slice(1, 6), slice(3, 6)]
    assert TrailGraph(np.zeros((7, 7))).span(2, 3) == slice(None)


def test_the_longest_gap_itself_is_still_allowed() -> None:
    graph = TrailGraph(symmetric(3, [0.5, 0.5, 0.5]), np.array([0.0, 7.0, 8.0]), maximum_gap_days=7.0)
    assert graph.links_from(0).tolist() == [-math.inf, 0.5, -math.inf]


def test_barring_documents_leaves_the_graph_it_came_from_alone() -> None:
    graph = TrailGraph(symmetric(3, [0.5, 0.6, 0.7]), np.array([0.0, 1.0, 2.0]), 0.55, maximum_gap_days=9.0)
    once = graph.without([1])
    twice = once.without([0])
    assert graph.barred is None
    assert once.barred is not None
    assert once.barred.tolist() == [False, True, False]
    assert twice.barred is not None
    assert twice.barred.tolist() == [True, True, False]
    assert (twice.floor, twice.maximum_gap_days) == (0.55, 9.0)
    assert twice.days is graph.days


@given(cases())
def test_a_cut_link_is_gone_both_ways_and_no_other(case: Case) -> None:
    cut = case.graph.without_link(case.source, case.target)
    gone = {(case.source, case.target), (case.target, case.source)}
    kept = {(u, int(v)) for u in range(case.n) for v in np.flatnonzero(cut.links_from(u) > -np.inf)}
    assert kept == set(case.links) - gone
    assert kept == {(int(u), v) for v in range(case.n) for u in np.flatnonzero(cut.links_into(v) > -np.inf)}
    assert cut.without([case.source]).cut == cut.cut


def test_a_chain_has_strengths_whether_or_not_its_links_are_allowed() -> None:
    graph = TrailGraph(symmetric(3, [0.5, 0.6, 0.7]), np.array([0.0, 1.0, 2.0]), floor=1.0)
    assert graph.chain_strengths([2, 0, 1]) == (0.6, 0.5)
    assert graph.chain_strengths([2]) == ()


@pytest.mark.parametrize(
    ("dates", "days"),
    [
        ([dt.date(1970, 1, 2), None], [1.0, math.nan]),
        ([dt.datetime(1970, 1, 2, 23, 59), dt.datetime(1970, 1, 3, tzinfo=dt.UTC)], [1.0, 2.0]),
        (["1970-01-02", ""], [1.0, math.nan]),
        (["1970", "1971-02"], [0.0, 396.0]),
        (np.array(["1970-01-02", "NaT"], dtype="datetime64[ns]"), [1.0, math.nan]),
        (np.array(["1969-12-31T23:00"], dtype="datetime64[s]"), [-1.0]),
        ([dt.date(1970, 1, 1), np.datetime64("NaT"), float("nan")], [0.0, math.nan, math.nan]),
        (np.array([3, 5]), [3.0, 5.0]),
        (np.array([0.5, math.nan]), [0.5, math.nan]),
        ([None, None], [math.nan, math.nan]),
        ([], []),
    ],
)
def test_every_way_of_giving_a_date_becomes_a_day_number(dates: Dates, days: list[float]) -> None:
    np.testing.assert_array_equal(day_numbers(dates), days)


@given(st.lists(st.none() | st.dates(), max_size=5))
def test_a_day_number_turns_back_into_its_date(dates: list[dt.date | None]) -> None:
    epoch = dt.date(1970, 1, 1)
    back = [None if math.isnan(day) else epoch + dt.timedelta(days=day) for day in day_numbers(dates).tolist()]
    assert back == dates


@pytest.mark.parametrize("dates", [["yesterday"], ["11/07/2021"], [object()]])
def test_what_is_not_a_date_is_refused(dates: Dates) -> None:
    with pytest.raises(InvalidInput, match="ISO dates"):
        day_numbers(dates)


@pytest.mark.parametrize(
    ("theta", "words"),
    [
        ([0.1, 0.2], r"got shape \(2,\)"),
        ([[0.1, 0.2]], r"got shape \(1, 2\)"),
        ([[0.0, 1.5], [1.5, 0.0]], r"got 1.5 at \(0, 1\)"),
        ([[0.0, 0.5], [-0.1, 0.0]], r"got -0.1 at \(1, 0\)"),
        ([[0.0, math.nan], [0.5, 0.0]], r"got nan at \(0, 1\)"),
    ],
)
def test_a_matrix_that_is_no_coherence_is_refused_with_the_place(theta: list[list[float]], words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        checked_coherence(theta)
    with pytest.raises(InvalidInput, match=words):
        critical_coherence(theta)


@given(cases())
def test_degrees_count_the_links_above_the_floor_whatever_dates_and_wishes_say(case: Case) -> None:
    theta, floor = case.graph.coherence, case.graph.floor
    expected = [sum(theta[u, v] >= floor for v in range(case.n) if v != u) for u in range(case.n)]
    assert case.graph.degrees().tolist() == expected


def test_a_document_is_not_linked_with_itself() -> None:
    theta = symmetric(3, [0.9, 0.2, 0.2])
    np.fill_diagonal(theta, 1.0)
    assert TrailGraph(theta, floor=0.5).degrees().tolist() == [1, 1, 0]
    assert TrailGraph(symmetric(3, [0.9, 0.2, 0.2])).degrees().tolist() == [2, 2, 2]
    assert TrailGraph(np.zeros((0, 0))).degrees().tolist() == []


@given(cases(), st.data())
def test_the_strongest_link_with_some_documents_is_over_those_alone(case: Case, data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.integers(0, case.n - 1), min_size=1, max_size=4))
    expected = [max(float(case.graph.coherence[u, v]) for v in chosen) for u in range(case.n)]
    assert case.graph.strongest_with(chosen).tolist() == expected
