"""Stories out of distribution: do coherence and judges see that two collections are mixed?"""

from collections.abc import Sequence

import plotly.graph_objects as go

from narrative_core.figures.dot_rows import dot_rows
from narrative_core.figures.estimate_words import estimate_words
from narrative_core.figures.lanes import Row, Sides
from narrative_core.figures.run_marks import empty_figure, is_in_nats, kinds_made, legend_top
from narrative_core.figures.run_means import SD_FOOT, SHORT_WORDS, means_panels, means_row
from narrative_core.figures.run_points import coherence_scale, score_axis, story_points
from narrative_core.figures.strips import Strip, axis_names, lay_strips
from narrative_core.figures.theme import Mode
from narrative_core.run_outcomes import MixtureMeasure, MixtureResults
from narrative_core.runs import METRIC_WORDS, Metric, RunTable

PLOT_PX = 150
_LEGEND_PX = 26
_METRICS: Sequence[Metric] = ("minimum", "average")


def mixture_figure(results: MixtureResults, table: RunTable, *, mode: Mode = "light") -> go.Figure:
    """Average coherence of each story against its mean score, by how it was made, a small plot a judge.

    The correlation beside the name is that over the alternating and the mixed stories. ``customdata`` is [pair, made].
    """
    if not table.stories or not table.seats:
        return empty_figure("Mixed stories stand here when judges have scored them.", mode)
    coherences, traces, strips = table.metric("average"), [], []
    for place, seat in enumerate(table.seats):
        x, y = axis_names(place)
        is_last = place == len(table.seats) - 1
        for made in kinds_made(table):
            name = SHORT_WORDS.get(made, made)
            points = story_points(table, made, coherences, seat.means, mode, name=name, showlegend=place == 0)
            traces.append(points.update(xaxis=x, yaxis=y))
        association = results.associations.get(seat.label)
        words = f"r = {estimate_words(association.pearson)}" if association else ""
        x_ticks = {key: value for key, value in coherence_scale(coherences).items() if key != "range"}
        vertical = score_axis(seat.seat, seat.means, mode)
        strips.append(
            Strip(
                seat.label,
                words,
                "mean link, coherence" if is_last else "",
                vertical["title"]["text"],
                tuple(coherence_scale(coherences)["range"]),
                tuple(vertical["range"]),
                x_ticks,
                {key: vertical[key] for key in ("tickmode", "tickvals", "nticks", "tickformat") if key in vertical},
            )
        )
    foot = "r: Pearson's, over the alternating and the mixed stories"
    parts = lay_strips(strips, plot_px=PLOT_PX, top_px=_LEGEND_PX, foot=foot, mode=mode)
    parts.traces += traces
    parts.layout |= legend_top(mode)
    return parts.figure()


def mixture_means(results: MixtureResults, *, mode: Mode = "light") -> go.Figure:
    """Mean and standard deviation of coherence and of each judge's score, by how stories were made.

    Coherence, points and nats have a panel each. ``customdata`` is [seat number, made], -1 for coherence.
    """
    coherence: list[Row] = []
    points: list[Row] = []
    nats: list[Row] = []
    number = 0
    for measure in results.measures:
        if measure.seat is None:
            coherence.append(means_row(_name(measure), -1, measure.by_kind, mode=mode))
            continue
        is_nats = is_in_nats(measure.seat)
        row = means_row(measure.name, number, measure.by_kind, decimals=2 if is_nats else 1, mode=mode)
        (nats if is_nats else points).append(row)
        number += 1
    return dot_rows(
        means_panels(coherence, points, nats),
        sides=Sides(72, 84),
        foot=SD_FOOT,
        empty="Means stand here when the run has mixed stories.",
        mode=mode,
    )


def _name(measure: MixtureMeasure) -> str:
    words = {str(metric): METRIC_WORDS[metric] for metric in _METRICS}
    return words.get(measure.name, measure.name).capitalize()
