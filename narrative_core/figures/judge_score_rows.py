"""The rows of the figure of judges' scores, and its words: titles, labels and hover sentences."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from narrative_core.counting import count
from narrative_core.errors import InvalidInput
from narrative_core.figures.theme import BASELINE_SYMBOL, TRAIL_SYMBOL
from narrative_core.figures.wording import clip_text, plot_text
from narrative_core.judgements import HIGHEST_SCORE, Judgement, Verdict
from narrative_core.records import StoryKind

ScoreScale = Literal["points", "percentile"]

KINDS: tuple[StoryKind, ...] = ("baseline", "trail")
"""The order of the two stories in a row: the trail is drawn last, on top."""

_WORDS: dict[StoryKind, str] = {"trail": "trail", "baseline": "random"}
_SYMBOLS: dict[StoryKind, str] = {"trail": TRAIL_SYMBOL, "baseline": BASELINE_SYMBOL}
_STORIES: dict[StoryKind, str] = {"trail": "the trail", "baseline": "the random chronology"}
_LONGEST_LABEL = 44


@dataclass(frozen=True, slots=True)
class Mark:
    """One story as one judge scores it, in a row counted from 0; ``value`` is where its mean stands, nan is nowhere."""

    verdict: Verdict
    label: str
    row: int
    value: float

    @property
    def kind(self) -> StoryKind:
        """Which of the two stories."""
        return self.verdict.kind

    @property
    def is_known(self) -> bool:
        """Whether there is a score to mark."""
        return math.isfinite(self.value)


def score_rows(verdicts: Sequence[Verdict], labels: Sequence[str], scale: ScoreScale) -> list[list[Mark]]:
    """The two marks of each seat, the random chronology's first; a story that nobody judged has an empty verdict."""
    seats = list(dict.fromkeys(verdict.seat for verdict in verdicts))
    if len(seats) != len(labels):
        raise InvalidInput(f"each judge needs one label; got {count(len(labels), 'label')} for {len(seats)}.")
    if scale == "points" and any(seat.judge == "flow" for seat in seats):
        raise InvalidInput("reading flow has no points from 1 to 10; show it by its percentile.")
    known = {(verdict.seat, verdict.kind): verdict for verdict in verdicts}
    rows = []
    for row, (seat, label) in enumerate(zip(seats, labels, strict=True)):
        told = [known.get((seat, kind), Verdict(seat, kind, (), math.nan, math.nan)) for kind in KINDS]
        rows.append([Mark(one, clip_text(label, _LONGEST_LABEL), row, _value(one, scale)) for one in told])
    return rows


def _value(verdict: Verdict, scale: ScoreScale) -> float:
    return verdict.mean if scale == "points" else verdict.percentile


def agent_words(mark: Mark, judgement: Judgement) -> str:
    """One agent's score, for the hover."""
    agent = judgement.question.agent + 1
    return f"Agent {agent} of {plot_text(mark.label)}<br>gives {_STORIES[mark.kind]} {judgement.score:.1f}."


def mean_words(mark: Mark, scale: ScoreScale) -> str:
    """What a judge says of one story, in sentences, for the hover."""
    verdict, name = mark.verdict, plot_text(mark.label)
    if scale == "percentile":
        drawn = f"{verdict.n_random:,} random" if verdict.n_random else "the collection's random"
        return (
            f"{name}: {_STORIES[mark.kind]} reads more smoothly<br>than {mark.value:.0f} % of {drawn} chronologies<br>"
            f"({verdict.mean:.2f} nats per token)."
        )
    lines = [f"{name}: {_STORIES[mark.kind]} scores {verdict.mean:.1f} of {HIGHEST_SCORE:.0f}"]
    if verdict.n_asked > 1:
        deviation = f", standard deviation {verdict.sd:.1f}" if math.isfinite(verdict.sd) else ""
        lines.append(f"in the mean of {verdict.n_ok} of {count(verdict.n_asked, 'agent')}{deviation}")
    sentences = ["<br>".join(lines) + "."]
    sentences += [f"{_criterion(criterion)} {score:.1f}." for criterion, score in verdict.criteria.items()]
    return "<br>".join(sentences)


def _criterion(name: str) -> str:
    return plot_text(name.replace("_", " ").capitalize())


def title_words(rows: Sequence[Sequence[Mark]]) -> str:
    """How many of the judges that scored both stories score the trail higher, by the scores as they are written."""
    if not rows:
        return "No judge has been asked yet"
    known = [(trail, baseline) for baseline, trail in rows if trail.is_known and baseline.is_known]
    both = [(round(trail.value, 1), round(baseline.value, 1)) for trail, baseline in known]
    if not both:
        return "No judge has scored both stories"
    n_higher, n = sum(trail > baseline for trail, baseline in both), len(both)
    if n == 1:
        trail, baseline = both[0]
        judge = "The judge" if len(rows) == 1 else "The one judge that scored both stories"
        if trail == baseline:
            return f"{judge} scores {'them' if len(rows) > 1 else 'both stories'} alike"
        return f"{judge} scores {_STORIES['trail' if trail > baseline else 'baseline']} higher"
    none, every = ("Neither judge scores", "Both judges score") if n == 2 else (None, f"All {n} judges score")
    share = {0: none or f"None of {n} judges scores", 1: f"1 of {n} judges scores", n: every}
    return f"{share.get(n_higher, f'{n_higher} of {n} judges score')} the trail higher"


def score_words(mark: Mark, scale: ScoreScale) -> str:
    """The label beside a mark, or that there is no score.

    Only words without a mark carry its symbol: beside one it would look like another mark, at another score.
    """
    verdict = mark.verdict
    asked = f", {verdict.n_ok} of {count(verdict.n_asked, 'agent')}" if verdict.n_asked > 1 else ""
    if not mark.is_known:
        became = f" ({verdict.judgements[0].status})" if verdict.n_asked == 1 and not verdict.n_ok else ""
        return f"{_SYMBOLS[mark.kind]} {_WORDS[mark.kind]}: no score{became}{asked}"
    if scale == "percentile":
        return f"{_WORDS[mark.kind]} {mark.value:.0f} %"
    deviation = f" ± {verdict.sd:.1f}" if math.isfinite(verdict.sd) else ""
    return f"{_WORDS[mark.kind]} {mark.value:.1f}{deviation}{asked}"
