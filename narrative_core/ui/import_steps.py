"""Adding documents in three steps on one page: the file, what we understood of it, what became of it."""

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

import streamlit as st

from narrative_core.errors import InvalidInput
from narrative_core.import_jobs import Meaning, ReadFile
from narrative_core.intake import builtin, collection_name
from narrative_core.project_archive import is_project_file
from narrative_core.records import Collection, CollectionSummary, Job
from narrative_core.store.collections import load_report
from narrative_core.ui import imports_work, resources, state
from narrative_core.ui.builds import start_build
from narrative_core.ui.import_file import (
    Picked,
    empty_file_field,
    forget_feed,
    know_sheets,
    pick_file,
    reading_options,
    size_words,
)
from narrative_core.ui.import_languages import choose_model
from narrative_core.ui.import_understood import Confirmed, confirm, expect_order, facts_line
from narrative_core.ui.import_update import update_from, update_sentence
from narrative_core.ui.load_report import build_needs, copies_line, document_buttons, load_report_view
from narrative_core.ui.project_steps import offer_project
from narrative_core.ui.words import html_text, markdown_text

ANCHOR: Final = "add-documents"
NEW, HERE = "a new collection", "one that is here"
_UNDER_WAY, _TARGET, _IS_SCROLLED = "import_under_way", "import_target", "import_is_scrolled"
_N_ASKED: Final = "import_n_asked"
_INTO, _WHICH = "import-into", "import-which"


@dataclass(frozen=True, slots=True)
class UnderWay:
    """An import or update that was started in this session, and the file as it was read then."""

    kind: str
    name: str
    title: str
    reading: str


@dataclass(frozen=True, slots=True)
class Ongoing:
    """An import or update of this session, and how far it was when the page began to be drawn."""

    work: UnderWay
    job: Job


def ongoing() -> Ongoing | None:
    """Return the import or update that was started in this session last, ``None`` where none was.

    To be asked before the cards are drawn: what ends in between is seen in the next run, by cards and steps alike.
    """
    work: UnderWay | None = st.session_state.get(_UNDER_WAY)
    job = None if work is None else imports_work.latest(work.kind, work.name)
    return None if work is None or job is None else Ongoing(work, job)


def import_steps(present: Ongoing | None) -> None:
    """Show the steps; nothing is stored before the last one."""
    if st.session_state.pop(_IS_SCROLLED, False):
        st.html(f"<script>document.getElementById('{ANCHOR}')?.scrollIntoView()</script>", unsafe_allow_javascript=True)
    if present is not None and present.job.state == "done":
        _result(present.work)
        return
    _step("1 · The file")
    target = resources.summary(st.session_state.get(_TARGET, ""))
    if target is not None:
        title = markdown_text(target.collection.title)
        st.info(
            f"Choose a newer file of “{title}”. What it would change is shown first.", icon=":material/upload_file:"
        )
    picked = pick_file()
    if picked is None:
        return
    if picked.kind == "zip" and is_project_file(picked.origin.data):
        _step("2 · A project file")
        if offer_project(picked.origin.data, key=picked.origin.key):
            empty_file_field()
            st.rerun()
        return
    _step("2 · What we understood")
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        about = st.empty()
        options = reading_options(picked)
    if picked.origin.n_bytes and picked.kind is not None:
        about.html(_quiet(f"{size_words(picked.origin, picked.kind)}."), width="content")
    read = imports_work.read(picked.origin, options)
    if read is None:
        return
    if know_sheets(picked, read.table.sheets):
        st.rerun()
    key = imports_work.reading_key(picked.origin, options)
    expect_order(key, _date_format(target))
    confirmed = confirm(read, key, brings_vectors=picked.npy is not None)
    if confirmed is None:
        return
    about.html(_quiet(f"{facts_line(confirmed.found, read.name)}."), width="content")
    _step("3 · Into a collection")
    if present is not None and present.job.state == "running":
        imports_work.progress(present.work.kind, present.work.name)
        return
    if present is not None and present.work.reading == key:
        imports_work.outcome(present.job)
    _into(picked, read, confirmed, key)


def _date_format(target: CollectionSummary | None) -> str:
    """Return how the dates of a collection were read, empty where none is updated."""
    return "" if target is None else load_report(resources.database(), target.collection.name).date_format


def ask_for_update(name: str) -> None:
    """Prepare an update of a collection from a file: the steps below have it chosen."""
    _forget()
    st.session_state[_TARGET] = name
    st.session_state[_IS_SCROLLED] = True
    st.session_state[_N_ASKED] = n_asked() + 1


def n_asked() -> int:
    """Return how often an update was asked for from a card: its menu carries the number, so that it closes."""
    return int(st.session_state.get(_N_ASKED, 0))


