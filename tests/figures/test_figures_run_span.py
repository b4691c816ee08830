from dataclasses import replace

import numpy as np
import pytest

from narrative_core.figures.run_span import score_colours, span_scatter, span_ticks
from tests.run_samples import FLOW, LEXICAL, NAN, sample_table, seat_scores, story, table_of

STORIES = [
    replace(story(0, "trail", (0.8,)), span_days=0.0),
    replace(story(0, "baseline", (0.4,)), span_days=400.0),
    replace(story(1, "trail", (0.6,)), span_days=30.0),
    story(2, "trail", (0.5,)),
]


def test_points_stand_at_their_days_a_story_of_one_day_too_and_missing_dates_are_counted() -> None:
    figure = span_scatter(table_of(STORIES, []))
    baseline, trail = figure.data
    assert [round(float(np.expm1(x))) for x in trail.x] == [0, 30]
    assert [list(point) for point in trail.customdata] == [[0, "trail"], [1, "trail"]]
    assert list(baseline.y) == [0.4]
    assert figure.layout.title.text == "n = 3 stories; 1 without dates"


def test_points_are_coloured_by_the_score_of_their_story() -> None:
    figure = span_scatter(table_of(STORIES, [seat_scores(LEXICAL, [7.0, 3.0, NAN, 9.0], label="lex")]), 0)
    scored = [trace for trace in figure.data if trace.marker.coloraxis == "coloraxis"]
    assert [(trace.customdata[0], list(trace.marker.color)) for trace in scored] == [
        ([0, "baseline"], [3.0]),
        ([0, "trail"], [7.0]),
    ]
    assert [trace.marker.symbol for trace in scored] == ["circle-open", "circle"]
    assert figure.layout.coloraxis.colorbar.title.text == "score, 1 to 10"
    assert figure.layout.title.text == "n = 3 stories; 1 without dates; 1 grey, without a score<br>judge: lex"


def test_a_story_without_a_score_is_small_and_can_still_be_clicked() -> None:
    figure = span_scatter(table_of(STORIES, [seat_scores(LEXICAL, [7.0, 3.0, NAN, 9.0])]), 0)
    small = [trace for trace in figure.data if trace.marker.size == 4 and len(trace.x)]
    assert [list(trace.customdata) for trace in small] == [[[1, "trail"]]]


def test_the_legend_has_each_way_of_making_stories_once() -> None:
    table = sample_table(20, missing=0.3)
    for figure in (span_scatter(table), span_scatter(table, 0)):
        names = [trace.name for trace in figure.data if trace.showlegend is not False]
        assert sorted(names) == ["random chronology", "trail"]


def test_every_dated_story_is_one_point() -> None:
    table = sample_table(50, missing=0.3)
    figure = span_scatter(table, 1)
    n_points = sum(len(trace.customdata) for trace in figure.data if trace.customdata is not None)
    assert n_points == int(np.isfinite(table.metric("span")).sum())


@pytest.mark.parametrize("days", [[0.0], [5.0], [12.0, 13.0], [0.0, 40000.0], [100000.0]])
def test_the_ticks_lie_in_the_range_which_holds_every_span(days: list[float]) -> None:
    ticks = span_ticks(np.array(days))
    low, high = ticks["range"]
    assert low < np.log1p(min(days)) and np.log1p(max(days)) < high
    assert any(low <= place <= high for place in ticks["tickvals"])
    assert len(ticks["tickvals"]) == len(ticks["ticktext"])


def test_points_have_the_colours_of_the_whole_scale_and_nats_of_what_there_is() -> None:
    points = score_colours(seat_scores(LEXICAL, [4.0, 6.0]), "light")
    nats = score_colours(seat_scores(FLOW, [-0.1, 0.6, NAN]), "dark")
    assert (points["cmin"], points["cmax"]) == (1.0, 10.0)
    assert (nats["cmin"], nats["cmax"]) == (-0.1, 0.6)


def test_without_dates_there_is_a_sentence_and_without_scores_only_small_points() -> None:
    assert len(span_scatter(table_of([story(0, "trail")], [])).data) == 0
    none = span_scatter(table_of(STORIES, [seat_scores(FLOW, [NAN] * 4)]), 0)
    assert none.layout.title.text.startswith("n = 3 stories; 1 without dates; 3 grey, without a score")
