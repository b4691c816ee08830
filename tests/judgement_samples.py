"""Judgements, as small samples and as Hypothesis strategies, for the tests of the store and of recordings."""

import json
from typing import get_args

from hypothesis import strategies as st

from narrative_core.judgements import (
    CriterionScore,
    Judgement,
    JudgeName,
    Mode,
    Question,
    ReplyForm,
    Shown,
    Status,
)
from narrative_core.judging.replies import read_reply

HOSTILE = "'; DROP TABLE judgements; -- \" ? $1 {x} \0 % <b> \\ \n\u2028\r"
STANDARD_REPLY = {
    "logical_flow": 7,
    "thematic_consistency": 8.5,
    "temporal_coherence": 4,
    "narrative_completeness": 6,
    "explanation": "The middle drifts.",
    "weakest_transition": 2,
}


def question(agent: int = 0, *, mode: Mode = "simple", story: str = "story", model: str = "gpt-4.1") -> Question:
    """Return a question to a prompted judge."""
    return Question(
        "openai", model, "api.example.org", mode, agent, 0.3 + agent / 10, agent, story, "titles", "text", "prompt"
    )


def answered(agent: int = 0, score: float = 7, *, story: str = "story", model: str = "gpt-4.1") -> Judgement:
    """Return an ok judgement of a prompted judge whose numbers are those of its reply."""
    reply = json.dumps({"score": score, "explanation": "It holds.", "weakest_transition": 1})
    said = read_reply(reply, "simple", n_documents=4, is_explained=True)
    return Judgement(
        question(agent, story=story, model=model),
        "ok",
        said.score,
        explanation=said.explanation,
        weakest_step=said.weakest_step,
        reply=reply,
        input_tokens=120,
        output_tokens=30,
        seconds=1.5,
        cost_usd=0.00048,
        dropped=("seed",),
        form="schema",
        place=agent,
        asked_at="2026-03-01T12:00:00+00:00",
        n_documents=4,
    )


def flow_judgement(story: str = "story") -> Judgement:
    """Return an ok judgement of reading flow."""
    asked = Question("flow", "gemma", "", None, 0, None, None, story, "titles", "text", "flow 1")
    return Judgement(asked, "ok", 0.4, (), (0.5, 0.1 + 0.2, 0.4), 1, "Reads well.", n_documents=4)


def lexical_judgement(story: str = "story") -> Judgement:
    """Return an ok judgement of the lexical reader, one of whose criteria is unknown."""
    asked = Question("lexical", "", "", None, 0, None, None, story, "titles", "text", "lexical 1")
    criteria = (
        CriterionScore("logical_flow", 6.5, "Shared terms."),
        CriterionScore("temporal_coherence", float("nan")),
    )
    return Judgement(asked, "ok", 6.5, criteria, explanation="Words are shared.", n_documents=4)


def choices(literal: object) -> st.SearchStrategy[str]:
    """Return a strategy over the values of a Literal."""
    return st.sampled_from(get_args(literal))


texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=12) | st.sampled_from(
    ["", HOSTILE, "مرحبا", "👩‍👩‍👧", "\0", "NULL", "nan", "\ufeff", "e\u0301", "a\r\nb"]
)
floats = st.floats(width=64)
amounts = st.floats(0, 1e300)
counts = st.integers(0, 2**31 - 1)
tokens = st.none() | st.integers(0, 2**63 - 1)
criteria = st.lists(st.builds(CriterionScore, name=texts, score=floats, reason=texts), max_size=3).map(tuple)
questions = st.builds(
    Question,
    judge=choices(JudgeName),
    model=texts,
    endpoint=texts,
    mode=st.none() | choices(Mode),
    agent=counts,
    temperature=st.none() | amounts,
    seed=st.none() | st.integers(-(2**127) + 1, 2**127 - 1),
    story_hash=texts,
    shown=choices(Shown),
    shown_hash=texts,
    prompt_hash=texts,
)
judgements = st.builds(
    Judgement,
    question=questions,
    status=choices(Status),
    score=floats,
    criteria=criteria,
    link_scores=st.lists(floats, max_size=4).map(tuple),
    weakest_step=st.none() | counts,
    explanation=texts,
    reply=texts,
    message=texts,
    input_tokens=tokens,
    output_tokens=tokens,
    seconds=floats,
    cost_usd=floats,
    dropped=st.lists(texts, max_size=2).map(tuple),
    form=st.none() | choices(ReplyForm),
    is_repaired=st.booleans(),
    place=counts,
    asked_at=texts,
    first_reply=texts,
    n_documents=counts,
    is_explained=st.booleans(),
)
"""Anything that the fields can hold, whether a judge would say it or not."""
