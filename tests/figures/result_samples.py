"""What statistics find, made up: results such as a run of the reference study's kind has, without computing them."""

import math
from dataclasses import replace

import numpy as np

from narrative_core.estimates import (
    Agreement,
    Association,
    Band,
    Contrast,
    Disagreement,
    Estimate,
    Model,
    ModelFit,
    PairedDifference,
    Prediction,
    Stability,
    Summary,
)
from narrative_core.experiments import seat_labels
from narrative_core.judgements import Seat
from narrative_core.run_outcomes import (
    Check,
    CheckResult,
    Comparison,
    Expected,
    MixtureMeasure,
    MixtureResults,
    Outcome,
    RunResults,
    SanityResults,
    SeatResults,
    Use,
)
from narrative_core.runs import Metric, RunTable
from tests.run_samples import SEATS, sample_run

NAN = float("nan")
ALL_SEATS = (*SEATS, replace(SEATS[0], model="llama-3.3-70b"), replace(SEATS[2], model="llama-3.3-70b"))
"""Eight judges: the first has three agents, the second is reading flow, the fourth the lexical reader."""

LABELS = dict(zip(ALL_SEATS, seat_labels(ALL_SEATS), strict=True))

UNKNOWN = Estimate(NAN)
MODELS: tuple[Model, ...] = ("linear", "ridge", "polynomial", "forest")
METRICS: tuple[Metric, ...] = ("minimum", "average")


def estimate(value: float, half: float = 0.08, n: int = 200) -> Estimate:
    return Estimate(value, value - half, value + half, n)


def summary(mean: float, sd: float, n: int = 100) -> Summary:
    return Summary(n, mean, sd, mean - 2 * sd, mean + 2 * sd)


def contrast(d: float, *, mean: float = 0.7, sd: float = 0.1, p: float = 1e-6) -> Contrast:
    auc = 0.5 * (1 + math.erf(d / 2))
    first, second = summary(mean, sd), summary(mean - d * sd, sd * 1.1)
    return Contrast(first, second, estimate(d, 0.28), estimate(auc, 0.06), 7 * d, 197.0, p, 5000 * (1 + d), p**0.8)


def association(r: float) -> Association:
    return Association(estimate(r, 0.1), estimate(r - 0.03, 0.1), 1e-9, 1e-8)


def seat_results(seat: Seat, number: int = 0) -> SeatResults:
    """Results of one judge; a judge with one agent has no agreement and no disagreement."""
    rng, several = np.random.default_rng(number), seat.n_agents > 1
    d = (0.57, 0.89, 0.35, 0.21, -0.12, 0.58, 1.18, 0.6)[number % 8]
    mean, sd = (0.12, 0.06) if seat.judge == "flow" else (6.4 - 0.3 * number, 1.4)
    fits = [
        ModelFit(model, tuple(r2 + rng.normal(0, 0.06, 5)), r2, 0.06)
        for model, r2 in zip(MODELS, (0.16, 0.162, -0.08, 0.09), strict=True)
    ]
    bands = tuple(Band(1 + 1.8 * i, 2.8 + 1.8 * i, estimate(0.3 + 0.1 * i, 0.06, 12 * i)) for i in range(1, 5))
    empty = Summary(0, NAN, NAN, NAN, NAN)
    return SeatResults(
        seat=seat,
        label=LABELS[seat],
        counts={"ok": 200 * seat.n_agents - 3, "unreadable": 3},
        n_unasked=0,
        associations={metric: association(0.4 - 0.02 * number) for metric in METRICS},
        contrast=contrast(d, mean=mean, sd=sd, p=10.0 ** -(1 + 2.8 * number)),
        agreement=Agreement(0.961, 0.987, 0.958, 0.94, 0.21, 0.74, 0.99, 200, 196, seat.n_agents)
        if several
        else Agreement(NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, 0, 1),
        use=Use(empty, empty, empty, empty),
        prediction=Prediction(tuple(fits), {"minimum": 0.31, "average": 0.5, "length": 0.19}, 198, 2),
        disagreement=Disagreement(estimate(0.32, 0.04), 0.068, bands) if several else Disagreement(UNKNOWN, NAN, ()),
        stability={metric: _stability(rng) for metric in METRICS},
    )


def _stability(rng: np.random.Generator) -> Stability:
    train, test = rng.normal(0.4, 0.02, 5), rng.normal(0.39, 0.12, 5)
    return Stability(tuple(train), tuple(test), float(np.abs(train - test).mean()), (0.5, 0.6, 0.55, 0.4, 0.7), 0.11)


def run_results(n_seats: int = 6) -> RunResults:
    """Results of 100 trails beside 100 random chronologies, put before the first ``n_seats`` of `ALL_SEATS`."""
    seats = ALL_SEATS[:n_seats]
    return RunResults(
        run=sample_run(seats=seats, n_pairs=100),
        n_stories=200,
        lengths={"trail": summary(4.7, 2.03), "baseline": summary(3.97, 1.8)},
        length_difference=paired_difference(0.73, 0.4),
        contrasts={
            "minimum": contrast(1.59, mean=0.705, sd=0.11, p=1e-22),
            "average": contrast(1.998, mean=0.78, sd=0.09, p=0.0),
        },
        spans={metric: association(-0.1) for metric in METRICS},
        seats=tuple(seat_results(seat, number) for number, seat in enumerate(seats)),
    )


