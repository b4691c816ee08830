import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core.curation import Curation
from narrative_core.errors import InvalidInput, NoTrail
from narrative_core.extraction import LoadedCollection, other_baseline, surprise, tell
from narrative_core.records import Story, TrailRequest
from narrative_core.wishes import reach_graph, request_graph, request_seed
from tests.builders import build_collection, symmetric

# In order: 0-1 .9  0-2 .6  0-3 .3  1-2 .8  1-3 .2  2-3 .7, ten days apart.
FOUR = build_collection([0, 10, 20, 30], theta=symmetric(4, [0.9, 0.6, 0.3, 0.8, 0.2, 0.7]), floor=0.1)


def ids(story: Story) -> list[str]:
    return [document.document_id for document in story.documents]


def with_sources(loaded: LoadedCollection, sources: Sequence[str]) -> LoadedCollection:
    named = zip(loaded.documents, sources, strict=True)
    return replace(loaded, documents=tuple(replace(document, source=source) for document, source in named))


def with_copies(loaded: LoadedCollection, *groups: Sequence[int]) -> LoadedCollection:
    named = [tuple(f"d{row}" for row in group) for group in groups]
    return replace(loaded, copies={document_id: group for group in named for document_id in group})


def barred(loaded: LoadedCollection, request: TrailRequest) -> set[str]:
    found = request_graph(loaded, request).barred
    return set() if found is None else {f"d{row}" for row in np.flatnonzero(found)}


def test_no_document_of_an_avoided_source_is_inside_but_ends_and_pins_are_let_through() -> None:
    loaded = with_sources(FOUR, ["Wire", "Wire", "Post", "Wire"])
    request = TrailRequest("d0", "d3", avoid_sources=("Wire",))
    assert ids(tell(loaded, request).trail) == ["d0", "d2", "d3"]
    assert tell(loaded, request).unconstrained_bottleneck == 0.7
    assert barred(loaded, request) == {"d1"}
    assert ids(tell(loaded, replace(request, via=("d1",))).trail) == ["d0", "d1", "d2", "d3"]


def test_no_document_nearest_to_an_avoided_topic_is_inside_but_ends_are_let_through() -> None:
    # Topics take turns: d0 0, d1 1, d2 2, d3 0.
    assert ids(tell(FOUR, TrailRequest("d0", "d3", avoid_topics=(1, 0))).trail) == ["d0", "d2", "d3"]
    assert barred(FOUR, TrailRequest("d1", "d2", avoid_topics=(0,))) == {"d0", "d3"}


def test_a_topic_that_was_merged_is_avoided_as_what_it_is_part_of() -> None:
    landscape = replace(FOUR.landscape, nearest_topic=np.array([0, 2, 2, 0]))
    loaded = replace(FOUR, landscape=landscape, curation=Curation(merged_topics={1: 2}))
    assert ids(tell(loaded, TrailRequest("d0", "d3", avoid_topics=(1,))).trail) == ["d0", "d3"]


@pytest.mark.parametrize(
    ("request_", "out"),
    [
        (TrailRequest("d0", "d5"), {"d3", "d4"}),
        (TrailRequest("d3", "d5"), {"d1", "d4"}),
        (TrailRequest("d0", "d5", via=("d4",)), {"d1", "d3"}),
        (TrailRequest("d1", "d5", via=("d4",)), {"d3"}),
        # The original is dated before the trail begins: the first copy that can be told stands for it.
        (TrailRequest("d2", "d5"), {"d1", "d4"}),
        # A copy stands in for an original of an avoided source; an avoided document is avoided with its copies.
        (TrailRequest("d0", "d5", avoid_sources=("Wire",)), {"d1", "d4"}),
        (TrailRequest("d0", "d5", avoid=("d4",)), {"d1", "d3", "d4"}),
        (TrailRequest("d0", "d3", avoid=("d4",)), {"d1", "d4"}),
    ],
)
def test_of_a_group_of_copies_one_can_be_told(request_: TrailRequest, out: set[str]) -> None:
    loaded = build_collection([0, 10, 20, 30, 40, 50], theta=np.full((6, 6), 0.5) - 0.5 * np.eye(6), floor=0.1)
    loaded = with_copies(with_sources(loaded, ["Post", "Wire", "Post", "Post", "Post", "Post"]), (1, 3, 4))
    assert barred(loaded, request_) == out


