"""A small bench of judges for tests: an endpoint that answers whatever it is asked, a reader without a model."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from narrative_core.assessment import Bench
from narrative_core.extraction import LoadedCollection, tell
from narrative_core.judgements import Mode, Seat, Shown
from narrative_core.judging.endpoint import Endpoint
from narrative_core.records import StoryPair, TrailRequest
from tests.judging.scripted_server import Asked, Script, ScriptedServer, Step, completion

MODEL = "scripted"
KEY = "sk-test-Never-To-Be-Seen-0123456789"

ScoreOf = Callable[[dict[str, Any]], int]


@dataclass
class FakeScorer:
    """In the place of a language model: a word is the likelier the oftener it stands in the context."""

    model: str = "fake reader"
    version: str = "1"
    path: str = "in memory"
    asked: list[tuple[str, str]] = field(default_factory=list)

    def log_probabilities(self, context: str, continuation: str) -> NDArray[np.float64]:
        self.asked.append((context, continuation))
        read = context.casefold().split()
        return np.array([-3.0 + min(2, read.count(word)) for word in continuation.casefold().split()])


@dataclass
class Reports:
    """Remembers what the work reports; raises ``stop`` once it has reported ``stop_at`` done."""

    stop_at: int | None = None
    stop: BaseException | None = None
    told: list[tuple[str, int, int]] = field(default_factory=list)

    def __call__(self, stage: str, done: int, total: int) -> None:
        self.told.append((stage, done, total))
        if self.stop is not None and self.stop_at is not None and done >= self.stop_at:
            raise self.stop


def silent(stage: str, done: int, total: int) -> None:
    """Take a report and do nothing."""


def endpoint_of(
    server: ScriptedServer, *, model: str = MODEL, timeout_s: float = 1.0, max_retries: int = 0
) -> Endpoint:
    """Return the endpoint of a server, quick to give up: 1 s of silence, no retry."""
    return Endpoint(model, server.url, KEY, timeout_s=timeout_s, question_s=5.0, max_retries=max_retries)


def bench_of(server: ScriptedServer, *, concurrency: int = 16, budget_usd: float | None = None) -> Bench:
    """Return a bench with a server as its prompted judge."""
    return Bench(endpoint_of(server), concurrency=concurrency, budget_usd=budget_usd)


def prompted_seat(
    server: ScriptedServer,
    mode: Mode = "simple",
    n_agents: int = 1,
    *,
    shown: Shown = "titles",
    is_explained: bool = True,
) -> Seat:
    """Return a seat of the prompted judge at a server."""
    return Seat("openai", MODEL, f"127.0.0.1:{server.port}", mode, n_agents, shown, is_explained=is_explained)


def reply_to(body: dict[str, Any], score: int = 7) -> str:
    """Return a reply of the form that a request asks for; every criterion has the same score."""
    schema = body["response_format"]["json_schema"]["schema"]["properties"]
    values: dict[str, Any] = {name: "What I see." for name, part in schema.items() if part["type"] == "string"}
    values |= {name: score for name, part in schema.items() if part.get("enum") == list(range(1, 11))}
    if "weakest_transition" in schema:
        values["weakest_transition"] = 1
    return json.dumps({name: values[name] for name in schema})


def seed_score(body: dict[str, Any]) -> int:
    """Return a score that depends on what is asked and on the agent, from 2 to 9."""
    warmth = round(100 * float(body.get("temperature", 0)))
    return 2 + (int(body["seed"]) + warmth + len(body["messages"][1]["content"])) % 8


def answering(score_of: ScoreOf = seed_score, *, wait_s: float = 0.0) -> Script:
    """Return a script that answers every question in its form."""

    def script(asked: Asked) -> Step:
        return replace(completion(reply_to(asked.body, score_of(asked.body))), wait_s=wait_s)

    return script


def asked_of(body: dict[str, Any]) -> tuple[str, str, int]:
    """Return what tells one question from another in a request: the instruction, the list, the agent's seed."""
    system, user = body["messages"][:2]
    return system["content"], user["content"], int(body["seed"])


def with_ids(loaded: LoadedCollection, ids: Sequence[str]) -> LoadedCollection:
    """Return the same collection with other document ids."""
    named = tuple(replace(document, document_id=name) for document, name in zip(loaded.documents, ids, strict=True))
    return replace(loaded, documents=named, row_of={name: row for row, name in enumerate(ids)})


def towns_pair(loaded: LoadedCollection) -> StoryPair:
    """Return a trail of five documents of the collection of ``builders``, beside another random chronology."""
    source, target = loaded.documents[0], loaded.documents[18]
    pair = tell(loaded, TrailRequest(source.document_id, target.document_id))
    assert len(pair.trail.documents) == 5
    assert pair.trail.documents != pair.baseline.documents
    return pair
