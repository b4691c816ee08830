"""The same stories measured in two ways: in two runs, or by two judges or metrics of one."""

from collections import Counter

import numpy as np
from numpy.typing import ArrayLike, NDArray

from narrative_core.errors import InvalidInput
from narrative_core.judgements import Seat
from narrative_core.run_outcomes import ALL, Comparison, Disputed
from narrative_core.runs import MADE_WORDS, METRIC_WORDS, Made, Metric, RunTable, SeatScores
from narrative_core.stats.association import association
from narrative_core.stats.paired import paired_difference
from narrative_core.stats.ranks import mean_ranks
from narrative_core.stats.summaries import as_values, check_lengths, summary

MOST_DISPUTED = 20

StoryKey = tuple[str, str, str, Made, int]
"""Collection, first and last document, how the story was made, and which of several such stories of the run it is."""


def compare_runs(first: RunTable, second: RunTable, measure: Metric | Seat, *, n_resamples: int = 1000) -> Comparison:
    """Return how one measure differs between two runs, first less second, over the stories that both have.

    Stories match by collection, first and last document, and how they were made: two runs with the same endpoints then
    compare pair by pair, whatever lies between.

    Parameters
    ----------
    first, second : RunTable
        Pairs and seed are those of the first.
    measure : Metric or Seat
        A metric of the stories, or the mean score that the same seat gave in both runs.
    n_resamples : int
        How often the bootstrap draws pairs.

    Returns
    -------
    Comparison
        ``n_unmatched`` counts stories that only one of the runs has. A matched story without a value in one of them is
        skipped, and counted with the differences.

    Raises
    ------
    InvalidInput
        If a run has no such seat.
    """
    own, other = matching_rows(first, second)
    values = measured(first, measure)[own], measured(second, measure)[other]
    told = measure_words(first, measure)
    names = f"{told} · {first.run.name}", f"{told} · {second.run.name}"
    n_unmatched = len(first.stories) + len(second.stories) - 2 * len(own)
    return _comparison(first, own, values, names, n_unmatched=n_unmatched, n_resamples=n_resamples)


def compare_measures(
    table: RunTable, first: Metric | Seat, second: Metric | Seat, *, n_resamples: int = 1000
) -> Comparison:
    """Return how two judges of a run, or a judge and a metric, differ on the same stories, first less second.

    Parameters
    ----------
    table : RunTable
    first, second : Metric or Seat
        Metrics of the stories, or seats of the run. Where the two have different units (points, nats, coherence …),
        both are standardised over the stories that have both: (value − mean) / sd with n − 1. The names then say so.
    n_resamples : int
        How often the bootstrap draws pairs.

    Returns
    -------
    Comparison
        ``n_unmatched`` is 0: both are of every story. A story that lacks one of the values is skipped, and counted
        with the differences.

    Raises
    ------
    InvalidInput
        If the run has no such seat.
    """
    values = measured(table, first), measured(table, second)
    names = measure_words(table, first), measure_words(table, second)
    if measure_unit(first) != measure_unit(second):
        is_both = ~(np.isnan(values[0]) | np.isnan(values[1]))
        values = _standardised(values[0], is_both), _standardised(values[1], is_both)
        names = f"{names[0]}, standardised", f"{names[1]}, standardised"
    rows = np.arange(len(table.stories))
    return _comparison(table, rows, values, names, n_unmatched=0, n_resamples=n_resamples)


