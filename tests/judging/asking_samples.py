"""Questions for an endpoint, and a round of asking with all that comes of it."""

import logging
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from narrative_core.errors import NarrativeError
from narrative_core.judgements import Capabilities, Judgement, Mode, Price, Question
from narrative_core.judging.agents import agent_seed, agent_temperature
from narrative_core.judging.asking import Ask, Asked, ask_all
from narrative_core.judging.endpoint import Endpoint
from narrative_core.judging.prompts import prompt_hash
from narrative_core.judging.shown import shown_hash, story_hash
from tests.judging.judging_samples import good_reply, sample_story
from tests.judging.scripted_server import Asked as Request
from tests.judging.scripted_server import Script, ScriptedServer, Step, completion, scripted

KEY = "sk-proj-Very-Secret-0123456789"
MODEL = "scripted"
PRICE = Price(MODEL, 2.0, 8.0)


def endpoint_of(
    server: ScriptedServer, *, timeout_s: float = 5.0, question_s: float = 20.0, max_retries: int = 1
) -> Endpoint:
    """Return the endpoint of a server, quick to give up: 5 s of silence, 20 s a question, one retry."""
    return Endpoint(MODEL, server.url, KEY, timeout_s=timeout_s, question_s=question_s, max_retries=max_retries)


def asks_of(
    n: int = 1, mode: Mode = "simple", *, is_explained: bool = True, n_documents: int = 5, wording: str = ""
) -> list[Ask]:
    """Return the questions of n agents about one story."""
    story = sample_story(n_documents)
    return [
        Ask(
            Question(
                judge="openai",
                model=MODEL,
                endpoint="127.0.0.1",
                mode=mode,
                agent=agent,
                temperature=agent_temperature(agent, n),
                seed=agent_seed(agent),
                story_hash=story_hash(story.documents),
                shown=story.shown,
                shown_hash=shown_hash(story),
                prompt_hash=prompt_hash(mode, is_explained=is_explained, wording=wording),
            ),
            story,
            is_explained,
            agent,
            wording,
        )
        for agent in range(n)
    ]


def put_to(endpoint: Endpoint, asks: Sequence[Ask]) -> list[Ask]:
    """Return the same questions for the model at an endpoint."""
    return [replace(ask, question=replace(ask.question, endpoint=endpoint.host, model=endpoint.model)) for ask in asks]


@dataclass(slots=True)
class Round:
    """What came of a round: ``asked`` is ``None`` where it ended in ``error``."""

    judgements: list[Judgement] = field(default_factory=list)
    asked: Asked | None = None
    error: NarrativeError | None = None

    @property
    def only(self) -> Judgement:
        assert len(self.judgements) == 1
        return self.judgements[0]

    @property
    def statuses(self) -> list[str]:
        return [judgement.status for judgement in self.judgements]

    @property
    def told(self) -> str:
        """All that is told of it, in one text."""
        return repr((self.judgements, self.asked, self.error))


def run(
    server: ScriptedServer,
    asks: list[Ask] | None = None,
    *,
    endpoint: Endpoint | None = None,
    known: Capabilities | None = None,
    heartbeat: Callable[[], None] = lambda: None,
    then: Callable[[Judgement], None] = lambda _: None,
    price: Price | None = None,
    budget_usd: float | None = None,
    concurrency: int = 16,
) -> Round:
    """Put questions to a server and return what came of it, a `NarrativeError` included.

    ``then`` is called with each judgement. The key must be in nothing that came, and in nothing that was logged.
    """
    came = Round()
    whom = endpoint or endpoint_of(server)

    def keep(judgement: Judgement) -> None:
        came.judgements.append(judgement)
        then(judgement)

    with logged() as records:
        try:
            came.asked = ask_all(
                whom,
                put_to(whom, asks_of() if asks is None else asks),
                capabilities=known or Capabilities(whom.host, MODEL),
                on_judgement=keep,
                heartbeat=heartbeat,
                price=price,
                budget_usd=budget_usd,
                concurrency=concurrency,
            )
        except NarrativeError as error:
            came.error = error
    assert KEY not in "".join(f"{record.getMessage()} {record.__dict__!r}" for record in records)
    assert KEY not in came.told
    return came


def come_of(
    script: Script, n: int = 1, *, timeout_s: float = 5.0, question_s: float = 20.0, max_retries: int = 1
) -> tuple[Round, ScriptedServer]:
    """Put n questions to a server, and check what holds however it fails: without a reply to read there is no score."""
    with scripted(script) as server:
        endpoint = endpoint_of(server, timeout_s=timeout_s, question_s=question_s, max_retries=max_retries)
        came = run(server, asks_of(n), endpoint=endpoint)
    for judgement in came.judgements:
        is_ok = judgement.status == "ok"
        assert math.isnan(judgement.score) != is_ok
        assert bool(judgement.message) != is_ok
        assert is_ok or (judgement.criteria, judgement.explanation, judgement.weakest_step) == ((), "", None)
    return came, server


@contextmanager
def logged() -> Iterator[list[logging.LogRecord]]:
    """Collect all that anyone logs, whatever its level."""
    records: list[logging.LogRecord] = []

    class Keeper(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(record)

    handler, root = Keeper(), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield records
    finally:
        root.removeHandler(handler)
        root.setLevel(level)


def good(mode: Mode = "simple", score: float = 7) -> Step:
    """Return an answer with a good reply."""
    return completion(good_reply(mode, score=score))


def in_turn(*steps: Step) -> Script:
    """Return a script that does one step after the other, and the last one for ever."""
    turns: Iterator[Step] = iter(steps)

    def script(_: Request) -> Step:
        return next(turns, steps[-1])

    return script


def where(is_so: Callable[[dict[str, Any]], bool], step: Step, otherwise: Step | None = None) -> Script:
    """Return a script that does one thing with requests of one kind, and answers the others well."""
    return lambda asked: step if is_so(asked.body) else (otherwise or good())
