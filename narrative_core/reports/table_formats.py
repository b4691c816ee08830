"""One table as CSV, LaTeX, HTML, Markdown and JSON."""

import html
import re
from collections.abc import Iterable, Sequence
from numbers import Number
from typing import Final

from narrative_core.reports.csv_report import safe_cell, sheet_csv
from narrative_core.reports.markdown_report import escape
from narrative_core.reports.sentences import plain_line
from narrative_core.reports.tables import Column, Table, cell_text, cell_values, table_remark

_LATEX: Final = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        **{character: f"\\{character}" for character in "&%$#_{}"},
        # A bracket or a star at the start of a row would be read as an option of the line break before it.
        **{character: f"{{{character}}}" for character in "[]*"},
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "–": "--",
        "—": "---",
        "−": "$-$",
        "±": r"$\pm$",
        "×": r"$\times$",
        "·": r"$\cdot$",
        "≥": r"$\geq$",
        "≤": r"$\leq$",
        "α": r"$\alpha$",
        "ρ": r"$\rho$",
        "θ": r"$\theta$",
        "²": r"$^2$",
        "√": r"$\surd$",
        "…": r"\dots{}",
        "“": "``",
        "”": "''",
        "’": "'",
    }
)
_WIDE: Final = 8
"""More columns are scaled down to the width of the text."""

_NOT_IN_LABEL: Final = re.compile(r"[^a-z0-9]+")


def table_csv(table: Table) -> str:
    """Return one row a row, for machines (RFC 4180): numbers unrounded, unknown ones empty.

    An estimate has the columns ``key_value``, ``key_low``, ``key_high`` and ``key_n``, a mean ``key_mean``, ``key_sd``
    and ``key_n``. Text that a spreadsheet would run as a formula is preceded by an apostrophe.
    """
    names = (f"{column.key}_{part}" if part else column.key for column in table.columns for part in column.parts)
    cells = (zip(row.cells, table.columns, strict=True) for row in table.rows)
    return sheet_csv(names, ([_plain(value) for one in row for value in cell_values(*one)] for row in cells))


def rows_csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows of any values as they are, with the names of their columns (RFC 4180); ``None`` is empty.

    Names and texts that a spreadsheet would run as a formula are preceded by an apostrophe; numbers are not.

    Examples
    --------
    >>> rows_csv(["n", "title"], [(-1, "=1+1"), (None, "plain")])
    "n,title\\r\\n-1,'=1+1\\r\\n,plain\\r\\n"
    """
    return sheet_csv(map(safe_cell, columns), (map(_value, row) for row in rows))


def table_latex(table: Table) -> str:
    """Return a floating table for a paper; it needs the packages booktabs and, where it is wide, graphicx.

    The caption has the title, n, what was skipped, and the note; the label is ``tab:`` and the key.
    """
    head = " & ".join(escape_latex(column.title) for column in table.columns)
    body = [" & ".join(escape_latex(cell_text(cell)) for cell in row.cells) for row in table.rows]
    label = _NOT_IN_LABEL.sub("-", table.key.lower()).strip("-")
    is_wide = len(table.columns) > _WIDE
    lines = [
        rf"% Needs \usepackage{{booktabs{',graphicx' if is_wide else ''}}}",
        r"\begin{table}[htbp]",
        r"\centering",
        r"\small",
        rf"\caption{{{escape_latex(_caption(table))}}}",
        rf"\label{{tab:{label}}}",
        *([r"\resizebox{\linewidth}{!}{%"] if is_wide else []),
        rf"\begin{{tabular}}{{{''.join('l' if column.kind == 'text' else 'r' for column in table.columns)}}}",
        r"\toprule",
        rf"{head} \\",
        r"\midrule",
        *(rf"{row} \\" for row in body),
        r"\bottomrule",
        r"\end{tabular}" + ("}" if is_wide else ""),
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def table_html(table: Table) -> str:
    """Return a ``<table>`` with its caption, every text escaped; what a column is stands in the title of its head."""
    head = "".join(
        f'<th scope="col"{_class(column)} title="{_escape(column.told)}">{_escape(column.title)}</th>'
        for column in table.columns
    )
    rows = "\n".join(
        f"<tr>{_html_cells(table.columns, [cell_text(cell) for cell in row.cells])}</tr>" for row in table.rows
    )
    return (
        f'<table id="{_escape(_NOT_IN_LABEL.sub("-", table.key.lower()))}">\n'
        f"<caption><strong>{_escape(plain_line(table.title))}.</strong> {_escape(table_remark(table))}</caption>\n"
        f"<thead>\n<tr>{head}</tr>\n</thead>\n<tbody>\n{rows}\n</tbody>\n</table>\n"
    )


def table_markdown(table: Table) -> str:
    """Return a Markdown table under its title, with n and the note below."""
    head = [_markdown_cell(plain_line(column.title)) for column in table.columns]
    rule = ["---" if column.kind == "text" else "---:" for column in table.columns]
    body = [[_markdown_cell(cell_text(cell)) for cell in row.cells] for row in table.rows]
    lines = [f"| {' | '.join(line)} |" for line in (head, rule, *body)]
    return f"**{escape(plain_line(table.title))}**\n\n" + "\n".join(lines) + f"\n\n{escape(table_remark(table))}\n"


def table_facts(table: Table) -> dict[str, object]:
    """Return a table as plain values, unrounded, what is unknown as ``None``; each cell also as the text that is shown.

    A cell with more than one value is an object of its parts.
    """
    return {
        "key": table.key,
        "title": table.title,
        "n": table.n,
        "skipped": dict(table.skipped),
        "note": table.note,
        "columns": [
            {"key": column.key, "title": column.title, "kind": column.kind, "told": column.told}
            for column in table.columns
        ],
        "rows": [
            {
                "values": {
                    column.key: _fact(cell_values(cell, column), column.parts)
                    for cell, column in zip(row.cells, table.columns, strict=True)
                },
                "texts": [cell_text(cell) for cell in row.cells],
            }
            for row in table.rows
        ],
    }


def escape_latex(text: str) -> str:
    r"""Return one line of text in which LaTeX finds no command.

    Letters of other scripts stay as they are: they need an engine and a font that have them.

    Examples
    --------
    >>> escape_latex("a & b_% −0.5")
    'a \\& b\\_\\% $-$0.5'
    """
    return plain_line(text).translate(_LATEX)


def _markdown_cell(text: str) -> str:
    # Behind the border of a table no list begins, so that "0.48" needs no escape.
    return escape(f" {text}").strip()


def _caption(table: Table) -> str:
    return f"{plain_line(table.title)}. {table_remark(table)}"


def _plain(value: str | int | float | None) -> str:
    if isinstance(value, str):
        return safe_cell(value)
    return "" if value is None else repr(value)


def _value(value: object) -> str:
    if value is None:
        return ""
    return str(value) if isinstance(value, Number) else safe_cell(str(value))


def _fact(values: tuple[str | int | float | None, ...], parts: tuple[str, ...]) -> object:
    return values[0] if parts == ("",) else dict(zip(parts, values, strict=True))


def _html_cells(columns: Sequence[Column], texts: Sequence[str]) -> str:
    cells = [f"<td{_class(column)}>{_escape(text)}</td>" for column, text in zip(columns[1:], texts[1:], strict=True)]
    return "".join([f'<th scope="row">{_escape(texts[0])}</th>', *cells])


def _class(column: Column) -> str:
    return "" if column.kind == "text" else ' class="number"'


def _escape(text: str) -> str:
    return html.escape(text, quote=True)
