"""Trails through pinned documents: consecutive optimal legs."""

import itertools
from collections.abc import Sequence

import numpy as np

from narrative_core.errors import InvalidInput, NoTrail, NoTrailReason
from narrative_core.trails.capacity import Trail, check_endpoints, strongest_trail
from narrative_core.trails.graph import TrailGraph


def trail_via(graph: TrailGraph, source: int, target: int, via: Sequence[int]) -> Trail:
    """Return the trail that visits the pinned documents on its way.

    Each leg is the canonical maximum-capacity trail between its ends, without the documents that earlier legs used or
    later legs end at, so that no document is told twice. Pins are visited in date order where the graph has days, as
    given where it has not.

    Raises
    ------
    NoTrail
        If a leg has none; the pins are at fault when the endpoints alone have a trail.
    InvalidInput
        If a pin is an endpoint or given twice.
    """
    check_endpoints(graph, source, target)  # before the legs, whose ends are pins too
    if len({source, *via, target}) < len(via) + 2:
        raise InvalidInput("A pinned document must differ from both endpoints and from the other pins.")
    stops = [source, *_in_order(graph, source, target, via), target]
    documents = [source]
    for start, end in itertools.pairwise(stops):
        taken = (set(stops) | set(documents)) - {start, end}
        try:
            leg = strongest_trail(graph.without(taken) if taken else graph, start, end)
        except NoTrail as problem:
            if problem.reason is not NoTrailReason.NO_PATH:
                raise
            raise NoTrail("No chain of strong enough links passes through all the pinned documents.") from problem
        documents.extend(leg.documents[1:])
    strengths = graph.chain_strengths(documents)
    return Trail(tuple(documents), min(strengths), strengths)


def _in_order(graph: TrailGraph, source: int, target: int, via: Sequence[int]) -> list[int]:
    days = graph.days
    if days is None:
        return list(via)
    if any(np.isnan(days[document]) for document in via):
        raise NoTrail("A pinned document has no date, so a chronological trail cannot pass through it.")
    if any(not days[source] <= days[document] <= days[target] for document in via):
        raise NoTrail("A pinned document is not dated between the endpoints, so no trail can pass through it.")
    return sorted(via, key=lambda document: (days[document], document))
