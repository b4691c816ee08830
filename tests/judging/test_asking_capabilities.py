"""What a model turns out to accept, and that it is found out once."""

import math

import pytest

from narrative_core.judgements import Capabilities
from narrative_core.judging.capabilities import REASONING_TOKENS, rejected_part, stated_context
from narrative_core.judging.desk import Desk, Purse
from narrative_core.judging.endpoint import Endpoint
from narrative_core.judging.prompts import reply_schema
from tests.judging.asking_samples import KEY, MODEL, PRICE, asks_of, endpoint_of, good, in_turn, run, where
from tests.judging.judging_samples import good_reply
from tests.judging.scripted_server import Asked as Request
from tests.judging.scripted_server import Step, called, completion, error, scripted

TEMPERATURE_REFUSED = error(
    400,
    "Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value is supported.",
    param="temperature",
    code="unsupported_value",
)
SEED_REFUSED = error(422, "Extra inputs are not permitted: seed")
SCHEMA_REFUSED = error(400, "Invalid parameter: 'response_format' of type 'json_schema' is not supported.")
TOOLS_REFUSED = error(404, "No endpoints found that support tool use.")


# What a model accepts


def test_a_model_that_rejects_temperature_is_asked_without_and_that_is_recorded() -> None:
    with scripted(where(lambda body: "temperature" in body, TEMPERATURE_REFUSED)) as server:
        came = run(server, asks_of(20))
    assert came.statuses == ["ok"] * 20
    assert {judgement.dropped for judgement in came.judgements} == {("temperature",)}
    assert [("temperature" in body) for body in server.bodies] == [True] + [False] * 20
    assert all("seed" in body for body in server.bodies)
    assert came.asked is not None
    assert (came.asked.capabilities.takes_temperature, came.asked.capabilities.takes_seed) == (False, True)


def test_a_model_that_rejects_seed_is_asked_without() -> None:
    with scripted(where(lambda body: "seed" in body, SEED_REFUSED)) as server:
        came = run(server)
    assert (came.only.status, came.only.dropped) == ("ok", ("seed",))
    assert ["seed" in body for body in server.bodies] == [True, False]
    assert ["temperature" in body for body in server.bodies] == [True, True]


def test_a_model_that_rejects_the_schema_is_asked_to_call_a_function() -> None:
    def script(asked: Request) -> Step:
        return SCHEMA_REFUSED if "response_format" in asked.body else called(good_reply("simple", score=9))

    with scripted(script) as server:
        came = run(server, asks_of(3))
    assert [(judgement.status, judgement.score, judgement.form) for judgement in came.judgements] == [
        ("ok", 9.0, "function")
    ] * 3
    assert len(server.asked) == 4
    body = server.bodies[1]
    schema = reply_schema("simple", n_documents=5, is_explained=True)
    assert "response_format" not in body
    assert body["tools"][0]["function"]["parameters"] == schema
    assert body["tool_choice"] == {"type": "function", "function": {"name": "give_judgement"}}
    assert body["messages"] == server.bodies[0]["messages"]


def test_a_model_that_rejects_tools_too_is_asked_in_plain_text() -> None:
    def script(asked: Request) -> Step:
        if "response_format" in asked.body:
            return SCHEMA_REFUSED
        return TOOLS_REFUSED if "tools" in asked.body else good()

    with scripted(script) as server:
        came = run(server, asks_of(2))
    assert [(judgement.status, judgement.form) for judgement in came.judgements] == [("ok", "text")] * 2
    assert len(server.asked) == 4
    assert not {"response_format", "tools", "tool_choice"} & set(server.bodies[-1])
    assert came.asked is not None
    assert came.asked.capabilities.form == "text"


def test_an_objection_to_nothing_in_particular_leads_to_the_next_form_once() -> None:
    with scripted(
        where(lambda body: "response_format" in body, error(400, "Bad request"), called(good_reply("simple")))
    ) as server:
        came = run(server, asks_of(2))
    assert [judgement.form for judgement in came.judgements] == ["function"] * 2
    assert len(server.asked) == 3


def test_once_a_form_is_known_an_objection_to_nothing_in_particular_is_a_failure() -> None:
    with scripted(in_turn(good(), error(400, "Bad request"), good())) as server:
        came = run(server, asks_of(3))
    assert sorted(came.statuses) == ["failed", "ok", "ok"]
    assert all("response_format" in body for body in server.bodies)
    assert len(server.asked) == 3


def test_an_objection_that_never_ends_teaches_nothing() -> None:
    with scripted(lambda _: error(400, "Bad request")) as server:
        came = run(server)
    assert (came.only.status, len(server.asked)) == ("failed", 3)
    assert 'does not accept the request (status 400): "Bad request"' in came.only.message
    assert came.asked is not None
    assert came.asked.capabilities == Capabilities(endpoint_of(server).host, MODEL)


def test_the_other_name_of_the_limit_is_tried_and_nothing_counts_as_dropped() -> None:
    refused = error(
        400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", param="max_tokens"
    )
    with scripted(where(lambda body: "max_tokens" in body, refused)) as server:
        came = run(server, asks_of(2))
    assert [(judgement.status, judgement.dropped) for judgement in came.judgements] == [("ok", ())] * 2
    assert [body.get("max_completion_tokens") for body in server.bodies] == [None, 540, 540]


def test_a_model_that_takes_no_limit_at_all_is_asked_without_one() -> None:
    def script(asked: Request) -> Step:
        limit = next((name for name in asked.body if name.startswith("max_")), None)
        return error(400, f"Unknown field {limit}") if limit else good()

    with scripted(script) as server:
        assert run(server).only.dropped == ("max_tokens",)
    with scripted(script) as server:
        came = run(server, asks_of(5), price=PRICE, budget_usd=1.0)
    assert came.statuses == ["failed"]
    assert came.asked is not None
    assert (came.asked.n_unasked, "takes no limit" in came.asked.reason) == (4, True)


