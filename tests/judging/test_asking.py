import asyncio
import json
import logging
import math
from collections.abc import Callable
from dataclasses import replace
from time import monotonic, sleep
from typing import Any

import pytest

from narrative_core.errors import Cancelled, InvalidInput
from narrative_core.judgements import Capabilities, Judgement, Mode
from narrative_core.judging import asking
from narrative_core.judging.agents import agent_seed, agent_temperature
from narrative_core.judging.asking import HEARTBEAT_S, ask_all
from narrative_core.judging.desk import Desk
from narrative_core.judging.endpoint import Endpoint
from narrative_core.judging.prompts import longest_reply_tokens, prompt_messages, reply_schema
from narrative_core.judging.questioning import Dialogue, put
from tests.judging.asking_samples import KEY, MODEL, PRICE, asks_of, endpoint_of, good, in_turn, put_to, run
from tests.judging.judging_samples import ALL_ASKED, good_reply, sample_story
from tests.judging.scripted_server import Step, completion, error, scripted

# Agents


@pytest.mark.parametrize(
    ("n_agents", "expected"), [(1, [0.5]), (2, [0.3, 0.7]), (3, [0.3, 0.5, 0.7]), (5, [0.3, 0.4, 0.5, 0.6, 0.7])]
)
def test_temperatures_are_evenly_spread(n_agents: int, expected: list[float]) -> None:
    assert [agent_temperature(agent, n_agents) for agent in range(n_agents)] == expected


def test_every_agent_has_its_own_seed_and_always_the_same() -> None:
    seeds = [agent_seed(agent) for agent in range(50)]
    assert len(set(seeds)) == 50
    assert seeds == [agent_seed(agent) for agent in range(50)]


@pytest.mark.parametrize(("agent", "n_agents"), [(-1, 3), (3, 3), (0, 0)])
def test_an_agent_that_is_not_there_is_refused(agent: int, n_agents: int) -> None:
    with pytest.raises(InvalidInput, match="agents of a judge"):
        agent_temperature(agent, n_agents)


# What is sent, what comes back


@pytest.mark.parametrize(("mode", "wording"), ALL_ASKED)
def test_the_request_is_the_prompt_with_schema_temperature_seed_and_a_limit(mode: Mode, wording: str) -> None:
    with scripted(lambda _: completion(good_reply(mode))) as server:
        judgement = run(server, asks_of(1, mode, wording=wording)).only
    messages = prompt_messages(mode, sample_story(), is_explained=True, wording=wording)
    assert server.bodies == [
        {
            "model": MODEL,
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            "response_format": {
                "type": "json_schema",
                "json_schema": {
                    "name": "give_judgement",
                    "strict": True,
                    "schema": reply_schema(mode, n_documents=5, is_explained=True, wording=wording),
                },
            },
            "temperature": 0.5,
            "seed": 1001,
            "max_tokens": longest_reply_tokens(mode, n_documents=5, is_explained=True),
        }
    ]
    sent = server.bodies[0]["response_format"]["json_schema"]["schema"]["properties"]
    assert list(sent) == list(reply_schema(mode, n_documents=5, is_explained=True, wording=wording)["properties"])
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"
    assert (judgement.status, judgement.score, judgement.weakest_step) == ("ok", 7.0, 1)
    assert judgement.form == "schema"


def test_a_judgement_has_all_that_is_known_of_its_making() -> None:
    with scripted(lambda _: good(score=4)) as server:
        ask = asks_of()[0]
        judgement = run(server, [ask], price=PRICE).only
    assert judgement.question == replace(ask.question, endpoint=endpoint_of(server).host)
    assert (judgement.input_tokens, judgement.output_tokens) == (100, 20)
    assert judgement.cost_usd == pytest.approx((100 * 2.0 + 20 * 8.0) / 1e6)
    assert judgement.reply == good_reply("simple", score=4)
    assert (judgement.first_reply, judgement.is_repaired, judgement.dropped, judgement.message) == ("", False, (), "")
    assert (judgement.n_documents, judgement.is_explained, judgement.place) == (5, True, 0)
    assert judgement.asked_at.endswith("+00:00")
    assert judgement.seconds > 0


