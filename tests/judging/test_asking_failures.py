"""Every way in which an endpoint fails, and what each is told as. No failure has a score."""

import socket
from typing import Literal

import pytest

from narrative_core.errors import JudgeUnavailable
from narrative_core.judging.endpoint import Endpoint
from narrative_core.judging.prompts import prompt_messages
from tests.judging.asking_samples import KEY, MODEL, asks_of, come_of, good, in_turn, run
from tests.judging.judging_samples import sample_story
from tests.judging.scripted_server import Step, answer, completion, error, scripted

LEAK = f"Incorrect API key provided: {KEY}."


# An address that sends the request on


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_request_that_is_sent_on_goes_nowhere_else_and_no_further_one_is_sent(status: int) -> None:
    with scripted(lambda _: good()) as other:
        target = f"{other.url}/chat/completions"
        came, server = come_of(lambda _: Step(status, headers={"location": target}), n=3)
    assert (len(server.asked), other.asked, came.judgements) == (1, [], [])
    assert isinstance(came.error, JudgeUnavailable)
    assert str(came.error) == (
        f"127.0.0.1:{server.port} sends the request on to another address. Enter that address if you trust it."
    )


def test_a_request_that_is_sent_on_within_its_host_is_not_followed_either() -> None:
    came, server = come_of(lambda _: Step(307, headers={"location": "/v1/elsewhere"}))
    assert (len(server.asked), came.judgements) == (1, [])
    assert "sends the request on to another address" in str(came.error)


def test_a_request_that_is_sent_on_after_an_answer_is_a_failure_of_its_own() -> None:
    with scripted(lambda _: good()) as other:
        sent_on = Step(307, headers={"location": f"{other.url}/chat/completions"})
        came, server = come_of(in_turn(good(), sent_on, good()), n=3)
        assert other.asked == []
    assert (sorted(came.statuses), len(server.asked)) == (["failed", "ok", "ok"], 3)
    (failed,) = [one for one in came.judgements if one.status == "failed"]
    assert "sends the request on to another address" in failed.message
    assert failed.reply == ""


# Too many requests


@pytest.mark.parametrize(
    ("headers", "least_s"), [({"retry_after": "0.4"}, 0.4), ({"retry_after_ms": "300"}, 0.3), ({"x_note": "none"}, 0.3)]
)
def test_too_many_requests_are_asked_again_after_the_time_that_is_told_or_half_a_second(
    headers: dict[str, str], least_s: float
) -> None:
    came, server = come_of(in_turn(error(429, **headers), good()))
    assert (came.only.status, came.only.is_repaired, len(server.asked)) == ("ok", False, 2)
    assert server.asked[1].at - server.asked[0].at >= least_s
    assert server.bodies[0] == server.bodies[1]
    assert came.only.seconds >= least_s


def test_too_many_requests_for_ever_is_a_failure() -> None:
    came, server = come_of(lambda _: error(429), max_retries=3)
    assert (came.only.status, len(server.asked)) == ("failed", 4)
    assert "allows no more requests for now. Ask again later." in came.only.message


def test_a_wait_of_more_than_two_minutes_is_not_waited_for() -> None:
    came, server = come_of(lambda _: error(429, retry_after="600"))
    assert (came.only.status, len(server.asked)) == ("failed", 1)
    assert "asks to wait 600 s" in came.only.message


def test_a_wait_that_is_longer_than_a_question_may_take_is_a_time_out_that_says_why() -> None:
    came, server = come_of(lambda _: error(429, retry_after="60"), question_s=0.8)
    assert (came.only.status, len(server.asked)) == ("timed out", 1)
    assert "did not answer within 0.8 s; the last thing it said was status 429" in came.only.message


# Errors of the server


def test_a_passing_error_of_the_server_is_overcome() -> None:
    came, server = come_of(in_turn(error(500), good()))
    assert (came.only.status, len(server.asked)) == ("ok", 2)


@pytest.mark.parametrize("status", [500, 502, 503])
def test_an_error_of_the_server_for_ever_is_a_failure(status: int) -> None:
    came, server = come_of(lambda _: error(status, LEAK), n=3)
    assert (came.statuses, len(server.asked)) == (["failed"] * 3, 6)
    assert f"failed with status {status}" in came.judgements[0].message
    assert came.asked is not None
    assert came.asked.capabilities.form is None


# Silence and lost connections


def test_silence_is_a_time_out() -> None:
    came, server = come_of(lambda _: Step(act="hang"), timeout_s=0.5, max_retries=0)
    assert (came.only.status, len(server.asked)) == ("timed out", 1)
    assert "did not answer within 0.5 s." in came.only.message
    assert came.only.input_tokens is None


def test_silence_once_is_overcome() -> None:
    came, server = come_of(in_turn(Step(act="hang"), good()), timeout_s=0.5)
    assert (came.only.status, len(server.asked)) == ("ok", 2)


def test_a_slow_drip_ends_with_the_time_of_the_question() -> None:
    came, server = come_of(lambda _: Step(act="drip", wait_s=0.05), question_s=1.0)
    assert (came.only.status, len(server.asked)) == ("timed out", 1)
    assert "did not answer within 1 s." in came.only.message
    assert came.only.seconds >= 1.0


@pytest.mark.parametrize("act", ["cut", "halve"])
def test_a_cut_connection_is_asked_again_and_then_a_failure(act: Literal["cut", "halve"]) -> None:
    step = Step(act=act, content=good().content)
    came, server = come_of(lambda _: step)
    assert (came.only.status, len(server.asked)) == ("failed", 2)
    assert "closed the connection before it had answered" in came.only.message
    came, server = come_of(in_turn(step, good()))
    assert (came.only.status, len(server.asked)) == ("ok", 2)


