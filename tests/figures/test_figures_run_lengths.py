import numpy as np
import pytest

from narrative_core.figures.run_lengths import jitter, length_bars, length_scatter
from tests.run_samples import sample_table, story, table_of

TABLE = table_of(
    [story(0, "trail", (0.5, 0.6)), story(0, "baseline", (0.3,)), story(1, "trail", (0.7, 0.4)), story(2, "trail")], []
)


def test_points_stand_beside_their_length_by_less_than_half_a_document() -> None:
    table = sample_table(100)
    lengths = {(one.pair, one.made): len(one.document_ids) for one in table.stories}
    for trace in length_scatter(table).data:
        for x, (pair, made) in zip(trace.x, trace.customdata, strict=True):
            assert round(x) == lengths[pair, made]


def test_the_same_run_is_always_drawn_in_the_same_way() -> None:
    assert jitter(50).tolist() == jitter(50).tolist()
    assert np.abs(jitter(1000)).max() < 0.3 and np.ptp(jitter(1000)) > 0.55


def test_bars_count_the_stories_of_each_length_and_carry_it() -> None:
    trail, baseline = length_bars(TABLE).data
    assert (list(trail.x), list(trail.y)) == ([2, 3], [1, 2])
    assert [list(bar) for bar in trail.customdata] == [[2, 3, "trail"], [3, 4, "trail"]]
    assert [list(bar) for bar in baseline.customdata] == [[2, 3, "baseline"]]
    assert list(trail.hovertext) == ["1 of 3 (trail)<br>has 2 documents.", "2 of 3 (trail)<br>have 3 documents."]


def test_axes_are_words_and_n_is_said() -> None:
    scatter, bars = length_scatter(TABLE).layout, length_bars(TABLE).layout
    assert (scatter.xaxis.title.text, scatter.yaxis.title.text) == ("documents in the story", "weakest link, coherence")
    assert (bars.xaxis.title.text, bars.yaxis.title.text) == ("documents in the story", "stories")
    assert scatter.title.text == bars.title.text == "n = 4 stories"


@pytest.mark.parametrize("longest", [2, 12, 60])
def test_there_are_never_more_than_ten_ticks_or_so(longest: int) -> None:
    table = table_of([story(0, "trail"), story(1, "trail", (0.5,) * (longest - 1))], [])
    axis = length_bars(table).layout.xaxis
    assert (axis.range[1] - axis.range[0]) / axis.dtick <= 12
    assert axis.range[0] < 2 and axis.range[1] > longest


def test_a_run_without_stories_says_so() -> None:
    for figure in (length_scatter(table_of([], [])), length_bars(table_of([], []))):
        assert figure.layout.annotations[0].text == "This run has no story yet."
