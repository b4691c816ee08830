import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judged_samples import FLOW, LEXICAL, SIMPLE, STANDARD, answer, both, hostile_panel, lost, panel
from report_samples import hostile_story, space_story

from narrative_core.judgements import Seat, Verdict
from narrative_core.reports.judge_methods import judges_asked, judges_in_words
from narrative_core.reports.judge_sections import JudgeSection, caveat_sentences, judge_sections, said_text


def section(*verdicts: Verdict) -> JudgeSection:
    (told,) = judge_sections(space_story().pair, verdicts)
    return told


def test_judges_stand_in_the_order_in_which_they_come() -> None:
    titles = [told.title for told in judge_sections(space_story().pair, panel(space_story()))]
    assert [title.split(",")[0] for title in titles] == ["gpt-4.1", "local-model", "Reading flow", "Lexical reader"]


def test_nobody_asked_is_nothing_to_tell() -> None:
    asked_nothing = both(STANDARD, [], [])
    assert judge_sections(space_story().pair, asked_nothing) == ()
    assert caveat_sentences(asked_nothing) == ()
    assert judges_in_words(asked_nothing) == ""
    assert judges_asked(asked_nothing) == ()


def test_failures_are_counted_by_reason() -> None:
    trail = [lost(STANDARD, 0, "timed out"), lost(STANDARD, 1, "timed out"), lost(STANDARD, 2, "refused", "")]
    told = section(*both(STANDARD, trail, []))
    assert told.trail.failures == (
        "2 answers without a score, timed out: The server did not answer in 60 s.",
        "1 answer without a score, refused.",
    )
    assert (told.trail.score, told.trail.unit, told.trail.links, told.trail.speaker) == ("no score", "", (), "")
    assert (told.baseline.score, told.baseline.answers) == ("not asked yet", "")
    assert told.sentence == "It gave no score; it has not been asked about the random chronology yet."


def test_the_median_agent_speaks() -> None:
    said = [answer(STANDARD, agent, score, said=f"I am {agent + 1}.") for agent, score in enumerate((9.0, 2.0, 5.0))]
    told = section(*both(STANDARD, said, []))
    assert (told.trail.speaker, told.trail.explanation) == ("The median agent, number 3, says:", "I am 3.")


@pytest.mark.parametrize(
    ("seat", "words"),
    [(SIMPLE, ""), (LEXICAL, "It gave no explanation."), (FLOW, "")],
    ids=["unasked", "asked", "flow"],
)
def test_silence_is_told_where_words_were_asked_for(seat: Seat, words: str) -> None:
    told = section(*both(seat, [answer(seat, 0, 5.0, step=None)], [])).trail
    assert told.speaker == words
    assert ("It was not asked to explain, so it names no link." in told.links) == (seat is SIMPLE)


def test_a_criterion_that_one_story_lacks_has_a_dash() -> None:
    told = section(*both(STANDARD, [answer(STANDARD, 0, 5.0)], [lost(STANDARD, 0, "failed")]))
    assert {row.baseline for row in told.criteria} == {"–"}
    odd = [replace(verdict, criteria={"x": math.nan}) for verdict in both(LEXICAL, [answer(LEXICAL, 0, 5.0)], [])]
    assert [(row.title, row.trail) for row in section(*odd).criteria] == [("X", "–")]


def test_the_percentile_is_told_where_it_is_known_and_not_missed_elsewhere() -> None:
    trail, baseline = panel(space_story())[4:6]
    told = section(replace(trail, percentile=72.0, n_random=60), baseline)
    assert told.trail.percentile == "72nd percentile among 60 random chronologies of this collection"
    assert told.baseline.percentile == ""


def test_what_the_model_refused_is_told_in_both_places() -> None:
    verdicts = both(STANDARD, [replace(answer(STANDARD, 0, 5.0), dropped=("temperature",))], [])
    assert any("does not take a temperature" in remark for remark in section(*verdicts).remarks)
    assert "; it refused temperature and was asked without (prompt" in judges_in_words(verdicts)


def test_caveats_fit_the_judges_that_were_asked() -> None:
    verdicts = panel(space_story())
    assert len(caveat_sentences(verdicts)) == 4
    flow_only = " ".join(caveat_sentences(verdicts[4:6]))
    assert "not a proof" in flow_only
    assert "about 0 is as much as after another document of the collection" in flow_only
    assert "language models and differ between runs" not in flow_only
    assert "differ between runs" in " ".join(caveat_sentences(verdicts[:2]))


def test_the_method_tells_blindness_order_prompt_and_counts() -> None:
    words = judges_in_words(panel(space_story()))
    for told in (
        "No judge was told where a story comes from",
        "in random order",
        "gpt-4.1 at api.openai.com was shown titles as a numbered list",
        "in standard mode",
        "3 agents at temperatures 0.3 to 0.7 (prompt 0123456789; 6 asked, 5 ok)",
        "1 agent at temperature 0.5",
        "a language model (gemma-3-270m) reads",
        "after the document before it, less the mean after up to four other documents of the collection",
        "The lexical reader has no model",
    ):
        assert told in words


def test_a_name_with_braces_is_only_a_name() -> None:
    (trail, baseline) = panel(space_story())[4:6]
    seat = replace(FLOW, model="{0} {model} %s")
    assert "({0} {model} %s)" in judges_in_words([replace(trail, seat=seat), replace(baseline, seat=seat)])


def test_no_text_of_others_keeps_control_or_direction_changing_characters() -> None:
    for told in judge_sections(hostile_story().pair, hostile_panel()):
        for side in (told.trail, told.baseline):
            texts = [*side.failures, *side.links, *(reason.text for reason in side.reasons), told.title]
            assert not [text for text in texts if set(text) & set("\x00\u202e\u2028\r\n")]
            assert not set(side.explanation) & set("\x00\u202e\u2028\r")


@given(st.text(max_size=60))
def test_what_a_judge_wrote_is_cleaned_once_and_for_all(text: str) -> None:
    said = said_text(text)
    assert said_text(said) == said
    assert "\n\n\n" not in said
    assert said == said.strip()
