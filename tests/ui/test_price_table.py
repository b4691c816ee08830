"""Which prices a person can set."""

import math

import pytest

from narrative_core.errors import InvalidInput
from narrative_core.judging.prices import cost_usd
from narrative_core.ui.price_table import INPUT, MODEL, MOST_USD, OUTPUT, SOURCE, price_changes


def test_a_price_beyond_measure_is_refused_since_costs_are_added_up() -> None:
    for beyond in (1.7e308, MOST_USD * 1.001):
        with pytest.raises(InvalidInput, match=r"0 or more US dollars .*, and at most 1,000,000"):
            price_changes([{MODEL: "m", INPUT: beyond, OUTPUT: 1.0, SOURCE: ""}], (), ())


def test_the_highest_price_gives_costs_that_can_be_added_up() -> None:
    changes = price_changes([{MODEL: "m", INPUT: MOST_USD, OUTPUT: MOST_USD, SOURCE: ""}], (), ())
    (price,) = changes.kept
    cost = cost_usd(price, 2**31, 2**31)
    assert math.isfinite(math.fsum([cost] * 1_000_000))