def test_what_is_excluded_is_avoided_already_and_cannot_be_an_end() -> None:
    loaded = replace(FOUR, curation=Curation(excluded=frozenset({"gone"})))
    assert ids(tell(loaded, TrailRequest("d0", "d3", avoid=("gone",))).trail) == ["d0", "d1", "d2", "d3"]
    with pytest.raises(InvalidInput, match=r"“gone” is excluded\. Restore it"):
        tell(loaded, TrailRequest("d0", "gone"))


def test_the_free_trail_can_be_missing_where_a_pinned_copy_opens_the_way() -> None:
    # Only the copy d2 leads on; without the pin the original d1 stands for both.
    theta = symmetric(4, [0.9, 0.9, 0.1, 0.9, 0.1, 0.9])
    loaded = with_copies(build_collection([0, 10, 20, 30], theta=theta, floor=0.5), (1, 2))
    assert math.isnan(tell(loaded, TrailRequest("d0", "d3", via=("d2",))).unconstrained_bottleneck)
    with pytest.raises(NoTrail):
        tell(loaded, TrailRequest("d0", "d3"))


def test_in_a_graph_of_reach_copies_are_let_through_but_for_those_of_what_is_avoided() -> None:
    loaded = with_copies(with_sources(FOUR, ["Wire", "Wire", "Post", "Post"]), (1, 2))

    def out(**wishes: object) -> list[int]:
        found = reach_graph(loaded, 0, TrailRequest("d0", "d3", **wishes)).barred  # type: ignore[arg-type]
        return [] if found is None else np.flatnonzero(found).tolist()

    assert out() == []
    assert out(avoid=("d2",)) == [1, 2]
    assert out(avoid_sources=("Wire",)) == [1], "the document itself is let through"
    assert out(via=("d1",), maximum_length=3) == []


def test_a_surprise_has_a_trail_where_copies_are_barred() -> None:
    theta = symmetric(4, [0.9, 0.1, 0.1, 0.9, 0.1, 0.9])
    loaded = with_copies(build_collection([0, 10, 20, 30], theta=theta, floor=0.5, median_link=0.5), (1, 2))
    for seed in range(10):
        assert tell(loaded, surprise(loaded, rng=np.random.default_rng(seed)), draws=2).trail.bottleneck >= 0.5


BY_HAND = TrailRequest("d0", "d3", by_hand=("d0", "d2", "d1", "d3"))


def test_a_story_made_by_hand_is_told_as_it_is_below_the_floor_and_back_in_time() -> None:
    loaded = replace(FOUR, graph=replace(FOUR.graph, floor=0.65))
    pair = tell(loaded, BY_HAND)
    assert ids(pair.trail) == list(BY_HAND.by_hand)
    assert [link.coherence for link in pair.trail.links] == [0.6, 0.8, 0.2]
    assert [link.days_between for link in pair.trail.links] == [20, -10, 20]
    assert (pair.trail.bottleneck, pair.unconstrained_bottleneck, pair.curve) == (0.2, 0.7, None)


def test_the_trail_as_found_made_by_hand_costs_nothing() -> None:
    found = tell(FOUR, TrailRequest("d0", "d3"))
    pair = tell(FOUR, TrailRequest("d0", "d3", by_hand=tuple(ids(found.trail))))
    assert pair.trail == found.trail
    assert pair.unconstrained_bottleneck == pair.trail.bottleneck


def test_wishes_do_not_bind_a_story_made_by_hand() -> None:
    request = replace(BY_HAND, avoid=("d1",), maximum_gap_days=1, avoid_topics=(2,), maximum_length=2)
    assert ids(tell(FOUR, request).trail) == list(BY_HAND.by_hand)


@pytest.mark.parametrize(
    ("story", "words"),
    [
        (("d0", "nope", "d3"), "no document “nope”"),
        (("d0", "d1", "d0"), "at least two documents, each once"),
        (("d0",), "at least two documents, each once"),
        (("d0", "d1"), "Give it its own ends"),
    ],
)
def test_a_story_made_by_hand_that_is_none_is_refused(story: tuple[str, ...], words: str) -> None:
    target = "d0" if story[-1] == "d0" else "d3"
    with pytest.raises(InvalidInput, match=words):
        tell(FOUR, TrailRequest("d0", target, by_hand=story))


def test_chance_tells_as_much_as_there_is_between_the_ends_of_a_story_made_by_hand() -> None:
    pair = tell(FOUR, TrailRequest("d0", "d1", by_hand=("d0", "d3", "d2", "d1")), draws=9)
    assert ids(pair.baseline) == ["d0", "d1"]
    assert other_baseline(FOUR, pair, 3).baseline == pair.baseline
    three = tell(FOUR, TrailRequest("d0", "d2", by_hand=("d0", "d3", "d1", "d2")), draws=9)
    assert ids(three.baseline) == ["d0", "d1", "d2"]


