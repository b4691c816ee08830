import math
import re
from itertools import pairwise

import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.figures.dot_rows import dot_rows, foot_lines
from narrative_core.figures.lanes import (
    LANE_PX,
    NAME_PX,
    Lane,
    Panel,
    Row,
    Sides,
    fitting_name,
    fitting_text,
    fitting_window,
)
from narrative_core.figures.theme import background

NAN = float("nan")
EMPTY = "Nothing has been measured yet."
EVIL = '<img src=x onerror="alert(1)"> & <b>bold</b>'


def lane(value: float, **options: object) -> Lane:
    return Lane(value, "#0b3d91", "said", **options)  # type: ignore[arg-type]


def figure_of(*rows: Row, **options: object) -> go.Figure:
    return dot_rows([Panel("score", rows, (0.0, 1.0))], empty=EMPTY, **options)  # type: ignore[arg-type]


def named(figure: go.Figure, name: str) -> list[go.Scatter]:
    return [trace for trace in figure.data if trace.name == name]


def notes(figure: go.Figure) -> list[str]:
    return [annotation.text for annotation in figure.layout.annotations]


def test_a_lane_is_a_dot_at_its_value_with_its_interval_and_its_key() -> None:
    (dots,) = named(figure_of(Row("A judge", (lane(0.5, low=0.4, high=0.8, key=(2, "exact")),))), "dots")
    assert list(dots.x) == [0.5]
    assert (dots.error_x.array[0], dots.error_x.arrayminus[0]) == pytest.approx((0.3, 0.1))
    assert [list(key) for key in dots.customdata] == [[2, "exact"]]


def test_a_bar_without_an_interval_has_no_whisker_at_its_end() -> None:
    figure = figure_of(Row("A judge", (lane(0.5, is_bar=True), lane(0.3, low=0.2, high=0.4, is_bar=True))))
    assert [trace.error_x.array is None for trace in named(figure, "bars")] == [True, False]


def test_a_lane_without_a_value_has_its_words_and_no_mark() -> None:
    figure = figure_of(Row("A judge", (lane(NAN, words="–", key=(0, "exact")),)))
    assert not figure.data
    assert "–" in notes(figure)


def test_the_reference_study_is_an_open_diamond_that_the_last_line_names() -> None:
    with_study = figure_of(Row("A judge", (lane(0.5, study=0.7),)))
    (diamonds,) = named(with_study, "reference study")
    assert (list(diamonds.x), diamonds.marker.symbol) == ([0.7], "diamond-open")
    assert "◇ reference study" in notes(with_study)[-1]
    assert "study" not in str(notes(figure_of(Row("A judge", (lane(0.5),)))))


def test_hollow_dots_are_filled_with_the_colour_of_the_page() -> None:
    (dots,) = named(figure_of(Row("A judge", (lane(0.5, symbol="circle-open"), lane(0.6)))), "dots")
    assert list(dots.marker.symbol) == ["circle", "circle"]
    assert list(dots.marker.color) == [background("light"), "#0b3d91"]


def test_every_panel_has_an_axis_of_its_own_and_none_overlaps_another() -> None:
    panels = [Panel(unit, (Row("A judge", (lane(value),)),), (0.0, value * 2)) for unit, value in (("a", 1), ("b", 5))]
    figure = dot_rows([*panels, Panel("left out", (), (0, 1))], empty=EMPTY)
    assert (figure.layout.xaxis.title.text, figure.layout.xaxis2.title.text) == ("a", "b")
    assert [trace.xaxis for trace in figure.data] == ["x", "x2"]
    assert 0 <= figure.layout.yaxis2.domain[0] < figure.layout.yaxis2.domain[1] < figure.layout.yaxis.domain[0]


def test_the_height_grows_with_rows_and_lanes_so_that_none_touches_another() -> None:
    one = figure_of(Row("A", (lane(0.5),)))
    four = figure_of(*[Row("A", (lane(0.5), lane(0.6)))] * 2)
    assert four.layout.height - one.layout.height == NAME_PX + 8 + 3 * LANE_PX
    heights = [y for trace in four.data for y in trace.y]
    assert sorted(heights) == heights and min(b - a for a, b in pairwise(heights)) >= LANE_PX


def test_without_rows_there_is_one_quiet_sentence() -> None:
    for figure in (dot_rows([], empty=EMPTY), figure_of()):
        assert notes(figure) == [EMPTY]
        assert not figure.data


