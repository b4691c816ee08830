import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.errors import InvalidInput
from narrative_core.stats.folds import Fold, pair_folds

pair_lists = st.lists(st.integers(0, 12), min_size=2, max_size=40).filter(lambda pairs: len(set(pairs)) > 1)


def pairs_held_out(folds: tuple[Fold, ...], pairs: list[int]) -> list[set[int]]:
    return [{pairs[row] for row in fold.test} for fold in folds]


@given(pair_lists, st.integers(2, 6), st.integers(0, 2**40))
def test_every_story_is_held_out_once_with_all_of_its_pair(pairs: list[int], n_folds: int, seed: int) -> None:
    folds = pair_folds(pairs, n_folds=n_folds, seed=seed)
    assert sorted(row for fold in folds for row in fold.test) == list(range(len(pairs)))
    for fold in folds:
        assert sorted([*fold.train, *fold.test]) == list(range(len(pairs)))
        assert not {pairs[row] for row in fold.train} & {pairs[row] for row in fold.test}


@given(pair_lists, st.integers(2, 6), st.integers(0, 2**40))
def test_folds_have_almost_the_same_number_of_pairs(pairs: list[int], n_folds: int, seed: int) -> None:
    sizes = [len(tested) for tested in pairs_held_out(pair_folds(pairs, n_folds=n_folds, seed=seed), pairs)]
    assert len(sizes) == min(n_folds, len(set(pairs)))
    assert max(sizes) - min(sizes) <= 1


@given(pair_lists, st.randoms(use_true_random=False))
def test_the_order_of_the_stories_does_not_matter(pairs: list[int], random: object) -> None:
    shuffled = sorted(pairs, key=lambda _: random.random())  # type: ignore[attr-defined]
    first, second = pair_folds(pairs, seed=3), pair_folds(shuffled, seed=3)
    assert pairs_held_out(first, pairs) == pairs_held_out(second, shuffled)


def test_the_seed_decides_on_the_folds() -> None:
    pairs = list(range(50))
    held_out = [pairs_held_out(pair_folds(pairs, seed=seed), pairs) for seed in (1, 1, 2)]
    assert held_out[0] == held_out[1] != held_out[2]


def test_there_are_five_folds_unless_told_otherwise() -> None:
    assert len(pair_folds(np.repeat(np.arange(20), 2), seed=0)) == 5


@pytest.mark.parametrize("pairs", [[], [4], [4, 4, 4]])
def test_fewer_than_two_pairs_cannot_be_divided(pairs: list[int]) -> None:
    assert pair_folds(pairs, seed=0) == ()


def test_three_pairs_make_three_folds_of_five() -> None:
    assert [len(fold.test) for fold in pair_folds([7, 7, 8, 8, 9, 9], seed=0)] == [2, 2, 2]


@pytest.mark.parametrize(("pairs", "n_folds"), [([1, 2, 3], 1), ([[1, 2], [3, 4]], 2)])
def test_what_cannot_be_divided_is_refused(pairs: list[int], n_folds: int) -> None:
    with pytest.raises(InvalidInput, match=r"at least 2|one axis"):
        pair_folds(pairs, n_folds=n_folds, seed=0)
