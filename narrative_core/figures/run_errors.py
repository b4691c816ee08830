"""Where a judge and the coherence of a story differ, both brought to the same scale."""

from typing import Literal

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from narrative_core.figures.run_histogram_rows import histogram_rows
from narrative_core.figures.run_marks import empty_figure, kinds_made, n_words, seat_label
from narrative_core.figures.theme import Mode
from narrative_core.runs import METRIC_WORDS, RunTable

_SECOND_LINE_PX = 14
"""Room for the second line of the axis title."""


def error_histogram(
    table: RunTable, seat_number: int, metric: Literal["minimum", "average"] = "minimum", *, mode: Mode = "light"
) -> go.Figure:
    """Histograms of a judge's mean score less coherence, a row for each way of making stories.

    Both are min–max normalised over the stories of the run that have both: 0 is the lowest, 1 the highest. Right of 0
    the judge ranks a story higher than its coherence does.

    Returns
    -------
    Figure
        One trace of bars a way of making stories, with a line at 0 and each mean; each bar's ``customdata`` is
        [low, high, made]. Fewer than two different scores or coherences give one sentence.
    """
    seat = table.seats[seat_number]
    errors = normalised_errors(seat.means, table.metric(metric))
    known = np.isfinite(errors)
    if not known.any():
        return empty_figure(
            f"{seat.label} gave no two different scores, so that nothing can be normalised and compared.", mode
        )
    skipped = {"without a score": int((~known).sum())}
    figure = histogram_rows(
        {made: errors[table.rows(made)] for made in kinds_made(table)},
        title=f"score less {METRIC_WORDS[metric]}, each normalised to 0–1<br>← judge lower      judge higher →",
        said="a difference",
        n=f"{n_words(int(known.sum()), 'story', skipped)}<br>judge: {seat_label(seat)}",
        has_zero=True,
        mode=mode,
    )
    bottom, height = figure.layout.margin.b + _SECOND_LINE_PX, figure.layout.height + _SECOND_LINE_PX
    return figure.update_layout(margin_b=bottom, height=height)


def normalised_errors(scores: NDArray[np.float64], coherences: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores less coherences, each min–max normalised to [0, 1] over the stories that have both, (n_stories,).

    nan where either is nan; all nan where the scores or the coherences do not vary.

    >>> normalised_errors(np.array([1.0, 10.0, 5.5]), np.array([0.2, 0.4, 0.4]))
    array([ 0. ,  0. , -0.5])
    """
    both = np.isfinite(scores) & np.isfinite(coherences)
    errors = np.full(len(scores), np.nan)
    if not both.any() or np.ptp(scores[both]) == 0 or np.ptp(coherences[both]) == 0:
        return errors
    errors[both] = _min_max(scores[both]) - _min_max(coherences[both])
    return errors


def _min_max(values: NDArray[np.float64]) -> NDArray[np.float64]:
    low, high = float(values.min()), float(values.max())
    return (values - low) / (high - low)
