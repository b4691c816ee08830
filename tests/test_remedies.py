import math
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core.errors import InvalidInput, NoTrail
from narrative_core.extraction import LoadedCollection, tell
from narrative_core.records import Topic, TrailRequest
from narrative_core.remedies import Refusal, Remedy, lift_all, refuse
from tests.builders import build_collection, symmetric, with_titles

# 0-1 .9  0-2 .4  0-3 .3  0-4 .8  1-2 .8  1-3 .2  1-4 .95  2-3 .7  2-4 .5  3-4 .6; ten days apart, d4 undated.
THETA = symmetric(5, [0.9, 0.4, 0.3, 0.8, 0.8, 0.2, 0.95, 0.7, 0.5, 0.6])
SMALL = build_collection([0, 10, 20, 30, None], theta=THETA, floor=0.1)


def refusal_of(loaded: LoadedCollection, request: TrailRequest) -> Refusal:
    with pytest.raises(NoTrail) as caught:
        tell(loaded, request, draws=2)
    return refuse(loaded, request, caught.value)


def offered(refusal: Refusal) -> dict[str, TrailRequest]:
    return {remedy.label: remedy.request for remedy in refusal.remedies}


def test_two_ends_in_one_document_are_moved_to_its_closest_later_one() -> None:
    refusal = refusal_of(SMALL, TrailRequest("d2", "d2"))
    assert refusal.sentence == (
        "Both ends are the same document, “Headline 2 on the rocket launch”. A trail needs two."
    )
    # d1 is closer to d2 but earlier.
    assert offered(refusal) == {
        "End at its closest later document, “Headline 3 on the harbour flood”": TrailRequest("d2", "d3")
    }


def test_the_last_document_has_no_later_one_to_end_at() -> None:
    assert refusal_of(SMALL, TrailRequest("d3", "d3")).remedies == ()


def test_an_undated_document_at_both_ends_has_no_later_one_to_end_at() -> None:
    assert refusal_of(SMALL, TrailRequest("d4", "d4")).remedies == ()


def test_reversed_ends_are_swapped_or_time_ignored() -> None:
    refusal = refusal_of(SMALL, TrailRequest("d2", "d1"))
    assert refusal.sentence == (
        "“Headline 2 on the rocket launch” (2020-01-21) is later than "
        "“Headline 1 on the election ballot” (2020-01-11), and a trail runs forward in time."
    )
    assert offered(refusal) == {
        "Swap the two": TrailRequest("d1", "d2"),
        "Ignore the order in time": TrailRequest("d2", "d1", is_chronological=False),
    }


def test_reversed_ends_keep_the_other_wishes_and_lose_the_gap_where_time_is_ignored() -> None:
    refusal = refusal_of(SMALL, TrailRequest("d3", "d0", avoid=("d2",), maximum_gap_days=40))
    assert offered(refusal) == {
        "Swap the two": TrailRequest("d0", "d3", avoid=("d2",), maximum_gap_days=40),
        "Ignore the order in time": TrailRequest("d3", "d0", avoid=("d2",), is_chronological=False),
    }


def test_swapping_is_not_offered_where_that_has_no_trail_either() -> None:
    refusal = refusal_of(SMALL, TrailRequest("d3", "d0", avoid=("d2",), maximum_gap_days=5))
    assert list(offered(refusal)) == ["Ignore the order in time"]


def test_an_undated_end_is_moved_to_its_closest_dated_document() -> None:
    refusal = refusal_of(SMALL, TrailRequest("d0", "d4"))
    assert refusal.sentence == "“Headline 4 on the election ballot” has no date, so no place in a chronology."
    assert offered(refusal) == {
        "End at its closest dated document, “Headline 1 on the election ballot”": TrailRequest("d0", "d1"),
        "Ignore the order in time": TrailRequest("d0", "d4", is_chronological=False),
    }


def test_an_undated_start_is_moved_to_the_closest_document_that_leads_to_the_target() -> None:
    refusal = refusal_of(SMALL, TrailRequest("d4", "d1"))
    # d1, the closest, is the target itself.
    assert offered(refusal) == {
        "Start at its closest dated document, “Headline 0 on the harbour flood”": TrailRequest("d0", "d1"),
        "Ignore the order in time": TrailRequest("d4", "d1", is_chronological=False),
    }


