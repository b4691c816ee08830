"""What the judges say of a saved story, put together for a page: each judge with both stories side by side.

As in `verdict_sentences`, every function is pure and returns plain text on one line or, for what a judge wrote, on
several; whoever puts it into HTML or Markdown escapes it there. Titles, model names, explanations and messages are
text of others: control and direction-changing characters are taken out of all of it.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from narrative_core.counting import count
from narrative_core.judgements import HIGHEST_SCORE, Judgement, Verdict
from narrative_core.records import Story, StoryKind, StoryPair
from narrative_core.reports.cost_sentences import use_words
from narrative_core.reports.judged_pairs import (
    NATS,
    SHORT_HASH,
    SHOWN_WORDS,
    JudgedPair,
    cut_line,
    judged_pairs,
    seat_title,
    short_name,
)
from narrative_core.reports.sentences import plain_line
from narrative_core.reports.verdict_sentences import (
    answers_words,
    criterion_title,
    dropped_sentences,
    format_score,
    measured_link_sentence,
    named_link_sentence,
    percentile_sentence,
    percentile_words,
    score_words,
    spoken_judgement,
    verdict_sentence,
)

_FLOW_CRITERIA: Final = {"mean": "Mean of the links", "minimum": "Weakest link"}
_LONGEST_MESSAGE: Final = 300


@dataclass(frozen=True, slots=True)
class CriterionRow:
    """One criterion with what both stories get for it, "–" where there is no score."""

    title: str
    trail: str
    baseline: str


@dataclass(frozen=True, slots=True)
class Reason:
    """Why the judge that speaks gives a story what it gives it in one criterion."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class JudgeSide:
    """What a judge says of one story.

    ``unit`` is empty without a score, ``percentile`` where it is not known · ``links`` are the sentences on the link
    that it names and on the one that the mathematics names · ``speaker`` introduces ``explanation``, whose lines are
    kept · ``failures`` says why answers have no score, each reason once with its number.
    """

    kind: StoryKind
    score: str
    unit: str
    answers: str
    percentile: str
    links: tuple[str, ...]
    speaker: str
    explanation: str
    reasons: tuple[Reason, ...]
    failures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JudgeSection:
    """One judge: what it gives both stories in a sentence, then in full; ``remarks`` on how it was asked."""

    title: str
    sentence: str
    trail: JudgeSide
    baseline: JudgeSide
    criteria: tuple[CriterionRow, ...]
    remarks: tuple[str, ...]


def judge_sections(pair: StoryPair, verdicts: Sequence[Verdict]) -> tuple[JudgeSection, ...]:
    """Return a section a judge that was asked about either story, in the order of the verdicts."""
    return tuple(_section(pair, judged) for judged in judged_pairs(verdicts))


