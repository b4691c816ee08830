import math
from dataclasses import replace

import pytest
from verdict_samples import FLOW, PROMPTED, judgement, verdict

from narrative_core.judgements import Forecast, Seat, Verdict
from narrative_core.records import StoryKind
from narrative_core.reports.cost_sentences import (
    forecast_sentence,
    format_seconds,
    format_usd,
    replay_sentence,
    use_words,
)


def using(*uses: tuple[int | None, int | None, float, float], kind: StoryKind = "trail", story: str = "") -> Verdict:
    """Return a verdict whose answers took (input tokens, output tokens, seconds, dollars)."""
    asked = verdict([7.0] * len(uses), kind=kind, story=story)
    told = tuple(
        replace(found, input_tokens=read, output_tokens=written, seconds=seconds, cost_usd=usd)
        for found, (read, written, seconds, usd) in zip(asked.judgements, uses, strict=True)
    )
    return replace(asked, judgements=told)


def forecast(n_calls: int, n_reused: int = 0, *, seconds: float = math.nan, cost_usd: float = math.nan) -> Forecast:
    return Forecast(PROMPTED, n_calls, n_reused, 700 * n_calls, 70 * n_calls, seconds, cost_usd)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.0, "no time"),
        (0.01, "under 0.1 s"),
        (0.05, "0.1 s"),
        (9.94, "9.9 s"),
        (9.96, "10 s"),
        (89.0, "89 s"),
        (91.0, "2 min"),
        (5399.0, "90 min"),
        (5401.0, "1.5 h"),
        (math.nan, "unknown time"),
    ],
)
def test_a_time_is_as_precise_as_one_wants_to_know(seconds: float, words: str) -> None:
    assert format_seconds(seconds) == words


@pytest.mark.parametrize(
    ("usd", "words"),
    [
        (0.0, "no cost"),
        (0.00009, "under $0.0001"),
        (0.0001, "$0.0001"),
        (0.0099, "$0.0099"),
        (0.00997, "$0.01"),
        (0.5, "$0.50"),
        (1234.5, "$1,234.50"),
        (math.nan, "price unknown"),
    ],
)
def test_money_is_never_rounded_to_nothing(usd: float, words: str) -> None:
    assert format_usd(usd) == words


def test_tokens_seconds_and_money_are_summed_over_both_stories() -> None:
    trail = using((600, 50, 1.0, 0.001), (600, 60, 1.2, 0.001))
    baseline = using((640, 45, 0.8, 0.0012), kind="baseline")
    assert use_words([trail, baseline]) == "1,840 tokens read, 155 written · 3.0 s of answering · $0.0032"


def test_a_story_that_is_its_own_random_chronology_is_charged_once() -> None:
    used = (100, 20, 1.0, 0.01)
    trail, baseline = using(used, used, story="both"), using(used, used, kind="baseline", story="both")
    assert use_words([trail, baseline]) == use_words([trail])
    assert use_words([trail, baseline]) == "200 tokens read, 40 written · 2.0 s of answering · $0.02"


def test_what_an_endpoint_does_not_tell_is_not_made_up() -> None:
    assert use_words([using((None, None, 2.0, math.nan))]) == "tokens not told · 2.0 s of answering · price unknown"
    some = use_words([using((600, 50, 1.0, 0.25), (None, None, 1.0, math.nan))])
    assert some == "600 tokens read, 50 written (told by 1 of 2 answers) · 2.0 s of answering · at least $0.25"


def test_a_judge_without_a_prompt_has_no_tokens_and_no_bill() -> None:
    read = replace(judgement(0.4, seat=FLOW), seconds=1.24)
    assert use_words([replace(verdict([0.4], seat=FLOW), judgements=(read,))]) == "1.2 s of reading"
    counted = replace(read, input_tokens=1760, output_tokens=0)
    assert (
        use_words([replace(verdict([0.4], seat=FLOW), judgements=(counted,))]) == "1,760 tokens read · 1.2 s of reading"
    )


def test_nothing_answered_took_nothing() -> None:
    assert use_words([verdict([]), verdict([])]) == ""
    assert forecast_sentence([]) == ""
    assert forecast_sentence([forecast(0)]) == ""


def test_a_forecast_says_calls_tokens_time_and_money() -> None:
    told = forecast_sentence([forecast(18, 2, seconds=20.4, cost_usd=0.1234)])
    assert told == "18 answers to get, 2 are known already and free. About 14,000 tokens, about 20 s, about $0.12."


def test_an_unknown_price_and_an_unknown_time_are_said() -> None:
    told = forecast_sentence([forecast(1)])
    assert told == "1 answer to get. About 770 tokens, time not known before the first answer, price unknown."


def test_one_unknown_price_makes_the_sum_unknown() -> None:
    told = forecast_sentence([forecast(10, seconds=5, cost_usd=0.2), forecast(10)])
    assert "price unknown" in told
    assert "$" not in told
    assert "about 5.0 s and more, as 1 judge never answered yet" in told


def test_what_is_known_already_is_free() -> None:
    assert forecast_sentence([forecast(0, 20)]) == "All 20 answers are known already: nothing is asked, and it is free."
    assert forecast_sentence([forecast(0, 1)]) == "The one answer is known already: nothing is asked, and it is free."
    assert forecast_sentence([forecast(3, 1, seconds=1, cost_usd=1)]).startswith("3 answers to get, 1 is known already")


def test_a_judge_on_this_computer_costs_nothing() -> None:
    told = forecast_sentence([Forecast(FLOW, 62, 0, 0, 0, 41.0, 0.0)])
    assert told == "62 answers to get. About 41 s, no cost."


def test_what_another_host_takes_for_reading_is_not_known_and_not_called_free() -> None:
    told = forecast_sentence([Forecast(FLOW, 62, 0, 0, 0, 41.0, math.nan)])
    assert told == "62 answers to get. About 41 s, price unknown."


def test_a_cost_below_what_can_be_billed_is_not_called_about() -> None:
    assert forecast_sentence([forecast(1, seconds=1, cost_usd=0.00001)]).endswith("about 1.0 s, under $0.0001.")


def test_a_replay_says_what_is_stored() -> None:
    assert replay_sentence(forecast(0, 10)) == "All its 10 answers are stored, and free."
    assert replay_sentence(forecast(0, 1)) == "Its one answer is stored, and free."
    some = replay_sentence(forecast(4, 6))
    assert some == "6 of its 10 answers are stored, and free; the rest cannot be asked from here."
    assert replay_sentence(forecast(10)) == "None of its 10 answers is stored, and it cannot be asked from here."


def test_words_alone_are_read_in_no_time_that_anybody_has_to_know() -> None:
    lexical = Forecast(Seat("lexical", ""), 200, 0, 0, 0, math.nan, 0.0)
    assert forecast_sentence([lexical]) == "200 answers to get. Instant, no cost."
    told = forecast_sentence([forecast(10, seconds=5, cost_usd=0.2), lexical])
    assert "about 5.0 s," in told
    assert "never answered" not in told