def test_two_undated_ends_are_both_named_and_only_time_can_be_ignored() -> None:
    loaded = build_collection([0, None, None], theta=symmetric(3, [0.5, 0.6, 0.7]), floor=0.1)
    refusal = refusal_of(loaded, TrailRequest("d1", "d2"))
    assert refusal.sentence == (
        "“Headline 1 on the election ballot” and “Headline 2 on the rocket launch” have no date, "
        "so no place in a chronology."
    )
    assert list(offered(refusal)) == ["Ignore the order in time"]


@pytest.mark.parametrize(
    ("request_", "number", "cured"),
    [
        (TrailRequest("d0", "d3", avoid=("d1", "d0")), 0, TrailRequest("d0", "d3", avoid=("d1",))),
        (TrailRequest("d0", "d3", avoid=("d3",)), 3, TrailRequest("d0", "d3")),
        (TrailRequest("d0", "d3", via=("d2",), avoid=("d2",)), 2, TrailRequest("d0", "d3", via=("d2",))),
    ],
)
def test_a_barred_end_or_pin_is_named_and_allowed_again(
    request_: TrailRequest, number: int, cured: TrailRequest
) -> None:
    refusal = refusal_of(SMALL, request_)
    assert refusal.sentence.startswith(f"“Headline {number} ")
    assert "also among the documents to avoid" in refusal.sentence
    assert refusal.remedies[0] == Remedy("Stop avoiding it", cured)


def test_allowing_a_barred_end_is_not_offered_where_the_ends_are_reversed_too() -> None:
    assert refusal_of(SMALL, TrailRequest("d3", "d0", avoid=("d0",))).remedies == ()


def test_a_broken_chain_ends_at_the_closest_document_that_can_be_reached() -> None:
    # 0-1 and 2-3 hang together, and nothing else reaches the floor.
    theta = symmetric(4, [0.9, 0.2, 0.2, 0.3, 0.4, 0.8])
    loaded = build_collection([0, 10, 20, 30], theta=theta, floor=0.5)
    refusal = refusal_of(loaded, TrailRequest("d0", "d3"))
    assert refusal.sentence == (
        "No chain leads from “Headline 0 on the harbour flood” to “Headline 3 on the harbour flood”: "
        "every way breaks at a link weaker than 0.50."
    )
    assert offered(refusal) == {
        "End at “Headline 1 on the election ballot”, the closest document that can be reached": TrailRequest("d0", "d1")
    }


def test_time_is_ignored_where_that_alone_breaks_the_chain() -> None:
    # 0 and 1 hang together through the later 2 only.
    loaded = build_collection([0, 10, 20], theta=symmetric(3, [0.2, 0.9, 0.9]), floor=0.5)
    refusal = refusal_of(loaded, TrailRequest("d0", "d1"))
    assert offered(refusal)["Ignore the order in time"] == TrailRequest("d0", "d1", is_chronological=False)


def test_a_chain_that_breaks_everywhere_has_no_remedy() -> None:
    loaded = build_collection([0, 10, 20], theta=symmetric(3, [0.2, 0.3, 0.4]), floor=0.5)
    for is_chronological in (True, False):
        refusal = refusal_of(loaded, TrailRequest("d0", "d2", is_chronological=is_chronological))
        assert refusal.sentence.endswith("every way breaks at a link weaker than 0.50.")
        assert refusal.remedies == ()


def test_the_condition_that_breaks_the_chain_is_lifted_alone() -> None:
    refusal = refusal_of(SMALL, TrailRequest("d0", "d3", avoid=("d1",), maximum_gap_days=5))
    assert refusal.sentence == (
        "No chain leads from “Headline 0 on the harbour flood” to “Headline 3 on the harbour flood” "
        "when avoiding 1 document and allowing no gap over 5 days; without that one does."
    )
    remedies = offered(refusal)
    assert remedies["Lift the limit on the gap"] == TrailRequest("d0", "d3", avoid=("d1",))
    assert "Allow all documents again" not in remedies
    assert remedies["Lift all conditions"] == TrailRequest("d0", "d3")


