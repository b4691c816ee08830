"""Collections as cards: counts, state, and the step that comes next."""

from typing import Final

import streamlit as st

from narrative_core.counting import count
from narrative_core.ingest.builtin import BUILTIN
from narrative_core.intake import SHIPPED, builtin
from narrative_core.judgements import Status
from narrative_core.records import Collection, CollectionSummary
from narrative_core.store.collections import delete_collection, load_report
from narrative_core.store.judgements import judgement_counts
from narrative_core.store.landscapes import load_placed
from narrative_core.ui import resources, state
from narrative_core.ui.builds import build_outcome, build_progress, latest_build, start_build
from narrative_core.ui.frame import counts
from narrative_core.ui.import_steps import ask_for_update, n_asked
from narrative_core.ui.load_report import copies_line, document_buttons, load_report_view
from narrative_core.ui.project_steps import project_download
from narrative_core.ui.words import html_text, markdown_text

FINENESS = {"broad": "few and broad", "fine": "many and fine"}
_COLUMNS = 3
_WITH_REPLY: Final[tuple[Status, ...]] = ("ok", "unreadable", "refused")


def collection_cards() -> None:
    """Show all collections, stored ones first, then the built-in ones that can be built on request."""
    stored = resources.summaries()
    names = {summary.collection.name for summary in stored}
    cards: list[CollectionSummary | Collection] = [*stored, *(known for known in BUILTIN if known.name not in names)]
    for start in range(0, len(cards), _COLUMNS):
        for column, card in zip(st.columns(_COLUMNS, gap="medium"), cards[start : start + _COLUMNS], strict=False):
            with column, st.container(border=True, height="stretch"):
                _card(card)


def _card(card: CollectionSummary | Collection) -> None:
    summary = card if isinstance(card, CollectionSummary) else None
    collection = card.collection if isinstance(card, CollectionSummary) else card
    st.subheader(markdown_text(collection.title), anchor=False)
    if summary is not None:
        st.html(f"<div class='tl-quiet'>{counts(summary)}</div>")
    if collection.description:
        st.markdown(markdown_text(collection.description))
    if collection.origin or collection.licence:
        origin = " · ".join(part for part in (collection.origin, collection.licence) if part)
        st.html(f"<div class='tl-quiet'>{html_text(origin)}</div>")
    job = latest_build(collection.name)
    if job is not None and job.state == "running":
        build_progress(collection.name)
        return
    if summary is None or not summary.is_built:
        build_outcome(job)
    if summary is not None and summary.is_built and builtin(collection.name) is None:
        _placed_later(collection.name)
    _actions(collection, summary, is_resumable=job is not None and job.state in ("cancelled", "interrupted", "failed"))


def _actions(collection: Collection, summary: CollectionSummary | None, *, is_resumable: bool) -> None:
    name = collection.name
    is_built = summary is not None and summary.is_built
    with st.container(horizontal=True, gap="small"):
        if is_built:
            if st.button("Explore", key=f"open-{name}", type="primary"):
                state.choose_collection(name)
                st.switch_page("pages/explore/explore.py")
        else:
            label = "Resume the build" if is_resumable else "Build the map"
            st.button(label, key=f"build-{name}", type="primary", on_click=start_build, args=(name,))
        if summary is None:
            return
        with st.popover("More", key=f"more-{name}-{n_asked()}"):
            _more(collection, is_built=is_built)


def _placed_later(name: str) -> None:
    """Say where documents were placed on a map that was made without them, and how all are fitted."""
    n = len(load_placed(resources.database(), name))
    if n:
        st.caption(f"{count(n, 'document')} came later and {'was' if n == 1 else 'were'} placed on the present map.")
        st.button("Build the map again to fit all", key=f"refit-{name}", on_click=start_build, args=(name,))


def _more(collection: Collection, *, is_built: bool) -> None:
    name = collection.name
    load_report_view(load_report(resources.database(), name), place=f"card-{name}")
    if copies := copies_line(name):
        st.markdown(copies)
    document_buttons(name, place="card")
    project_download(name)
    if is_built and st.button("Topics: rename, merge, leave words out", key=f"topics-{name}", type="tertiary"):
        state.choose_collection(name)
        st.switch_page("pages/explore/topics.py")
    if builtin(name) is None:
        st.button(
            "Add or update from a file",
            key=f"update-{name}",
            on_click=ask_for_update,
            args=(name,),
            icon=":material/upload_file:",
            help="Shows what would change first. Documents are known by their identifiers.",
        )
    if name in SHIPPED:
        return
    if is_built:
        fineness = st.radio(
            "Topics", list(FINENESS), format_func=FINENESS.__getitem__, horizontal=True, key=f"fineness-{name}"
        )
        st.button("Build the map again", key=f"rebuild-{name}", on_click=start_build, args=(name, fineness))
    st.markdown(_deletion_told(name))
    is_sure = st.checkbox("I know that this cannot be undone", key=f"sure-{name}")
    st.button(
        "Delete for good",
        key=f"delete-{name}",
        on_click=_delete,
        args=(name,),
        icon=":material/delete:",
        disabled=not is_sure,
    )


def _deletion_told(name: str) -> str:
    asked = judgement_counts(resources.database(), name)
    n = sum(one.n_asked for one in asked)
    n_replies = sum(one.counts.get(status, 0) for one in asked if one.judge == "openai" for status in _WITH_REPLY)
    what = f"the map, the saved stories and {count(n, 'judgement')}" if n else "the map and the saved stories"
    told = f"**Delete** takes the documents, {what} of this collection away for good"
    if not n_replies:
        return f"{told}."
    replies = "1 reply of a prompted judge" if n_replies == 1 else f"{n_replies:,} replies of prompted judges"
    return f"{told}, {replies} among them: asking again may be paid again. The page Judges has them as a file."


def _delete(name: str) -> None:
    delete_collection(resources.database(), name)
    resources.forget_loaded()
    if state.collection() == name:
        state.choose_collection("spaceflight")
    state.notify("The collection was deleted.")
