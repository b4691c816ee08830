import math
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from narrative_core.judgements import Mode
from narrative_core.study import (
    STUDY_FIGURES,
    STUDY_PLACES,
    STUDY_REMARKS,
    STUDY_SOURCE,
    DataSet,
    StudyFigure,
    study_value,
)

PAPER = Path(__file__).resolve().parents[1].parent / "shared" / "papers" / "1-llm-judges-for-narrative-coherence.txt"
needs_paper = pytest.mark.skipif(not PAPER.is_file(), reason=f"the reference study's text is not at {PAPER}")

SETS: tuple[DataSet, ...] = ("news", "vispub")
MODES: dict[str, Mode] = {"Simple": "simple", "CoT": "cot", "Standard": "standard", "Complex": "complex"}
AGREEMENT = {
    "ICC(2,1)": "icc_single",
    "ICC(2,K)": "icc_average",
    "Krippendorff’s $\\alpha$": "krippendorff_alpha",
    "Kendall’s W": "kendall_w",
    "Mean abs. dev.": "mean_absolute_deviation",
    "Exact agreement": "exact",
    "Within-1 agreement": "within_one",
}
MODELS = {"Linear": "linear", "Ridge": "ridge", "Random forest": "forest", "Polynomial": "polynomial"}


def printed_rows(number: int) -> list[list[str]]:
    """Return the cells of a printed table, without its head."""
    text = PAPER.read_text(encoding="utf-8")
    body = text.split(f"\nTable {number}\n", 1)[1].split("\nTable ", 1)[0].split("\nReferences\n", 1)[0]
    rows = [line.split("\t") for line in body.splitlines() if "\t" in line]
    return [row for row in rows if re.match(r"[(\$]?[±\d]", row[-1])]


def number(cell: str) -> float:
    """Return the first number of a cell; per cent as a share."""
    value = float(re.findall(r"-?\d+(?:\.\d+)?", cell)[0])
    return value / 100 if "%" in cell else value


def kept(table: str, data_set: DataSet, row: str, mode: Mode | None = None) -> StudyFigure:
    figure = study_value(table, data_set, row, mode)
    assert figure is not None, (table, data_set, row, mode)
    return figure


def values(table: str, columns: Sequence[tuple[DataSet, str, Mode | None]]) -> list[float]:
    return [kept(table, data_set, row, mode).value for data_set, row, mode in columns]


@needs_paper
def test_table_1_is_as_printed() -> None:
    data_set: DataSet = "news"
    rows = printed_rows(1)
    assert len(rows) == 4
    for name, method, *cells in rows:
        data_set = "news" if name == "News" else "vispub" if name == "VisPub" else data_set
        made = "trail" if method == "Max capacity" else "baseline"
        mean = kept("lengths", data_set, f"{made} mean")
        ends = [kept("lengths", data_set, f"{made} {end}").value for end in ("minimum", "maximum")]
        assert [mean.value, mean.sd, *ends] == [float(cell) for cell in cells]


@needs_paper
@pytest.mark.parametrize(
    ("table", "number_of_table", "rows"),
    [
        ("associations", 2, ("minimum", "average")),
        ("importances", 7, ("minimum", "average", "length")),
        ("disagreement", 8, ("spread", "variation")),
    ],
)
def test_the_tables_with_a_line_a_mode_are_as_printed(table: str, number_of_table: int, rows: tuple[str, ...]) -> None:
    printed = printed_rows(number_of_table)
    assert [line[0] for line in printed] == list(MODES)
    for name, *cells in printed:
        columns = [(data_set, row, MODES[name]) for data_set in SETS for row in rows]
        assert values(table, columns) == [float(cell) for cell in cells]


@needs_paper
def test_table_3_is_as_printed() -> None:
    printed = printed_rows(3)
    assert [line[0] for line in printed] == list(AGREEMENT)
    for name, *cells in printed:
        columns: list[tuple[DataSet, str, Mode | None]] = [
            (data_set, AGREEMENT[name], MODES[mode]) for data_set in SETS for mode in ("Simple", "Standard", "Complex")
        ]
        assert values("agreement", columns) == pytest.approx([number(cell) for cell in cells], abs=1e-12)


