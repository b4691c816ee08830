"""The figures that draw results judge by judge: agreement, effects, means, p-values, prediction, stability."""

import math
from collections.abc import Callable
from dataclasses import replace

import plotly.graph_objects as go
import pytest

from narrative_core.figures.run_agreement import agreement_bars, spread_bars
from narrative_core.figures.run_disagreement import disagreement_bands
from narrative_core.figures.run_effects import auc_bars, effect_sizes
from narrative_core.figures.run_means import grouped_means
from narrative_core.figures.run_p_values import LEAST_P, p_value_bars
from narrative_core.figures.run_prediction import importance_bars, r2_bars
from narrative_core.figures.run_stability import stability_dots
from narrative_core.figures.theme import baseline_colour, trail_colour
from narrative_core.run_outcomes import RunResults
from tests.figures.result_samples import run_results, unknown_results

Drawn = Callable[[RunResults], go.Figure]

FIGURES: tuple[Drawn, ...] = (
    agreement_bars,
    spread_bars,
    effect_sizes,
    auc_bars,
    p_value_bars,
    r2_bars,
    importance_bars,
    stability_dots,
    grouped_means,
    disagreement_bands,
)
EVIL = '<img src=x onerror="alert(1)"> & <b>bold</b>'
SIX = run_results(6)


def keys(figure: go.Figure) -> set[tuple[object, ...]]:
    return {tuple(key) for trace in figure.data if trace.customdata is not None for key in trace.customdata}


def marks(figure: go.Figure, name: str = "") -> dict[tuple[object, ...], list[float]]:
    """Where each key has its marks."""
    found: dict[tuple[object, ...], list[float]] = {}
    for trace in figure.data:
        if trace.customdata is not None and name in ("", trace.name):
            for key, x in zip(trace.customdata, trace.x, strict=True):
                found.setdefault(tuple(key), []).append(x)
    return found


def hovers(figure: go.Figure) -> list[str]:
    return [text for trace in figure.data for text in trace.hovertext or ()]


def notes(figure: go.Figure) -> list[str]:
    return [note.text for note in figure.layout.annotations]


@pytest.mark.parametrize("drawn", FIGURES)
@pytest.mark.parametrize("n_seats", [1, 8])
def test_every_judge_that_has_the_numbers_has_marks_with_its_number(drawn: Drawn, n_seats: int) -> None:
    results = run_results(n_seats)
    only_several = drawn in (agreement_bars, spread_bars, disagreement_bands)
    expected = {i for i, one in enumerate(results.seats) if one.seat.n_agents > 1 or not only_several}
    assert {key[0] for key in keys(drawn(results))} - {-1} == expected


@pytest.mark.parametrize("drawn", FIGURES)
def test_a_run_without_judges_or_metrics_is_one_quiet_sentence(drawn: Drawn) -> None:
    figure = drawn(replace(SIX, seats=(), contrasts={}))
    assert not figure.data
    assert len(notes(figure)) == 1 and notes(figure)[0].endswith(".")


@pytest.mark.parametrize("drawn", FIGURES)
def test_what_is_undefined_has_no_mark_and_is_no_error(drawn: Drawn) -> None:
    figure = drawn(unknown_results())
    assert not figure.data
    assert not any("nan" in text for text in notes(figure))


@pytest.mark.parametrize("drawn", FIGURES)
def test_all_marks_lie_within_their_axes(drawn: Drawn) -> None:
    figure = drawn(SIX)
    for trace in figure.data:
        for axis, values in (("xaxis", trace.x), ("yaxis", trace.y)):
            low, high = sorted(figure.layout[axis + (trace[axis] or "x")[1:]].range)
            assert all(low <= value <= high for value in values)


@pytest.mark.parametrize("drawn", FIGURES)
def test_a_hostile_label_is_text_everywhere(drawn: Drawn) -> None:
    seats = tuple(replace(seat, label=EVIL) for seat in run_results(2).seats)
    figure = drawn(replace(SIX, seats=seats))
    assert not any("<img" in text or "<b>" in text for text in [*notes(figure), *hovers(figure)])
    assert any("&lt;img" in text for text in hovers(figure))


@pytest.mark.parametrize("drawn", FIGURES)
def test_both_modes_draw_the_same_marks(drawn: Callable[..., go.Figure]) -> None:
    assert keys(drawn(SIX, mode="dark")) == keys(drawn(SIX)) != set()
    assert drawn(SIX, mode="dark").layout.font.color != drawn(SIX).layout.font.color


