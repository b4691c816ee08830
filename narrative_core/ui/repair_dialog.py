"""Repairing a link: what could be told between its two documents, and what the story would be worth then."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from narrative_core import desk_edits
from narrative_core.extraction import LoadedCollection
from narrative_core.records import Document, StoryPair
from narrative_core.repairs import Repair, propose_repairs, repaired
from narrative_core.reports.sentences import format_date, format_list, format_strength, gap_between
from narrative_core.ui import state, workbench
from narrative_core.ui.picker import document_label
from narrative_core.ui.repair_scores import Scored, ask_about, score_lines, scored_seats
from narrative_core.ui.words import clamp, html_text

_ANY, _REPAIRING, _GENERATION = "repair-any", "repairing", "repair_generation"
_LEXICAL = "What the lexical reader gives the whole story, from 1 to 10; it reads words and dates alone."


def ask_for_repair(step: int) -> None:
    """Have the dialog opened in this run; the popover that was clicked closes, since it gets another key."""
    st.session_state[_REPAIRING] = step
    st.session_state[_GENERATION] = popover_generation() + 1


def popover_generation() -> int:
    """Return the number of times that a repair was asked for."""
    return int(st.session_state.get(_GENERATION, 0))


def show_repair(loaded: LoadedCollection, pair: StoryPair) -> None:
    """Open the dialog where a repair was asked for; once."""
    step = st.session_state.pop(_REPAIRING, None)
    if step is not None and step < len(pair.trail.links):
        repair_dialog(loaded, pair, step)


@st.dialog("Repair this link", width="large")
def repair_dialog(loaded: LoadedCollection, pair: StoryPair, step: int) -> None:
    """Show the best documents to tell between the two of a link, with what each does to the story."""
    first, second = pair.trail.documents[step], pair.trail.documents[step + 1]
    st.html(_ends(first, second))
    st.caption(
        f"This link has {format_strength(pair.trail.links[step].coherence)}; the weakest of the story "
        f"{format_strength(pair.trail.bottleneck)}. Putting a document in makes the story one of your own hand; "
        "Undo takes it out again."
    )
    with st.spinner("Looking for documents in between …"):
        repairs = propose_repairs(loaded, pair, step)
    if not repairs:
        st.info("No document is dated between the two and strong enough to stand there. Choose one yourself below.")
    elif not any(repair.is_stronger for repair in repairs):
        st.caption(
            "None makes the story stronger: the trail has the strongest weakest link there is between its ends. "
            "A document in between can still make the step easier to follow."
        )
    scored = scored_seats(loaded, pair)
    for number, repair in enumerate(repairs):
        with st.container(border=True, key=f"repair-proposal-{number}"):
            _proposal(loaded, pair, repair, number, scored)
    if repairs and scored:
        ask_about(loaded, pair, repairs, scored)
    _any_document(loaded, pair, step)


def _ends(first: Document, second: Document) -> str:
    lines = [
        f"<div><span class='tl-date'>{html_text(format_date(document))}</span> "
        f"<span dir='auto'>{html_text(clamp(document.title, 120)) or 'untitled'}</span></div>"
        for document in (first, second)
    ]
    between = f"<div class='tl-quiet'>↓ {html_text(gap_between(first, second))}</div>"
    return between.join(lines)


def _proposal(loaded: LoadedCollection, pair: StoryPair, repair: Repair, number: int, scored: Sequence[Scored]) -> None:
    told, act = st.columns([5, 1], vertical_alignment="center")
    with told:
        for document in repair.documents:
            source = f" · {html_text(clamp(document.source, 40))}" if document.source else ""
            st.html(
                f"<div class='tl-date'>{html_text(format_date(document))}{source}</div>"
                f"<div dir='auto'><b>{html_text(clamp(document.title, 140)) or 'untitled'}</b></div>"
            )
        links = format_list([format_strength(strength) for strength in repair.strengths])
        st.html(
            f"<div class='tl-quiet'>New links {links}, in place of {format_strength(repair.link_strength)} · "
            f"{_change('weakest link of the story', repair.before.bottleneck, repair.after.bottleneck)} · "
            f"{_change('mean', repair.before.mean, repair.after.mean)} · "
            f"<span title='{html_text(_LEXICAL)}'>"
            f"lexical {repair.before.lexical:.1f} → {repair.after.lexical:.1f}</span></div>"
        )
        for line in score_lines(loaded, pair, repair, scored):
            st.html(f"<div class='tl-quiet'>{html_text(line)}</div>")
    label = "Put it in" if len(repair.documents) == 1 else f"Put all {len(repair.documents)} in"
    order = repaired(pair, repair)
    words = f"Repaired a link with “{clamp(repair.documents[0].title, 50)}”"
    if act.button(
        label,
        key=f"put-in-{number}",
        type="primary" if number == 0 and repair.is_stronger else "secondary",
        on_click=workbench.edit,
        args=(words, partial(desk_edits.by_hand, story=order)),
    ):
        st.rerun()


def _change(name: str, before: float, after: float) -> str:
    """Return a measure before and after, with a sign for which way it went that is not colour alone."""
    was, becomes = format_strength(before), format_strength(after)
    sign = "=" if was == becomes else "▲" if after > before else "▼"
    return f"{name} {was} → <b>{becomes}</b> {sign}"


def _any_document(loaded: LoadedCollection, pair: StoryPair, step: int) -> None:
    story = [document.document_id for document in pair.trail.documents]
    others = _others(loaded, story)
    st.selectbox(
        "Or any other document",
        others,
        index=None,
        key=_ANY,
        filter_mode="contains",
        format_func=lambda document_id: document_label(loaded.documents[loaded.row_of[document_id]]),
        placeholder="Search a headline or a date …",
    )
    if st.button(
        "Put the chosen document in",
        key="put-in-any",
        on_click=_put_in,
        args=(story, story[step]),
    ):
        st.rerun()


def _others(loaded: LoadedCollection, story: Sequence[str]) -> list[str]:
    told = set(story)
    return [document_id for document_id in loaded.row_of if document_id not in told]


def _put_in(story: Sequence[str], after: str) -> None:
    chosen = st.session_state.get(_ANY)
    if chosen:
        change = partial(desk_edits.insert, story=story, document_id=chosen, after=after)
        workbench.edit("Put a document in by hand", change)
        state.read(None)
