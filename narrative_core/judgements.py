"""The values of judging: what is asked of whom, what came back, and what a panel makes of it.

A *panel* is a tuple of seats; a *seat* is a judge in one mode with K agents; each agent answers one *question* about
each story with one *judgement*, kept raw.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Literal

from narrative_core.records import Document, StoryKind

JudgeName = Literal["openai", "flow", "lexical"]
Mode = Literal["simple", "cot", "standard", "complex"]
Shown = Literal["titles", "dates", "leads"]
"""What a judge is shown of each document: its title; title and date; title and the beginning of its text."""

Status = Literal["ok", "unreadable", "refused", "timed out", "failed"]
ReplyForm = Literal["schema", "function", "text"]
"""How a model gives a structured reply: strict structured output, a function call, or JSON in plain text."""

LOWEST_TEMPERATURE, HIGHEST_TEMPERATURE = 0.3, 0.7
"""The K agents of a prompted judge are spread evenly from one to the other."""

MOST_AGENTS = 1000
"""The highest K."""

LOWEST_SCORE, HIGHEST_SCORE = 1.0, 10.0
"""The scale of the prompted judges and of the lexical reader. Reading flow is in nats per token."""


@dataclass(frozen=True, slots=True)
class ShownStory:
    """A story as a judge gets it: documents in order, what of them is shown, and what one calls them in the plural.

    The method that made the story is not a part of it.
    """

    documents: tuple[Document, ...]
    shown: Shown = "titles"
    noun: str = "documents"


@dataclass(frozen=True, slots=True)
class Question:
    """What identifies a judgement: the same question is never paid twice.

    ``endpoint`` is the host that is asked, "" for a judge on this computer · ``mode`` is ``None`` for a judge without
    a prompt · ``agent`` counts from 0 · ``temperature`` and ``seed`` are those asked for, ``None`` for a judge that has
    none · ``story_hash`` stands for the document ids in order, ``shown_hash`` for the text that the judge reads,
    ``prompt_hash`` for the wording of the instruction and its schema, or for the version of a judge without a prompt.
    """

    judge: JudgeName
    model: str
    endpoint: str
    mode: Mode | None
    agent: int
    temperature: float | None
    seed: int | None
    story_hash: str
    shown: Shown
    shown_hash: str
    prompt_hash: str

    @property
    def question_id(self) -> str:
        """Hash of all fields, hexadecimal."""
        # Not asdict: it copies each field deeply, and a run asks for this tens of thousands of times.
        told = {each.name: getattr(self, each.name) for each in fields(self)}
        asked = json.dumps(told, sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(asked.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class CriterionScore:
    """One criterion of a mode. ``reason`` is empty where none was asked for."""

    name: str
    score: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """One reply to one question, with what became of it.

    ``score`` is nan unless ``status`` is "ok" · ``link_scores`` one number a link, empty for a judge that gives none ·
    ``weakest_step`` is the link that the judge names as weakest: it joins document ``weakest_step`` and the next,
    counted from 0; ``None`` where it names none · ``reply`` the raw text, empty where none came · ``message`` a
    sentence on what went wrong, empty where nothing did · tokens are ``None`` where the endpoint does not say ·
    ``cost_usd`` is nan where the price or the tokens are unknown · ``dropped`` parameters that the model refused ·
    ``form`` how the reply came, ``None`` without a prompt · ``is_repaired`` whether it took a second request ·
    ``place`` the place of the question in the order of asking, from 0 · ``asked_at`` UTC, ISO 8601 ·
    ``first_reply`` what was repaired, empty where nothing was: ``reply`` is the one that counts · ``n_documents`` how
    many documents the story has, and ``is_explained`` whether reasons were asked for: a reply is read again with both.
    """

    question: Question
    status: Status
    score: float = float("nan")
    criteria: tuple[CriterionScore, ...] = ()
    link_scores: tuple[float, ...] = ()
    weakest_step: int | None = None
    explanation: str = ""
    reply: str = ""
    message: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    seconds: float = 0.0
    cost_usd: float = float("nan")
    dropped: tuple[str, ...] = ()
    form: ReplyForm | None = None
    is_repaired: bool = False
    place: int = 0
    asked_at: str = ""
    first_reply: str = ""
    n_documents: int = 0
    is_explained: bool = True

    @property
    def is_final(self) -> bool:
        """Whether a reply came, so that asking again would pay twice."""
        return self.status in ("ok", "unreadable", "refused")


@dataclass(frozen=True, slots=True)
class Seat:
    """One judge of a panel: who, in which mode, how often, and what is shown to it.

    ``version`` says which edition of a judge without a prompt it is; the wording of a prompted one says that itself.
    """

    judge: JudgeName
    model: str
    endpoint: str = ""
    mode: Mode | None = None
    n_agents: int = 1
    shown: Shown = "titles"
    is_explained: bool = True
    version: str = ""

    @property
    def judge_and_mode(self) -> tuple[JudgeName, str, str, Mode | None]:
        """Who is asked and how: the same for seats that differ in what is shown, in the wording or in K alone."""
        return self.judge, self.model, self.endpoint, self.mode


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a model at an endpoint was found to accept; ``None`` is not known yet.

    ``context_tokens`` is the longest request and reply together.
    """

    endpoint: str
    model: str
    takes_temperature: bool | None = None
    takes_seed: bool | None = None
    form: ReplyForm | None = None
    context_tokens: int | None = None
    noted_at: str = ""


