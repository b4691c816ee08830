from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core.errors import InvalidInput
from narrative_core.extraction import LoadedCollection, tell
from narrative_core.records import StoryPair, TrailRequest
from narrative_core.repairs import MOST_INSERTED, Repair, propose_repairs, repaired
from tests.builders import build_collection, symmetric


def names(repair: Repair) -> list[str]:
    return [document.document_id for document in repair.documents]


def by_hand(loaded: LoadedCollection, *story: str) -> StoryPair:
    return tell(loaded, TrailRequest(story[0], story[-1], by_hand=story), draws=2)


# 0-1 .6  0-2 .5  0-3 .9  0-4 .3 | 1-2 .2  1-3 .1  1-4 .6 | 2-3 .1  2-4 .7 | 3-4 .4; a day each.
FIVE = build_collection(range(5), theta=symmetric(5, [0.6, 0.5, 0.9, 0.3, 0.2, 0.1, 0.6, 0.1, 0.7, 0.4]), floor=0.05)


def test_single_documents_are_proposed_by_their_weaker_link_with_what_the_story_is_worth() -> None:
    best, second, third = propose_repairs(FIVE, by_hand(FIVE, "d0", "d4"), 0)
    assert (names(best), names(second), names(third)) == (["d1"], ["d2"], ["d3"])
    assert best.strengths == (0.6, 0.6)
    assert (best.strength, best.link_strength, best.is_stronger) == (0.6, 0.3, True)
    assert (best.before.bottleneck, best.after.bottleneck) == (0.3, 0.6)
    assert (second.after.bottleneck, second.after.mean) == (0.5, pytest.approx(0.6))
    assert all(1 <= worth.lexical <= 10 for worth in (best.before, best.after))
    assert propose_repairs(FIVE, by_hand(FIVE, "d0", "d4"), 0, limit=1) == (best,)
    assert propose_repairs(FIVE, by_hand(FIVE, "d0", "d4"), 0, limit=0) == ()


def test_equal_weaker_links_are_told_apart_by_the_mean() -> None:
    loaded = build_collection(range(4), theta=symmetric(4, [0.5, 0.5, 0.1, 0.1, 0.6, 0.8]), floor=0.05)
    assert [names(repair) for repair in propose_repairs(loaded, by_hand(loaded, "d0", "d3"), 0)] == [["d2"], ["d1"]]


def test_two_documents_are_one_repair_where_they_beat_every_single_one() -> None:
    # 0-1 .9  1-2 .8  2-3 .9, all else weak.
    loaded = build_collection(range(4), theta=symmetric(4, [0.9, 0.2, 0.1, 0.8, 0.3, 0.9]), floor=0.05)
    pair = by_hand(loaded, "d0", "d3")
    found = propose_repairs(loaded, pair, 0)
    assert [names(repair) for repair in found] == [["d1", "d2"], ["d1"], ["d2"]]
    assert found[0].strengths == (0.9, 0.8, 0.9)
    assert repaired(pair, found[0]) == ("d0", "d1", "d2", "d3")


def test_a_repair_goes_into_its_own_link_and_the_repaired_story_is_worth_what_was_said() -> None:
    pair = by_hand(FIVE, "d0", "d2", "d4")
    (repair, *_) = propose_repairs(FIVE, pair, 1)
    order = repaired(pair, repair)
    assert order == ("d0", "d2", *names(repair), "d4")
    after = tell(FIVE, replace(pair.request, by_hand=order), draws=3)
    assert tuple(document.document_id for document in after.trail.documents) == order
    assert (after.trail.bottleneck, after.trail.mean) == (repair.after.bottleneck, repair.after.mean)


def test_nothing_that_the_request_avoids_or_the_story_tells_is_proposed_nor_a_copy_of_it() -> None:
    pair = tell(FIVE, TrailRequest("d0", "d4", avoid=("d1",), avoid_topics=(0,), maximum_length=2), draws=2)
    assert [names(repair) for repair in propose_repairs(FIVE, pair, 0)] == [["d2"]]
    loaded = replace(FIVE, copies={"d0": ("d0", "d1"), "d1": ("d0", "d1")})
    assert [names(repair) for repair in propose_repairs(loaded, by_hand(loaded, "d0", "d4"), 0)] == [["d2"], ["d3"]]


