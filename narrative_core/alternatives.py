"""Other trails between the same ends, and what two stories have in common."""

from dataclasses import dataclass, replace
from itertools import pairwise

from narrative_core.curation import LinkEnds
from narrative_core.errors import NoTrail
from narrative_core.extraction import LoadedCollection, describe
from narrative_core.records import Story, TrailRequest
from narrative_core.wishes import request_graph, requested_trail


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another trail between the same ends, and the request that gives it."""

    request: TrailRequest
    story: Story


@dataclass(frozen=True, slots=True)
class Overlap:
    """What two stories share, in the order of the first: documents, and links that lead the same way."""

    documents: tuple[str, ...]
    links: tuple[LinkEnds, ...]


def alternatives(loaded: LoadedCollection, request: TrailRequest, *, limit: int = 3) -> tuple[Alternative, ...]:
    """Return the trails that come next: each avoids what is inside the one that was asked for and inside all before.

    So no two of them share a document beside their ends and pins, nor a copy of one. Each is the strongest of what is
    left.

    Parameters
    ----------
    loaded : LoadedCollection
    request : TrailRequest
        Its wishes hold for all. Of a story made by hand the inside is avoided, and trails are searched in its place.
    limit : int

    Returns
    -------
    tuple of Alternative
        Fewer than ``limit`` where no further trail is left: after one that leads from end to end directly, or over pins
        alone, there is none.

    Raises
    ------
    NoTrail, InvalidInput
        As in `extraction.tell`, where the request itself has no trail.
    """
    rows = requested_trail(loaded, request_graph(loaded, request), request).documents
    wish = replace(request, by_hand=())
    found: list[Alternative] = []
    while len(found) < limit:
        inside = _inside(loaded, rows, request)
        if not inside and (found or not request.by_hand):
            break
        wish = replace(wish, avoid=(*wish.avoid, *inside))
        try:
            rows = requested_trail(loaded, request_graph(loaded, wish), wish).documents
        except NoTrail:
            break
        found.append(Alternative(wish, describe(loaded, rows, kind="trail")))
    return tuple(found)


def overlap(first: Story, second: Story) -> Overlap:
    """Return the documents and links that two stories share.

    Two collections may name different documents alike: stories are compared within one.
    """
    documents = {document.document_id for document in second.documents}
    links = set(_links(second))
    return Overlap(
        tuple(document.document_id for document in first.documents if document.document_id in documents),
        tuple(ends for ends in _links(first) if ends in links),
    )


def _inside(loaded: LoadedCollection, rows: tuple[int, ...], request: TrailRequest) -> tuple[str, ...]:
    """Return the documents of a trail, by id, without its ends and the pins."""
    inside = [loaded.documents[row].document_id for row in rows[1:-1]]
    return tuple(document_id for document_id in inside if document_id not in request.via)


def _links(story: Story) -> list[LinkEnds]:
    return list(pairwise(document.document_id for document in story.documents))
