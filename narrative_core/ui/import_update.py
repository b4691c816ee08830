"""Bringing a collection to what a file says: the difference first, then the change."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import streamlit as st

from narrative_core.build_stages import OWN_VECTORS
from narrative_core.counting import count
from narrative_core.differences import Change, Difference
from narrative_core.import_jobs import Compared, Meaning, ReadFile
from narrative_core.records import CollectionSummary, Document
from narrative_core.reports.sentences import format_list
from narrative_core.space.embedders import LOCAL_MODEL
from narrative_core.ui import imports_work
from narrative_core.ui.csv_button import csv_button
from narrative_core.ui.words import html_text, markdown_text
from narrative_core.updates import UpdateReport

SHOWN_CHANGES: Final = 10
SHOWN_TITLES: Final = 8
FIELD_NAMES: Final = {
    "title": "headline", "text": "text", "date": "date", "source": "source", "url": "address",
    "extras": "further columns", "vector": "vector",
}  # fmt: skip
_CHANGE_COLUMNS: Final = ("Document", "Field", "Before", "After")


def update_from(summary: CollectionSummary, read: ReadFile, meaning: Meaning, *, reading: str, is_clear: bool) -> bool:
    """Offer to compare a file with a collection and to apply the difference; return whether that was started."""
    name = summary.collection.name
    subject = imports_work.comparison_key(name, reading, meaning)
    compared = imports_work.comparison(subject)
    if compared is not None:
        return _apply(summary, compared, subject)
    job = imports_work.latest(imports_work.COMPARE, subject)
    if job is not None and job.state == "running":
        imports_work.progress(imports_work.COMPARE, subject)
        return False
    if job is not None:
        imports_work.outcome(job)
    st.caption("What would change is shown before anything is changed.")
    st.button(
        "Compare with the collection",
        key="import-compare",
        type="primary",
        disabled=not is_clear,
        on_click=imports_work.start_comparison,
        args=(name, subject, read, meaning),
    )
    return False


def difference_line(found: Difference) -> str:
    """Return how many documents are new, changed, unchanged and absent.

    Examples
    --------
    >>> difference_line(Difference((), (), ("a", "b"), ()))
    '0 new · 0 changed · 2 unchanged · 0 not in the file'
    """
    return (
        f"{len(found.new):,} new · {len(found.changed):,} changed · {len(found.unchanged):,} unchanged · "
        f"{len(found.absent):,} not in the file"
    )


def change_rows(changes: Sequence[Change]) -> list[tuple[str, str, str, str]]:
    """Return what changes as rows of (headline, field, before, after), a row for each field."""
    rows = []
    for change in changes:
        for sample in change.samples:
            rows.append((change.before.title, FIELD_NAMES[sample.field], sample.before or "–", sample.after or "–"))
        if "vector" in change.fields:
            rows.append((change.before.title, FIELD_NAMES["vector"], "as stored", "as in the file"))
    return rows


def fields_line(changes: Sequence[Change]) -> str:
    """Return which fields change, and in how many documents each, the most frequent first."""
    counts = Counter(FIELD_NAMES[field] for change in changes for field in change.fields)
    return format_list([f"{name} in {n:,}" for name, n in counts.most_common()], most=len(FIELD_NAMES))


def embedding_words(compared: Compared, *, is_built: bool) -> str:
    """Return what will be embedded and placed, in words; "" where nothing is."""
    if compared.difference.brings_vectors:
        return "The collection has no vectors yet; its documents get those of the file."
    n = compared.difference.n_embedded_anew
    if not n or not compared.model:
        return ""
    if lacks_vectors(compared):
        return (
            f"This collection came with vectors of its own, and {count(n, 'document')} of the file would have none. "
            "Add a .npy file above, one row a row of the file."
        )
    if compared.model == OWN_VECTORS:
        told = f"{count(n, 'document')} {'gets its vector' if n == 1 else 'get their vectors'} from the file."
    else:
        what = "1 text is read" if n == 1 else f"{n:,} texts are read"
        by = "WordLlama" if compared.model == LOCAL_MODEL else compared.model
        told = f"{what} by {by}, the model of this collection; no other text is read again."
    if not is_built:
        return told
    return f"{told} They are placed on the present map, where nothing else moves, until you build the map again."


def staying_sentence(found: Difference) -> str:
    """Return which fields stay because the file has no column for them; "" where there is none.

    Examples
    --------
    >>> staying_sentence(Difference((), (), ("a",), (), staying=("date", "extras")))
    'Without a column in the file, and so left as stored: date and further columns.'
    """
    names = format_list([FIELD_NAMES[field] for field in found.staying], most=len(FIELD_NAMES))
    return f"Without a column in the file, and so left as stored: {names}." if names else ""


def lacks_vectors(compared: Compared) -> bool:
    """Return whether the file brings no vectors to a collection that came with its own."""
    is_own = compared.model == OWN_VECTORS and compared.loaded.vectors is None
    return is_own and compared.difference.n_embedded_anew > 0


def update_sentence(done: UpdateReport) -> str:
    """Return what an update did.

    Examples
    --------
    >>> update_sentence(UpdateReport(2, 1, 5, 0, 3, 3, "l1"))
    '2 new · 1 changed · 5 unchanged · 0 removed · 3 texts read by the model · 3 placed on the map'
    """
    told = [f"{done.n_new:,} new", f"{done.n_changed:,} changed", f"{done.n_unchanged:,} unchanged"]
    told.append(f"{done.n_removed:,} removed")
    if done.n_embedded:
        told.append(f"{count(done.n_embedded, 'text')} read by the model")
    if done.n_placed:
        told.append(f"{done.n_placed:,} placed on the map")
    return " · ".join(told)


def _apply(summary: CollectionSummary, compared: Compared, subject: str) -> bool:
    """Show the difference, and return whether the change was started."""
    found, name = compared.difference, summary.collection.name
    st.markdown(f"**{difference_line(found)}**")
    if "document_id" not in compared.loaded.report.columns:
        st.caption(
            "The file has no identifiers: a document is known by its headline, text, date and source together, or else "
            "by its address. One whose text has changed is new where it has no address."
        )
    if told := staying_sentence(found):
        st.caption(told)
    _changes(found.changed)
    _titles("New documents", found.new, "new-documents.csv")
    _titles("In the collection, not in the file", found.absent, "absent-documents.csv")
    is_removing = False
    if found.absent:
        is_removing = st.checkbox(
            f"Take the {count(len(found.absent), 'document')} that are not in the file out of the collection for good",
            key=f"import-absent-{subject}",
        )
        if not is_removing:
            st.caption("They stay as they are.")
    is_lacking = lacks_vectors(compared)
    if told := embedding_words(compared, is_built=summary.is_built):
        (st.warning if is_lacking else st.caption)(markdown_text(told))
    if found.is_empty and not is_removing:
        st.success("The collection is as the file says: there is nothing to change.", icon=":material/check:")
        return False
    label = f"Update “{summary.collection.title}”"
    if not st.button(markdown_text(label), type="primary", key="import-update", disabled=is_lacking):
        return False
    imports_work.start_update(name, subject, remove_absent=is_removing)
    return True


def _changes(changes: Sequence[Change]) -> None:
    if not changes:
        return
    rows = change_rows(changes)
    st.html(f"<div class='tl-quiet'>Changed: {html_text(fields_line(changes))}.</div>")
    head = "".join(
        f"<th class='word' style='cursor:auto'>{name}</th>" for name in ("Document", "Field", "Before", "After")
    )
    body = "".join(
        "<tr>"
        + "".join(
            f"<td class='word' dir='auto' style='white-space:normal;min-width:6rem;max-width:24rem'>"
            f"{html_text(cell)}</td>"
            for cell in row
        )
        + "</tr>"
        for row in rows[:SHOWN_CHANGES]
    )
    st.html(f"<div class='tl-table'><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>")
    more = f"The first {SHOWN_CHANGES} of {len(rows):,}. " if len(rows) > SHOWN_CHANGES else ""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        if more:
            st.html(f"<span class='tl-quiet'>{more}</span>")
        csv_button("All changes as CSV", _CHANGE_COLUMNS, rows, "changes.csv", key="import-changes", type="tertiary")


def _titles(label: str, documents: Sequence[Document], filename: str) -> None:
    if not documents:
        return
    with st.expander(f"{label}: {len(documents):,}"):
        titles = "".join(
            f"<div class='tl-of-topic' dir='auto'>{html_text(document.title)} "
            f"<span class='tl-quiet'>{html_text(document.iso_date or 'no date')}</span></div>"
            for document in documents[:SHOWN_TITLES]
        )
        st.html(titles)
        if len(documents) > SHOWN_TITLES:
            st.caption(f"The first {SHOWN_TITLES} of {len(documents):,}.")
        rows = [(one.document_id, one.title, one.iso_date, one.source, one.url) for one in documents]
        columns = ["id", "title", "date", "source", "url"]
        csv_button("All as CSV", columns, rows, filename, key=f"import-{filename}")