@pytest.mark.parametrize("story", [("d3", "d0"), ("d0", "d5"), ("d0", "d1")])
def test_a_link_with_nothing_between_has_no_repair(story: tuple[str, ...]) -> None:
    theta = np.full((6, 6), 0.5) - 0.5 * np.eye(6)
    loaded = build_collection([0, 1, 2, 3, 4, None], theta=theta, floor=0.1)
    assert propose_repairs(loaded, by_hand(loaded, *story), 0) == ()


@pytest.mark.parametrize("link", [-1, 1])
def test_a_link_that_the_story_does_not_have_is_refused(link: int) -> None:
    with pytest.raises(InvalidInput, match="links 0 to 0"):
        propose_repairs(FIVE, by_hand(FIVE, "d0", "d4"), link)


@st.composite
def cases(draw: st.DrawFn) -> tuple[LoadedCollection, StoryPair, int]:
    n = draw(st.integers(2, 7))
    pairs = n * (n - 1) // 2
    theta = symmetric(n, draw(st.lists(st.sampled_from([0.1, 0.3, 0.5, 0.7, 0.9]), min_size=pairs, max_size=pairs)))
    days = sorted(draw(st.lists(st.sampled_from([0, 1, 2, 3, 4]), min_size=n, max_size=n)))
    loaded = build_collection(days, theta=theta, floor=0.2, median_link=0.5)
    story = tuple(f"d{row}" for row in sorted(draw(st.sets(st.integers(0, n - 1), min_size=2, max_size=n))))
    request = TrailRequest(story[0], story[-1], by_hand=story, maximum_gap_days=draw(st.sampled_from([None, 1, 2])))
    return loaded, tell(loaded, request, draws=1), draw(st.integers(0, len(story) - 2))


def possible(loaded: LoadedCollection, pair: StoryPair, link: int) -> Iterator[tuple[float, tuple[int, ...]]]:
    """Yield, by trying all, every chain of new documents that may stand in a link, with its weakest link."""
    told = loaded.rows(document.document_id for document in pair.trail.documents)
    days, gap = loaded.graph.days, pair.request.maximum_gap_days
    assert days is not None
    rest = [row for row in range(len(loaded.documents)) if row not in told]
    for n in range(1, MOST_INSERTED + 1):
        for inner in permutations(rest, n):
            chain = (told[link], *inner, told[link + 1])
            strengths = loaded.graph.chain_strengths(chain)
            steps = [days[second] - days[first] for first, second in pairwise(chain)]
            if min(steps) >= 0 and (gap is None or max(steps) <= gap) and min(strengths) >= loaded.graph.floor:
                yield min(strengths), inner


@settings(max_examples=200, deadline=None)
@given(cases())
def test_repairs_are_the_best_that_trying_all_finds(case: tuple[LoadedCollection, StoryPair, int]) -> None:
    loaded, pair, link = case
    found = propose_repairs(loaded, pair, link, limit=20)
    everything = list(possible(loaded, pair, link))
    strengths = [repair.strength for repair in found]
    assert strengths == sorted(strengths, reverse=True)
    assert (max(strengths) if strengths else None) == max((strength for strength, _ in everything), default=None)
    singles = {inner: strength for strength, inner in everything if len(inner) == 1}
    proposed = {tuple(loaded.rows(names(repair))): repair.strength for repair in found}
    assert {inner: strength for inner, strength in proposed.items() if len(inner) == 1} == singles
    for inner, strength in proposed.items():
        assert (strength, inner) in everything
        if len(inner) > 1:
            assert strength > max((other for other, fewer in everything if len(fewer) < len(inner)), default=0.0)
    for repair in found:
        story = loaded.rows(repaired(pair, repair))
        assert repair.after.bottleneck == min(loaded.graph.chain_strengths(story))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**16))
def test_the_weakest_link_of_a_found_trail_has_no_stronger_repair(seed: int) -> None:
    loaded = build_collection(range(0, 36, 3), floor=0.1, seed=seed, median_link=0.5)
    pair = tell(loaded, TrailRequest("d0", "d11"), draws=1)
    strengths = [link.coherence for link in pair.trail.links]
    if strengths.count(min(strengths)) == 1:
        weakest = strengths.index(min(strengths))
        assert not any(repair.is_stronger for repair in propose_repairs(loaded, pair, weakest))
