"""Texts above a line: none over another, none over another's stem, at any width."""

from itertools import combinations, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core.callouts import Callout, levels, place_callouts, wrap_text

ROOM = 330.0
POINTS = st.lists(st.floats(0, ROOM), min_size=1, max_size=14).map(sorted)


def scaled(place: Callout, x: float) -> tuple[float, float, float]:
    """Left, right and stem of a text whose point has moved to x."""
    width = place.right - place.left
    return (x - width, x, x) if place.is_leftward else (x, x + width, x)


@settings(deadline=None)
@given(POINTS, st.floats(30, 200), st.floats(1, 5))
def test_texts_and_stems_never_meet_however_much_wider_the_line_becomes(
    points: list[float], width: float, wider: float
) -> None:
    placed = place_callouts(points, [[width, width / 2]] * len(points), room=ROOM, rows=5)
    assert placed
    for one, other in combinations(placed, 2):
        first, second = (scaled(place, points[place.number] * wider) for place in (one, other))
        if one.row == other.row:
            assert first[1] <= second[0] or second[1] <= first[0]
        else:
            high, low = (first, second) if one.row > other.row else (second, first)
            assert not low[0] < high[2] < low[1]


@given(POINTS)
def test_texts_stay_in_the_room(points: list[float]) -> None:
    placed = place_callouts(points, [[100.0]] * len(points), room=ROOM, rows=4)
    assert all(place.left >= 0 and place.right <= ROOM for place in placed)
    assert {place.row for place in placed} == set(range(len({place.row for place in placed})))


def test_both_ends_come_first_and_the_second_choice_is_taken_where_the_first_has_no_room() -> None:
    placed = place_callouts([0, 165, 330], [[160, 60], [160, 60], [160, 60]], room=ROOM, rows=1)
    assert [place.number for place in placed] == [0, 2]
    assert [place.choice for place in place_callouts([0, 200], [[400, 150], [400, 100]], room=ROOM, rows=1)] == [1, 1]


def test_without_a_row_nothing_is_placed() -> None:
    assert place_callouts([1.0], [[10.0]], room=ROOM, rows=0) == ()


@given(st.lists(st.floats(0, 1000), max_size=20), st.integers(1, 5))
def test_a_level_is_left_only_where_it_is_full(points: list[float], most: int) -> None:
    found = levels(points, apart=20, most=most)
    assert len(found) == len(points) and all(0 <= level < most for level in found)
    for level in range(most - 1):
        ours = sorted(point for point, at in zip(points, found, strict=True) if at == level)
        if most - 1 not in found:
            assert all(b - a >= 20 for a, b in pairwise(ours))


@given(st.text(max_size=60), st.integers(3, 20))
def test_wrapped_lines_fit_and_an_ellipsis_says_that_something_is_missing(text: str, room: int) -> None:
    lines = wrap_text(text, room, n_lines=2, width_of=len)
    assert len(lines) <= 2
    assert all(len(line) <= room for line in lines)
    plain = " ".join(text.split())
    if not lines or not lines[-1].endswith("…"):
        assert "".join(lines).replace(" ", "") == plain.replace(" ", "")


def test_a_script_without_spaces_breaks_within_a_word() -> None:
    assert wrap_text("衛星軌道発射成功", 4, n_lines=2, width_of=len) == ("衛星軌道", "発射成功")
