"""What opens between two headlines: the link taken apart, the note on it, and what can be done about it."""

from functools import partial

import streamlit as st

from narrative_core import desk_edits
from narrative_core.curation import LinkEnds
from narrative_core.records import Link, StoryPair
from narrative_core.reports.sentences import format_strength, format_terms
from narrative_core.ui import mirror, state, workbench
from narrative_core.ui.changes import avoid
from narrative_core.ui.repair_dialog import ask_for_repair
from narrative_core.ui.words import clamp, markdown_text

HALVES = (
    "Wording (S): how alike the two texts are, from the angle between their vectors. Topic (T): how alike their shares "
    "of the topics are. Strength is the square root of their product."
)
LONGEST_NOTE = 2_000


def link_details(link: Link, pair: StoryPair) -> None:
    """Show the two halves of a link's strength and what its documents share."""
    wording, topic = format_strength(link.wording_similarity), format_strength(link.topic_similarity)
    st.markdown(f"**Strength {format_strength(link.coherence)}** · wording {wording} · topic {topic}", help=HALVES)
    st.caption(f"A typical link of this collection has {format_strength(pair.median_link)}.")
    if link.shared_terms:
        st.markdown(f"Both speak of {markdown_text(format_terms(link.shared_terms))}.")
    else:
        st.markdown("The two share no terms.")


def link_work(pair: StoryPair, step: int) -> None:
    """Show what can be done about a link of the trail: repair it, avoid one of its documents, write a note."""
    st.button(
        "Repair this link",
        key=f"repair-{step}",
        icon=":material/build:",
        type="tertiary",
        on_click=ask_for_repair,
        args=(step,),
    )
    documents = pair.trail.documents
    for end, document in (("first", documents[step]), ("second", documents[step + 1])):
        if document.document_id not in (documents[0].document_id, documents[-1].document_id):
            st.button(
                f"Avoid “{markdown_text(clamp(document.title, 60))}”",
                key=f"avoid-{step}-{end}",
                type="tertiary",
                icon=":material/block:",
                on_click=avoid,
                args=(document.document_id,),
            )
    ends = documents[step].document_id, documents[step + 1].document_id
    name = f"link-note-{step}"
    st.text_area(
        "Note on this link",
        key=mirror.show(name, link_note(ends)),
        max_chars=LONGEST_NOTE,
        placeholder="Why this step? What is still to be checked?",
        on_change=mirror.entered,
        args=(name, partial(_keep_note, ends)),
        height=90,
    )


def link_note(ends: LinkEnds) -> str:
    """Return the note on a link, empty where there is none."""
    return state.desk().curation.link_notes.get(ends, "")


def _keep_note(ends: LinkEnds, note: str) -> None:
    workbench.edit("Note on a link", partial(desk_edits.note_link, ends=ends, note=note))
