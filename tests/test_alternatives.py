from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core.alternatives import alternatives, overlap
from narrative_core.errors import NoTrail
from narrative_core.extraction import describe, tell
from narrative_core.records import Story, TrailRequest
from tests.builders import build_collection, symmetric


def ids(story: Story) -> list[str]:
    return [document.document_id for document in story.documents]


# From 0 to 4 over 1 (.9), 2 (.7) or 3 (.5), or directly (.3).
FAN = build_collection(range(5), theta=symmetric(5, [0.9, 0.7, 0.5, 0.3, 0.1, 0.1, 0.9, 0.1, 0.7, 0.5]), floor=0.2)
ENDS = TrailRequest("d0", "d4")


def test_each_alternative_avoids_the_inside_of_all_before_until_the_ends_meet() -> None:
    found = alternatives(FAN, ENDS, limit=9)
    assert [ids(other.story) for other in found] == [["d0", "d2", "d4"], ["d0", "d3", "d4"], ["d0", "d4"]]
    assert [other.story.bottleneck for other in found] == [0.7, 0.5, 0.3]
    assert [other.request.avoid for other in found] == [("d1",), ("d1", "d2"), ("d1", "d2", "d3")]
    assert alternatives(FAN, ENDS, limit=1) == found[:1]
    assert alternatives(FAN, ENDS, limit=0) == ()


def test_pins_and_wishes_hold_for_all_alternatives() -> None:
    request = replace(ENDS, via=("d2",), avoid=("d3",))
    assert alternatives(FAN, request) == ()
    # A direct trail leaves nothing to avoid, so no other.
    assert alternatives(FAN, replace(ENDS, maximum_length=2)) == ()


def test_of_a_story_made_by_hand_the_inside_is_avoided_and_trails_are_searched() -> None:
    first, *_ = alternatives(FAN, replace(ENDS, by_hand=("d0", "d3", "d1", "d4")))
    assert (ids(first.story), first.request) == (["d0", "d2", "d4"], replace(ENDS, avoid=("d3", "d1")))
    direct = alternatives(FAN, replace(ENDS, by_hand=("d0", "d4")), limit=1)
    assert ids(direct[0].story) == ["d0", "d1", "d4"]
    assert alternatives(FAN, TrailRequest("d4", "d0", by_hand=("d4", "d1", "d0"))) == ()


def test_an_alternative_is_no_copy_of_what_came_before() -> None:
    loaded = replace(FAN, copies={"d1": ("d1", "d2"), "d2": ("d1", "d2")})
    assert [ids(other.story) for other in alternatives(loaded, ENDS)] == [["d0", "d3", "d4"], ["d0", "d4"]]


def test_a_request_without_a_trail_has_no_alternative_either() -> None:
    with pytest.raises(NoTrail):
        alternatives(FAN, TrailRequest("d4", "d0"))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**16), st.booleans())
def test_alternatives_share_no_document_and_are_what_their_requests_give(seed: int, is_pinned: bool) -> None:
    loaded = build_collection(range(0, 45, 3), seed=seed, median_link=0.5)
    request = TrailRequest("d0", "d14", via=("d7",) if is_pinned else ())
    try:
        first = tell(loaded, request, draws=1).trail
    except NoTrail:
        return
    found = alternatives(loaded, request, limit=5)
    shared = {"d0", "d14", *request.via}
    for one, other in combinations([first, *(other.story for other in found)], 2):
        assert set(ids(one)) & set(ids(other)) == shared
        # Each avoids more than the one before, so that it cannot be stronger; with pins the legs are found in turn.
        assert is_pinned or other.bottleneck <= one.bottleneck
    for other in found:
        assert tell(loaded, other.request, draws=1).trail == other.story
    if len(found) < 5:
        last, wish = (found[-1].story, found[-1].request) if found else (first, request)
        if inside := set(ids(last)) - shared:
            with pytest.raises(NoTrail):
                tell(loaded, replace(wish, avoid=(*wish.avoid, *inside)), draws=1)


def test_two_stories_share_documents_in_any_order_and_links_in_one() -> None:
    first = describe(FAN, [0, 1, 2, 4], kind="trail")
    both = overlap(first, describe(FAN, [2, 1, 4, 0, 1], kind="baseline"))
    assert both.documents == ("d0", "d1", "d2", "d4")
    assert both.links == (("d0", "d1"),)
    assert overlap(first, first).links == (("d0", "d1"), ("d1", "d2"), ("d2", "d4"))
    assert overlap(first, describe(FAN, [3, 2], kind="trail")).documents == ("d2",)
