"""Judgements and verdicts as plain values, as the command line prints them with ``--json``. Unknown is ``None``."""

import math
from typing import Any

from narrative_core.judgements import Judgement, Verdict
from narrative_core.records import StoryKind


def judgement_facts(kind: StoryKind, judgement: Judgement) -> dict[str, Any]:
    """Return one judgement of one side of a pair."""
    asked = judgement.question
    return {
        "story": kind,
        "judge": asked.judge,
        "model": asked.model,
        "endpoint": asked.endpoint,
        "mode": asked.mode,
        "agent": asked.agent,
        "shown": asked.shown,
        "status": judgement.status,
        "score": _known(judgement.score),
        "criteria": {criterion.name: _known(criterion.score) for criterion in judgement.criteria},
        "weakest_step": judgement.weakest_step,
        "explanation": judgement.explanation,
        "message": judgement.message,
        "seconds": _known(judgement.seconds),
        "tokens": total_tokens(judgement),
        "input_tokens": judgement.input_tokens,
        "output_tokens": judgement.output_tokens,
        "cost_usd": _known(judgement.cost_usd),
        "temperature": asked.temperature,
        "seed": asked.seed,
        "dropped": list(judgement.dropped),
        "place": judgement.place,
        "prompt_hash": asked.prompt_hash,
    }


def verdict_facts(verdict: Verdict) -> dict[str, Any]:
    """Return what a seat says of one side of a pair."""
    return {
        "story": verdict.kind,
        "judge": verdict.seat.judge,
        "model": verdict.seat.model,
        "mode": verdict.seat.mode,
        "mean": _known(verdict.mean),
        "sd": _known(verdict.sd),
        "asked": verdict.n_asked,
        "ok": verdict.n_ok,
        "not_ok": {status: n for status, n in verdict.counts.items() if status != "ok"},
        "criteria": {name: _known(score) for name, score in verdict.criteria.items()},
        "weakest_step": verdict.weakest_step,
        "percentile": _known(verdict.percentile),
        "random_chronologies": verdict.n_random,
    }


def total_tokens(judgement: Judgement) -> int | None:
    """Return tokens in and out together, ``None`` where either is unknown."""
    if judgement.input_tokens is None or judgement.output_tokens is None:
        return None
    return judgement.input_tokens + judgement.output_tokens


def _known(number: float) -> float | None:
    return number if math.isfinite(number) else None
