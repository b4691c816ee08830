"""The protocol against a real server of it: llama.cpp's, which holds a model to the schema."""

import json
import math
from collections.abc import Iterator, Sequence

import pytest

from narrative_core.judgements import HIGHEST_SCORE, LOWEST_SCORE, Capabilities, Judgement, Mode
from narrative_core.judging.asking import Ask, ask_all
from narrative_core.judging.endpoint import Endpoint
from narrative_core.judging.local_model import CONTEXT_TOKENS, LocalModel, local_model_state
from narrative_core.judging.modes import MODES
from narrative_core.judging.schemas import score_keys
from tests.judging.asking_samples import asks_of, put_to

STATE = local_model_state()
pytestmark = pytest.mark.skipif(not STATE.is_ready, reason=STATE.what)


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    local = LocalModel()
    yield Endpoint(local.model, f"{local.address}/v1")
    local.close()


def ask_each(endpoint: Endpoint, asks: Sequence[Ask]) -> list[Judgement]:
    """Ask a small model, and check what holds whatever it says."""
    judgements: list[Judgement] = []
    found = ask_all(
        endpoint,
        put_to(endpoint, asks),
        capabilities=Capabilities(endpoint.host, endpoint.model),
        on_judgement=judgements.append,
        heartbeat=lambda: None,
    ).capabilities
    assert (found.takes_temperature, found.takes_seed, found.form) == (True, True, "schema")
    for judgement in judgements:
        assert judgement.dropped == ()
        assert (judgement.input_tokens or 0) > 100
        assert (judgement.output_tokens or 0) > 0
        if judgement.status == "ok":
            scores = [judgement.score, *(criterion.score for criterion in judgement.criteria)]
            assert all(LOWEST_SCORE <= score <= HIGHEST_SCORE for score in scores)
            assert len(judgement.criteria) == len(MODES[judgement.question.mode or "simple"].criteria)
        else:
            assert math.isnan(judgement.score)
    return sorted(judgements, key=lambda judgement: judgement.place)


@pytest.mark.parametrize("mode", ["simple", "standard", "complex"])
def test_a_small_model_held_to_the_schema_gives_scores_in_range(endpoint: Endpoint, mode: Mode) -> None:
    (judgement,) = ask_each(endpoint, asks_of(1, mode, is_explained=False, n_documents=2))
    assert judgement.status == "ok"
    assert set(json.loads(judgement.reply)) == set(score_keys(mode))


def test_a_small_model_gives_its_steps_before_its_score(endpoint: Endpoint) -> None:
    # So small a model rambles in two of four cases until it is cut off; these two come to an end.
    judgements = ask_each(endpoint, asks_of(4, "cot", is_explained=False, n_documents=2)[1:3])
    read = [judgement for judgement in judgements if judgement.status == "ok"]
    assert read
    assert list(json.loads(read[0].reply)) == ["connections", "overall_flow", "jarring_transitions", "score"]


def test_seed_and_temperature_reach_the_model_and_an_explanation_names_a_transition(endpoint: Endpoint) -> None:
    asks = asks_of(3, n_documents=2)
    judgements = ask_each(endpoint, asks)
    assert [judgement.status for judgement in judgements] == ["ok"] * 3
    assert {judgement.weakest_step for judgement in judgements} <= {None, 0}
    assert len({judgement.reply for judgement in judgements}) > 1
    assert ask_each(endpoint, asks[1:2])[0].reply == judgements[1].reply


def test_a_story_beyond_the_context_is_told_by_the_server_and_remembered(endpoint: Endpoint) -> None:
    judgements = ask_and_learn(endpoint, asks_of(2, n_documents=1200))
    assert [judgement.status for judgement in judgements] == ["failed", "failed"]
    assert all("too long" in judgement.message for judgement in judgements)
    assert judgements[1].seconds < judgements[0].seconds


def ask_and_learn(endpoint: Endpoint, asks: Sequence[Ask]) -> list[Judgement]:
    judgements: list[Judgement] = []
    found = ask_all(
        endpoint,
        put_to(endpoint, asks),
        capabilities=Capabilities(endpoint.host, endpoint.model),
        on_judgement=judgements.append,
        heartbeat=lambda: None,
    ).capabilities
    assert found.context_tokens == CONTEXT_TOKENS
    assert found.form is None
    return judgements
