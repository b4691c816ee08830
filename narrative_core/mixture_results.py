"""From the raw table of a run out of distribution to its results: mixtures of two collections beside trails."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput
from narrative_core.estimates import Contrast
from narrative_core.judgements import Seat
from narrative_core.run_outcomes import MixtureMeasure, MixtureResults
from narrative_core.runs import Made, Metric, RunTable
from narrative_core.stats.association import association
from narrative_core.stats.contrasts import contrast
from narrative_core.stats.summaries import summary

KINDS: Final[tuple[Made, ...]] = ("trail", "alternating", "mixed")
COHERENCES: Final[tuple[Metric, ...]] = ("minimum", "average")


def mixture_results(table: RunTable, *, n_resamples: int = 1000) -> MixtureResults:
    """Return how trails within one collection, and stories that alternate between two or mix them, are measured.

    Parameters
    ----------
    table : RunTable
        Of a run of the design "mixtures". A story without a score is skipped where it is needed, and counted there.
    n_resamples : int
        How often the bootstrap draws; each draw begins at the seed of the run.

    Returns
    -------
    MixtureResults
        A measure each for minimum and average coherence, then one for each judge. The associations are of a judge's
        mean score with average coherence, over alternating and mixed stories alone, as in the reference study.

    Raises
    ------
    InvalidInput
        If the run is of another design.
    """
    if table.run.settings.design != "mixtures":
        raise InvalidInput(
            f"These results are of a run of mixtures; got one of the design “{table.run.settings.design}”."
        )
    coherences = [_measure(table, name, None, table.metric(name), n_resamples) for name in COHERENCES]
    judges = [_measure(table, scores.label, scores.seat, scores.means, n_resamples) for scores in table.seats]
    both = np.sort(np.concatenate([table.rows("alternating"), table.rows("mixed")]))
    average, pairs = table.metric("average")[both], table.pairs[both]
    associations = {
        scores.label: association(scores.means[both], average, pairs, rng=_rng(table), n_resamples=n_resamples)
        for scores in table.seats
    }
    return MixtureResults(table.run, (*coherences, *judges), associations)


def _measure(
    table: RunTable, name: str, seat: Seat | None, values: NDArray[np.float64], n_resamples: int
) -> MixtureMeasure:
    rows, pairs = {made: table.rows(made) for made in KINDS}, table.pairs

    def against(first: Made, second: Made) -> Contrast:
        return contrast(
            values[rows[first]],
            values[rows[second]],
            first_pairs=pairs[rows[first]],
            second_pairs=pairs[rows[second]],
            rng=_rng(table),
            n_resamples=n_resamples,
        )

    return MixtureMeasure(
        name=name,
        seat=seat,
        by_kind={made: summary(values[rows[made]]) for made in KINDS},
        alternating_mixed=against("alternating", "mixed"),
        trail_alternating=against("trail", "alternating"),
        trail_mixed=against("trail", "mixed"),
    )


def _rng(table: RunTable) -> np.random.Generator:
    return np.random.default_rng(table.run.settings.seed)
