import json
from collections.abc import Mapping
from dataclasses import replace
from typing import get_args

import pytest

from narrative_core.judgements import Mode, Seat
from narrative_core.reports.run_judge_tables import band_table
from narrative_core.reports.run_model_tables import complexity_table
from narrative_core.reports.run_tables import coherence_overview, run_tables
from narrative_core.reports.table_formats import table_csv, table_facts, table_html, table_latex, table_markdown
from narrative_core.reports.tables import EstimateCell, Table, cell_text
from narrative_core.study import STUDY_FIGURES, STUDY_SOURCE, DataSet
from tests.reports.table_samples import (
    COT,
    FLOW,
    FORMULA,
    HOSTILE,
    LEXICAL,
    SIMPLE,
    SINGLE,
    association,
    results,
    unknown_results,
)

KEYS = [
    *("lengths", "associations", "agreement", "contrasts", "use", "prediction", "importances", "disagreement"),
    *("disagreement-bands", "stability", "complexity", "span", "strata", "asked"),
]
NO_JUDGE: Mapping[str, Seat] = {}


def tables(judges: Mapping[str, Seat] | None = None, *, study: DataSet | None = None) -> dict[str, Table]:
    return {table.key: table for table in run_tables(results(judges), study=study)}


def told(table: Table, name: str) -> dict[str, str]:
    """Return the row of a table whose first cell is a name, as it is read, by column."""
    texts = [[cell_text(cell) for cell in row.cells] for row in table.rows]
    found = next(row for row in texts if row[0] == name)
    return dict(zip([column.key for column in table.columns], found, strict=True))


def names(table: Table) -> list[str]:
    return [cell_text(row.cells[0]) for row in table.rows]


def test_a_run_has_all_its_tables_in_reading_order() -> None:
    assert list(tables()) == KEYS
    assert all(table.n == 400 for table in tables().values())


def test_lengths_are_told_by_method_with_the_difference_within_pairs() -> None:
    table = tables()["lengths"]
    assert names(table) == ["trail", "random chronology", "trail less random chronology"]
    trail, difference = told(table, "trail"), told(table, "trail less random chronology")
    assert [trail[key] for key in ("mean", "sd", "minimum", "maximum", "p", "n")] == [
        *("4.70", "1.35", "2", "7", "–", "200")
    ]
    assert [difference[key] for key in ("mean", "sd", "minimum", "p", "n")] == [
        *("0.73 (0.41–1.05)", "2.10", "–", "< 0.001", "200")
    ]
    assert [row.link for row in table.rows] == [(-1, "trail"), (-1, "baseline"), None]


def test_associations_are_told_with_n_and_what_was_skipped() -> None:
    table = tables()["associations"]
    row = told(table, "Lexical")
    assert row["pearson_minimum"] == "0.50 (0.40–0.60)"
    assert row["pearson_average"] == "0.51 (0.41–0.61)"
    assert row["spearman_minimum"] == "0.55 (0.45–0.65)"
    assert row["spearman_average"] == "0.56 (0.46–0.66)"
    assert (row["n"], row["n_skipped"]) == ("398", "2")
    assert table.skipped["Lexical: no score"] == 2
    assert [row.link for row in table.rows] == [(place, None) for place in range(4)]


def test_agreement_is_told_of_judges_with_more_than_one_agent() -> None:
    table = tables()["agreement"]
    assert names(table) == ["GPT simple", "GPT steps"]
    row = told(table, "GPT simple")
    assert [row[key] for key in ("icc_single", "icc_average", "krippendorff_alpha", "kendall_w")] == [
        *("0.95", "0.99", "0.95", "0.91")
    ]
    assert [row[key] for key in ("exact", "within_one", "agents", "n", "n_complete")] == [
        *("81.2%", "99.8%", "5", "396", "390")
    ]
    assert table.skipped == {f"GPT {mode}: fewer than two agents gave a score": 4 for mode in ("simple", "steps")}


def test_the_link_of_a_row_counts_judges_that_the_table_leaves_out() -> None:
    table = tables({"first": LEXICAL, "second": SIMPLE})["agreement"]
    assert [row.link for row in table.rows] == [(1, None)]


def test_contrasts_are_told_of_metrics_and_judges_each_on_its_scale() -> None:
    table = tables()["contrasts"]
    assert names(table) == ["weakest link", "mean link", "GPT simple", "GPT steps", "Flow", "Lexical"]
    metric, judge, flow = (told(table, name) for name in ("weakest link", "GPT simple", "Flow"))
    assert (metric["trail"], metric["baseline"]) == ("0.70 ± 0.05", "0.47 ± 0.10")
    assert (judge["trail"], judge["baseline"]) == ("7.4 ± 1.1", "3.2 ± 1.5")
    assert flow["trail"] == "7.44 ± 1.06"
    assert (judge["d"], judge["auc"]) == ("0.61 (0.51–0.71)", "0.66 (0.56–0.76)")
    assert [judge[key] for key in ("welch_t", "welch_df", "welch_p", "mann_whitney_u", "mann_whitney_p")] == [
        *("5.25", "371.4", "< 0.001", "26,120.5", "0.040")
    ]
    assert (judge["n_first"], judge["n_second"]) == ("200", "198")
    assert [row.link for row in table.rows][:3] == [(-1, None), (-1, None), (0, None)]
    assert table.skipped["Flow: no value"] == 2


