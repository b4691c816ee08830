"""What a seat says of a story, from what its agents said."""

import math
from dataclasses import replace

import pytest

from narrative_core.judgements import CriterionScore, Judgement, Question, Seat, Status
from narrative_core.judging.verdicts import median_first, most_named, percentile_among, sum_up

QUESTION = Question("openai", "m", "host", "standard", 0, 0.3, 1, "story", "titles", "shown", "prompt")
SEAT = Seat("openai", "m", "host", "standard", 5)


def agent(
    number: int,
    score: float = math.nan,
    status: Status = "ok",
    weakest: int | None = None,
    criteria: tuple[CriterionScore, ...] = (),
) -> Judgement:
    question = replace(QUESTION, agent=number)
    return Judgement(question, status, score, criteria=criteria, weakest_step=weakest)


def agents(judgements: tuple[Judgement, ...]) -> list[int]:
    return [judgement.question.agent for judgement in judgements]


def test_only_ok_judgements_enter_the_mean_and_all_are_counted() -> None:
    verdict = sum_up(
        SEAT,
        "trail",
        [agent(0, 8.0), agent(1, status="refused"), agent(2, 5.0), agent(3, status="timed out"), agent(4, 5.0)],
    )
    assert verdict.mean == 6.0
    assert verdict.sd == pytest.approx(math.sqrt(3.0))
    assert (verdict.n_asked, verdict.n_ok) == (5, 3)
    assert verdict.counts == {"ok": 3, "refused": 1, "timed out": 1}


def test_a_seat_whose_agents_all_failed_has_no_score() -> None:
    verdict = sum_up(SEAT, "baseline", [agent(1, status="failed"), agent(0, status="unreadable")], random=[1.0, 2.0])
    assert math.isnan(verdict.mean)
    assert math.isnan(verdict.sd)
    assert math.isnan(verdict.percentile)
    assert verdict.weakest_step is None
    assert agents(verdict.judgements) == [0, 1]


def test_one_agent_has_a_mean_and_no_spread() -> None:
    verdict = sum_up(SEAT, "trail", [agent(0, 7.0)])
    assert verdict.mean == 7.0
    assert math.isnan(verdict.sd)


def test_each_criterion_is_averaged_over_the_agents_that_gave_it() -> None:
    first = agent(0, 6.0, criteria=(CriterionScore("logical_flow", 4.0), CriterionScore("arc", 8.0)))
    second = agent(1, 8.0, criteria=(CriterionScore("logical_flow", 8.0),))
    assert sum_up(SEAT, "trail", [first, second]).criteria == {"logical_flow": 6.0, "arc": 8.0}


@pytest.mark.parametrize(
    ("scores", "order"),
    [
        ([9.0, 2.0, 6.0], [2, 0, 1]),
        ([9.0, 3.0, 6.0], [2, 0, 1]),
        ([4.0, 6.0], [0, 1]),
        ([5.0, 5.0, 5.0], [0, 1, 2]),
        ([1.0, 7.0, 8.0, 9.0], [1, 2, 3, 0]),
        ([], []),
    ],
)
def test_the_median_agent_comes_first_and_the_others_by_their_distance(scores: list[float], order: list[int]) -> None:
    judgements = [agent(number, score) for number, score in enumerate(scores)]
    assert agents(median_first(judgements[::-1])) == order


def test_the_link_that_most_agents_name_is_named_and_the_earlier_one_among_equals() -> None:
    assert most_named([3, 1, 3, None, 1, 3]) == 3
    assert most_named([4, 2, None, 4, 2]) == 2
    assert most_named([None, None]) is None


def test_a_percentile_counts_equals_half_and_needs_something_to_compare_with() -> None:
    assert percentile_among(3.0, [1.0, 2.0, 3.0, 3.0]) == 75.0
    assert percentile_among(0.0, [1.0, 2.0]) == 0.0
    assert math.isnan(percentile_among(1.0, []))
    assert math.isnan(percentile_among(math.nan, [1.0]))
    verdict = sum_up(SEAT, "trail", [agent(0, 3.0)], random=[1.0, 2.0, 4.0, 5.0])
    assert (verdict.percentile, verdict.n_random) == (50.0, 4)
