"""Whether the judges of a run notice damage to a story, and overlook what does not matter: no human labels needed."""

from collections.abc import Mapping, Sequence
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput
from narrative_core.estimates import Estimate
from narrative_core.judgements import Seat
from narrative_core.run_outcomes import DAMAGES, Check, CheckResult, Expected, Outcome, SanityResults
from narrative_core.runs import PARAPHRASED, REORDERED, RunTable, SeatScores
from narrative_core.stats.association import association
from narrative_core.stats.paired import paired_difference
from narrative_core.stats.summaries import summary

POINTS_MARGIN = 0.5
"""How far a score of 1 to 10 may move before it counts: half a step of the scale on which judges answer."""

NATS_MARGIN_SD = 0.2
"""The same for reading flow, whose unit has no steps: a share of the standard deviation of its scores over undamaged
stories. Cohen calls an effect of that size small."""

ALIKE_RHO = 0.5
"""Spearman's correlation above which two readings rank stories alike. At 0.5 they put two of three couples of stories
in the same order (for normal scores Kendall's τ = 2/π · arcsin(2·sin(π/12)) = 0.35, and (1 + τ)/2 = 0.67); chance puts
one of two."""

EXPECTED: Mapping[Check, Expected] = {
    "shuffled": "lower",
    "reversed": "lower",
    "foreign": "lower",
    "doubled": "lower",
    "criteria": "same",
    "paraphrase": "same",
    "shown": "alike",
}
_WORDING: Mapping[Check, str] = {"criteria": REORDERED, "paraphrase": PARAPHRASED}

Column = NDArray[np.float64]


def sanity_results(table: RunTable, *, n_resamples: int = 1000) -> SanityResults:
    """Return every check of every judge of a sanity run.

    The usual seat of a judge, a model, an endpoint and a mode is the first one; its variants are those that are asked
    in another wording, and the first that is shown something else. Original and changed scores are means over agents.

    - "shuffled", "reversed", "foreign", "doubled": the usual seat on the damaged story, and on the trail of the same
      pair.
    - "criteria", "paraphrase": the variant and the usual seat on the same trails and random chronologies.
    - "shown": Spearman's correlation of those two over the same stories.

    Parameters
    ----------
    table : RunTable
        Of a run of the design "sanity". A pair whose trail could not be damaged in some way lacks that story.
    n_resamples : int
        How often the bootstrap draws pairs.

    Returns
    -------
    SanityResults
        Seven checks a usual seat, in the order of `Check`. ``original`` and ``changed`` are of stories that have both
        scores, all others are skipped; ``outcome`` is that of `outcome_of`. A check that the run has no seat or no
        story for is "not asked".

    Raises
    ------
    InvalidInput
        If the run is of another design.
    """
    if table.run.settings.design != "sanity":
        raise InvalidInput(f"Sanity checks need a sanity run; got one of the design “{table.run.settings.design}”.")
    checks: tuple[Check, ...] = get_args(Check)
    return SanityResults(
        table.run,
        tuple(_check(table, usual, check, n_resamples) for usual in _usual_seats(table) for check in checks),
        {check: len(table.rows("trail")) - len(table.rows(made)) for check, made in DAMAGES.items()},
    )


def outcome_of(expected: Expected, found: Estimate, margin: float) -> Outcome:
    """Return what the interval of a check says; "undecided" where it says both, or where there is none.

    - "lower" passes where the whole interval lies below 0, by however little, and fails where no part of it lies below
      −margin: then the judge is shown not to mind.
    - "same" passes where the whole interval lies within ±margin, and fails where it lies wholly on one side outside.
    - "alike" passes where the whole interval lies above the margin, and fails where it lies wholly below.

    Examples
    --------
    >>> outcome_of("lower", Estimate(-0.1, -0.4, 0.2), 0.5), outcome_of("lower", Estimate(-0.4, -0.9, 0.2), 0.5)
    ('fail', 'undecided')
    """
    low, high = found.low, found.high
    match expected:
        case "lower":
            is_pass, is_fail = high < 0, low >= -margin
        case "same":
            is_pass, is_fail = low >= -margin and high <= margin, low > margin or high < -margin
        case "alike":
            is_pass, is_fail = low > margin, high < margin
    return "pass" if is_pass else "fail" if is_fail else "undecided"


def _usual_seats(table: RunTable) -> Sequence[SeatScores]:
    first: dict[object, SeatScores] = {}
    for scores in table.seats:
        first.setdefault(scores.seat.judge_and_mode, scores)
    return tuple(first.values())


def _check(table: RunTable, usual: SeatScores, check: Check, n_resamples: int) -> CheckResult:
    expected, margin = EXPECTED[check], _margin(table, usual, check)
    measured, nothing = _original_and_changed(table, usual, check), np.array([])
    original, changed, pairs = measured or (nothing, nothing, nothing.astype(np.int64))
    is_both = ~(np.isnan(original) | np.isnan(changed))
    rng = np.random.default_rng(table.run.settings.seed)
    if expected == "alike":
        found = association(original, changed, pairs, rng=rng, n_resamples=n_resamples).spearman
    else:
        found = paired_difference(changed, original, pairs, rng=rng, n_resamples=n_resamples).difference
    return CheckResult(
        check=check,
        label=usual.label,
        seat=usual.seat,
        expected=expected,
        original=summary(np.where(is_both, original, np.nan)),
        changed=summary(np.where(is_both, changed, np.nan)),
        difference=found,
        margin=margin,
        outcome="not asked" if measured is None else outcome_of(expected, found, margin),
    )


def _margin(table: RunTable, usual: SeatScores, check: Check) -> float:
    if EXPECTED[check] == "alike":
        return ALIKE_RHO
    if usual.seat.judge == "flow":
        return NATS_MARGIN_SD * summary(usual.means[_undamaged(table)]).sd
    return POINTS_MARGIN


def _original_and_changed(
    table: RunTable, usual: SeatScores, check: Check
) -> tuple[Column, Column, NDArray[np.int64]] | None:
    """Return scores before and after the change with the pair of each, ``None`` where there is nothing changed."""
    means, pairs = usual.means, table.pairs
    if check in DAMAGES:
        trails, damaged = table.rows("trail"), table.rows(DAMAGES[check])
        if len(damaged) == 0:
            return None
        of_pair = dict(zip(pairs[damaged].tolist(), means[damaged].tolist(), strict=True))
        changed = [of_pair.get(pair, np.nan) for pair in pairs[trails].tolist()]
        return means[trails], np.array(changed, dtype=np.float64), pairs[trails]
    variant = next((scores for scores in table.seats if _is_variant(scores.seat, usual.seat, check)), None)
    if variant is None:
        return None
    rows = _undamaged(table)
    return means[rows], variant.means[rows], pairs[rows]


def _is_variant(seat: Seat, usual: Seat, check: Check) -> bool:
    """Whether a seat differs from the usual one in what a check is about, and in nothing else of the kind."""
    if seat.judge_and_mode != usual.judge_and_mode:
        return False
    if check == "shown":
        return seat.shown != usual.shown and seat.version not in _WORDING.values()
    return seat.shown == usual.shown and seat.version == _WORDING[check]


def _undamaged(table: RunTable) -> NDArray[np.intp]:
    return np.sort(np.concatenate([table.rows("trail"), table.rows("baseline")]))
