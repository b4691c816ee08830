"""From the judgements of several agents to what one seat says of one story."""

import math
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from narrative_core.judgements import Judgement, Seat, Status, Verdict
from narrative_core.records import StoryKind


def sum_up(seat: Seat, kind: StoryKind, judgements: Sequence[Judgement], *, random: Sequence[float] = ()) -> Verdict:
    """Return what the agents of a seat say of one story. Only ok judgements have a say in the numbers; all are counted.

    Parameters
    ----------
    seat : Seat
    kind : {"trail", "baseline"}
    judgements : sequence of Judgement
        One an agent, in any order.
    random : sequence of float
        What the seat gives to random chronologies of the collection.
    """
    ok = [judgement for judgement in judgements if judgement.status == "ok"]
    scores = [judgement.score for judgement in ok]
    mean = statistics.fmean(scores) if scores else math.nan
    counts: Mapping[Status, int] = Counter(judgement.status for judgement in judgements)
    return Verdict(
        seat=seat,
        kind=kind,
        judgements=median_first(judgements),
        mean=mean,
        sd=statistics.stdev(scores) if len(scores) > 1 else math.nan,
        criteria=_criterion_means(ok),
        weakest_step=most_named(judgement.weakest_step for judgement in ok),
        percentile=percentile_among(mean, random),
        n_random=len(random),
        counts=dict(counts),
    )


def median_first(judgements: Sequence[Judgement]) -> tuple[Judgement, ...]:
    """Return judgements with the one of median score first, then by distance from it, those without a score last.

    Of an even number the lower median leads; among equals the lower agent.
    """
    ok = sorted((j for j in judgements if j.status == "ok"), key=lambda j: (j.score, j.question.agent))
    rest = sorted((j for j in judgements if j.status != "ok"), key=lambda j: j.question.agent)
    if not ok:
        return tuple(rest)
    median = statistics.median_low([j.score for j in ok])
    leader = min((j for j in ok if j.score == median), key=lambda j: j.question.agent)
    others = [j for j in ok if j is not leader]
    return (leader, *sorted(others, key=lambda j: (abs(j.score - median), j.question.agent)), *rest)


def most_named(steps: Iterable[int | None]) -> int | None:
    """Return the link that is named most often, the earlier one among equals; ``None`` where none is named."""
    named = Counter(step for step in steps if step is not None)
    return min(named, key=lambda step: (-named[step], step)) if named else None


def percentile_among(score: float, others: Sequence[float]) -> float:
    """Return the share of others below a score in percent, equals counted half; nan without a score or others.

    Examples
    --------
    >>> percentile_among(0.5, [0.1, 0.2, 0.5, 0.9])
    62.5
    """
    if math.isnan(score) or not others:
        return math.nan
    below = sum(other < score for other in others) + 0.5 * sum(other == score for other in others)
    return 100.0 * below / len(others)


def _criterion_means(judgements: Sequence[Judgement]) -> Mapping[str, float]:
    scores: defaultdict[str, list[float]] = defaultdict(list)
    for judgement in judgements:
        for criterion in judgement.criteria:
            scores[criterion.name].append(criterion.score)
    return {name: statistics.fmean(values) for name, values in scores.items()}
