"""What judges say of two stories, in words: scores with their spread, counts, the link that is named weakest.

As in `sentences`, every function is pure and returns plain text, which whoever puts it into HTML or Markdown escapes
there. A judge "gives" a score and "names" a link; nothing here says that a story is true.
"""

import math
from collections.abc import Sequence
from typing import Final

from narrative_core.counting import count
from narrative_core.judgements import Judgement, JudgeName, Seat, Status, Verdict
from narrative_core.records import Story, StoryKind
from narrative_core.reports.sentences import format_list, format_strength, plain_line, quote_title

STORY_WORDS: Final[dict[StoryKind, str]] = {"trail": "the trail", "baseline": "the random chronology"}
NOT_ASKED: Final = "not asked yet"
NO_SCORE: Final = "no score"
FEW_RANDOM: Final = 20
"""Of fewer random chronologies no percentile is told."""

_UNITS: Final[dict[JudgeName, str]] = {"flow": " nats per token"}
_STATUSES: Final[tuple[Status, ...]] = ("unreadable", "refused", "timed out", "failed")
_DROPPED: Final = {
    "temperature": "This model does not take a temperature: its agents differ by chance alone.",
    "seed": "This model does not take a seed: asked again, it may answer otherwise.",
}


def format_score(score: float, judge: JudgeName) -> str:
    """Return a score as its scale is read: one decimal from 1 to 10, two in nats per token; nan is "no score".

    Examples
    --------
    >>> format_score(7.4, "openai"), format_score(-0.117, "flow"), format_score(float("nan"), "lexical")
    ('7.4', '−0.12', 'no score')
    """
    if not math.isfinite(score):
        return NO_SCORE
    text = f"{score:.2f}" if judge == "flow" else f"{score:.1f}"
    return f"−{text[1:]}" if text.startswith("-") and float(text) else text.removeprefix("-")


def score_words(verdict: Verdict) -> str:
    """Return the score of a verdict with the spread of its agents: "7.4 ± 0.2", "7.4", "no score", "not asked yet".

    The spread is the standard deviation (n − 1) over the agents that gave a score; one agent has none.
    """
    if not verdict.n_asked:
        return NOT_ASKED
    score = format_score(verdict.mean, verdict.seat.judge)
    has_spread = math.isfinite(verdict.mean) and math.isfinite(verdict.sd)
    return f"{score} ± {format_score(verdict.sd, verdict.seat.judge)}" if has_spread else score


def verdict_sentence(trail: Verdict, baseline: Verdict) -> str:
    """Return what one judge gives both stories, without its name and without a full stop.

    "gives the trail 7.4 ± 0.2 and the random chronology 3.8 ± 0.4"; a story without a score is said to have none, and
    one that was not asked about to be open.
    """
    scored = [verdict for verdict in (trail, baseline) if math.isfinite(verdict.mean)]
    if not trail.n_asked and not baseline.n_asked:
        return "has not been asked about these two stories yet"
    if not scored:
        open_ones = [STORY_WORDS[verdict.kind] for verdict in (trail, baseline) if not verdict.n_asked]
        return "gave no score" + (f"; it has not been asked about {open_ones[0]} yet" if open_ones else "")
    told = "gives " + " and ".join(_given(verdict) for verdict in scored)
    if len(scored) == 2:
        return told
    other = baseline if scored[0] is trail else trail
    story = STORY_WORDS[other.kind]
    return f"{told}; it {f'gave {story} no score' if other.n_asked else f'has not been asked about {story} yet'}"


def format_ordinal(number: int) -> str:
    """Return a number as a rank.

    Examples
    --------
    >>> [format_ordinal(number) for number in (1, 2, 3, 11, 12, 72, 100)]
    ['1st', '2nd', '3rd', '11th', '12th', '72nd', '100th']
    """
    is_teen = number % 100 in (11, 12, 13)
    return f"{number}{'th' if is_teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def percentile_words(verdict: Verdict) -> str:
    """Return where a score stands among random chronologies: "72nd percentile"; empty where it is not known, or of few.

    A score beyond all of them is "above all 60" or "below all 60"; any other is from the 1st to the 99th percentile.
    """
    if not math.isfinite(verdict.percentile) or verdict.n_random < FEW_RANDOM:
        return ""
    if verdict.percentile in (0.0, 100.0):
        return f"{'above' if verdict.percentile else 'below'} all {verdict.n_random:,}"
    return f"{format_ordinal(min(99, max(1, round(verdict.percentile))))} percentile"


