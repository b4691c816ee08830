import numpy as np
import pytest

from narrative_core.figures.run_errors import error_histogram, normalised_errors
from tests.run_samples import LEXICAL, NAN, sample_table, seat_scores, story, table_of

STORIES = [story(0, "trail", (0.8,)), story(0, "baseline", (0.2,)), story(1, "trail", (0.5,))]


def test_both_are_normalised_over_the_stories_that_have_both() -> None:
    errors = normalised_errors(np.array([2.0, 10.0, NAN, 6.0]), np.array([0.9, 0.1, 0.0, 0.1]))
    assert errors[[0, 1, 3]].tolist() == pytest.approx([-1.0, 1.0, 0.5])
    assert np.isnan(errors[2])


@pytest.mark.parametrize("scores", [[NAN, NAN], [5.0, 5.0], [5.0, NAN]])
def test_without_two_different_scores_nothing_is_normalised(scores: list[float]) -> None:
    assert np.isnan(normalised_errors(np.array(scores), np.array([0.1, 0.2]))).all()


def test_the_bars_hold_the_errors_the_axis_says_normalised_and_missing_scores_are_counted() -> None:
    table = table_of(STORIES, [seat_scores(LEXICAL, [9.0, 3.0, NAN], label="lexical")])
    figure = error_histogram(table, 0)
    assert [list(trace.y) for trace in figure.data] == [[1], [1]]
    assert all(low <= 0 < high for trace in figure.data for low, high, _ in trace.customdata)
    assert "each normalised to 0–1" in figure.layout.xaxis.title.text
    assert figure.layout.title.text == "n = 2 stories; 1 without a score<br>judge: lexical"
    assert sum(shape.line.dash == "dot" for shape in figure.layout.shapes) == 2


def test_a_judge_without_a_score_or_a_variance_gives_a_sentence() -> None:
    for scores in ([NAN] * 3, [5.0] * 3):
        figure = error_histogram(table_of(STORIES, [seat_scores(LEXICAL, scores, label="a & b")]), 0)
        assert len(figure.data) == 0
        assert figure.layout.annotations[0].text.startswith("a &amp; b gave no two different scores")


def test_every_scored_story_is_in_a_bar() -> None:
    table = sample_table(50, missing=0.1)
    known = int(np.isfinite(table.seats[1].means).sum())
    assert sum(sum(trace.y) for trace in error_histogram(table, 1, "average").data) == known < 100
