import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_samples import document, space_story, story
from verdict_samples import FLOW, LEXICAL, PROMPTED, judgement, verdict

from narrative_core.judgements import Verdict
from narrative_core.records import Story
from narrative_core.reports.verdict_sentences import (
    agent_words,
    answers_words,
    criterion_title,
    dropped_sentences,
    format_ordinal,
    format_score,
    measured_link_sentence,
    missing_words,
    n_to_come,
    named_link_sentence,
    named_step,
    percentile_sentence,
    percentile_words,
    score_words,
    spoken_judgement,
    verdict_sentence,
)

PAIR = space_story().pair
TRAIL, BASELINE = PAIR.trail, PAIR.baseline
MEASURED = TRAIL.links.index(TRAIL.weakest_link)


def quoted(told: Story, step: int) -> tuple[str, str]:
    return f"“{told.documents[step].title}”", f"“{told.documents[step + 1].title}”"


@pytest.mark.parametrize(
    ("score", "judge", "words"),
    [
        (7.0, "openai", "7.0"),
        (7.449, "openai", "7.4"),
        (10.0, "lexical", "10.0"),
        (0.333, "flow", "0.33"),
        (-0.117, "flow", "−0.12"),
        (-0.001, "flow", "0.00"),
        (math.nan, "openai", "no score"),
        (math.nan, "flow", "no score"),
    ],
)
def test_a_score_has_the_decimals_of_its_scale(score: float, judge: str, words: str) -> None:
    assert format_score(score, judge) == words


def test_the_spread_stands_beside_a_score_from_two_agents_on() -> None:
    assert score_words(verdict([7.2, 7.4, 7.6])) == "7.4 ± 0.2"
    assert score_words(verdict([7.0, 7.0])) == "7.0 ± 0.0"
    assert score_words(verdict([7.4])) == "7.4"


def test_a_spread_comes_from_the_agents_that_gave_a_score() -> None:
    assert score_words(verdict([7.4, "failed", "refused"])) == "7.4"
    assert score_words(verdict([7.0, 8.0, "failed"])) == "7.5 ± 0.7"


def test_no_score_is_invented() -> None:
    assert score_words(verdict([])) == "not asked yet"
    assert score_words(verdict(["failed", "refused"])) == "no score"


def test_a_judge_gives_both_stories_a_score() -> None:
    said = verdict_sentence(verdict([7.2, 7.4, 7.6]), verdict([3.4, 3.8, 4.2], kind="baseline"))
    assert said == "gives the trail 7.4 ± 0.2 and the random chronology 3.8 ± 0.4"


def test_reading_flow_says_its_unit_and_its_percentile() -> None:
    trail = verdict([0.42], seat=FLOW, percentile=71.7, n_random=60)
    baseline = verdict([-0.05], seat=FLOW, kind="baseline", percentile=0.0, n_random=60)
    assert verdict_sentence(trail, baseline) == (
        "gives the trail 0.42 nats per token (72nd percentile) and "
        "the random chronology −0.05 nats per token (below all 60)"
    )


@pytest.mark.parametrize(
    ("trail", "baseline", "words"),
    [
        ([], [], "has not been asked about these two stories yet"),
        ([7.0], [], "gives the trail 7.0; it has not been asked about the random chronology yet"),
        ([], [4.0], "gives the random chronology 4.0; it has not been asked about the trail yet"),
        ([7.0], ["refused"], "gives the trail 7.0; it gave the random chronology no score"),
        (["failed"], [4.0], "gives the random chronology 4.0; it gave the trail no score"),
        (["failed"], ["refused"], "gave no score"),
        (["failed"], [], "gave no score; it has not been asked about the random chronology yet"),
        ([], ["failed"], "gave no score; it has not been asked about the trail yet"),
    ],
)
def test_what_is_missing_is_said(trail: list[float | str], baseline: list[float | str], words: str) -> None:
    assert verdict_sentence(verdict(trail), verdict(baseline, kind="baseline")) == words


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (1, "1st"),
        (2, "2nd"),
        (3, "3rd"),
        (4, "4th"),
        (11, "11th"),
        (12, "12th"),
        (13, "13th"),
        (21, "21st"),
        (99, "99th"),
    ],
)
def test_a_rank_is_written_as_english_does(number: int, words: str) -> None:
    assert format_ordinal(number) == words


@pytest.mark.parametrize(
    ("percentile", "words"),
    [
        (71.7, "72nd percentile"),
        (99.9, "99th percentile"),
        (0.2, "1st percentile"),
        (100.0, "above all 60"),
        (0.0, "below all 60"),
        (math.nan, ""),
    ],
)
def test_a_percentile_is_never_rounded_to_all_or_none(percentile: float, words: str) -> None:
    assert percentile_words(verdict([0.4], seat=FLOW, percentile=percentile, n_random=60)) == words


