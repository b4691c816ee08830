"""Documents without a date, in a table where one can be typed; what cannot be read is kept, and said, row by row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import streamlit as st

from narrative_core import desk_edits
from narrative_core.curating import read_typed_date
from narrative_core.desk import Desk
from narrative_core.document_filters import state_counts
from narrative_core.errors import InvalidInput
from narrative_core.records import Document
from narrative_core.reports.sentences import format_title
from narrative_core.ui import state, workbench
from narrative_core.ui.documents_list import documents_button, nothing_found
from narrative_core.ui.documents_shown import View, count_words, ids_met
from narrative_core.ui.words import clamp, html_text, markdown_text

DATE: Final = "Date"
ROWS: Final = 200
"""Documents that the table shows; dating some brings up the next."""

_SHEET: Final = "undated-sheet"


@dataclass(frozen=True, slots=True)
class Typed:
    """What was typed into the table, read: dates by document id, "" for none; and why the others are none."""

    dates: Mapping[str, str] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Sheet:
    """The table as it was laid out: what stood in it then, by document id, and what was typed that is no date.

    The table keeps what is typed into it, so it is laid out anew only when something else changed a date.
    """

    collection: str
    ids: tuple[str, ...]
    dates: dict[str, str]
    number: int = 0
    edits: dict[int, str] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    is_stale: bool = False


def take_dates() -> None:
    """Deal with what was typed into the table since it was last read: dates count, and what is none is remembered."""
    sheet: Sheet | None = st.session_state.get(_SHEET)
    if sheet is None or sheet.collection != state.collection():
        return
    if _key(sheet) not in st.session_state:
        # Another page was on show meanwhile, and the table has forgotten what was typed into it.
        sheet.is_stale = True
        return
    edited = st.session_state[_key(sheet)].get("edited_rows") or {}
    edits = {int(row): str(cells[DATE] or "").strip() for row, cells in edited.items() if DATE in cells}
    if edits == sheet.edits:
        return
    typed = read_edits(sheet.ids, edited)
    sheet.edits = edits
    kept = {one: reason for one, reason in sheet.refused.items() if one not in typed.dates}
    sheet.refused = {**kept, **typed.refused}
    present = state.desk().curation.dates
    new = {one: text for one, text in typed.dates.items() if present.get(one, "") != text}
    if new:
        workbench.edit(f"Dated {count_words(len(new))}", partial(_date_all, dates=new))


def read_edits(ids: Sequence[str], edited: Mapping[int, Mapping[str, Any]]) -> Typed:
    """Return what was typed into a table, read.

    Parameters
    ----------
    ids : sequence of str
        The documents, in the order of the rows.
    edited : mapping of int to mapping
        By row, the cells that were changed.

    Examples
    --------
    >>> typed = read_edits(["a", "b"], {0: {"Date": "March 2021"}, 1: {"Date": "02/03/2021"}})
    >>> dict(typed.dates), list(typed.refused)
    ({'a': 'March 2021'}, ['b'])
    """
    dates, refused = {}, {}
    for row, cells in edited.items():
        if DATE not in cells or not 0 <= int(row) < len(ids):
            continue
        text = str(cells[DATE] or "").strip()
        try:
            if text:
                read_typed_date(text)
        except InvalidInput as problem:
            refused[ids[int(row)]] = str(problem)
        else:
            dates[ids[int(row)]] = text
    return Typed(dates, refused)


def undated_documents(view: View) -> None:
    """Show the documents whose file has no readable date, with the words that it has, and let dates be typed."""
    documents = _without_date(view)
    n_left = sum(document.date is None for document in documents)
    if not documents:
        if state_counts(view.holdings)["undated"]:
            nothing_found(view)
        else:
            st.success("Every document has a date.", icon=":material/check:")
        return
    left = f"{count_words(n_left)} without a date." if n_left else "Every document has a date now."
    told = (
        f"{left[:1].upper()}{left[1:]} Documents without one are in searches, in lists and on the map; only trails in "
        "order of time leave them out. Type a date as 2021-07-11, 2021-07 or 2021; it can be taken back."
    )
    st.html(f"<div class='tl-quiet tl-remark'>{html_text(told)}</div>")
    sheet = _sheet(view, documents)
    shown = {document.document_id: document for document in documents}
    st.data_editor(
        {
            "Headline": [format_title(shown[one]) for one in sheet.ids],
            DATE: [sheet.dates[one] for one in sheet.ids],
            "In the file": [_given(view, one) for one in sheet.ids],
            "Source": [shown[one].source for one in sheet.ids],
        },
        hide_index=True,
        disabled=["Headline", "In the file", "Source"],
        column_config={
            "Headline": st.column_config.TextColumn(width="medium"),
            "In the file": st.column_config.TextColumn(help="What the file says in the place of the date."),
            DATE: st.column_config.TextColumn("Date (type here)", help="2021-07-11, 2021-07 or 2021"),
        },
        key=_key(sheet),
    )
    for one, reason in sheet.refused.items():
        if one in shown:
            st.warning(f"{markdown_text(clamp(format_title(shown[one]), 80))}: {markdown_text(reason)}")
    if len(documents) > len(sheet.ids):
        st.caption(f"The first {len(sheet.ids):,} of {len(documents):,}.")
    documents_button(view, [document.document_id for document in documents], "undated-csv", "undated-documents")


def _without_date(view: View) -> list[Document]:
    """Return the documents that the file has no date for, those that were dated by hand included."""
    met = ids_met(view)
    stored = view.holdings.shelf.documents
    return [
        document
        for row, document in enumerate(view.holdings.documents)
        if stored[row].date is None and document.document_id in met
    ]


def _given(view: View, document_id: str) -> str:
    holdings = view.holdings
    return holdings.shelf.documents[holdings.shelf.row_of[document_id]].date_text or "nothing"


def _sheet(view: View, documents: Sequence[Document]) -> Sheet:
    """Return the table as it stands; laid out anew where a date was changed elsewhere, or another document came."""
    typed = view.holdings.curation.dates
    sheet: Sheet | None = st.session_state.get(_SHEET)
    collection = state.collection()
    present = {document.document_id for document in documents}
    if sheet is None or sheet.is_stale or sheet.collection != collection or not present.issuperset(sheet.ids):
        return _lay_out(documents, typed, sheet)
    expected = {one: typed.get(one, "") for one in sheet.ids}
    shown = sheet.dates | {sheet.ids[row]: text for row, text in sheet.edits.items()}
    if any(shown[one] != expected[one] for one in sheet.ids if one not in sheet.refused):
        return _lay_out(documents, typed, sheet)
    return sheet


def _lay_out(documents: Sequence[Document], typed: Mapping[str, str], former: Sheet | None) -> Sheet:
    ids = tuple(document.document_id for document in documents[:ROWS])
    kept = {} if former is None or former.collection != state.collection() else former.refused
    texts = {} if former is None else {former.ids[row]: text for row, text in former.edits.items()}
    sheet = Sheet(
        state.collection(),
        ids,
        {one: texts.get(one, "") if one in kept else typed.get(one, "") for one in ids},
        number=0 if former is None else former.number + 1,
        refused={one: reason for one, reason in kept.items() if one in ids},
    )
    st.session_state[_SHEET] = sheet
    return sheet


def _date_all(desk: Desk, *, dates: Mapping[str, str]) -> Desk:
    for document_id, text in dates.items():
        desk = desk_edits.date_document(desk, document_id, text)
    return desk


def _key(sheet: Sheet) -> str:
    return f"undated-{sheet.collection}-{sheet.number}"
