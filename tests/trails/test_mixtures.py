import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput
from narrative_core.trails.mixtures import alternating_stories, mixed_stories

FIRST, SECOND = np.arange(7), np.arange(7, 20)
DAYS = np.random.default_rng(1).integers(6, size=20).astype(float)
PARTLY = np.where(np.arange(20) % 3 == 0, math.nan, DAYS)

dated = st.sampled_from([None, DAYS, PARTLY, np.full(20, math.nan), np.zeros(20)])
some_lengths = st.tuples(st.integers(2, 7), st.integers(0, 7)).map(lambda v: (v[0], v[0] + v[1]))


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def is_in_date_order(story: tuple[int, ...], days: NDArray[np.float64] | None) -> bool:
    known = [] if days is None else [days[row] for row in story if not math.isnan(days[row])]
    return known == sorted(known)


@given(some_lengths, dated, st.integers(0, 99))
def test_an_alternating_story_switches_collection_at_every_step(
    lengths: tuple[int, int], days: NDArray[np.float64] | None, seed: int
) -> None:
    stories = alternating_stories((FIRST, SECOND), 9, lengths=lengths, rng=rng(seed), days=days)
    assert len(stories) == 9
    for story in stories:
        assert lengths[0] <= len(story) <= lengths[1]
        assert len(set(story)) == len(story)
        assert all((u in FIRST) != (v in FIRST) for u, v in itertools.pairwise(story))
        assert set(story) <= {*FIRST.tolist(), *SECOND.tolist()}
        assert is_in_date_order(story[::2], days)
        assert is_in_date_order(story[1::2], days)


@given(some_lengths, st.integers(0, 99))
def test_a_mixed_story_is_drawn_from_all(lengths: tuple[int, int], seed: int) -> None:
    rows = np.arange(3, 20)
    stories = mixed_stories(rows, 9, lengths=lengths, rng=rng(seed))
    assert len(stories) == 9
    for story in stories:
        assert lengths[0] <= len(story) <= lengths[1]
        assert len(set(story)) == len(story)
        assert set(story) <= set(rows.tolist())


def test_either_collection_may_begin_and_every_length_occurs() -> None:
    stories = alternating_stories((FIRST, SECOND), 1000, rng=rng())
    begins = Counter(story[0] in FIRST for story in stories)
    assert abs(begins[True] - 500) < 80  # five standard deviations of 16
    lengths = Counter(len(story) for story in stories)
    assert sorted(lengths) == [4, 5, 6, 7, 8]
    assert all(abs(count - 200) < 65 for count in lengths.values())
    assert sorted({len(story) for story in mixed_stories(SECOND, 100, rng=rng())}) == [4, 5, 6, 7, 8]


def test_every_document_is_as_likely_in_a_mixed_story() -> None:
    stories = mixed_stories(np.arange(10), 2000, lengths=(5, 5), rng=rng())
    counts = Counter(itertools.chain.from_iterable(stories))
    assert all(abs(counts[row] - 1000) < 110 for row in range(10))  # half of 2000, five deviations of 22


def test_a_mixed_story_is_told_in_every_order() -> None:
    assert set(mixed_stories(np.arange(3), 100, lengths=(3, 3), rng=rng())) == set(itertools.permutations(range(3)))


def orders_of_four(days: NDArray[np.float64] | None) -> set[tuple[int, ...]]:
    """Return every order in which the first four documents come in alternating stories of eight."""
    stories = alternating_stories((np.arange(4), np.arange(4, 8)), 400, lengths=(8, 8), rng=rng(), days=days)
    return {tuple(row for row in story if row < 4) for story in stories}


def test_documents_without_any_date_come_in_every_order() -> None:
    for days in (None, np.full(8, math.nan), np.zeros(8)):
        assert orders_of_four(days) == set(itertools.permutations(range(4)))


def test_an_undated_document_may_stand_anywhere_among_the_dated_ones() -> None:
    days = np.array([math.nan, 3.0, 1.0, 2.0, *range(4)])
    assert orders_of_four(days) == {(0, 2, 3, 1), (2, 0, 3, 1), (2, 3, 0, 1), (2, 3, 1, 0)}


def test_the_whole_of_two_collections_can_be_one_story() -> None:
    days = np.array([2.0, 1.0, 5.0, 4.0, 3.0])
    stories = alternating_stories((np.array([0, 1, 2]), np.array([3, 4])), 3, lengths=(4, 4), rng=rng(), days=days)
    assert all(story[::2] == (4, 3) or story[1::2] == (4, 3) for story in stories)
    (mixed,) = mixed_stories(np.arange(5), 1, lengths=(5, 5), rng=rng())
    assert sorted(mixed) == [0, 1, 2, 3, 4]


def test_one_seed_gives_the_same_stories_and_another_gives_others() -> None:
    first, again, other = (alternating_stories((FIRST, SECOND), 5, rng=rng(seed)) for seed in (1, 1, 2))
    assert first == again != other
    first, again, other = (mixed_stories(SECOND, 5, rng=rng(seed)) for seed in (1, 1, 2))
    assert first == again != other


def test_the_order_in_which_rows_are_given_does_not_matter() -> None:
    assert mixed_stories(SECOND[::-1], 5, rng=rng()) == mixed_stories(SECOND, 5, rng=rng())
    turned = alternating_stories((FIRST[::-1], SECOND[::-1]), 5, rng=rng())
    assert turned == alternating_stories((FIRST, SECOND), 5, rng=rng())


def test_no_stories_are_none() -> None:
    assert alternating_stories((FIRST, SECOND), 0, rng=rng()) == []
    assert mixed_stories(SECOND, 0, rng=rng()) == []


def test_too_few_documents_are_refused_with_their_number() -> None:
    with pytest.raises(InvalidInput, match=r"each collection must have at least 4 documents .*; got 3"):
        alternating_stories((np.arange(3), SECOND), 1, lengths=(4, 7), rng=rng())
    with pytest.raises(InvalidInput, match=r"at least 4 documents .*; got 2"):
        alternating_stories((FIRST, np.array([8, 9])), 1, rng=rng())
    with pytest.raises(InvalidInput, match=r"together must have at least 8 documents .*; got 7"):
        mixed_stories(FIRST, 1, rng=rng())
    assert len(alternating_stories((np.arange(4), SECOND), 9, lengths=(7, 8), rng=rng())) == 9


def test_collections_that_overlap_are_refused() -> None:
    with pytest.raises(InvalidInput, match="row 6 is in both"):
        alternating_stories((FIRST, np.arange(6, 20)), 1, rng=rng())


@pytest.mark.parametrize("lengths", [(1, 5), (5, 4), (0, 0)])
def test_lengths_that_no_story_has_are_refused(lengths: tuple[int, int]) -> None:
    with pytest.raises(InvalidInput, match=f"got {lengths[0]} and {lengths[1]}"):
        alternating_stories((FIRST, SECOND), 1, lengths=lengths, rng=rng())
    with pytest.raises(InvalidInput, match=f"got {lengths[0]} and {lengths[1]}"):
        mixed_stories(SECOND, 1, lengths=lengths, rng=rng())


def test_a_negative_number_of_stories_is_refused() -> None:
    with pytest.raises(InvalidInput, match="at least 0; got -2"):
        mixed_stories(SECOND, -2, rng=rng())
