"""The tables of a run of trails beside random chronologies."""

import math
from dataclasses import dataclass
from typing import Final

from narrative_core.estimates import Association, Contrast, Estimate, Summary
from narrative_core.judgements import Mode
from narrative_core.reports.contrast_readings import association_readings, contrast_readings
from narrative_core.reports.judge_rows import SCALES, score_digits
from narrative_core.reports.run_judge_tables import (
    agreement_table,
    asked_table,
    association_table,
    band_table,
    disagreement_table,
    use_table,
)
from narrative_core.reports.run_model_tables import (
    complexity_table,
    importance_table,
    prediction_table,
    stability_table,
)
from narrative_core.reports.study_readings import (
    COMPARED_WITH,
    Printed,
    compared_with,
    study_cell,
    study_column,
    study_mode,
    study_note,
)
from narrative_core.reports.tables import (
    Cell,
    Column,
    EstimateCell,
    NumberCell,
    PCell,
    Reading,
    Row,
    ShareCell,
    Table,
    columns_and_rows,
)
from narrative_core.run_outcomes import RunResults
from narrative_core.runs import MADE_WORDS, METRIC_WORDS, STRATUM_WORDS, Made, Metric, StratumCount
from narrative_core.study import DataSet, study_value

_LENGTH_COLUMNS: Final = (
    Column("method", "Stories", "How the stories were made.", "text"),
    Column("mean", "Mean documents", "Mean number of documents; of the difference, with its interval.", "estimate"),
    Column("sd", "SD", "Standard deviation (n − 1)."),
    Column("minimum", "Shortest", "Fewest documents.", "count"),
    Column("maximum", "Longest", "Most documents.", "count"),
    Column("p", "p", "Two-sided p of the t test on the differences within pairs.", "p"),
    Column("n", "n", "Stories; of the difference, pairs.", "count"),
)
_LENGTHS_PRINTED: Final = (
    Printed("mean", "mean", "summary"),
    Printed("minimum", "shortest", "count"),
    Printed("maximum", "longest", "count"),
)
_SHORT_CONTRAST: Final = 4
"""Columns of a contrast before its tests: both means, Cohen's d, AUC."""

_MEASURE_TOLD: Final = "What is measured of a story: its weakest link, its mean link, or a judge's mean score."


@dataclass(frozen=True, slots=True)
class _Measure:
    """One row of the contrasts: ``mode`` is that of the study's judge, ``None`` for a metric ``row``."""

    name: str
    contrast: Contrast
    digits: int
    position: int
    row: str
    mode: Mode | None = None


def run_tables(results: RunResults, *, study: DataSet | None = None) -> tuple[Table, ...]:
    """Return every table of a run, in reading order.

    Parameters
    ----------
    results : RunResults
        Of a run of trails beside random chronologies; without judges their tables have no rows.
    study : {"news", "vispub"}, optional
        Puts what the reference study printed for that collection beside our columns, with its source in the note.
    """
    return (
        lengths_table(results, study),
        association_table(results, study),
        agreement_table(results, study),
        contrast_table(results, study),
        use_table(results, study),
        prediction_table(results, study),
        importance_table(results, study),
        disagreement_table(results, study),
        band_table(results),
        stability_table(results, study),
        complexity_table(results, study),
        span_table(results, study),
        strata_table(results),
        asked_table(results),
    )


def lengths_table(results: RunResults, study: DataSet | None = None) -> Table:
    """Return the documents of a story by how it was made, and the difference within pairs."""
    paired = results.length_difference
    columns = (
        *_LENGTH_COLUMNS,
        *(study_column("lengths", study, one) for one in _LENGTHS_PRINTED if study),
    )
    rows = [
        Row((*_length_cells(made, summary), *_length_figures(study, made)), (-1, made))
        for made, summary in results.lengths.items()
    ]
    difference = study and study_value("lengths", study, "difference")
    rows.append(
        Row(
            (
                "trail less random chronology",
                *(EstimateCell(paired.difference), NumberCell(paired.sd), None, None),
                *(PCell(paired.p), int(paired.difference.n)),
                *((study_cell(difference, "summary"), None, None) if study else ()),
            )
        )
    )
    skipped = paired.difference.n_skipped
    return Table(
        "lengths",
        "Documents of a story",
        columns,
        tuple(rows),
        study_note("lengths", study),
        results.n_stories,
        {"pairs that lack one of their stories": skipped} if skipped else {},
    )


def coherence_overview(results: RunResults, study: DataSet | None = None) -> Table:
    """Return how far trails and random chronologies are apart in coherence, in few columns."""
    measures = [_metric_measure(metric, contrast) for metric, contrast in results.contrasts.items()]
    readings: list[Reading[_Measure]] = [
        Reading(Column("measure", "Measure", _MEASURE_TOLD, "text"), lambda measure: measure.name),
        *contrast_readings(
            ("trail", "Trails"), ("baseline", "Random chronologies"), lambda measure: (measure.contrast, measure.digits)
        )[:_SHORT_CONTRAST],
        Reading(
            Column("n", "n", "Stories of both kinds that have a value.", "count"),
            lambda measure: int(measure.contrast.first.n + measure.contrast.second.n),
        ),
        *(_study_contrasts(study) if study else ()),
    ]
    columns, rows = columns_and_rows(measures, readings, link=lambda measure: (measure.position, None))
    note = f"Mean ± standard deviation. Coherence is from 0 to 1. {study_note('contrasts', study)}"
    return Table("coherence-overview", "Coherence by method", columns, rows, note, results.n_stories)


