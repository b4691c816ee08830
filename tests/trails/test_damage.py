import itertools
import math
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.errors import InvalidInput
from narrative_core.trails.damage import most_foreign, reversed_order, shuffled, with_doubled, with_foreign
from narrative_core.trails.graph import TrailGraph
from tests.builders import symmetric
from tests.trails.oracles import Case, cases

stories = st.lists(st.integers(0, 50), min_size=2, max_size=9, unique=True).map(tuple)
repetitive = st.lists(st.integers(0, 2), min_size=2, max_size=6).map(tuple)
seeds = st.integers(0, 999)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@given(stories | repetitive, seeds)
def test_a_shuffled_story_has_the_same_documents_in_an_order_of_its_own(story: tuple[int, ...], seed: int) -> None:
    others = set(itertools.islice(itertools.permutations(story), 720)) - {story, story[::-1]}
    told = shuffled(story, rng=rng(seed))
    if not others:
        assert told is None
    else:
        assert told is not None
        assert told not in {story, story[::-1]}
        assert Counter(told) == Counter(story)


def test_every_other_order_is_as_likely() -> None:
    counts = Counter(shuffled([1, 2, 3], rng=rng(seed)) for seed in range(400))
    assert set(counts) == {(1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2)}
    assert all(abs(count - 100) < 44 for count in counts.values())  # five standard deviations of 8.7


@pytest.mark.parametrize("story", [(5, 6), (5, 5), (5, 5, 5)])
def test_a_story_that_has_no_other_order_is_not_shuffled(story: tuple[int, ...]) -> None:
    assert shuffled(story, rng=rng()) is None


@given(stories)
def test_reversed_twice_is_the_story(story: tuple[int, ...]) -> None:
    assert reversed_order(reversed_order(story)) == story
    assert reversed_order(story)[0] == story[-1]


@given(stories, seeds)
def test_a_foreign_document_stands_between_two_of_the_story(story: tuple[int, ...], seed: int) -> None:
    told = with_foreign(story, 99, rng=rng(seed))
    assert tuple(row for row in told if row != 99) == story
    assert told.count(99) == 1
    assert (told[0], told[-1]) == (story[0], story[-1])


@given(stories, seeds)
def test_a_doubled_document_stands_twice_in_a_row(story: tuple[int, ...], seed: int) -> None:
    told = with_doubled(story, rng=rng(seed))
    assert len(told) == len(story) + 1
    assert tuple(row for row, _ in itertools.groupby(told)) == story


def test_every_place_is_drawn() -> None:
    places = {with_foreign((1, 2, 3, 4), 9, rng=rng(seed)).index(9) for seed in range(60)}
    assert places == {1, 2, 3}
    doubled = {Counter(with_doubled((1, 2, 3, 4), rng=rng(seed))).most_common(1)[0][0] for seed in range(60)}
    assert doubled == {1, 2, 3, 4}


def test_one_seed_gives_one_damage() -> None:
    story = tuple(range(9))
    for damage in (shuffled, with_doubled, lambda told, rng: with_foreign(told, 99, rng=rng)):
        assert damage(story, rng=rng(4)) == damage(story, rng=rng(4))
        assert len({damage(story, rng=rng(seed)) for seed in range(20)}) > 1


def test_all_damage_is_given_as_tuples_of_plain_numbers() -> None:
    story = [3, 1, 2]
    told = [shuffled(story, rng=rng()), reversed_order(story), with_foreign(story, 7, rng=rng())]
    for damaged in [*told, with_doubled(story, rng=rng())]:
        assert isinstance(damaged, tuple)
        assert all(type(row) is int for row in damaged)
    assert story == [3, 1, 2]


@given(cases(7, smallest=3), st.data())
def test_the_most_foreign_document_has_least_to_do_with_whichever_is_closest_to_it(
    case: Case, data: st.DataObject
) -> None:
    size = data.draw(st.integers(1, case.n - 1))
    story = data.draw(st.permutations(range(case.n)))[:size]
    closest = {
        row: max(float(case.graph.coherence[row, told]) for told in story) for row in range(case.n) if row not in story
    }
    assert most_foreign(case.graph, story) == min(closest, key=lambda row: (closest[row], row))


def test_the_closest_document_counts_and_not_the_mean_and_ties_go_to_the_lower_index() -> None:
    # Document 2 is 0.0 and 0.6 from the story, 3 and 4 are 0.5 and 0.5.
    theta = symmetric(5, [0.9, 0.0, 0.5, 0.5, 0.6, 0.5, 0.5, 0.1, 0.1, 0.1])
    graph = TrailGraph(theta, np.array([1.0, 2.0, 0.0, math.nan, 9.0]), 0.7, np.ones(5, dtype=bool))
    assert most_foreign(graph, (0, 1)) == 3


def test_a_story_of_the_whole_collection_has_no_foreign_document() -> None:
    with pytest.raises(InvalidInput, match="all 2 documents are in the story"):
        most_foreign(TrailGraph(symmetric(2, [0.3])), (1, 0))


def test_a_document_of_the_story_is_not_foreign_to_it() -> None:
    with pytest.raises(InvalidInput, match="must not be in the story; 2 is"):
        with_foreign((1, 2), 2, rng=rng())


@pytest.mark.parametrize("story", [(), (4,)])
def test_less_than_two_documents_are_no_story(story: tuple[int, ...]) -> None:
    damages: tuple[Callable[[], object], ...] = (
        lambda: shuffled(story, rng=rng()),
        lambda: reversed_order(story),
        lambda: with_foreign(story, 7, rng=rng()),
        lambda: with_doubled(story, rng=rng()),
    )
    for damage in damages:
        with pytest.raises(InvalidInput, match=f"at least 2 documents; got {len(story)}"):
            damage()
