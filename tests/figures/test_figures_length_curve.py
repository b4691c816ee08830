import plotly.graph_objects as go
import pytest

from narrative_core.figures.length_curve import length_curve_figure
from narrative_core.records import CurvePoint

CURVE = [CurvePoint(2, 0.5), CurvePoint(3, 0.6), CurvePoint(4, 0.7), CurvePoint(5, 0.7)]


def curve(chosen: int = 3, canonical: int = 5, points: list[CurvePoint] | None = None) -> go.Figure:
    strengths = {point.length: point.bottleneck for point in CURVE}
    return length_curve_figure(
        CURVE if points is None else points,
        chosen_length=chosen,
        chosen_bottleneck=strengths.get(chosen, 0.7),
        canonical_length=canonical,
        canonical_bottleneck=0.7,
    )


def test_every_point_carries_its_length() -> None:
    (trace,) = curve().data
    assert list(trace.customdata) == list(trace.x) == [2, 3, 4, 5]
    assert list(trace.y) == [0.5, 0.6, 0.7, 0.7]


def test_the_chosen_length_is_the_largest_and_only_filled_dot() -> None:
    (trace,) = curve(chosen=3).data
    assert max(range(4), key=lambda i: trace.marker.size[i]) == 1
    assert [colour == trace.marker.color[1] for colour in trace.marker.color] == [False, True, False, False]


def test_the_trail_without_a_limit_is_a_diamond_even_beyond_the_curve() -> None:
    (trace,) = curve(canonical=9).data
    assert list(trace.x) == [2, 3, 4, 5, 9]
    assert list(trace.marker.symbol) == ["circle"] * 4 + ["diamond"]


def test_the_chosen_and_the_unlimited_trail_are_named_with_their_strength() -> None:
    assert [note.text for note in curve().layout.annotations] == ["shown 0.60", "no limit 0.70"]


def test_one_trail_that_is_both_is_named_once() -> None:
    assert [note.text for note in curve(chosen=5, canonical=5).layout.annotations] == ["shown 0.70"]


def test_selecting_a_point_does_not_fade_the_others() -> None:
    (trace,) = curve().data
    assert trace.unselected.marker.opacity == 1


def test_hovering_says_what_a_length_buys_and_what_a_click_does() -> None:
    (trace,) = curve(chosen=3, canonical=5).data
    assert "at most 4 documents" in trace.hovertext[2] and "0.70" in trace.hovertext[2]
    assert ["Click" in sentence for sentence in trace.hovertext] == [True, False, True, True]


@pytest.mark.parametrize("points", [[], [CurvePoint(2, 0.7)]])
def test_a_trail_of_two_documents_is_one_point_inside_the_axes(points: list[CurvePoint]) -> None:
    figure = length_curve_figure(
        points, chosen_length=2, chosen_bottleneck=0.7, canonical_length=2, canonical_bottleneck=0.7
    )
    left, right = figure.layout.xaxis.range
    low, high = figure.layout.yaxis.range
    assert list(figure.data[0].x) == [2]
    assert left < 2 < right and low < 0.7 < high
    assert figure.layout.title.text == "Weakest link 0.70 with 2 documents"


def test_ticks_are_whole_documents_and_few() -> None:
    figure = curve(canonical=60)
    assert figure.layout.xaxis.dtick == 8


@pytest.mark.parametrize(("chosen", "canonical"), [(2, 5), (3, 4), (4, 5), (5, 4), (5, 2)])
def test_the_names_of_two_trails_lie_on_different_sides_of_the_curve(chosen: int, canonical: int) -> None:
    anchors = {note.yanchor for note in curve(chosen=chosen, canonical=canonical).layout.annotations}
    assert anchors == {"top", "bottom"}
