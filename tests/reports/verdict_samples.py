"""Synthetic judgements and verdicts for the report tests."""

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from narrative_core.judgements import Judgement, Question, Seat, Status, Verdict
from narrative_core.records import StoryKind

PROMPTED = Seat("openai", "gpt-4.1", "api.openai.com", "simple")
FLOW = Seat("flow", "gemma", shown="leads")
LEXICAL = Seat("lexical", "", shown="leads")

Answer = float | Status


def judgement(
    answer: Answer,
    *,
    seat: Seat = PROMPTED,
    agent: int = 0,
    temperature: float | None = None,
    step: int | None = 2,
    story: str = "trail",
) -> Judgement:
    """Return a judgement with a score, or with a status that has none."""
    question = Question(
        judge=seat.judge,
        model=seat.model,
        endpoint=seat.endpoint,
        mode=seat.mode,
        agent=agent,
        temperature=temperature,
        seed=None,
        story_hash=story,
        shown=seat.shown,
        shown_hash="shown",
        prompt_hash="prompt",
    )
    if isinstance(answer, str):
        return Judgement(question, answer, message="It did not work.")
    return Judgement(question, "ok", answer, weakest_step=step)


def verdict(
    answers: Sequence[Answer],
    *,
    seat: Seat = PROMPTED,
    kind: StoryKind = "trail",
    n_agents: int | None = None,
    step: int | None = 2,
    percentile: float = math.nan,
    n_random: int = 0,
    story: str = "",
) -> Verdict:
    """Return a verdict of as many agents as there are answers; ``n_agents`` where more belong to the seat.

    ``story`` names the story where it is not another one for each kind.
    """
    judgements = tuple(
        judgement(answer, seat=seat, agent=agent, step=step, story=story or kind)
        for agent, answer in enumerate(answers)
    )
    scores = [answer for answer in answers if not isinstance(answer, str)]
    return Verdict(
        seat=replace(seat, n_agents=max(1, len(answers)) if n_agents is None else n_agents),
        kind=kind,
        judgements=judgements,
        mean=statistics.fmean(scores) if scores else math.nan,
        sd=statistics.stdev(scores) if len(scores) > 1 else math.nan,
        weakest_step=step if scores else None,
        percentile=percentile,
        n_random=n_random,
        counts=dict(Counter(found.status for found in judgements)),
    )
