import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy import stats

from narrative_core.stats.distributions import normal_below, normal_quantile, t_quantile, t_two_sided
from narrative_core.stats.ranks import mean_ranks, ordering, weight_below

numbers = st.integers(-4, 4).map(lambda half: half / 2)


@settings(deadline=None)
@given(arrays(np.float64, st.integers(0, 40), elements=numbers))
def test_mean_ranks_are_scipys(values: NDArray[np.float64]) -> None:
    assert mean_ranks(values).tolist() == stats.rankdata(values).tolist()


@settings(deadline=None)
@given(arrays(np.float64, st.integers(1, 40), elements=numbers), st.data())
def test_the_weight_below_a_story_is_that_of_the_repeated_stories(
    values: NDArray[np.float64], data: st.DataObject
) -> None:
    times = data.draw(arrays(np.int64, len(values), elements=st.integers(0, 3)))
    ordered = ordering(values)
    below = weight_below(ordered.group_weights(times[:, None].astype(np.float64)))[ordered.group, 0]
    everyone = np.repeat(values, times)
    expected = [np.sum(everyone < value) + np.sum(everyone == value) / 2 for value in values]
    assert below.tolist() == expected


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 99, 100, 101])
def test_every_column_is_summed_on_its_own_whatever_the_number_of_rows(n: int) -> None:
    rows = np.random.default_rng(n).integers(0, 5, size=(n, 3)).astype(np.float64)
    assert weight_below(rows).tolist() == (np.cumsum(rows, axis=0) - rows / 2).tolist()


@pytest.mark.parametrize("df", [1, 7.3, 200])
@pytest.mark.parametrize("t", [-2.5, 0.0, 0.1, 40.0, np.inf])
def test_the_chance_of_a_t_is_scipys(t: float, df: float) -> None:
    assert t_two_sided(t, df) == pytest.approx(2 * stats.t.sf(abs(t), df), rel=1e-9)


def test_there_is_no_chance_without_a_t_or_degrees_of_freedom() -> None:
    assert np.isnan([t_two_sided(float("nan"), 3), t_two_sided(1.0, 0), t_two_sided(1.0, float("nan"))]).all()


@pytest.mark.parametrize("share", [0.001, 0.3, 0.975])
def test_quantiles_are_scipys(share: float) -> None:
    assert normal_quantile(share) == pytest.approx(stats.norm.ppf(share), rel=1e-9)
    assert t_quantile(share, 11) == pytest.approx(stats.t.ppf(share, 11), rel=1e-9)
    assert normal_below(normal_quantile(share)) == pytest.approx(share, rel=1e-9)
