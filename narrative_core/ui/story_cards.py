"""Saved stories as cards."""

from dataclasses import replace

import streamlit as st

from narrative_core import desk_edits
from narrative_core.records import SavedStory
from narrative_core.reports.judged_pairs import judges_line
from narrative_core.reports.methods import format_moment
from narrative_core.reports.sentences import comparison_sentence, counts_sentence, format_date, format_strength
from narrative_core.store.stories import delete_story, rename_story
from narrative_core.ui import resources, state
from narrative_core.ui.hand_over import story_verdicts, take_away
from narrative_core.ui.story_versions import version_list
from narrative_core.ui.wish_list import topics_let_back
from narrative_core.ui.words import clamp, html_text, markdown_text

_JUDGES_TOLD = (
    "What judges gave the trail, against what they gave its random chronology: from 1 to 10, ± the standard deviation "
    "of the agents; reading flow in nats per token. Every agent, with its reasons, is in the files to take away."
)


def story_cards() -> None:
    """Show every saved story, newest first, or how to get the first one."""
    stories = resources.stories(is_newest_only=True)
    if not stories:
        st.info("Here will be the stories that you keep. Find one on the page Explore and press Save.")
        st.page_link("pages/explore/explore.py", label="Find a story", icon=":material/timeline:")
        return
    st.caption(f"{len(stories):,} saved, newest first.")
    for start in range(0, len(stories), 2):
        for column, story in zip(st.columns(2, gap="medium"), stories[start : start + 2], strict=False):
            with column, st.container(border=True, height="stretch"):
                _card(story)


def _card(story: SavedStory) -> None:
    pair = story.pair
    first, last = pair.trail.documents[0], pair.trail.documents[-1]
    st.subheader(markdown_text(story.name), anchor=False)
    st.html(
        f"<div class='tl-date'><b>A</b>{html_text(format_date(first))} · {html_text(clamp(first.title, 90))}</div>"
        f"<div class='tl-date' style='margin-top:.2rem'><b>B</b>{html_text(format_date(last))} · "
        f"{html_text(clamp(last.title, 90))}</div>"
        f"<div class='tl-quiet' style='margin-top:.4rem'>{html_text(counts_sentence(pair.trail))} · "
        f"{html_text(comparison_sentence(pair))} · weakest link {format_strength(pair.trail.bottleneck)}</div>"
        f"{_judges(story)}"
        f"<div class='tl-quiet'>{html_text(_collection_title(story))} · "
        f"{_version(story)}saved {html_text(format_moment(story.created_at))}</div>"
    )
    if story.note:
        st.markdown(markdown_text(story.note))
    with st.container(horizontal=True, gap="small"):
        if st.button("Open", key=f"open-{story.story_id}", type="primary", disabled=not _is_here(story)):
            _reopen(story)
            st.switch_page("pages/explore/explore.py")
        with st.popover(
            "Take away", key=f"take-away-{story.story_id}", icon=":material/download:", on_change="rerun"
        ) as files:
            if files.open:
                take_away(story)
        version_list(story, _reopen, is_here=_is_here(story))
        with st.popover("Edit", key=f"edit-{story.story_id}"):
            _edit(story)
    if not _is_here(story):
        st.caption("Its collection is not here any more, or has no map; the story can still be read in its report.")


def _version(story: SavedStory) -> str:
    return f"version {story.version}, " if story.version > 1 else ""


def _judges(story: SavedStory) -> str:
    """Return what the judges gave as a line of HTML, empty where none was asked."""
    line = judges_line(story_verdicts(story))
    return f"<div class='tl-quiet' title='{html_text(_JUDGES_TOLD)}'>Judges: {html_text(line)}</div>" if line else ""


def _reopen(story: SavedStory) -> None:
    """Choose what the story was told from; and its random chronology, where the map is still the same."""
    state.choose_collection(story.collection)
    request, n_topics = story.pair.request, len(story.pair.request.avoid_topics)
    is_same = _map_of(story) == story.landscape_id
    is_lifted = n_topics > 0 and not is_same and not _is_fitted_before(story)
    if is_lifted:
        request = replace(request, avoid_topics=())
    opened = desk_edits.open_story(state.desk(), request, story.note, story.story_id)
    state.set_history(state.history().changed(opened, f"Opened “{clamp(story.name, 60)}”"))
    if is_same:
        state.show_draw(story.pair.draw)
    else:
        told = "The map was built anew since: this is today's trail, the saved one is in its report."
        state.notify(f"{told} {topics_let_back(n_topics)}" if is_lifted else told)


def _is_fitted_before(story: SavedStory) -> bool:
    """Return whether the present map is the one that the story was told on, with documents that came since."""
    return resources.loaded(story.collection, _map_of(story)).landscape.created_at < story.created_at


def _collection_title(story: SavedStory) -> str:
    summary = resources.summary(story.collection)
    return summary.collection.title if summary is not None else story.collection


def _map_of(story: SavedStory) -> str:
    """Return the present map of the story's collection, empty where there is none."""
    summary = resources.summary(story.collection)
    return (summary.landscape_id or "") if summary is not None else ""


def _is_here(story: SavedStory) -> bool:
    summary = resources.summary(story.collection)
    return summary is not None and summary.is_built


def _edit(story: SavedStory) -> None:
    with st.form(f"edit-form-{story.story_id}", border=False):
        name = st.text_input("Name", story.name, max_chars=200)
        note = st.text_area("Note", story.note, max_chars=5000)
        if st.form_submit_button("Save changes"):
            rename_story(resources.database(), story.story_id, name.strip() or story.name, note.strip())
            st.rerun()
    is_sure = st.checkbox("I know that this cannot be undone", key=f"sure-{story.story_id}")
    st.button(
        "Delete this story with all its versions" if story.version > 1 else "Delete this story",
        key=f"delete-{story.story_id}",
        icon=":material/delete:",
        on_click=_delete,
        args=(story,),
        disabled=not is_sure,
    )


def _delete(story: SavedStory) -> None:
    delete_story(resources.database(), story.story_id, all_versions=True)
    state.notify(f"“{clamp(story.name, 60)}” was deleted.")
