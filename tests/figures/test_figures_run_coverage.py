import numpy as np
import pytest
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput
from narrative_core.figures.run_coverage import MOST_DOCUMENTS, coverage_map
from tests.run_samples import sample_table, story, table_of


def places(n: int) -> NDArray[np.float64]:
    return np.random.default_rng(0).normal(size=(n, 2))


def ends_of(n_pairs: int, n_documents: int = 40) -> NDArray[np.int64]:
    return np.random.default_rng(1).integers(0, n_documents, size=(n_pairs, 2))


def test_each_pair_is_joined_from_its_source_to_its_target_and_can_be_clicked() -> None:
    positions, ends = places(40), ends_of(13)
    figure = coverage_map(sample_table(13), positions, ends)
    sources = [trace for trace in figure.data if trace.name.endswith(", source")]
    targets = [trace for trace in figure.data if trace.name.endswith(", target")]
    found = {}
    for source, target in zip(sources, targets, strict=True):
        assert (source.marker.symbol, target.marker.symbol) == ("circle", "triangle-right")
        for i, (pair, made) in enumerate(source.customdata):
            assert made == "trail" and target.customdata[i] == [pair, made]
            found[pair] = [[source.x[i], source.y[i]], [target.x[i], target.y[i]]]
    assert found == {pair: positions[ends[pair]].tolist() for pair in range(13)}
    line = next(trace for trace in figure.data if trace.mode == "lines")
    assert list(line.x)[:3] == [positions[ends[0, 0], 0], positions[ends[0, 1], 0], None]


def test_each_stratum_has_its_own_map_with_its_name_and_all_have_the_same_window() -> None:
    figure = coverage_map(sample_table(13), places(40), ends_of(13))
    assert [label.text.split("<b>")[1].split("</b>")[0] for label in figure.layout.annotations][:2] == [
        "within a topic, short",
        "within a topic, long",
    ]
    assert len(figure.layout.annotations) == 6
    assert figure.layout.xaxis.range == figure.layout.xaxis6.range
    assert figure.layout.yaxis6.scaleanchor == "x6"
    assert all(0 <= bound <= 1 for axis in ("yaxis", "yaxis6") for bound in figure.layout[axis].domain)


def test_a_run_without_strata_is_one_map() -> None:
    figure = coverage_map(table_of([story(0, "trail")], []), places(5), np.array([[0, 1]]))
    assert (len(figure.layout.annotations), len(figure.data)) == (1, 4)
    assert figure.layout.title.text == "n = 1 pair among 5 documents<br>● source, ▸ target"


def test_of_many_documents_some_are_drawn_and_it_says_so() -> None:
    n = 2 * MOST_DOCUMENTS + 1
    figure = coverage_map(table_of([story(0, "trail")], []), places(n), np.array([[0, 1]]))
    assert len(figure.data[0].x) <= MOST_DOCUMENTS
    assert "among 1,601 documents<br>1 in 3 documents drawn; ●" in figure.layout.title.text


def test_documents_in_one_place_still_have_a_window() -> None:
    low, high = coverage_map(table_of([story(0, "trail")], []), np.zeros((2, 2)), np.array([[0, 1]])).layout.xaxis.range
    assert low < high


def test_a_run_without_stories_says_so_and_missing_ends_are_refused() -> None:
    assert (
        coverage_map(table_of([], []), places(5), ends_of(0)).layout.annotations[0].text.startswith("This run has no")
    )
    with pytest.raises(InvalidInput, match="endpoints of every pair"):
        coverage_map(sample_table(3), places(40), ends_of(2))
