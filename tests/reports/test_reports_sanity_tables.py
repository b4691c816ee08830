import json
from dataclasses import replace

import pytest

from narrative_core.estimates import Estimate, Summary
from narrative_core.judgements import Seat
from narrative_core.reports.sanity_tables import sanity_tables
from narrative_core.reports.table_formats import table_csv, table_facts, table_html, table_latex
from narrative_core.reports.tables import Table, cell_text
from narrative_core.run_outcomes import Check, CheckResult, Expected, Outcome, SanityResults
from tests.reports.table_samples import (
    FLOW,
    FORMULA,
    HOSTILE,
    LEXICAL,
    NAN,
    SIMPLE,
    estimate,
    some_run,
    summary,
)


def texts(table: Table) -> list[dict[str, str]]:
    """Return the rows of a table as they are read, by column."""
    keys = [column.key for column in table.columns]
    return [dict(zip(keys, map(cell_text, row.cells), strict=True)) for row in table.rows]


def check(kind: Check, expected: Expected, outcome: Outcome, *, seat: Seat = SIMPLE, label: str = "GPT") -> CheckResult:
    return CheckResult(
        kind, label, seat, expected, summary(7.44, 1.0), summary(5.21, 1.0), estimate(-2.2, 98), 0.5, outcome
    )


def sanity() -> SanityResults:
    return SanityResults(
        some_run(LEXICAL, SIMPLE),
        (
            check("shuffled", "lower", "pass"),
            check("criteria", "same", "fail"),
            check("shown", "alike", "undecided"),
            check("shuffled", "lower", "not asked", seat=LEXICAL, label=HOSTILE),
        ),
    )


def test_checks_are_told_in_words_with_their_interval() -> None:
    table, _ = sanity_tables(sanity())
    rows = texts(table)
    assert rows[0] == {
        "judge": "GPT",
        "check": "order shuffled",
        "expected": "the score falls",
        "original": "7.4 ± 1.0",
        "changed": "5.2 ± 1.0",
        "difference": "−2.20 (−2.30 to −2.10)",
        "rank_correlation": "–",
        "margin": "0.50",
        "outcome": "passes",
        "n": "98",
        "n_skipped": "2",
    }
    assert [row["outcome"] for row in rows[1:]] == ["fails", "undecided", "not asked"]
    assert (rows[2]["difference"], rows[2]["rank_correlation"]) == ("–", "−2.20 (−2.30 to −2.10)")
    assert [row.link for row in table.rows] == [(1, "shuffled"), (1, "trail"), (1, "trail"), (0, "shuffled")]
    assert table.skipped["GPT, order shuffled: no score"] == 2


def test_trails_too_short_to_be_shuffled_are_told_once_and_not_as_missing_scores() -> None:
    skipped = sanity_tables(replace(sanity(), n_undamaged={"shuffled": 1, "reversed": 0}))[0].skipped
    assert skipped["trails of two documents, too short to be shuffled"] == 1
    assert skipped["GPT, order shuffled: no score"] == 1
    skipped = sanity_tables(replace(sanity(), n_undamaged={"shuffled": 2}))[0].skipped
    assert "GPT, order shuffled: no score" not in skipped


def test_outcomes_are_counted_by_judge() -> None:
    rows = texts(sanity_tables(sanity())[1])
    assert [row["judge"] for row in rows] == ["GPT", HOSTILE]
    assert [rows[0][key] for key in ("pass", "fail", "undecided", "not_asked")] == ["1", "1", "1", "0"]
    assert [rows[1][key] for key in ("pass", "fail", "undecided", "not_asked")] == ["0", "0", "0", "1"]


@pytest.mark.parametrize("name", [HOSTILE, FORMULA, ""])
def test_hostile_names_and_unknown_numbers_pass_through_every_format(name: str) -> None:
    nothing = Summary(0, NAN, NAN, NAN, NAN)
    unknown = CheckResult("foreign", name, FLOW, "lower", nothing, nothing, Estimate(NAN), NAN, "not asked")
    for table in sanity_tables(SanityResults(some_run(), (unknown,))):
        assert "<script" not in table_html(table)
        assert "nan" not in json.dumps(table_facts(table)).lower()
        assert not any(line.startswith("=") for line in table_csv(table).splitlines())
        assert table_latex(table).count("{") == table_latex(table).count("}")
