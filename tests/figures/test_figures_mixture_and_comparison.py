import math
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from narrative_core.errors import InvalidInput
from narrative_core.figures.comparison_figure import difference_figure, paired_scatter
from narrative_core.figures.mixture_figure import mixture_figure, mixture_means
from narrative_core.runs import Made
from tests.figures.result_samples import UNKNOWN, comparison, mixture_results, paired_difference
from tests.run_samples import sample_table, table_of

NAN = float("nan")
TABLE = sample_table(12, design="mixtures")
RESULTS = mixture_results(TABLE)
KINDS = ("trail", "alternating", "mixed")
MADE: list[Made] = ["trail", "baseline", "trail", "baseline"]
LABELS = ("first, points", "second, points")


def notes(figure: go.Figure) -> list[str]:
    return [note.text for note in figure.layout.annotations]


def test_each_judge_has_a_plot_and_each_story_a_point_at_its_coherence_and_score() -> None:
    figure = mixture_figure(RESULTS, TABLE)
    assert [(trace.name, trace.xaxis) for trace in figure.data] == [(kind, x) for x in ("x", "x2") for kind in KINDS]
    row = TABLE.rows("mixed")[3]
    mixed = figure.data[2]
    place = [tuple(key) for key in mixed.customdata].index((TABLE.stories[row].pair, "mixed"))
    assert mixed.x[place] == pytest.approx(np.mean(TABLE.stories[row].strengths))
    assert mixed.y[place] == pytest.approx(TABLE.seats[0].means[row])


def test_the_correlation_stands_beside_the_judge_and_the_legend_names_each_kind_once() -> None:
    figure = mixture_figure(RESULTS, TABLE)
    assert notes(figure).count("r = 0.73 (0.63–0.83), n = 200") == 2
    assert [trace.name for trace in figure.data if trace.showlegend] == list(KINDS)
    assert not [
        text for text in notes(mixture_figure(replace(RESULTS, associations={}), TABLE)) if text.startswith("r =")
    ]


def test_points_and_nats_have_their_own_upright_axes() -> None:
    layout = mixture_figure(RESULTS, TABLE).layout
    assert "1 to 10" in layout.yaxis.title.text and "nats" in layout.yaxis2.title.text
    assert layout.yaxis.domain[0] > layout.yaxis2.domain[1]


def test_means_of_mixtures_have_a_lane_a_kind_and_a_panel_a_unit() -> None:
    figure = mixture_means(RESULTS)
    keys = {tuple(key): trace.xaxis for trace in figure.data for key in trace.customdata}
    assert keys == {(number, kind): x for number, x in ((-1, "x"), (0, "x2"), (1, "x3")) for kind in KINDS}
    assert "Weakest link" in notes(figure) and "n = 12 + 12 + 12" in notes(figure)


def test_without_stories_or_measures_there_is_one_quiet_sentence() -> None:
    empty = table_of([], [], design="mixtures")
    for figure in (mixture_figure(RESULTS, empty), mixture_means(replace(RESULTS, measures=()))):
        assert len(notes(figure)) == 1 and not figure.data


def test_a_difference_stands_beside_zero_with_its_interval_and_how_its_stories_were_made() -> None:
    figure = difference_figure(comparison())
    found = {tuple(key): x for trace in figure.data for key, x in zip(trace.customdata, trace.x, strict=True)}
    assert found == {(-1, "trail"): 0.42, (-1, "baseline"): -0.1, (-1, "all"): 0.16}
    assert {note.text: note.x for note in figure.layout.annotations}["no difference"] == 0
    assert {"Trail, n = 100", "0.42 (0.22–0.62)"} <= set(notes(figure))
    low, high = figure.layout.xaxis.range
    assert low == -high  # no words run through the line of 0, which is in the middle
    assert "4 stories left out" in notes(figure)[-1] and "GPT-4.1 simple less GPT-4.1 standard" in notes(figure)[-1]


def test_an_undefined_difference_has_words_and_no_mark() -> None:
    differences = {"all": replace(paired_difference(0.1), difference=UNKNOWN)}
    figure = difference_figure(replace(comparison(), differences=differences))
    assert not figure.data
    assert {"All together, n = 0", "undefined"} <= set(notes(figure))


def test_what_is_standardised_is_said_once() -> None:
    found = replace(comparison(), first="weakest link, standardised", second="GPT, standardised")
    foot = notes(difference_figure(found, unit="standard deviations"))[-1]
    assert foot.startswith("weakest link less GPT, both standardised<br>")


def test_no_common_story_is_one_quiet_sentence() -> None:
    nothing = np.array([NAN, 1.0]), np.array([1.0, NAN])
    for figure in (
        difference_figure(replace(comparison(), differences={})),
        paired_scatter(*nothing, MADE[:2], [0, 0], LABELS),
        paired_scatter(np.array([]), np.array([]), [], [], LABELS),
    ):
        assert len(notes(figure)) == 1 and not figure.data


def test_a_story_is_a_point_with_its_pair_and_a_nan_is_counted() -> None:
    figure = paired_scatter(np.array([1.0, 2.0, 3.0, NAN]), np.array([2.0, 4.0, 6.0, 8.0]), MADE, [0, 0, 1, 1], LABELS)
    trails, baselines = figure.data
    assert (list(trails.x), list(trails.y)) == ([1, 3], [2, 6])
    assert [list(key) for key in trails.customdata] == [[0, "trail"], [1, "trail"]]
    assert [list(key) for key in baselines.customdata] == [[0, "baseline"]]
    assert "n = 3 stories; 1 without both values" in notes(figure)[-1]
    assert figure.layout.xaxis.title.text == "first, points"


def test_one_unit_has_alike_axes_and_the_diagonal_and_two_units_have_neither() -> None:
    values = np.array([1.0, 2.0]), np.array([4.0, 6.0])
    one = paired_scatter(*values, MADE[:2], [0, 0], LABELS)
    two = paired_scatter(*values, MADE[:2], [0, 0], LABELS, is_one_unit=False)
    assert one.layout.xaxis.range == one.layout.yaxis.range
    assert [(shape.x0, shape.x1) for shape in one.layout.shapes] == [
        (shape.y0, shape.y1) for shape in one.layout.shapes
    ]
    assert len(one.layout.shapes) == 1
    assert two.layout.xaxis.range != two.layout.yaxis.range and not two.layout.shapes


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(InvalidInput, match="each story needs"):
        paired_scatter(np.array([1.0]), np.array([1.0, 2.0]), MADE[:2], [0, 0], LABELS)


def test_hostile_names_are_text() -> None:
    evil = "<img src=x onerror=alert(1)>"
    figures = (
        paired_scatter(np.array([1.0]), np.array([1.0]), MADE[:1], [0], (evil, evil)),
        difference_figure(replace(comparison(), first=evil)),
    )
    for figure in figures:
        hovers = [text for trace in figure.data for text in trace.hovertext]
        titles = [figure.layout.xaxis.title.text, figure.layout.yaxis.title.text or ""]
        assert not any("<img" in text for text in [*notes(figure), *hovers, *titles])
    assert math.isfinite(figures[0].layout.height)
