import numpy as np
import pytest
from figure_samples import landscape

from narrative_core.figures.map_points import FIT_HEIGHT_PX, FIT_WIDTH_PX
from narrative_core.figures.marks import LabelStyle, label_icon, text_width
from narrative_core.figures.topic_labels import MAX_LABELS, TopicLabel, is_overlapping, place_labels, without_overlaps

STYLE = LabelStyle(12, 500)


def label(topic: int, x: float, y: float = 0.0, width: float = 60.0) -> TopicLabel:
    return TopicLabel(topic, f"topic {topic}", x, y, width, 20.0, STYLE)


def test_of_two_labels_in_one_place_the_larger_topics_is_kept() -> None:
    assert [kept.topic for kept in without_overlaps([label(0, 0), label(1, 10), label(2, 90)], 12)] == [0, 2]


def test_a_label_that_lost_its_place_blocks_nobody() -> None:
    assert [kept.topic for kept in without_overlaps([label(0, 0), label(1, 50), label(2, 100)], 12)] == [0, 2]


@pytest.mark.parametrize(("x", "y", "expected"), [(63, 0, True), (64, 0, False), (0, 19, True), (0, 20, False)])
def test_labels_overlap_when_they_share_space_both_across_and_down(x: float, y: float, expected: bool) -> None:
    assert is_overlapping(label(0, 0), label(1, x, y)) is expected


def test_no_more_labels_than_allowed_are_placed() -> None:
    positions = [(0.0, 30.0 * i) for i in range(MAX_LABELS + 8)]
    many = landscape(positions, list(range(len(positions))), labels=[f"t{i}" for i in range(len(positions))])
    placed = place_labels(many, np.array(positions))
    assert [kept.topic for kept in placed] == list(range(MAX_LABELS))


def test_a_label_stands_in_the_middle_of_its_topic_without_its_outliers() -> None:
    positions = [(0, 0), (2, 4), (1, 2), (90, 90)]
    placed = place_labels(landscape(positions, [0, 0, 0, 0], outliers=[3], labels=["orbit"]), np.array(positions))
    assert [(kept.x, kept.y) for kept in placed] == [(1, 2)]


@pytest.mark.parametrize("x", [-FIT_WIDTH_PX / 2, 0.0, FIT_WIDTH_PX / 2])
def test_a_label_at_the_edge_of_the_map_is_not_cut_off_on_a_phone(x: float) -> None:
    (placed,) = place_labels(landscape([(x, 0)], [0], labels=["telescope, galaxy, hubble"]), np.array([[x, 0.0]]))
    assert abs(placed.x) + placed.width / 2 <= FIT_WIDTH_PX / 2 + 13
    assert (placed.x < 0, placed.x > 0) == (x < 0, x > 0)


def test_a_topic_of_outliers_only_is_still_named() -> None:
    placed = place_labels(landscape([(3, 4)], [0], outliers=[0], labels=["orbit"]), np.array([[3.0, 4.0]]))
    assert [(kept.x, kept.y) for kept in placed] == [(3, 4)]


def test_without_topics_documents_or_names_there_are_no_labels() -> None:
    assert place_labels(landscape([(0, 0)], [-1], labels=()), np.zeros((1, 2))) == []
    assert place_labels(landscape([(0, 0)], [0], labels=["", "empty topic"]), np.zeros((1, 2))) == []


def test_a_wide_script_needs_more_room_and_joining_marks_none() -> None:
    assert text_width("航天员", 12) > text_width("abc", 12)
    assert text_width("e\u0301", 12) == text_width("e", 12)


def test_the_drawing_of_a_label_is_wider_than_its_estimated_text() -> None:
    icon = label_icon("satellite, orbit, launch", STYLE, "light")
    assert icon["width"] / 2 > text_width("satellite, orbit, launch", STYLE.size_px) * 1.15


def test_a_hidden_topic_and_one_without_documents_have_no_name() -> None:
    found = landscape([(0, 0), (0, 90)], [0, 2], labels=["orbit", "merged away", "mars"])
    places = np.array([[0.0, 0.0], [0.0, 90.0]])
    assert [kept.text for kept in place_labels(found, places)] == ["orbit", "mars"]
    assert [kept.text for kept in place_labels(found, places, {0})] == ["mars"]


@pytest.mark.parametrize(("mark_y", "expected"), [(3.0, -20.0), (-3.0, 20.0), (0.0, 23.0), (30.0, 0.0)])
def test_a_label_under_a_mark_stands_just_above_or_below_it(mark_y: float, expected: float) -> None:
    one = label(0, 0.0)
    (placed,) = without_overlaps([one], 5, [(10.0, mark_y)])
    assert placed.y == expected
    assert placed.x == one.x


def test_a_mark_beside_a_label_does_not_move_it() -> None:
    assert without_overlaps([label(0, 0.0)], 5, [(60.0, 0.0)]) == [label(0, 0.0)]


def test_a_label_goes_the_longer_way_where_the_shorter_is_taken_and_is_left_out_where_both_are() -> None:
    larger, under = label(0, 0.0, 20.0), label(1, 0.0, 1.0)
    assert [one.y for one in without_overlaps([larger, under], 5, [(0.0, 0.0)])] == [23.0, -23.0]
    third = label(2, 0.0, -1.0)
    assert [one.topic for one in without_overlaps([larger, under, third], 5, [(0.0, 0.0)])] == [0, 1]


def test_between_two_marks_a_label_is_clear_of_both() -> None:
    marks = [(-10.0, 0.0), (10.0, 12.0)]
    (placed,) = without_overlaps([label(0, 0.0, 4.0)], 5, marks)
    assert all(abs(placed.y - y) >= 22.5 for _, y in marks)


def test_a_label_is_not_moved_off_the_map() -> None:
    top = FIT_HEIGHT_PX / 2
    (placed,) = without_overlaps([label(0, 0.0, top - 4)], 5, [(0.0, top - 6)])
    assert placed.y == top - 29
