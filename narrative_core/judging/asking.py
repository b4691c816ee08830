"""Questions put to an endpoint, many at a time, each judgement handed over as soon as it is there.

One thread does it all: the caller's. What is answered is handed over before anything else happens, so a killed process
loses what was under way and no more.
"""

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from narrative_core.errors import InvalidInput, JudgeUnavailable
from narrative_core.judgements import Capabilities, Judgement, Price
from narrative_core.judging.desk import Desk, OverBudget, Purse
from narrative_core.judging.endpoint import CONCURRENCY, Endpoint
from narrative_core.judging.questioning import Ask, Dialogue, open_dialogue, put
from narrative_core.judging.wire import open_client

__all__ = ["CONCURRENCY", "Ask", "Asked", "ask_all"]

HEARTBEAT_S: Final = 0.2
PACE_S: Final = 0.003
"""Between two questions. Sent at one moment, 16 come back at one moment, and each waits until the others are read; sent
one after the other they stay apart, and the endpoint sees no burst."""

_NO_MONEY: Final = "The budget leaves no room for another question."
_NO_LIMIT: Final = "The model takes no limit on the length of its replies, so no budget can be kept."


@dataclass(frozen=True, slots=True)
class Asked:
    """What a round of questions leaves behind beside its judgements.

    ``n_unasked`` questions were not put, and have no judgement · ``reason`` why, "" where all were.
    """

    capabilities: Capabilities
    n_unasked: int = 0
    reason: str = ""


def ask_all(
    endpoint: Endpoint,
    asks: Sequence[Ask],
    *,
    capabilities: Capabilities,
    on_judgement: Callable[[Judgement], None],
    heartbeat: Callable[[], None],
    price: Price | None = None,
    budget_usd: float | None = None,
    concurrency: int = CONCURRENCY,
    clock: Callable[[], float] = time.monotonic,
) -> Asked:
    """Put questions to an endpoint, and return what was learnt and what was not asked.

    As long as nothing is known of the model, the first question is asked alone: what it teaches (which parameters the
    model rejects, which form of reply it has) need not be found out by many at once, and an endpoint that cannot be
    used is found by one request.

    Parameters
    ----------
    endpoint : Endpoint
        Whom to ask.
    asks : sequence of Ask
        In the order in which they are put.
    capabilities : Capabilities
        What is known of the model.
    on_judgement : callable
        Gets each judgement as soon as it is there, in this thread. What it raises ends the round.
    heartbeat : callable
        Called in this thread at least four times a second; what it raises (`Cancelled`) ends the round at once.
    price : Price, optional
        Of the model; without it the cost of a judgement is nan.
    budget_usd : float, optional
        No request is sent whose worst case (every byte of it a token, the longest reply allowed) could exceed what is
        left of it.
    concurrency : int
        How many questions are under way at a time.
    clock : callable
        Seconds that never run backwards.

    Raises
    ------
    JudgeUnavailable
        If no question can be asked: the key is not accepted, the account is empty; or, as long as nothing was answered,
        the model is not known, the key may not use it, or the endpoint cannot be reached. The question that showed it
        has no judgement; what was under way is awaited and handed over first.
    InvalidInput
        If a question is for another model or endpoint or has no mode, there is a budget without a price, it is not a
        number from 0 on, or ``concurrency`` is less than 1.
    Exception
        Whatever ``heartbeat`` or ``on_judgement`` raise. Requests under way are cancelled and their connections closed.
    """
    _check(endpoint, asks, price, budget_usd, concurrency)
    if not asks:
        return Asked(capabilities)

    async def ask() -> Asked:
        client = open_client(endpoint)
        try:
            desk = Desk(client, endpoint, Purse(price, budget_usd), capabilities)
            return await _Round(desk, deque(asks), on_judgement, heartbeat, concurrency, clock).run()
        finally:
            await client.close()

    return _run(ask())