@needs_paper
def test_table_4_is_as_printed() -> None:
    printed = printed_rows(4)
    assert len(printed) == 6
    metrics = {"Min. coherence": "minimum", "Avg. coherence": "average"}
    for name, *cells in printed:
        mode = MODES.get(name.removeprefix("LLM ").replace("CoT", "cot").capitalize().replace("Cot", "CoT"))
        row = metrics.get(name, "judge")
        columns = [(data_set, f"{row} {measure}", mode) for data_set in SETS for measure in ("d", "auc")]
        assert values("contrasts", columns) == [float(cell) for cell in cells]


@needs_paper
def test_table_5_is_as_printed() -> None:
    printed = printed_rows(5)
    assert [name for name, *_ in printed] == ["LLM simple", "LLM CoT", "LLM standard", "LLM complex"]
    for mode, (_, *cells) in zip(MODES.values(), printed, strict=True):
        for row, cell in zip(("seconds", "input_tokens"), cells, strict=True):
            figure = kept("use", "vispub", row, mode)
            assert [figure.value, figure.sd] == [float(part) for part in re.findall(r"\d+\.\d+", cell)]


@needs_paper
def test_table_6_is_as_printed() -> None:
    printed = printed_rows(6)
    means, sds = printed[::2], printed[1::2]
    assert [line[0] for line in means] == list(MODELS)
    for mean_line, sd_line in zip(means, sds, strict=True):
        figures = [
            kept("prediction", data_set, MODELS[mean_line[0]], mode) for data_set in SETS for mode in MODES.values()
        ]
        assert [figure.value for figure in figures] == [float(cell) for cell in mean_line[1:]]
        assert [figure.sd for figure in figures] == [number(cell) for cell in sd_line[1:]]


@needs_paper
def test_what_stands_in_running_text_is_as_printed() -> None:
    text = PAPER.read_text(encoding="utf-8").replace("$", "")
    assert "0.705 (news) and 0.648 (papers), compared to 0.470 and 0.433" in text
    assert [kept("contrasts", data_set, "minimum trail").value for data_set in SETS] == [0.705, 0.648]
    assert [kept("contrasts", data_set, "minimum baseline").value for data_set in SETS] == [0.470, 0.433]
    assert re.search(r"difference of 0\.27, *p=0\.62", text)
    assert "difference of 0.73" in text
    assert [kept("lengths", data_set, "difference").value for data_set in SETS] == [0.73, 0.27]
    assert kept("lengths", "vispub", "difference p").value == 0.62
    for row in ("alternating judge", "alternating coherence", "mixed judge", "mixed coherence"):
        figure = study_value("mixtures", "both", row)
        assert figure is not None
        digits = 2 if row.endswith("judge") else 3
        assert f"{figure.value:.{digits}f}\\pm {figure.sd:.{digits}f}" in text
    for row, told in {"r": "r=0.729", "t": "t=-2.93", "p": "p=0.0048", "d": "d=-0.77"}.items():
        figure = study_value("mixtures", "both", row)
        assert figure is not None
        assert told.endswith(f"={figure.value:g}")
        assert told in text


def test_each_figure_stands_once_and_has_a_place_in_the_study() -> None:
    places = Counter((figure.table, figure.data_set, figure.row, figure.mode) for figure in STUDY_FIGURES)
    assert set(places.values()) == {1}
    assert all(figure.place == STUDY_PLACES[figure.table] for figure in STUDY_FIGURES)
    assert set(STUDY_REMARKS) <= set(STUDY_PLACES)
    assert {figure.table for figure in STUDY_FIGURES} | set(STUDY_REMARKS) == set(STUDY_PLACES)


def test_as_many_figures_are_kept_as_the_study_prints() -> None:
    printed = {"lengths": 15, "associations": 16, "agreement": 42, "contrasts": 28, "use": 8, "prediction": 32}
    printed |= {"importances": 24, "disagreement": 16, "mixtures": 8}
    assert Counter(figure.table for figure in STUDY_FIGURES) == printed


def test_the_importances_of_a_forest_sum_to_one() -> None:
    for data_set in SETS:
        for mode in MODES.values():
            rows = ("minimum", "average", "length")
            total = sum(kept("importances", data_set, row, mode).value for row in rows)
            assert math.isclose(total, 1.0, abs_tol=0.0021)


def test_what_was_not_printed_is_none() -> None:
    assert study_value("agreement", "news", "icc_single", "cot") is None
    assert study_value("use", "news", "seconds", "simple") is None
    assert study_value("nothing", "news", "x") is None


def test_the_source_names_author_title_journal_and_year() -> None:
    for part in ("Keith, B.", "2025", "Narrative Extraction", "Electronics", "10.3390/electronics14132735"):
        assert part in STUDY_SOURCE
