from dataclasses import replace

import pytest
from judged_samples import FLOW, LEXICAL, STANDARD, both, flow, lost, panel
from report_samples import space_story
from verdict_samples import verdict

from narrative_core.judgements import Seat
from narrative_core.judging.modes import MODES
from narrative_core.reports.judged_pairs import MODE_WORDS, judged_pairs, judges_line, score_sum, seat_title, short_name
from narrative_core.ui.judges import SHOWN_TITLES, seat_label


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
    "seat",
    [
        *(Seat("openai", "gpt-4.1", "api.openai.com", mode, 5) for mode in MODES),
        Seat("openai", "m", "h", "simple", 1, "leads", is_explained=False),
        Seat("openai", "m", "h", "simple", 1, "dates"),
        FLOW,
        LEXICAL,
    ],
)
def test_a_seat_is_called_in_a_report_what_it_is_called_on_the_screen(seat: Seat) -> None:
    assert seat_title(seat) == seat_label(seat)
    assert set(MODE_WORDS) == set(MODES)
    assert SHOWN_TITLES["leads"] == "titles and leads"


def test_a_long_or_wild_name_is_cut_and_stays_on_one_line() -> None:
    assert short_name("a\u202eb\nc") == "ab c"
    assert short_name("m" * 200) == "m" * 79 + "…"