def test_openai_gets_the_newer_name_of_the_limit_first() -> None:
    desk = Desk(None, Endpoint("gpt-4.1", "https://api.openai.com/v1", KEY), Purse(), Capabilities("h", "m"))  # type: ignore[arg-type]
    assert desk.manner.limits[0] == "max_completion_tokens"


def test_all_that_is_rejected_is_found_out_by_the_first_question_alone() -> None:
    def script(asked: Request) -> Step:
        body = asked.body
        if "temperature" in body:
            return TEMPERATURE_REFUSED
        if "seed" in body:
            return SEED_REFUSED
        return SCHEMA_REFUSED if "response_format" in body else called(good_reply("simple"))

    with scripted(script) as server:
        came = run(server, asks_of(30))
    assert came.statuses == ["ok"] * 30
    assert len(server.asked) == 33
    assert {judgement.dropped for judgement in came.judgements} == {("temperature", "seed")}


def test_a_form_that_is_not_implemented_is_replaced() -> None:
    refused = error(501, "json_schema is not implemented")
    with scripted(where(lambda body: "response_format" in body, refused, called(good_reply("simple")))) as server:
        assert run(server).only.form == "function"


def test_a_model_known_to_refuse_a_temperature_gets_room_to_think() -> None:
    known = Capabilities("h", MODEL, takes_temperature=False, form="schema")
    with scripted(lambda _: good()) as server:
        run(server, known=known)
    assert server.bodies[0]["max_tokens"] == 540 + REASONING_TOKENS


SENT = {"temperature": 0.5, "seed": 1, "max_tokens": 9, "response_format": {}}


@pytest.mark.parametrize(
    ("param", "said", "part"),
    [
        ("temperature", "seed is fine", "temperature"),
        ("messages", "temperature, seed and response_format are fine", None),
        ("response_format.json_schema", "no", "form"),
        ("max_tokens", "Use 'max_completion_tokens' instead.", "limit"),
        (None, "Unsupported: seed. Leave it out, or set temperature to 1.", "seed"),
        (None, "Unsupported: temperature. Leave it out, or set a seed.", "temperature"),
        (None, "This model does not support response format `json_schema`.", "form"),
        (None, "Unknown field max_completion_tokens", None),
        (None, "The function is busy", None),
        (None, "linseed and temperatures", None),
        ("", "no", None),
    ],
)
def test_what_is_rejected_is_what_the_error_names_first_of_what_was_sent(
    param: str | None, said: str, part: str | None
) -> None:
    assert rejected_part(param, said, SENT) == part


def test_what_is_known_is_not_found_out_again() -> None:
    known = Capabilities("h", MODEL, takes_temperature=False, takes_seed=False, form="function")
    with scripted(lambda _: called(good_reply("simple"))) as server:
        came = run(server, asks_of(3), known=known)
    assert [judgement.dropped for judgement in came.judgements] == [("temperature", "seed")] * 3
    assert not any({"temperature", "seed", "response_format"} & set(body) for body in server.bodies)
    assert came.asked is not None
    assert came.asked.capabilities == known


def test_what_worked_is_noted_with_the_time() -> None:
    with scripted(lambda _: good()) as server:
        came = run(server)
    assert came.asked is not None
    found = came.asked.capabilities
    assert (found.takes_temperature, found.takes_seed, found.form) == (True, True, "schema")
    assert found.noted_at.endswith("+00:00")


def test_a_model_that_thinks_first_is_given_room_for_it() -> None:
    usage = {"prompt_tokens": 10, "completion_tokens": 540, "completion_tokens_details": {"reasoning_tokens": 540}}
    cut = completion("", finish="length", usage=usage)
    with scripted(where(lambda body: body["max_tokens"] == 540, cut)) as server:
        came = run(server, asks_of(3))
    assert came.statuses == ["ok"] * 3
    assert [body["max_tokens"] for body in server.bodies] == [540] + [540 + REASONING_TOKENS] * 3
    assert server.bodies[1]["messages"] == server.bodies[0]["messages"]
    first = next(judgement for judgement in came.judgements if judgement.place == 0)
    assert (first.is_repaired, first.input_tokens, first.output_tokens) == (True, 110, 560)


# Length of the context


def test_a_story_that_does_not_fit_is_not_asked() -> None:
    known = Capabilities("h", MODEL, form="schema", context_tokens=400)
    with scripted(lambda _: good()) as server:
        judgement = run(server, known=known).only
    assert server.asked == []
    assert (judgement.status, math.isnan(judgement.score)) == ("failed", True)
    assert "too long" in judgement.message
    assert "the model holds 400" in judgement.message


def test_a_story_that_fits_is_asked() -> None:
    with scripted(lambda _: good()) as server:
        assert run(server, known=Capabilities("h", MODEL, context_tokens=4096)).only.status == "ok"


@pytest.mark.parametrize(
    ("model", "address", "n_tokens"),
    [
        ("gpt-4.1-mini-2025-04-14", "https://api.openai.com/v1", 1_000_000),
        ("gpt-4", "https://api.openai.com/v1", 8_192),
        ("gpt-4-0613", "https://api.openai.com/v1", 8_192),
        ("gpt-4-turbo", "https://api.openai.com/v1", 128_000),
        ("a-new-model", "https://api.openai.com/v1", None),
        ("gpt-4.1", "http://localhost:8080/v1", None),
    ],
)
def test_what_openai_says_of_its_own_models_is_known_before_the_first_call(
    model: str, address: str, n_tokens: int | None
) -> None:
    assert stated_context(Endpoint(model, address)) == n_tokens
