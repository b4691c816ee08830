"""Step 2 of an import: what was understood of the file, to be confirmed or put right."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import streamlit as st

from narrative_core.counting import count
from narrative_core.errors import InvalidInput
from narrative_core.import_jobs import ReadFile
from narrative_core.ingest.columns import ColumnChoice, check_columns
from narrative_core.ingest.dates import DateOrder
from narrative_core.ingest.source_kinds import FileKind
from narrative_core.ingest.tables import PLAIN_KINDS
from narrative_core.ingest.understanding import DatesFound, Understanding
from narrative_core.records import Document
from narrative_core.reports.sentences import format_date, format_list
from narrative_core.ui import imports_work
from narrative_core.ui.csv_button import csv_button
from narrative_core.ui.load_report import delimiter_word
from narrative_core.ui.words import clamp, html_text, markdown_text, sentence

PARTS: Final = {
    "title": "Headline",
    "text": "Text",
    "date": "Date",
    "source": "Source",
    "url": "Address (URL)",
    "document_id": "Identifier",
}
NONE: Final = "(none)"
MOST_EXTRAS: Final = 12
_LEAD: Final = 220


_ORDERS: tuple[DateOrder, ...] = ("day first", "month first")


@dataclass(frozen=True, slots=True)
class Confirmed:
    """What a person confirmed: the columns, the order of day and month, and whether nothing is left to be said."""

    choice: ColumnChoice
    date_order: DateOrder | None
    is_clear: bool
    found: Understanding


def confirm(read: ReadFile, key: str, *, brings_vectors: bool) -> Confirmed | None:
    """Show what was understood, and return what a person makes of it; ``None`` where documents cannot be made so."""
    left, right = st.columns([3, 2], gap="large")
    with left:
        choice = _columns(read, key)
        try:
            check_columns(read.table, choice)
        except InvalidInput as fault:
            st.error(markdown_text(sentence(str(fault))), icon=":material/error:")
            return None
        order = _chosen_order(key)
        found = imports_work.understanding(key, read, choice, order)
        order = _dates(found.dates, _unit(found.kind), key)
        _further(found, brings_vectors=brings_vectors)
        _unreadable(read)
    with right:
        _preview(found.preview)
    return Confirmed(choice, order, not found.needs_order or order is not None, found)


def facts_line(found: Understanding, name: str) -> str:
    """Return what a file is, in one line.

    Examples
    --------
    >>> from narrative_core.ingest.columns import detect_columns
    >>> from narrative_core.ingest.tables import read_table
    >>> from narrative_core.ingest.understanding import understand
    >>> table = read_table(b"title,text\\nBridge,It is open.\\n", "news.csv")
    >>> facts_line(understand(table, detect_columns(table)), "news.csv")
    'news.csv: 1 row, 2 columns, encoding utf-8, separated by commas'
    """
    n_columns = len({part.column for part in found.parts}) + len(found.extras)
    rows = count(found.n_rows, _unit(found.kind))
    told = [rows]
    if _unit(found.kind) == "row":
        told.append(count(n_columns, "column"))
    if found.sheet:
        told.append(f"sheet “{found.sheet}”")
    if found.encoding:
        told.append(f"encoding {found.encoding}")
    if found.delimiter:
        told.append(f"separated by {delimiter_word(found.delimiter)}")
    return f"{name}: {', '.join(told)}" if rows != name else ", ".join(told)


def _unit(kind: FileKind) -> str:
    """Return what a row of a file of some kind is called."""
    return "file" if kind in PLAIN_KINDS else "entry" if kind == "feed" else "row"


def undated_words(dates: DatesFound, unit: str) -> str:
    """Return how many rows (or files, or entries) have no date that can be read, with examples; "" where all have one.

    Examples
    --------
    >>> from narrative_core.ingest.dates import detect_date_format
    >>> values = ["2021", "soon", ""]
    >>> undated_words(DatesFound(detect_date_format(values), (), ("soon",), 1), "row")
    '1 value cannot be read as a date (“soon”) and 1 row has none: they stay undated until you give them dates.'
    """
    n, told = dates.format.n_unreadable, []
    if n:
        examples = format_list([f"“{one}”" for one in dates.unreadable])
        such = examples if n <= len(dates.unreadable) else f"such as {examples}"
        told.append(f"{count(n, 'value')} cannot be read as a date ({such})")
    if dates.n_empty:
        told.append(f"{count(dates.n_empty, unit)} {'has' if dates.n_empty == 1 else 'have'} none")
    return f"{' and '.join(told)}: they stay undated until you give them dates." if told else ""


def preview_html(document: Document) -> str:
    """Return a document as it will look: headline, date and source, opening."""
    dated = format_date(document) if document.date else document.date_text and f"“{document.date_text}”"
    meta = [f"<bdi>{html_text(clamp(part, 80))}</bdi>" for part in (dated or "no date", document.source) if part]
    lead = document.text.removeprefix(document.title).lstrip()
    return (
        f"<div dir='auto' style='margin:0 0 .8rem'><div style='font-weight:600;line-height:1.3;overflow-wrap:anywhere'>"
        f"{html_text(clamp(document.title, 160))}</div><div class='tl-date'>{' · '.join(meta)}</div>"
        f"<div class='tl-snippet'>{html_text(clamp(lead, _LEAD))}</div></div>"
    )


def _columns(read: ReadFile, key: str) -> ColumnChoice:
    """Return which column is which part, as found or as a person says; under each what stands there."""
    table, chosen = read.table, dict[str, str]()
    options = [NONE, *table.columns]
    fields = list(PARTS.items())
    for start in (0, 3):
        for column, (part, label) in zip(st.columns(3, gap="small"), fields[start : start + 3], strict=True):
            found = getattr(read.detected, part) or NONE
            with column:
                picked = st.selectbox(label, options, index=options.index(found), key=f"column-{part}-{key}")
                chosen[part] = "" if picked == NONE else picked
                if chosen[part]:
                    st.html(_filled(table.values(chosen[part]), _unit(table.kind)))
    choice = replace(read.detected, **chosen)
    # A column that a person makes a part of the document no longer holds the vectors.
    return replace(choice, vectors="") if choice.vectors in chosen.values() else choice


def _filled(values: Sequence[str], unit: str) -> str:
    filled = [value for value in values if value.strip()]
    told = f"in every {unit}" if len(filled) == len(values) else f"in {len(filled):,} of {count(len(values), unit)}"
    shown = f": “<bdi>{html_text(clamp(filled[0][:200], 46))}</bdi>”" if filled else ""
    return f"<div class='tl-quiet' style='margin-top:-.6rem;overflow-wrap:anywhere'>{told}{shown}</div>"


def expect_order(key: str, date_format: str) -> None:
    """Have the order of day and month chosen that a person chose for the file before, if one was."""
    known = next((order for order in _ORDERS if f"read {order} as chosen" in date_format), None)
    if known is not None:
        st.session_state.setdefault(f"date-order-{key}", known)


def _chosen_order(key: str) -> DateOrder | None:
    found: DateOrder | None = st.session_state.get(f"date-order-{key}")
    return found


def _dates(dates: DatesFound | None, unit: str, key: str) -> DateOrder | None:
    """Say how dates are read, and return the order of day and month where a person must choose, and did."""
    if dates is None:
        none = "No column has dates" if unit == "row" else f"No {unit} has a date"
        st.warning(f"{none}: new documents can be searched and mapped, but no trail forward in time passes them.")
        return None
    order: DateOrder | None = None
    if dates.format.is_ambiguous:
        given = markdown_text(dates.readings[0].given)
        st.warning(f"Day and month cannot be told apart in this file ({given}). Which comes first?")
        rows = [(one.given, one.day_first or "no date", one.month_first or "no date") for one in dates.readings]
        st.html(_table(("In the file", "Day first", "Month first"), rows))
        order = st.radio("In these dates", _ORDERS, index=None, horizontal=True, key=f"date-order-{key}")
    else:
        st.markdown(f"**Dates** {markdown_text(dates.format.name)}")
        st.html(
            _table(("In the file", "Understood as"), [(one.given, one.understood) for one in dates.format.examples])
        )
    if told := undated_words(dates, unit):
        st.caption(markdown_text(told))
    return order


def _further(found: Understanding, *, brings_vectors: bool) -> None:
    """Say what else there is: notices, HTML, vectors, further columns."""
    for notice in found.notices:
        st.info(markdown_text(notice), icon=":material/info:")
    vectors = found.vectors
    told = []
    if brings_vectors:
        told.append("The vectors of the .npy file are used; no model reads the texts.")
    elif vectors is not None:
        what = f"Vectors of {vectors.n_dimensions:,} dimensions in the column “{vectors.column}”"
        if vectors.is_used:
            told.append(f"{what}, in every row: they are used, and no model reads the texts.")
        else:
            n = vectors.n_read + vectors.n_failed
            told.append(
                f"{what}, in {vectors.n_read:,} of {n:,} rows ({vectors.reason}). Vectors are used only where every "
                "document has one; otherwise the model reads all texts."
            )
    elif found.vectors_fault:
        told.append(sentence(found.vectors_fault))
    if found.has_markup:
        told.append("HTML is left out of headlines and texts.")
    if found.extras:
        names = format_list(list(found.extras), most=MOST_EXTRAS)
        told.append(f"Kept as further columns, and you can filter by them: {names}.")
    if told:
        st.html("".join(f"<div class='tl-quiet tl-remark'>{html_text(one)}</div>" for one in told))


def _unreadable(read: ReadFile) -> None:
    """Show the rows that cannot be read, and those that were read with a doubt, with all of them as CSV."""
    table = read.table
    told = sorted([*table.problems, *table.remarks], key=lambda problem: problem.row)
    if not told:
        return
    n = len(table.problems)
    unit = _unit(table.kind)
    label = f"{count(n, unit)} cannot be read" if n else count(len(told), "remark")
    with st.expander(label, icon=":material/warning:" if n else None):
        for problem in (table.problems or table.remarks)[:3]:
            st.caption(f"{unit.capitalize()} {problem.row}: {markdown_text(problem.reason)}")
        rows = [(problem.row, problem.reason) for problem in told]
        csv_button("All as CSV", ["row", "remark"], rows, "unreadable-rows.csv", key="import-unreadable")


def _preview(documents: Sequence[Document]) -> None:
    st.html(
        "<div class='tl-figure-title' style='margin-bottom:.4rem'>As they will look</div>"
        + "".join(preview_html(document) for document in documents)
    )


def _table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th class='word' style='cursor:auto'>{html_text(name)}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td class='word' dir='auto'>{html_text(clamp(cell, 60))}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    return f"<div class='tl-table'><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
