import math

import pytest
from figure_samples import documents, pair, story
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.figures.draws_histogram import draws_histogram, strength_bins
from narrative_core.records import StoryPair

A, B, C, D = documents(["a", "b", "c", "d"])


def drawn(draws: list[float], *, shown: float = 0.4) -> StoryPair:
    return pair(story("trail", [A, B, D], [0.8, 0.7]), story("baseline", [A, C, D], [shown, 0.6]), draws)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=200))
def test_every_draw_is_counted_once_and_the_bins_stay_few(draws: list[float]) -> None:
    bins = strength_bins(draws)
    assert sum(bin_.count for bin_ in bins) == len(draws)
    assert len(bins) <= 24


def test_a_value_on_an_edge_opens_its_bin() -> None:
    bins = strength_bins([0.30, 0.29, 0.31])
    assert [(bin_.low, bin_.count) for bin_ in bins if bin_.count] == [(0.29, 1), (0.30, 1), (0.31, 1)]


def test_unknown_draws_are_in_no_bin() -> None:
    assert strength_bins([math.nan]) == []


def test_the_bars_show_the_counts_and_carry_their_edges() -> None:
    (bars,) = draws_histogram(drawn([0.41, 0.41, 0.42])).data
    assert [count for count in bars.y if count] == [2, 1]
    assert list(bars.customdata[0]) == [0.41, 0.415]
    assert bars.hovertext[0].startswith("2 of 3 random chronologies")


@pytest.mark.parametrize(
    ("draws", "title"),
    [
        ([0.4] * 197 + [0.9] * 3, "Stronger than 197 of 200 random chronologies"),
        ([0.9, 0.7], "Stronger than none of 2 random chronologies"),
        ([0.4], "Stronger than the one random chronology"),
        ([0.9], "Not stronger than the one random chronology"),
        ([0.4] * 1200, "Stronger than all 1,200 random chronologies"),
        ([0.4] * 1199 + [0.9], "Stronger than 1,199 of 1,200 random chronologies"),
        ([], "No random chronology could be drawn"),
    ],
)
def test_the_title_says_how_many_draws_the_trail_beats(draws: list[float], title: str) -> None:
    assert draws_histogram(drawn(draws)).layout.title.text == title


def test_the_trail_is_a_solid_line_and_the_shown_draw_a_dashed_one_both_with_words() -> None:
    layout = draws_histogram(drawn([0.4, 0.5])).layout
    assert [(line.x0, line.line.dash) for line in layout.shapes] == [(0.7, "solid"), (0.4, "dash")]
    assert ["0.70" in layout.annotations[0].text, "0.40" in layout.annotations[1].text] == [True, True]


@pytest.mark.parametrize("value", [0.0, 0.4, 0.7, 1.0])
def test_draws_that_are_all_equal_are_one_bar_inside_the_axis(value: float) -> None:
    figure = draws_histogram(drawn([value] * 200, shown=value))
    (bars,) = figure.data
    low, high = figure.layout.xaxis.range
    assert list(bars.y) == [200]
    assert low <= value <= high and low <= 0.7 <= high and high - low >= 0.04


def test_without_draws_only_the_trail_is_marked() -> None:
    figure = draws_histogram(drawn([]))
    assert (len(figure.data[0].y), len(figure.layout.shapes)) == (0, 1)


def test_labels_open_towards_the_middle_so_that_none_is_cut_off() -> None:
    trail, shown = draws_histogram(drawn([0.2, 0.3], shown=0.2)).layout.annotations
    assert (trail.xanchor, shown.xanchor) == ("right", "left")
