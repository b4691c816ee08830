"""What a round of judging is called, and when something is missing: pure parts of the judge panel."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.judgements import Forecast, Seat
from narrative_core.panel import N_RANDOM
from narrative_core.ui.judge_form import flow_remark
from narrative_core.ui.judging_work import seat_key

SEAT = Seat("openai", "gpt-4.1", "api.openai.com", "simple", 3)


@given(st.text(max_size=40), st.text(max_size=40))
def test_the_key_of_a_seat_is_a_plain_word_whatever_its_model_is_called(model: str, endpoint: str) -> None:
    assert re.fullmatch(r"[0-9a-f]{12}", seat_key(replace(SEAT, model=model, endpoint=endpoint)))


@pytest.mark.parametrize(
    "changes",
    [
        {"model": "gpt-4.1-mini"},
        {"endpoint": "localhost:8080"},
        {"mode": "cot"},
        {"n_agents": 5},
        {"shown": "leads"},
        {"is_explained": False},
    ],
)
def test_seats_that_differ_in_anything_have_keys_of_their_own(changes: dict[str, object]) -> None:
    assert seat_key(replace(SEAT, **changes)) != seat_key(SEAT)
    assert seat_key(replace(SEAT)) == seat_key(SEAT)


def test_the_random_chronologies_of_reading_flow_are_foretold_as_long_as_they_are_not_read() -> None:
    flow = Seat("flow", "a small model")
    assert f"{N_RANDOM} random chronologies" in flow_remark(Forecast(flow, 2 + N_RANDOM, 0, 0, 0, 1.0, 0.0), N_RANDOM)
    assert "9 random chronologies" in flow_remark(Forecast(flow, 11, 0, 0, 0, 1.0, 0.0), 9)
    assert flow_remark(Forecast(flow, 2, N_RANDOM, 0, 0, 1.0, 0.0), N_RANDOM) == ""
    assert flow_remark(Forecast(SEAT, 18, 0, 0, 0, 1.0), 0) == ""
