"""How well a judge's score is predicted from the coherence and the length of a story."""

import math
from collections.abc import Mapping

import plotly.graph_objects as go

from narrative_core.counting import count
from narrative_core.estimates import ModelFit
from narrative_core.figures.dot_rows import dot_rows
from narrative_core.figures.estimate_words import number_words
from narrative_core.figures.lanes import Lane, Panel, Row, Sides, fitting_window, lane_values
from narrative_core.figures.run_marks import seat_colour
from narrative_core.figures.theme import Mode
from narrative_core.figures.wording import plot_text
from narrative_core.run_outcomes import RunResults, SeatResults
from narrative_core.runs import METRIC_WORDS

_EMPTY = "Predictions stand here when a judge has scored enough stories."


def r2_bars(results: RunResults, *, study: Mapping[str, float] | None = None, mode: Mode = "light") -> go.Figure:
    """R² of each model for each judge on held-out folds: mean, one standard deviation, and every fold.

    0 is no better than the mean score, below 0 is worse. ``study`` is by "label, model"; ``customdata`` is [seat
    number, model].
    """
    rows = []
    for number, seat in enumerate(results.seats):
        lanes = tuple(_fit(seat, number, fit, study or {}, mode) for fit in seat.prediction.fits)
        if lanes:
            rows.append(Row(seat.label, lanes, _n_words(seat)))
    window = fitting_window(lane_values(rows), holds=(0, 0.4))
    return dot_rows(
        [Panel("R² on held-out stories", tuple(rows), window, ((0.0, "no better than the mean"),))],
        sides=Sides(76, 84),
        foot="from weakest link, mean link and length · whiskers: one standard deviation of folds · small dots: folds",
        empty=_EMPTY,
        mode=mode,
    )


def importance_bars(
    results: RunResults, *, study: Mapping[str, float] | None = None, mode: Mode = "light"
) -> go.Figure:
    """Share of each metric in the random forest that predicts a judge's score; those of a judge sum to 1.

    ``study`` is by "label, metric"; ``customdata`` is [seat number, metric].
    """
    rows = []
    for number, seat in enumerate(results.seats):
        lanes = [
            Lane(
                value,
                seat_colour(number, mode),
                f"{plot_text(seat.label)}: {METRIC_WORDS[metric]}<br>has {number_words(value)} of the importance.",
                label=METRIC_WORDS[metric],
                words=number_words(value) if math.isfinite(value) else "–",
                key=(number, metric),
                study=(study or {}).get(f"{seat.label}, {metric}", math.nan),
                is_bar=True,
            )
            for metric, value in seat.prediction.importances.items()
        ]
        if lanes:
            rows.append(Row(seat.label, tuple(lanes), _n_words(seat)))
    panel = Panel("share of the random forest's importance", tuple(rows), (0.0, 1.0))
    return dot_rows([panel], sides=Sides(82, 38), empty=_EMPTY, mode=mode)


def _n_words(seat: SeatResults) -> str:
    n, n_skipped = seat.prediction.n, seat.prediction.n_skipped
    return f"n = {n:,}" + (f", {n_skipped:,} skipped" if n_skipped else "")


def _fit(seat: SeatResults, number: int, fit: ModelFit, study: Mapping[str, float], mode: Mode) -> Lane:
    mean, sd = fit.mean, fit.sd
    words = f"{number_words(mean)} ± {number_words(sd)}" if math.isfinite(mean) else "–"
    return Lane(
        mean,
        seat_colour(number, mode),
        f"{plot_text(seat.label)}: {fit.model} model, R² {words}<br>over {count(len(fit.fold_r2), 'held-out fold')}.",
        mean - sd,
        mean + sd,
        label=fit.model,
        words=words,
        key=(number, fit.model),
        also=fit.fold_r2,
        study=study.get(f"{seat.label}, {fit.model}", math.nan),
    )