def test_use_prediction_importances_and_disagreement_are_told() -> None:
    found = tables()
    use = told(found["use"], "GPT simple")
    assert [use[key] for key in ("agents", "seconds", "input_tokens", "output_tokens", "cost_usd", "n")] == [
        *("5", "1.23 ± 0.10", "1,234.5 ± 53.9", "310.0 ± 20.0", "0.0041 ± 0.0002", "200")
    ]
    prediction = told(found["prediction"], "Flow")
    assert [prediction[key] for key in ("linear", "ridge", "polynomial", "forest", "n", "n_skipped")] == [
        *("0.200 ± 0.141", "0.150 ± 0.071", "0.000 ± 0.141", "0.350 ± 0.071", "398", "2")
    ]
    importances = told(found["importances"], "Flow")
    assert [importances[key] for key in ("minimum", "average", "length")] == ["0.600", "0.300", "0.100"]
    assert names(found["disagreement"]) == ["GPT simple", "GPT steps"]
    apart = told(found["disagreement"], "GPT steps")
    assert [apart[key] for key in ("spread", "variation", "n")] == ["0.171 (0.071–0.271)", "0.025", "398"]
    bands = [[cell_text(cell) for cell in row.cells] for row in found["disagreement-bands"].rows]
    assert bands[:2] == [
        ["GPT simple", "1.0 to 4.0", "0.200 (0.100–0.300)", "100"],
        ["GPT simple", "4.0 to 10.0", "0.100 (0.000–0.200)", "298"],
    ]


def test_stability_leaves_out_folds_without_a_value() -> None:
    row = told(tables()["stability"], "GPT simple")
    assert [row[key] for key in ("with", "train_r", "test_r", "difference", "fold_d", "folds")] == [
        *("weakest link", "0.45 ± 0.07", "0.30", "0.200", "0.70 ± 0.14", "2")
    ]


def test_complexity_span_strata_and_answers_are_told() -> None:
    found = tables()
    row = told(found["complexity"], "Flow")
    assert [row[f"pearson_{key}"] for key in ("variance", "efficiency", "weak_share", "length")] == [
        *("0.54 (0.44–0.64)", "0.55 (0.45–0.65)", "0.56 (0.46–0.66)", "0.52 (0.42–0.62)")
    ]
    span = told(found["span"], "weakest link")
    assert (span["pearson"], span["pearson_p"]) == ("−0.12 (−0.22 to −0.02)", "< 0.001")
    assert told(found["span"], "Lexical")["pearson"] == "0.53 (0.43–0.63)"
    assert [cell_text(cell) for cell in found["strata"].rows[1].cells] == [
        *("farthest apart in wording", "10.0%", "20", "18", "1")
    ]
    assert found["strata"].skipped == {"drawn pairs without a trail": 4}
    asked = told(found["asked"], "GPT simple")
    assert [asked[key] for key in ("agents", "asked", "ok", "unreadable", "refused", "unasked")] == [
        *("5", "1,992", "1,990", "0", "2", "7")
    ]


def test_complexity_tells_how_many_stories_have_a_variance_and_how_many_have_a_length() -> None:
    found = results({"only": SIMPLE})
    [seat] = found.seats
    single = {**seat.associations, "variance": association(0.1, n=350, n_skipped=50)}
    row = told(complexity_table(replace(found, seats=(replace(seat, associations=single),))), "only")
    assert (row["n"], row["n_length"]) == ("350", "398")


@pytest.mark.parametrize(
    ("study", "key", "name", "column", "text"),
    [
        ("news", "lengths", "trail", "study_mean", "4.70 ± 2.03"),
        ("vispub", "lengths", "random chronology", "study_maximum", "16"),
        ("vispub", "lengths", "trail less random chronology", "study_mean", "0.27"),
        ("news", "associations", "GPT steps", "study_minimum", "0.46"),
        ("vispub", "associations", "GPT simple", "study_average", "0.61"),
        ("news", "associations", "Lexical", "study_minimum", "0.40"),
        ("news", "agreement", "GPT simple", "study_icc_single", "0.961"),
        ("news", "agreement", "GPT simple", "study_exact", "81.2%"),
        ("news", "agreement", "GPT steps", "study_icc_single", "–"),
        ("news", "contrasts", "weakest link", "study_d", "1.591"),
        ("news", "contrasts", "weakest link", "study_trail", "0.705"),
        ("vispub", "contrasts", "weakest link", "study_baseline", "0.433"),
        ("news", "contrasts", "mean link", "study_trail", "–"),
        ("vispub", "contrasts", "GPT steps", "study_auc", "0.777"),
        ("news", "contrasts", "Flow", "study_d", "0.568"),
        ("news", "use", "GPT steps", "study_seconds", "6.001 ± 0.109"),
        ("vispub", "use", "Lexical", "study_input_tokens", "123.0 ± 53.9"),
        ("vispub", "prediction", "GPT steps", "study_forest", "0.410 ± 0.149"),
        ("news", "importances", "GPT simple", "study_average", "0.315"),
        ("vispub", "disagreement", "GPT steps", "study_variation", "0.036"),
    ],
)
def test_the_figure_of_the_study_stands_beside_the_same_row(
    study: DataSet, key: str, name: str, column: str, text: str
) -> None:
    assert told(tables(study=study)[key], name)[column] == text