def _check(
    endpoint: Endpoint, asks: Sequence[Ask], price: Price | None, budget_usd: float | None, concurrency: int
) -> None:
    strays = [ask for ask in asks if (ask.question.endpoint, ask.question.model) != (endpoint.host, endpoint.model)]
    if strays:
        question = strays[0].question
        raise InvalidInput(
            f"expected questions for {endpoint.model} at {endpoint.host}; got {len(strays)} for others, the first for "
            f"{question.model} at {question.endpoint}. Ask each endpoint its own."
        )
    if concurrency < 1:
        raise InvalidInput(f"expected at least one question at a time; got {concurrency}.")
    if budget_usd is None:
        return
    if not 0 <= budget_usd < math.inf:
        raise InvalidInput(f"a budget is 0 or more US dollars; got {budget_usd}.")
    if price is None:
        raise InvalidInput("a budget needs the price of the model, which is not known. Set a price, or no budget.")


@dataclass(slots=True)
class _Round:
    """``running`` are the questions under way; ``reason`` says what is in the way of the next, ``hopeless`` of all."""

    desk: Desk
    waiting: deque[Ask]
    on_judgement: Callable[[Judgement], None]
    heartbeat: Callable[[], None]
    concurrency: int
    clock: Callable[[], float]
    running: dict[asyncio.Task[Judgement], Dialogue] = field(default_factory=dict)
    hopeless: str = ""
    reason: str = ""
    n_done: int = 0

    async def run(self) -> Asked:
        """Put the questions until there are none, none can be put, or somebody raises."""
        now = asyncio.get_running_loop().time
        beat_at = put_at = now()
        try:
            while self.running or (self.waiting and not self._is_stopped):
                if now() >= put_at and self._put_one():
                    put_at = now() + PACE_S
                until = beat_at + HEARTBEAT_S if self._is_full() else min(put_at, beat_at + HEARTBEAT_S)
                await self._wait(until - now())
                if now() >= beat_at + HEARTBEAT_S:
                    self.heartbeat()
                    beat_at = now()
        finally:
            await _cancel(self.running)
        if self.hopeless:
            raise JudgeUnavailable(self.hopeless)
        return Asked(self.desk.capabilities, len(self.waiting), self.reason if self.waiting else "")

    @property
    def _is_stopped(self) -> bool:
        return bool(self.hopeless or self.reason)

    def _is_full(self) -> bool:
        """Whether no further question is to be put before one of those under way has ended."""
        is_known = self.n_done or self.desk.capabilities.form is not None
        most = self.concurrency if is_known else 1
        return not self.waiting or len(self.running) >= most or self._is_stopped

    def _put_one(self) -> bool:
        """Put the next question if there is room for it."""
        if self._is_full():
            return False
        dialogue = open_dialogue(self.waiting[0])
        try:
            self.desk.set_aside(dialogue.request, self.desk.worst_usd(dialogue.request))
        except OverBudget:
            # What is under way may turn out cheaper than its worst case, so the last word is spoken without any.
            self.reason = _NO_MONEY if self.desk.is_bounded else _NO_LIMIT
            return False
        self.waiting.popleft()
        self.running[asyncio.create_task(put(self.desk, dialogue, clock=self.clock))] = dialogue
        return True

    async def _wait(self, seconds: float) -> None:
        """Wait until a question has ended, but no longer than that, and hand over what there is."""
        if not self.running:
            await asyncio.sleep(max(0.0, seconds))
            return
        done, _ = await asyncio.wait(self.running, timeout=max(0.0, seconds), return_when=asyncio.FIRST_COMPLETED)
        self._hand_over([*done])

    def _hand_over(self, done: Sequence[asyncio.Task[Judgement]]) -> None:
        """Hand over what was answered, all of it, even if the receiver raises at one of them."""
        if not done:
            return
        try:
            self._hand_over_one(done[0])
        finally:
            self._hand_over(done[1:])

    def _hand_over_one(self, task: asyncio.Task[Judgement]) -> None:
        dialogue = self.running.pop(task)
        judgement = task.result()
        self.n_done += 1
        self.reason = ""
        if dialogue.hopeless:
            self.hopeless = self.hopeless or dialogue.hopeless
        if not dialogue.hopeless or dialogue.replies:
            self.on_judgement(judgement)


async def _cancel(running: Iterable[asyncio.Task[Any]]) -> None:
    tasks = [*running]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _run(work: Coroutine[Any, Any, Asked]) -> Asked:
    """Run a coroutine in an event loop of its own.

    Unlike `asyncio.run` it does not wait for threads of the loop at the end: one that looks up the name of a host can
    take half a minute, and a person who cancels waits a second.
    """
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(work)
    finally:
        loop.run_until_complete(_cancel(asyncio.all_tasks(loop)))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