def test_a_percentile_says_what_it_is_of_and_none_is_told_of_few() -> None:
    among = verdict([0.4], seat=FLOW, percentile=71.7, n_random=60)
    assert percentile_sentence(among) == "72nd percentile among 60 random chronologies of this collection"
    above = replace(among, percentile=100.0)
    assert percentile_sentence(above) == "above all 60 random chronologies of this collection that were read"
    few = replace(among, n_random=19)
    assert percentile_sentence(few) == "no percentile yet: 19 random chronologies of this collection were read"
    assert percentile_words(few) == ""
    assert percentile_sentence(few, n_possible=40) == percentile_sentence(few)
    assert percentile_sentence(verdict([7.0])) == ""
    assert percentile_sentence(verdict(["failed"], seat=FLOW)) == ""


def test_a_percentile_that_will_never_be_is_told_with_the_reason() -> None:
    undated = verdict([0.4], seat=FLOW)
    assert percentile_sentence(undated, n_possible=0) == (
        "no percentile: random chronologies are drawn between dated documents, and this collection has no two"
    )
    small = verdict([0.4], seat=FLOW, percentile=50.0, n_random=9)
    assert percentile_sentence(small, n_possible=9) == (
        "no percentile: this collection has too few documents for 20 different random chronologies; 9 can be drawn"
    )
    assert percentile_sentence(verdict(["failed"], seat=FLOW), n_possible=0) == ""
    assert percentile_sentence(verdict([7.0]), n_possible=0) == ""


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ([7.0, 7.0, 7.0], "3 asked, all ok"),
        ([7.0], "1 asked, 1 ok"),
        ([7.0, "timed out", "unreadable"], "3 asked, 1 ok, 1 unreadable, 1 timed out"),
        (["failed", "failed"], "2 asked, none ok, 2 failed"),
        ([], "not asked yet"),
    ],
)
def test_asked_ok_and_not_ok_are_counted_by_reason(answers: list[float | str], words: str) -> None:
    assert answers_words(verdict(answers)) == words


def test_agents_that_were_not_asked_yet_are_counted_too() -> None:
    assert answers_words(verdict([7.0, 6.0], n_agents=5)) == "2 asked, all ok, 3 not asked yet"


@given(st.lists(st.sampled_from([7.0, "unreadable", "refused", "timed out", "failed"]), max_size=6), st.integers(0, 3))
def test_an_answer_is_to_come_unless_it_is_final(answers: list[float | str], never: int) -> None:
    said = verdict(answers, n_agents=len(answers) + never)
    assert n_to_come(said) == never + sum(answer in ("timed out", "failed") for answer in answers)
    assert (missing_words([said]) == "") == (n_to_come(said) == 0)


def test_what_did_not_come_is_told_from_what_was_not_asked() -> None:
    assert missing_words([verdict([7.0, "failed", "timed out"]), verdict(["failed"])]) == "3 answers did not come"
    assert missing_words([verdict([], n_agents=1)]) == "1 answer was not asked for yet"
    both = [verdict([7.0, "failed"]), verdict([], n_agents=5)]
    assert missing_words(both) == "1 answer did not come; 5 answers were not asked for yet"


def test_what_is_missing_of_a_story_that_is_its_own_random_chronology_is_missing_once() -> None:
    said = [verdict([7.0, "failed"], n_agents=5, kind=kind, story="both") for kind in ("trail", "baseline")]
    assert missing_words(said) == "1 answer did not come; 3 answers were not asked for yet"
    other = verdict([7.0, "failed"], n_agents=5, kind="baseline")
    assert missing_words([said[0], other]) == "2 answers did not come; 6 answers were not asked for yet"


def test_the_first_judgement_speaks_where_it_has_a_score() -> None:
    said = verdict([7.0, "failed"])
    assert spoken_judgement(said) is said.judgements[0]
    assert spoken_judgement(verdict(["failed"])) is None
    assert spoken_judgement(verdict([])) is None


def test_the_link_that_a_judge_names_is_told_by_both_headlines() -> None:
    told = named_link_sentence(verdict([7.0], step=2), TRAIL)
    first, second = quoted(TRAIL, 2)
    assert told == f"It names the link from {first} to {second} as the weakest."


def test_how_many_agents_name_the_link_is_said() -> None:
    said = verdict([7.0, 6.0, 5.0], step=2)
    assert named_link_sentence(said, TRAIL).endswith("as the weakest, as all 3 agents do.")
    one, *others = said.judgements
    divided = replace(said, judgements=(replace(one, weakest_step=0), *others))
    assert named_link_sentence(divided, TRAIL).endswith("as the weakest, as 2 of 3 agents do.")
    assert named_link_sentence(verdict([7.0, 6.0], step=2), TRAIL).endswith("as both agents do.")


