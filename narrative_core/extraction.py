"""From a request to a story: the trail, its baseline, and everything a reader is told about both."""

from collections.abc import Collection as Words
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from narrative_core.curation import Curation, curation_key
from narrative_core.errors import InvalidInput, NoTrail
from narrative_core.records import (
    Collection,
    CurvePoint,
    Document,
    Landscape,
    Link,
    Story,
    StoryKind,
    StoryPair,
    TrailRequest,
    Vectors,
)
from narrative_core.space.document_text import embedding_text
from narrative_core.space.terms import shared_terms, tokenize
from narrative_core.trails.baselines import Baselines, draw_baselines
from narrative_core.trails.capacity import Trail, reach
from narrative_core.trails.coherence import link_similarities
from narrative_core.trails.graph import TrailGraph
from narrative_core.trails.length import length_curve
from narrative_core.trails.measures import mean_strength, reliability, weak_links, weakest_link
from narrative_core.wishes import reach_graph, request_draws, request_graph, request_seed, requested_trail

DRAWS = 200
_SURPRISE_TRIES = 60
_SURPRISE_LENGTHS = range(5, 11)
_SURPRISE_BEATEN = 0.9


@dataclass(frozen=True, slots=True, eq=False)
class LoadedCollection:
    """A built collection in memory, ready to answer. ``row_of`` gives the position of a document id.

    ``graph`` is chronological; its ``days`` (n,) are day numbers, nan for undated documents. ``curation`` is what was
    laid over the stored documents and topics · ``copies`` gives, for each document of a group of copies, the ids of the
    whole group in position order · ``placed`` are the ids of documents that came after the fit · ``file_dates`` gives,
    by id, how the file words a date that a person has replaced.
    """

    collection: Collection
    documents: tuple[Document, ...]
    vectors: Vectors
    landscape: Landscape
    graph: TrailGraph
    term_counts: Mapping[str, int]
    stop: Words[str]
    row_of: Mapping[str, int]
    curation: Curation = field(default_factory=Curation)
    copies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    placed: frozenset[str] = frozenset()
    file_dates: Mapping[str, str] = field(default_factory=dict)

    @property
    def edition(self) -> str:
        """What tells this collection from what it was before it was built, or curated, anew: for keys of caches."""
        return f"{self.landscape.landscape_id} {curation_key(self.curation)}"

    def rows(self, document_ids: Iterable[str]) -> list[int]:
        """Return the positions of documents, or say which id is unknown."""
        ids = list(document_ids)
        unknown = [document_id for document_id in ids if document_id not in self.row_of]
        if unknown and unknown[0] in self.curation.excluded:
            raise InvalidInput(f"The document “{unknown[0]}” is excluded. Restore it, or choose another one.")
        if unknown:
            raise InvalidInput(
                f"The collection {self.collection.title} has no document “{unknown[0]}”. Search for it by its headline."
            )
        return [self.row_of[document_id] for document_id in ids]


def tell(loaded: LoadedCollection, request: TrailRequest, *, draws: int = DRAWS) -> StoryPair:
    """Return the trail that was asked for, or the story as it was made by hand, beside a random chronology.

    Parameters
    ----------
    loaded : LoadedCollection
    request : TrailRequest
    draws : int
        Random chronologies to compare with; the one of median bottleneck is told.

    Raises
    ------
    NoTrail
        If there is none under the request's conditions.
    InvalidInput
        If the request names an unknown document or contradicts itself.
    """
    graph = request_graph(loaded, request)
    trail = requested_trail(loaded, graph, request)
    seed = request_seed(loaded, request)
    baselines = request_draws(loaded, graph, request, len(trail.documents), draws=draws, seed=seed)
    return StoryPair(
        request=request,
        trail=describe(loaded, trail.documents, kind="trail"),
        baseline=describe(loaded, baselines.documents[baselines.median_draw].tolist(), kind="baseline"),
        draw=baselines.median_draw,
        draw_bottlenecks=tuple(baselines.bottlenecks.tolist()),
        beaten=baselines.beaten_by(trail.bottleneck),
        seed=seed,
        median_link=loaded.landscape.median_link,
        curve=_curve(graph, trail, request),
        unconstrained_bottleneck=_free_bottleneck(loaded, request, trail),
    )


def other_baseline(loaded: LoadedCollection, pair: StoryPair, draw: int) -> StoryPair:
    """Return the same pair with another of its random chronologies on show; ``draw`` counts from 0 and wraps round."""
    draw %= pair.drawn
    baselines = _same_draws(loaded, pair)
    return replace(pair, draw=draw, baseline=describe(loaded, baselines.documents[draw].tolist(), kind="baseline"))


