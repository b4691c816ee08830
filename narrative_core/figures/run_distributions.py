"""How coherent the stories of a run are, by how they were made."""

from typing import Literal

import numpy as np
import plotly.graph_objects as go

from narrative_core.figures.run_histogram_rows import histogram_rows
from narrative_core.figures.run_marks import empty_figure, kinds_made, n_words
from narrative_core.figures.run_points import METRIC_TITLES
from narrative_core.figures.theme import Mode
from narrative_core.runs import METRIC_WORDS, RunTable


def coherence_distribution(
    table: RunTable, metric: Literal["minimum", "average"] = "minimum", *, mode: Mode = "light"
) -> go.Figure:
    """Histograms of the weakest or of the mean link, a row for each way of making stories, each with its mean.

    Returns
    -------
    Figure
        One trace of bars a way of making stories; each bar's ``customdata`` is [low, high, made]. A run without a
        story gives one sentence.
    """
    values = table.metric(metric)
    known = np.isfinite(values)
    if not known.any():
        return empty_figure("This run has no story yet.", mode)
    return histogram_rows(
        {made: values[table.rows(made)] for made in kinds_made(table)},
        title=METRIC_TITLES[metric],
        said=f"a {METRIC_WORDS[metric]}",
        n=n_words(int(known.sum()), "story", {f"without a {METRIC_WORDS[metric]}": int((~known).sum())}),
        mode=mode,
    )
