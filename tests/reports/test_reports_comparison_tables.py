import json
from dataclasses import replace

import pytest

from narrative_core.estimates import Estimate, PairedDifference
from narrative_core.reports.comparison_tables import comparison_tables
from narrative_core.reports.table_formats import table_csv, table_facts, table_html, table_latex
from narrative_core.reports.tables import Table, cell_text
from narrative_core.run_outcomes import Comparison
from tests.reports.table_samples import (
    FORMULA,
    HOSTILE,
    NAN,
    association,
)


def texts(table: Table) -> list[dict[str, str]]:
    """Return the rows of a table as they are read, by column."""
    keys = [column.key for column in table.columns]
    return [dict(zip(keys, map(cell_text, row.cells), strict=True)) for row in table.rows]


def compared() -> Comparison:
    paired = PairedDifference(Estimate(0.25, 0.1, 0.4, 390, 4), 1.5, 3.29, 0.0011, 0.167)
    return Comparison(
        "GPT", HOSTILE, {"trail": paired, "baseline": replace(paired, p=0.5), "all": paired}, association(0.4, n=390), 6
    )


def test_a_comparison_is_told_by_kind_and_all_together() -> None:
    differences, together = comparison_tables(compared())
    assert differences.title == f"GPT less {HOSTILE}"
    assert [row["stories"] for row in texts(differences)] == ["trail", "random chronology", "all stories"]
    first = texts(differences)[0]
    assert [first[key] for key in ("difference", "sd", "t", "p", "d_z", "n", "n_skipped")] == [
        *("0.25 (0.10–0.40)", "1.50", "3.29", "0.001", "0.17", "390", "4")
    ]
    assert (differences.n, differences.skipped) == (
        390,
        {"stories without one of the values": 4, "stories that only one side has": 6},
    )
    assert texts(together)[0]["pearson"] == "0.40 (0.30–0.50)"


@pytest.mark.parametrize("name", [HOSTILE, FORMULA, ""])
def test_hostile_names_and_unknown_numbers_pass_through_every_format(name: str) -> None:
    unknown = PairedDifference(Estimate(NAN), NAN, NAN, NAN, NAN)
    for table in comparison_tables(Comparison(name, name, {"all": unknown}, association(NAN), 0)):
        assert "<script" not in table_html(table)
        assert "nan" not in json.dumps(table_facts(table)).lower()
        assert not any(line.startswith("=") for line in table_csv(table).splitlines())
        assert table_latex(table).count("{") == table_latex(table).count("}")
