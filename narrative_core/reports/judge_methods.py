"""How the judges of a story were asked, for the methods box: in words, and line by line to ask them again."""

from collections.abc import Sequence
from typing import Final

from narrative_core.counting import count
from narrative_core.judgements import Judgement, Verdict
from narrative_core.reports.judged_pairs import (
    MODE_WORDS,
    NATS,
    SHORT_HASH,
    SHOWN_WORDS,
    JudgedPair,
    judged_pairs,
    score_sum,
    short_name,
)
from narrative_core.reports.sentences import format_list, plain_line

BLIND: Final = (
    "No judge was told where a story comes from, nor that there is another one to compare it with. The questions about "
    "both stories were put in random order, and the place of each is stored with its answer."
)
FLOW: Final = (
    "Reading flow asks nothing: a language model{model} reads. The gain of a link is the mean log-probability of the "
    "next title after the document before it, less the mean after up to four other documents of the collection, always "
    f"the same ones, in {NATS}. A story's score is the mean over its links, the smallest gain names the weakest link, "
    "and the same model gives the same numbers again"
)
LEXICAL: Final = (
    "The lexical reader has no model: by fixed rules on shared words and names, dates and gaps it scores flow, theme, "
    "time and completeness from 1 to 10. It understands nothing and always gives the same: the floor that a language "
    "model has to beat"
)


def judges_in_words(verdicts: Sequence[Verdict]) -> str:
    """Return how the judges of a story were asked, and how many answers came; empty where none was asked."""
    judged = judged_pairs(verdicts)
    if not judged:
        return ""
    told = [BLIND, *(_in_words(one) for one in judged)]
    return " ".join(told)


def judges_asked(verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    """Return one line a judge with all that it takes to ask it again, the whole hash of the prompt included."""
    return tuple(_in_a_line(one) for one in judged_pairs(verdicts))


def _in_words(judged: JudgedPair) -> str:
    seat, counts = judged.seat, score_sum(judged)
    if seat.judge == "flow":
        model = f" ({name})" if (name := short_name(seat.model)) else ""
        return f"{FLOW.format(model=model)} ({counts})."
    if seat.mode is None:
        return f"{LEXICAL} ({counts})."
    explained = "and to name its reasons and the weakest link" if seat.is_explained else "and for no explanation"
    prompt = judged.judgements[0].question.prompt_hash[:SHORT_HASH]
    return (
        f"{_model_words(judged)} was shown {SHOWN_WORDS[seat.shown]} as a numbered list, one story at a time, and was "
        f"asked in {MODE_WORDS[seat.mode]} mode for scores from 1 to 10 {explained}: "
        f"{count(seat.n_agents, 'agent')}{_temperature_words(judged.judgements)} (prompt {prompt}; {counts})."
    )


def _in_a_line(judged: JudgedPair) -> str:
    seat, asked = judged.seat, judged.judgements[0].question
    if seat.judge == "flow":
        told = ["reading flow", short_name(seat.model), f"version {plain_line(asked.prompt_hash)}"]
    elif seat.mode is None:
        told = [plain_line(asked.prompt_hash) or "lexical reader"]
    else:
        told = [
            _model_words(judged),
            f"{MODE_WORDS[seat.mode]} mode",
            count(seat.n_agents, "agent") + _temperature_words(judged.judgements),
            "with explanations" if seat.is_explained else "without explanations",
            f"prompt {plain_line(asked.prompt_hash)}",
        ]
    return ", ".join(part for part in [*told, f"shown {SHOWN_WORDS[seat.shown]}", score_sum(judged)] if part)


def _model_words(judged: JudgedPair) -> str:
    model, host = short_name(judged.seat.model) or "a language model", short_name(judged.seat.endpoint)
    return f"{model} at {host}" if host else model


def _temperature_words(judgements: Sequence[Judgement]) -> str:
    """Return at which temperatures the agents were asked, and what the model refused of what was asked."""
    asked = sorted({j.question.temperature for j in judgements if j.question.temperature is not None})
    told = ""
    if asked:
        told = f" at temperature {asked[0]:g}" if len(asked) == 1 else f" at temperatures {asked[0]:g} to {asked[-1]:g}"
    dropped = sorted({plain_line(name) for judgement in judgements for name in judgement.dropped})
    return f"{told}; it refused {format_list(dropped)} and was asked without" if dropped else told
