import math
from dataclasses import astuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core.errors import InvalidInput
from narrative_core.stats.summaries import as_values, check_lengths, summary

SAME = 1e-9
NAN = float("nan")

numbers = st.floats(-1e4, 1e4).map(lambda value: round(value, 3))


@settings(deadline=None)
@given(st.lists(numbers | st.just(NAN), max_size=30))
def test_a_summary_is_that_of_pandas(values: list[float]) -> None:
    found, series = summary(values), pd.Series(values, dtype=float)
    expected = series.count(), series.mean(), series.std(), series.min(), series.max(), series.isna().sum()
    assert astuple(found) == pytest.approx(expected, abs=SAME, rel=SAME, nan_ok=True)


def test_a_summary_of_nothing_is_nan_and_counts_what_it_skipped() -> None:
    for values, n_skipped in [(np.array([]), 0), (np.array([NAN, None]), 2)]:
        found = summary(values)
        assert (found.n, found.n_skipped) == (0, n_skipped)
        assert all(math.isnan(value) for value in (found.mean, found.sd, found.minimum, found.maximum))


def test_a_single_value_has_no_standard_deviation_and_equal_ones_have_exactly_none() -> None:
    assert math.isnan(summary([0.3]).sd)
    assert summary([0.1 + 0.2, 0.3, 0.3]).sd == 0.0
    assert summary([0.7] * 10).mean == 0.7


def test_a_large_offset_costs_no_digits() -> None:
    assert summary([1e9 + 1, 1e9 + 2, 1e9 + 6]).sd == pytest.approx(math.sqrt(7), rel=SAME)


def test_values_are_copied_and_equal_where_only_rounding_is_between_them() -> None:
    given_values = np.array([0.1 + 0.2, 0.3, 0.3 + 1e-9])
    found = as_values(given_values)
    assert found[0] == found[1] != found[2]
    assert given_values[0] == 0.1 + 0.2


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([[1.0, 2.0]], "speed must have one axis"),
        (3.0, "speed must have one axis"),
        ([1.0, math.inf], "speed must be finite, nan where unknown; got inf at 1"),
        (["high"], "speed must be a list of numbers"),
    ],
)
def test_what_is_not_a_list_of_finite_numbers_is_refused_by_name(values: object, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        as_values(values, "speed")  # type: ignore[arg-type]


def test_lists_of_different_lengths_are_refused_with_their_names() -> None:
    check_lengths(x=np.zeros(2), pairs=np.array(["a", "b"]))
    with pytest.raises(InvalidInput, match="x 2, pairs 1"):
        check_lengths(x=np.zeros(2), pairs=np.array(["a"]))
