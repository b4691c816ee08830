"""What becomes of the replies of an endpoint that answers: those that are none, cannot be read, or refuse."""

import json

import pytest

from tests.judging.asking_samples import KEY, come_of, good, in_turn
from tests.judging.judging_samples import good_reply
from tests.judging.scripted_server import Step, answer, called, completion, error

LOW_REPLY = json.dumps({"score": 11, "explanation": "Very good.", "weakest_transition": 1})
LEAK = f"Incorrect API key provided: {KEY}."


# Answers that are none


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (Step(content=b'{"choices": [{"mess'), "is not JSON"),
        (Step(content=b"<html>Welcome</html>"), "is not JSON"),
        (Step(content=b""), "is not JSON"),
        (Step(content=b"\xff\xfe\xff"), "is not JSON"),
        (Step(content=b"[" * 100_000), "is not JSON"),
        (answer([1, 2]), "not a JSON object"),
        (answer("hello"), "not a JSON object"),
        (answer({"hello": "world"}), "no choices"),
        (answer({"choices": "none"}), "no choices"),
        (answer({"choices": [7]}), "no message"),
        (answer({"choices": [{"text": "7"}]}), "no message"),
        (answer({"choices": [{"message": "7"}]}), "no message"),
        (answer({"error": {"message": LEAK, "code": 502}}), 'reports an error: "Incorrect API key'),
        (answer({"choices": [{"error": {"message": "upstream"}, "message": {}}]}), 'reports an error: "upstream"'),
    ],
)
def test_an_answer_that_is_no_completion_is_a_failure(step: Step, said: str) -> None:
    came, server = come_of(lambda _: step)
    assert (came.only.status, came.only.reply, len(server.asked)) == ("failed", "", 1)
    assert said in came.only.message


def test_a_huge_answer_is_not_read() -> None:
    came, server = come_of(lambda _: completion("x" * 3_000_000))
    assert (came.only.status, came.only.reply, len(server.asked)) == ("unreadable", "", 1)
    assert "more than 2 MB" in came.only.message


def test_a_long_reply_is_kept_but_only_its_beginning_is_sent_back() -> None:
    long = "x" * 200_000
    came, server = come_of(in_turn(completion(long), good()))
    assert (came.only.status, came.only.first_reply) == ("ok", long)
    assert len(json.dumps(server.bodies[1])) < 20_000


# Replies that cannot be read


@pytest.mark.parametrize(
    "reply",
    [LOW_REPLY, '{"score": 0.5, "explanation": "", "weakest_transition": 1}', "I give it a 7.", '{"score": 7', "[]"],
)
def test_an_unreadable_reply_is_repaired_once_with_the_reason(reply: str) -> None:
    came, server = come_of(in_turn(completion(reply), good(score=8)))
    judgement = came.only
    assert (judgement.status, judgement.score, judgement.is_repaired, len(server.asked)) == ("ok", 8.0, True, 2)
    assert (judgement.first_reply, judgement.reply) == (reply, good_reply("simple", score=8))
    assert (judgement.input_tokens, judgement.output_tokens) == (200, 40)
    first, second = server.bodies
    assert second["messages"][:-2] == first["messages"]
    assert second["messages"][-2] == {"role": "assistant", "content": reply}
    assert "cannot be read: expected" in second["messages"][-1]["content"]
    assert {**second, "messages": 0} == {**first, "messages": 0}


def test_a_reply_that_stays_unreadable_has_no_score_and_both_texts() -> None:
    came, server = come_of(in_turn(completion(LOW_REPLY), completion("Still 11.")))
    judgement = came.only
    assert (judgement.status, judgement.is_repaired, len(server.asked)) == ("unreadable", True, 2)
    assert (judgement.first_reply, judgement.reply) == (LOW_REPLY, "Still 11.")
    assert judgement.message == 'The reply cannot be read: expected one JSON object and nothing else; got "Still 11.".'
    assert judgement.is_final


