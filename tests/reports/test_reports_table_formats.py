import csv
import io
import json
import math
import re
from decimal import Decimal
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.estimates import Estimate
from narrative_core.reports.table_formats import (
    escape_latex,
    rows_csv,
    table_csv,
    table_facts,
    table_html,
    table_latex,
    table_markdown,
)
from narrative_core.reports.tables import (
    Cell,
    Column,
    EstimateCell,
    NumberCell,
    PCell,
    Row,
    ShareCell,
    SummaryCell,
    Table,
)
from tests.reports.table_samples import FORMULA, HOSTILE

COLUMNS = (
    Column("judge", "Judge", 'Who "gives" <scores>.', "text"),
    Column("r", "Pearson r", "Correlation.", "estimate"),
    Column("score", "Score", "Mean.", "summary"),
    Column("share", "Same score", "Share.", "share"),
    Column("p", "p", "Two-sided.", "p"),
    Column("t", "t", "t.", "number"),
    Column("n", "n", "Stories.", "count"),
)
KNOWN: tuple[Cell, ...] = (
    "Lexical reader",
    EstimateCell(Estimate(0.48123, 0.39, 0.57, 398, 2)),
    SummaryCell(7.44, 0.21, 200, 1),
    ShareCell(0.8125),
    PCell(0.0004),
    NumberCell(-2.934),
    1398,
)
UNKNOWN: tuple[Cell, ...] = (
    "nothing",
    EstimateCell(Estimate(math.nan)),
    SummaryCell(math.nan, math.nan, 0),
    ShareCell(math.nan),
    PCell(math.nan),
    NumberCell(math.nan),
    None,
)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


def table(*names: str, note: str = "") -> Table:
    rows = [Row(KNOWN), Row(UNKNOWN), *(Row((name, *KNOWN[1:])) for name in names)]
    return Table("my table", "A title", COLUMNS, tuple(rows), note, 400, {"no score": 2})


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def is_balanced(latex: str) -> bool:
    """Whether every brace that LaTeX sees is closed, and no special character stands bare outside of commands."""
    depth = 0
    for token in re.findall(r"\\[a-zA-Z]+|\\.|[{}]", latex, re.DOTALL):
        depth += {"{": 1, "}": -1}.get(token, 0)
        if depth < 0:
            return False
    return depth == 0


def bare_specials(latex: str) -> set[str]:
    """Return the special characters that are left when commands, escapes and mathematics of ours are taken out."""
    left = re.sub(r"\\[a-zA-Z]+|\\.|\$(?:-|\^2|\\[a-z]+)\$", "", latex, flags=re.DOTALL)
    return set(left) & set("\\&%$#_~^<>|")


def test_csv_has_a_column_for_each_part_and_numbers_unrounded() -> None:
    known, unknown = rows_of(table_csv(table()))
    assert list(known) == [
        *("judge", "r_value", "r_low", "r_high", "r_n", "score_mean", "score_sd", "score_n", "share", "p", "t", "n")
    ]
    assert list(known.values()) == [
        *("Lexical reader", "0.48123", "0.39", "0.57", "398", "7.44", "0.21", "200", "0.8125", "0.0004", "-2.934"),
        "1398",
    ]
    assert list(unknown.values()) == ["nothing", "", "", "", "0", "", "", "0", "", "", "", ""]


def test_csv_lines_end_as_the_standard_says() -> None:
    assert table_csv(table()).count("\r\n") == 3


@pytest.mark.parametrize("name", [FORMULA, "+1", "-1", "@SUM(A1)", "\t=1", "＝1"])
def test_csv_makes_text_safe_that_a_spreadsheet_would_run(name: str) -> None:
    assert rows_of(table_csv(table(name)))[2]["judge"] == f"'{name}"


@given(texts)
def test_csv_keeps_any_name_and_its_columns(name: str) -> None:
    row = rows_of(table_csv(table(name)))[2]
    assert row["judge"].removeprefix("'") == name.removeprefix("'")
    assert row["n"] == "1398"


def test_latex_is_a_booktabs_table_with_caption_and_label() -> None:
    lines = table_latex(table(note="Noted.")).splitlines()
    assert lines[0] == r"% Needs \usepackage{booktabs}"
    assert (lines[1], lines[-1]) == (r"\begin{table}[htbp]", r"\end{table}")
    assert (
        r"\caption{A title. n = 400 stories. Skipped: 2 (no score). In brackets: the 95\% interval, from resampling "
        r"endpoint pairs. Noted.}"
    ) in lines
    assert r"\label{tab:my-table}" in lines
    assert r"\begin{tabular}{lrrrrrr}" in lines
    assert lines[lines.index(r"\toprule") + 1] == r"Judge & Pearson r & Score & Same score & p & t & n \\"
    assert lines[lines.index(r"\midrule") + 1] == (
        r"Lexical reader & 0.48 (0.39--0.57) & 7.4 $\pm$ 0.2 & 81.2\% & \textless{} 0.001 & $-$2.93 & 1,398 \\"
    )
    assert lines[lines.index(r"\midrule") + 2] == r"nothing & -- & -- & -- & -- & -- & -- \\"


def test_a_wide_table_is_scaled_to_the_text_in_latex() -> None:
    columns = tuple(Column(f"c{place}", "c", "Told.", "count") for place in range(9))
    latex = table_latex(Table("wide", "Wide", columns, (Row((1,) * 9),), n=1))
    assert r"\usepackage{booktabs,graphicx}" in latex
    assert r"\resizebox{\linewidth}{!}{%" in latex
    assert is_balanced(latex)


