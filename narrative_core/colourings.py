"""Ways to colour the documents of a map: by date, by a column, by how strong a trail leads to each."""

from bisect import bisect_right
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from narrative_core.counting import count
from narrative_core.figures.map_colouring import NO_STEP, Colouring, Swatch
from narrative_core.figures.theme import N_DATE_STEPS, N_REACH_STEPS, N_TOPIC_COLOURS
from narrative_core.figures.wording import strength_words
from narrative_core.holdings import ListedColumn
from narrative_core.records import Document
from narrative_core.time_axis import period_words, periods


def colour_by_date(documents: Sequence[Document]) -> Colouring:
    """Return documents coloured by stretches of the calendar, at most `N_DATE_STEPS`, the latest standing out most.

    Stretches are whole days, weeks, months, quarters, years and so on, whichever is the finest that fits; the first and
    the last end with the collection. Undated documents are grey.
    """
    dates = [document.date for document in documents if document.date is not None]
    if not dates:
        return Colouring("date", _no_steps(len(documents)), _grey("undated", len(documents)))
    # Besides as many marks as there may be, a stretch begins with the first day.
    found = periods(dates, min(dates), max(dates), most=N_DATE_STEPS - 1)
    starts = [period.start for period in found]
    # A few stretches are spread over the whole scale, so that they are told apart best.
    spread = np.linspace(0, N_DATE_STEPS - 1, len(found)).round().astype(int).tolist()
    steps = [
        NO_STEP if document.date is None else spread[bisect_right(starts, document.date) - 1] for document in documents
    ]
    legend = tuple(
        Swatch(step, words, period.n) for step, words, period in zip(spread, period_words(found), found, strict=True)
    )
    undated = _grey("undated", len(documents) - len(dates))
    return Colouring("date", np.array(steps, dtype=np.int64), (*legend, *undated))


def colour_by_column(column: ListedColumn) -> Colouring:
    """Return documents coloured by their value in a column: the ten most frequent have a colour, the others are grey.

    Documents without a value are grey too; the legend counts them by themselves.
    """
    values = [value for value in column.values if value]
    sizes = np.bincount(column.codes, minlength=len(column.values) + 1)
    coloured, others = values[:N_TOPIC_COLOURS], values[N_TOPIC_COLOURS:]
    n_others = int(sizes[len(coloured) : len(values)].sum())
    legend = (
        *(Swatch(step, value, int(sizes[step])) for step, value in enumerate(coloured)),
        *_grey(count(len(others), "other"), n_others),
        *_grey("no value", len(column.codes) - int(sizes[: len(values)].sum())),
    )
    steps = np.where(column.codes < len(coloured), column.codes, NO_STEP)
    told = (*(f"{column.name}: {value}" if value else f"{column.name}: none" for value in column.values), "")
    return Colouring("column", steps, legend, tuple(told[code] for code in column.codes))


def colour_by_reach(reach: NDArray[np.floating]) -> Colouring:
    """Return documents coloured by their reach: how strong the weakest link of the best trail to each can be.

    Parameters
    ----------
    reach : array (n,)
        Best bottleneck from the source to each document; nan, zero and −infinity are no trail, infinity is the source
        itself: both are grey, and the source is not counted.
    """
    values = np.asarray(reach, dtype=np.float64)
    steps, is_source = reach_steps(values), values == np.inf
    legend = tuple(
        Swatch(step, _range_words(values[steps == step]), int((steps == step).sum()))
        for step in range(N_REACH_STEPS)
        if (steps == step).any()
    )
    unreached = _grey("no trail leads there", int(((steps == NO_STEP) & ~is_source).sum()))
    told = tuple(_reach_words(value, step) for value, step in zip(values.tolist(), steps.tolist(), strict=True))
    return Colouring("reach", steps, (*legend, *unreached), told)


def reach_steps(reach: NDArray[np.floating]) -> NDArray[np.int64]:
    """Return the strength of every document's reach in `N_REACH_STEPS` equally filled steps, 0 the weakest.

    Parameters
    ----------
    reach : array (n,)
        Best bottleneck from the source to each document; nan, zero and infinity (the source itself) are no value.

    Returns
    -------
    array (n,) of int64; `NO_STEP` where there is no value.
    """
    values = np.asarray(reach, dtype=np.float64)
    is_reached = np.isfinite(values) & (values > 0)
    steps = _no_steps(len(values))
    if is_reached.any():
        cuts = np.quantile(values[is_reached], np.linspace(0, 1, N_REACH_STEPS + 1)[1:-1])
        steps[is_reached] = np.searchsorted(cuts, values[is_reached], side="left")
    return steps


def _no_steps(n: int) -> NDArray[np.int64]:
    return np.full(n, NO_STEP, dtype=np.int64)


def _grey(words: str, n: int) -> tuple[Swatch, ...]:
    return (Swatch(NO_STEP, words, n),) if n else ()


def _range_words(values: NDArray[np.float64]) -> str:
    low, high = strength_words(float(values.min())), strength_words(float(values.max()))
    return low if low == high else f"{low}–{high}"


def _reach_words(value: float, step: int) -> str:
    if step != NO_STEP:
        return f"reached with a weakest link of {strength_words(value)}"
    return "the trails start here" if value == np.inf else "no trail leads there"
