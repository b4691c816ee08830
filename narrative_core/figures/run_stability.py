"""Does a judge's correlation with coherence hold on pairs that were left out?"""

import math
from collections.abc import Sequence
from typing import Literal

import plotly.graph_objects as go

from narrative_core.counting import count
from narrative_core.figures.dot_rows import dot_rows
from narrative_core.figures.estimate_words import number_words
from narrative_core.figures.lanes import Lane, Panel, Row, Sides, fitting_window, lane_values
from narrative_core.figures.run_effects import CONTRASTED
from narrative_core.figures.run_marks import seat_colour
from narrative_core.figures.theme import Mode
from narrative_core.figures.wording import plot_text
from narrative_core.run_outcomes import RunResults, SeatResults
from narrative_core.runs import METRIC_WORDS, Metric

Part = Literal["train", "test"]
_PARTS: dict[Part, str] = {"train": "on all folds but one", "test": "on the fold that was left out"}
_LABELS: dict[Part, str] = {"train": "other folds", "test": "left-out fold"}
_SYMBOLS: dict[Part, str] = {"train": "circle-open", "test": "circle"}


def stability_dots(results: RunResults, *, mode: Mode = "light") -> go.Figure:
    """Pearson's r of each judge with the weakest and with the mean link, on each fold and on the rest.

    A panel a metric; the mean of the folds is a large dot, each fold a small one. ``customdata`` is [seat number,
    metric].
    """
    panels = []
    for metric in CONTRASTED:
        seats = [(number, seat) for number, seat in enumerate(results.seats) if metric in seat.stability]
        rows = tuple(_row(seat, number, metric, mode) for number, seat in seats)
        window = fitting_window(lane_values(rows), holds=(0, 0.5), within=(-1, 1))
        panels.append(
            Panel(f"Pearson's r of score and {METRIC_WORDS[metric]}", rows, window, ((0.0, "no correlation"),))
        )
    return dot_rows(
        panels,
        sides=Sides(82, 42),
        foot="○ train: all folds but one · ● test: the fold left out · small dots: folds, large: their mean",
        empty="Stability stands here when a judge has scored the stories of enough endpoint pairs.",
        mode=mode,
    )


def _row(seat: SeatResults, number: int, metric: Metric, mode: Mode) -> Row:
    stability = seat.stability[metric]
    about, colour = f"{plot_text(seat.label)} and {METRIC_WORDS[metric]}", seat_colour(number, mode)
    train = _lane("train", stability.train_r, about, (number, metric), colour)
    test = _lane("test", stability.test_r, about, (number, metric), colour)
    n = seat.associations[metric].pearson.n if metric in seat.associations else 0
    return Row(seat.label, (train, test), f"apart by {number_words(stability.mean_absolute_difference)}, n = {n:,}")


def _lane(part: Part, folds: Sequence[float], about: str, key: tuple[int | str, ...], colour: str) -> Lane:
    known = tuple(value for value in folds if math.isfinite(value))
    mean = math.fsum(known) / len(known) if known else math.nan
    return Lane(
        mean,
        colour,
        f"{about}: r {number_words(mean)}<br>{_PARTS[part]}, mean of {count(len(known), 'fold')}.",
        label=_LABELS[part],
        words=number_words(mean) if known else "–",
        symbol=_SYMBOLS[part],
        key=key,
        also=known,
    )
