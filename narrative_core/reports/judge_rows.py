"""What tables with a row a judge share: their first columns, their links, and how scores are rounded."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from narrative_core.estimates import Association, Estimate
from narrative_core.judgements import JudgeName
from narrative_core.reports.judged_pairs import NATS
from narrative_core.reports.tables import Cell, Column, EstimateCell, Reading, Row, Table
from narrative_core.run_outcomes import RunResults, SeatResults
from narrative_core.runs import METRIC_WORDS, Metric

JUDGE: Final = Column("judge", "Judge", "Who gives the scores, by the name that it has in this run.", "text")
SCALES: Final = f"Scores are from 1 to 10, those of reading flow in {NATS}."
NAME: Final[Reading[SeatResults]] = Reading(JUDGE, lambda seat: seat.label)
METRICS_TOLD: Final[Mapping[Metric, str]] = {
    "minimum": "the smallest coherence of a link of the story",
    "average": "the mean coherence of the links of the story",
    "length": "the number of documents of the story",
    "span": "the days from the first to the last document of the story",
    "variance": "the variance of the coherence of the links of the story",
    "efficiency": "the angle between the vectors of both ends over the sum of the angles of the links",
    "weak share": "the share of links below the collection's median link",
}
"""What a metric is, for help texts."""


def score_digits(judge: JudgeName) -> int:
    """Return the decimals of a score: one from 1 to 10, two in nats per token."""
    return 2 if judge == "flow" else 1


def judge_table(
    key: str,
    title: str,
    results: RunResults,
    readings: Sequence[Reading[SeatResults]],
    *,
    note: str = "",
    skipped: Mapping[str, int] | None = None,
    is_shown: Callable[[SeatResults], bool] = lambda _: True,
) -> Table:
    """Return a table with a row a judge, linked to its stories."""
    rows = tuple(
        Row(tuple(reading.cell(seat) for reading in readings), (position, None))
        for position, seat in enumerate(results.seats)
        if is_shown(seat)
    )
    columns = tuple(reading.column for reading in readings)
    return Table(key, title, columns, rows, note, results.n_stories, skipped or {})


def skipped_by_judge(results: RunResults, reason: str, n_skipped: Callable[[SeatResults], int]) -> dict[str, int]:
    """Return what was skipped, by judge and reason, without zeros."""
    skipped = {f"{seat.label}: {reason}": int(n_skipped(seat)) for seat in results.seats}
    return {told: number for told, number in skipped.items() if number}


def pearson_reading(metric: Metric) -> Reading[SeatResults]:
    """Return the column of Pearson's r of a judge's score with a metric."""
    column = Column(
        f"pearson_{metric.replace(' ', '_')}",
        f"Pearson r, {METRIC_WORDS[metric]}",
        f"Pearson's correlation of the judge's mean score with {METRICS_TOLD[metric]}.",
        "estimate",
    )
    return Reading(column, lambda seat: _cell(seat.associations.get(metric), lambda found: found.pearson))


def spearman_reading(metric: Metric) -> Reading[SeatResults]:
    """Return the column of Spearman's ρ of a judge's score with a metric."""
    column = Column(
        f"spearman_{metric.replace(' ', '_')}",
        f"Spearman ρ, {METRIC_WORDS[metric]}",
        f"Spearman's rank correlation of the judge's mean score with {METRICS_TOLD[metric]}.",
        "estimate",
    )
    return Reading(column, lambda seat: _cell(seat.associations.get(metric), lambda found: found.spearman))


def _cell(found: Association | None, of: Callable[[Association], Estimate]) -> Cell:
    return None if found is None else EstimateCell(of(found))
