"""How far trails and random chronologies are apart, by coherence and by each judge, without a unit."""

import math
from collections.abc import Callable, Mapping, Sequence

import plotly.graph_objects as go

from narrative_core.estimates import Contrast, Estimate
from narrative_core.figures.dot_rows import dot_rows
from narrative_core.figures.estimate_words import estimate_words
from narrative_core.figures.lanes import Lane, Panel, Row, fitting_window, lane_values
from narrative_core.figures.run_marks import seat_colour, seat_symbol
from narrative_core.figures.theme import Mode, ink
from narrative_core.figures.wording import plot_text
from narrative_core.run_outcomes import RunResults
from narrative_core.runs import METRIC_WORDS, Metric

CONTRASTED: Sequence[Metric] = ("minimum", "average")
"""The metrics whose contrast a run has."""

_EMPTY = "Effect sizes stand here when the run has trails and random chronologies."
_FOOT = "whiskers: 95 % interval over endpoint pairs"


def effect_sizes(results: RunResults, *, study: Mapping[str, float] | None = None, mode: Mode = "light") -> go.Figure:
    """Cohen's d of trails against random chronologies: weakest link, mean link, and the score of each judge.

    Lines mark what is called small, medium and large (0.2, 0.5, 0.8). ``study`` is by "weakest link", "mean link" or
    the label of a judge; ``customdata`` is [-1, metric] or [seat number, "score"].
    """
    rows = _rows(results, lambda contrast: contrast.cohens_d, "Cohen's d", study or {}, mode)
    window = fitting_window(lane_values(rows), holds=(0, 1))
    lines = ((0.0, "none"), (0.2, "small"), (0.5, "medium"), (0.8, "large"))
    title = "Cohen's d: trails above random chronologies"
    return dot_rows([Panel(title, rows, window, lines)], foot=_FOOT, empty=_EMPTY, mode=mode)


def auc_bars(results: RunResults, *, study: Mapping[str, float] | None = None, mode: Mode = "light") -> go.Figure:
    """The chance that a trail is above a random chronology, ties half; 0.5 is what guessing gives.

    ``study`` and ``customdata`` as of `effect_sizes`.
    """
    rows = _rows(results, lambda contrast: contrast.auc, "AUC", study or {}, mode)
    window = fitting_window(lane_values(rows), holds=(0.4, 1))
    lines = ((0.5, "chance"),)
    title = "AUC: chance that a trail is above a random chronology"
    return dot_rows([Panel(title, rows, window, lines)], foot=_FOOT, empty=_EMPTY, mode=mode)


def contrast_rows(
    results: RunResults, row: Callable[[str, Contrast, tuple[int | str, ...], str, str], Row], mode: Mode
) -> tuple[Row, ...]:
    """A row of each metric and each judge from its name, contrast, key, colour and symbol."""
    metrics = [
        row(METRIC_WORDS[metric].capitalize(), results.contrasts[metric], (-1, metric), ink(mode), "circle")
        for metric in CONTRASTED
        if metric in results.contrasts
    ]
    seats = [
        row(seat.label, seat.contrast, (number, "score"), seat_colour(number, mode), seat_symbol(number))
        for number, seat in enumerate(results.seats)
    ]
    return (*metrics, *seats)


def _rows(
    results: RunResults,
    taken: Callable[[Contrast], Estimate],
    measure: str,
    study: Mapping[str, float],
    mode: Mode,
) -> tuple[Row, ...]:
    names = {METRIC_WORDS[metric].capitalize(): METRIC_WORDS[metric] for metric in CONTRASTED}

    def row(name: str, contrast: Contrast, key: tuple[int | str, ...], colour: str, symbol: str) -> Row:
        estimate = taken(contrast)
        words = estimate_words(estimate)
        lane = Lane(
            estimate.value,
            colour,
            f"{plot_text(name)}: {measure} {words}<br>of {contrast.first.n:,} trails against"
            f"<br>{contrast.second.n:,} random chronologies.",
            estimate.low,
            estimate.high,
            symbol=symbol,
            key=key,
            study=study.get(names.get(name, name), math.nan),
        )
        return Row(name, (lane,), words)

    return contrast_rows(results, row, mode)
