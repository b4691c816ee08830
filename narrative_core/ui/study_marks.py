"""What the reference study printed, as marks in the figures of a run: by the names that each figure goes by."""

from collections.abc import Iterator, Mapping, Sequence

from narrative_core.judgements import Mode
from narrative_core.reports.study_readings import study_mode
from narrative_core.run_outcomes import RunResults
from narrative_core.runs import METRIC_WORDS, Metric
from narrative_core.study import DataSet, study_value

Marks = Mapping[str, float]
CONTRASTED: tuple[Metric, ...] = ("minimum", "average")
AGREEMENT = ("icc_single", "icc_average", "krippendorff_alpha", "kendall_w", "exact", "within_one")
MODELS = ("linear", "ridge", "forest", "polynomial")
PREDICTORS: tuple[Metric, ...] = ("minimum", "average", "length")


def contrast_marks(results: RunResults, study: DataSet | None, measure: str) -> Marks:
    """Return the study's ``measure``, "d" or "auc", by "weakest link", "mean link" and the label of each judge."""
    metrics = ((METRIC_WORDS[metric], f"{metric} {measure}", None) for metric in CONTRASTED)
    judges = ((label, f"judge {measure}", mode) for label, mode in _judges(results))
    return _found("contrasts", study, [*metrics, *judges])


def mean_marks(study: DataSet | None) -> Marks:
    """Return the study's mean weakest link by "weakest link, trail" and "weakest link, baseline"."""
    kinds = ("trail", "baseline")
    return _found(
        "contrasts", study, [(f"{METRIC_WORDS['minimum']}, {made}", f"minimum {made}", None) for made in kinds]
    )


def judge_marks(results: RunResults, study: DataSet | None, table: str, rows: tuple[str, ...]) -> Marks:
    """Return the study's figures of a table by "label, row"."""
    wanted = [(f"{label}, {row}", row, mode) for label, mode in _judges(results) for row in rows]
    return _found(table, study, wanted)


def spread_marks(results: RunResults, study: DataSet | None) -> Marks:
    """Return the study's disagreement by "label, spread" and "label, variation", of judges on its scale alone."""
    in_points = {seat.label for seat in results.seats if seat.seat.judge != "flow"}
    marks = judge_marks(results, study, "disagreement", ("spread", "variation"))
    return {name: value for name, value in marks.items() if name.rpartition(", ")[0] in in_points}


def _judges(results: RunResults) -> Iterator[tuple[str, Mode]]:
    """Yield the label of each judge with the mode of the study's judge that it is compared with, as in the tables."""
    for seat in results.seats:
        yield seat.label, study_mode(seat.seat)


def _found(table: str, study: DataSet | None, wanted: Sequence[tuple[str, str, Mode | None]]) -> Marks:
    if study is None:
        return {}
    figures = {name: study_value(table, study, row, mode) for name, row, mode in wanted}
    return {name: figure.value for name, figure in figures.items() if figure is not None}
