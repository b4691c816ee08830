"""What trails and random chronologies reach on average, by coherence and by each judge."""

import math
from collections.abc import Mapping

import plotly.graph_objects as go

from narrative_core.estimates import Contrast, Summary
from narrative_core.figures.dot_rows import dot_rows
from narrative_core.figures.estimate_words import summary_words
from narrative_core.figures.lanes import Lane, Panel, Row, Sides, fitting_window, lane_values
from narrative_core.figures.run_effects import CONTRASTED
from narrative_core.figures.run_marks import is_in_nats, made_colour, made_symbol
from narrative_core.figures.theme import Mode
from narrative_core.figures.wording import plot_text
from narrative_core.judgements import HIGHEST_SCORE, LOWEST_SCORE
from narrative_core.run_outcomes import RunResults
from narrative_core.runs import METRIC_WORDS, Made

SHORT_WORDS: Mapping[Made, str] = {
    "trail": "trail",
    "baseline": "random",
    "alternating": "alternating",
    "mixed": "mixed",
}
"""What stands beside a lane for how its stories were made."""

SD_FOOT = "whiskers: one standard deviation of stories"


def grouped_means(results: RunResults, *, study: Mapping[str, float] | None = None, mode: Mode = "light") -> go.Figure:
    """Mean and standard deviation by method: weakest and mean link, and each judge's score.

    Coherence, points and nats have a panel each. ``study`` is by "name, made" ("weakest link, trail"); ``customdata``
    is [seat number, made], -1 for coherence.
    """
    coherence: list[Row] = []
    points: list[Row] = []
    nats: list[Row] = []
    for metric in CONTRASTED:
        if metric in results.contrasts:
            means = _by_made(results.contrasts[metric])
            coherence.append(means_row(METRIC_WORDS[metric].capitalize(), -1, means, study=study, mode=mode))
    for number, seat in enumerate(results.seats):
        is_nats = is_in_nats(seat.seat)
        means, decimals = _by_made(seat.contrast), 2 if is_nats else 1
        row = means_row(seat.label, number, means, decimals=decimals, study=study, mode=mode)
        (nats if is_nats else points).append(row)
    return dot_rows(
        means_panels(coherence, points, nats),
        sides=Sides(54, 84),
        foot=SD_FOOT,
        empty="Means stand here when the run has stories.",
        mode=mode,
    )


def means_panels(coherence: list[Row], points: list[Row], nats: list[Row]) -> list[Panel]:
    """One panel a unit: coherence, points from 1 to 10, nats."""
    return [
        Panel("coherence, 0 to 1", tuple(coherence), fitting_window(lane_values(coherence), within=(0, 1))),
        Panel(
            "score, 1 to 10",
            tuple(points),
            fitting_window(lane_values(points), holds=(LOWEST_SCORE, HIGHEST_SCORE)),
            ticks={"tickvals": list(range(1, 11))},
        ),
        Panel("gain, nats per token", tuple(nats), fitting_window(lane_values(nats))),
    ]


def means_row(
    name: str,
    number: int,
    by_made: Mapping[Made, Summary],
    *,
    decimals: int = 2,
    study: Mapping[str, float] | None = None,
    mode: Mode = "light",
) -> Row:
    """A lane a method with its mean and one standard deviation on either side."""
    lanes = []
    for made, summary in by_made.items():
        words = summary_words(summary, decimals)
        lanes.append(
            Lane(
                summary.mean,
                made_colour(made, mode),
                f"{plot_text(name)}, {SHORT_WORDS.get(made, made)}:<br>{words}, n = {summary.n:,}.",
                summary.mean - summary.sd,
                summary.mean + summary.sd,
                label=SHORT_WORDS.get(made, made),
                words=words if math.isfinite(summary.mean) else "–",
                symbol=made_symbol(made),
                key=(number, made),
                study=(study or {}).get(f"{name.lower() if number < 0 else name}, {made}", math.nan),
            )
        )
    return Row(name, tuple(lanes), "n = " + " + ".join(f"{summary.n:,}" for summary in by_made.values()))


def _by_made(contrast: Contrast) -> Mapping[Made, Summary]:
    return {"trail": contrast.first, "baseline": contrast.second}