def test_each_agent_sends_its_temperature_and_seed_and_keeps_its_place() -> None:
    with scripted(lambda _: good()) as server:
        came = run(server, asks_of(5))
    sent = sorted((body["temperature"], body["seed"]) for body in server.bodies)
    assert sent == [(0.3, 1001), (0.4, 1002), (0.5, 1003), (0.6, 1004), (0.7, 1005)]
    assert sorted(judgement.place for judgement in came.judgements) == [0, 1, 2, 3, 4]


def test_no_price_or_no_usage_is_an_unknown_cost() -> None:
    with scripted(lambda _: completion(good_reply("simple"), usage=None)) as server:
        without_usage = run(server, price=PRICE).only
    with scripted(lambda _: good()) as server:
        without_price = run(server).only
    assert (without_usage.input_tokens, without_usage.output_tokens) == (None, None)
    assert math.isnan(without_usage.cost_usd)
    assert math.isnan(without_price.cost_usd)


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (
            {"prompt_tokens": 10, "completion_tokens": 30, "completion_tokens_details": {"reasoning_tokens": 25}},
            (10, 30),
        ),
        ({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 40}, (10, 30)),
        ({"prompt_tokens": "10", "completion_tokens": True}, (None, None)),
        ({"prompt_tokens": -1, "completion_tokens": 4}, (None, 4)),
    ],
)
def test_thoughts_count_as_output_and_odd_counts_as_unknown(usage: dict[str, Any], expected: tuple[Any, Any]) -> None:
    with scripted(lambda _: completion(good_reply("simple"), usage=usage)) as server:
        judgement = run(server).only
    assert (judgement.input_tokens, judgement.output_tokens) == expected


def test_nothing_to_ask_asks_nothing() -> None:
    with scripted(lambda _: good()) as server:
        came = run(server, [])
    assert (server.asked, came.judgements, came.error) == ([], [], None)


def test_a_question_without_a_mode_is_refused() -> None:
    ask = asks_of()[0]
    with scripted(lambda _: good()) as server:
        came = run(server, [replace(ask, question=replace(ask.question, mode=None))])
    assert isinstance(came.error, InvalidInput)
    assert server.asked == []


# Many at a time


def test_no_more_are_under_way_than_allowed() -> None:
    with scripted(lambda _: Step(content=good().content, wait_s=0.02)) as server:
        came = run(server, asks_of(30), concurrency=5)
    assert len(came.judgements) == 30
    assert server.most_busy == 5


def test_one_at_a_time_asks_all() -> None:
    with scripted(lambda _: good()) as server:
        assert len(run(server, asks_of(12), concurrency=1).judgements) == 12
    assert server.most_busy == 1


def test_as_long_as_nothing_is_known_the_first_is_asked_alone() -> None:
    with scripted(lambda _: Step(content=good().content, wait_s=0.05)) as server:
        run(server, asks_of(9))
    first, second = (asked.at for asked in server.asked[:2])
    assert second - first >= 0.05


def test_a_judgement_is_handed_over_while_others_are_still_under_way() -> None:
    n_under_way: list[int] = []
    waits = [Step(content=good().content, wait_s=wait_s) for wait_s in (0.0, 0.6, 0.3, 0.6)]
    with scripted(in_turn(*waits)) as server:
        run(server, asks_of(4), then=lambda _: n_under_way.append(server.n_busy))
    assert n_under_way[:2] == [0, 2]
    assert len(n_under_way) == 4


def test_what_the_keeper_of_judgements_raises_ends_the_round() -> None:
    def refuse(_: Judgement) -> None:
        raise OSError("disk full")

    with scripted(lambda _: good()) as server, pytest.raises(OSError, match="disk full"):
        run(server, asks_of(50), then=refuse)
    assert len(server.asked) == 1


