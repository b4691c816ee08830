import datetime as dt

import pytest

from narrative_core.errors import InvalidInput
from narrative_core.figures.run_coverage_time import coverage_time
from tests.run_samples import sample_table, story, table_of

DAYS = [dt.date(1957, 10, 4) + dt.timedelta(days=400 * i) for i in range(6)]
TABLE = table_of([story(0, "trail"), story(1, "trail"), story(2, "trail")], [])


def test_spans_are_sorted_by_their_beginning_and_their_ends_can_be_clicked() -> None:
    spans, ends = coverage_time(TABLE, [(DAYS[3], DAYS[4]), (DAYS[0], DAYS[5]), (DAYS[2], DAYS[1])]).data
    assert list(spans.x) == [DAYS[0], DAYS[5], None, DAYS[2], DAYS[1], None, DAYS[3], DAYS[4], None]
    assert [list(point) for point in ends.customdata] == [[pair, "trail"] for pair in (1, 1, 2, 2, 0, 0)]
    assert list(ends.x) == [day for day in spans.x if day is not None]
    assert list(ends.marker.symbol)[:2] == ["circle", "triangle-right"]
    assert ends.hovertext[0] == "Pair 2, endpoint pairs:<br>from 1957-10-04 to 1963-03-27."


def test_a_pair_without_both_dates_is_counted_not_drawn() -> None:
    figure = coverage_time(TABLE, [(DAYS[0], None), (DAYS[0], DAYS[1]), (None, None)])
    assert len(figure.data[1].x) == 2
    assert figure.layout.title.text.startswith("n = 1 pair; 2 without both dates")


def test_each_stratum_is_a_block_below_its_name() -> None:
    figure = coverage_time(sample_table(13), [(DAYS[0], DAYS[1])] * 13)
    names = [label.y for label in figure.layout.annotations]
    blocks = [[height for height in trace.y if height is not None] for trace in figure.data if trace.mode == "lines"]
    assert len(names) == len(blocks) == 6
    for name, block, following in zip(names, blocks, [*names[1:], figure.layout.yaxis.range[0]], strict=True):
        assert name < min(block) and max(block) < following


def test_the_axis_is_in_words_and_many_pairs_do_not_make_it_endless() -> None:
    layout = coverage_time(sample_table(1000), [(DAYS[0], DAYS[1])] * 1000).layout
    assert layout.xaxis.title.text == "date of source and target"
    assert layout.height < 900


def test_without_dates_there_is_a_sentence_and_missing_pairs_are_refused() -> None:
    none = coverage_time(TABLE, [(None, None)] * 3)
    assert none.layout.annotations[0].text.startswith("No endpoint pair of this run has a date")
    assert len(coverage_time(table_of([], []), []).data) == 0
    with pytest.raises(InvalidInput, match="endpoints of every pair"):
        coverage_time(TABLE, [])