@pytest.mark.parametrize(
    "request_",
    [
        TrailRequest("d0", "d3", avoid=("d1",), maximum_gap_days=5),
        TrailRequest("d0", "d3", via=("d2",), maximum_gap_days=5),
        TrailRequest("d0", "d3", via=("d4",), avoid=("d2",)),
        TrailRequest("d0", "d3", via=("d2",), avoid=("d2",), maximum_gap_days=15),
        TrailRequest("d0", "d3", avoid=("d1", "d3"), maximum_gap_days=5),
    ],
)
def test_several_conditions_can_be_lifted_at_once(request_: TrailRequest) -> None:
    assert refusal_of(SMALL, request_).remedies[-1] == Remedy("Lift all conditions", TrailRequest("d0", "d3"))


@pytest.mark.parametrize(
    "request_", [TrailRequest("d0", "d3", maximum_gap_days=5), TrailRequest("d0", "d3", via=("d4",))]
)
def test_one_condition_is_lifted_by_its_own_name(request_: TrailRequest) -> None:
    remedies = refusal_of(SMALL, request_).remedies
    assert remedies[0].request == TrailRequest("d0", "d3")
    assert "Lift all conditions" not in [remedy.label for remedy in remedies]


def test_the_closest_document_that_can_be_reached_is_reached_under_the_same_conditions() -> None:
    # d1 is closest to d3 and strongly linked to d0, but to be avoided; d2 is the next.
    loaded = build_collection([0, 10, 20, 30], theta=symmetric(4, [0.9, 0.8, 0.1, 0.1, 0.4, 0.3]), floor=0.5)
    refusal = refusal_of(loaded, TrailRequest("d0", "d3", avoid=("d1",), maximum_gap_days=25))
    assert refusal.sentence.endswith("every way breaks at a link weaker than 0.50.")
    assert offered(refusal) == {
        "End at “Headline 2 on the rocket launch”, the closest document that can be reached": TrailRequest(
            "d0", "d2", avoid=("d1",), maximum_gap_days=25
        )
    }


def test_with_pins_no_other_end_is_offered() -> None:
    loaded = build_collection([0, 10, 20, 30], theta=symmetric(4, [0.9, 0.2, 0.2, 0.3, 0.4, 0.8]), floor=0.5)
    assert refusal_of(loaded, TrailRequest("d0", "d3", via=("d1",))).remedies == ()


def test_a_limit_on_the_length_that_no_trail_keeps_is_lifted() -> None:
    loaded = build_collection([0, 10, 20], theta=symmetric(3, [0.9, 0.2, 0.9]), floor=0.5)
    refusal = refusal_of(loaded, TrailRequest("d0", "d2", maximum_length=2))
    assert offered(refusal)["Lift the limit on the length"] == TrailRequest("d0", "d2")


def test_lifting_the_gap_is_not_offered_where_the_length_still_forbids_every_trail() -> None:
    loaded = build_collection([0, 10, 20], theta=symmetric(3, [0.9, 0.2, 0.9]), floor=0.5)
    refusal = refusal_of(loaded, TrailRequest("d0", "d2", maximum_gap_days=5, maximum_length=2))
    assert "Lift the limit on the gap" not in offered(refusal)
    assert offered(refusal)["Lift all conditions"] == TrailRequest("d0", "d2")


@pytest.mark.parametrize("pin", ["d0", "d3", "d4"])
def test_a_pin_that_time_forbids_is_removed(pin: str) -> None:
    refusal = refusal_of(SMALL, TrailRequest("d1", "d2", via=(pin,)))
    assert offered(refusal)["Remove the pins"] == TrailRequest("d1", "d2")


def test_an_undated_end_whose_closest_document_is_pinned_is_moved_to_the_next() -> None:
    refusal = refusal_of(SMALL, TrailRequest("d4", "d3", via=("d1",)))
    remedies = offered(refusal)
    assert remedies["Start at its closest dated document, “Headline 0 on the harbour flood”"] == TrailRequest(
        "d0", "d3", via=("d1",)
    )


def test_a_weak_chain_is_not_blamed_for_what_a_condition_forbids() -> None:
    refusal = refusal_of(SMALL, TrailRequest("d0", "d3", maximum_gap_days=5))
    assert "weaker than" not in refusal.sentence


