"""Putting a story together by hand: a step is moved or taken out; and the way back to the trail that is found."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from narrative_core import desk_edits
from narrative_core.desk import Desk
from narrative_core.records import Document, StoryPair
from narrative_core.ui import workbench
from narrative_core.ui.repair_dialog import ask_for_repair
from narrative_core.ui.words import clamp

_EDITING = "edit-by-hand"
_TOLD = {"earlier": "Tell it earlier", "later": "Tell it later", "out": "Take it out"}


def edit_switch(pair: StoryPair) -> None:
    """Show the switch for working on the steps; of a story made by hand say so, with the way back."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="hand-switch"):
        st.toggle(
            "Edit by hand",
            key=_EDITING,
            help="Move steps, take them out, put others in. Strengths are measured anew at every change, and Undo "
            "takes each one back.",
        )
        if pair.request.is_edited:
            st.html("<div class='tl-edited'>✎ Made by hand</div>")
            st.button(
                "Find the trail anew",
                key="search-again",
                type="tertiary",
                on_click=workbench.edit,
                args=("Found the trail anew", desk_edits.search_again),
            )


def is_editing() -> bool:
    """Return whether the steps of the trail can be worked on."""
    return bool(st.session_state.get(_EDITING))


def step_tools(story: Sequence[Document], step: int) -> None:
    """Show the buttons that move a step up or down, take it out, or put another one in after it."""
    ids, document = [one.document_id for one in story], story[step]
    title = clamp(document.title, 50) or "untitled"
    tools: dict[str, tuple[str, str, bool, Callable[..., Desk]]] = {
        "earlier": ("↑", f"Moved “{title}” up", step > 0, partial(desk_edits.move, steps=-1)),
        "later": ("↓", f"Moved “{title}” down", step < len(ids) - 1, partial(desk_edits.move, steps=1)),
        "out": ("✕", f"Took “{title}” out", len(ids) > 2, desk_edits.remove),
    }
    with st.container(horizontal=True, gap="xsmall", width="content", key=f"tools-{step}"):
        for name, (sign, words, is_possible, change) in tools.items():
            st.button(
                sign,
                key=f"{name}-{step}",
                help=_TOLD[name],
                type="tertiary",
                disabled=not is_possible,
                on_click=workbench.edit,
                args=(words, partial(change, story=ids, document_id=document.document_id)),
            )
        if step < len(ids) - 1:
            st.button(
                "+",
                key=f"more-{step}",
                help="Put a document in after it",
                type="tertiary",
                on_click=ask_for_repair,
                args=(step,),
            )