def test_agreement_has_four_coefficients_and_two_shares_a_judge() -> None:
    figure = agreement_bars(SIX, study={f"{SIX.seats[0].label}, kendall_w": 0.912})
    found = marks(figure, "dots")
    assert [found[0, name] for name in ("icc_single", "icc_average", "krippendorff_alpha", "kendall_w")] == [
        [0.961],
        [0.987],
        [0.958],
        [0.94],
    ]
    assert (found[0, "exact"], found[0, "within_one"]) == ([0.74], [0.99])
    assert "74 %" in notes(figure)
    (diamonds,) = [trace for trace in figure.data if trace.name == "reference study"]
    kendall = next(
        y
        for trace in figure.data
        for key, y in zip(trace.customdata or (), trace.y, strict=False)
        if tuple(key) == (0, "kendall_w")
    )
    assert (list(diamonds.x), list(diamonds.y)) == ([0.912], [kendall])
    assert "3 agents, n = 196 to 200" in notes(figure)


def test_each_measure_of_agreement_says_how_many_stories_it_rests_on() -> None:
    said = hovers(agreement_bars(run_results(1)))
    assert [text.partition("n = ")[2][:3] for text in said] == ["196", "196", "200", "196", "200", "200"]


def test_agreement_below_zero_is_still_on_the_axis() -> None:
    seat = replace(SIX.seats[0], agreement=replace(SIX.seats[0].agreement, krippendorff_alpha=-0.3))
    assert agreement_bars(replace(SIX, seats=(seat,))).layout.xaxis.range[0] < -0.3


def test_spread_and_variation_stand_on_axes_of_their_own() -> None:
    figure = spread_bars(SIX)
    axes = {tuple(key)[1]: trace.xaxis for trace in figure.data for key in trace.customdata}
    assert axes == {"spread": "x", "variation": "x2"}
    assert "0.32 (0.28–0.36), n = 200" in notes(figure)


def test_effect_sizes_have_intervals_in_words_and_lines_at_small_medium_and_large() -> None:
    figure = effect_sizes(SIX, study={"weakest link": 1.353, SIX.seats[0].label: 0.568})
    assert marks(figure)[-1, "minimum"] == [1.59]
    assert marks(figure)[1, "score"] == [0.89]
    assert any("1.59 (1.31–1.87), n = 200" in text for text in hovers(figure))
    names = {note.text: note.x for note in figure.layout.annotations}
    assert [names[word] for word in ("small", "medium", "large")] == [0.2, 0.5, 0.8]
    assert {x for trace in figure.data if trace.name == "reference study" for x in trace.x} == {1.353, 0.568}


def test_auc_has_a_line_at_chance() -> None:
    assert {note.text: note.x for note in auc_bars(SIX).layout.annotations}["chance"] == 0.5


def test_means_are_in_the_colours_of_their_method_and_units_are_kept_apart() -> None:
    figure = grouped_means(SIX, study={"weakest link, trail": 0.648})
    colours = {made: trace.error_x.color for trace in figure.data for _, made in trace.customdata or ()}
    assert colours == {"trail": trail_colour("light"), "baseline": baseline_colour("light")}
    axes = {number: trace.xaxis for trace in figure.data for number, _ in trace.customdata or ()}
    assert axes == {-1: "x", 0: "x2", 2: "x2", 3: "x2", 4: "x2", 5: "x2", 1: "x3"}
    assert any(list(trace.x) == [0.648] for trace in figure.data if trace.name == "reference study")


def test_the_whiskers_of_means_are_one_standard_deviation_and_say_so() -> None:
    figure = grouped_means(run_results(1))
    trails = next(trace for trace in figure.data if [0, "trail"] in [list(key) for key in trace.customdata])
    assert list(trails.error_x.array) == pytest.approx([1.4])
    assert "one standard deviation" in notes(figure)[-1]


def test_a_bar_is_as_long_as_the_logarithm_of_p() -> None:
    found = marks(p_value_bars(SIX))
    assert found[0, "score"] == pytest.approx([1.0, 0.8])
    assert found[3, "score"] == pytest.approx([9.4, 7.52])


