"""A budget holds whatever happens, and what it leaves unasked is counted."""

import json
import math
from typing import Any, Literal

import pytest

from narrative_core.errors import InvalidInput
from narrative_core.judgements import Capabilities
from narrative_core.judging.desk import Desk, Purse
from narrative_core.judging.endpoint import Endpoint
from narrative_core.judging.failures import Failure
from narrative_core.judging.questioning import open_dialogue
from narrative_core.judging.wire import Trace
from tests.judging.asking_samples import MODEL, PRICE, asks_of, endpoint_of, good, run
from tests.judging.judging_samples import good_reply
from tests.judging.scripted_server import Step, completion, error, scripted


def worst_of(endpoint: Endpoint) -> float:
    """Return what the first request of a question can cost at most."""
    return desk_of(endpoint).worst_usd(open_dialogue(asks_of()[0]).request)


def desk_of(endpoint: Endpoint) -> Desk:
    """Return a desk that nothing is sent from."""
    return Desk(None, endpoint, Purse(PRICE, 1e9), Capabilities("h", MODEL))  # type: ignore[arg-type]


def test_a_budget_is_never_exceeded_and_what_is_not_asked_is_counted() -> None:
    with scripted(lambda _: good()) as server:
        worst = worst_of(endpoint_of(server))
        each = (100 * 2.0 + 20 * 8.0) / 1e6
        budget = worst + 10.5 * each
        came = run(server, asks_of(100), price=PRICE, budget_usd=budget)
    spent = sum(judgement.cost_usd for judgement in came.judgements)
    # The eleventh is the last whose worst case fits beside what ten have cost.
    assert len(came.judgements) == len(server.asked) == 11
    assert spent <= budget
    assert came.asked is not None
    assert (came.asked.n_unasked, came.asked.reason) == (89, "The budget leaves no room for another question.")


def test_a_budget_that_is_enough_for_all_leaves_none_unasked() -> None:
    with scripted(lambda _: good()) as server:
        came = run(server, asks_of(40), price=PRICE, budget_usd=10.0)
    assert came.asked is not None
    assert (len(came.judgements), came.asked.n_unasked, came.asked.reason) == (40, 0, "")


def test_without_money_nothing_is_asked() -> None:
    with scripted(lambda _: good()) as server:
        came = run(server, asks_of(3), price=PRICE, budget_usd=0.0)
    assert server.asked == []
    assert came.asked is not None
    assert came.asked.n_unasked == 3


def test_the_worst_case_covers_what_an_endpoint_can_charge() -> None:
    ask = asks_of(1, "complex", n_documents=12)[0]
    desk = desk_of(Endpoint("m", "http://box/v1"))
    request = open_dialogue(ask).request
    sent = json.dumps([message.content for message in request.messages], ensure_ascii=False)
    # A token is a byte at least.
    assert request.most_tokens() >= len(json.dumps(request.schema)) + len("".join(m.content for m in request.messages))
    assert desk.worst_usd(request) >= (len(sent) * 2.0 + request.longest_reply * 8.0) / 1e6


@pytest.mark.parametrize("step", [Step(act="cut"), Step(act="hang")])
def test_a_reply_that_was_lost_is_taken_for_paid(step: Step) -> None:
    with scripted(lambda _: step) as server:
        endpoint = endpoint_of(server, timeout_s=0.4, max_retries=3)
        worst = worst_of(endpoint)
        came = run(server, asks_of(9), endpoint=endpoint, price=PRICE, budget_usd=2.5 * worst)
    # Two attempts could have been charged; a third has no room, so neither it nor another question is sent.
    assert len(server.asked) == 2
    assert len(came.judgements) == 1
    assert came.judgements[0].status == "failed"
    assert "did not answer. The budget leaves no room" in came.judgements[0].message
    assert came.asked is not None
    assert came.asked.n_unasked == 8


@pytest.mark.parametrize("act", ["hang", "drip"])
def test_a_question_whose_time_ran_out_is_taken_for_paid(act: Literal["hang", "drip"]) -> None:
    with scripted(lambda _: Step(act=act, wait_s=0.05)) as server:
        endpoint = endpoint_of(server, question_s=0.6)
        worst = worst_of(endpoint)
        came = run(server, asks_of(9), endpoint=endpoint, price=PRICE, budget_usd=2.5 * worst)
    assert came.statuses == ["timed out"] * 2
    assert came.asked is not None
    assert came.asked.n_unasked == 7


def test_a_reply_whose_tokens_are_not_told_is_taken_for_the_dearest() -> None:
    with scripted(lambda _: completion(good_reply("simple"), usage=None)) as server:
        came = run(server, asks_of(9), price=PRICE, budget_usd=2.5 * worst_of(endpoint_of(server)))
    assert came.statuses == ["ok"] * 2


def test_attempts_that_never_reached_the_endpoint_cost_nothing() -> None:
    desk, trace = desk_of(Endpoint(MODEL, "http://box/v1")), Trace(lambda: None, n_sent=3, n_lost=2)
    assert desk.unpaid_usd(Failure("unknown", "It cannot be reached."), 0.25, trace) == -0.5
    trace.last_status = 404
    assert desk.unpaid_usd(Failure("unknown", "It does not know the model."), 0.25, trace) == 0.0


def test_what_was_held_for_a_story_that_does_not_fit_is_free_again() -> None:
    with scripted(lambda _: good()) as server:
        known = Capabilities("h", MODEL, context_tokens=400)
        budget = 1.5 * worst_of(endpoint_of(server))
        came = run(server, asks_of(4), known=known, price=PRICE, budget_usd=budget)
    assert (came.statuses, len(server.asked)) == (["failed"] * 4, 0)


def test_a_refusal_to_serve_costs_nothing() -> None:
    with scripted(lambda _: error(500)) as server:
        came = run(server, asks_of(9), price=PRICE, budget_usd=1.5 * worst_of(endpoint_of(server)))
    assert came.statuses == ["failed"] * 9


def test_a_repair_that_the_budget_cannot_bear_is_not_asked() -> None:
    with scripted(lambda _: completion("seven", usage={"prompt_tokens": 3000, "completion_tokens": 540})) as server:
        worst = worst_of(endpoint_of(server))
        judgement = run(server, price=PRICE, budget_usd=1.2 * worst).only
    assert (judgement.status, len(server.asked)) == ("unreadable", 1)
    assert "no room for a further request" in judgement.message


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"budget_usd": 1.0}, "needs the price"),
        ({"budget_usd": -1.0, "price": PRICE}, "0 or more"),
        ({"budget_usd": math.nan, "price": PRICE}, "0 or more"),
        ({"budget_usd": math.inf, "price": PRICE}, "0 or more"),
        ({"concurrency": 0}, "at least one"),
    ],
)
def test_options_that_make_no_sense_are_refused_at_the_door(options: dict[str, Any], said: str) -> None:
    with scripted(lambda _: good()) as server:
        came = run(server, **options)
    assert isinstance(came.error, InvalidInput)
    assert said in str(came.error)
    assert server.asked == []
