import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.figures.run_points import (
    METRIC_TITLES,
    coherence_range,
    drawn_rows,
    metric_axis,
    score_axis,
    story_points,
)
from narrative_core.runs import METRIC_WORDS, Metric
from tests.run_samples import FLOW, NAN, SIMPLE, sample_table, story, table_of

TABLE = table_of([story(0, "trail"), story(0, "baseline"), story(1, "trail"), story(2, "trail")], [])


def test_a_story_without_a_value_is_no_point_and_the_others_keep_theirs() -> None:
    x, y = np.array([1.0, 2.0, 3.0, NAN]), np.array([5.0, 6.0, NAN, 8.0])
    points = story_points(TABLE, "trail", x, y, "light")
    assert (list(points.x), list(points.y), points.customdata[0]) == ([1.0], [5.0], [0, "trail"])
    assert points.hovertext[0].startswith("Pair 1, trail")
    assert drawn_rows(TABLE, "baseline", x, y) == [1]


def test_the_random_chronology_is_hollow_and_the_legend_names_the_trail_first() -> None:
    values = np.arange(4.0)
    trail, baseline = (story_points(TABLE, made, values, values, "light") for made in ("trail", "baseline"))
    assert (trail.marker.symbol, baseline.marker.symbol) == ("circle", "circle-open")
    assert (trail.name, baseline.name) == ("trail", "random chronology")
    assert trail.legendrank < baseline.legendrank


def test_plotly_s_options_win() -> None:
    assert story_points(TABLE, "trail", np.arange(4.0), np.arange(4.0), "light", showlegend=False).showlegend is False


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_an_axis_of_coherence_holds_every_value_within_0_and_1(values: list[float]) -> None:
    low, high = coherence_range(np.array(values))
    assert 0 <= low <= min(values) + 1e-8 and max(values) - 1e-8 <= high <= 1
    assert high - low > 0.29


@pytest.mark.parametrize("metric", METRIC_WORDS)
def test_every_metric_has_an_axis_in_words_that_holds_its_values(metric: Metric) -> None:
    values = sample_table(30).metric(metric)
    axis = metric_axis(metric, values, "light")
    low, high = axis["range"]
    assert axis["title"]["text"] == METRIC_TITLES[metric]
    assert low <= np.nanmin(values) and np.nanmax(values) <= high


def test_points_stand_on_the_whole_scale_and_nats_on_what_there_is() -> None:
    points = score_axis(SIMPLE, np.array([6.0, 7.0]), "light")
    nats = score_axis(FLOW, np.array([-0.2, 0.6]), "light")
    assert points["range"][0] < 1 and points["range"][1] > 10 and points["title"]["text"] == "score, 1 to 10"
    assert nats["range"] == pytest.approx([-0.248, 0.648]) and nats["title"]["text"] == "gain, nats per token"


@pytest.mark.parametrize("values", [[], [NAN], [0.0], [0.0, 0.0]])
def test_axes_without_variance_or_values_still_have_a_range(values: list[float]) -> None:
    given = np.array(values)
    for axis in (metric_axis("variance", given, "light"), metric_axis("span", given, "light")):
        assert axis["range"][0] < axis["range"][1]
    low, high = score_axis(FLOW, given, "light")["range"]
    assert low < high