def caveat_sentences(verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    """Return what the scores of the judges that were asked do not say; empty where none was asked."""
    judged = judged_pairs(verdicts)
    if not judged:
        return ()
    judges = {one.seat.judge for one in judged}
    told = [
        "A judge's score is not a proof: it says how well a list of documents holds together for that judge, not "
        "whether the story is true or complete."
    ]
    if "openai" in judges:
        told.append(
            "Prompted judges are language models and differ between runs: asked again, in other words or in another "
            "version, they may give other scores. They go from 1 to 10; ± is the standard deviation of the agents."
        )
    if "flow" in judges:
        told.append(
            f"Reading flow is in {NATS}, which is another scale: about 0 is as much as after another document of the "
            "collection, and it can be negative."
        )
    if "lexical" in judges:
        told.append("The lexical reader understands nothing; it is the floor that a language model has to beat.")
    return tuple(told)


def said_text(text: str) -> str:
    """Return what a judge wrote, line by line, blank lines never two in a row.

    Examples
    --------
    >>> said_text("One.\\n\\n\\n  Two.\\t3 ")
    'One.\\n\\nTwo. 3'
    """
    kept: list[str] = []
    for line in map(plain_line, text.strip().splitlines()):
        if line or (kept and kept[-1]):
            kept.append(line)
    return "\n".join(kept).strip()


def _section(pair: StoryPair, judged: JudgedPair) -> JudgeSection:
    return JudgeSection(
        title=seat_title(judged.seat),
        sentence=f"It {verdict_sentence(judged.trail, judged.baseline)}.",
        trail=_side(judged.trail, pair.trail),
        baseline=_side(judged.baseline, pair.baseline),
        criteria=_criteria(judged),
        remarks=(*dropped_sentences(judged.verdicts), _account(judged)),
    )


def _side(verdict: Verdict, story: Story) -> JudgeSide:
    is_flow = verdict.seat.judge == "flow"
    unit = NATS if is_flow else f"of {HIGHEST_SCORE:g}"
    spoken = spoken_judgement(verdict)
    sentences = (named_link_sentence(verdict, story), measured_link_sentence(verdict, story)) if spoken else ()
    return JudgeSide(
        kind=verdict.kind,
        score=score_words(verdict),
        unit=unit if math.isfinite(verdict.mean) else "",
        answers=answers_words(verdict) if verdict.n_asked else "",
        percentile=percentile_sentence(verdict) if percentile_words(verdict) else "",
        links=tuple(sentence for sentence in sentences if sentence),
        speaker=_speaker(verdict, spoken),
        explanation=said_text(spoken.explanation) if spoken else "",
        reasons=_reasons(spoken),
        failures=_failures(verdict),
    )


def _speaker(verdict: Verdict, spoken: Judgement | None) -> str:
    if spoken is None:
        return ""
    if said_text(spoken.explanation):
        return "It says:" if verdict.n_ok == 1 else f"The median agent, number {spoken.question.agent + 1}, says:"
    # That no explanation was asked for is said where the link stands that it would have named.
    is_asked = verdict.seat.is_explained and verdict.seat.judge != "flow"
    return "It gave no explanation." if is_asked else ""


def _reasons(spoken: Judgement | None) -> tuple[Reason, ...]:
    given = spoken.criteria if spoken else ()
    return tuple(
        Reason(criterion_title(criterion.name), plain_line(criterion.reason))
        for criterion in given
        if plain_line(criterion.reason)
    )


def _failures(verdict: Verdict) -> tuple[str, ...]:
    lost = Counter(
        (judgement.status, cut_line(plain_line(judgement.message), _LONGEST_MESSAGE))
        for judgement in verdict.judgements
        if judgement.status != "ok"
    )
    return tuple(
        f"{count(n, 'answer')} without a score, {status}{f': {message}' if message else '.'}"
        for (status, message), n in lost.items()
    )


def _criteria(judged: JudgedPair) -> tuple[CriterionRow, ...]:
    is_flow = judged.seat.judge == "flow"
    names = dict.fromkeys(name for verdict in judged.verdicts for name in verdict.criteria)
    return tuple(
        CriterionRow(
            title=_FLOW_CRITERIA.get(name, criterion_title(name)) if is_flow else criterion_title(name),
            trail=_criterion_score(judged.trail, name),
            baseline=_criterion_score(judged.baseline, name),
        )
        for name in names
    )


def _criterion_score(verdict: Verdict, name: str) -> str:
    score = verdict.criteria.get(name, math.nan)
    return format_score(score, verdict.seat.judge) if math.isfinite(score) else "–"


def _account(judged: JudgedPair) -> str:
    """Say how a judge was asked and what it took."""
    seat, asked = judged.seat, judged.judgements[0].question
    parts = [f"asked at {short_name(seat.endpoint)}" if seat.endpoint else "", f"shown {SHOWN_WORDS[seat.shown]}"]
    if seat.judge == "openai":
        parts.append(f"prompt {asked.prompt_hash[:SHORT_HASH]}")
    if seat.judge != "lexical":
        parts.append(use_words(judged.verdicts))
    told = " · ".join(part for part in parts if part)
    return told[:1].upper() + told[1:]
