import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core.errors import InvalidInput, NoTrail, NoTrailReason
from narrative_core.extraction import (
    LoadedCollection,
    describe,
    neighbours,
    other_baseline,
    reach_of,
    surprise,
    tell,
)
from narrative_core.records import CurvePoint, Story, TrailRequest
from narrative_core.trails.baselines import documents_between
from narrative_core.trails.capacity import reach
from narrative_core.wishes import request_graph, request_seed
from tests.builders import build_collection, symmetric

LOADED = build_collection(seed=13)  # one in which every request below has a trail
UNDATED = ("d20", "d21")
WHOLE = TrailRequest("d0", "d19")

# In order: 0-1 .9  0-2 .4  0-3 .3  1-2 .8  1-3 .2  2-3 .7, a day each, and d4, undated and close to all.
FOUR = symmetric(5, [0.9, 0.4, 0.3, 0.95, 0.8, 0.2, 0.95, 0.7, 0.95, 0.95])
SMALL = build_collection([0, 10, 20, 30, None], theta=FOUR, floor=0.1)


def ids(story: Story) -> list[str]:
    return [document.document_id for document in story.documents]


def rows(loaded: LoadedCollection, story: Story) -> list[int]:
    return loaded.rows(ids(story))


def test_a_request_is_answered_with_the_canonical_trail() -> None:
    pair = tell(SMALL, TrailRequest("d0", "d3"))
    assert ids(pair.trail) == ["d0", "d1", "d2", "d3"]
    assert pair.trail.bottleneck == pair.unconstrained_bottleneck == 0.7
    assert pair.trail.weakest_link.source == "d2"
    assert pair.curve == (CurvePoint(2, 0.3), CurvePoint(3, 0.4), CurvePoint(4, 0.7))


def test_a_pinned_document_is_visited_and_its_price_shown() -> None:
    theta = symmetric(4, [0.9, 0.4, 0.3, 0.2, 0.8, 0.7])
    loaded = build_collection([0, 10, 20, 30], theta=theta, floor=0.1)
    pair = tell(loaded, TrailRequest("d0", "d3", via=("d2",)))
    assert ids(pair.trail) == ["d0", "d2", "d3"]
    assert (pair.trail.bottleneck, pair.unconstrained_bottleneck) == (0.4, 0.8)
    assert pair.curve is None


def test_an_avoided_document_is_not_on_the_trail_and_its_price_shown() -> None:
    pair = tell(SMALL, TrailRequest("d0", "d3", avoid=("d1",)))
    assert ids(pair.trail) == ["d0", "d2", "d3"]
    assert (pair.trail.bottleneck, pair.unconstrained_bottleneck) == (0.4, 0.7)
    assert pair.curve == (CurvePoint(2, 0.3), CurvePoint(3, 0.4))


def test_no_link_is_longer_than_the_longest_gap() -> None:
    pair = tell(SMALL, TrailRequest("d0", "d3", avoid=("d1",), maximum_gap_days=20))
    assert ids(pair.trail) == ["d0", "d2", "d3"]
    with pytest.raises(NoTrail):
        tell(SMALL, TrailRequest("d0", "d3", avoid=("d1",), maximum_gap_days=19))


@pytest.mark.parametrize(
    ("length", "told"), [(2, ["d0", "d3"]), (3, ["d0", "d2", "d3"]), (9, ["d0", "d1", "d2", "d3"])]
)
def test_a_length_picks_its_point_of_the_curve(length: int, told: list[str]) -> None:
    pair = tell(SMALL, TrailRequest("d0", "d3", maximum_length=length))
    assert ids(pair.trail) == told
    assert pair.curve is not None
    assert pair.trail.bottleneck == max(point.bottleneck for point in pair.curve if point.length <= length)


def test_in_any_order_an_undated_document_may_be_told_and_time_may_run_back() -> None:
    pair = tell(SMALL, TrailRequest("d3", "d0", is_chronological=False))
    assert ids(pair.trail) == ["d3", "d4", "d0"]
    assert pair.trail.bottleneck == pair.unconstrained_bottleneck == 0.95
    with pytest.raises(NoTrail) as caught:
        tell(SMALL, TrailRequest("d3", "d0"))
    assert caught.value.reason is NoTrailReason.REVERSED


