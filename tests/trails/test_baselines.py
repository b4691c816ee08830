import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.errors import InvalidInput
from narrative_core.trails.baselines import Baselines, documents_between, draw_baselines, run_baselines
from narrative_core.trails.capacity import Trail
from narrative_core.trails.graph import TrailGraph
from tests.builders import symmetric
from tests.trails.oracles import Case, cases


def even_graph(days: list[float] | None) -> TrailGraph:
    n = 8
    theta = symmetric(n, np.random.default_rng(5).random(n * (n - 1) // 2).tolist())
    return TrailGraph(theta, None if days is None else np.array(days))


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@given(cases(7, smallest=4), st.data())
def test_a_draw_keeps_the_endpoints_and_the_order_of_dates_and_repeats_nothing(case: Case, data: st.DataObject) -> None:
    days = case.graph.days
    available = set(documents_between(case.graph, case.source, case.target).tolist())
    length = data.draw(st.integers(2, len(available) + 2))
    draws = draw_baselines(case.graph, case.source, case.target, length, draws=7, rng=rng(data.draw(st.integers(0, 9))))
    assert draws.documents.shape == (7, length)
    for chain, bottleneck in zip(draws.documents.tolist(), draws.bottlenecks.tolist(), strict=True):
        assert (chain[0], chain[-1]) == (case.source, case.target)
        assert len(set(chain)) == length
        assert set(chain[1:-1]) <= available
        if days is not None:
            assert days[chain].tolist() == sorted(days[chain].tolist())
        assert bottleneck == min(case.graph.coherence[u, v] for u, v in itertools.pairwise(chain))


@given(cases(7))
def test_available_are_the_documents_dated_between_the_endpoints(case: Case) -> None:
    days = case.graph.days
    expected = [
        row
        for row in range(case.n)
        if row not in (case.source, case.target)
        and (days is None or days[case.source] <= days[row] <= days[case.target])
    ]
    assert documents_between(case.graph, case.source, case.target).tolist() == expected


def test_both_days_of_the_endpoints_are_between_them_and_undated_documents_are_not() -> None:
    graph = even_graph([1.0, 1.0, 0.0, 2.0, 3.0, 3.0, 4.0, math.nan])
    assert documents_between(graph, 0, 4).tolist() == [1, 3, 5]


def test_wishes_of_the_request_do_not_bind_chance() -> None:
    free = even_graph([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])
    bound = TrailGraph(free.coherence, free.days, 0.99, np.ones(8, dtype=bool), 0.0)
    ours, theirs = (draw_baselines(graph, 0, 7, 5, rng=rng()) for graph in (free, bound))
    np.testing.assert_array_equal(ours.documents, theirs.documents)


def test_the_draw_to_show_has_the_lower_median_bottleneck() -> None:
    for draws in (1, 2, 5, 8, 200):
        drawn = draw_baselines(even_graph(None), 0, 7, 4, draws=draws, rng=rng(draws))
        assert drawn.bottlenecks[drawn.median_draw] == sorted(drawn.bottlenecks.tolist())[(draws - 1) // 2]


def test_one_seed_gives_one_set_of_draws_and_another_gives_another() -> None:
    first, again, other = (draw_baselines(even_graph(None), 0, 7, 5, rng=rng(seed)) for seed in (3, 3, 4))
    np.testing.assert_array_equal(first.documents, again.documents)
    assert first.median_draw == again.median_draw
    assert (first.documents != other.documents).any()


@pytest.mark.parametrize("length", [-1, 0, 1, 5])
def test_a_length_that_chance_cannot_have_is_refused_with_what_it_can(length: int) -> None:
    graph = even_graph([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])
    with pytest.raises(InvalidInput, match=f"2 to 4 documents; got {length}"):
        draw_baselines(graph, 2, 5, length, rng=rng())
    assert draw_baselines(graph, 2, 5, 4, draws=3, rng=rng()).documents.tolist() == [[2, 3, 4, 5]] * 3


def test_draws_of_two_documents_are_the_endpoints_alone() -> None:
    drawn = draw_baselines(even_graph(None), 1, 6, 2, draws=4, rng=rng())
    assert drawn.documents.tolist() == [[1, 6]] * 4
    assert set(drawn.bottlenecks.tolist()) == {even_graph(None).coherence[1, 6]}


def test_documents_of_one_day_come_in_every_order() -> None:
    graph = even_graph([2.0] * 8)
    drawn = draw_baselines(graph, 0, 7, 4, draws=400, rng=rng())
    orders = {tuple(chain[1:-1]) for chain in drawn.documents.tolist()}
    assert len(orders) == 6 * 5


def test_every_document_between_is_drawn_equally_often() -> None:
    graph = even_graph([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])
    drawn = draw_baselines(graph, 0, 7, 5, draws=2000, rng=rng())
    counts = np.bincount(drawn.documents[:, 1:-1].ravel(), minlength=8)
    assert counts[[0, 7]].tolist() == [0, 0]
    # Each of six is in a draw with probability ½: 1000 ± 22 (one standard deviation).
    assert (abs(counts[1:7] - 1000) < 110).all()


def test_only_weaker_draws_are_beaten() -> None:
    draws = Baselines(np.zeros((4, 2), dtype=np.intp), np.array([0.1, 0.5, 0.5, 0.9]), 1)
    assert [draws.beaten_by(bottleneck) for bottleneck in (0.1, 0.5, 0.6, 1.0)] == [0, 1, 3, 4]


def made_up(source: int, target: int, length: int) -> Trail:
    """A trail of some length; only its ends and its length matter here."""
    return Trail((source, *([source] * (length - 2)), target), 0.5, (0.5,) * (length - 1))


@given(cases(7, smallest=4), st.lists(st.integers(2, 12), max_size=5), st.integers(0, 99))
def test_a_run_has_one_random_chronology_a_trail(case: Case, lengths: list[int], seed: int) -> None:
    days = case.graph.days
    available = set(documents_between(case.graph, case.source, case.target).tolist())
    trails = [made_up(case.source, case.target, length) for length in lengths]
    stories = run_baselines(case.graph, trails, rng=rng(seed))
    assert len(stories) == len(trails)
    for story in stories:
        assert (story[0], story[-1]) == (case.source, case.target)
        assert len(set(story)) == len(story)
        assert set(story[1:-1]) <= available
        assert all(type(row) is int for row in story)
        if days is not None:
            assert days[list(story)].tolist() == sorted(days[list(story)].tolist())
    assert run_baselines(case.graph, trails, rng=rng(seed)) == stories


@pytest.mark.parametrize(("length", "expected"), [(2, 2), (5, 5), (8, 8), (11, 8)])
def test_without_a_deviation_every_length_is_the_trails_as_far_as_there_are_documents(
    length: int, expected: int
) -> None:
    for n_trails in (1, 3):
        stories = run_baselines(even_graph(None), [made_up(0, 7, length)] * n_trails, rng=rng())
        assert [len(story) for story in stories] == [expected] * n_trails


def test_lengths_have_the_mean_and_the_deviation_of_the_trails() -> None:
    n = 60
    graph = TrailGraph(np.zeros((n, n)))
    trails = [made_up(0, 1, length) for length in (16, 24, 20, 20) * 500]
    lengths = np.array([len(story) for story in run_baselines(graph, trails, rng=rng())])
    # Mean 20, sd √8 = 2.83, and 1/12 more variance by rounding; 2000 draws: ± 0.06 and ± 0.05 (one deviation each).
    assert abs(lengths.mean() - 20) < 0.3
    assert abs(lengths.std(ddof=1) - math.sqrt(8 + 1 / 12)) < 0.25


def test_the_deviation_of_few_trails_is_over_one_less() -> None:
    drawn = run_baselines(TrailGraph(np.zeros((400, 400))), [made_up(0, 1, 60), made_up(0, 1, 140)], rng=rng(3))
    over_one_less, over_all = (round(rng(3).normal(100, sd)) for sd in (80 / math.sqrt(2), 40))
    assert len(drawn[0]) == over_one_less != over_all


def test_a_length_is_never_below_two() -> None:
    trails = [made_up(0, 7, length) for length in (2, 8) * 100]
    lengths = {len(story) for story in run_baselines(even_graph(None), trails, rng=rng())}
    assert lengths == set(range(2, 9))


def test_no_trails_have_no_random_chronologies() -> None:
    assert run_baselines(even_graph(None), [], rng=rng()) == []