@pytest.mark.parametrize(
    "step",
    [
        completion(None),
        completion(""),
        completion("  \n"),
        answer({"choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 20}}),
        completion(None, message={"tool_calls": []}),
        completion(None, message={"tool_calls": [{"function": None}]}),
    ],
)
def test_an_empty_reply_is_asked_for_once_more_without_an_empty_message(step: Step) -> None:
    came, server = come_of(in_turn(step, good()))
    assert (came.only.status, came.only.is_repaired, len(server.asked)) == ("ok", True, 2)
    assert [message["role"] for message in server.bodies[1]["messages"]] == ["system", "user", "user"]
    came, server = come_of(lambda _: step)
    assert (came.only.status, len(server.asked)) == ("unreadable", 2)
    assert "the reply is empty" in came.only.message


def test_a_reply_that_is_cut_off_is_not_asked_for_again() -> None:
    came, server = come_of(lambda _: completion(good_reply("simple"), finish="length"))
    assert (came.only.status, len(server.asked)) == ("unreadable", 1)
    assert "cut off at the longest length" in came.only.message


@pytest.mark.parametrize(
    ("second", "said", "status"),
    [
        (error(400, "Overloaded words"), "Asked again: 127.0.0.1", "unreadable"),
        (Step(act="hang"), "Asked again: 127.0.0.1", "unreadable"),
        (completion(None, refusal="I will not."), "declined", "refused"),
        (error(400, "flagged", code="content_filter"), "refused the content", "refused"),
    ],
)
def test_a_repair_that_fails_leaves_the_first_reply_and_says_so(second: Step, said: str, status: str) -> None:
    came, _ = come_of(in_turn(completion("seven"), second), max_retries=0, timeout_s=0.5)
    assert (came.only.status, came.only.is_repaired) == (status, True)
    assert "seven" in (came.only.first_reply, came.only.reply)
    assert said in came.only.message


def test_time_that_runs_out_during_a_repair_leaves_an_unreadable_reply() -> None:
    came, _ = come_of(in_turn(completion("seven"), Step(act="drip", wait_s=0.05)), question_s=0.8)
    assert (came.only.status, came.only.reply, came.only.is_repaired) == ("unreadable", "seven", True)
    assert "Asked again: 127.0.0.1" in came.only.message


def test_a_function_call_and_parts_of_a_text_are_replies_too() -> None:
    parts = [{"type": "text", "text": good_reply("simple")[:9]}, {"type": "text", "text": good_reply("simple")[9:]}]
    arguments = {"tool_calls": [{"function": {"name": "f", "arguments": json.loads(good_reply("simple"))}}]}
    for step in (
        called(good_reply("simple")),
        completion(None, message={"content": parts}),
        completion(None, message=arguments),
    ):
        came, _ = come_of(lambda _, step=step: step)  # type: ignore[misc]
        assert came.only.status == "ok"


def test_signs_that_no_store_can_hold_are_replaced_in_a_reply() -> None:
    reply = '{"score": 7, "explanation": "a\\ud800b\\u0000c", "weakest_transition": 0}'
    came, _ = come_of(in_turn(completion("\ud800\0"), completion(reply)))
    assert came.only.status == "ok"
    assert came.only.first_reply == "?\ufffd"
    assert came.only.explanation.encode()


# Refusals


@pytest.mark.parametrize(
    "step",
    [
        completion(None, refusal="I cannot judge this."),
        completion(None, refusal=""),
        completion(good_reply("simple"), refusal="I cannot judge this."),
        completion(None, finish="content_filter"),
        completion(good_reply("simple"), finish="content_filter"),
        error(400, "The response was filtered", code="content_filter"),
        error(400, "Your prompt was flagged", code="invalid_prompt"),
    ],
)
def test_a_refusal_is_a_refusal_and_is_not_argued_with(step: Step) -> None:
    came, server = come_of(lambda _: step)
    assert (came.only.status, len(server.asked)) == ("refused", 1)
    assert came.only.is_final


def test_an_empty_refusal_beside_a_reply_is_none() -> None:
    came, _ = come_of(lambda _: completion(good_reply("simple"), refusal=""))
    assert came.only.status == "ok"