def test_all_that_was_answered_is_handed_over_although_the_keeper_raises_at_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    came: list[Judgement] = []
    answered: list[Judgement] = []
    all_are_there = asyncio.Event()

    async def put_together(desk: Desk, dialogue: Dialogue, *, clock: Callable[[], float]) -> Judgement:
        """Ask as ever, the first alone; the others come back at one moment."""
        judgement = await put(desk, dialogue, clock=clock)
        answered.append(judgement)
        if len(answered) == 10:
            all_are_there.set()
        elif len(answered) > 1:
            await all_are_there.wait()
        return judgement

    def keep(judgement: Judgement) -> None:
        came.append(judgement)
        if len(came) == 3:
            raise Cancelled("The work was stopped.")

    monkeypatch.setattr(asking, "put", put_together)
    with scripted(lambda _: good()) as server:
        ended = run(server, asks_of(10), then=keep)
    assert isinstance(ended.error, Cancelled)
    assert len(came) == 10


@pytest.mark.parametrize("change", [{"model": "another"}, {"endpoint": "elsewhere"}])
def test_a_question_for_another_model_or_endpoint_is_refused(change: dict[str, str]) -> None:
    with scripted(lambda _: good()) as server:
        endpoint = endpoint_of(server)
        (ask,) = put_to(endpoint, asks_of())
        stray = replace(ask, question=replace(ask.question, **change))  # type: ignore[arg-type]
        with pytest.raises(InvalidInput, match="1 for others"):
            ask_all(
                endpoint,
                [ask, stray],
                capabilities=Capabilities("h", MODEL),
                on_judgement=lambda _: None,
                heartbeat=lambda: None,
            )
    assert server.asked == []


# Cancelling


def test_cancelling_in_the_middle_of_hanging_calls_closes_them_at_that_heartbeat() -> None:
    hang_s = 60.0
    raised_at: list[float] = []

    def heartbeat() -> None:
        if len(server.asked) == 20 + 16:
            raised_at.append(monotonic())
            raise Cancelled("The work was stopped.")

    with scripted(in_turn(*[good()] * 20, Step(act="hang"))) as server:
        patient = endpoint_of(server, timeout_s=hang_s, question_s=hang_s)
        came = run(server, asks_of(400), endpoint=patient, heartbeat=heartbeat)
        took = monotonic() - raised_at[0]
        until = monotonic() + 10
        while server.n_left < 16 and monotonic() < until:
            sleep(0.01)
    assert isinstance(came.error, Cancelled)
    assert came.statuses == ["ok"] * 20
    assert (len(raised_at), server.n_left, len(server.asked)) == (1, 16, 36)
    assert took < hang_s / 60


def test_the_heart_beats_at_least_four_times_a_second() -> None:
    beats: list[float] = []
    with scripted(in_turn(good(), Step(content=good().content, wait_s=1.0))) as server:
        run(server, asks_of(3), endpoint=endpoint_of(server, timeout_s=5), heartbeat=lambda: beats.append(monotonic()))
    assert HEARTBEAT_S < 0.25
    assert len(beats) >= 3


# The key


def test_the_key_is_in_no_log_and_no_record(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG), scripted(in_turn(good(), error(500), good())) as server:
        address = server.url.replace("http://", f"http://ann:{KEY}@")
        signed_in = run(server, asks_of(3), endpoint=Endpoint(MODEL, address, KEY))
        assert server.asked[0].headers["authorization"].startswith("Basic ")
        keyed = run(server, asks_of(3))
    assert caplog.records
    logged = " ".join(f"{record.getMessage()} {record.args!r} {record.__dict__!r}" for record in caplog.records)
    assert KEY not in logged + signed_in.told + keyed.told


def test_a_key_that_the_model_repeats_is_removed_from_its_reply() -> None:
    said = json.dumps({"score": 7, "explanation": f"Your key is {KEY}.", "weakest_transition": 0})
    with scripted(lambda _: completion(said)) as server:
        came = run(server)
    assert came.only.explanation == "Your key is [key]."
    assert KEY not in came.told
