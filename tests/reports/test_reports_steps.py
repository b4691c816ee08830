"""What stands beside a headline: its lead, its notes, its copies, its address on paper; and the wishes of a story."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_samples import annotated_story, by_hand, document, hostile_story, space_story

from narrative_core.records import TrailRequest
from narrative_core.reports.addresses import paper_address, web_address
from narrative_core.reports.sentences import plain_line, price_sentence, request_wishes
from narrative_core.reports.steps import LEAD_WORDS, LONGEST_LEAD, document_lead, story_steps
from narrative_core.reports.wish_lines import Names, told_wishes


def test_notes_and_copies_stand_at_their_document_and_link() -> None:
    kept = annotated_story()
    steps = story_steps(kept.pair.trail, annotations=kept.annotations)
    assert [step.copies for step in steps] == ["", "and 3 copies of it", "", "", "", "and 1 copy of it", "", ""]
    assert [number for number, step in enumerate(steps) if step.note] == [2]
    assert [number for number, step in enumerate(steps) if step.link and step.link.note] == [4]
    plain = story_steps(kept.pair.trail)
    assert not any(step.note or step.copies or (step.link and step.link.note) for step in plain)


@given(st.text(max_size=900), st.text(max_size=30))
def test_a_lead_is_how_the_text_begins_and_never_longer_than_forty_words(text: str, title: str) -> None:
    lead = document_lead(replace(document(0, title), text=text))
    assert len(lead.removesuffix("…").split()) <= LEAD_WORDS
    assert len(lead) <= LONGEST_LEAD + 1
    assert lead.removesuffix("…") in plain_line(text)


def test_a_headline_that_the_text_repeats_is_left_out_of_the_lead() -> None:
    assert document_lead(replace(document(0, "Liftoff"), text="Liftoff — The rocket left.")) == "The rocket left."
    assert document_lead(replace(document(0, "Same"), text="Same")) == ""


@given(st.text(max_size=200))
def test_a_printed_address_says_where_it_leads(path: str) -> None:
    address = web_address(f"https://www.example.org/{path}")
    if address:
        assert paper_address(address).startswith("www.example.org")


def test_a_printed_address_does_not_hide_its_host_behind_a_name() -> None:
    assert paper_address("https://bank.example@evil.example/x") == "evil.example/x"


def test_wishes_are_told_by_name_where_names_are_known() -> None:
    pair = annotated_story().pair
    assert told_wishes(pair) == (
        "Passes through “Gagarin orbits the Earth”",
        "Avoids the document x9",
        "Avoids the source TASS",
        "Avoids the topic number 5",
        "No gap over 900 days",
    )
    named = told_wishes(pair, Names({"x9": "A banned\nheadline"}, {4: "Probes"}))
    assert named[1] == "Avoids “A banned headline”"
    assert named[3] == "Avoids the topic Probes"


def test_a_story_without_wishes_or_made_by_hand_tells_none() -> None:
    assert told_wishes(space_story().pair) == ()
    assert told_wishes(by_hand(annotated_story()).pair) == ()


def test_many_bans_are_counted() -> None:
    request = TrailRequest("d0", "d7", avoid=tuple(f"x{number}" for number in range(40)), is_chronological=False)
    lines = told_wishes(replace(space_story().pair, request=request))
    assert lines[0].endswith("and 28 more")
    assert lines[1] == "Need not follow the order of dates"


def test_avoided_sources_and_topics_are_wishes_with_a_price() -> None:
    request = TrailRequest("d0", "d7", avoid_sources=("TASS", "NASA"), avoid_topics=(1,))
    assert request_wishes(request) == ("avoiding 2 sources", "avoiding 1 topic")
    pair = replace(space_story().pair, request=request, unconstrained_bottleneck=0.9)
    assert price_sentence(pair).startswith("Avoiding 2 sources and avoiding 1 topic lower the weakest link by 0.26")


@pytest.mark.parametrize("kept", [hostile_story()], ids=["hostile"])
def test_hostile_names_are_one_line(kept: object) -> None:
    pair = kept.pair  # type: ignore[attr-defined]
    request = TrailRequest("d0", "d11", via=("d9",), avoid_sources=("a\nb\u202e",), avoid_topics=(0,))
    for line in told_wishes(replace(pair, request=request), Names({}, {0: "x\ny"})):
        assert line == " ".join(line.split())
        assert "\u202e" not in line
