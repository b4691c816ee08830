"""The tables of a run on what a judge's score follows from: prediction, importances, stability, complexity."""

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Final

from narrative_core.estimates import Model, Stability
from narrative_core.reports.judge_rows import JUDGE, METRICS_TOLD, NAME, judge_table, pearson_reading, skipped_by_judge
from narrative_core.reports.study_readings import Printed, study_note, study_readings
from narrative_core.reports.tables import Cell, Column, NumberCell, Reading, Row, SummaryCell, Table
from narrative_core.run_outcomes import RunResults, SeatResults
from narrative_core.runs import METRIC_WORDS, Metric
from narrative_core.study import DataSet

MODEL_WORDS: Final[Mapping[Model, str]] = {
    "linear": "linear",
    "ridge": "ridge",
    "polynomial": "polynomial",
    "forest": "random forest",
}
_FEATURES: Final[tuple[Metric, ...]] = ("minimum", "average", "length")
_COMPLEXITY: Final[tuple[Metric, ...]] = ("variance", "efficiency", "weak share", "length")


def prediction_table(results: RunResults, study: DataSet | None = None) -> Table:
    """Return how well models predict each judge's score from weakest link, mean link and length."""
    readings: list[Reading[SeatResults]] = [
        NAME,
        *(_fit(model) for model in MODEL_WORDS),
        *_rests_on(),
        *study_readings(
            "prediction", study, [Printed(model, f"R², {words}", "summary", 3) for model, words in MODEL_WORDS.items()]
        ),
    ]
    return judge_table(
        "prediction",
        "R² of judges' scores from weakest link, mean link and length",
        results,
        readings,
        note=f"Mean ± standard deviation over held-out folds of endpoint pairs. {study_note('prediction', study)}",
        skipped=skipped_by_judge(results, "no score", lambda seat: seat.prediction.n_skipped),
    )


def importance_table(results: RunResults, study: DataSet | None = None) -> Table:
    """Return what the random forest of each judge rests on."""
    readings: list[Reading[SeatResults]] = [
        NAME,
        *(_importance(metric) for metric in _FEATURES),
        *_rests_on(),
        *study_readings(
            "importances", study, [Printed(metric, METRIC_WORDS[metric], digits=3) for metric in _FEATURES]
        ),
    ]
    return judge_table(
        "importances",
        "What the random forest rests on",
        results,
        readings,
        note=f"Importances of a row sum to 1. {study_note('importances', study)}",
        skipped=skipped_by_judge(results, "no score", lambda seat: seat.prediction.n_skipped),
    )


def stability_table(results: RunResults, study: DataSet | None = None) -> Table:
    """Return whether association and effect size hold on pairs that were left out, a row a judge and metric."""
    columns = (
        JUDGE,
        Column("with", "With", "What the judge's score is correlated with.", "text"),
        Column("train_r", "r, other folds", "Pearson's r on all folds but one, over folds.", "summary"),
        Column("test_r", "r, left-out fold", "Pearson's r on the fold that was left out, over folds.", "summary"),
        Column("difference", "Mean difference", "Mean over folds of the absolute difference between both."),
        Column("fold_d", "d, by fold", "Cohen's d of trails against random chronologies on each fold.", "summary"),
        Column("folds", "Folds", "Parts that the endpoint pairs were divided into.", "count"),
    )
    rows = tuple(
        Row((seat.label, METRIC_WORDS[metric], *_stability_cells(seat.stability[metric])), (position, None))
        for position, seat in enumerate(results.seats)
        for metric in ("minimum", "average")
        if metric in seat.stability
    )
    return Table(
        "stability",
        "Stability over folds of endpoint pairs",
        columns,
        rows,
        f"Mean ± standard deviation over folds. {study_note('stability', study)}",
        results.n_stories,
    )


def complexity_table(results: RunResults, study: DataSet | None = None) -> Table:
    """Return how each judge's score goes together with the make of a story."""
    readings: list[Reading[SeatResults]] = [
        NAME,
        *(pearson_reading(metric) for metric in _COMPLEXITY),
        Reading(
            Column("n", "n, variance", "Stories that have a score and a variance, so at least two links.", "count"),
            lambda seat: _n(seat, "variance"),
        ),
        Reading(
            Column("n_length", "n, documents", "Stories that have a score, those of a single link too.", "count"),
            lambda seat: _n(seat, "length"),
        ),
    ]
    return judge_table(
        "complexity",
        "Judges' scores and the make of a story",
        results,
        readings,
        note=study_note("complexity", study),
        skipped=skipped_by_judge(results, "no score or a single link", lambda seat: _n_skipped(seat, "variance")),
    )


def _fit(model: Model) -> Reading[SeatResults]:
    def cell(seat: SeatResults) -> Cell:
        fit = next((fit for fit in seat.prediction.fits if fit.model == model), None)
        return None if fit is None else SummaryCell(fit.mean, fit.sd, len(fit.fold_r2), 3)

    words = MODEL_WORDS[model]
    told = f"R² of a {words} regression on endpoint pairs that it was not fitted to; below 0 is worse than the mean."
    return Reading(Column(model, f"R², {words}", told, "summary"), cell)


def _importance(metric: Metric) -> Reading[SeatResults]:
    title = METRIC_WORDS[metric]
    column = Column(metric, title[0].upper() + title[1:], f"Importance of {METRICS_TOLD[metric]}, in [0, 1].")
    return Reading(column, lambda seat: NumberCell(seat.prediction.importances.get(metric, math.nan), 3))


def _rests_on() -> list[Reading[SeatResults]]:
    return [
        Reading(Column("n", "n", "Stories that have a score.", "count"), lambda seat: int(seat.prediction.n)),
        Reading(
            Column("n_skipped", "Skipped", "Stories without a score.", "count"),
            lambda seat: int(seat.prediction.n_skipped),
        ),
    ]


def _stability_cells(found: Stability) -> tuple[Cell, ...]:
    return (
        _over_folds(found.train_r),
        _over_folds(found.test_r),
        NumberCell(found.mean_absolute_difference, 3),
        _over_folds(found.fold_d, found.d_sd),
        len(found.train_r),
    )


def _over_folds(values: Sequence[float], sd: float | None = None) -> SummaryCell:
    """Return mean and standard deviation (n − 1) over the folds that have a value."""
    known = [value for value in values if math.isfinite(value)]
    if sd is None:
        sd = statistics.stdev(known) if len(known) > 1 else math.nan
    return SummaryCell(statistics.fmean(known) if known else math.nan, sd, len(known))


def _n(seat: SeatResults, metric: Metric) -> int | None:
    found = seat.associations.get(metric)
    return None if found is None else int(found.pearson.n)


def _n_skipped(seat: SeatResults, metric: Metric) -> int:
    found = seat.associations.get(metric)
    return 0 if found is None else int(found.pearson.n_skipped)
