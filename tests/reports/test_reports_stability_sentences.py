import math

import pytest

from narrative_core.estimates import SeedAgreement
from narrative_core.reports.stability_sentences import (
    meaning,
    seeds_words,
    strength_sentence,
    topics_remedy,
    topics_sentence,
    trails_sentence,
)


def one(
    seed: int = 43, topics: float = 0.8, trails: float = 0.4, difference: float = 0.03, n: int = 70
) -> SeedAgreement:
    return SeedAgreement(seed, 11, 0.3, topics, n, trails, difference)


UNKNOWN = SeedAgreement(43, 0, 1.0, math.nan, 0, math.nan, math.nan)


def test_trails_are_told_with_the_range_over_seeds() -> None:
    assert trails_sentence([one(trails=0.38), one(44, trails=0.42)]) == (
        "With 2 other seeds, trails between the same two documents share 40 % of their inner documents (38–42 %)."
    )
    assert trails_sentence([one(trails=1.0)]) == (
        "With another seed, trails between the same two documents share 100 % of their inner documents."
    )


def test_strength_is_told_with_the_pairs_it_rests_on() -> None:
    assert strength_sentence([one(difference=0.02, n=70), one(44, difference=0.04, n=75)]) == (
        "Their weakest links differ by 0.03 on average (n = 70–75 pairs a seed that have a trail on both maps)."
    )


def test_topics_are_told_with_their_number_on_both_maps() -> None:
    told = topics_sentence([one(topics=0.76), one(44, topics=0.82)], 12)
    assert told == (
        "Documents are grouped alike for the most part: with the other seeds, 11 topics instead of 12, which agree at "
        "0.79 (0.76–0.82) on a scale where 1 is the same groups and 0 is chance."
    )


def test_what_could_not_be_compared_is_said() -> None:
    assert trails_sentence([UNKNOWN]) == ""
    assert "could not be compared" in strength_sentence([UNKNOWN])
    assert "Topics could not be compared: 0 were found" in topics_sentence([UNKNOWN], 3)
    assert "more dated documents" in meaning([UNKNOWN])
    assert topics_remedy([UNKNOWN]) == ""


@pytest.mark.parametrize(
    ("trails", "difference", "expected"),
    [
        (0.9, 0.2, "can be relied on"),
        (0.6, 0.02, "Most steps of a trail stay"),
        (0.6, 0.02, "hardly depends on the seed"),
        (0.3, 0.2, "Strength depends on the seed as well"),
        (0.3, 0.02, "pin what must be in the story"),
    ],
)
def test_what_agreement_means_goes_by_the_share_of_documents_and_by_strength(
    trails: float, difference: float, expected: str
) -> None:
    assert expected in meaning([one(trails=trails, difference=difference)])


def test_topics_that_differ_have_a_remedy() -> None:
    assert "few and broad topics" in topics_remedy([one(topics=0.3)])
    assert topics_remedy([one(topics=0.7)]) == ""


def test_seeds_are_named() -> None:
    assert seeds_words([one(43)]) == "seed 43"
    assert seeds_words([one(43), one(44), one(45)]) == "3 seeds, 43 to 45"
