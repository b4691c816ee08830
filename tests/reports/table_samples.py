"""Results of runs, made up by hand for the tests of tables and methods: judges of every kind, nan, hostile names."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from narrative_core.estimates import (
    Agreement,
    Association,
    Band,
    Contrast,
    Disagreement,
    Estimate,
    ModelFit,
    PairedDifference,
    Prediction,
    Stability,
    Summary,
)
from narrative_core.judgements import Seat
from narrative_core.run_outcomes import RunResults, SeatResults, Use
from narrative_core.runs import Metric, Run, RunSettings, StratumCount

NAN = float("nan")
HOSTILE = "a & b_%$#{}~^\\ <script>"
FORMULA = "=1+1"
SIMPLE = Seat("openai", "gpt-4.1", "api.openai.com", "simple", 5)
COT = Seat("openai", "gpt-4.1", "api.openai.com", "cot", 5)
SINGLE = Seat("openai", "local", "127.0.0.1:8080", "complex", 1, is_explained=False)
FLOW = Seat("flow", "gemma-3-270m", shown="leads", version="flow 1")
LEXICAL = Seat("lexical", "", shown="leads", version="lexical 1")
METRICS: Sequence[Metric] = ("minimum", "average", "length", "span", "variance", "efficiency", "weak share")


def estimate(value: float, n: int = 398, *, n_skipped: int = 2) -> Estimate:
    """Return an estimate whose interval reaches 0.1 to both sides."""
    return Estimate(value, value - 0.1, value + 0.1, n, n_skipped)


def summary(mean: float, sd: float, n: int = 200, *, n_skipped: int = 0) -> Summary:
    """Return a summary that reaches two standard deviations to both sides."""
    return Summary(n, mean, sd, mean - 2 * sd, mean + 2 * sd, n_skipped)


def association(r: float, *, n: int = 398, n_skipped: int = 2) -> Association:
    """Return an association whose rank correlation is 0.05 above r."""
    return Association(estimate(r, n, n_skipped=n_skipped), estimate(r + 0.05, n, n_skipped=n_skipped), 0.0004, 0.03)


def contrast(first: Summary, second: Summary, d: float, auc: float) -> Contrast:
    """Return a contrast with some tests."""
    return Contrast(first, second, estimate(d), estimate(auc), 5.25, 371.44, 0.0004, 26_120.5, 0.04)


def seat_results(seat: Seat, label: str, *, r: float = 0.5) -> SeatResults:
    """Return what a judge makes of 400 stories, two of which it gives no score."""
    return SeatResults(
        seat,
        label,
        {"ok": 398 * seat.n_agents, "refused": 2},
        7,
        {metric: association(r + place / 100) for place, metric in enumerate(METRICS)},
        contrast(summary(7.44, 1.06), summary(3.21, 1.5, 198, n_skipped=2), 0.61, 0.66),
        Agreement(0.951, 0.987, 0.95, 0.91, 0.155, 0.8125, 0.998, 396, 390, seat.n_agents),
        Use(summary(1.234, 0.1), summary(1234.5, 53.9), summary(310.0, 20.0), summary(0.0041, 0.0002)),
        Prediction(
            (
                ModelFit("linear", (0.1, 0.3), 0.2, 0.1414),
                ModelFit("ridge", (0.1, 0.2), 0.15, 0.0707),
                ModelFit("polynomial", (-0.1, 0.1), 0.0, 0.1414),
                ModelFit("forest", (0.3, 0.4), 0.35, 0.0707),
            ),
            {"minimum": 0.6, "average": 0.3, "length": 0.1},
            398,
            2,
        ),
        Disagreement(
            estimate(0.171), 0.0251, (Band(1.0, 4.0, estimate(0.2, 100)), Band(4.0, 10.0, estimate(0.1, 298)))
        ),
        {"minimum": Stability((0.5, 0.4), (0.3, NAN), 0.2, (0.6, 0.8), 0.1414)},
    )


def some_run(*seats: Seat) -> Run:
    """Return a run of 200 pairs on news with its strata."""
    return Run(
        "run1",
        "News, first try",
        RunSettings("news", 200, seats, 42),
        "landscape1",
        "root",
        0.553,
        0.7123,
        "text-embedding-3-small",
        "2026-11-30T09:24:07+00:00",
        (StratumCount("within short", 40, 40, 3), StratumCount("extremes", 20, 18, 1)),
        {"numpy": "2.4.0", "throughline": "0.1.0"},
    )


def results(judges: Mapping[str, Seat] | None = None) -> RunResults:
    """Return the results of a run with judges by label; four of them where none are given."""
    by_label = (
        judges if judges is not None else {"GPT simple": SIMPLE, "GPT steps": COT, "Flow": FLOW, "Lexical": LEXICAL}
    )
    return RunResults(
        some_run(*by_label.values()),
        400,
        {"trail": summary(4.7, 1.35), "baseline": summary(3.97, 0.985)},
        PairedDifference(Estimate(0.73, 0.41, 1.05, 200), 2.1, 4.9, 0.0001, 0.35),
        {
            "minimum": contrast(summary(0.705, 0.05), summary(0.47, 0.1), 1.61, 0.86),
            "average": contrast(summary(0.75, 0.05), summary(0.58, 0.1), 1.99, 0.89),
        },
        {"minimum": association(-0.12), "average": association(0.02)},
        tuple(seat_results(seat, label) for label, seat in by_label.items()),
    )


def unknown_results(judges: Mapping[str, Seat]) -> RunResults:
    """Return results in which nothing is known: every number is nan, every count 0."""
    nothing = Estimate(NAN)
    none = Summary(0, NAN, NAN, NAN, NAN)
    unknown = Association(nothing, nothing, NAN, NAN)
    apart = Contrast(none, none, nothing, nothing, NAN, NAN, NAN, NAN, NAN)
    seats = tuple(
        SeatResults(
            seat,
            label,
            {},
            0,
            dict.fromkeys(METRICS, unknown),
            apart,
            Agreement(*[NAN] * 7, 0, 0, 0),
            Use(none, none, none, none),
            Prediction((ModelFit("linear", (), NAN, NAN),), {}, 0, 0),
            Disagreement(nothing, NAN, (Band(1.0, 10.0, nothing),)),
            {"minimum": Stability((), (), NAN, (), NAN), "average": Stability((NAN,), (NAN,), NAN, (NAN,), NAN)},
        )
        for label, seat in judges.items()
    )
    return RunResults(
        replace(some_run(*judges.values()), critical_coherence=NAN, median_link=NAN),
        0,
        {"trail": none, "baseline": none},
        PairedDifference(nothing, NAN, NAN, NAN, NAN),
        {"minimum": apart, "average": apart},
        {"minimum": unknown, "average": unknown},
        seats,
    )