def test_the_mathematics_agrees_or_names_its_own() -> None:
    agrees = measured_link_sentence(verdict([7.0], step=MEASURED), TRAIL)
    assert agrees == f"The mathematics agrees: it is the weakest there too ({TRAIL.bottleneck:.2f})."
    first, second = quoted(TRAIL, MEASURED)
    other = measured_link_sentence(verdict([7.0], step=0), TRAIL)
    assert other == (
        f"By the mathematics another is the weakest, the link from {first} to {second} ({TRAIL.bottleneck:.2f}); "
        f"the one that the judge names has {TRAIL.links[0].coherence:.2f}."
    )


def test_links_that_differ_behind_the_second_decimal_are_not_told_apart_by_their_numbers() -> None:
    close = story(TRAIL.documents, [*[0.9] * (len(TRAIL.links) - 2), 0.821, 0.819])
    told = measured_link_sentence(verdict([7.0], step=len(close.links) - 2), close)
    assert told.endswith("(0.82); the one that the judge names is hardly stronger.")


def test_a_judge_that_names_no_link_is_not_made_to_name_one() -> None:
    silent = verdict([7.0], step=None)
    assert named_link_sentence(silent, TRAIL) == "It names no link as the weakest."
    unexplained = verdict([7.0], step=None, seat=replace(PROMPTED, is_explained=False))
    assert named_link_sentence(unexplained, TRAIL) == "It was not asked to explain, so it names no link."
    first, second = quoted(TRAIL, MEASURED)
    assert measured_link_sentence(silent, TRAIL).startswith(
        f"By the mathematics the weakest link is the one from {first} to {second}"
    )


@pytest.mark.parametrize("step", [-1, 7, 99])
def test_a_link_that_the_story_does_not_have_is_not_named(step: int) -> None:
    said = verdict([7.0], step=step)
    assert named_step(said, TRAIL) is None
    assert named_link_sentence(said, TRAIL) == "It names no link as the weakest."


def test_a_story_of_one_link_has_no_weakest() -> None:
    short = story([document(0, "First"), document(1, "Second")], [0.61])
    said = verdict([7.0], step=0)
    assert named_link_sentence(said, short) == "The story has only one link."
    assert measured_link_sentence(said, short) == "By the mathematics it has 0.61."


def test_without_an_answer_no_link_is_named() -> None:
    assert named_link_sentence(verdict(["failed"]), TRAIL) == ""
    assert named_link_sentence(verdict([]), TRAIL) == ""


def test_refused_parameters_are_told_in_words_once() -> None:
    said = verdict([7.0, 6.0])
    dropping = replace(said, judgements=tuple(replace(j, dropped=("temperature", "seed")) for j in said.judgements))
    assert dropped_sentences([dropping, dropping]) == (
        "This model does not take a temperature: its agents differ by chance alone.",
        "This model does not take a seed: asked again, it may answer otherwise.",
    )
    assert dropped_sentences([said]) == ()


def test_a_parameter_that_has_no_words_is_named() -> None:
    said = verdict([7.0])
    odd = replace(said, judgements=(replace(said.judgements[0], dropped=("max_tokens", "x\u202ey")),))
    assert dropped_sentences([odd]) == ("It was asked without max_tokens and xy, which it refused.",)


def test_an_agent_is_told_by_number_score_and_temperature() -> None:
    assert agent_words(judgement(7.0, agent=1, temperature=0.4)) == "Agent 2: 7.0 · temperature 0.4"
    assert agent_words(judgement("timed out", agent=0, temperature=0.3)) == "Agent 1: timed out · temperature 0.3"
    refused = replace(judgement(7.0, agent=0, temperature=0.5), dropped=("temperature",), is_repaired=True)
    assert agent_words(refused) == "Agent 1: 7.0 · temperature refused · put right in a second request"
    unreadable = replace(judgement("unreadable", agent=0), is_repaired=True)
    assert agent_words(unreadable) == "Agent 1: unreadable · a second request did not put it right"
    assert agent_words(judgement(0.42, seat=FLOW)) == "Agent 1: 0.42"


def test_a_criterion_is_read_as_words() -> None:
    assert criterion_title("narrative_completeness") == "Narrative completeness"


def test_no_sentence_says_that_a_story_is_true() -> None:
    said: list[Verdict] = [verdict([7.0, 6.0]), verdict([0.3], seat=FLOW), verdict([5.0], seat=LEXICAL)]
    words = [verdict_sentence(one, replace(one, kind="baseline")) for one in said]
    assert not any(bad in sentence for sentence in words for bad in ("true", "correct", "wrong", "better story"))
