from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.figures.run_boxes import MOST_POINTS, box_numbers, coherence_boxes, score_boxes
from narrative_core.runs import RunTable
from tests.run_samples import FLOW, LEXICAL, NAN, SIMPLE, sample_table, seat_scores, story, table_of


def eight_judges() -> RunTable:
    table = sample_table(10, n_seats=6)
    return replace(table, seats=(*table.seats, *(replace(seat, label=seat.label + " b") for seat in table.seats[1:3])))


def points_of(figure: go.Figure) -> list[go.Scatter]:
    return [trace for trace in figure.data if isinstance(trace, go.Scatter) and len(trace.customdata[0]) == 2]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50))
def test_whiskers_end_at_values_within_reach_and_numbers_are_in_order(values: list[float]) -> None:
    numbers = box_numbers(np.array(values))
    assert numbers.low in values and numbers.high in values
    assert numbers.low <= numbers.median <= numbers.high
    assert numbers.first <= numbers.median <= numbers.third
    assert numbers.high <= numbers.third + 1.5 * (numbers.third - numbers.first)


def test_a_box_shows_quartiles_and_the_median_carries_them() -> None:
    stories = [story(i, "trail", (value,)) for i, value in enumerate((0.1, 0.2, 0.3, 0.4, 0.5))]
    figure = coherence_boxes(table_of(stories, []))
    (box,) = [trace for trace in figure.data if isinstance(trace, go.Box)]
    (median,) = [trace for trace in figure.data if isinstance(trace, go.Scatter) and len(trace.customdata[0]) == 3]
    assert (box.q1[0], box.median[0], box.q3[0]) == (pytest.approx(0.2), pytest.approx(0.3), pytest.approx(0.4))
    assert median.customdata[0] == [pytest.approx(0.2), pytest.approx(0.4), "trail"]
    assert median.hovertext[0] == (
        "weakest link, trail, n = 5:<br>the median is 0.30;<br>half of the stories lie from 0.20 to 0.40."
    )


def test_every_story_is_a_point_of_each_measure() -> None:
    figure = coherence_boxes(sample_table(20))
    assert [len(trace.x) for trace in points_of(figure)] == [20] * 4
    assert points_of(figure)[0].customdata[3] == [3, "trail"]
    assert [name.text for name in figure.layout.annotations] == ["weakest link", "mean link"]


def test_of_many_stories_only_those_beyond_the_whiskers_are_points() -> None:
    n = MOST_POINTS + 1
    stories = [story(i, "trail", (0.5 + 0.001 * (i % 5),)) for i in range(n)] + [story(n, "trail", (0.05,))]
    points = points_of(coherence_boxes(table_of(stories, [])))
    assert [list(trace.x) for trace in points] == [[0.05], [0.05]]


def test_points_and_nats_never_share_an_axis() -> None:
    table = table_of([story(0, "trail")], [seat_scores(FLOW, [0.2]), seat_scores(LEXICAL, [6.0])])
    figure = score_boxes(table)
    assert (figure.layout.xaxis.title.text, figure.layout.xaxis2.title.text) == (
        "score, 1 to 10",
        "gain, nats per token",
    )
    assert {(trace.xaxis, trace.median[0]) for trace in figure.data if isinstance(trace, go.Box)} == {
        ("x", 6.0),
        ("x2", 0.2),
    }
    assert figure.layout.yaxis.domain[0] > figure.layout.yaxis2.domain[1]


def test_only_nats_give_one_panel() -> None:
    figure = score_boxes(table_of([story(0, "trail")], [seat_scores(FLOW, [0.2])]))
    assert figure.layout.xaxis.title.text == "gain, nats per token"
    assert "xaxis2" not in figure.to_dict()["layout"]


def test_a_judge_without_a_score_keeps_its_name_and_missing_scores_are_counted() -> None:
    seats = [seat_scores(LEXICAL, [6.0, NAN], label="a"), seat_scores(SIMPLE, [[NAN] * 3] * 2, label="b")]
    figure = score_boxes(table_of([story(0, "trail"), story(0, "baseline")], seats))
    assert [name.text for name in figure.layout.annotations] == ["a", "b: no score"]
    assert figure.layout.title.text == "n = 2 stories; no score in 3 of 4"


def test_eight_judges_stand_one_below_the_other_with_one_legend() -> None:
    figure = score_boxes(eight_judges())
    assert len(figure.layout.annotations) == 8
    assert [trace.name for trace in figure.data if trace.showlegend is not False] == ["trail", "random chronology"]
    assert figure.layout.height > 8 * 100


def test_nothing_to_show_is_a_sentence() -> None:
    assert len(coherence_boxes(table_of([], [])).data) == 0
    none = score_boxes(table_of([story(0, "trail")], [seat_scores(LEXICAL, [NAN])]))
    assert none.layout.annotations[0].text == "No judge has scored a story of this run."
    assert len(score_boxes(table_of([story(0, "trail")], [])).data) == 0
