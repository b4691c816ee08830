"""The desk on the screen: every edit goes through here, so that each can be taken back and none is lost."""

from collections.abc import Callable

from narrative_core import desk_edits
from narrative_core.curating import keep_curation
from narrative_core.desk import Desk, History
from narrative_core.desk_record import history_text, restore
from narrative_core.store.collections import has_collection
from narrative_core.store.curations import load_curation
from narrative_core.store.desks import keep_desk, load_desk
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
    """Take up the work where it was left, and what was decided about the collection in another window."""
    name = state.collection()
    if not has_collection(resources.database(), name):
        return
    if state.worked_on() != name:
        _take_up(name)
    stored = load_curation(resources.database(), name)
    if stored != state.desk().curation:
        state.set_history(state.history().with_present(curation=stored))


def keep() -> None:
    """Keep the work under way, so that it is there when the window is opened again."""
    name, history = state.collection(), state.history()
    if state.worked_on() == name and state.kept() != history and has_collection(resources.database(), name):
        keep_desk(resources.database(), name, history_text(history))
        state.set_kept(history)


def _take_up(name: str) -> None:
    """Put on the desk what lay there last; what an address asks for lies on top, as a step that can be taken back."""
    restored = restore(load_desk(resources.database(), name))
    if restored.notice:
        state.notify(restored.notice)
    history, asked = restored.history or History(), state.desk()
    if asked.request is not None:
        on_top = desk_edits.open_story(history.present, asked.request, asked.note, asked.story_id)
        history = history.changed(on_top, state.history().undo_words or "Opened an address")
    state.set_history(history)
    state.set_worked_on(name)
    state.set_kept(history)


def _go(changed: History) -> None:
    former, name = state.desk().curation, state.collection()
    if changed.present.curation != former:
        keep_curation(resources.database(), name, changed.present.curation)
    state.set_history(changed)
