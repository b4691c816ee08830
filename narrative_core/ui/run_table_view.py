"""One table of a run as a page shows it: set like a journal's, with its files and the stories behind its rows."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import streamlit as st

from narrative_core.reports.sentences import plain_line
from narrative_core.reports.table_formats import table_csv, table_latex
from narrative_core.reports.tables import Column, Row, Table, cell_text, table_remark
from narrative_core.runs import RunSummary
from narrative_core.ui import run_work
from narrative_core.ui.run_story import show_stories
from narrative_core.ui.selection import stories_of_row
from narrative_core.ui.words import html_text, markdown_text

STUDY_KEY = "study_"
"""The keys of columns that hold what the reference study printed begin so."""

_NO_MARKS: Mapping[str, str] = MappingProxyType({})
EMPTY = "No row yet: this table fills with the answers of judges."


def table_view(
    table: Table,
    *,
    key: str,
    summary: RunSummary | None = None,
    empty: str = EMPTY,
    marks: Mapping[str, str] = _NO_MARKS,
) -> None:
    """Show a table under its title, with what it rests on below it, and as files.

    Parameters
    ----------
    table : Table
    key : str
        Unique on the page.
    summary : RunSummary, optional
        The run that it is about: rows with a link then lead to the stories behind them.
    empty : str
        What is said where it has no rows.
    marks : mapping of str to str
        Marks that stand before some words on the screen, and not in the files.
    """
    with st.container(key=f"table-{key}", gap="xsmall"):
        st.subheader(markdown_text(table.title), anchor=False)
        if table.is_empty:
            st.caption(markdown_text(empty))
            return
        st.html(f"<div class='tl-table' tabindex='0'>{journal_html(table, marks=marks)}</div>")
        st.html(f"<div class='tl-quiet tl-remark'>{html_text(table_remark(table))}</div>")
        with st.container(horizontal=True, gap="small", key=f"files-{key}"):
            _file("CSV", table_csv(table), f"{table.key}.csv", "text/csv", key)
            _file("LaTeX", table_latex(table), f"{table.key}.tex", "text/x-tex", key)
            picked = _stories_button(table, key) if summary is not None else None
    if picked is not None and picked.link is not None and summary is not None:
        found = stories_of_row(picked.link, run_work.table(summary), band=picked.band)
        if found is None:
            st.toast("No story has a score of this judge yet.")
        else:
            show_stories(summary, found.rows, found.words)


def journal_html(table: Table, *, marks: Mapping[str, str] = _NO_MARKS) -> str:
    """Return the ``<table>`` alone: what a column is stands in the title of its head, the study's columns are quiet."""
    head = "".join(
        f"<th scope='col' class='{_class(column)}' title='{html_text(plain_line(column.told))}'>"
        f"{html_text(_marked(column.title, marks))}</th>"
        for column in table.columns
    )
    body = "".join(_row(table, row, marks) for row in table.rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _row(table: Table, row: Row, marks: Mapping[str, str]) -> str:
    first, *others = zip(table.columns, row.cells, strict=True)
    cells = [f"<th scope='row' class='{_class(first[0])}'>{html_text(cell_text(first[1]))}</th>"]
    cells += [
        f"<td class='{_class(column)}'>{html_text(_marked(cell_text(cell), marks))}</td>" for column, cell in others
    ]
    return f"<tr>{''.join(cells)}</tr>"


def _marked(words: str, marks: Mapping[str, str]) -> str:
    mark = marks.get(words.lower())
    return f"{mark} {words}" if mark else words


def _class(column: Column) -> str:
    names = ["word" if column.kind == "text" else "number"]
    return " ".join([*names, *(["study"] if column.key.startswith(STUDY_KEY) else [])])


def _file(label: str, text: str, name: str, mime: str, key: str) -> None:
    st.download_button(
        label,
        text.encode(),
        name,
        mime,
        key=f"file-{label}-{key}",
        type="tertiary",
        icon=":material/download:",
        on_click="ignore",
    )


def _stories_button(table: Table, key: str) -> Row | None:
    """Offer the stories behind each row that leads to some, each set of stories once; return the row that was asked."""
    linked = {(row.link, row.band): row for row in reversed(table.rows) if row.link is not None}
    if not linked:
        return None
    picked, openings = None, f"openings-{key}"
    # After a click the popover carries another number, which closes it.
    number = int(st.session_state.get(openings, 0))
    with st.popover("Stories", type="tertiary", icon=":material/timeline:", key=f"opened-{key}-{number}"):
        st.caption("The stories behind a row:")
        rows = list(reversed(linked.values()))
        for place, (row, label) in enumerate(zip(rows, row_names(rows), strict=True)):
            name = f"behind-{key}-{place}"
            if st.button(markdown_text(label), key=name, type="tertiary", on_click=_count_opening, args=(openings,)):
                picked = row
    return picked


def row_names(rows: Sequence[Row]) -> list[str]:
    """Return a name for each row: its first cell, and where several rows have the same its second one too.

    Examples
    --------
    >>> row_names([Row(("Lexical", "shuffled")), Row(("Lexical", "reversed")), Row(("Reading flow", "–"))])
    ['Lexical, shuffled', 'Lexical, reversed', 'Reading flow']
    """
    firsts = [cell_text(row.cells[0]) for row in rows]
    return [
        first if firsts.count(first) == 1 or len(row.cells) < 2 else f"{first}, {cell_text(row.cells[1])}"
        for first, row in zip(firsts, rows, strict=True)
    ]


def _count_opening(name: str) -> None:
    st.session_state[name] = int(st.session_state.get(name, 0)) + 1
