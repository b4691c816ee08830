import itertools
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from narrative_core.errors import Cancelled, InvalidInput
from narrative_core.runs import SHARES, Cutoffs, Stratum, StratumCount
from narrative_core.trails import endpoints
from narrative_core.trails.capacity import strongest_trail
from narrative_core.trails.endpoints import SampledEndpoints, allot, given_endpoints, sample_endpoints
from narrative_core.trails.graph import TrailGraph
from tests.builders import symmetric
from tests.trails.oracles import STRENGTHS, allowed_links, day_arrays, simple_paths, thetas

AXES = np.concatenate([np.eye(3), -np.eye(3)])
"""Directions whose cosines are exact."""
STRATA: tuple[Stratum, ...] = tuple(SHARES)


@dataclass(frozen=True, slots=True)
class World:
    """What endpoints are drawn from."""

    graph: TrailGraph
    topics: NDArray[np.int64]
    vectors: NDArray[np.float64]

    def sample(
        self,
        n_pairs: int,
        *,
        shares: Mapping[Stratum, float] = SHARES,
        cutoffs: Cutoffs | None = None,
        seed: int = 0,
    ) -> SampledEndpoints:
        return sample_endpoints(
            self.graph,
            n_pairs,
            topics=self.topics,
            vectors=self.vectors,
            shares=shares,
            cutoffs=cutoffs or Cutoffs(),
            rng=np.random.default_rng(seed),
        )

    def pool(self, stratum: Stratum, *, cutoffs: Cutoffs | None = None) -> SampledEndpoints:
        """Ask for more of one stratum than there can be."""
        return self.sample(len(self.topics) ** 2, shares={stratum: 1.0}, cutoffs=cutoffs)


@st.composite
def worlds(draw: st.DrawFn, largest: int = 8) -> World:
    n = draw(st.integers(1, largest))
    graph = TrailGraph(draw(thetas(n)), draw(st.none() | day_arrays(n)), draw(st.sampled_from(STRENGTHS[:4])))
    topics = draw(st.lists(st.integers(-1, 2), min_size=n, max_size=n))
    axes = draw(st.lists(st.integers(0, 5), min_size=n, max_size=n))
    return World(graph, np.array(topics), AXES[axes])


