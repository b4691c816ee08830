from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.figures.run_histogram_rows import bin_counts, histogram_rows, round_edges
from tests.run_samples import NAN


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=100))
def test_every_value_lies_in_one_bin_as_its_edges_say(values: list[float]) -> None:
    edges = round_edges(np.array(values))
    counts = bin_counts(np.array(values), edges)
    assert counts.tolist() == [sum(low <= value < high for value in values) for low, high in pairwise(edges)]
    assert counts.sum() == len(values)
    assert 8 <= len(counts) <= 32


@pytest.mark.parametrize("value", [0.29, 0.3, 0.1 + 0.2, 1.0, 0.0, -0.57])
def test_values_on_an_edge_are_not_lost(value: float) -> None:
    values = np.array([value, value])
    assert bin_counts(values, round_edges(values)).sum() == 2


def test_bars_carry_their_edges_and_an_empty_bin_has_none() -> None:
    rows = {"trail": np.array([0.41, 0.412, 0.633, NAN]), "baseline": np.array([0.415])}
    trail, baseline = histogram_rows(rows, title="t", said="a weakest link", n="n = 4").data
    assert list(trail.y) == [2, 1]
    assert [list(bar) for bar in trail.customdata] == [[0.41, 0.42, "trail"], [0.63, 0.64, "trail"]]
    assert [list(bar) for bar in baseline.customdata] == [[0.41, 0.42, "baseline"]]
    assert trail.hovertext[0] == "2 of 3 (trail)<br>have a weakest link from 0.41 to 0.42."
    assert trail.hovertext[1] == "1 of 3 (trail)<br>has a weakest link from 0.63 to 0.64."


def test_rows_have_the_same_height_and_the_mean_of_each_is_a_line_and_a_number() -> None:
    rows = {"trail": np.array([0.4, 0.8]), "baseline": np.array([0.1, -0.3])}
    layout = histogram_rows(rows, title="t", said="a", n="n").layout
    assert layout.yaxis.range == layout.yaxis2.range
    assert [(line.x0, line.line.dash) for line in layout.shapes] == [
        (pytest.approx(0.6), "solid"),
        (pytest.approx(-0.1), "dash"),
    ]
    assert "mean 0.60, n = 2" in layout.annotations[0].text
    assert "mean −0.10, n = 2" in layout.annotations[1].text


def test_a_row_without_a_value_keeps_its_name() -> None:
    rows = {"trail": np.array([0.4, 0.8]), "baseline": np.array([NAN])}
    layout = histogram_rows(rows, title="t", said="a", n="n").layout
    assert layout.annotations[1].text.endswith("n = 0")
    assert len(layout.shapes) == 1


def test_zero_is_marked_in_every_row_on_request() -> None:
    rows = {"trail": np.array([0.4]), "baseline": np.array([-0.4])}
    shapes = histogram_rows(rows, title="t", said="a", n="n", has_zero=True).layout.shapes
    assert [shape.yref for shape in shapes if shape.x0 == 0] == ["y domain", "y2 domain"]


def test_the_axis_below_the_last_row_has_the_words() -> None:
    layout = histogram_rows({"trail": np.array([0.4]), "baseline": np.array([0.5])}, title="t", said="a", n="n").layout
    assert (layout.xaxis.title.text, layout.xaxis.anchor, layout.yaxis.title.text) == ("t", "y2", "stories")
    assert layout.yaxis.domain[0] > layout.yaxis2.domain[1]
