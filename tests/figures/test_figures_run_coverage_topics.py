import math

import numpy as np
import pytest

from narrative_core.errors import InvalidInput
from narrative_core.figures.run_coverage_topics import MOST_TOPICS, OTHER_TOPICS, coverage_topics


def test_cells_count_pairs_from_row_to_column_and_know_their_topics() -> None:
    figure = coverage_topics(np.array([[0, 2, 0], [0, 0, 0], [1, 0, 0]]), ["satellite", "mars", "moon & sun"])
    (cells,) = figure.data
    assert [[0 if math.isnan(n) else n for n in row] for row in cells.z] == [[0, 2, 0], [0, 0, 0], [1, 0, 0]]
    assert list(cells.customdata[0][1]) == [0, 1]
    assert cells.hovertext[2][0] == "1 pair from<br>moon &amp; sun<br>to satellite."
    assert figure.layout.title.text == "n = 3 pairs"


def test_a_topic_without_an_endpoint_is_left_out_counted_and_moves_no_other() -> None:
    counts = np.zeros((3, 3), dtype=np.int64)
    counts[2, 0] = 4
    figure = coverage_topics(counts, ["a", "b", "c"])
    assert list(figure.data[0].customdata[1][0]) == [2, 0]
    assert list(figure.layout.yaxis.ticktext) == ["a  <b>1</b>", "c  <b>2</b>"]
    assert figure.layout.title.text == "n = 4 pairs; 1 topic without an endpoint not shown"


def test_long_names_are_clipped_and_a_missing_one_has_a_word() -> None:
    counts = np.ones((2, 2), dtype=np.int64)
    first, second = coverage_topics(counts, ["telescope, hubble, webb, mirror", ""]).layout.yaxis.ticktext
    assert first == "telescope, hubble, we…  <b>1</b>"
    assert second.startswith("unnamed")


def test_axes_are_words_and_the_first_topic_stands_on_top() -> None:
    layout = coverage_topics(np.ones((2, 2), dtype=np.int64), ["a", "b"]).layout
    assert (layout.xaxis.title.text, layout.yaxis.title.text) == ("topic of the target", "topic of the source")
    assert layout.yaxis.range[0] > layout.yaxis.range[1]


def test_many_topics_have_a_colour_bar_instead_of_numbers() -> None:
    (cells,) = coverage_topics(np.ones((13, 13), dtype=np.int64), [f"t{i}" for i in range(13)]).data
    assert (cells.showscale, cells.texttemplate, cells.colorbar.title.text) == (True, "", "pairs")


def test_of_too_many_topics_those_with_the_fewest_endpoints_stand_together_and_no_pair_is_lost() -> None:
    counts = np.diag(np.arange(1, 31))
    figure = coverage_topics(counts, [f"t{i}" for i in range(30)])
    z = np.nan_to_num(np.array(figure.data[0].z, dtype=float))
    assert z.shape == (MOST_TOPICS, MOST_TOPICS) and z.sum() == counts.sum()
    assert figure.layout.yaxis.ticktext[-1] == "11 other topics  <b>20</b>"
    assert list(figure.data[0].customdata[-1][0]) == [OTHER_TOPICS, 11]
    assert z[-1, -1] == sum(range(1, 12))
    assert figure.data[0].zmax == 30


def test_no_topics_or_no_pairs_are_a_sentence_and_a_wrong_shape_is_refused() -> None:
    for counts, labels in ((np.zeros((0, 0), dtype=np.int64), []), (np.zeros((2, 2), dtype=np.int64), ["a", "b"])):
        figure = coverage_topics(counts, labels)
        assert figure.layout.annotations[0].text == "No endpoint of this run has a topic."
    with pytest.raises(InvalidInput, match=r"must be 1 by 1.*got \(2, 2\)"):
        coverage_topics(np.zeros((2, 2), dtype=np.int64), ["a"])