def percentile_sentence(verdict: Verdict, *, n_possible: int | None = None) -> str:
    """Return the percentile with what it is of; or why there is none, or none yet; empty for others.

    ``n_possible`` is how many different random chronologies the collection has to be read, where that is known.
    """
    words = percentile_words(verdict)
    others = "random chronologies of this collection"
    if not words:
        is_few = verdict.seat.judge == "flow" and verdict.n_ok and verdict.n_random < FEW_RANDOM
        if is_few and n_possible is not None and n_possible < FEW_RANDOM:
            return _never_a_percentile(n_possible)
        return f"no percentile yet: {verdict.n_random:,} {others} were read" if is_few else ""
    if words.endswith("percentile"):
        return f"{words} among {verdict.n_random:,} {others}"
    return f"{words} {others} that were read"


def _never_a_percentile(n_possible: int) -> str:
    if not n_possible:
        return "no percentile: random chronologies are drawn between dated documents, and this collection has no two"
    return (
        f"no percentile: this collection has too few documents for {FEW_RANDOM} different random chronologies; "
        f"{n_possible:,} can be drawn"
    )


def answers_words(verdict: Verdict) -> str:
    """Return how many agents were asked and how they ended: "5 asked, 4 ok, 1 timed out"."""
    if not verdict.n_asked:
        return NOT_ASKED
    ended = [f"{verdict.counts[status]:,} {status}" for status in _STATUSES if verdict.counts.get(status)]
    ok = "all ok" if verdict.n_ok == verdict.n_asked > 1 else f"{verdict.n_ok:,} ok" if verdict.n_ok else "none ok"
    open_ones = verdict.seat.n_agents - verdict.n_asked
    return ", ".join(
        [f"{verdict.n_asked:,} asked", ok, *ended, *([f"{open_ones:,} not asked yet"] if open_ones > 0 else [])]
    )


def n_to_come(verdict: Verdict) -> int:
    """Return how many answers of a seat are still to come: never asked, timed out, or failed."""
    return max(0, verdict.seat.n_agents - sum(judgement.is_final for judgement in verdict.judgements))


def each_judgement(verdicts: Sequence[Verdict]) -> tuple[Judgement, ...]:
    """Return the judgements of some verdicts, each once.

    A trail that is its own random chronology, as one of two documents is, has the same judgements in both verdicts.
    """
    found = {judgement.question.question_id: judgement for verdict in verdicts for judgement in verdict.judgements}
    return tuple(found.values())


def spoken_judgement(verdict: Verdict) -> Judgement | None:
    """Return the judgement that speaks for a seat: the median agent's, which stands first, if it has a score."""
    first = verdict.judgements[0] if verdict.judgements else None
    return first if first is not None and first.status == "ok" else None


def missing_words(verdicts: Sequence[Verdict]) -> str:
    """Return what is missing of some verdicts: "3 answers did not come", "10 answers were not asked for yet"."""
    lost = sum(not judgement.is_final for judgement in each_judgement(verdicts))
    n_open = {_about(verdict): max(0, verdict.seat.n_agents - verdict.n_asked) for verdict in verdicts}
    never = sum(n_open.values())
    told = []
    if lost:
        told.append(f"{count(lost, 'answer')} did not come")
    if never:
        told.append(f"{count(never, 'answer')} {'was' if never == 1 else 'were'} not asked for yet")
    return "; ".join(told)


