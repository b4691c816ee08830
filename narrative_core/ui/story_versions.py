"""The versions of a saved story: when each was saved and what it is worth, to open again or to delete."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from narrative_core.records import SavedStory
from narrative_core.reports.methods import format_moment
from narrative_core.reports.sentences import counts_sentence, format_strength
from narrative_core.store.stories import delete_story, story_versions
from narrative_core.ui import resources, state
from narrative_core.ui.words import clamp, html_text


def version_list(newest: SavedStory, reopen: Callable[[SavedStory], None], *, is_here: bool) -> None:
    """Show the versions of a story in a popover; nothing where there is one only.

    Parameters
    ----------
    newest : SavedStory
        The latest version.
    reopen : callable
        Puts a version on the desk.
    is_here : bool
        Whether there is a map to open it on.
    """
    if newest.version < 2 or not newest.family_id:
        return
    key = f"versions-{newest.story_id}"
    with st.popover("Versions", key=key, icon=":material/history:", on_change="rerun") as listed:
        if not listed.open:
            return
        versions = story_versions(resources.database(), newest.collection, newest.family_id)
        for version in versions:
            _version(version, newest, reopen, is_here=is_here)
        earlier = [version for version in versions if version.story_id != newest.story_id]
        if earlier:
            _delete_choice(newest, earlier)


def _version(version: SavedStory, newest: SavedStory, reopen: Callable[[SavedStory], None], *, is_here: bool) -> None:
    is_newest = version.story_id == newest.story_id
    trail, note = version.pair.trail, clamp(version.note, 120)
    noted = f"<div class='tl-quiet' dir='auto'>✎ {html_text(note)}</div>" if note else ""
    with st.container(horizontal=True, wrap=False, vertical_alignment="center", gap="small"):
        st.html(
            f"<div><b>Version {version.version}</b>{', the latest' if is_newest else ''} "
            f"<span class='tl-quiet'>{html_text(format_moment(version.created_at))}</span></div>"
            f"<div class='tl-quiet'>{html_text(counts_sentence(trail))} · weakest link "
            f"{format_strength(trail.bottleneck)}</div>{noted}"
        )
        if st.button("Open", key=f"open-version-{version.story_id}", disabled=not is_here):
            reopen(version)
            st.switch_page("pages/explore/explore.py")


def _delete_choice(newest: SavedStory, earlier: list[SavedStory]) -> None:
    """Let one earlier version be deleted; the whole story is deleted where its name is edited."""
    names = {version.story_id: f"Version {version.version}" for version in earlier}
    chosen = st.selectbox(
        "Delete an earlier version",
        list(names),
        index=None,
        format_func=names.__getitem__,
        placeholder="choose a version …",
        key=f"delete-which-{newest.story_id}-{len(earlier)}",
    )
    if chosen is not None:
        st.button(
            f"Delete {names[chosen].lower()} for good",
            key=f"delete-version-{newest.story_id}",
            icon=":material/delete:",
            on_click=partial(_delete, chosen, names[chosen]),
        )


def _delete(story_id: str, name: str) -> None:
    delete_story(resources.database(), story_id)
    state.notify(f"{name} was deleted.")