def matching_rows(first: RunTable, second: RunTable) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the rows of the stories that both runs have, those of the first and those of the second, in turn."""
    rows = {key: row for row, key in enumerate(_keys(second))}
    matches = [(row, rows[key]) for row, key in enumerate(_keys(first)) if key in rows]
    own, other = np.array(matches, dtype=np.intp).reshape(-1, 2).T
    return own, other


def measured(table: RunTable, measure: Metric | Seat) -> NDArray[np.float64]:
    """Return a metric of the stories, or the mean score that a seat of the run gave them, (n_stories,)."""
    return _scores(table, measure).means if isinstance(measure, Seat) else table.metric(measure)


def measure_words(table: RunTable, measure: Metric | Seat) -> str:
    """Return what a measure is called in a run."""
    return _scores(table, measure).label if isinstance(measure, Seat) else METRIC_WORDS[measure]


def measure_unit(measure: Metric | Seat) -> str:
    """Return the unit of a measure in words: two measures of one unit can be subtracted.

    Examples
    --------
    >>> measure_unit("minimum"), measure_unit(Seat("lexical", "")), measure_unit("span")
    ('coherence', 'points', 'days from first to last')
    """
    if isinstance(measure, Seat):
        return "nats per token" if measure.judge == "flow" else "points"
    return "coherence" if measure in ("minimum", "average") else METRIC_WORDS[measure]


def disputed(first_values: ArrayLike, second_values: ArrayLike, *, most: int = MOST_DISPUTED) -> tuple[Disputed, ...]:
    """Return the stories that two measures rank most differently, the furthest apart first.

    The rank is (r − 1)/(n − 1) for the mean rank r among the n stories that have both values: 0 the lowest, 1 the
    highest, ties in the middle of their places.

    Parameters
    ----------
    first_values, second_values : array_like, shape (n_stories,)
        A story with nan in either has no rank and is left out.
    most : int
        At most so many.

    Returns
    -------
    tuple of Disputed
        Without stories that both rank alike; of equal distance, in the order of rows.

    Raises
    ------
    InvalidInput
        If a list is not what it must be, or their lengths differ.

    Examples
    --------
    >>> [(story.row, story.distance) for story in disputed([1.0, 2.0, 3.0, float("nan")], [9.0, 8.0, 7.0, 6.0])]
    [(0, -1.0), (2, 1.0)]
    """
    first, second = as_values(first_values, "first_values"), as_values(second_values, "second_values")
    check_lengths(first_values=first, second_values=second)
    rows = np.flatnonzero(~(np.isnan(first) | np.isnan(second)))
    if len(rows) < 2:
        return ()
    shares = [(mean_ranks(values[rows]) - 1) / (len(rows) - 1) for values in (first, second)]
    found = (Disputed(*told) for told in zip(rows.tolist(), shares[0].tolist(), shares[1].tolist(), strict=True))
    apart = sorted((story for story in found if story.distance), key=lambda story: -abs(story.distance))
    return tuple(apart[:most])


def _comparison(
    table: RunTable,
    rows: NDArray[np.intp],
    values: tuple[NDArray[np.float64], NDArray[np.float64]],
    names: tuple[str, str],
    *,
    n_unmatched: int,
    n_resamples: int,
) -> Comparison:
    """Compare values of the stories that stand in the given rows of a table."""
    pairs, seed = table.pairs[rows], table.run.settings.seed
    made = np.array([table.stories[row].made for row in rows], dtype=object)
    kinds = {str(kind): made == kind for kind in MADE_WORDS if (made == kind).any()}
    return Comparison(
        first=names[0],
        second=names[1],
        differences={
            kind: paired_difference(
                values[0][is_in],
                values[1][is_in],
                pairs[is_in],
                rng=np.random.default_rng(seed),
                n_resamples=n_resamples,
            )
            for kind, is_in in {**kinds, ALL: np.ones(len(rows), dtype=bool)}.items()
        },
        association=association(*values, pairs, rng=np.random.default_rng(seed), n_resamples=n_resamples),
        n_unmatched=n_unmatched,
    )


def _keys(table: RunTable) -> list[StoryKey]:
    seen: Counter[tuple[str, str, Made]] = Counter()
    keys = []
    for story in table.stories:
        ends = (story.document_ids[0], story.document_ids[-1], story.made)
        keys.append((table.run.settings.collection, *ends, seen[ends]))
        seen[ends] += 1
    return keys


def _scores(table: RunTable, seat: Seat) -> SeatScores:
    for scores in table.seats:
        if scores.seat == seat:
            return scores
    labels = ", ".join(scores.label for scores in table.seats) or "none"
    raise InvalidInput(
        f"The run “{table.run.name}” has no such judge: {seat.judge} {seat.model}. Choose one of its own: {labels}."
    )


def _standardised(values: NDArray[np.float64], is_used: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return z-scores of the stories in use, nan for all others and where scores do not vary."""
    told = summary(np.where(is_used, values, np.nan))
    scores: NDArray[np.float64] = np.where(is_used, values - told.mean, np.nan) / (told.sd or np.nan)
    return scores
