import json

import pytest

from narrative_core.estimates import Summary
from narrative_core.judgements import Seat
from narrative_core.reports.mixture_tables import mixture_tables
from narrative_core.reports.table_formats import table_csv, table_facts, table_html, table_latex
from narrative_core.reports.tables import Table, cell_text
from narrative_core.run_outcomes import MixtureMeasure, MixtureResults
from narrative_core.study import STUDY_SOURCE
from tests.reports.table_samples import (
    FLOW,
    FORMULA,
    HOSTILE,
    NAN,
    SIMPLE,
    association,
    contrast,
    some_run,
    summary,
)


def texts(table: Table) -> list[dict[str, str]]:
    """Return the rows of a table as they are read, by column."""
    keys = [column.key for column in table.columns]
    return [dict(zip(keys, map(cell_text, row.cells), strict=True)) for row in table.rows]


def measure(name: str, seat: Seat | None, mean: float) -> MixtureMeasure:
    kinds = [summary(mean, 0.05, 30), summary(mean / 2, 0.01, 30), summary(mean / 1.5, 0.1, 28, n_skipped=2)]
    trail, alternating, mixed = kinds
    return MixtureMeasure(
        name,
        seat,
        {"trail": trail, "alternating": alternating, "mixed": mixed},
        contrast(alternating, mixed, -0.7, 0.3),
        contrast(trail, alternating, 2.0, 0.9),
        contrast(trail, mixed, 1.5, 0.85),
    )


def mixtures() -> MixtureResults:
    return MixtureResults(
        some_run(SIMPLE, FLOW),
        (
            measure("minimum", None, 0.7),
            measure("average", None, 0.8),
            measure("GPT", SIMPLE, 7.0),
            measure("Flow", FLOW, 0.4),
        ),
        {"GPT": association(0.73, n=58, n_skipped=2), "Flow": association(0.6, n=60, n_skipped=0)},
    )


def test_mixtures_are_told_by_kind_each_measure_on_its_scale() -> None:
    table = mixture_tables(mixtures())[0]
    assert [row["measure"] for row in texts(table)] == ["weakest link", "mean link", "GPT", "Flow"]
    assert [row["alternating"] for row in texts(table)] == ["0.35 ± 0.01", "0.40 ± 0.01", "3.5 ± 0.0", "0.20 ± 0.01"]
    assert [row.link for row in table.rows] == [(-1, None), (-1, None), (0, None), (1, None)]
    assert table.n == 90
    assert table.skipped["GPT: no value"] == 2


def test_the_study_s_mixtures_stand_beside_judges_and_coherence() -> None:
    means, tests, associations = mixture_tables(mixtures(), study=True)
    assert [row["study_alternating"] for row in texts(means)] == [
        *("0.303 ± 0.009", "0.303 ± 0.009", "1.99 ± 0.35", "1.99 ± 0.35")
    ]
    assert texts(means)[3]["study_mixed"] == "2.41 ± 0.69"
    printed = [(row["study_t"], row["study_p"], row["study_d"]) for row in texts(tests)]
    assert printed[6] == ("−2.93", "0.0048", "−0.77")
    assert [place for place, row in enumerate(printed) if row != ("–", "–", "–")] == [6, 9]
    assert [row["study_r"] for row in texts(associations)] == ["0.729", "0.729"]
    assert all(STUDY_SOURCE in table.note for table in (means, tests, associations))


def test_without_the_study_mixtures_have_ours_alone() -> None:
    for table in mixture_tables(mixtures()):
        assert "tudy" not in table.note
        assert not any(column.key.startswith("study") for column in table.columns)


def test_contrasts_of_mixtures_say_which_kind_stands_first() -> None:
    rows = texts(mixture_tables(mixtures())[1])
    assert [row["contrast"] for row in rows[:3]] == [
        *("alternating against mixed", "trails against alternating", "trails against mixed")
    ]
    assert [row["d"] for row in rows[:3]] == ["−0.70 (−0.80 to −0.60)", "2.00 (1.90–2.10)", "1.50 (1.40–1.60)"]
    assert (rows[0]["n_first"], rows[0]["n_second"]) == ("30", "28")


def test_a_mixture_run_without_judges_or_stories_has_empty_tables() -> None:
    tables = mixture_tables(MixtureResults(some_run(), ()), study=True)
    assert [table.is_empty for table in tables] == [True] * 3
    assert [table.n for table in tables] == [0] * 3


@pytest.mark.parametrize("name", [HOSTILE, FORMULA, ""])
def test_hostile_names_and_unknown_numbers_pass_through_every_format(name: str) -> None:
    nothing = Summary(0, NAN, NAN, NAN, NAN)
    apart = contrast(nothing, nothing, NAN, NAN)
    unknown = MixtureMeasure(name, SIMPLE, {}, apart, apart, apart)
    for table in mixture_tables(MixtureResults(some_run(), (unknown,), {name: association(NAN)}), study=True):
        assert "<script" not in table_html(table)
        assert "nan" not in json.dumps(table_facts(table)).lower()
        assert not any(line.startswith("=") for line in table_csv(table).splitlines())
        assert table_latex(table).count("{") == table_latex(table).count("}")
