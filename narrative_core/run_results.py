"""From the raw table of a run to every estimate that its results page and its report show."""

from collections.abc import Mapping
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput
from narrative_core.estimates import Contrast, PairedDifference, Prediction
from narrative_core.run_outcomes import RunResults, SeatResults, Use
from narrative_core.runs import Made, Metric, RunTable, SeatScores
from narrative_core.stats.agreement import agreement
from narrative_core.stats.association import association
from narrative_core.stats.contrasts import contrast
from narrative_core.stats.disagreement import disagreement
from narrative_core.stats.paired import paired_difference
from narrative_core.stats.prediction import predict
from narrative_core.stats.stability import stability
from narrative_core.stats.summaries import summary

COHERENCES: tuple[Metric, ...] = ("minimum", "average")
PREDICTORS: tuple[Metric, ...] = ("minimum", "average", "length")
KINDS: tuple[Made, ...] = ("trail", "baseline")
NO_MODELS = Prediction((), {}, 0, 0)
"""In the place of a prediction that was not asked for."""


def results_of(table: RunTable, *, n_resamples: int = 1000, with_models: bool = True) -> RunResults:
    """Return every estimate of a run of trails beside random chronologies.

    Each draw begins at the seed of the run: a judge's intervals do not depend on who else was asked, and the same
    table gives the same results.

    Parameters
    ----------
    table : RunTable
        A story without a score, or with an unknown metric, is skipped where it is needed, and counted there.
    n_resamples : int
        How often the bootstrap draws.
    with_models : bool
        Whether scores are predicted by models, half of the time. Without them each prediction is empty.

    Returns
    -------
    RunResults
        Of a run without stories or replies, numbers are nan and counts 0.

    Raises
    ------
    InvalidInput
        If the run is of another design.

    Notes
    -----
    Most of the time goes into the bootstrap: linear in stories times resamples, for each judge and metric.
    """
    if table.run.settings.design != "trails":
        raise InvalidInput(
            "These results are of a run of trails beside random chronologies; got one of the design "
            f"“{table.run.settings.design}”."
        )
    metrics, pairs, seed = _metrics(table), table.pairs, table.run.settings.seed
    return RunResults(
        run=table.run,
        n_stories=len(table.stories),
        lengths={made: summary(metrics["length"][table.rows(made)]) for made in KINDS},
        length_difference=_difference_by_pair(table, metrics["length"], n_resamples),
        contrasts={name: _trails_against_chance(table, metrics[name], n_resamples) for name in COHERENCES},
        spans={
            name: association(
                metrics["span"], metrics[name], pairs, rng=np.random.default_rng(seed), n_resamples=n_resamples
            )
            for name in COHERENCES
        },
        seats=tuple(_seat_results(table, scores, metrics, n_resamples, with_models) for scores in table.seats),
    )


def _metrics(table: RunTable) -> Mapping[Metric, NDArray[np.float64]]:
    """Return every metric of every story, each (n_stories,)."""
    measured = [story.metrics for story in table.stories]
    names: tuple[Metric, ...] = get_args(Metric)
    return {name: np.array([metrics[name] for metrics in measured], dtype=np.float64) for name in names}


def _seat_results(
    table: RunTable,
    scores: SeatScores,
    metrics: Mapping[Metric, NDArray[np.float64]],
    n_resamples: int,
    with_models: bool,
) -> SeatResults:
    means, pairs, seed = scores.means, table.pairs, table.run.settings.seed
    is_trail = np.isin(np.arange(len(table.stories)), table.rows("trail"))
    return SeatResults(
        seat=scores.seat,
        label=scores.label,
        counts=dict(scores.counts),
        n_unasked=scores.n_unasked,
        associations={
            name: association(values, means, pairs, rng=np.random.default_rng(seed), n_resamples=n_resamples)
            for name, values in metrics.items()
        },
        contrast=_trails_against_chance(table, means, n_resamples),
        agreement=agreement(scores.scores),
        use=_use(scores),
        prediction=_prediction(metrics, means, pairs, seed) if with_models else NO_MODELS,
        disagreement=disagreement(
            scores.scores,
            pairs,
            rng=np.random.default_rng(seed),
            n_resamples=n_resamples,
            is_scale_1_to_10=scores.seat.judge != "flow",
        ),
        stability={name: stability(metrics[name], means, is_trail, pairs, seed=seed) for name in COHERENCES},
    )


def _prediction(
    metrics: Mapping[Metric, NDArray[np.float64]],
    means: NDArray[np.float64],
    pairs: NDArray[np.int64],
    seed: int,
) -> Prediction:
    features = np.column_stack([metrics[name] for name in PREDICTORS])
    return predict(features, means, pairs, names=PREDICTORS, seed=seed)


def _use(scores: SeatScores) -> Use:
    return Use(
        seconds=summary(scores.seconds),
        input_tokens=summary(scores.input_tokens),
        output_tokens=summary(scores.output_tokens),
        cost_usd=summary(scores.cost_usd),
    )


def _trails_against_chance(table: RunTable, values: NDArray[np.float64], n_resamples: int) -> Contrast:
    trails, chance, pairs = table.rows("trail"), table.rows("baseline"), table.pairs
    return contrast(
        values[trails],
        values[chance],
        first_pairs=pairs[trails],
        second_pairs=pairs[chance],
        rng=np.random.default_rng(table.run.settings.seed),
        n_resamples=n_resamples,
    )


def _difference_by_pair(table: RunTable, values: NDArray[np.float64], n_resamples: int) -> PairedDifference:
    """Return trail less random chronology; a pair that lacks one of them is skipped."""
    pairs = np.unique(table.pairs)
    of_kind = {made: np.full(len(pairs), np.nan) for made in KINDS}
    for made, found in of_kind.items():
        rows = table.rows(made)
        found[np.searchsorted(pairs, table.pairs[rows])] = values[rows]
    return paired_difference(
        of_kind["trail"],
        of_kind["baseline"],
        pairs,
        rng=np.random.default_rng(table.run.settings.seed),
        n_resamples=n_resamples,
    )