def test_p_of_zero_ends_at_the_least_and_says_so() -> None:
    figure = p_value_bars(SIX)
    assert marks(figure)[-1, "average"] == [-math.log10(LEAST_P)] * 2
    assert "&lt; 10⁻¹⁶" in notes(figure)
    assert "stand for smaller p" in notes(figure)[-1]
    unclipped = replace(SIX, contrasts={}, seats=SIX.seats[:2])
    assert "stand for smaller p" not in notes(p_value_bars(unclipped))[-1]


def test_p_values_have_lines_at_both_levels() -> None:
    names = {note.text: note.x for note in p_value_bars(SIX).layout.annotations}
    assert (names["α = 0.05"], names["α = 0.01"]) == pytest.approx((1.30103, 2))


@pytest.mark.parametrize("p", [1.0, 0.5, 1e-3, 1e-7, 1e-15])
def test_the_axis_of_p_holds_its_levels_and_its_longest_bar(p: float) -> None:
    contrast = replace(SIX.seats[0].contrast, welch_p=p, mann_whitney_p=p)
    figure = p_value_bars(replace(SIX, contrasts={}, seats=(replace(SIX.seats[0], contrast=contrast),)))
    low, high = figure.layout.xaxis.range
    assert low == 0 and high > max(-math.log10(p), 2)
    assert len(figure.layout.xaxis.tickvals) == len(figure.layout.xaxis.ticktext) <= 6


def test_r2_below_zero_is_shown_as_it_is_beside_every_fold() -> None:
    figure = r2_bars(run_results(1), study={f"{SIX.seats[0].label}, ridge": 0.186})
    assert marks(figure)[0, "polynomial"] == [-0.08]
    also = next(trace for trace in figure.data if trace.name == "also")
    assert len(also.x) == 20
    assert figure.layout.xaxis.range[0] < min(also.x)
    assert "−0.08 ± 0.06" in notes(figure)
    assert "n = 198, 2 skipped" in notes(figure)


def test_importances_are_bars_by_metric() -> None:
    found = marks(importance_bars(SIX), "bars")
    assert (found[5, "minimum"], found[5, "length"]) == ([0.31], [0.19])


def test_stability_has_train_and_test_with_their_folds_on_a_panel_a_metric() -> None:
    results = run_results(1)
    figure = stability_dots(results)
    stability = results.seats[0].stability["average"]
    expected = [sum(folds) / 5 for folds in (stability.train_r, stability.test_r)]
    assert marks(figure)[0, "average"] == pytest.approx(expected)
    folds = [trace for trace in figure.data if trace.name == "also"]
    assert [len(trace.x) for trace in folds] == [10, 10]
    assert [trace.xaxis for trace in folds] == ["x", "x2"]


def test_a_fold_without_a_correlation_counts_neither_as_mark_nor_in_the_mean() -> None:
    seat = run_results(1).seats[0]
    stability = replace(seat.stability["average"], train_r=(0.2, math.nan, 0.4), test_r=(math.nan,))
    results = replace(SIX, seats=(replace(seat, stability={"average": stability}),))
    assert marks(stability_dots(results))[0, "average"] == pytest.approx([0.3])


def test_bands_have_their_bar_where_they_lie_and_their_number_over_it() -> None:
    figure = disagreement_bands(run_results(1))
    (bars,) = figure.data
    assert list(bars.x) == pytest.approx([3.7, 5.5, 7.3, 9.1])
    assert list(bars.customdata[0]) == pytest.approx([0, 2.8, 4.6])
    assert list(bars.error_y.array) == pytest.approx([0.06] * 4)
    numbers = {note.text: (note.x, note.y) for note in figure.layout.annotations}
    assert numbers["36"] == pytest.approx((7.3, 0.66))


def test_bands_of_all_judges_have_one_height_of_axis_and_one_title() -> None:
    layout = disagreement_bands(SIX).layout
    assert layout.yaxis.range == layout.yaxis2.range == layout.yaxis4.range
    assert (layout.xaxis.title.text, layout.xaxis4.title.text) == ("", "mean score of the story, 1 to 10")


def test_an_empty_band_says_zero_and_has_no_bar() -> None:
    seat = run_results(1).seats[0]
    bands = unknown_results(1).seats[0].disagreement.bands[:1] + seat.disagreement.bands[1:]
    seat = replace(seat, disagreement=replace(seat.disagreement, bands=bands))
    figure = disagreement_bands(replace(SIX, seats=(seat,)))
    assert len(figure.data[0].x) == 3
    assert "0" in notes(figure)
