import math
import warnings

import numpy as np
import pytest
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput
from narrative_core.estimates import Disagreement
from narrative_core.stats.disagreement import disagreement

NAN = float("nan")
RATINGS = [
    [2.0, 2.0, 2.0],  # mean 2, sd 0
    [3.0, 3.0, 3.0],  # mean 3, on an edge: the band above
    [4.0, 6.0, NAN],  # mean 5, sd √2
    [5.0, 6.0, 7.0],  # mean 6, sd 1
    [7.0, 8.0, 9.0],  # mean 8, sd 1
    [9.0, NAN, NAN],  # mean 9, no sd
    [10.0, 10.0, 10.0],  # mean 10, sd 0, on the last edge
    [NAN, NAN, NAN],  # no mean
]


def found_of(ratings: object, *, n_pairs: int = 0, is_scale_1_to_10: bool = True, seed: int = 0) -> Disagreement:
    n = len(np.array(ratings, dtype=float))
    pairs = np.arange(n) % n_pairs if n_pairs else np.arange(n)
    rng = np.random.default_rng(seed)
    return disagreement(ratings, pairs, rng=rng, n_resamples=200, is_scale_1_to_10=is_scale_1_to_10)  # type: ignore[arg-type]


def test_spread_is_the_mean_standard_deviation_of_stories_with_two_ratings() -> None:
    spread = found_of(RATINGS).spread
    assert spread.value == pytest.approx((0 + 0 + math.sqrt(2) + 1 + 1 + 0) / 6)
    assert (spread.n, spread.n_skipped) == (6, 2)
    many = found_of(RATINGS * 5).spread
    assert many.low < many.value < many.high


def test_variation_is_the_mean_of_standard_deviation_over_mean() -> None:
    assert found_of(RATINGS).variation == pytest.approx((math.sqrt(2) / 5 + 1 / 6 + 1 / 8) / 6)


def test_bands_take_what_lies_on_their_lower_edge_and_the_last_its_upper_edge_too() -> None:
    bands = found_of(RATINGS).bands
    assert [(band.low, band.high) for band in bands] == [(1, 3), (3, 5), (5, 7), (7, 9), (9, 10)]
    assert [band.spread.n for band in bands] == [1, 1, 2, 1, 1]
    assert [band.spread.n_skipped for band in bands] == [0, 0, 0, 0, 1]
    assert [band.spread.value for band in bands] == pytest.approx([0, 0, (math.sqrt(2) + 1) / 2, 1, 0])


def test_a_band_without_a_story_is_nan_with_none() -> None:
    band = found_of([[2.0, 2.5], [8.0, 8.5]]).bands[2]
    assert math.isnan(band.spread.value)
    assert (band.spread.n, band.spread.n_skipped) == (0, 0)


def test_one_agent_cannot_disagree_with_itself() -> None:
    found = found_of([[2.0], [6.0], [6.5]])
    assert math.isnan(found.spread.value)
    assert math.isnan(found.variation)
    assert (found.spread.n, found.spread.n_skipped) == (0, 3)
    assert [(band.spread.n, band.spread.n_skipped) for band in found.bands] == [(0, 1), (0, 0), (0, 2), (0, 0), (0, 0)]


@pytest.mark.parametrize("ratings", [[], [[NAN, NAN], [NAN, NAN]]])
def test_without_a_rating_all_is_nan(ratings: list[list[float]]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for is_scale in (True, False):
            found = found_of(ratings, is_scale_1_to_10=is_scale)
            assert math.isnan(found.spread.value)
            assert math.isnan(found.variation)
            assert (found.spread.n, found.spread.n_skipped) == (0, len(ratings))
            assert len(found.bands) == (5 if is_scale else 0)


def test_equal_ratings_have_no_spread_at_all() -> None:
    found = found_of(np.full((6, 3), 0.1 + 0.2) * 10)
    assert found.spread.value == 0
    assert found.variation == 0


def nats(n: int = 10) -> NDArray[np.float64]:
    middle = np.linspace(-1, 2, n)
    return np.column_stack([middle - 0.1, middle + 0.1])


def test_bands_of_a_judge_in_nats_are_fifths_of_its_stories() -> None:
    found = found_of(nats(), is_scale_1_to_10=False)
    assert [band.spread.n for band in found.bands] == [2] * 5
    assert (found.bands[0].low, found.bands[-1].high) == pytest.approx((-1, 2))
    assert found.bands[0].high == found.bands[1].low == pytest.approx(-0.4)  # a fifth of the way, as the means are even
    assert [band.spread.value for band in found.bands] == pytest.approx([math.sqrt(0.02)] * 5)


def test_variation_of_a_judge_in_nats_is_not_defined() -> None:
    found = found_of(nats(), is_scale_1_to_10=False)
    assert math.isnan(found.variation)
    assert found.spread.value == pytest.approx(math.sqrt(0.02))


def test_ties_make_fewer_bands_and_every_story_is_in_one() -> None:
    ratings = np.repeat([[0.0], [1.0], [1.0], [1.0], [5.0]], 2, axis=1)
    found = found_of(ratings, is_scale_1_to_10=False)
    assert sum(band.spread.n for band in found.bands) == 5
    assert len(found.bands) < 5
    [only] = found_of(np.full((4, 2), 0.5), is_scale_1_to_10=False).bands
    assert (only.low, only.high, only.spread.n) == (0.5, 0.5, 4)


def test_the_interval_draws_pairs_and_not_stories() -> None:
    ratings = np.array([[5.0, 5.0 + gap] for gap in np.linspace(0, 3.9, 10)])
    as_pairs = disagreement(np.repeat(ratings, 8, axis=0), np.repeat(np.arange(10), 8), rng=np.random.default_rng(1))
    as_single = disagreement(np.repeat(ratings, 8, axis=0), np.arange(80), rng=np.random.default_rng(1))
    for first, second in ((as_pairs.spread, as_single.spread), (as_pairs.bands[2].spread, as_single.bands[2].spread)):
        assert first.value == second.value
        assert first.high - first.low > 2 * (second.high - second.low)  # eight times as many: √8 = 2.8


def test_the_same_generator_gives_the_same_intervals() -> None:
    assert (
        found_of(nats(20), seed=3, is_scale_1_to_10=False).spread
        == found_of(nats(20), seed=3, is_scale_1_to_10=False).spread
    )


@pytest.mark.parametrize("score", [0.9, 10.1])
def test_points_outside_the_scale_are_refused(score: float) -> None:
    with pytest.raises(InvalidInput, match=f"points must lie in 1 to 10; got .*{score}.*is_scale_1_to_10=False"):
        found_of([[5.0, 5.0], [score, 5.0]])


def test_pairs_of_another_length_are_refused() -> None:
    with pytest.raises(InvalidInput, match="pairs 3"):
        disagreement([[5.0, 5.0]], [1, 2, 3], rng=np.random.default_rng(0))