def contrast_table(results: RunResults, study: DataSet | None = None) -> Table:
    """Return how far trails and random chronologies are apart, by metric and by judge."""
    measures = [
        *(_metric_measure(metric, contrast) for metric, contrast in results.contrasts.items()),
        *(
            _Measure(seat.label, seat.contrast, score_digits(seat.seat.judge), position, "judge", study_mode(seat.seat))
            for position, seat in enumerate(results.seats)
        ),
    ]
    readings: list[Reading[_Measure]] = [
        Reading(Column("measure", "Measure", _MEASURE_TOLD, "text"), lambda measure: measure.name),
        *contrast_readings(
            ("trail", "Trails"), ("baseline", "Random chronologies"), lambda measure: (measure.contrast, measure.digits)
        ),
        *(_study_contrasts(study) if study else ()),
    ]
    columns, rows = columns_and_rows(measures, readings, link=lambda measure: (measure.position, None))
    return Table(
        "contrasts",
        "Trails against random chronologies",
        columns,
        rows,
        f"Mean ± standard deviation. {SCALES} {study_note('contrasts', study)}",
        results.n_stories,
        {
            f"{measure.name}: no value": n
            for measure in measures
            if (n := measure.contrast.first.n_skipped + measure.contrast.second.n_skipped)
        },
    )


def span_table(results: RunResults, study: DataSet | None = None) -> Table:
    """Return how the days that a story spans go together with its coherence and with judges' scores."""
    items: list[tuple[str, Association | None, int]] = [
        *((METRIC_WORDS[metric], found, -1) for metric, found in results.spans.items()),
        *((seat.label, seat.associations.get("span"), position) for position, seat in enumerate(results.seats)),
    ]
    readings: list[Reading[tuple[str, Association | None, int]]] = [
        Reading(Column("measure", "Measure", _MEASURE_TOLD, "text"), lambda item: item[0]),
        *association_readings("with the days from the first to the last document", lambda item: item[1]),
    ]
    columns, rows = columns_and_rows(items, readings, link=lambda item: (item[2], None))
    skipped = {
        f"{name}: a date or a value is missing": int(found.pearson.n_skipped)
        for name, found, _ in items
        if found is not None and found.pearson.n_skipped
    }
    note = study_note("span", study)
    return Table("span", "The time that a story spans", columns, rows, note, results.n_stories, skipped)


def strata_table(results: RunResults) -> Table:
    """Return which endpoint pairs were to be drawn, which were, and how many had no trail."""
    shares = results.run.settings.shares
    readings: list[Reading[StratumCount]] = [
        Reading(
            Column("stratum", "Endpoint pairs", "How the two documents of a pair lie to each other.", "text"),
            lambda one: STRATUM_WORDS[one.stratum],
        ),
        Reading(
            Column("share", "Share", "Part of all pairs that was asked for.", "share"),
            lambda one: ShareCell(shares.get(one.stratum, math.nan)),
        ),
        Reading(Column("wanted", "Wanted", "Pairs that were asked for.", "count"), lambda one: one.wanted),
        Reading(Column("found", "Found", "Pairs with a trail, which are in the run.", "count"), lambda one: one.found),
        Reading(
            Column("rejected", "Rejected", "Drawn pairs that have no trail, and were replaced.", "count"),
            lambda one: one.rejected,
        ),
    ]
    columns, rows = columns_and_rows(results.run.strata, readings)
    skipped = {"drawn pairs without a trail": results.run.n_rejected} if results.run.n_rejected else {}
    return Table("strata", "Endpoint pairs", columns, rows, "", results.n_stories, skipped)


def _length_cells(made: Made, summary: Summary) -> tuple[Cell, ...]:
    return (
        MADE_WORDS[made],
        EstimateCell(Estimate(summary.mean, n=summary.n)),
        NumberCell(summary.sd),
        _whole(summary.minimum),
        _whole(summary.maximum),
        None,
        int(summary.n),
    )


def _length_figures(study: DataSet | None, made: Made) -> tuple[Cell, ...]:
    if study is None:
        return ()
    return tuple(
        study_cell(study_value("lengths", study, f"{made} {one.row}"), one.kind, one.digits) for one in _LENGTHS_PRINTED
    )


def _metric_measure(metric: Metric, contrast: Contrast) -> _Measure:
    return _Measure(METRIC_WORDS[metric], contrast, 2, -1, metric)


def _study_contrasts(study: DataSet) -> list[Reading[_Measure]]:
    printed = (
        Printed("d", "d", digits=3),
        Printed("auc", "AUC", digits=3),
        Printed("trail", "trails", digits=3),
        Printed("baseline", "random chronologies", digits=3),
    )
    return [
        Reading(
            COMPARED_WITH,
            lambda measure: "same metric" if measure.mode is None else compared_with(measure.mode),
        ),
        *(_study_contrast(study, one) for one in printed),
    ]


def _study_contrast(study: DataSet, printed: Printed) -> Reading[_Measure]:
    return Reading(
        study_column("contrasts", study, printed),
        lambda measure: study_cell(
            study_value("contrasts", study, f"{measure.row} {printed.row}", measure.mode), digits=printed.digits
        ),
    )


def _whole(value: float) -> int | None:
    return int(value) if math.isfinite(value) else None
