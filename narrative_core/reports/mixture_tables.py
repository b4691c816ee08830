"""The tables of a run of stories out of distribution: mixtures of two collections beside trails."""

from dataclasses import dataclass

from narrative_core.estimates import Association, Contrast
from narrative_core.judgements import Seat
from narrative_core.reports.contrast_readings import association_readings, comparison_readings
from narrative_core.reports.judge_rows import SCALES, score_digits
from narrative_core.reports.study_readings import Printed, study_cell, study_column, study_note
from narrative_core.reports.tables import Cell, Column, Reading, Table, columns_and_rows, summary_cell
from narrative_core.run_outcomes import MixtureMeasure, MixtureResults
from narrative_core.runs import MADE_WORDS, METRIC_WORDS, Made
from narrative_core.study import study_value

_KINDS: tuple[Made, ...] = ("trail", "alternating", "mixed")
_KIND_TITLES = {"trail": "Trails", "alternating": "Alternating", "mixed": "Mixed"}
_STUDY_TOLD = (
    "The study names one coherence without saying whether it is that of the weakest link or the mean, and its judge "
    "without a mode."
)


@dataclass(frozen=True, slots=True)
class _Test:
    """One contrast of one measure; the study printed only that of its judge between the two kinds of mixtures."""

    measure: MixtureMeasure
    told: str
    contrast: Contrast
    is_printed: bool = False


def mixture_tables(results: MixtureResults, *, study: bool = False) -> tuple[Table, ...]:
    """Return means by kind of story, contrasts between the kinds, and judges' associations with coherence.

    ``study`` puts what the reference study printed beside ours, with its source in the note.
    """
    return _means(results, study=study), _contrasts(results, study=study), _associations(results, study=study)


def _means(results: MixtureResults, *, study: bool) -> Table:
    readings: list[Reading[MixtureMeasure]] = [
        Reading(_measure_column(), _name),
        *(_kind(made) for made in _KINDS),
        *(_study_kind(made) for made in _KINDS[1:] if study),
    ]
    columns, rows = columns_and_rows(
        results.measures, readings, link=lambda measure: (_position(results, measure.seat), None)
    )
    note = f"Mean ± standard deviation. {SCALES} {_note('mixtures', study=study)}"
    n = max((sum(kind.n + kind.n_skipped for kind in one.by_kind.values()) for one in results.measures), default=0)
    skipped = {
        f"{_name(one)}: no value": number
        for one in results.measures
        if (number := sum(kind.n_skipped for kind in one.by_kind.values()))
    }
    return Table("mixtures", "Stories out of distribution", columns, rows, note, int(n), skipped)


def _contrasts(results: MixtureResults, *, study: bool) -> Table:
    tests = [
        test
        for one in results.measures
        for test in (
            _Test(one, "alternating against mixed", one.alternating_mixed, is_printed=one.seat is not None),
            _Test(one, "trails against alternating", one.trail_alternating),
            _Test(one, "trails against mixed", one.trail_mixed),
        )
    ]
    printed = (Printed("t", "t"), Printed("p", "p", digits=4), Printed("d", "d"))
    readings: list[Reading[_Test]] = [
        Reading(_measure_column(), lambda test: _name(test.measure)),
        Reading(
            Column("contrast", "Contrast", "Which kind stands against which, the first first.", "text"),
            lambda test: test.told,
        ),
        *comparison_readings(lambda test: test.contrast),
        *(_study_test(one) for one in printed if study),
    ]
    columns, rows = columns_and_rows(tests, readings, link=lambda test: (_position(results, test.measure.seat), None))
    n = max((test.contrast.first.n + test.contrast.second.n for test in tests), default=0)
    note = _note("mixtures", study=study)
    return Table("mixture-contrasts", "Contrasts between kinds of stories", columns, rows, note, int(n))


def _associations(results: MixtureResults, *, study: bool) -> Table:
    seats = {measure.name: measure.seat for measure in results.measures}
    printed = Printed("r", "r", digits=3)
    readings: list[Reading[tuple[str, Association]]] = [
        Reading(Column("judge", "Judge", "Who gives the scores.", "text"), lambda item: item[0]),
        *association_readings(
            "of the judge's mean score with the mean link, over alternating and mixed stories", lambda item: item[1]
        ),
        *([Reading(study_column("mixtures", "both", printed), lambda _: _figure("r", printed))] if study else []),
    ]
    columns, rows = columns_and_rows(
        results.associations.items(), readings, link=lambda item: (_position(results, seats.get(item[0])), None)
    )
    n = max((found.pearson.n for found in results.associations.values()), default=0)
    skipped = {
        f"{label}: no score": int(found.pearson.n_skipped)
        for label, found in results.associations.items()
        if found.pearson.n_skipped
    }
    title = "Judges' scores and coherence out of distribution"
    return Table("mixture-associations", title, columns, rows, _note("mixtures", study=study), int(n), skipped)


def _measure_column() -> Column:
    return Column("measure", "Measure", "The weakest link, the mean link, or a judge's mean score.", "text")


def _name(measure: MixtureMeasure) -> str:
    if measure.seat is not None:
        return measure.name
    return {str(metric): words for metric, words in METRIC_WORDS.items()}.get(measure.name, measure.name)


def _kind(made: Made) -> Reading[MixtureMeasure]:
    def cell(measure: MixtureMeasure) -> Cell:
        found = measure.by_kind.get(made)
        digits = 2 if measure.seat is None else score_digits(measure.seat.judge)
        return None if found is None else summary_cell(found, digits=digits)

    return Reading(Column(made, _KIND_TITLES[made], f"Stories: {MADE_WORDS[made]}.", "summary"), cell)


def _study_kind(made: Made) -> Reading[MixtureMeasure]:
    printed = Printed(made, _KIND_TITLES[made].lower(), "summary")

    def cell(measure: MixtureMeasure) -> Cell:
        is_judge = measure.seat is not None
        row = f"{made} {'judge' if is_judge else 'coherence'}"
        return study_cell(study_value("mixtures", "both", row), "summary", 2 if is_judge else 3)

    return Reading(study_column("mixtures", "both", printed), cell)


def _study_test(printed: Printed) -> Reading[_Test]:
    return Reading(
        study_column("mixtures", "both", printed),
        lambda test: _figure(printed.row, printed) if test.is_printed else None,
    )


def _figure(row: str, printed: Printed) -> Cell:
    return study_cell(study_value("mixtures", "both", row), printed.kind, printed.digits)


def _position(results: MixtureResults, seat: Seat | None) -> int:
    seats = results.run.settings.seats
    return seats.index(seat) if seat in seats else -1


def _note(table: str, *, study: bool) -> str:
    return f"{_STUDY_TOLD} {study_note(table, 'both')}" if study else ""
