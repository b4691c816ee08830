import math

import pytest

from narrative_core.errors import InvalidInput
from narrative_core.figures.toy_matrix import coherence_heatmap

LABELS = ["Sputnik", "<b>Vostok</b>", "Apollo"]
ROWS = [[0.0, 0.8, 0.5], [0.8, 0.0, 0.6], [0.5, 0.6, 0.0]]


def test_links_at_the_floor_are_kept_and_weaker_ones_dropped() -> None:
    kept, dropped = coherence_heatmap(LABELS, ROWS, floor=0.6).data
    assert [list(row) for row in kept.text] == [["", "0.80", ""], ["0.80", "", "0.60"], ["", "0.60", ""]]
    assert [list(row) for row in dropped.text] == [["", "", "0.50"], ["", "", ""], ["0.50", "", ""]]


def test_the_diagonal_is_empty_whatever_it_holds() -> None:
    figure = coherence_heatmap(["a", "b"], [[1.0, 0.7], [0.7, 1.0]], floor=0.0)
    assert [[trace.text[i][i] for i in (0, 1)] for trace in figure.data] == [["", ""], ["", ""]]


def test_the_title_counts_the_links_that_are_kept() -> None:
    assert coherence_heatmap(LABELS, ROWS, floor=0.6).layout.title.text == "4 of 6 links are at least 0.60 strong"


def test_cells_carry_their_row_and_column() -> None:
    kept = coherence_heatmap(LABELS, ROWS, floor=0.6).data[0]
    assert list(kept.customdata[2][0]) == [2, 0]


def test_labels_are_text_and_not_markup() -> None:
    figure = coherence_heatmap(LABELS, ROWS, floor=0.6)
    assert figure.layout.yaxis.ticktext[1] == "\u2068&lt;b&gt;Vostok&lt;/b&gt;\u2069  2"
    assert "<b>" not in figure.data[0].hovertext[0][1]


@pytest.mark.parametrize("n", [0, 1])
def test_a_collection_of_hardly_a_document_has_no_links(n: int) -> None:
    figure = coherence_heatmap(["a"] * n, [[0.0]] * n, floor=0.5)
    assert figure.layout.title.text == "0 of 0 links are at least 0.50 strong"


def test_without_a_floor_every_known_link_counts() -> None:
    assert coherence_heatmap(LABELS, ROWS, floor=-math.inf).layout.title.text == "6 links"


@pytest.mark.parametrize("rows", [[[0.0, 1.0]], [[0.0], [1.0]], []])
def test_rows_that_form_no_square_are_refused(rows: list[list[float]]) -> None:
    with pytest.raises(InvalidInput):
        coherence_heatmap(["a", "b"], rows, floor=0.5)
