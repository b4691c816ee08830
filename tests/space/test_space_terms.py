import time
from itertools import pairwise

import pytest

from narrative_core.space.terms import count_documents, shared_terms

STOP = {"the", "of", "and", "in"}
COUNTS = {"apollo": 5, "moon": 40, "houston": 3, "space": 60, "shuttle": 20, "rocket": 10, "rockets": 12}


def terms(left: str, right: str, limit: int = 5) -> tuple[str, ...]:
    return shared_terms(left, right, COUNTS, 100, stop=STOP, limit=limit)


def test_document_frequencies_count_texts_not_uses() -> None:
    counts = count_documents(["The Moon, the moon and the MOON.", "Moon rocket", "", "of 1969"], STOP)
    assert counts == {"moon": 2, "rocket": 1}


def test_shared_terms_are_the_rarest_first() -> None:
    assert terms("Houston, the Moon. Apollo.", "Apollo; Moon; Houston") == ("Houston", "Apollo", "Moon")


def test_among_equally_rare_terms_the_most_used_comes_first() -> None:
    counts = {"alpha": 4, "omega": 4}
    left, right = "alpha, omega. omega. omega", "omega, alpha. omega"
    assert shared_terms(left, right, counts, 50, stop=()) == ("omega", "alpha")


def test_weights_follow_the_formula() -> None:
    # apollo, once in each: ln(101/5.5) = 2.910.
    # moon: ln(101/40.5) = 0.914 times 1 + ln √(8·9) = 3.138 is 2.868, times 1 + ln √(9·9) = 3.197 is 2.922.
    assert terms("Apollo" + ". Moon" * 8, "Apollo" + ". Moon" * 9) == ("Apollo", "Moon")
    assert terms("Apollo" + ". Moon" * 9, "Apollo" + ". Moon" * 9) == ("Moon", "Apollo")


def test_stop_words_and_words_of_one_text_are_not_shared() -> None:
    assert terms("the Moon of Houston", "the rocket of Apollo") == ()
    assert shared_terms("rockets", "rockets", {}, 9, stop={"rocket"}) == ()


def test_singular_and_plural_are_one_term_as_rare_as_the_commoner_form() -> None:
    assert terms("a rocket", "two rockets") == ("rocket",)
    assert terms("rockets. rockets. Moon, Apollo", "rocket, Apollo. Moon") == ("Apollo", "rockets", "Moon")


def test_a_term_is_shown_as_it_is_most_often_written() -> None:
    assert terms("apollo. Apollo", "Apollo, APOLLO") == ("Apollo",)


def test_neighbours_in_both_texts_are_one_term() -> None:
    assert terms("The space shuttle rose.", "A Space Shuttle, the space shuttle") == ("space shuttle",)


@pytest.mark.parametrize("right", ["the shuttle in space", "space. Shuttle", "space 1986 shuttle", "space, shuttle"])
def test_words_that_are_not_side_by_side_in_both_texts_stay_apart(right: str) -> None:
    assert sorted(map(str.casefold, terms("a space shuttle", right))) == ["shuttle", "space"]


def test_a_word_is_in_one_term_only() -> None:
    found = terms("Kennedy Space Center", "the Kennedy Space Center")
    assert sorted(" ".join(found).split()) == ["Center", "Kennedy", "Space"]


def test_a_pair_keeps_its_place_when_its_better_word_is_rare() -> None:
    assert terms("Apollo moon; rocket", "rocket; Apollo moon") == ("Apollo moon", "rocket")


def test_at_most_so_many_terms_are_given() -> None:
    assert len(terms("apollo, moon, houston, rocket", "apollo; moon; houston; rocket", limit=2)) == 2


def test_chinese_pairs_are_put_together_again() -> None:
    found = shared_terms("航天飞机起飞", "一架航天飞机", {}, 9, stop=())
    assert found == ("航天飞机",)


def test_in_a_collection_of_two_documents_terms_are_still_shared() -> None:
    assert shared_terms("moon", "moon", {"moon": 2}, 2, stop=()) == ("moon",)


@pytest.mark.parametrize(("left", "right"), [("", ""), ("moon", ""), ("12 34", "12 34")])
def test_texts_without_words_share_nothing(left: str, right: str) -> None:
    assert terms(left, right) == ()


def test_thirty_links_are_named_in_a_moment() -> None:
    texts = [" ".join(f"word{i * j % 997}x" for i in range(300)) for j in range(1, 32)]
    counts = count_documents(texts, STOP)
    started = time.perf_counter()
    for left, right in pairwise(texts):
        shared_terms(left, right, counts, len(texts), stop=STOP)
    # 0.02 s on two cores; the bound only catches a change of complexity.
    assert time.perf_counter() - started < 0.5
