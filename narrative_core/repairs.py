"""Repairs of a link: the documents that are best told between its two, and what the story is worth with them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from narrative_core.errors import InvalidInput, NoTrail
from narrative_core.extraction import LoadedCollection
from narrative_core.judging.lexical import judge_lexical
from narrative_core.panel import lexical_seat, questions, shown_story, vocabulary
from narrative_core.records import Document, StoryPair
from narrative_core.trails.graph import TrailGraph
from narrative_core.trails.length import length_curve, trail_of_length
from narrative_core.trails.measures import mean_strength
from narrative_core.wishes import request_graph

MOST_INSERTED = 3
"""Documents that one repair puts in between at most: a link is mended, not replaced by another story."""


@dataclass(frozen=True, slots=True)
class StoryWorth:
    """What a story is worth: its weakest link, the mean of its links, and what the lexical reader gives it (1–10)."""

    bottleneck: float
    mean: float
    lexical: float


@dataclass(frozen=True, slots=True)
class Repair:
    """Documents to put between the two of a link.

    ``link_index`` the link, from 0 · ``documents`` what is put in, in order · ``strengths`` of the links that take its
    place, one more than documents · ``link_strength`` its own · ``before`` and ``after`` what the whole story is worth.
    """

    link_index: int
    documents: tuple[Document, ...]
    strengths: tuple[float, ...]
    link_strength: float
    before: StoryWorth
    after: StoryWorth

    @property
    def strength(self) -> float:
        """The weakest of the new links."""
        return min(self.strengths)

    @property
    def is_stronger(self) -> bool:
        """Whether every new link is stronger than the one that they take the place of."""
        return self.strength > self.link_strength


def propose_repairs(
    loaded: LoadedCollection, pair: StoryPair, link_index: int, *, limit: int = 5
) -> tuple[Repair, ...]:
    """Return the documents that are best told between the two of a link, the best first.

    A document x between a and b is as good as min(θ(a, x), θ(x, b)), ties by the mean. Several in a row, up to
    `MOST_INSERTED`, are proposed as one repair where they are better than every single document and than any fewer.

    Parameters
    ----------
    loaded : LoadedCollection
    pair : StoryPair
        The trail is repaired.
    link_index : int
        Which of its links, from 0.
    limit : int
        Repairs at most.

    Returns
    -------
    tuple of Repair
        Only what the request allows: dated between the two, not avoided, within the longest gap, above the floor, and
        neither told already nor a copy of what is. Empty where there is no such document, as between two that are
        undated or run back in time.

    Raises
    ------
    InvalidInput
        If the trail has no such link.

    Notes
    -----
    The weakest link of the strongest trail has no stronger repair, else there were a stronger trail. The best ones are
    proposed all the same, and `Repair.is_stronger` tells.
    """
    if not 0 <= link_index < len(pair.trail.links):
        raise InvalidInput(
            f"The story has links 0 to {len(pair.trail.links) - 1}; got {link_index}. Choose one of them."
        )
    story = loaded.rows(document.document_id for document in pair.trail.documents)
    first, second = story[link_index], story[link_index + 1]
    graph = _graph_between(loaded, pair, first, second)
    chains = [*_rows_in_between(graph, first, second), *_single_rows(graph, first, second, limit)]
    before = _worth(loaded, story)
    repairs = [
        Repair(
            link_index=link_index,
            documents=tuple(loaded.documents[row] for row in chain),
            strengths=graph.chain_strengths([first, *chain, second]),
            link_strength=pair.trail.links[link_index].coherence,
            before=before,
            after=_worth(loaded, [*story[: link_index + 1], *chain, *story[link_index + 1 :]]),
        )
        for chain in chains[:limit]
    ]
    return tuple(repairs)


def repaired(pair: StoryPair, repair: Repair) -> tuple[str, ...]:
    """Return the documents of the trail with a repair in place, by id: the story as made by hand."""
    told = [document.document_id for document in pair.trail.documents]
    at = repair.link_index + 1
    return (*told[:at], *(document.document_id for document in repair.documents), *told[at:])


def _graph_between(loaded: LoadedCollection, pair: StoryPair, first: int, second: int) -> TrailGraph:
    """Return the request's graph without the other documents of the story, and with the link itself cut."""
    told = tuple(document.document_id for document in pair.trail.documents)
    graph = request_graph(loaded, replace(pair.request, by_hand=told))
    return graph.without(set(loaded.rows(told)) - {first, second}).without_link(first, second)


def _single_rows(graph: TrailGraph, first: int, second: int, limit: int) -> list[tuple[int, ...]]:
    """Return the best single documents between two, the best first."""
    into, out = graph.links_from(first), graph.links_into(second)
    weaker = np.minimum(into, out)
    possible = np.flatnonzero(np.isfinite(weaker))
    order = np.lexsort((possible, -(into + out)[possible], -weaker[possible]))
    return [(int(row),) for row in possible[order][: max(limit, 0)]]


def _rows_in_between(graph: TrailGraph, first: int, second: int) -> list[tuple[int, ...]]:
    """Return rows of several documents, each stronger than all that are shorter, the strongest first."""
    try:
        curve = length_curve(graph, first, second)
    except NoTrail:
        return []
    lengths = [point.length for point in curve if 3 < point.length <= MOST_INSERTED + 2]
    return [trail_of_length(graph, first, second, length).documents[1:-1] for length in reversed(lengths)]


def _worth(loaded: LoadedCollection, rows: Sequence[int]) -> StoryWorth:
    strengths = loaded.graph.chain_strengths(rows)
    seat = lexical_seat(loaded)
    shown = shown_story([loaded.documents[row] for row in rows], seat, loaded.collection.noun)
    lexical = judge_lexical(shown, questions(seat, shown)[0], vocabulary(loaded))
    return StoryWorth(min(strengths), mean_strength(strengths), lexical.score)