def _into(picked: Picked, read: ReadFile, confirmed: Confirmed, key: str) -> None:
    own = {one.collection.name: one for one in resources.summaries() if builtin(one.collection.name) is None}
    target = st.session_state.get(_TARGET, "")
    into = NEW
    if own:
        into = st.radio(
            "Put the documents into",
            [NEW, HERE],
            index=int(target in own),
            horizontal=True,
            key=f"{_INTO}-{target}",
        )
    meaning = Meaning(confirmed.choice, confirmed.date_order, picked.npy)
    if into == NEW:
        choose_model(read, key, confirmed, brings_vectors=picked.npy is not None)
        _new(read, meaning, picked.origin.key, reading=key, is_clear=confirmed.is_clear)
        return
    names = list(own)
    which = st.selectbox(
        "Which collection",
        names,
        index=names.index(target) if target in own else None,
        placeholder="Choose a collection",
        format_func=lambda name: own[name].collection.title,
        key=f"{_WHICH}-{target}",
    )
    if which is not None and update_from(own[which], read, meaning, reading=key, is_clear=confirmed.is_clear):
        _started(UnderWay(imports_work.UPDATE, which, own[which].collection.title, key))


def _new(read: ReadFile, meaning: Meaning, key: str, *, reading: str, is_clear: bool) -> None:
    left, right = st.columns(2, gap="medium")
    title = left.text_input("Name of the collection", _title(read.name), max_chars=80, key=f"import-title-{key}")
    noun = right.text_input(
        "What are its documents?", "documents", max_chars=40, key=f"import-noun-{key}", help="In the plural."
    )
    if not is_clear:
        st.caption("Choose above which comes first in the dates, the day or the month.")
    if not st.button("Import", type="primary", disabled=not (is_clear and title.strip()), key="import-go"):
        return
    name = collection_name(title)
    if builtin(name) is not None:
        raise InvalidInput(f"“{name}” is the name of a built-in collection. Give this one another name.")
    if resources.summary(name) is not None:
        raise InvalidInput(
            f"There is a collection “{name}” already. Give this one another name, or put the documents into “{HERE}”."
        )
    # Vectors that do not fit are told here, where they can be put right.
    meaning.vectors(read.table)
    collection = Collection(name, title.strip(), noun=noun.strip() or "documents", origin=f"imported from {read.name}")
    imports_work.start_import(collection, read, meaning)
    _started(UnderWay(imports_work.IMPORT, name, collection.title, reading))


def _started(under_way: UnderWay) -> None:
    st.session_state[_UNDER_WAY] = under_way
    st.rerun()


def _result(under_way: UnderWay) -> None:
    summary = resources.summary(under_way.name)
    if summary is None:
        _forget()
        st.rerun()
    done = imports_work.update_report(under_way.name) if under_way.kind == imports_work.UPDATE else None
    what = "is stored" if under_way.kind == imports_work.IMPORT else "is updated"
    st.success(f"“{markdown_text(under_way.title)}” {what}.", icon=":material/check_circle:")
    if done is not None:
        st.markdown(f"**{update_sentence(done)}**")
        for notice in done.notices:
            st.caption(markdown_text(notice))
    load_report_view(load_report(resources.database(), under_way.name), place="import")
    if copies := copies_line(under_way.name):
        st.markdown(f"{copies}. A trail holds at most one of a group.")
    document_buttons(under_way.name, place="report")
    _next(summary, is_refit=done is not None and bool(done.n_placed))


def _next(summary: CollectionSummary, *, is_refit: bool) -> None:
    name = summary.collection.name
    if not summary.is_built or is_refit:
        st.caption(markdown_text(build_needs(summary.n_documents)))
    with st.container(horizontal=True, gap="small"):
        if not summary.is_built:
            st.button("Build the map", type="primary", key="import-build", on_click=_build, args=(name,))
        else:
            if st.button("Explore", type="primary", key="import-explore"):
                _forget()
                state.choose_collection(name)
                st.switch_page("pages/explore/explore.py")
            if is_refit:
                st.button("Build the map again to fit all", key="import-refit", on_click=_build, args=(name,))
        st.button("Add another file", key="import-another", on_click=_forget)


def _build(name: str) -> None:
    start_build(name)
    _forget()
    state.notify("The map is being built. You can go on with other pages.")


def _forget() -> None:
    for key in (_UNDER_WAY, _TARGET):
        st.session_state.pop(key, None)
    forget_feed()


def _quiet(text: str) -> str:
    return f"<div class='tl-quiet'>{html_text(text)}</div>"


def _step(label: str) -> None:
    st.html(f"<b>{label}</b>")


def _title(filename: str) -> str:
    return PurePosixPath(filename).stem[:80]
