"""Two measures of the same stories, in two runs or within one: what they are, and what came of comparing them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from narrative_core.judgements import Seat
from narrative_core.reports.verdict_sentences import format_ordinal
from narrative_core.run_comparison import (
    compare_measures,
    compare_runs,
    disputed,
    matching_rows,
    measure_unit,
    measure_words,
    measured,
)
from narrative_core.run_outcomes import Comparison, Disputed
from narrative_core.runs import MADE_WORDS, Made, Metric, Run, RunStory, RunSummary, RunTable, Version
from narrative_core.ui import run_work
from narrative_core.ui.run_differences import has_same_pairs

Measure = Metric | Seat
KEPT_COMPARISONS = 16


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One of the two: its run, what is measured, and the rows (n,) in its table of the stories that both have.

    ``values`` (n,) the measure of those stories, nan where there is none · ``name`` which of the two it is, in a few
    words.
    """

    summary: RunSummary
    table: RunTable
    measure: Measure
    rows: NDArray[np.intp]
    values: NDArray[np.float64]
    name: str

    def story(self, place: int) -> RunStory:
        """Return the story at a place among those that both have."""
        return self.table.stories[int(self.rows[place])]


@dataclass(frozen=True, slots=True)
class Disputes:
    """Stories that two sides rank differently, the furthest apart first, and among how many they are ranked.

    Their rows are places among the stories that both sides have.
    """

    stories: tuple[Disputed, ...]
    n: int


@dataclass(frozen=True, slots=True, eq=False)
class SideBySide:
    """Both sides and their comparison; ``unit`` is that of the differences.

    ``by`` leads from what is said of a story to the name of a side: ranked "by gpt-4.1", "with root", "in “my run”".
    """

    first: Side
    second: Side
    found: Comparison
    unit: str
    by: str = "by"

    @property
    def is_one_run(self) -> bool:
        """Whether both measure the very same stories."""
        return self.first.summary.run.run_id == self.second.summary.run.run_id

    @property
    def is_one_unit(self) -> bool:
        """Whether both have the same unit, so that one can be taken from the other."""
        return measure_unit(self.first.measure) == measure_unit(self.second.measure)

    @property
    def n_ranked(self) -> int:
        """How many stories both have a value of."""
        return int(self._is_ranked.sum())

    @property
    def kinds(self) -> tuple[Made, ...]:
        """How the stories were made that both have a value of."""
        made = {self.first.story(place).made for place in np.flatnonzero(self._is_ranked).tolist()}
        return tuple(kind for kind in MADE_WORDS if kind in made)

    def disputes(self, made: Made | None = None) -> Disputes:
        """Return the stories that both rank most differently, among those made in one way, or among all."""
        is_meant = np.array([made in (None, self.first.story(place).made) for place in range(len(self.first.rows))])
        first, second = (np.where(is_meant, side.values, np.nan) for side in (self.first, self.second))
        return Disputes(disputed(first, second), int((self._is_ranked & is_meant).sum()))

    @property
    def _is_ranked(self) -> NDArray[np.bool_]:
        is_ranked: NDArray[np.bool_] = np.isfinite(self.first.values) & np.isfinite(self.second.values)
        return is_ranked


def measures_within(table: RunTable) -> list[Measure]:
    """Return what can be compared within a run: how strong its stories are, and its judges."""
    return ["minimum", "average", *(scores.seat for scores in table.seats)]


def measures_of_all(tables: Sequence[RunTable]) -> list[Measure]:
    """Return what can be compared between runs: how strong and how long stories are, and the judges that all have."""
    first, *others = tables
    shared = [scores.seat for scores in first.seats if all(_has(table, scores.seat) for table in others)]
    return ["minimum", "average", "length", *shared]


def within(summary: RunSummary, first: Measure, second: Measure) -> SideBySide:
    """Return two measures of one run side by side."""
    table = run_work.table(summary)
    rows = np.arange(len(table.stories))
    sides = [_side(summary, table, one, rows, measure_words(table, one)) for one in (first, second)]
    found = _within(summary.version, first, second, table)
    unit = measure_unit(first) if measure_unit(first) == measure_unit(second) else "standard deviations"
    return SideBySide(sides[0], sides[1], found, unit)


def between(first: RunSummary, second: RunSummary, measure: Measure) -> SideBySide:
    """Return one measure of two runs side by side."""
    tables = run_work.table(first), run_work.table(second)
    rows = matching_rows(*tables)
    by, names = _sides_apart(first.run, second.run)
    found = _between((first.version, second.version), measure, *tables)
    told = measure_words(tables[0], measure)
    return SideBySide(
        _side(first, tables[0], measure, rows[0], names[0]),
        _side(second, tables[1], measure, rows[1], names[1]),
        replace(found, first=f"{told} {by} {names[0]}", second=f"{told} {by} {names[1]}"),
        measure_unit(measure),
        by,
    )


def names_apart(runs: Sequence[Run]) -> list[str]:
    """Return what runs are called; where two have one name, also when they were made."""
    times = Counter(run.name for run in runs)
    return [f"“{run.name}”{f' ({run_work.origin_words(run)})' if times[run.name] > 1 else ''}" for run in runs]


def _side(summary: RunSummary, table: RunTable, measure: Measure, rows: NDArray[np.intp], name: str) -> Side:
    return Side(summary, table, measure, rows, measured(table, measure)[rows], name)


def _sides_apart(first: Run, second: Run) -> tuple[str, Sequence[str]]:
    """Return what tells two runs apart in few words, and the word that leads to it."""
    if has_same_pairs(first, second) and first.divergence != second.divergence:
        return "with", [str(first.divergence), str(second.divergence)]
    return "in", names_apart([first, second])


def rank_words(share: float, n: int) -> str:
    """Return a rank that is a share in [0, 1], 1 the highest, as the place from the top among ``n`` stories.

    Examples
    --------
    >>> rank_words(1.0, 200), rank_words(0.0, 200), rank_words(0.5, 3)
    ('1st', '200th', '2nd')
    """
    return format_ordinal(1 + round((1 - share) * (n - 1)))


def _has(table: RunTable, seat: Seat) -> bool:
    return any(scores.seat == seat for scores in table.seats)


@st.cache_resource(max_entries=KEPT_COMPARISONS, show_spinner="Comparing …")
def _within(about: Version, first: Measure, second: Measure, _table: RunTable) -> Comparison:
    del about
    return compare_measures(_table, first, second)


@st.cache_resource(max_entries=KEPT_COMPARISONS, show_spinner="Comparing …")
def _between(about: tuple[Version, Version], measure: Measure, _first: RunTable, _second: RunTable) -> Comparison:
    del about
    return compare_runs(_first, _second, measure)
