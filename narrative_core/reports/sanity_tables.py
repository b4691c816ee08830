"""The tables of a sanity run: each check of each judge with what was expected, and how they came out."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from narrative_core.reports.judge_rows import SCALES, score_digits
from narrative_core.reports.tables import (
    Cell,
    Column,
    EstimateCell,
    NumberCell,
    Reading,
    Table,
    columns_and_rows,
    summary_cell,
)
from narrative_core.run_outcomes import (
    CHECK_WORDS,
    DAMAGES,
    OUTCOME_WORDS,
    Check,
    CheckResult,
    Expected,
    Outcome,
    SanityResults,
)

EXPECTED_WORDS: Final[Mapping[Expected, str]] = {
    "lower": "the score falls",
    "same": "the score stays within the margin",
    "alike": "stories keep their order",
}
OUTCOME_TOLD: Final[Mapping[Outcome, str]] = {
    "pass": "Checks in which the whole interval is as expected.",
    "fail": "Checks in which the whole interval is not as expected.",
    "undecided": "Checks whose interval allows both: too few stories to tell.",
    "not asked": "Checks that the run has no question for.",
}
OUTCOMES_NOTE: Final = "A check passes or fails where the whole interval says so; else it is undecided."
UNDAMAGED_WORDS: Final[Mapping[Check, str]] = {
    "shuffled": "trails of two documents, too short to be shuffled",
    "foreign": "trails with no other document to put in",
}


@dataclass(frozen=True, slots=True)
class _Outcomes:
    """How the checks of one judge came out."""

    label: str
    position: int
    counts: Mapping[Outcome, int]


def sanity_tables(results: SanityResults) -> tuple[Table, ...]:
    """Return the checks one by one, then how many of each judge pass and fail."""
    return _checks(results), _outcomes(results)


def _checks(results: SanityResults) -> Table:
    readings: list[Reading[CheckResult]] = [
        Reading(Column("judge", "Judge", "Who gives the scores.", "text"), lambda one: one.label),
        Reading(
            Column("check", "Check", "What differs from the trail as it is.", "text"),
            lambda one: CHECK_WORDS[one.check],
        ),
        Reading(
            Column("expected", "Expected", "What a sane judge does.", "text"), lambda one: EXPECTED_WORDS[one.expected]
        ),
        *_score_readings(),
        Reading(
            Column("outcome", "Outcome", OUTCOMES_NOTE, "text"),
            lambda one: OUTCOME_WORDS[one.outcome],
        ),
        Reading(Column("n", "n", "Stories with both scores.", "count"), lambda one: int(one.difference.n)),
        Reading(
            Column(
                "n_skipped", "Skipped", "Stories that lack one of the scores, or that could not be changed so.", "count"
            ),
            lambda one: int(one.difference.n_skipped),
        ),
    ]
    columns, rows = columns_and_rows(
        results.checks, readings, link=lambda one: (_position(results, one), DAMAGES.get(one.check, "trail"))
    )
    n = max((one.difference.n + one.difference.n_skipped for one in results.checks), default=0)
    note = f"{OUTCOMES_NOTE} {SCALES}"
    return Table("sanity", "Checks of the judges' sanity", columns, rows, note, int(n), _skipped(results))


def _skipped(results: SanityResults) -> dict[str, int]:
    """Return what the checks could not use: trails that cannot be changed, once for all judges, and missing scores."""
    told = {
        UNDAMAGED_WORDS.get(check, f"trails that could not be changed: {CHECK_WORDS[check]}"): n
        for check, n in results.n_undamaged.items()
        if n
    }
    for one in results.checks:
        n_without = int(one.difference.n_skipped) - results.n_undamaged.get(one.check, 0)
        if n_without > 0:
            told[f"{one.label}, {CHECK_WORDS[one.check]}: no score"] = n_without
    return told


def _score_readings() -> list[Reading[CheckResult]]:
    return [
        Reading(
            Column("original", "Original", "Scores of the stories before the change.", "summary"),
            lambda one: summary_cell(one.original, digits=_digits(one)),
        ),
        Reading(
            Column("changed", "Changed", "Scores of the stories after the change.", "summary"),
            lambda one: summary_cell(one.changed, digits=_digits(one)),
        ),
        Reading(
            Column("difference", "Difference", "Changed less original, by story.", "estimate"),
            lambda one: None if one.expected == "alike" else EstimateCell(one.difference),
        ),
        Reading(
            Column(
                "rank_correlation",
                "Rank correlation",
                "Spearman's ρ of both, where alike ranks are expected.",
                "estimate",
            ),
            lambda one: EstimateCell(one.difference) if one.expected == "alike" else None,
        ),
        Reading(Column("margin", "Margin", "How far a score may move, or what the correlation must exceed."), _margin),
    ]


def _outcomes(results: SanityResults) -> Table:
    by_judge: dict[str, list[CheckResult]] = {}
    for one in results.checks:
        by_judge.setdefault(one.label, []).append(one)
    items = [
        _Outcomes(label, _position(results, checks[0]), Counter(one.outcome for one in checks))
        for label, checks in by_judge.items()
    ]
    readings: list[Reading[_Outcomes]] = [
        Reading(Column("judge", "Judge", "Who gives the scores.", "text"), lambda item: item.label),
        *(_outcome(outcome) for outcome in OUTCOME_WORDS),
    ]
    columns, rows = columns_and_rows(items, readings, link=lambda item: (item.position, None))
    n = max((one.difference.n + one.difference.n_skipped for one in results.checks), default=0)
    return Table("sanity-outcomes", "How the checks came out", columns, rows, "", int(n))


def _outcome(outcome: Outcome) -> Reading[_Outcomes]:
    column = Column(outcome.replace(" ", "_"), OUTCOME_WORDS[outcome].capitalize(), OUTCOME_TOLD[outcome], "count")
    return Reading(column, lambda item: item.counts.get(outcome, 0))


def _margin(one: CheckResult) -> Cell:
    return NumberCell(one.margin)


def _digits(one: CheckResult) -> int:
    return score_digits(one.seat.judge)


def _position(results: SanityResults, one: CheckResult) -> int:
    seats = results.run.settings.seats
    return seats.index(one.seat) if one.seat in seats else -1