def test_names_of_lines_that_would_touch_stand_on_different_levels() -> None:
    rows = (Row("A judge", (lane(0.5),)),)
    lines = ((0.2, "small effect"), (0.22, "medium effect"), (0.24, "large effect"), (0.9, "far away"))
    figure = dot_rows([Panel("d", rows, (0.0, 1.0), lines)], empty=EMPTY)
    heights = {one.text: one.y for one in figure.layout.annotations}
    assert len({heights[words] for _, words in lines[:3]}) == 3
    assert heights["far away"] == heights["small effect"]


def test_the_names_of_two_lines_lean_away_from_each_other() -> None:
    lines = ((0.5, "α = 0.05"), (0.51, "α = 0.01"))
    figure = dot_rows([Panel("p", (Row("A", (lane(0.5),)),), (0.0, 1.0), lines)], empty=EMPTY)
    assert [one.xanchor for one in figure.layout.annotations if one.text.startswith("α")] == ["right", "left"]


def test_a_line_does_not_cross_the_names() -> None:
    rows = tuple(Row(name, (lane(0.5),)) for name in "AB")
    figure = dot_rows([Panel("d", rows, (0.0, 1.0), ((0.5, "chance"),))], empty=EMPTY)
    names = [one.y for one in figure.layout.annotations if one.text in ("A", "B")]
    upright = [(shape.y0, shape.y1) for shape in figure.layout.shapes if shape.x0 == shape.x1]
    assert len(upright) == 3
    assert not any(low - 6 < y < high + 6 for y in names for low, high in upright)


def test_the_part_where_a_check_passes_is_shaded_within_the_axis() -> None:
    figure = figure_of(Row("A", (lane(0.5, passes=(-math.inf, 0.3)), lane(0.5))))
    (box,) = [shape for shape in figure.layout.shapes if shape.type == "rect"]
    assert (box.x0, box.x1) == (0.0, 0.3)


def test_a_hostile_name_is_text_everywhere() -> None:
    figure = figure_of(Row(EVIL, (lane(0.5, label=EVIL, words=EVIL),), EVIL), foot=EVIL, sides=Sides(500, 500))
    assert not any("<img" in text or "<b>" in text for text in notes(figure))


@given(st.text("abM ,·", max_size=80), st.integers(0, 200))
def test_a_clipped_name_is_no_longer_than_it_was_and_keeps_its_beginning(name: str, room_px: int) -> None:
    line, clipped = " ".join(name.split()), fitting_text(name, room_px)
    assert len(clipped) <= max(len(line), 1)
    assert line.startswith(clipped.partition("…")[0])
    assert fitting_text(name, 10_000) == line


def test_judges_of_one_model_can_still_be_told_apart_when_their_names_are_clipped() -> None:
    names = [f"a-rather-long-model-name, {mode}" for mode in ("simple", "step by step", "standard", "complex")]
    assert len({fitting_text(name, 110) for name in names}) == 4


def test_a_long_name_makes_room_for_long_words() -> None:
    name = "a very long name of a model"
    assert len(fitting_name(name, "0.48 (0.39–0.57), n = 200")) < len(name) == len(fitting_name(name, "n = 2"))
    assert fitting_text("mmmmmmmmmmmmmmm", 1) == "mmmmmmm…"


@given(st.lists(st.floats(allow_infinity=False), max_size=8), st.lists(st.floats(-5, 5), max_size=3))
def test_a_window_holds_every_known_value(values: list[float], holds: list[float]) -> None:
    low, high = fitting_window([value for value in values if not abs(value) > 1e6], holds=holds)
    assert low < high
    assert all(low <= value <= high for value in [*values, *holds] if abs(value) <= 1e6)


def test_a_window_cuts_off_what_is_beyond_its_bounds() -> None:
    assert fitting_window([-7.0, 0.5], within=(-1, 1)) == pytest.approx((-1.075, 0.575))


@given(st.lists(st.lists(st.text("ab◇", min_size=1, max_size=30), min_size=1, max_size=6).map(" ".join), max_size=5))
def test_the_last_line_fits_a_telephone_and_loses_no_word(parts: list[str]) -> None:
    lines = foot_lines(" · ".join(parts))
    assert all(len(line) <= 56 for line in lines)
    assert re.findall(r"[^ ·]+", " ".join(lines)) == re.findall(r"[^ ·]+", " ".join(parts))
