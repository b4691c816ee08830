import math

import numpy as np
import pytest

from narrative_core.estimates import Agreement
from narrative_core.reports.agreement_sentences import agreement_numbers, agreement_sentence
from narrative_core.stats.agreement import agreement


def found(icc: float = 0.92, *, n: int = 14, exact: float = 0.6) -> Agreement:
    return Agreement(icc, 0.98, 0.9, 0.8, 0.3, exact, 0.97, n_used=n, n_complete=n, n_agents=5)


@pytest.mark.parametrize(
    ("icc", "words"),
    [
        (-0.2, "hardly agree"),
        (0.49, "hardly agree"),
        (0.5, "agree moderately"),
        (0.74, "agree moderately"),
        (0.75, "agree well"),
        (0.89, "agree well"),
        (0.9, "agree closely"),
        (1.0, "agree closely"),
    ],
)
def test_the_words_follow_the_intraclass_correlation(icc: float, words: str) -> None:
    told = agreement_sentence(found(icc))
    assert told == f"Over 14 stories of this collection the 5 agents {words} on which stories hold together."


def test_few_stories_are_called_rough() -> None:
    assert agreement_sentence(found(n=9)).endswith("With so few stories this is rough.")
    assert not agreement_sentence(found(n=10)).endswith("rough.")


def test_one_story_cannot_be_compared() -> None:
    told = agreement_sentence(agreement([[7, 8, 7]]))
    assert told == (
        "Over 1 story of this collection the 3 agents cannot be compared from story to story. "
        "With so few of them this is rough."
    )


def test_agents_that_never_differ_are_said_to() -> None:
    assert "the 2 agents give the same score every time." in agreement_sentence(agreement([[7, 7], [7, 7]]))


def test_without_two_scores_of_one_story_nothing_is_said() -> None:
    assert agreement_sentence(agreement(np.empty((0, 3)))) == ""
    assert agreement_sentence(agreement([[7, math.nan], [math.nan, 6]])) == ""


def test_every_number_is_named_and_defined() -> None:
    numbers = agreement_numbers(found(math.nan))
    assert [number.name for number in numbers] == ["ICC(2,1)", "ICC(2,k)", "α", "same score", "within one"]
    assert [number.value for number in numbers] == ["undefined", "undefined", "0.90", "60%", "97%"]
    assert all(number.told.endswith(".") for number in numbers)


def test_the_mean_of_agents_that_do_not_agree_singly_has_no_correlation() -> None:
    numbers = {number.name: number.value for number in agreement_numbers(agreement([[1, 9], [9, 1], [5, 4]]))}
    assert numbers["ICC(2,1)"].startswith("−")
    assert numbers["ICC(2,k)"] == "undefined"
