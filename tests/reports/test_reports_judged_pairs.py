from dataclasses import replace
from typing import get_args

import pytest
from judged_samples import FLOW, LEXICAL, STANDARD, answer, both, flow, lost, panel
from report_samples import space_story
from verdict_samples import verdict

from narrative_core.judgements import JudgeName, Seat, Shown
from narrative_core.judging.modes import MODES
from narrative_core.reports.judged_pairs import (
    JUDGE_WORDS,
    MODE_WORDS,
    SHOWN_WORDS,
    judged_pairs,
    judges_line,
    score_sum,
    seat_title,
    short_name,
)


def test_the_card_has_the_scores_of_three_judges_and_counts_the_others() -> None:
    assert judges_line(panel(space_story())) == (
        "gpt-4.1, standard: 7.2 ± 0.2 vs 3.8 ± 0.4 · local-model, simple, titles and dates, no explanation: 6.0 vs "
        "no score · reading flow +1.51 vs +0.20 nats per token · and 1 more judge"
    )


def test_without_answers_there_is_no_line() -> None:
    assert judges_line(()) == ""
    assert judges_line(both(STANDARD, [], [])) == ""
    assert judges_line(both(STANDARD, [lost(STANDARD, 0, "failed")], [])) == "gpt-4.1, standard: no score"


@pytest.mark.parametrize(("score", "told"), [(0.004, "0.00"), (-0.004, "0.00"), (-0.3, "−0.30"), (0.006, "+0.01")])
def test_a_gain_has_its_sign_unless_it_is_nothing(score: float, told: str) -> None:
    story = space_story(3).pair.trail
    line = judges_line(both(FLOW, [replace(flow(1.0, story), score=score)], []))
    assert line == f"reading flow {told} vs not asked yet nats per token"


def test_a_story_that_was_not_asked_about_has_an_empty_verdict() -> None:
    (judged,) = judged_pairs([verdict([7.0], seat=LEXICAL)])
    assert (judged.seat, judged.baseline.kind, judged.baseline.judgements) == (LEXICAL, "baseline", ())
    assert score_sum(judged) == "1 asked, 1 ok"


@pytest.mark.parametrize(
    ("seat", "title"),
    [
        (Seat("openai", "gpt-4.1", "h", "standard", 5), "gpt-4.1, standard, 5 agents"),
        (Seat("openai", "gpt-4.1", "h", "cot", 1), "gpt-4.1, step by step, 1 agent"),
        (
            Seat("openai", "m", "h", "simple", 2, "dates", False),
            "m, simple, 2 agents, titles and dates, no explanation",
        ),
        (Seat("openai", "m" * 200, "h", "simple"), f"{'m' * 79}…, simple, 1 agent"),
        (Seat("openai", "\u202e", "h", "simple"), "Prompted judge, simple, 1 agent"),
        (FLOW, "Reading flow"),
        (LEXICAL, "Lexical reader"),
    ],
)
def test_a_seat_is_called_by_its_judge_or_by_model_mode_and_agents(seat: Seat, title: str) -> None:
    assert seat_title(seat) == title


def test_every_judge_mode_and_way_of_showing_has_words() -> None:
    assert set(JUDGE_WORDS) == set(get_args(JudgeName))
    assert set(SHOWN_WORDS) == set(get_args(Shown))
    assert {mode: form.title.lower() for mode, form in MODES.items()} == MODE_WORDS


def test_a_story_that_is_its_own_random_chronology_is_counted_once() -> None:
    trail, baseline = both(STANDARD, [answer(STANDARD, 0, 7.0), lost(STANDARD, 1, "failed")], [])
    (judged,) = judged_pairs([trail, replace(baseline, judgements=trail.judgements, counts=trail.counts)])
    assert score_sum(judged) == "2 asked, 1 ok"
    assert judged.judgements == trail.judgements


def test_a_long_or_wild_name_is_cut_and_stays_on_one_line() -> None:
    assert short_name("a\u202eb\nc") == "ab c"
    assert short_name("m" * 200) == "m" * 79 + "…"
