"""Adding documents in three steps on one page: the file, what we understood of it, what became of it."""

from dataclasses import replace

import pandas as pd
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from narrative_core.errors import InvalidInput
from narrative_core.ingest.columns import ColumnChoice, check_columns
from narrative_core.ingest.dates import DateOrder, detect_date_format
from narrative_core.ingest.own_vectors import read_vectors
from narrative_core.ingest.tables import RawTable
from narrative_core.intake import collection_name, import_table
from narrative_core.records import Collection, LoadReport
from narrative_core.ui import resources, state
from narrative_core.ui.builds import start_build
from narrative_core.ui.load_report import delimiter_word, load_report_view
from narrative_core.ui.words import markdown_text

_PARTS = {
    "title": "Headline",
    "text": "Text",
    "date": "Date",
    "source": "Source",
    "url": "Address (URL)",
    "document_id": "Identifier",
}
_NONE = "(none)"
_IMPORTED = "imported"
_TEMPLATE = (
    "id,title,date,text,source,url\n"
    'a1,First headline,2021-07-11,"The text of the first document.",Example Times,https://example.org/a1\n'
    'a2,Second headline,2021-08,"A month or a year is enough of a date.",Example Post,\n'
)


def import_steps() -> None:
    """Show the steps; nothing is stored before the last one."""
    done: tuple[str, str, LoadReport] | None = st.session_state.get(_IMPORTED)
    if done is not None:
        _result(*done)
        return
    st.html("<b>1 · The file</b>")
    left, right = st.columns(2, gap="medium")
    file = left.file_uploader(
        "CSV or JSON lines, one document a row",
        type=["csv", "tsv", "tab", "jsonl", "ndjson", "json"],
        key="import-file",
    )
    own = right.file_uploader(
        "Your own vectors, if you have them (.npy)", type=["npy"], key="import-vectors",
        help="A table of numbers, row i for data row i of the file. Without it the chosen model reads the texts.",
    )  # fmt: skip
    if file is None:
        st.caption(
            "Each row needs a headline or a text; a date puts it on trails. Other columns are kept. The columns may "
            "have any names: you confirm what is what before anything is stored."
        )
        st.download_button(
            "A template to fill in", _TEMPLATE, "throughline-template.csv", "text/csv", on_click="ignore"
        )
        return
    table, detected = resources.understood(file.file_id, file)
    st.html("<b>2 · What we understood</b>")
    choice = _columns(table, detected, file.file_id)
    order, is_clear = _dates(table, choice)
    _preview(table, choice)
    st.html("<b>3 · Into the collection</b>")
    _store(file, own, table, choice, order, is_clear=is_clear)


def _columns(table: RawTable, detected: ColumnChoice, file_id: str) -> ColumnChoice:
    separated = f", separated by {delimiter_word(table.delimiter)}" if table.delimiter else ""
    st.caption(f"{table.n_read:,} rows, {len(table.columns)} columns, encoding {table.encoding}{separated}.")
    options = [_NONE, *table.columns]
    chosen: dict[str, str] = {}
    for column, (part, label) in zip(st.columns(len(_PARTS), gap="small"), _PARTS.items(), strict=True):
        found = getattr(detected, part) or _NONE
        picked = column.selectbox(label, options, index=options.index(found), key=f"column-{part}-{file_id}")
        chosen[part] = "" if picked == _NONE else picked
    choice = replace(detected, **chosen)
    check_columns(table, choice)
    return choice


def _dates(table: RawTable, choice: ColumnChoice) -> tuple[DateOrder | None, bool]:
    """Return the order of day and month that a person chose, and whether it is clear."""
    if not choice.date:
        st.warning("No column has dates: the documents can be searched and mapped, but no trail runs forward in time.")
        return None, True
    found = detect_date_format(table.values(choice.date))
    if not found.is_ambiguous:
        unreadable = f" {found.n_unreadable:,} cannot be read as a date and stay undated." if found.n_unreadable else ""
        differing = [example for example in found.examples if example.given != example.understood]
        examples = "; ".join(f"{example.given} is {example.understood}" for example in differing)
        told = f" {markdown_text(examples)}." if examples else ""
        st.caption(f"Dates: {found.name}.{told}{unreadable}")
        return None, True
    given = markdown_text(found.examples[0].given)
    st.warning(f"Day and month cannot be told apart in this file ({given}). Which comes first?")
    orders: list[DateOrder] = ["day first", "month first"]
    picked = st.radio("In these dates", orders, index=None, horizontal=True, key="date-order")
    return picked, picked is not None


def _preview(table: RawTable, choice: ColumnChoice) -> None:
    columns = {_PARTS[part]: table.values(column)[:3] for part, column in choice.chosen().items()}
    st.dataframe(pd.DataFrame(columns), hide_index=True)
    for problem in table.problems[:3]:
        st.caption(f"Row {problem.row}: {markdown_text(problem.reason)}")


def _store(
    file: UploadedFile,
    own: UploadedFile | None,
    table: RawTable,
    choice: ColumnChoice,
    order: DateOrder | None,
    *,
    is_clear: bool,
) -> None:
    left, right = st.columns(2, gap="medium")
    title = left.text_input("Name of the collection", file.name.rsplit(".", 1)[0], max_chars=80, key="import-title")
    noun = right.text_input(
        "What are its documents?", "documents", max_chars=40, key="import-noun", help="In the plural."
    )
    if not st.button("Import", type="primary", disabled=not (is_clear and title.strip()), key="import-go"):
        return
    name = collection_name(title)
    if resources.summary(name) is not None:
        raise InvalidInput(f"There is a collection “{name}” already. Give this one another name, or delete the other.")
    vectors = read_vectors(own.getvalue(), table.n_read) if own is not None else None
    collection = Collection(name, title.strip(), noun=noun.strip() or "documents", origin=f"imported from {file.name}")
    report = import_table(resources.database(), collection, table, choice, date_order=order, vectors=vectors)
    st.session_state[_IMPORTED] = (name, collection.title, report)
    st.rerun()


def _result(name: str, title: str, report: LoadReport) -> None:
    st.success(f"“{markdown_text(title)}” is stored.", icon=":material/check_circle:")
    load_report_view(report)
    with st.container(horizontal=True, gap="small"):
        st.button("Build the map", type="primary", key="import-build", on_click=_finish, args=(name,))
        st.button("Add another file", key="import-another", on_click=_forget)


def _finish(name: str) -> None:
    start_build(name)
    _forget()
    state.notify("The map is being built. You can go on with other pages.")


def _forget() -> None:
    st.session_state.pop(_IMPORTED, None)