def test_latex_escapes_every_special_character_of_a_name() -> None:
    assert escape_latex(HOSTILE) == (
        r"a \& b\_\%\$\#\{\}\textasciitilde{}\textasciicircum{}\textbackslash{} \textless{}script\textgreater{}"
    )


@pytest.mark.parametrize("name", ["[2cm]", "*", "\\\\", "\\end{table}", "%", "$$", "a\nb", "}"])
def test_latex_of_a_hostile_name_has_balanced_braces_and_its_rows(name: str) -> None:
    latex = table_latex(table(name))
    assert is_balanced(latex)
    row = latex.splitlines()[latex.splitlines().index(r"\bottomrule") - 1]
    assert not row.startswith(("[", "*"))
    assert len(re.findall(r"(?<!\\)&", row)) == len(COLUMNS) - 1
    assert row.count("\\\\") == 1


@given(texts)
def test_no_text_leaves_a_special_character_bare_in_latex(name: str) -> None:
    escaped = escape_latex(name)
    assert is_balanced(escaped)
    assert bare_specials(escaped) == set()
    assert "\n" not in escaped


def test_a_bare_special_character_would_be_noticed() -> None:
    assert bare_specials(r"a & b\% $x$") == {"&", "$"}
    assert not is_balanced("{a}}")


class _Cells(HTMLParser):
    """Collects the text of each cell and the tags that occur."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.tags: list[str] = []
        self.titles: list[str] = []
        self._is_cell = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.titles += [value or "" for name, value in attrs if name == "title"]
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self._is_cell = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._is_cell = False

    def handle_data(self, data: str) -> None:
        if self._is_cell:
            self.rows[-1][-1] += data


def test_html_has_the_cells_as_they_are_read_and_nothing_of_a_name_is_markup() -> None:
    page = _Cells()
    page.feed(table_html(table(HOSTILE, FORMULA, note='<b>bold</b> & "quoted"')))
    assert page.rows[0] == [column.title for column in COLUMNS]
    assert page.rows[1] == ["Lexical reader", "0.48 (0.39–0.57)", "7.4 ± 0.2", "81.2%", "< 0.001", "−2.93", "1,398"]
    assert [row[0] for row in page.rows[3:]] == [HOSTILE, FORMULA]
    assert set(page.tags) == {"table", "caption", "strong", "thead", "tbody", "tr", "th", "td"}
    assert page.titles == [column.told for column in COLUMNS]


@given(texts)
def test_html_of_any_name_is_one_table_with_the_same_cells(name: str) -> None:
    page = _Cells()
    page.feed(table_html(table(name)))
    assert [len(row) for row in page.rows] == [len(COLUMNS)] * 4
    assert "script" not in page.tags


def test_markdown_is_a_table_under_its_title_with_n_below() -> None:
    lines = table_markdown(table(note="Noted.")).splitlines()
    assert lines[0] == "**A title**"
    assert lines[3] == "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    assert lines[4] == r"| Lexical reader | 0.48 (0.39–0.57) | 7.4 ± 0.2 | 81.2% | \< 0.001 | −2.93 | 1,398 |"
    assert lines[-1].startswith("n = 400 stories. Skipped: 2 (no score).")


@given(texts)
def test_no_name_adds_a_border_to_markdown(name: str) -> None:
    row = table_markdown(table(name)).splitlines()[6]
    assert len(re.findall(r"(?<!\\)\|", row)) == len(COLUMNS) + 1


def test_json_has_unrounded_values_and_null_for_unknown() -> None:
    facts = json.loads(json.dumps(table_facts(table(HOSTILE))))
    assert (facts["key"], facts["n"], facts["skipped"]) == ("my table", 400, {"no score": 2})
    assert facts["columns"][1] == {"key": "r", "title": "Pearson r", "kind": "estimate", "told": "Correlation."}
    known, unknown, hostile = facts["rows"]
    assert known["values"] == {
        "judge": "Lexical reader",
        "r": {"value": 0.48123, "low": 0.39, "high": 0.57, "n": 398},
        "score": {"mean": 7.44, "sd": 0.21, "n": 200},
        "share": 0.8125,
        "p": 0.0004,
        "t": -2.934,
        "n": 1398,
    }
    assert known["texts"][1] == "0.48 (0.39–0.57)"
    assert unknown["values"]["r"] == {"value": None, "low": None, "high": None, "n": 0}
    assert [unknown["values"][key] for key in ("share", "p", "t", "n")] == [None] * 4
    assert hostile["values"]["judge"] == HOSTILE


def test_rows_are_written_as_they_are_with_nothing_for_null() -> None:
    rows = [(1, 0.1, None, True, "a, “b”"), (-2, math.inf, "", False, 'say "it"')]
    read = list(csv.reader(io.StringIO(rows_csv(["n", "x", "y", "is", "text"], rows), newline="")))
    assert read == [
        ["n", "x", "y", "is", "text"],
        ["1", "0.1", "", "True", "a, “b”"],
        ["-2", "inf", "", "False", 'say "it"'],
    ]


def test_no_cell_and_no_name_of_a_column_is_a_formula_and_numbers_stay_numbers() -> None:
    rows = [(FORMULA,), (["=1"],), (-1.5,), (Decimal("-0.50"),)]
    read = list(csv.reader(io.StringIO(rows_csv([FORMULA], rows), newline="")))
    assert read == [[f"'{FORMULA}"], [f"'{FORMULA}"], ["['=1']"], ["-1.5"], ["-0.50"]]


def test_no_rows_leave_the_names_of_the_columns() -> None:
    assert rows_csv(["a", "b"], []) == "a,b\r\n"