@pytest.mark.parametrize(
    "request_",
    [
        WHOLE,
        TrailRequest("d0", "d19", via=("d10", "d1")),
        TrailRequest("d0", "d19", avoid=("d3", "d9")),
        TrailRequest("d0", "d19", maximum_gap_days=40),
        TrailRequest("d0", "d19", maximum_length=3),
        TrailRequest("d19", "d0", is_chronological=False),
        TrailRequest("d19", "d20", is_chronological=False, via=("d21",), avoid=("d1",)),
        TrailRequest("d0", "d19", avoid=("d1",), maximum_gap_days=50, maximum_length=4),
    ],
)
def test_every_kind_of_request_is_kept_and_its_baseline_is_as_long_as_its_trail(request_: TrailRequest) -> None:
    pair = tell(LOADED, request_, draws=30)
    graph = request_graph(LOADED, request_)
    for story, kind in ((pair.trail, "trail"), (pair.baseline, "baseline")):
        assert story.kind == kind
        assert (ids(story)[0], ids(story)[-1]) == (request_.source, request_.target)
        assert len(set(ids(story))) == len(ids(story)) == len(pair.trail.documents)
        assert story.bottleneck == min(link.coherence for link in story.links)
    told = ids(pair.trail)
    assert set(request_.via) <= set(told)
    assert not set(request_.avoid) & set(told)
    assert len(told) <= (request_.maximum_length or len(told))
    for u, v in pairwise(rows(LOADED, pair.trail)):
        assert np.isfinite(graph.links_from(u)[v])
    assert pair.trail.bottleneck <= pair.unconstrained_bottleneck
    between = documents_between(graph, *LOADED.rows([request_.source, request_.target]))
    assert set(rows(LOADED, pair.baseline)[1:-1]) <= set(between.tolist())


def test_the_baseline_on_show_is_the_draw_of_median_bottleneck_and_beaten_counts_the_weaker_ones() -> None:
    pair = tell(LOADED, WHOLE, draws=31)
    assert pair.drawn == 31
    assert pair.baseline.bottleneck == pair.draw_bottlenecks[pair.draw] == np.median(pair.draw_bottlenecks)
    assert pair.beaten == sum(bottleneck < pair.trail.bottleneck for bottleneck in pair.draw_bottlenecks)
    assert pair.beaten > 15


def test_by_default_a_trail_is_compared_with_two_hundred_chronologies() -> None:
    assert tell(SMALL, TrailRequest("d0", "d3")).drawn == 200


def test_the_same_request_shows_the_same_draws() -> None:
    pair, again = tell(LOADED, WHOLE), tell(build_collection(seed=13), WHOLE)
    assert pair == again


@pytest.mark.parametrize(
    "other",
    [
        TrailRequest("d0", "d18"),
        TrailRequest("d1", "d19"),
        replace(WHOLE, via=("d4",)),
        replace(WHOLE, avoid=("d4",)),
        replace(WHOLE, maximum_gap_days=90),
        replace(WHOLE, maximum_length=5),
        replace(WHOLE, is_chronological=False),
    ],
)
def test_every_part_of_a_request_and_the_landscape_change_its_seed(other: TrailRequest) -> None:
    assert request_seed(LOADED, other) != request_seed(LOADED, WHOLE)
    assert request_seed(build_collection(seed=1), WHOLE) != request_seed(LOADED, WHOLE)


def test_a_seed_is_the_same_on_any_machine() -> None:
    # SHA-256 of the landscape and the request; a change here shows every stored story other draws.
    assert request_seed(LOADED, WHOLE) == 2251057170


def test_another_draw_is_shown_and_nothing_else_changes() -> None:
    pair = tell(LOADED, WHOLE, draws=7)
    for draw in range(7):
        other = other_baseline(LOADED, pair, draw)
        assert other.baseline.bottleneck == pair.draw_bottlenecks[draw]
        assert replace(other, draw=pair.draw, baseline=pair.baseline) == pair
    assert other_baseline(LOADED, pair, pair.draw) == pair


def test_draws_wrap_round_at_both_ends() -> None:
    pair = tell(LOADED, WHOLE, draws=7)
    assert other_baseline(LOADED, pair, 7) == other_baseline(LOADED, pair, 0)
    assert other_baseline(LOADED, pair, -1) == other_baseline(LOADED, pair, 6)


def test_another_draw_of_a_request_in_any_order_is_one_of_its_own() -> None:
    pair = tell(LOADED, TrailRequest("d19", "d0", avoid=("d7",), is_chronological=False), draws=5)
    for draw in range(5):
        assert other_baseline(LOADED, pair, draw).baseline.bottleneck == pair.draw_bottlenecks[draw]