@pytest.mark.parametrize("story", [("d3", "d1", "d0"), ("d0", "d1", "d4"), ("d4", "d1", "d0")])
def test_chance_is_free_of_time_where_the_ends_are(story: tuple[str, ...]) -> None:
    loaded = build_collection([0, 10, 20, 30, None], theta=np.full((5, 5), 0.5) - 0.5 * np.eye(5), floor=0.1)
    pair = tell(loaded, TrailRequest(story[0], story[-1], by_hand=story), draws=40)
    drawn = {ids(other_baseline(loaded, pair, draw).baseline)[1] for draw in range(40)}
    assert drawn == {f"d{row}" for row in range(5)} - {story[0], story[-1]}
    assert math.isnan(pair.unconstrained_bottleneck)


@pytest.mark.parametrize("later", [{"avoid_sources": ("Wire",)}, {"avoid_topics": (0,)}, {"by_hand": ("d0", "d3")}])
def test_later_wishes_change_the_seed_and_without_them_it_is_as_it_was(later: dict[str, tuple[object, ...]]) -> None:
    plain = TrailRequest("d0", "d3")
    assert request_seed(FOUR, plain) == request_seed(FOUR, replace(plain, avoid_sources=(), by_hand=()))
    assert request_seed(FOUR, replace(plain, **later)) != request_seed(FOUR, plain)


@st.composite
def wishes(draw: st.DrawFn) -> tuple[LoadedCollection, TrailRequest]:
    n = draw(st.integers(2, 7))
    pairs = n * (n - 1) // 2
    theta = symmetric(n, draw(st.lists(st.sampled_from([0.2, 0.5, 0.7, 0.9]), min_size=pairs, max_size=pairs)))
    days = sorted(draw(st.lists(st.sampled_from([0, 1, 5]), min_size=n, max_size=n)))
    loaded = build_collection(days, theta=theta, floor=0.3, median_link=0.5)
    loaded = with_sources(loaded, draw(st.lists(st.sampled_from(["A", "B", ""]), min_size=n, max_size=n)))
    kind = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    groups = [[row for row in range(n) if kind[row] == group] for group in (0, 1)]
    row = st.integers(0, n - 1).map("d{}".format)
    return with_copies(loaded, *(group for group in groups if len(group) > 1)), TrailRequest(
        draw(row),
        draw(row),
        via=tuple(draw(st.lists(row, max_size=2, unique=True))),
        avoid=tuple(draw(st.lists(row, max_size=1))),
        is_chronological=draw(st.booleans()),
        avoid_sources=tuple(draw(st.lists(st.sampled_from("AB"), max_size=1))),
        avoid_topics=tuple(draw(st.lists(st.integers(0, 2), max_size=2, unique=True))),
    )


@settings(max_examples=200, deadline=None)
@given(wishes())
def test_a_trail_holds_no_two_copies_and_nothing_of_what_is_avoided(
    case: tuple[LoadedCollection, TrailRequest],
) -> None:
    loaded, request = case
    try:
        pair = tell(loaded, request, draws=1)
    except (NoTrail, InvalidInput):
        return
    wanted = {request.source, request.target, *request.via}
    told = set(ids(pair.trail))
    for document in pair.trail.documents:
        if document.document_id not in wanted:
            group = set(loaded.copies.get(document.document_id, ()))
            assert told & group <= {document.document_id}
            assert not group & set(request.avoid)
            assert document.source not in request.avoid_sources
            assert loaded.landscape.nearest_topic[loaded.row_of[document.document_id]] not in request.avoid_topics
    assert not told & set(request.avoid)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**16), st.permutations(range(6)), st.integers(2, 6))
def test_any_order_of_documents_is_a_story(seed: int, order: list[int], length: int) -> None:
    loaded = build_collection([0, 3, 3, 9, 40, None], seed=seed, median_link=0.5)
    story = tuple(f"d{row}" for row in order[:length])
    pair = tell(loaded, TrailRequest(story[0], story[-1], by_hand=story), draws=3)
    assert tuple(ids(pair.trail)) == story
    assert pair.trail.bottleneck == min(loaded.graph.chain_strengths(order[:length]))
    assert (ids(pair.baseline)[0], ids(pair.baseline)[-1]) == (story[0], story[-1])
    assert 2 <= len(pair.baseline.documents) <= length