def random_world(n: int, *, seed: int = 0, n_days: int = 10, floor: float = 0.4) -> World:
    rng = np.random.default_rng(seed)
    theta = symmetric(n, rng.random(n * (n - 1) // 2).tolist())
    vectors = rng.normal(size=(n, 4))
    return World(
        TrailGraph(theta, np.sort(rng.integers(n_days, size=n).astype(float)), floor),
        rng.integers(3, size=n),
        vectors / np.linalg.norm(vectors, axis=1, keepdims=True),
    )


cutoffs_drawn = st.builds(
    lambda spans, hub, extreme: Cutoffs(min(spans), max(spans), hub, extreme),
    st.tuples(st.floats(0, 1), st.floats(0, 1)),
    st.floats(0, 1),
    st.floats(0, 1),
)


def defined(world: World, cutoffs: Cutoffs) -> dict[Stratum, set[tuple[int, int]]]:
    """Return the pairs of each stratum, found pair by pair from the docstring."""
    graph, n = world.graph, len(world.topics)
    days = [0.0] * n if graph.days is None else graph.days.tolist()
    usable = [row for row in range(n) if not math.isnan(days[row])]
    links = [sum(graph.coherence[u, v] >= graph.floor for v in range(n) if v != u) for u in range(n)]
    pairs = [(u, v) for u, v in itertools.permutations(usable, 2) if (days[u], u) < (days[v], v)]
    pools: dict[Stratum, set[tuple[int, int]]] = {stratum: set() for stratum in STRATA}
    if not pairs:
        return pools
    short, long = np.quantile([days[v] - days[u] for u, v in pairs], [cutoffs.short, cutoffs.long])
    few, many = np.quantile([links[row] for row in usable], [cutoffs.hub, 1 - cutoffs.hub])
    cosines = {(u, v): sum(a * b for a, b in zip(*world.vectors[[u, v]].tolist(), strict=True)) for u, v in pairs}
    far_apart = np.quantile(list(cosines.values()), cutoffs.extreme)
    for u, v in pairs:
        span, first, second = days[v] - days[u], world.topics[u], world.topics[v]
        kind = "none" if -1 in (first, second) else "within" if first == second else "across"
        if kind != "none" and graph.days is not None:
            is_within = kind == "within"
            if span <= short:
                pools["within short" if is_within else "across close"].add((u, v))
            elif span >= long:
                pools["within long" if is_within else "across far"].add((u, v))
        if links[u] >= many and links[v] <= few and links[v] < many:
            pools["hub to edge"].add((u, v))
        if cosines[u, v] <= far_apart:
            pools["extremes"].add((u, v))
    return pools


def ends(sampled: SampledEndpoints) -> list[tuple[int, int]]:
    return [(one.trail.documents[0], one.trail.documents[-1]) for one in sampled.trails]


def linked(world: World, pairs: set[tuple[int, int]]) -> set[tuple[int, int]]:
    links, n = allowed_links(world.graph), len(world.topics)
    return {pair for pair in pairs if next(simple_paths(links, n, *pair), None) is not None}


@settings(deadline=None)
@given(worlds(), st.sampled_from(STRATA), cutoffs_drawn | st.just(Cutoffs()))
def test_a_stratum_that_is_drawn_empty_is_exactly_what_its_definition_says(
    world: World, stratum: Stratum, cutoffs: Cutoffs
) -> None:
    pool = defined(world, cutoffs)[stratum]
    sampled = world.pool(stratum, cutoffs=cutoffs)
    assert sorted(ends(sampled)) == sorted(linked(world, pool))
    assert sampled.counts == (
        StratumCount(stratum, len(world.topics) ** 2, len(sampled.trails), len(pool) - len(sampled.trails)),
    )


@settings(deadline=None)
@given(worlds(), st.integers(0, 40), st.integers(0, 5))
def test_every_pair_is_of_its_stratum_and_of_no_other_and_the_counts_add_up(
    world: World, n_pairs: int, seed: int
) -> None:
    pools = defined(world, Cutoffs())
    sampled = world.sample(n_pairs, seed=seed)
    drawn = ends(sampled)
    assert len(set(drawn)) == len(drawn)
    assert all(pair in pools[one.stratum] for pair, one in zip(drawn, sampled.trails, strict=True))
    assert all(
        one.trail == strongest_trail(world.graph, *pair) for pair, one in zip(drawn, sampled.trails, strict=True)
    )
    found = Counter(one.stratum for one in sampled.trails)
    assert [(count.stratum, count.wanted, count.found) for count in sampled.counts] == [
        (stratum, wanted, found[stratum]) for stratum, wanted in allot(SHARES, n_pairs).items()
    ]
    for count in sampled.counts:
        assert count.found <= count.wanted
        assert count.found + count.rejected <= len(pools[count.stratum])
        if count.found < count.wanted:
            assert linked(world, pools[count.stratum]) <= set(drawn)


def test_a_pair_without_a_trail_is_rejected_once_though_it_is_of_two_strata() -> None:
    # One pair, within its only topic and the farthest apart there is, whose link is below the floor.
    world = World(TrailGraph(symmetric(2, [0.1]), np.array([0.0, 5.0]), 0.5), np.array([0, 0]), AXES[:2])
    sampled = world.sample(4, shares={"within short": 0.5, "extremes": 0.5})
    assert sampled.trails == ()
    assert sampled.counts == (StratumCount("within short", 2, 0, 1), StratumCount("extremes", 2, 0, 0))


def test_one_seed_gives_one_sample_and_another_gives_another() -> None:
    world = random_world(25)
    first, again, other = (world.sample(20, seed=seed) for seed in (3, 3, 4))
    assert first == again
    assert set(ends(first)) != set(ends(other))


def test_the_strata_are_shuffled_among_each_other() -> None:
    strata = [one.stratum for one in random_world(30).sample(40).trails]
    assert len(strata) > 30
    assert strata != sorted(strata, key=STRATA.index)
    assert set(strata[: len(strata) // 2]) == set(STRATA)


@settings(deadline=None)
@given(st.permutations(range(9)), st.sampled_from(STRATA))
def test_the_order_of_the_documents_does_not_matter_where_no_two_have_one_day(
    places: list[int], stratum: Stratum
) -> None:
    world = random_world(9, seed=2)
    graph = TrailGraph(world.graph.coherence, np.arange(9.0) ** 2, 0.4)
    assert graph.days is not None
    moved = World(
        TrailGraph(graph.coherence[np.ix_(places, places)], graph.days[places], 0.4),
        world.topics[places],
        world.vectors[places],
    )
    ours = World(graph, world.topics, world.vectors).pool(stratum)
    theirs = moved.pool(stratum)
    assert sorted(ends(ours)) == sorted((places[u], places[v]) for u, v in ends(theirs))
    assert ours.counts == theirs.counts


def test_the_strata_of_five_documents_are_these() -> None:
    days = np.array([0.0, 1.0, 2.0, 10.0, 20.0])
    # Document 0 is linked with all, document 4 with document 0 alone, the others with each other too.
    theta = symmetric(5, [0.9, 0.9, 0.9, 0.9, 0.5, 0.5, 0.1, 0.5, 0.1, 0.1])
    vectors = np.array([[1.0, 0.0], [0.96, 0.28], [0.8, 0.6], [0.6, 0.8], [-1.0, 0.0]])
    world = World(TrailGraph(theta, days, 0.5), np.array([0, 0, 1, 1, 0]), vectors)
    # Days between, in order: 1 1 2 8 9 10 10 18 19 20; a third of the way is 8, two thirds 10.
    pools = {stratum: sorted(ends(world.pool(stratum, cutoffs=Cutoffs(hub=0.2, extreme=0.2)))) for stratum in STRATA}
    assert pools == {
        "within short": [(0, 1), (2, 3)],
        "within long": [(0, 4)],
        "across close": [(0, 2), (1, 2)],
        "across far": [(0, 3)],
        "hub to edge": [(0, 4)],
        "extremes": [(0, 4)],
    }
    rejected = {stratum: world.pool(stratum).counts[0].rejected for stratum in STRATA}
    # No link leads to document 4 but from document 0: (1, 4), (2, 4) and (3, 4) have no trail.
    assert rejected == {
        "within short": 0,
        "within long": 1,
        "across close": 0,
        "across far": 2,
        "hub to edge": 0,
        "extremes": 0,
    }


def test_two_documents_have_one_pair() -> None:
    world = World(TrailGraph(symmetric(2, [0.8]), np.array([3.0, 1.0])), np.array([0, 0]), AXES[:2])
    sampled = world.sample(100)
    assert [(one.stratum, one.trail.documents) for one in sampled.trails] == [("within short", (1, 0))]
    assert [count.found for count in sampled.counts] == [1, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("n", [0, 1])
def test_fewer_than_two_documents_have_none(n: int) -> None:
    world = World(TrailGraph(np.zeros((n, n)), np.zeros(n)), np.zeros(n, dtype=int), np.eye(n))
    assert [(count.wanted, count.found) for count in world.sample(10).counts] == [(2, 0)] * 4 + [(1, 0)] * 2


def test_without_days_nothing_is_near_or_far_in_time() -> None:
    world = random_world(12)
    undated = World(TrailGraph(world.graph.coherence, None, 0.4), world.topics, world.vectors)
    found = {count.stratum: count.found for count in undated.sample(20).counts}
    assert [found[stratum] for stratum in STRATA[:4]] == [0, 0, 0, 0]
    assert [found[stratum] for stratum in STRATA[4:]] == [2, 2]


def test_with_every_date_missing_there_is_no_pair() -> None:
    world = random_world(6)
    undated = World(TrailGraph(world.graph.coherence, np.full(6, math.nan)), world.topics, world.vectors)
    assert undated.sample(10).trails == ()


def test_with_one_topic_nothing_is_across_topics_and_no_other_stratum_makes_up_for_it() -> None:
    world = random_world(20)
    single = World(world.graph, np.zeros(20, dtype=int), world.vectors)
    counts = single.sample(20).counts
    assert [(count.wanted, count.found) for count in counts] == [(4, 4), (4, 4), (4, 0), (4, 0), (2, 2), (2, 2)]


def test_documents_of_one_day_are_near_and_not_far() -> None:
    world = random_world(20, n_days=1)
    found = {count.stratum: count.found for count in world.sample(20).counts}
    assert [found[stratum] for stratum in STRATA[:4]] == [4, 0, 4, 0]


def test_where_all_have_as_many_links_nothing_is_the_edge() -> None:
    world = World(TrailGraph(symmetric(4, [0.9] * 6)), np.zeros(4, dtype=int), np.eye(4))
    assert world.pool("hub to edge").counts == (StratumCount("hub to edge", 16, 0, 0),)


def test_nothing_is_drawn_where_nothing_is_asked_for() -> None:
    sampled = random_world(10).sample(0)
    assert sampled.trails == ()
    assert sampled.counts == tuple(StratumCount(stratum, 0, 0, 0) for stratum in STRATA)


def test_the_order_in_which_the_shares_are_given_does_not_matter() -> None:
    world = random_world(25)
    assert world.sample(20, shares={stratum: SHARES[stratum] for stratum in reversed(STRATA)}) == world.sample(20)


def test_progress_is_told_after_every_pair_that_is_tried() -> None:
    world, told = random_world(25, floor=0.9), list[tuple[int, int]]()
    sampled = sample_endpoints(
        world.graph,
        20,
        topics=world.topics,
        vectors=world.vectors,
        rng=np.random.default_rng(0),
        progress=lambda done, total: told.append((done, total)),
    )
    n_rejected = sum(count.rejected for count in sampled.counts)
    assert n_rejected > 0
    assert len(told) == len(sampled.trails) + n_rejected
    assert told == sorted(told)
    assert told[-1] == (len(sampled.trails), 20)


def test_what_progress_raises_ends_the_work() -> None:
    world, told = random_world(25), list[int]()

    def stop(done: int, total: int) -> None:
        told.append(done)
        if done == 3:
            raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        sample_endpoints(
            world.graph, 20, topics=world.topics, vectors=world.vectors, rng=np.random.default_rng(0), progress=stop
        )
    with pytest.raises(Cancelled):
        given_endpoints(world.graph, [(0, 24, "extremes")] * 5, progress=stop)
    assert told.count(3) == 2


@pytest.mark.parametrize(
    ("shares", "n_pairs", "expected"),
    [
        (SHARES, 100, [20, 20, 20, 20, 10, 10]),
        # 1.4 1.4 1.4 1.4 0.7 0.7
        (SHARES, 7, [2, 1, 1, 1, 1, 1]),
        (SHARES, 1, [1, 0, 0, 0, 0, 0]),
        (SHARES, 0, [0, 0, 0, 0, 0, 0]),
        ({"extremes": 1 / 3, "within short": 1 / 3, "across far": 1 / 3}, 4, [2, 1, 1]),
        ({"within short": 0.29, "across far": 0.71}, 100, [29, 71]),
        ({"within short": 0.5 + 5e-7, "across far": 0.5}, 10_000_000, [5_000_002, 4_999_998]),
        ({"hub to edge": 1.0, "extremes": 0.0}, 5, [5, 0]),
    ],
)
def test_pairs_are_shared_out_by_largest_remainder(
    shares: Mapping[Stratum, float], n_pairs: int, expected: list[int]
) -> None:
    assert list(allot(shares, n_pairs).values()) == expected


@given(st.lists(st.integers(0, 9), min_size=6, max_size=6).filter(any), st.integers(0, 500))
def test_no_stratum_is_a_whole_pair_off_its_share_and_none_is_lost(parts: list[int], n_pairs: int) -> None:
    shares = {stratum: part / sum(parts) for stratum, part in zip(STRATA, parts, strict=True)}
    counts = allot(shares, n_pairs)
    assert sum(counts.values()) == n_pairs
    assert all(abs(counts[stratum] - share * n_pairs) < 1 for stratum, share in shares.items())


@pytest.mark.parametrize(
    ("shares", "told"),
    [
        ({"within short": 1.2, "extremes": -0.2}, "extremes -0.2"),
        ({"within short": 0.5}, "sum to 1; got within short 0.5"),
        ({"within short": math.nan}, "nan"),
        ({}, "got none"),
        ({"nearby": 1.0}, "got nearby"),
    ],
)
def test_shares_that_are_none_are_refused(shares: Mapping[Stratum, float], told: str) -> None:
    with pytest.raises(InvalidInput, match=told):
        random_world(5).sample(10, shares=shares)


@pytest.mark.parametrize(
    "cutoffs",
    [Cutoffs(short=0.7, long=0.3), Cutoffs(short=-0.1), Cutoffs(long=1.1), Cutoffs(hub=2.0), Cutoffs(extreme=math.nan)],
)
def test_cutoffs_that_are_no_quantiles_are_refused(cutoffs: Cutoffs) -> None:
    with pytest.raises(InvalidInput, match="cut-offs must lie"):
        random_world(5).sample(10, cutoffs=cutoffs)


def test_a_negative_number_of_pairs_and_shapes_that_do_not_fit_are_refused() -> None:
    world = random_world(5)
    with pytest.raises(InvalidInput, match="at least 0; got -1"):
        world.sample(-1)
    with pytest.raises(InvalidInput, match="for 5 documents"):
        World(world.graph, world.topics[:4], world.vectors).sample(1)
    with pytest.raises(InvalidInput, match="for 5 documents"):
        World(world.graph, world.topics, world.vectors[:4]).sample(1)


def test_of_many_documents_some_pairs_are_drawn_each_as_likely(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoints, "_MOST_CANDIDATES", 30)
    world = World(TrailGraph(symmetric(10, [0.9] * 45)), np.zeros(10, dtype=int), AXES[np.arange(10) % 6])
    counts: Counter[tuple[int, int]] = Counter()
    for seed in range(400):
        sampled = world.sample(100, shares={"extremes": 1.0}, cutoffs=Cutoffs(extreme=1.0), seed=seed)
        drawn = ends(sampled)
        assert sampled.counts[0].rejected == 0
        assert len(set(drawn)) == len(drawn) <= 30
        assert all(u < v for u, v in drawn)
        counts.update(drawn)
    # A pair is missed by 30 draws of 100 ordered pairs with probability 0.98³⁰ = 0.545: 182 ± 10 of 400.
    assert len(counts) == 45
    assert all(abs(count - 182) < 45 for count in counts.values())


def test_two_thousand_and_one_documents_are_too_many_to_list_their_pairs() -> None:
    drawn = endpoints._candidates(2001, np.random.default_rng(0))
    # Nearly two million draws of two million pairs: 1 − 1/e of them are drawn at least once, 1,264,000.
    assert 1_255_000 < len(drawn) < 1_275_000
    assert len(endpoints._candidates(2000, np.random.default_rng(0))) == 1_999_000


def test_given_pairs_have_their_trails_in_the_order_given() -> None:
    world = random_world(25)
    sampled = world.sample(20)
    pairs = [(u, v, one.stratum) for (u, v), one in zip(ends(sampled), sampled.trails, strict=True)]
    again = given_endpoints(world.graph, pairs)
    assert again.trails == sampled.trails
    assert [(count.stratum, count.wanted, count.found, count.rejected) for count in again.counts] == [
        (count.stratum, count.found, count.found, 0) for count in sampled.counts
    ]


def test_given_pairs_without_a_trail_are_rejected_and_counted() -> None:
    graph = TrailGraph(symmetric(3, [0.9, 0.1, 0.1]), np.array([0.0, 1.0, 2.0]), 0.5)
    given_pairs: list[tuple[int, int, Stratum]] = [
        (0, 2, "extremes"),
        (1, 0, "within short"),
        (0, 1, "extremes"),
        (1, 2, "extremes"),
    ]
    sampled = given_endpoints(graph, given_pairs)
    assert ends(sampled) == [(0, 1)]
    assert sampled.counts == (StratumCount("within short", 1, 0, 1), StratumCount("extremes", 3, 1, 2))
    assert given_endpoints(graph, []) == SampledEndpoints((), ())


def test_a_given_document_that_is_not_there_is_refused() -> None:
    with pytest.raises(InvalidInput, match="between 0 and 4; got 7"):
        given_endpoints(random_world(5).graph, [(0, 7, "extremes")])