def test_a_chain_is_described_link_by_link() -> None:
    story = describe(SMALL, [0, 3, 4], kind="baseline")
    first, second = story.links
    assert (first.source, first.target, first.coherence, first.days_between) == ("d0", "d3", 0.3, 30)
    assert (second.source, second.target, second.coherence, second.days_between) == ("d3", "d4", 0.95, None)
    assert (first.is_weakest, second.is_weakest) == (True, False)
    assert story.bottleneck == 0.3
    assert story.mean == pytest.approx(0.625)
    assert story.reliability == pytest.approx(math.sqrt(0.3 * 0.95))
    assert story.weakest_link is first


def test_documents_of_one_topic_share_its_words() -> None:
    same, other = describe(SMALL, [0, 3, 4], kind="trail").links
    assert same.shared_terms[0] == "harbour flood"
    assert "harbour flood" not in other.shared_terms
    assert not any("witness" in term for link in (same, other) for term in link.shared_terms)


def test_links_below_the_collections_median_are_weak_beside_the_weakest() -> None:
    loaded = replace(SMALL, landscape=replace(SMALL.landscape, median_link=0.75))
    links = describe(loaded, [0, 1, 2, 3], kind="trail").links
    assert [link.is_weak for link in links] == [False, False, True]
    links = describe(loaded, [1, 3, 2, 0], kind="trail").links
    assert [link.is_weak for link in links] == [True, True, True]
    assert [link.is_weakest for link in links] == [True, False, False]


def test_the_parts_of_every_link_multiply_to_its_coherence() -> None:
    for link in tell(LOADED, WHOLE).trail.links:
        assert math.sqrt(link.wording_similarity * link.topic_similarity) == pytest.approx(link.coherence, abs=1e-9)


def test_an_unknown_document_is_named() -> None:
    with pytest.raises(InvalidInput, match=r"The towns has no document “d99”"):
        tell(LOADED, TrailRequest("d0", "d99"))
    with pytest.raises(InvalidInput, match="“gone”"):
        tell(LOADED, replace(WHOLE, via=("gone",)))
    with pytest.raises(InvalidInput, match="“gone”"):
        tell(LOADED, replace(WHOLE, avoid=("d1", "gone")))


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (replace(WHOLE, is_chronological=False, maximum_gap_days=3), "Switch the order in time on"),
        (replace(WHOLE, via=("d4",), maximum_length=5), "Lift the limit or the pins"),
        (replace(WHOLE, via=("d0",)), "must differ"),
        (replace(WHOLE, via=("d4", "d4")), "must differ"),
    ],
)
def test_a_request_that_contradicts_itself_is_told_how_to_agree(request_: TrailRequest, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        tell(LOADED, request_)


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (TrailRequest("d3", "d3"), NoTrailReason.SAME_DOCUMENT),
        (TrailRequest("d3", "d2"), NoTrailReason.REVERSED),
        (TrailRequest("d3", "d20"), NoTrailReason.UNDATED),
        (TrailRequest("d20", "d3", via=("d1",)), NoTrailReason.UNDATED),
        (TrailRequest("d0", "d19", avoid=("d19",)), NoTrailReason.BARRED),
        (TrailRequest("d0", "d19", via=("d4",), avoid=("d4",)), NoTrailReason.BARRED),
        (TrailRequest("d0", "d19", maximum_gap_days=1), NoTrailReason.NO_PATH),
        (TrailRequest("d0", "d19", via=("d20",)), NoTrailReason.NO_PATH),
        (TrailRequest("d5", "d19", via=("d2",)), NoTrailReason.NO_PATH),
        (TrailRequest("d0", "d19", maximum_length=1), NoTrailReason.NO_PATH),
    ],
)
def test_a_request_without_a_trail_says_which_case_it_is(request_: TrailRequest, reason: NoTrailReason) -> None:
    with pytest.raises(NoTrail) as caught:
        tell(LOADED, request_)
    assert caught.value.reason is reason


def test_reach_of_a_document_is_chronological_unless_asked_otherwise() -> None:
    assert reach_of(SMALL, "d1").tolist() == [-math.inf, math.inf, 0.8, 0.7, -math.inf]
    any_order = TrailRequest("", "", is_chronological=False)
    assert reach_of(SMALL, "d1", conditions=any_order).tolist() == [0.95, math.inf, 0.95, 0.95, 0.95]
    np.testing.assert_array_equal(reach_of(LOADED, "d4"), reach(LOADED.graph, 4))


