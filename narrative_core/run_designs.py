"""Which stories a run is about: trails beside random chronologies, mixtures of two collections, damaged trails."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import InvalidInput, NoTrail
from narrative_core.extraction import LoadedCollection
from narrative_core.joint import origins
from narrative_core.judging.shown import story_hash
from narrative_core.records import Divergence, Progress
from narrative_core.runs import Design, Made, RunSettings, RunStory, Stratum, StratumCount
from narrative_core.trails.baselines import run_baselines
from narrative_core.trails.capacity import strongest_trail
from narrative_core.trails.coherence import coherence_matrix
from narrative_core.trails.damage import most_foreign, reversed_order, shuffled, with_doubled, with_foreign
from narrative_core.trails.endpoints import SampledEndpoints, given_endpoints, sample_endpoints
from narrative_core.trails.graph import TrailGraph, critical_coherence
from narrative_core.trails.measures import path_efficiency, weak_share
from narrative_core.trails.mixtures import alternating_stories, mixed_stories
from narrative_core.trails.sampling import sample_trails

_MEDIAN_PAIRS, _TRIES = 200, 50
_ORDER: tuple[Made, ...] = get_args(Made)


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What a run's stories stand on: the graph, and what goes with the divergence that made it."""

    loaded: LoadedCollection
    graph: TrailGraph
    divergence: Divergence
    critical_coherence: float
    median_link: float


@dataclass(frozen=True, slots=True)
class MadeStories:
    """The stories of a run, by pair and then by how they were made, and how the strata of its endpoints were filled."""

    stories: tuple[RunStory, ...]
    strata: tuple[StratumCount, ...] = ()


@dataclass(frozen=True, slots=True)
class GivenPair:
    """A pair of another run, in document ids: its ends, its stratum and its random chronology."""

    source: str
    target: str
    stratum: Stratum
    chronology: tuple[str, ...]


def run_ground(loaded: LoadedCollection, divergence: Divergence | None = None) -> Ground:
    """Return the graph that a run searches: the landscape's own, or one with another divergence.

    With another divergence θ, its critical coherence and the median link of trails between 200 uniform pairs are
    computed anew from the stored vectors and memberships; the stored landscape stays as it is.
    """
    landscape = loaded.landscape
    used = divergence or landscape.parameters.divergence
    if used == landscape.parameters.divergence:
        return Ground(loaded, loaded.graph, used, landscape.critical_coherence, landscape.median_link)
    coherence = coherence_matrix(loaded.vectors.values, landscape.memberships, divergence=used)
    floor = critical_coherence(coherence)
    graph = replace(loaded.graph, coherence=coherence, floor=floor)
    sampled = sample_trails(graph, _MEDIAN_PAIRS, rng=np.random.default_rng(landscape.parameters.seed))
    return Ground(loaded, graph, used, floor, sampled.median_link)


def make_stories(
    ground: Ground,
    settings: RunSettings,
    *,
    given: Sequence[GivenPair] | None = None,
    progress: Progress = lambda done, total: None,
) -> MadeStories:
    """Return the stories of a run; the same settings on the same landscape give the same ones.

    Parameters
    ----------
    ground : Ground
    settings : RunSettings
        The seed decides every draw.
    given : sequence of GivenPair, optional
        Pairs to take instead of drawing. Their random chronologies are told again, so that two runs differ in nothing
        but what made the trails.
    progress : callable

    Raises
    ------
    InvalidInput
        If the settings contradict themselves, or the collection cannot bear such stories.
    """
    made = _DESIGNS[settings.design](ground, settings, given, progress)
    return replace(made, stories=tuple(sorted(made.stories, key=lambda story: (story.pair, _ORDER.index(story.made)))))


def _trails_and_chance(
    ground: Ground, settings: RunSettings, given: Sequence[GivenPair] | None, progress: Progress
) -> MadeStories:
    rng = np.random.default_rng(settings.seed)
    sampled = _sampled(ground, settings, given, rng, progress)
    if given is None:
        baselines: Sequence[Sequence[int]] = run_baselines(
            ground.graph, [found.trail for found in sampled.trails], rng=rng
        )
    else:
        chronologies = [ground.loaded.rows(pair.chronology) for pair in given]
        told = {(rows[0], rows[-1]): rows for rows in chronologies}
        baselines = [told[found.trail.documents[0], found.trail.documents[-1]] for found in sampled.trails]
    stories = []
    for pair, (found, chance) in enumerate(zip(sampled.trails, baselines, strict=True)):
        stories.append(_story(ground, found.trail.documents, pair, "trail", found.stratum))
        stories.append(_story(ground, chance, pair, "baseline", found.stratum))
    return MadeStories(tuple(stories), sampled.counts)


def _damaged(
    ground: Ground, settings: RunSettings, given: Sequence[GivenPair] | None, progress: Progress
) -> MadeStories:
    """Return trails and random chronologies, and each trail damaged in four ways."""
    sound = _trails_and_chance(ground, settings, given, progress)
    rng = np.random.default_rng([settings.seed, 1])
    stories = []
    for story in sound.stories:
        stories.append(story)
        if story.made == "trail":
            rows = ground.loaded.rows(story.document_ids)
            for made, changed in _damages(ground, rows, rng).items():
                stories.append(_story(ground, changed, story.pair, made, story.stratum))
    return MadeStories(tuple(stories), sound.strata)


