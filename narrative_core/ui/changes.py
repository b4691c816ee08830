"""What a button does to the present request: other ends, pins, bans."""

from collections.abc import Callable
from functools import partial

from narrative_core import desk_edits
from narrative_core.desk import Desk
from narrative_core.records import TrailRequest
from narrative_core.ui import state, workbench
from narrative_core.ui.request_address import MOST_IDS


def use_as(end: str, document_id: str) -> None:
    """Make a document the source or the target, and forget a pin or ban on it."""
    present = state.request() or TrailRequest(document_id, document_id)
    state.choose_ends(
        document_id if end == "source" else present.source, document_id if end == "target" else present.target
    )


def avoid(document_id: str) -> None:
    """Ban a document from the trail; a pin on it is let go."""
    _wish("Avoided a document", "avoid", partial(desk_edits.avoid, document_id=document_id))


def pin(document_id: str) -> None:
    """Make the trail pass through a document; a ban on it is let go."""
    _wish("Passed through a document", "via", partial(desk_edits.pin, document_id=document_id))


def release(document_id: str) -> None:
    """Let go of a pin or ban on a document."""
    if state.request() is not None:
        workbench.edit("A wish let go", partial(desk_edits.release, document_id=document_id))


def _wish(words: str, field: str, change: Callable[[Desk], Desk]) -> None:
    request = state.request()
    if request is None:
        return
    if len(getattr(request, field)) >= MOST_IDS:
        state.notify(f"A trail can have at most {MOST_IDS} of these. Remove one first.")
        return
    workbench.edit(words, change)
