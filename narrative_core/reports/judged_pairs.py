"""Who of a panel said what of a saved story: verdicts by seat, what a seat is called, and its scores in one line."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from narrative_core.counting import count
from narrative_core.judgements import Judgement, JudgeName, Mode, Seat, Shown, Verdict
from narrative_core.records import StoryKind
from narrative_core.reports.sentences import plain_line
from narrative_core.reports.verdict_sentences import each_judgement, score_words

MODE_WORDS: Final[dict[Mode, str]] = {
    "simple": "simple",
    "cot": "step by step",
    "standard": "standard",
    "complex": "complex",
}
SHOWN_WORDS: Final[dict[Shown, str]] = {"titles": "titles", "dates": "titles and dates", "leads": "titles and leads"}
"""What a judge is shown of each document, in words."""

NATS: Final = "nats per token"
SHORT_HASH: Final = 10
"""Digits of a hash that are shown where the whole of it stands elsewhere."""

MOST_IN_LINE: Final = 3
"""Judges that a card has room for; the others are counted."""

JUDGE_WORDS: Final[dict[JudgeName, str]] = {
    "lexical": "Lexical reader",
    "flow": "Reading flow",
    "openai": "Prompted judge",
}
_LONGEST_NAME: Final = 80


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """What one seat says of the trail and of its random chronology."""

    trail: Verdict
    baseline: Verdict

    @property
    def seat(self) -> Seat:
        """Who says it."""
        return self.trail.seat

    @property
    def verdicts(self) -> tuple[Verdict, Verdict]:
        """Both, the trail's first."""
        return self.trail, self.baseline

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        """All that were asked, each once, the trail's first."""
        return each_judgement(self.verdicts)


def judged_pairs(verdicts: Sequence[Verdict]) -> tuple[JudgedPair, ...]:
    """Return verdicts by seat. A seat that was asked about neither story is left out."""
    said = {(verdict.seat, verdict.kind): verdict for verdict in verdicts}
    pairs = [
        JudgedPair(
            said.get((seat, "trail")) or _unasked(seat, "trail"),
            said.get((seat, "baseline")) or _unasked(seat, "baseline"),
        )
        for seat in dict.fromkeys(verdict.seat for verdict in verdicts)
    ]
    return tuple(judged for judged in pairs if judged.judgements)


def seat_title(seat: Seat, *, with_agents: bool = True) -> str:
    """Return what a seat is called, not escaped; what is shown is in it where it is not what is shown by default.

    Examples
    --------
    >>> seat_title(Seat("openai", "gpt-4.1", "api.openai.com", "standard", 5))
    'gpt-4.1, standard, 5 agents'
    >>> seat_title(Seat("lexical", "", shown="leads"))
    'Lexical reader'
    """
    if seat.mode is None:
        return JUDGE_WORDS[seat.judge]
    parts = [short_name(seat.model) or JUDGE_WORDS[seat.judge], MODE_WORDS[seat.mode]]
    if with_agents:
        parts.append(count(seat.n_agents, "agent"))
    if seat.shown != "titles":
        parts.append(SHOWN_WORDS[seat.shown])
    if not seat.is_explained:
        parts.append("no explanation")
    return ", ".join(parts)


def short_name(text: str) -> str:
    """Return the name of a model or host on one line, cut after 80 characters."""
    return cut_line(plain_line(text), _LONGEST_NAME)


def judges_line(verdicts: Sequence[Verdict]) -> str:
    """Return the scores of the first judges in one line, the trail's first; empty where none was asked.

    "reading flow +1.51 vs +0.20 nats per token · gpt-4.1, standard: 7.4 ± 0.2 vs 3.8 ± 0.4 · and 2 more judges". A gain
    has its sign, since less than nothing is possible.
    """
    judged = judged_pairs(verdicts)
    told = [_in_line(one) for one in judged[:MOST_IN_LINE]]
    more = len(judged) - MOST_IN_LINE
    return " · ".join([*told, *([f"and {count(more, 'more judge')}"] if more > 0 else [])])


def score_sum(judged: JudgedPair) -> str:
    """Return how many answers about both stories were asked for and how many have a score: "10 asked, 9 ok"."""
    n_ok = sum(judgement.status == "ok" for judgement in judged.judgements)
    return f"{len(judged.judgements):,} asked, {n_ok:,} ok"


def cut_line(text: str, most: int) -> str:
    """Return one line of text, with an ellipsis where it was longer than ``most`` characters."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _in_line(judged: JudgedPair) -> str:
    seat = judged.seat
    title = seat_title(seat, with_agents=False)
    if seat.mode is None:
        title = title[:1].lower() + title[1:]
    if not any(math.isfinite(verdict.mean) for verdict in judged.verdicts):
        return f"{title}: no score"
    signed = [_signed(verdict) if seat.judge == "flow" else score_words(verdict) for verdict in judged.verdicts]
    colon = "" if seat.mode is None else ":"
    return f"{title}{colon} {' vs '.join(signed)}{f' {NATS}' if seat.judge == 'flow' else ''}"


def _signed(verdict: Verdict) -> str:
    told = score_words(verdict)
    return f"+{told}" if verdict.mean > 0 and float(f"{verdict.mean:.2f}") else told


def _unasked(seat: Seat, kind: StoryKind) -> Verdict:
    return Verdict(seat, kind, (), math.nan, math.nan)
