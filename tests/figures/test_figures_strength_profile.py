import math
from itertools import pairwise

import pytest
from figure_samples import EVIL_TITLE, documents, story

from narrative_core.figures.strength_profile import strength_profile

A, B, C, D = documents(["Sputnik", EVIL_TITLE, "Vostok", "Apollo"])
TRAIL = story("trail", [A, B, D], [0.8, 0.7])
BASELINE = story("baseline", [A, C, D], [0.5, 0.6])


def notes(figure: object) -> list[str]:
    return [note.text for note in figure.layout.annotations]  # type: ignore[attr-defined]


def test_each_story_is_one_trace_named_by_its_kind_with_the_trail_on_top() -> None:
    figure = strength_profile(TRAIL, BASELINE, median_link=0.65)
    assert [(trace.name, trace.line.dash) for trace in figure.data] == [("baseline", "dash"), ("trail", "solid")]


def test_each_point_is_a_link_and_carries_its_documents() -> None:
    trail = strength_profile(TRAIL, BASELINE, median_link=0.65).data[1]
    assert list(trail.x) == [1, 2]
    assert list(trail.y) == [0.8, 0.7]
    assert [list(link) for link in trail.customdata] == [["d0", "d1"], ["d1", "d3"]]


def test_the_weakest_link_has_a_symbol_and_words_of_its_own() -> None:
    figure = strength_profile(TRAIL, BASELINE, median_link=0.65)
    baseline, trail = figure.data
    assert list(trail.marker.symbol) == ["circle", "triangle-down"]
    assert list(baseline.marker.symbol) == ["triangle-down-open", "circle-open"]
    assert [text for text in notes(figure) if "weakest" in text] == ["weakest 0.70", "weakest 0.50"]


def test_the_weakest_of_equal_links_is_named_once() -> None:
    figure = strength_profile(story("trail", [A, B, D], [0.7, 0.7]), None, median_link=0.65)
    assert list(figure.data[0].marker.symbol) == ["triangle-down", "circle"]
    assert sum("weakest" in text for text in notes(figure)) == 1


def test_a_hover_sentence_names_both_documents_their_dates_and_the_strength() -> None:
    sentence = strength_profile(story("trail", [A, C], [0.7]), None, median_link=0.6).data[0].hovertext[0]
    for part in ("Step 1 of 1", "0.70", "“Sputnik” (4 Oct 1957)", "“Vostok” (6 Oct 1957)"):
        assert part in sentence


def test_a_hostile_title_is_text_in_the_hover() -> None:
    sentence = strength_profile(TRAIL, None, median_link=0.6).data[0].hovertext[0]
    assert "<img" not in sentence and "&lt;img" in sentence


def test_a_typical_link_is_a_line_with_words() -> None:
    figure = strength_profile(TRAIL, BASELINE, median_link=0.65)
    assert [line.y0 for line in figure.layout.shapes] == [0.65]
    assert any("typical link" in text for text in notes(figure))


def test_without_a_known_typical_link_there_is_neither_line_nor_words() -> None:
    figure = strength_profile(TRAIL, BASELINE, median_link=math.nan)
    assert not figure.layout.shapes
    assert not any("typical" in text for text in notes(figure))


@pytest.mark.parametrize("median", [0.2, 0.65, 0.95])
def test_everything_that_is_drawn_lies_inside_the_axis(median: float) -> None:
    low, high = strength_profile(TRAIL, BASELINE, median_link=median).layout.yaxis.range
    assert low < min(0.5, median) and max(0.8, median) < high


def test_labels_at_the_ends_of_equal_lines_do_not_lie_on_one_another() -> None:
    same = story("baseline", [A, C, D], [0.8, 0.7])
    figure = strength_profile(TRAIL, same, median_link=0.7)
    heights = sorted(note.y for note in figure.layout.annotations if note.xref == "paper")
    low, high = figure.layout.yaxis.range
    assert min(b - a for a, b in pairwise(heights)) >= 0.08 * (high - low)


def test_a_story_of_two_documents_is_one_point_on_a_whole_step() -> None:
    figure = strength_profile(story("trail", [A, B], [0.7]), None, median_link=0.6)
    assert (list(figure.data[0].x), figure.layout.xaxis.dtick) == ([1], 1)
    assert figure.layout.title.text == "Weakest link 0.70"


def test_a_long_story_has_at_most_ten_ticks() -> None:
    chain = documents([f"t{i}" for i in range(41)])
    figure = strength_profile(story("trail", chain, [0.5] * 40), None, median_link=0.6)
    assert figure.layout.xaxis.dtick == 4
