"""Keeping a story: the form that saves it under a name, as a new story or as the next version of a saved one."""

import datetime as dt
import uuid
from functools import partial

import numpy as np
import streamlit as st

from narrative_core import desk_edits
from narrative_core.annotating import annotate
from narrative_core.assessment import Bench, judge_pair
from narrative_core.extraction import LoadedCollection
from narrative_core.panel import lexical_seat
from narrative_core.records import SavedStory, StoryPair
from narrative_core.store.stories import save_story, save_version
from narrative_core.ui import mirror, resources, state, workbench
from narrative_core.ui.words import clamp, markdown_text

LONGEST_NOTE = 5_000
_NOTE = "story-note"


def save_form(loaded: LoadedCollection, pair: StoryPair) -> None:
    """Offer to keep the pair under a name; a saved story that was opened keeps its versions."""
    # After a save the popover carries another number, which closes it.
    stories = resources.stories(loaded.collection.name)
    opened = next((story for story in stories if story.story_id == state.desk().story_id), None)
    with (
        st.popover("Save", icon=":material/bookmark_add:", key=f"save-story-{len(stories)}"),
        st.form("save-form", border=False),
    ):
        name = st.text_input("Name", value=_suggested_name(pair) if opened is None else opened.name, max_chars=200)
        note = st.text_area(
            "Note",
            state.desk().note,
            placeholder="What is this story about, what is still to be checked?",
            max_chars=LONGEST_NOTE,
        )
        is_version = False
        if opened is not None:
            is_version = st.toggle(f"A new version of “{markdown_text(clamp(opened.name, 60))}”", value=True)
            st.caption("Earlier versions are kept; you find them on its card. Switched off, it becomes another story.")
        if st.form_submit_button("Save this story", type="primary"):
            _save(loaded, pair, name, note, family=opened if is_version else None)
            st.rerun()


def note_field() -> None:
    """Show the note on the story that is on the desk; it is kept with every change."""
    st.text_area(
        "Note on this story",
        key=mirror.show(_NOTE, state.desk().note),
        max_chars=LONGEST_NOTE,
        placeholder="What is this story about, what is still to be checked?",
        on_change=mirror.entered,
        args=(_NOTE, _keep_note),
        height=90,
    )


def _keep_note(note: str) -> None:
    workbench.edit("Note on the story", partial(desk_edits.note_story, note=note))


def _save(loaded: LoadedCollection, pair: StoryPair, name: str, note: str, *, family: SavedStory | None) -> None:
    story = SavedStory(
        story_id=uuid.uuid4().hex,
        name=name.strip() or _suggested_name(pair),
        note=note.strip(),
        collection=loaded.collection.name,
        landscape_id=loaded.landscape.landscape_id,
        created_at=dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        pair=pair,
        family_id="" if family is None else family.family_id or family.story_id,
        annotations=annotate(loaded, pair, state.desk().curation),
    )
    if family is None:
        save_story(resources.database(), story)
        told = "Saved. You find it on the page Stories."
    else:
        story = save_version(resources.database(), story)
        told = f"Saved as version {story.version}. The earlier ones are on its card on the page Stories."
    _keep_lexical_reading(loaded, pair)
    change = partial(desk_edits.save_story, request=pair.request, note=story.note, story_id=story.story_id)
    workbench.edit(f"Saved “{clamp(story.name, 50)}”", change)
    if family is None:
        state.set_history(state.history().saved_as(story.story_id))
    state.notify(told)


def _keep_lexical_reading(loaded: LoadedCollection, pair: StoryPair) -> None:
    """Keep with a story what the lexical reader says of it, which is instant, so that its reports have it."""
    seats, rng = [lexical_seat(loaded)], np.random.default_rng()
    judge_pair(resources.database(), loaded, pair, seats, Bench(), report=lambda _stage, _done, _total: None, rng=rng)


def _suggested_name(pair: StoryPair) -> str:
    first, last = pair.trail.documents[0], pair.trail.documents[-1]
    return f"{clamp(first.title, 60)} → {clamp(last.title, 60)}"
