"""The desk on the screen: every edit goes through here, so that each can be taken back and none is lost."""

from collections.abc import Callable

from narrative_core.curating import keep_curation
from narrative_core.desk import Desk, History
from narrative_core.store.curations import load_curation
from narrative_core.ui import resources, state


def edit(words: str, change: Callable[[Desk], Desk]) -> None:
    """Change the desk and keep what was decided about the collection.

    Parameters
    ----------
    words : str
        The change as the undo button names it: "Pinned “…”".
    change : callable
        One of `desk_edits`, with all but the desk given.

    Raises
    ------
    InvalidInput
        If the edit cannot be made; the desk is then as it was.
    """
    _go(state.history().changed(change(state.desk()), words))


def undo() -> None:
    """Take the last change back."""
    _go(state.history().undone())


def redo() -> None:
    """Make the change that was taken back last again."""
    _go(state.history().redone())


def sync() -> None:
    """Take up what was decided about the collection elsewhere: in another window, or before."""
    name = state.collection()
    if resources.summary(name) is not None:
        stored = load_curation(resources.database(), name)
        if stored != state.desk().curation:
            state.set_history(state.history().with_present(curation=stored))


def _go(changed: History) -> None:
    former, name = state.desk().curation, state.collection()
    if changed.present.curation != former:
        keep_curation(resources.database(), name, changed.present.curation)
    state.set_history(changed)
