"""What a button does to the present request: other ends, pins, bans."""

from narrative_core.records import TrailRequest
from narrative_core.ui import state


def use_as(end: str, document_id: str) -> None:
    """Make a document the source or the target, and forget a pin or ban on it."""
    present = state.request() or TrailRequest(document_id, document_id)
    state.choose_ends(
        document_id if end == "source" else present.source, document_id if end == "target" else present.target
    )


def avoid(document_id: str) -> None:
    """Ban a document from the trail; a pin on it is let go."""
    _set("avoid", document_id, other="via")


def pin(document_id: str) -> None:
    """Make the trail pass through a document; a ban on it is let go."""
    _set("via", document_id, other="avoid")


def release(document_id: str) -> None:
    """Let go of a pin or ban on a document."""
    request = state.request()
    if request is not None:
        state.change_request(via=_without(request.via, document_id), avoid=_without(request.avoid, document_id))


def _set(field: str, document_id: str, *, other: str) -> None:
    request = state.request()
    if request is None or document_id in getattr(request, field):
        return
    if len(getattr(request, field)) >= state.MOST_IDS:
        state.notify(f"A trail can have at most {state.MOST_IDS} of these. Remove one first.")
        return
    kept = _without(getattr(request, other), document_id)
    state.change_request(**{field: (*getattr(request, field), document_id), other: kept})


def _without(ids: tuple[str, ...], document_id: str) -> tuple[str, ...]:
    return tuple(other for other in ids if other != document_id)