def unknown_results(n_seats: int = 2) -> RunResults:
    """Results of a run with one story, of which nothing can be said."""
    nothing = Summary(0, NAN, NAN, NAN, NAN)
    silent = Contrast(nothing, nothing, UNKNOWN, UNKNOWN, NAN, NAN, NAN, NAN, NAN)
    still = Stability((NAN, NAN), (NAN, NAN), NAN, (NAN, NAN), NAN)
    known = run_results(n_seats)
    seats = tuple(
        replace(
            seat,
            contrast=silent,
            agreement=Agreement(NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, 0, seat.seat.n_agents),
            prediction=Prediction(tuple(ModelFit(model, (), NAN, NAN) for model in MODELS), {}, 0, 1),
            disagreement=Disagreement(UNKNOWN, NAN, tuple(Band(i, i + 1, UNKNOWN) for i in range(1, 10))),
            stability=dict.fromkeys(METRICS, still),
        )
        for seat in known.seats
    )
    return replace(known, n_stories=1, contrasts=dict.fromkeys(METRICS, silent), seats=seats)


def paired_difference(value: float, half: float = 0.2, n: int = 100) -> PairedDifference:
    return PairedDifference(estimate(value, half, n), 1.2, 4.0, 0.0003, value / 1.2)


_CHECKS: tuple[tuple[Check, Expected, float, float], ...] = (
    ("shuffled", "lower", -1.4, 0.0),
    ("reversed", "lower", -0.2, 0.0),
    ("foreign", "lower", -0.8, 0.0),
    ("doubled", "lower", 0.4, 0.0),
    ("criteria", "same", 0.1, 0.5),
    ("paraphrase", "same", -0.3, 0.5),
    ("shown", "alike", 0.72, 0.5),
)


def check_result(seat: Seat, place: int, *, value: float, half: float, margin: float, outcome: Outcome) -> CheckResult:
    check, expected, _, _ = _CHECKS[place]
    n = 0 if outcome == "not asked" else 100
    difference = UNKNOWN if outcome == "not asked" else estimate(value, half, n)
    mean, sd = (0.12, 0.06) if seat.judge == "flow" else (6.4, 1.2)
    return CheckResult(
        check, LABELS[seat], seat, expected, summary(mean, sd, n), summary(mean, sd, n), difference, margin, outcome
    )


def sanity_results(n_seats: int = 3) -> SanityResults:
    """Every check of the first judges, all outcomes among them."""
    checks = []
    for number, seat in enumerate(ALL_SEATS[:n_seats]):
        for place, (check, expected, middle, usual_margin) in enumerate(_CHECKS):
            value = middle + 0.1 * number if expected != "alike" else middle - 0.1 * number
            half, margin, low = 0.25, usual_margin, expected == "lower"
            if seat.judge == "flow" and expected != "alike":
                value, half, margin = value / 20, half / 20, margin / 20
            is_inside = value + half < 0 if low else abs(value) + half <= margin
            is_outside = value - half > 0 if low else abs(value) - half > margin
            outcome: Outcome = "pass" if is_inside else "fail" if is_outside else "undecided"
            if check in ("criteria", "paraphrase") and seat.mode not in ("standard", "complex"):
                outcome = "not asked"
            checks.append(check_result(seat, place, value=value, half=half, margin=margin, outcome=outcome))
    return SanityResults(sample_run(design="sanity", seats=ALL_SEATS[:n_seats]), tuple(checks))


def mixture_results(table: RunTable) -> MixtureResults:
    """Results that go with a table of mixtures; the means are those of the table."""
    values = {"minimum": (None, table.metric("minimum")), "average": (None, table.metric("average"))}
    columns = [(name, seat, column) for name, (seat, column) in values.items()]
    columns += [(seat.label, seat.seat, seat.means) for seat in table.seats]  # type: ignore[misc]
    measures = []
    for name, seat, column in columns:
        by_kind = {}
        for made in ("trail", "alternating", "mixed"):
            own = column[table.rows(made)]  # type: ignore[arg-type]
            by_kind[made] = Summary(len(own), own.mean(), own.std(ddof=1), own.min(), own.max())
        measures.append(MixtureMeasure(name, seat, by_kind, contrast(-0.3), contrast(2.4), contrast(2.1)))  # type: ignore[arg-type]
    return MixtureResults(table.run, tuple(measures), {seat.label: association(0.73) for seat in table.seats})


def comparison() -> Comparison:
    differences = {
        "trail": paired_difference(0.42),
        "baseline": paired_difference(-0.1),
        "all": paired_difference(0.16, 0.14, 200),
    }
    return Comparison("GPT-4.1 simple", "GPT-4.1 standard", differences, association(0.81), 4)
