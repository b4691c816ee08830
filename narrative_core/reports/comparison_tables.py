"""The tables of a comparison: the same stories, measured in two ways."""

from typing import Final

from narrative_core.estimates import PairedDifference
from narrative_core.reports.contrast_readings import association_readings
from narrative_core.reports.sentences import plain_line
from narrative_core.reports.tables import Column, EstimateCell, NumberCell, PCell, Reading, Table, columns_and_rows
from narrative_core.run_outcomes import ALL, Comparison
from narrative_core.runs import MADE_WORDS

_STANDARDISED: Final = ", standardised"


_PAIRED: Final[tuple[Reading[tuple[str, PairedDifference]], ...]] = (
    Reading(Column("sd", "SD", "Standard deviation of the differences (n − 1)."), lambda item: NumberCell(item[1].sd)),
    Reading(Column("t", "t", "t of the paired test."), lambda item: NumberCell(item[1].t)),
    Reading(
        Column("p", "p", "Two-sided; it takes stories as independent of each other.", "p"),
        lambda item: PCell(item[1].p),
    ),
    Reading(
        Column("d_z", "d of pairs", "Mean difference over the standard deviation of the differences."),
        lambda item: NumberCell(item[1].d_z),
    ),
    Reading(Column("n", "n", "Stories that have both values.", "count"), lambda item: int(item[1].difference.n)),
    Reading(
        Column("n_skipped", "Skipped", "Stories that lack one of the values.", "count"),
        lambda item: int(item[1].difference.n_skipped),
    ),
)


def comparison_tables(found: Comparison) -> tuple[Table, ...]:
    """Return the paired differences by kind of story, then how both measures go together."""
    return _differences(found), _association(found)


def _differences(found: Comparison) -> Table:
    words = {**{str(made): told for made, told in MADE_WORDS.items()}, ALL: "all stories"}
    readings: list[Reading[tuple[str, PairedDifference]]] = [
        Reading(
            Column("stories", "Stories", "How the stories were made.", "text"), lambda item: words.get(item[0], item[0])
        ),
        Reading(
            Column(
                "difference", "Mean difference", f"{' less '.join(_names(found))}{_scale(found)}, by story.", "estimate"
            ),
            lambda item: EstimateCell(item[1].difference),
        ),
        *_PAIRED,
    ]
    columns, rows = columns_and_rows(found.differences.items(), readings)
    first, second = _names(found)
    total = found.differences.get(ALL)
    return Table(
        "comparison",
        f"{first} less {second}{_scale(found)}",
        columns,
        rows,
        "",
        _n(found),
        _skipped(found, total.difference.n_skipped if total else 0),
    )


def _association(found: Comparison) -> Table:
    first, second = _names(found)
    readings: list[Reading[Comparison]] = [
        Reading(Column("measures", "Measures", "What is correlated.", "text"), lambda _: f"{first} and {second}"),
        *association_readings(f"of {first} with {second}", lambda one: one.association),
    ]
    columns, rows = columns_and_rows([found], readings)
    title = f"How {first} and {second} go together"
    pearson = found.association.pearson
    return Table("comparison-association", title, columns, rows, "", int(pearson.n), _skipped(found, pearson.n_skipped))


def _n(found: Comparison) -> int:
    total = found.differences.get(ALL)
    return int(total.difference.n if total else sum(one.difference.n for one in found.differences.values()))


def _skipped(found: Comparison, n_without: int) -> dict[str, int]:
    skipped = {"stories without one of the values": int(n_without), "stories that only one side has": found.n_unmatched}
    return {reason: number for reason, number in skipped.items() if number}


def _names(found: Comparison) -> tuple[str, ...]:
    return tuple(
        plain_line(name).removesuffix(_STANDARDISED) or which
        for name, which in ((found.first, "the first"), (found.second, "the second"))
    )


def _scale(found: Comparison) -> str:
    """Return that both measures were standardised, where they were: then their names say so."""
    return ", both standardised" if found.first.endswith(_STANDARDISED) else ""
