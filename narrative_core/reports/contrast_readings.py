"""The columns of a contrast between two kinds of stories, and of an association, whatever the rows are."""

from collections.abc import Callable
from typing import TypeVar

from narrative_core.estimates import Association, Contrast
from narrative_core.reports.tables import Cell, Column, EstimateCell, NumberCell, PCell, Reading, summary_cell

Item = TypeVar("Item")
Named = tuple[str, str]
"""Key and title, or the words for two kinds."""


def contrast_readings(first: Named, second: Named, of: Callable[[Item], tuple[Contrast, int]]) -> list[Reading[Item]]:
    """Return means of both kinds, then their tests; ``of`` gives an item's contrast and the decimals of its means."""

    def mean(item: Item, *, is_first: bool) -> Cell:
        contrast, digits = of(item)
        return summary_cell(contrast.first if is_first else contrast.second, digits=digits)

    return [
        Reading(
            Column(first[0], first[1], "Mean and standard deviation (n − 1).", "summary"),
            lambda item: mean(item, is_first=True),
        ),
        Reading(
            Column(second[0], second[1], "Mean and standard deviation (n − 1).", "summary"),
            lambda item: mean(item, is_first=False),
        ),
        *comparison_readings(lambda item: of(item)[0], kinds=(_short(first[1]), _short(second[1]))),
    ]


def _short(title: str) -> str:
    """Return the first word of a title, which tells the kinds apart: "random" of "Random chronologies"."""
    return title.split(" ", maxsplit=1)[0].lower()


def comparison_readings(of: Callable[[Item], Contrast], *, kinds: Named = ("first", "second")) -> list[Reading[Item]]:
    """Return the columns of the tests of a contrast, and of how many stories each kind has."""
    return [
        Reading(
            Column("d", "Cohen's d", "Difference of the means over the pooled standard deviation.", "estimate"),
            lambda item: EstimateCell(of(item).cohens_d),
        ),
        Reading(
            Column("auc", "AUC", "Chance that a story of the first kind is above one of the second.", "estimate"),
            lambda item: EstimateCell(of(item).auc),
        ),
        Reading(Column("welch_t", "Welch t", "t for unequal variances."), lambda item: NumberCell(of(item).welch_t)),
        Reading(Column("welch_df", "df", "Its degrees of freedom."), lambda item: NumberCell(of(item).welch_df, 1)),
        Reading(
            Column("welch_p", "p of t", "Two-sided; it takes stories as independent of each other.", "p"),
            lambda item: PCell(of(item).welch_p),
        ),
        Reading(
            Column("mann_whitney_u", "U", "Mann–Whitney U of the first kind."),
            lambda item: NumberCell(of(item).mann_whitney_u, 1),
        ),
        Reading(
            Column("mann_whitney_p", "p of U", "Two-sided; it takes stories as independent of each other.", "p"),
            lambda item: PCell(of(item).mann_whitney_p),
        ),
        Reading(
            Column("n_first", f"n, {kinds[0]}", "Stories of the first kind that have a value.", "count"),
            lambda item: int(of(item).first.n),
        ),
        Reading(
            Column("n_second", f"n, {kinds[1]}", "Stories of the second kind that have a value.", "count"),
            lambda item: int(of(item).second.n),
        ),
    ]


def association_readings(told: str, of: Callable[[Item], Association | None]) -> list[Reading[Item]]:
    """Return both correlations with their p and n; ``told`` completes "Pearson's correlation …"."""

    def read(cell: Callable[[Association], Cell]) -> Callable[[Item], Cell]:
        return lambda item: None if (found := of(item)) is None else cell(found)

    independent = "Two-sided; it takes stories as independent of each other."
    return [
        Reading(
            Column("pearson", "Pearson r", f"Pearson's correlation {told}.", "estimate"),
            read(lambda found: EstimateCell(found.pearson)),
        ),
        Reading(Column("pearson_p", "p of r", independent, "p"), read(lambda found: PCell(found.pearson_p))),
        Reading(
            Column("spearman", "Spearman ρ", f"Spearman's rank correlation {told}.", "estimate"),
            read(lambda found: EstimateCell(found.spearman)),
        ),
        Reading(Column("spearman_p", "p of ρ", independent, "p"), read(lambda found: PCell(found.spearman_p))),
        Reading(Column("n", "n", "Stories that have both numbers.", "count"), read(lambda found: int(found.pearson.n))),
        Reading(
            Column("n_skipped", "Skipped", "Stories that lack one of the two.", "count"),
            read(lambda found: int(found.pearson.n_skipped)),
        ),
    ]
