"""What a request asks for, as a graph: which documents its trail may use, and the trail that is found there."""

import hashlib
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import numpy as np

from narrative_core.errors import InvalidInput
from narrative_core.records import TrailRequest
from narrative_core.trails.baselines import Baselines, documents_between, draw_baselines
from narrative_core.trails.capacity import Trail, strongest_trail
from narrative_core.trails.copies import spare_copies
from narrative_core.trails.graph import TrailGraph
from narrative_core.trails.length import trail_of_length
from narrative_core.trails.via import trail_via

if TYPE_CHECKING:
    from narrative_core.extraction import LoadedCollection

_LATER_WISHES = ("avoid_sources", "avoid_topics", "by_hand")
"""Wishes that requests have had since seeds were first drawn from them: one without them keeps its draws."""


def request_graph(loaded: "LoadedCollection", request: TrailRequest) -> TrailGraph:
    """Return the collection's graph under the request's conditions.

    These are order in time, longest gap, and what to avoid: documents (with their copies), sources, topics. Of a group
    of copies one document stays, see `spare_copies`. The ends, the pins and the documents of a story made by hand are
    let through, unless the request avoids an end or a pin by name.
    """
    graph = _graph_in_time(loaded, request)
    barred = _barred(loaded, graph, request)
    return graph.without(barred) if barred else graph


def reach_graph(loaded: "LoadedCollection", source: int, request: TrailRequest) -> TrailGraph:
    """Return the graph under the conditions of a request in which one document leads to all others.

    Order in time, longest gap and what to avoid are those of the request; its ends, pins and length are not asked for.
    The document itself is let through. Copies are: which of a group can stay depends on where a trail leads.
    """
    graph = _graph_in_time(loaded, request)
    avoided = _avoided(loaded, request)
    barred = (avoided | _of_avoided_kind(loaded, request) | _copies_of(loaded, avoided)) - {source}
    return graph.without(barred) if barred else graph


def requested_trail(loaded: "LoadedCollection", graph: TrailGraph, request: TrailRequest) -> Trail:
    """Return the trail that a request asks for, in the graph under its conditions.

    A story made by hand is taken as it is: its links may be weaker than the floor or go back in time.

    Raises
    ------
    NoTrail, InvalidInput
        As in `extraction.tell`.
    """
    if request.by_hand:
        return _trail_by_hand(loaded, graph, request)
    source, target = loaded.rows([request.source, request.target])
    if request.via:
        if request.maximum_length is not None:
            raise InvalidInput("A trail through pinned documents has no length limit. Lift the limit or the pins.")
        return trail_via(graph, source, target, loaded.rows(request.via))
    if request.maximum_length is not None:
        return trail_of_length(graph, source, target, request.maximum_length)
    return strongest_trail(graph, source, target)


def request_draws(
    loaded: "LoadedCollection", graph: TrailGraph, request: TrailRequest, length: int, *, draws: int, seed: int
) -> Baselines:
    """Return the random chronologies that the trail of a request is compared with.

    Parameters
    ----------
    loaded : LoadedCollection
    graph : TrailGraph
        Under the request's conditions; those on its documents do not bind chance.
    request : TrailRequest
    length : int
        Documents of the trail.
    draws, seed : int

    Notes
    -----
    Between the ends of a story made by hand there may be fewer documents than it has: its random chronologies are then
    as long as they can be. Where an end is undated, or time runs against them, their documents are of any date and told
    in the order drawn.
    """
    source, target = loaded.rows([request.source, request.target])
    if request.by_hand:
        if graph.days is not None and not graph.days[source] <= graph.days[target]:
            graph = replace(graph, days=None)
        length = min(length, len(documents_between(graph, source, target)) + 2)
    return draw_baselines(graph, source, target, length, draws=draws, rng=np.random.default_rng(seed))


def request_seed(loaded: "LoadedCollection", request: TrailRequest) -> int:
    """Return the seed of a request's random chronologies: the same question shows the same draws, on any machine."""
    told = {name: value for name, value in asdict(request).items() if value or name not in _LATER_WISHES}
    asked = repr((loaded.landscape.landscape_id, sorted(told.items())))
    return int.from_bytes(hashlib.sha256(asked.encode()).digest()[:4], "big")


def _graph_in_time(loaded: "LoadedCollection", request: TrailRequest) -> TrailGraph:
    graph = loaded.graph if request.is_chronological else replace(loaded.graph, days=None)
    if request.maximum_gap_days is None:
        return graph
    if not request.is_chronological:
        raise InvalidInput("A longest gap needs a chronological trail. Switch the order in time on, or lift the gap.")
    return replace(graph, maximum_gap_days=float(request.maximum_gap_days))


def _avoided(loaded: "LoadedCollection", request: TrailRequest) -> set[int]:
    """Return the positions of the documents that a request avoids by name."""
    # What is excluded from the collection is avoided already.
    return set(loaded.rows(one for one in request.avoid if one not in loaded.curation.excluded))


def _copies_of(loaded: "LoadedCollection", documents: set[int]) -> set[int]:
    groups = [loaded.rows(group) for group in dict.fromkeys(loaded.copies.values())] if documents else []
    return {row for group in groups if not documents.isdisjoint(group) for row in group}


def _barred(loaded: "LoadedCollection", graph: TrailGraph, request: TrailRequest) -> set[int]:
    """Return the positions of the documents that no trail of a request may use."""
    by_hand = set(loaded.rows(request.by_hand))
    source, target, *pins = loaded.rows([request.source, request.target, *request.via])
    wanted = {source, target, *pins} | by_hand
    avoided = _avoided(loaded, request) - by_hand
    shunned = _of_avoided_kind(loaded, request) | _copies_of(loaded, avoided)
    groups = [loaded.rows(group) for group in dict.fromkeys(loaded.copies.values())]
    usable = set(documents_between(graph, source, target).tolist()) - shunned
    return ((shunned | spare_copies(groups, wanted=wanted, usable=usable)) - wanted) | avoided


def _of_avoided_kind(loaded: "LoadedCollection", request: TrailRequest) -> set[int]:
    """Return the positions of the documents of sources and topics to avoid; a merged topic is the one it is part of."""
    sources, merged = set(request.avoid_sources), loaded.curation.merged_topics
    rows = [row for row, document in enumerate(loaded.documents) if document.source in sources] if sources else []
    topics = [merged.get(topic, topic) for topic in request.avoid_topics]
    return {*rows, *np.flatnonzero(np.isin(loaded.landscape.nearest_topic, topics)).tolist()}


def _trail_by_hand(loaded: "LoadedCollection", graph: TrailGraph, request: TrailRequest) -> Trail:
    story = request.by_hand
    if len(story) < 2 or len(set(story)) < len(story):
        raise InvalidInput("A story needs at least two documents, each once. Put another one in first.")
    if (story[0], story[-1]) != (request.source, request.target):
        raise InvalidInput(
            f"The story goes from “{story[0]}” to “{story[-1]}”, but was asked for from “{request.source}” to "
            f"“{request.target}”. Give it its own ends."
        )
    rows = tuple(loaded.rows(story))
    strengths = graph.chain_strengths(rows)
    return Trail(rows, min(strengths), strengths)