# Endpoints that cannot be asked at all


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (error(401, LEAK), "does not accept the key. Check OPENAI_API_KEY."),
        (error(402, LEAK), "no credit left"),
        (error(429, LEAK, code="insufficient_quota", x_should_retry="false"), "no credit left"),
        (error(403, LEAK), "does not let this key use scripted"),
        (error(403, "No temperature for this key"), "does not let this key use scripted"),
        (error(404, LEAK), "does not know the model scripted. Check its name and the address."),
    ],
)
def test_an_endpoint_that_cannot_be_asked_is_found_out_by_one_request(step: Step, said: str) -> None:
    came, server = come_of(lambda _: step, n=40)
    assert (came.judgements, len(server.asked)) == ([], 1)
    assert isinstance(came.error, JudgeUnavailable)
    assert said in str(came.error)
    assert came.error.__cause__ is None
    assert came.error.__context__ is None


def test_an_endpoint_that_is_not_there_is_found_out_by_one_question() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://ann:{KEY}@127.0.0.1:{unused.getsockname()[1]}/v1"
    with scripted(lambda _: good()) as server:
        came = run(server, asks_of(40), endpoint=Endpoint(MODEL, address, KEY, max_retries=1))
    assert isinstance(came.error, JudgeUnavailable)
    assert str(came.error).endswith("cannot be reached. Check the network and the address.")
    assert came.judgements == []
    assert KEY not in came.told


def test_a_key_that_is_withdrawn_later_keeps_what_was_answered() -> None:
    came, server = come_of(in_turn(*[good()] * 30, error(401, LEAK)), n=200)
    assert isinstance(came.error, JudgeUnavailable)
    assert came.statuses == ["ok"] * 30
    # Those that were under way, and no more.
    assert 30 < len(server.asked) <= 30 + 16


@pytest.mark.parametrize("status", [403, 404])
def test_one_question_that_is_not_let_through_does_not_end_a_round_that_works(status: int) -> None:
    came, _ = come_of(in_turn(good(), good(), error(status, "moderated"), good()), n=10)
    assert came.error is None
    assert sorted(came.statuses) == ["failed"] + ["ok"] * 9


# Stories that are too long


@pytest.mark.parametrize(
    ("step", "context_tokens"),
    [
        (
            error(
                400,
                "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
                param="messages",
                code="context_length_exceeded",
            ),
            8192,
        ),
        (
            answer(
                {
                    "error": {
                        "code": 400,
                        "message": "the request exceeds the available context size, try increasing it",
                        "type": "exceed_context_size_error",
                        "n_prompt_tokens": 900,
                        "n_ctx": 512,
                    }
                },
                400,
            ),
            512,
        ),
        (error(400, "'max_tokens' is too large: 540. The context window is full."), None),
        (error(413, "prompt is too long"), None),
    ],
)
def test_a_story_that_is_too_long_is_a_failure_with_a_remedy(step: Step, context_tokens: int | None) -> None:
    came, server = come_of(lambda _: step)
    assert (came.only.status, len(server.asked)) == ("failed", 1)
    assert "The story is too long for scripted. Show titles only" in came.only.message
    assert came.asked is not None
    found = came.asked.capabilities
    assert found.context_tokens == context_tokens
    assert (found.form, found.takes_temperature, found.takes_seed) == (None, None, None)


def test_what_does_not_fit_once_is_not_asked_again() -> None:
    too_long = error(400, "maximum context length is 500 tokens", code="context_length_exceeded")
    came, server = come_of(lambda _: too_long, n=5)
    assert (came.statuses, len(server.asked)) == (["failed"] * 5, 1)


# Objections


def test_an_objection_to_something_else_is_a_failure_and_quoted() -> None:
    came, server = come_of(lambda _: error(400, f"Bad header, key {KEY}\nseen", param="messages"))
    assert (came.only.status, len(server.asked)) == ("failed", 1)
    assert came.only.message.endswith('does not accept the request (status 400): "Bad header, key [key] seen"')


def test_what_an_endpoint_repeats_of_the_request_names_nothing() -> None:
    repeated = {"detail": [{"loc": ["body", "messages"], "msg": "too odd", "input": {"temperature": 0.5, "seed": 1}}]}
    came, server = come_of(lambda _: answer(repeated, 422), n=1)
    assert came.only.status == "failed"
    assert all("temperature" in body and "seed" in body for body in server.bodies)
    assert '"body.messages: too odd"' in came.only.message


def test_a_title_that_names_a_parameter_teaches_nothing() -> None:
    came, _ = come_of(lambda _: error(500, "temperature seed response_format"))
    assert came.asked is not None
    assert came.asked.capabilities.takes_temperature is None


def test_a_failed_question_does_not_touch_the_others() -> None:
    steps = [good(), error(500), error(500), good(), completion("no"), completion("no")]
    came, _ = come_of(in_turn(*steps, good()), n=12)
    assert len(came.judgements) == 12
    assert {judgement.place for judgement in came.judgements} == set(range(12))
    assert came.statuses.count("ok") >= 9


def test_the_story_is_the_same_in_every_request() -> None:
    _, server = come_of(in_turn(error(500), completion("no"), good()))
    told = [message.content for message in prompt_messages("simple", sample_story(), is_explained=True)]
    assert [[message["content"] for message in body["messages"]][:2] for body in server.bodies] == [told] * 3
