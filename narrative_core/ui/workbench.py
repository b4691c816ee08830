"""The desk on the screen: every edit goes through here, so that each can be taken back and none is lost.

Two windows on one collection share its curation, and each has a history of its own: what was decided in the other is
taken up before every step, which then changes what it is about and nothing else. Of the work under way itself, the
window that changed something last is the one that is kept.
"""

from collections.abc import Callable

from narrative_core import desk_edits
from narrative_core.curating import keep_curation
from narrative_core.desk import Desk, History
from narrative_core.desk_record import history_text, restore
from narrative_core.errors import InvalidInput
from narrative_core.records import TrailRequest
from narrative_core.store.collections import has_collection
from narrative_core.store.curations import load_curation
from narrative_core.store.desks import LONGEST_DESK, keep_desk, load_desk
from narrative_core.ui import resources, state
from narrative_core.ui.request_address import address_of, request_from_address
from narrative_core.ui.words import sentence


def edit(words: str, change: Callable[[Desk], Desk]) -> None:
    """Change the desk and keep what was decided about the collection; say why where it cannot be.

    Parameters
    ----------
    words : str
        The change as the undo button names it: "Pinned “…”".
    change : callable
        One of `desk_edits`, with all but the desk given.
    """
    _go(lambda present: present.changed(change(present.present), words))


def undo() -> None:
    """Take the last change back; say why where it cannot be."""
    _go(History.undone)


def redo() -> None:
    """Make the change that was taken back last again; say why where it cannot be."""
    _go(History.redone)


def sync() -> None:
    """Take up the work where it was left, and what was decided about the collection in another window."""
    name = state.collection()
    if not has_collection(resources.database(), name):
        return
    if state.worked_on() != name:
        _take_up(name)
    was = state.history()
    now = was.over(load_curation(resources.database(), name))
    if state.kept() == was:  # What comes from elsewhere is no change of this window's own, and is kept already.
        state.set_kept(now)
    state.set_history(now)


def keep() -> None:
    """Keep the work under way, so that it is there when the window is opened again; what has no room is said."""
    name, history = state.collection(), state.history()
    if state.worked_on() != name or state.kept() == history or not has_collection(resources.database(), name):
        return
    try:
        keep_desk(resources.database(), name, history_text(history, longest=LONGEST_DESK))
    except InvalidInput as problem:
        state.notify(sentence(str(problem)))
    state.set_kept(history)


def _take_up(name: str) -> None:
    """Put on the desk what lay there last; what an address asks for lies on top, as a step that can be taken back."""
    restored = restore(load_desk(resources.database(), name))
    if restored.notice:
        state.notify(restored.notice)
    history, asked = restored.history or History(), state.history()
    state.set_worked_on(name)
    state.set_kept(history)
    if asked.undo_words:  # a saved story was opened
        wanted = asked.present
        on_top = desk_edits.open_story(history.present, wanted.request, wanted.note, wanted.story_id)
        history = history.changed(on_top, asked.undo_words)
    elif asked.present.request not in (None, _as_in_address(name, history.present.request)):
        history = history.changed(desk_edits.ask(history.present, asked.present.request), "Opened an address")
    state.set_history(history)


def _as_in_address(name: str, request: TrailRequest | None) -> TrailRequest | None:
    """Return what is left of a request in an address: there is no room for more than some hundred documents."""
    return request_from_address(address_of(name, request))


def _go(step: Callable[[History], History]) -> None:
    """Make a step from the present history over what was decided meanwhile, and keep what it decides.

    Where it cannot be made, the desk stays as it was, and that is said.
    """
    database, name = resources.database(), state.collection()
    try:
        with database.transaction():  # nobody else decides between
            present = state.history().over(load_curation(database, name))
            changed = step(present)
            if changed.present.curation != present.present.curation:
                keep_curation(database, name, changed.present.curation)
    except InvalidInput as problem:
        state.notify(sentence(str(problem)))
    else:
        state.set_history(changed)
