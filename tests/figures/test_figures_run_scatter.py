import numpy as np
import pytest

from narrative_core.estimates import Estimate
from narrative_core.figures.run_scatter import MOST_BARS, score_scatter
from tests.run_samples import FLOW, LEXICAL, NAN, SIMPLE, sample_table, seat_scores, story, table_of

STORIES = [story(0, "trail", (0.8,)), story(0, "baseline", (0.2,)), story(1, "trail", (0.5,))]
SCORES = [[7.0, 9.0], [2.0, 4.0], [NAN, NAN]]
R = Estimate(0.48, 0.39, 0.57, n=2)


def test_each_point_is_a_story_with_the_spread_of_its_agents() -> None:
    baseline, trail = score_scatter(table_of(STORIES, [seat_scores(SIMPLE, SCORES)]), 0).data
    assert (list(trail.x), list(trail.y), [list(point) for point in trail.customdata]) == ([0.8], [8.0], [[0, "trail"]])
    assert (list(baseline.x), list(baseline.y)) == ([0.2], [3.0])
    assert list(trail.error_y.array) == pytest.approx([np.sqrt(2)])


def test_points_stay_with_their_stories_where_scores_are_missing() -> None:
    table = sample_table(60, missing=0.3)
    x, y = table.metric("average"), table.seats[1].means
    for trace in score_scatter(table, 1, "average").data:
        for at, score, (pair, made) in zip(trace.x, trace.y, trace.customdata, strict=True):
            (row,) = [i for i, one in enumerate(table.stories) if (one.pair, one.made) == (pair, made)]
            assert (at, score) == (x[row], y[row])


def test_one_agent_has_no_bars_nor_have_too_many_stories() -> None:
    single = score_scatter(table_of(STORIES, [seat_scores(LEXICAL, [7.0, 2.0, 3.0])]), 0)
    many = score_scatter(sample_table(MOST_BARS), 0)
    for figure in (single, many):
        assert all(trace.error_y.array is None for trace in figure.data)
        assert "bars" not in figure.layout.title.text
    assert (
        "bars ± 1 sd of 2 agents"
        in score_scatter(table_of(STORIES, [seat_scores(SIMPLE, SCORES)]), 0).layout.title.text
    )


def test_missing_scores_are_counted_and_axes_have_units() -> None:
    layout = score_scatter(table_of(STORIES, [seat_scores(SIMPLE, SCORES, label="gpt")]), 0).layout
    assert layout.title.text.startswith("n = 2 stories; 1 without a score<br>judge: gpt")
    assert (layout.xaxis.title.text, layout.yaxis.title.text) == ("weakest link, coherence", "score, 1 to 10")
    nats = score_scatter(table_of(STORIES, [seat_scores(FLOW, [0.1, 0.2, 0.3])]), 0).layout
    assert nats.yaxis.title.text == "gain, nats per token"


def test_the_line_is_that_of_least_squares_and_is_labelled() -> None:
    figure = score_scatter(table_of(STORIES, [seat_scores(LEXICAL, [8.0, 2.0, 6.5])]), 0, r=R)
    line = figure.data[-1]
    slope, intercept = np.polyfit([0.8, 0.2, 0.5], [8.0, 2.0, 6.5], 1)
    assert (line.mode, list(line.x)) == ("lines", [0.2, 0.8])
    assert list(line.y) == pytest.approx([intercept + slope * 0.2, intercept + slope * 0.8])
    assert figure.layout.annotations[0].text == "— r = 0.48 (0.39–0.57)"


def test_a_falling_line_has_its_label_above() -> None:
    table = table_of(STORIES, [seat_scores(LEXICAL, [2.0, 8.0, 6.5])])
    assert score_scatter(table, 0, r=Estimate(-0.9)).layout.annotations[0].y == 1
    assert score_scatter(table, 0, r=R).layout.annotations[0].y == 0


def test_without_r_or_without_variance_there_is_no_line() -> None:
    same = table_of([story(0, "trail"), story(1, "trail")], [seat_scores(LEXICAL, [2.0, 3.0])])
    assert len(score_scatter(same, 0, r=R).data) == 1
    assert len(score_scatter(table_of(STORIES, [seat_scores(LEXICAL, [2.0, 3.0, 4.0])]), 0).data) == 2


@pytest.mark.parametrize(
    ("r", "words"),
    [(Estimate(-0.484, -0.6, -0.31), "— r = −0.48 (−0.60 to −0.31)"), (Estimate(NAN), "— r = undefined")],
)
def test_the_label_has_two_decimals_and_the_interval_or_says_undefined(r: Estimate, words: str) -> None:
    table = table_of(STORIES, [seat_scores(LEXICAL, [8.0, 2.0, 6.5])])
    assert score_scatter(table, 0, r=r).layout.annotations[0].text == words


def test_a_judge_without_a_score_gives_a_sentence_and_one_story_a_point() -> None:
    none = score_scatter(table_of(STORIES, [seat_scores(LEXICAL, [NAN] * 3, label="lex")]), 0)
    assert none.layout.annotations[0].text == "lex has not scored a story of this run."
    one = score_scatter(table_of(STORIES[:1], [seat_scores(LEXICAL, [5.0])]), 0, r=Estimate(NAN))
    assert len(one.data) == 1 and list(one.data[0].y) == [5.0]