def describe(loaded: LoadedCollection, rows: Sequence[int], *, kind: StoryKind) -> Story:
    """Return a chain of documents as a story: each link with its strength, S and T, days between and shared terms.

    Parameters
    ----------
    loaded : LoadedCollection
    rows : sequence of int
        Positions, at least two, in story order.
    kind : {"trail", "baseline"}
    """
    strengths = loaded.graph.chain_strengths(rows)
    memberships = loaded.landscape.memberships[list(rows)]
    wording, topic = link_similarities(
        loaded.vectors.values[list(rows)], memberships, divergence=loaded.landscape.parameters.divergence
    )
    documents = tuple(loaded.documents[row] for row in rows)
    weak, weakest = weak_links(strengths, loaded.landscape.median_link), weakest_link(strengths)
    links = tuple(
        Link(
            source=documents[step].document_id,
            target=documents[step + 1].document_id,
            coherence=strengths[step],
            wording_similarity=float(wording[step]),
            topic_similarity=float(topic[step]),
            days_between=_days_between(documents[step], documents[step + 1]),
            shared_terms=_terms_in_common(loaded, documents[step], documents[step + 1]),
            is_weakest=step == weakest,
            is_weak=weak[step],
        )
        for step in range(len(rows) - 1)
    )
    return Story(kind, documents, links, min(strengths), mean_strength(strengths), reliability(strengths))


def reach_of(
    loaded: LoadedCollection, document_id: str, *, conditions: TrailRequest | None = None
) -> NDArray[np.float64]:
    """Return the best bottleneck from a document to every other; shape (n,), −inf where no trail leads there.

    Parameters
    ----------
    loaded : LoadedCollection
    document_id : str
        Where the trails start; infinity stands at it.
    conditions : TrailRequest, optional
        A request whose order in time, longest gap and documents, sources and topics to avoid count, see
        `wishes.reach_graph`; without one, trails are chronological and nothing is avoided.
    """
    (row,) = loaded.rows([document_id])
    return reach(reach_graph(loaded, row, conditions or TrailRequest(document_id, document_id)), row)


def neighbours(loaded: LoadedCollection, document_id: str, *, limit: int = 6) -> tuple[tuple[Document, float], ...]:
    """Return the documents that hang together most with one document, of any date, and the coherence with each."""
    (row,) = loaded.rows([document_id])
    strengths = replace(loaded.graph, days=None, floor=0.0).links_from(row)
    order = np.argsort(-strengths, kind="stable")[:limit]
    return tuple((loaded.documents[other], float(strengths[other])) for other in order if np.isfinite(strengths[other]))


def surprise(loaded: LoadedCollection, *, rng: np.random.Generator) -> TrailRequest:
    """Return endpoints, drawn at random, that have a good story to tell.

    Good is a trail of 5 to 10 documents without a link below the collection's median that beats nine in ten random
    chronologies; the one that beats most among a bounded number of tries where there is none such.

    Raises
    ------
    NoTrail
        If no drawn pair has any trail.
    """
    dated = np.flatnonzero(~np.isnan(_days(loaded)))
    best: tuple[float, TrailRequest] | None = None
    for _ in range(_SURPRISE_TRIES if len(dated) > 1 else 0):
        source, target = np.sort(rng.choice(dated, size=2, replace=False)).tolist()
        request = TrailRequest(loaded.documents[source].document_id, loaded.documents[target].document_id)
        try:
            trail = requested_trail(loaded, request_graph(loaded, request), request)
        except NoTrail:
            continue
        draws = draw_baselines(loaded.graph, source, target, len(trail.documents), draws=40, rng=rng)
        beaten = draws.beaten_by(trail.bottleneck) / len(draws.bottlenecks)
        is_strong = trail.bottleneck >= loaded.landscape.median_link and beaten >= _SURPRISE_BEATEN
        if is_strong and len(trail.documents) in _SURPRISE_LENGTHS:
            return request
        if best is None or beaten > best[0]:
            best = (beaten, request)
    if best is None:
        raise NoTrail("No two documents of this collection have a trail; it needs at least two dated ones.")
    return best[1]


def _curve(graph: TrailGraph, trail: Trail, request: TrailRequest) -> tuple[CurvePoint, ...] | None:
    if request.via or request.by_hand:
        return None
    best = None if request.maximum_length else trail.bottleneck
    return length_curve(graph, trail.documents[0], trail.documents[-1], best=best)


def _free_bottleneck(loaded: LoadedCollection, request: TrailRequest, trail: Trail) -> float:
    """Return the bottleneck of the trail that has the ends alone, nan where there is none."""
    free = TrailRequest(request.source, request.target, is_chronological=request.is_chronological)
    if request == free:
        return trail.bottleneck
    try:
        return requested_trail(loaded, request_graph(loaded, free), free).bottleneck
    except NoTrail:
        return float("nan")


def _same_draws(loaded: LoadedCollection, pair: StoryPair) -> Baselines:
    graph = request_graph(loaded, pair.request)
    length = len(pair.trail.documents)
    return request_draws(loaded, graph, pair.request, length, draws=pair.drawn, seed=pair.seed)


def _days_between(first: Document, second: Document) -> int | None:
    if first.date is None or second.date is None:
        return None
    return (second.date - first.date).days


def _terms_in_common(loaded: LoadedCollection, first: Document, second: Document) -> tuple[str, ...]:
    left, right = (embedding_text(document.title, document.text) for document in (first, second))
    # That two passages come from one president, or two articles from one paper, is said by their sources.
    stop = frozenset(loaded.stop).union(tokenize(f"{first.source} {second.source}"))
    return shared_terms(left, right, loaded.term_counts, len(loaded.documents), stop=stop, limit=4)


def _days(loaded: LoadedCollection) -> NDArray[np.float64]:
    days = loaded.graph.days
    return np.full(len(loaded.documents), np.nan) if days is None else days
