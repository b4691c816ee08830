from hypothesis import given
from hypothesis import strategies as st

from narrative_core.trails.copies import spare_copies


def test_without_groups_nothing_is_spare() -> None:
    assert spare_copies([], wanted={1}, usable={2}) == frozenset()


def test_all_that_are_wanted_stay() -> None:
    assert spare_copies([(0, 1, 2)], wanted={1, 2}, usable={0}) == {0}


def test_where_none_can_be_told_the_original_stays() -> None:
    assert spare_copies([(4, 6, 9)], wanted=(), usable=()) == {6, 9}


@given(st.permutations(range(8)), st.sets(st.integers(0, 7)), st.sets(st.integers(0, 7)))
def test_of_each_group_the_wanted_stay_or_exactly_one(order: list[int], wanted: set[int], usable: set[int]) -> None:
    groups = [tuple(sorted(order[:3])), tuple(sorted(order[3:5]))]
    spare = spare_copies(groups, wanted=wanted, usable=usable)
    for group in groups:
        staying = set(group) - spare
        assert staying == set(group) & wanted or (not set(group) & wanted and len(staying) == 1)
        if not set(group) & wanted and set(group) & usable:
            assert staying == {min(set(group) & usable)}
    assert not spare & set(order[5:])