def test_it_is_said_whose_figures_stand_beside_a_judge() -> None:
    found = tables(study="news")
    assert told(found["associations"], "GPT steps")["study_judge"] == "GPT-4.1, step by step"
    assert told(found["associations"], "Flow")["study_judge"] == "GPT-4.1, simple"
    assert told(found["agreement"], "GPT steps")["study_judge"] == "GPT-4.1, step by step: not printed"
    assert told(found["contrasts"], "weakest link")["study_judge"] == "same metric"
    assert told(found["contrasts"], "Lexical")["study_judge"] == "GPT-4.1, simple"


def test_every_figure_of_a_collection_can_be_seen_beside_the_judges_of_its_mode() -> None:
    judges = {mode: replace(SIMPLE, mode=mode) for mode in get_args(Mode)}
    shown = {
        (table.key, column.key)
        for table in tables(judges, study="vispub").values()
        for column in table.columns
        if column.key.startswith("study_")
    }
    printed = {
        (figure.table, f"study_{figure.row.removeprefix('judge ').removeprefix('minimum ').removeprefix('average ')}")
        for figure in STUDY_FIGURES
        if figure.table not in ("lengths", "mixtures")
    }
    assert printed <= shown


def test_tables_that_the_study_printed_name_their_source_and_no_other_does() -> None:
    with_study, without = tables(study="news"), tables()
    ours_alone = {"disagreement-bands", "strata", "asked"}
    assert {key for key, table in with_study.items() if STUDY_SOURCE in table.note} == set(KEYS) - ours_alone
    assert not any("tudy" in table.note for table in without.values())
    assert not any(column.key.startswith("study") for table in without.values() for column in table.columns)
    assert "table 2" in with_study["associations"].note
    assert "VisPub" in with_study["use"].note


def test_a_run_without_judges_has_tables_of_its_stories() -> None:
    found = tables(NO_JUDGE, study="news")
    assert [key for key, table in found.items() if not table.is_empty] == ["lengths", "contrasts", "span", "strata"]
    assert names(found["contrasts"]) == ["weakest link", "mean link"]


def test_a_judge_with_one_agent_has_no_agreement() -> None:
    found = tables({"only": SINGLE}, study="news")
    assert found["agreement"].is_empty
    assert found["disagreement"].is_empty
    assert found["disagreement-bands"].is_empty
    assert found["agreement"].skipped == {}
    assert told(found["associations"], "only")["study_judge"] == "GPT-4.1, complex"


@pytest.mark.parametrize("study", [None, "news", "vispub"])
def test_where_nothing_is_known_no_format_shows_a_number_for_it(study: DataSet | None) -> None:
    judges = {HOSTILE: SIMPLE, FORMULA: COT, "flow": FLOW}
    for table in run_tables(unknown_results(judges), study=study):
        for text in (table_csv(table), table_latex(table), table_html(table), table_markdown(table)):
            assert "nan" not in text.lower().replace("nanc", ""), table.key
        json.dumps(table_facts(table), allow_nan=False)
        for row in table.rows:
            ours = [cell for cell in row.cells if isinstance(cell, EstimateCell)]
            assert {cell_text(cell) for cell in ours} <= {"–"}, table.key


def test_every_column_says_what_it_is() -> None:
    for table in tables(study="news").values():
        keys = [column.key for column in table.columns]
        assert len(set(keys)) == len(keys), table.key
        assert all(column.told.endswith(".") and column.title for column in table.columns), table.key


def test_the_overview_of_coherence_has_means_effects_and_n_alone() -> None:
    table = coherence_overview(results())
    assert [column.key for column in table.columns] == ["measure", "trail", "baseline", "d", "auc", "n"]
    assert [cell_text(row.cells[0]) for row in table.rows] == ["weakest link", "mean link"]
    assert "reading flow" not in table.note


def test_a_row_of_disagreement_by_score_means_the_stories_of_its_band() -> None:
    table = band_table(results())
    bands = {row.band for row in table.rows}
    assert len(bands) > 1
    for row in table.rows:
        assert row.band is not None
        assert cell_text(row.cells[1]).startswith(f"{row.band[0]:.1f}")