@pytest.mark.parametrize(
    "conditions",
    [
        TrailRequest("", "", maximum_gap_days=9),
        TrailRequest("", "", avoid=("d5", "d8"), avoid_topics=(2,)),
        TrailRequest("", "", avoid=("d5",), is_chronological=False),
    ],
)
def test_reach_is_the_weakest_link_of_the_trail_that_the_same_conditions_find(conditions: TrailRequest) -> None:
    barred = {"d2", "d5", "d8", "d11", "d14", "d17"} if conditions.avoid_topics else set(conditions.avoid)
    found, reached = reach_of(LOADED, "d0", conditions=conditions), 0
    for row, document in enumerate(LOADED.documents):
        one = document.document_id
        if one == "d0" or one in barred or (document.date is None and conditions.avoid_topics):
            continue
        try:
            told = tell(LOADED, replace(conditions, source="d0", target=one), draws=1).trail.bottleneck
        except NoTrail:
            told = -math.inf
        assert found[row] == told
        reached += math.isfinite(told)
    assert reached > 3


def test_what_is_avoided_is_not_reached_but_leads_on_where_the_reach_is_its_own() -> None:
    conditions = TrailRequest("d0", "d3", avoid=("d1",))
    assert reach_of(SMALL, "d0", conditions=conditions).tolist() == [math.inf, -math.inf, 0.4, 0.4, -math.inf]
    assert reach_of(SMALL, "d1", conditions=conditions)[2] == 0.8


def test_neighbours_are_the_closest_of_any_date_and_below_the_floor() -> None:
    loaded = build_collection([0, 10, 20, 30, None], theta=FOUR, floor=0.99)
    closest = [(document.document_id, strength) for document, strength in neighbours(loaded, "d2")]
    assert closest == [("d4", 0.95), ("d1", 0.8), ("d3", 0.7), ("d0", 0.4)]
    assert [document.document_id for document, _ in neighbours(loaded, "d2", limit=2)] == ["d4", "d1"]
    assert neighbours(build_collection([0]), "d0") == ()


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_a_surprise_is_a_request_that_has_a_trail(seed: int) -> None:
    request_ = surprise(LOADED, rng=np.random.default_rng(seed))
    assert request_ == TrailRequest(request_.source, request_.target)
    assert len(tell(LOADED, request_, draws=5).trail.documents) >= 2


def test_a_surprise_is_a_good_story_where_the_collection_has_one() -> None:
    # The first ten are a strong chain with nothing between its steps: chance can only tell the same. Of the others,
    # every second one is a step of the chain, and those between hang together with nothing, so chance fails.
    chain = [*range(10), *range(10, 38, 2)]
    theta = np.full((38, 38), 0.2)
    for first, second in pairwise(chain):
        theta[first, second] = theta[second, first] = 0.9
    np.fill_diagonal(theta, 0.0)
    loaded = build_collection([10 * row for row in range(38)], theta=theta, floor=0.1, median_link=0.9)
    for seed in range(12):
        pair = tell(loaded, surprise(loaded, rng=np.random.default_rng(seed)))
        assert 5 <= len(pair.trail.documents) <= 10
        assert pair.trail.bottleneck == 0.9
        assert pair.beaten > 160


def test_one_seed_gives_one_surprise() -> None:
    drawn = [surprise(LOADED, rng=np.random.default_rng(seed)) for seed in (1, 1, 2, 3, 4)]
    assert drawn[0] == drawn[1]
    assert len(set(drawn)) > 1


@pytest.mark.parametrize("days", [[], [0], [0, None, None], [None, None, None]])
def test_a_collection_without_two_dated_documents_has_no_surprise(days: list[int | None]) -> None:
    n = len(days)
    loaded = build_collection(days, theta=symmetric(n, [0.5] * (n * (n - 1) // 2)), floor=0.1)
    with pytest.raises(NoTrail, match="at least two dated"):
        surprise(loaded, rng=np.random.default_rng(0))


def test_a_collection_whose_pairs_all_break_has_no_surprise() -> None:
    loaded = build_collection([0, 1, 2], theta=symmetric(3, [0.1] * 3), floor=0.5)
    with pytest.raises(NoTrail):
        surprise(loaded, rng=np.random.default_rng(0))