def test_avoided_sources_and_topics_are_allowed_again_one_by_one_and_by_name() -> None:
    # Only over d1 (topic 1, Wire) does d0 lead to d2 strongly enough.
    loaded = build_collection([0, 10, 20], theta=symmetric(3, [0.9, 0.2, 0.9]), floor=0.5)
    documents = tuple(replace(document, source="Wire") for document in loaded.documents)
    landscape = replace(loaded.landscape, topics=(Topic(1, "ballot", ("ballot",), 1),))
    loaded = replace(loaded, documents=documents, landscape=landscape)
    request = TrailRequest("d0", "d2", avoid_sources=("Wire", "Post"))
    refusal = refusal_of(loaded, request)
    assert refusal.sentence.endswith("when avoiding 2 sources; without that one does.")
    assert offered(refusal) == {
        "Allow the source “Wire”": replace(request, avoid_sources=("Post",)),
        "Lift all conditions": TrailRequest("d0", "d2"),
    }
    topics = TrailRequest("d0", "d2", avoid_topics=(1, 7))
    assert offered(refusal_of(loaded, topics))["Allow the topic “ballot”"] == replace(topics, avoid_topics=(7,))
    both = replace(request, avoid_topics=(1,))
    assert list(offered(refusal_of(loaded, both)))[-1] == "Lift all conditions"


def test_from_a_story_made_by_hand_one_can_go_back_to_the_found_trail() -> None:
    edited = TrailRequest("d0", "d3", avoid=("d1",), by_hand=("d0", "d2", "d3"))
    assert lift_all(edited) == (
        Remedy("Go back to the found trail", replace(edited, by_hand=())),
        Remedy("Lift all conditions", TrailRequest("d0", "d3")),
    )
    plain = TrailRequest("d0", "d3", by_hand=("d0", "d2", "d3"))
    assert lift_all(plain) == (Remedy("Go back to the found trail", TrailRequest("d0", "d3")),)
    assert lift_all(TrailRequest("d0", "d3")) == ()


def test_long_headlines_are_cut_on_buttons() -> None:
    loaded = with_titles(SMALL, [f"{row} " + "word " * 40 for row in range(5)])
    refusal = refusal_of(loaded, TrailRequest("d0", "d4"))
    label = refusal.remedies[0].label
    assert label.startswith("End at its closest dated document, “1 word")
    assert label.endswith("…”")
    assert len(label) < 110


@dataclass(frozen=True, slots=True)
class Situation:
    strengths: list[float]
    days: list[int | None]
    floor: float
    request: TrailRequest

    def loaded(self) -> LoadedCollection:
        theta = symmetric(len(self.days), self.strengths)
        return build_collection(self.days, theta=theta, floor=self.floor, median_link=0.5)


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    n = draw(st.integers(2, 6))
    n_pairs = n * (n - 1) // 2
    days = draw(st.lists(st.none() | st.sampled_from([0, 1, 2, 9, 30]), min_size=n, max_size=n))
    document = st.sampled_from([f"d{row}" for row in range(n)])
    is_chronological = draw(st.booleans() | st.just(True))
    via = tuple(draw(st.lists(document, max_size=2, unique=True)))
    return Situation(
        draw(st.lists(st.sampled_from([0.1, 0.4, 0.6, 0.9]), min_size=n_pairs, max_size=n_pairs)),
        sorted(days, key=lambda day: math.inf if day is None else day),
        draw(st.sampled_from([0.0, 0.5, 0.7])),
        TrailRequest(
            draw(document),
            draw(document),
            via=via,
            avoid=tuple(draw(st.lists(document, max_size=2, unique=True))),
            maximum_gap_days=draw(st.none() | st.sampled_from([0, 1, 10])) if is_chronological else None,
            maximum_length=None if via else draw(st.none() | st.integers(1, 4)),
            is_chronological=is_chronological,
        ),
    )


@settings(max_examples=200)
@given(situations())
def test_every_remedy_offered_has_a_trail(situation: Situation) -> None:
    loaded, request = situation.loaded(), situation.request
    try:
        tell(loaded, request, draws=1)
    except InvalidInput:
        return
    except NoTrail as problem:
        refusal = refuse(loaded, request, problem)
        assert refusal.sentence.endswith(".")
        for remedy in refusal.remedies:
            assert remedy.request != request
            assert np.isfinite(tell(loaded, remedy.request, draws=1).trail.bottleneck)


@settings(max_examples=100)
@given(situations())
def test_no_two_remedies_ask_the_same(situation: Situation) -> None:
    loaded, request = situation.loaded(), situation.request
    try:
        tell(loaded, request, draws=1)
    except InvalidInput:
        return
    except NoTrail as problem:
        refusal = refuse(loaded, request, problem)
        assert len(set(offered(refusal).values())) == len(refusal.remedies)
