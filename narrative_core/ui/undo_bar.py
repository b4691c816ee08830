"""Undo and redo, the same two buttons wherever something can be changed."""

import streamlit as st

from narrative_core.ui import state, workbench
from narrative_core.ui.words import markdown_text


def undo_bar(key: str = "desk") -> None:
    """Show the buttons that take the last change back and make it again; each says which change that is.

    Parameters
    ----------
    key : str
        Tells two bars of one page apart.
    """
    history = state.history()
    with st.container(horizontal=True, gap="xsmall", width="content", key=f"undo-bar-{key}"):
        st.button(
            "Undo",
            key=f"undo-{key}",
            icon=":material/undo:",
            type="tertiary",
            disabled=not history.undo_words,
            help=_told("Take back", history.undo_words),
            on_click=workbench.undo,
        )
        st.button(
            "Redo",
            key=f"redo-{key}",
            icon=":material/redo:",
            type="tertiary",
            disabled=not history.redo_words,
            help=_told("Make again", history.redo_words),
            on_click=workbench.redo,
        )


def _told(what: str, words: str) -> str:
    return f"{what}: {markdown_text(words)}" if words else "Nothing to take back or to make again."