@dataclass(frozen=True, slots=True)
class Price:
    """What a model costs, in US dollars per million tokens, and where the figure is from."""

    model: str
    input_usd: float
    output_usd: float
    source: str = ""


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a seat is about to cost: ``n_calls`` to make, ``n_reused`` known already; ``cost_usd`` nan if unknown."""

    seat: Seat
    n_calls: int
    n_reused: int
    input_tokens: int
    output_tokens: int
    seconds: float
    cost_usd: float = float("nan")


@dataclass(frozen=True, slots=True)
class RecordedModel:
    """A prompted judge whose replies are in the store, so that it answers again without being asked.

    ``n_judgements`` replies came · ``n_agents`` K, as the temperatures of the agents that replied tell it.
    """

    endpoint: str
    model: str
    mode: Mode
    shown: Shown
    is_explained: bool
    n_agents: int
    n_judgements: int


@dataclass(frozen=True, slots=True)
class MeasuredUse:
    """What one ok judgement took on average: tokens over the ``n_tokens`` that tell both, seconds over all ``n``.

    Unknown is nan.
    """

    n: int
    n_tokens: int
    input_tokens: float
    output_tokens: float
    seconds: float


@dataclass(frozen=True, slots=True)
class JudgementCount:
    """How the judgements of one judge in one mode ended; a status that none has is left out of ``counts``."""

    judge: JudgeName
    model: str
    endpoint: str
    mode: Mode | None
    counts: Mapping[Status, int]

    @property
    def n_asked(self) -> int:
        """How many judgements were asked for and have an end."""
        return sum(self.counts.values())

    @property
    def n_ok(self) -> int:
        """How many of them have a score."""
        return self.counts.get("ok", 0)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the agents of one seat say of one story.

    ``judgements`` are all that were asked, the median agent's first, those that are not ok last · ``mean``, ``sd``
    (n − 1) and ``criteria`` over the ok ones; nan where there are too few · ``percentile`` of the mean among
    ``n_random`` random chronologies of the collection, in 0–100, nan where not known · ``weakest_step`` the link that
    most agents name · ``counts`` how many ended in each status.
    """

    seat: Seat
    kind: StoryKind
    judgements: tuple[Judgement, ...]
    mean: float
    sd: float
    criteria: Mapping[str, float] = field(default_factory=dict)
    weakest_step: int | None = None
    percentile: float = float("nan")
    n_random: int = 0
    counts: Mapping[Status, int] = field(default_factory=dict)

    @property
    def n_asked(self) -> int:
        """How many judgements were asked for and have an end."""
        return len(self.judgements)

    @property
    def n_ok(self) -> int:
        """How many of them have a score."""
        return self.counts.get("ok", 0)