def named_link_sentence(verdict: Verdict, story: Story) -> str:
    """Return which link a judge names as the weakest, both headlines quoted; empty where nothing was answered."""
    if not verdict.n_ok:
        return ""
    step = named_step(verdict, story)
    if step is None:
        is_asked = verdict.seat.mode is None or verdict.seat.is_explained
        return "It names no link as the weakest." if is_asked else "It was not asked to explain, so it names no link."
    if len(story.links) == 1:
        return "The story has only one link."
    agents = [judgement for judgement in verdict.judgements if judgement.status == "ok"]
    n_naming = sum(judgement.weakest_step == step for judgement in agents)
    share = "" if len(agents) < 2 else f", as {_share(n_naming, len(agents))}"
    return f"It names the link {_link_words(story, step)} as the weakest{share}."


def measured_link_sentence(verdict: Verdict, story: Story) -> str:
    """Return which link is the weakest by the mathematics, and whether that is the one that the judge names."""
    measured = story.links.index(story.weakest_link)
    strength = format_strength(story.bottleneck)
    step = named_step(verdict, story) if verdict.n_ok else None
    if len(story.links) == 1:
        return f"By the mathematics it has {strength}."
    if step is None:
        return f"By the mathematics the weakest link is the one {_link_words(story, measured)} ({strength})."
    if story.links[step].is_weakest:
        return f"The mathematics agrees: it is the weakest there too ({strength})."
    named = format_strength(story.links[step].coherence)
    has = f"has {named}" if named != strength else "is hardly stronger"
    other = f"By the mathematics another is the weakest, the link {_link_words(story, measured)} ({strength})"
    return f"{other}; the one that the judge names {has}."


def named_step(verdict: Verdict, story: Story) -> int | None:
    """Return the link that a judge names as the weakest, ``None`` where it names none of this story."""
    step = verdict.weakest_step
    return step if step is not None and 0 <= step < len(story.links) else None


def dropped_sentences(verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    """Return in words which parameters the model of some verdicts refused; empty where it took all."""
    dropped = {name for verdict in verdicts for judgement in verdict.judgements for name in judgement.dropped}
    known = [sentence for name, sentence in _DROPPED.items() if name in dropped]
    others = sorted(plain_line(name) for name in dropped if name not in _DROPPED)
    return (*known, *([f"It was asked without {format_list(others)}, which it refused."] if others else []))


def agent_words(judgement: Judgement) -> str:
    """Return one agent in a line: its score or what became of it, at which temperature, in which form it answered."""
    question = judgement.question
    ended = judgement.status if judgement.status != "ok" else format_score(judgement.score, question.judge)
    parts = [f"Agent {question.agent + 1}: {ended}"]
    if question.temperature is not None:
        taken = "refused" if "temperature" in judgement.dropped else f"{question.temperature:g}"
        parts.append(f"temperature {taken}")
    if judgement.is_repaired:
        is_right = judgement.status == "ok"
        parts.append("put right in a second request" if is_right else "a second request did not put it right")
    return " · ".join(parts)


def criterion_title(name: str) -> str:
    """Return the key of a criterion as it is read.

    Examples
    --------
    >>> criterion_title("logical_flow")
    'Logical flow'
    """
    return plain_line(name.replace("_", " ")).capitalize()


def _about(verdict: Verdict) -> tuple[Seat, str]:
    """Return who was asked about which story; without an answer the two stories of a pair count as different."""
    return verdict.seat, verdict.judgements[0].question.story_hash if verdict.judgements else verdict.kind


def _given(verdict: Verdict) -> str:
    percentile = percentile_words(verdict)
    unit = _UNITS.get(verdict.seat.judge, "")
    return f"{STORY_WORDS[verdict.kind]} {score_words(verdict)}{unit}{f' ({percentile})' if percentile else ''}"


def _share(n: int, total: int) -> str:
    if n == total:
        return "both agents do" if total == 2 else f"all {total:,} agents do"
    return f"{n:,} of {total:,} agents {'does' if n == 1 else 'do'}"


def _link_words(story: Story, step: int) -> str:
    first, second = story.documents[step], story.documents[step + 1]
    return f"from {quote_title(first)} to {quote_title(second)}"