def _damages(ground: Ground, rows: Sequence[int], rng: np.random.Generator) -> Mapping[Made, Sequence[int]]:
    damages: dict[Made, Sequence[int]] = {}
    mixed_up = shuffled(rows, rng=rng)
    if mixed_up is not None:
        damages["shuffled"] = mixed_up
    damages["reversed"] = reversed_order(rows)
    if len(rows) < ground.graph.n_documents:
        damages["foreign"] = with_foreign(rows, most_foreign(ground.graph, rows), rng=rng)
    damages["doubled"] = with_doubled(rows, rng=rng)
    return damages


def _mixtures(
    ground: Ground, settings: RunSettings, given: Sequence[GivenPair] | None, progress: Progress
) -> MadeStories:
    """Return as many trails within one collection as stories that alternate between two, and that mix both."""
    if given is not None:
        raise InvalidInput("A run of mixtures has no endpoint pairs to take from another run. Draw its stories anew.")
    groups = _groups(ground.loaded)
    rng, n, days = np.random.default_rng(settings.seed), settings.n_pairs, ground.graph.days
    trails = _inner_trails(ground.graph, groups, n, rng, progress)
    alternating = alternating_stories(groups, n, rng=rng, days=days)
    mixed = mixed_stories(np.sort(np.concatenate(groups)), n, rng=rng)
    made: dict[Made, Sequence[Sequence[int]]] = {"trail": trails, "alternating": alternating, "mixed": mixed}
    return MadeStories(
        tuple(
            _story(ground, stories[pair], pair, how, None)
            for pair in range(n)
            for how, stories in made.items()
            if pair < len(stories)
        )
    )


def _groups(loaded: LoadedCollection) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    found = origins(loaded.documents)
    names = sorted(set(found) - {""})
    if len(names) != 2 or "" in found:
        raise InvalidInput(
            f"The collection {loaded.collection.title} is not made of two. Make the joint collection of two first."
        )
    first, second = (np.flatnonzero([origin == name for origin in found]) for name in names)
    return first, second


def _inner_trails(
    graph: TrailGraph,
    groups: tuple[NDArray[np.intp], NDArray[np.intp]],
    n: int,
    rng: np.random.Generator,
    progress: Progress,
) -> list[tuple[int, ...]]:
    """Return trails between uniform pairs of one collection that use documents of that one alone, in turn from each."""
    inner = [graph.without(other.tolist()) for other in reversed(groups)]
    trails: list[tuple[int, ...]] = []
    for attempt in range(_TRIES * n):
        if len(trails) == n:
            break
        progress(len(trails), n)
        side = attempt % 2
        if len(groups[side]) < 2:
            continue
        source, target = np.sort(rng.choice(groups[side], size=2, replace=False)).tolist()
        try:
            trails.append(strongest_trail(inner[side], source, target).documents)
        except NoTrail:
            continue
    return trails


def _sampled(
    ground: Ground,
    settings: RunSettings,
    given: Sequence[GivenPair] | None,
    rng: np.random.Generator,
    progress: Progress,
) -> SampledEndpoints:
    loaded = ground.loaded
    if given is not None:
        rows = [loaded.rows([pair.source, pair.target]) for pair in given]
        pairs = [(source, target, pair.stratum) for (source, target), pair in zip(rows, given, strict=True)]
        return given_endpoints(ground.graph, pairs, progress=progress)
    return sample_endpoints(
        ground.graph,
        settings.n_pairs,
        topics=loaded.landscape.nearest_topic,
        vectors=loaded.vectors.values,
        shares=settings.shares,
        cutoffs=settings.cutoffs,
        rng=rng,
        progress=progress,
    )


def _story(ground: Ground, rows: Sequence[int], pair: int, made: Made, stratum: Stratum | None) -> RunStory:
    loaded = ground.loaded
    documents = [loaded.documents[row] for row in rows]
    # θ has a diagonal of 0, since nothing follows itself; a document told twice hangs together with itself wholly.
    links = zip(pairwise(rows), ground.graph.chain_strengths(rows), strict=True)
    strengths = tuple(1.0 if source == target else strength for (source, target), strength in links)
    days = [document.date.toordinal() for document in documents if document.date is not None]
    return RunStory(
        pair=pair,
        made=made,
        document_ids=tuple(document.document_id for document in documents),
        strengths=strengths,
        stratum=stratum,
        span_days=float(max(days) - min(days)) if len(days) == len(documents) else float("nan"),
        efficiency=path_efficiency(loaded.vectors.values[list(rows)]),
        weak_share=weak_share(strengths, ground.median_link),
        story_hash=story_hash(documents),
    )


_DESIGNS: Mapping[Design, Callable[[Ground, RunSettings, Sequence[GivenPair] | None, Progress], MadeStories]] = {
    "trails": _trails_and_chance,
    "mixtures": _mixtures,
    "sanity": _damaged,
}
