import numpy as np
import pytest

from narrative_core.figures.run_complexity import MOST_POINTS, complexity_density
from tests.run_samples import FLOW, LEXICAL, NAN, sample_table, seat_scores, story, table_of

STORIES = [story(0, "trail", (0.8, 0.6)), story(0, "baseline", (0.4,)), story(1, "trail", (0.6, 0.2))]


def test_few_stories_are_points_and_what_is_missing_is_counted() -> None:
    table = table_of(STORIES, [seat_scores(LEXICAL, [7.0, 4.0, NAN], label="lex")])
    figure = complexity_density(table, 0)
    baseline, trail = figure.data
    assert (list(trail.x), list(trail.y), list(trail.customdata)) == ([pytest.approx(0.02)], [7.0], [[0, "trail"]])
    assert len(baseline.x) == 0
    assert figure.layout.title.text == "n = 1 story; 1 without a score; 1 with one link<br>judge: lex"
    assert (figure.layout.xaxis.title.text, figure.layout.yaxis.title.text) == (
        "variance of the links",
        "score, 1 to 10",
    )


@pytest.mark.parametrize("seat_number", [0, 1])
@pytest.mark.parametrize("metric", ["variance", "efficiency", "weak share"])
def test_many_stories_are_cells_that_count_each_once(seat_number: int, metric: str) -> None:
    table = sample_table(400, missing=0.05)
    x, y = table.metric(metric), table.seats[seat_number].means
    known = np.isfinite(x) & np.isfinite(y)
    (cells,) = complexity_density(table, seat_number, metric).data
    counts, bounds = np.array(cells.z, dtype=float), np.array(cells.customdata)
    assert known.sum() > MOST_POINTS and np.nansum(counts) == known.sum()
    i, j = np.unravel_index(np.nanargmax(counts), counts.shape)
    x_low, x_high, y_low, y_high = bounds[i, j]
    assert counts[i, j] == ((x[known] >= x_low) & (x[known] < x_high) & (y[known] >= y_low) & (y[known] < y_high)).sum()


def test_the_steps_of_colour_have_sharp_edges_and_the_bar_a_name() -> None:
    (cells,) = complexity_density(sample_table(400), 0).data
    places = [place for place, _ in cells.colorscale]
    assert places == [0, 0.2, 0.2, 0.4, 0.4, 0.6, 0.6, 0.8, 0.8, 1]
    assert cells.colorbar.title.text == "stories in a cell"
    assert cells.hoverongaps is False


def test_many_equal_stories_are_one_cell() -> None:
    n = MOST_POINTS + 1
    table = table_of([story(i, "trail", (0.5, 0.5)) for i in range(n)], [seat_scores(FLOW, [0.2] * n)])
    (cells,) = complexity_density(table, 0).data
    assert np.array(cells.z).tolist() == [[n]]


def test_nothing_to_show_is_a_sentence() -> None:
    no_score = complexity_density(table_of(STORIES, [seat_scores(LEXICAL, [NAN] * 3, label="lex")]), 0, "variance")
    assert no_score.layout.annotations[0].text.replace("<br>", " ") == (
        "No story has both a score of lex and its variance of the links."
    )
    assert len(complexity_density(table_of(STORIES, [seat_scores(LEXICAL, [1.0] * 3)]), 0, "efficiency").data) == 0
