import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from narrative_core.figures.run_heat_map import correlation_heat_map, pearson, standardised, story_heat_map
from tests.run_samples import LEXICAL, sample_table, seat_scores, story, table_of

NAN = float("nan")
STORIES = [
    story(0, "trail", [0.9, 0.8]),
    story(1, "trail", [0.4, 0.7]),
    story(0, "baseline", [0.5]),
    story(1, "baseline", [0.2]),
]


def notes(figure: go.Figure) -> list[str]:
    return [note.text for note in figure.layout.annotations]


def test_correlations_are_those_of_the_stories_that_have_both_values() -> None:
    table = table_of(STORIES, [seat_scores(LEXICAL, [9, 4, NAN, 5])])
    figure = correlation_heat_map(table)
    minimum, scores = np.array([0.8, 0.4, 0.2]), np.array([9, 4, 5])
    assert figure.data[0].z[3][0] == pytest.approx(np.corrcoef(minimum, scores)[0, 1])
    assert figure.data[0].hovertext[3][0].endswith("r 0.87, n = 3.")
    assert list(figure.data[0].customdata[3][0]) == [LEXICAL_LABEL, "weakest link"]


LEXICAL_LABEL = table_of(STORIES, [seat_scores(LEXICAL, [1, 2, 3, 4])]).seats[0].label


@pytest.mark.parametrize("n_seats", [1, 6])
def test_only_the_lower_half_has_cells_and_each_has_its_number(n_seats: int) -> None:
    figure = correlation_heat_map(sample_table(20, n_seats=n_seats))
    cells = np.isfinite(np.array(figure.data[0].z, dtype=float))
    assert (cells == np.tri(n_seats + 3, k=-1, dtype=bool)).all()
    written = [note for note in figure.layout.annotations if note.xref is None and note.x != note.y]
    assert len(written) == cells.sum()


def test_the_scale_runs_from_minus_one_to_one_with_the_page_in_the_middle() -> None:
    trace = correlation_heat_map(sample_table(10)).data[0]
    assert (trace.zmin, trace.zmax) == (-1, 1)
    assert trace.colorscale[2] == (0.5, "#ffffff")


def test_a_judge_without_variance_has_dashes_for_its_correlations() -> None:
    figure = correlation_heat_map(table_of(STORIES, [seat_scores(LEXICAL, [5, 5, 5, 5])]))
    assert notes(figure).count("–") == 3


def test_a_run_without_stories_or_judges_is_one_quiet_sentence() -> None:
    for figure in (
        correlation_heat_map(table_of([], [])),
        story_heat_map(table_of([], [])),
        story_heat_map(table_of(STORIES, [])),
    ):
        assert len(notes(figure)) == 1 and not figure.data


def test_each_way_of_making_stories_has_a_block_sorted_by_weakest_link() -> None:
    figure = story_heat_map(table_of(STORIES, [seat_scores(LEXICAL, [9, 4, NAN, 2])]))
    assert [trace.name for trace in figure.data] == ["trail", "baseline"]
    keys = [[tuple(key) for key in trace.customdata[1]] for trace in figure.data]
    assert keys == [[(1, "trail"), (0, "trail")], [(1, "baseline"), (0, "baseline")]]
    assert (np.diff(figure.data[0].z[0]) > 0).all()
    assert "weakest link 0.40" in notes(figure) and "to 0.80" in notes(figure)


def test_a_cell_is_the_distance_from_the_judges_mean_over_all_stories_and_a_gap_without_score() -> None:
    figure = story_heat_map(table_of(STORIES, [seat_scores(LEXICAL, [9, 4, NAN, 2])]))
    scores = np.array([9.0, 4.0, 2.0])
    z = (scores - scores.mean()) / scores.std(ddof=1)
    assert list(figure.data[0].z[1]) == pytest.approx([z[1], z[0]])
    assert figure.data[1].z[1][0] == pytest.approx(z[2]) and math.isnan(figure.data[1].z[1][1])


def test_blocks_do_not_overlap_however_many_there_are() -> None:
    figure = story_heat_map(sample_table(12, design="sanity", n_seats=1))
    domains = [figure.layout[f"yaxis{i or ''}"].domain for i in (None, 2, 3, 4, 5, 6)]
    assert len(figure.data) == 6
    assert all(above[0] > below[1] for above, below in pairwise(domains))


def test_a_hover_names_pair_judge_score_and_distance() -> None:
    figure = story_heat_map(table_of(STORIES, [seat_scores(LEXICAL, [9, 4, NAN, 2])]))
    assert figure.data[0].hovertext[1][1] == (
        f"Pair 1, trail<br>{LEXICAL_LABEL}: 9.0,<br>1.1 standard deviations above its mean."
    )
    assert "no score" in figure.data[1].hovertext[1][1]
    assert "undefined" not in figure.data[1].hovertext[1][1]


def test_a_hostile_label_is_text() -> None:
    seat = replace(seat_scores(LEXICAL, [9, 4, 3, 2]), label="<img src=x>")
    for figure in (correlation_heat_map(table_of(STORIES, [seat])), story_heat_map(table_of(STORIES, [seat]))):
        said = [*notes(figure), *(text for trace in figure.data for row in trace.hovertext for text in row)]
        assert not any("<img" in text for text in said)


@given(arrays(float, 7, elements=st.floats(1, 10) | st.just(NAN)), arrays(float, 7, elements=st.floats(1, 10)))
def test_pearson_is_numpys_over_the_known_pairs_and_within_one(first: np.ndarray, second: np.ndarray) -> None:
    r, n = pearson(first, second)
    known = np.isfinite(first)
    assert n == known.sum()
    assert math.isnan(r) or abs(r) <= 1 + 1e-9
    assert math.isnan(r) or r == pytest.approx(pearson(second, first)[0])


def test_standardised_values_have_mean_zero_and_deviation_one() -> None:
    values = standardised(np.array([1.0, NAN, 4.0, 2.5]))
    assert np.nanmean(values) == pytest.approx(0) and np.nanstd(values, ddof=1) == pytest.approx(1)
    assert np.isnan(standardised(np.array([3.0, 3.0, NAN]))).all()
