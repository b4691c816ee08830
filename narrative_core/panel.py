"""What a panel is asked: every question of its seats about stories, in the order in which they are put."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from narrative_core.extraction import LoadedCollection
from narrative_core.judgements import Question, Seat, Shown, ShownStory
from narrative_core.judging.agents import agent_seed, agent_temperature
from narrative_core.judging.asking import Ask
from narrative_core.judging.flow import choose_foils, flow_version
from narrative_core.judging.lexical import LEXICAL_VERSION, Vocabulary
from narrative_core.judging.prompts import prompt_hash
from narrative_core.judging.scorers import Scorer
from narrative_core.judging.shown import shown_hash, story_hash
from narrative_core.records import Document, Story, StoryPair
from narrative_core.space.tokens import fold, is_stop, tokenize
from narrative_core.trails.baselines import documents_between, draw_baselines

N_RANDOM = 40
"""Random chronologies that a score in nats per token is compared with."""

_RANDOM_SEED, _RANDOM_LENGTHS = 11, (3, 8)
_TERMS_KEPT = 32_768
"""Texts and words whose terms are kept: over many stories the same ones are read again and again."""


def plan(
    loaded: LoadedCollection,
    stories: Sequence[Sequence[Document]],
    seats: Sequence[Seat],
    *,
    rng: np.random.Generator,
) -> tuple[Ask, ...]:
    """Return every question of a panel about stories, each once, in the random order in which they are asked.

    No question says where its story comes from, and the order tells nothing either. Where a trail is its own random
    chronology, as one of two documents is, its questions are those of both.

    Parameters
    ----------
    loaded : LoadedCollection
    stories : sequence of document sequences
    seats : sequence of Seat
    rng : numpy.random.Generator
        Draws the order, which is stored with each judgement.
    """
    asks = {
        question: Ask(question, story, seat.is_explained, 0, "" if seat.mode is None else seat.version)
        for seat in seats
        for documents in stories
        for story in [shown_story(documents, seat, loaded.collection.noun)]
        for question in questions(seat, story)
    }
    return in_random_order(tuple(asks.values()), rng=rng)


def in_random_order(asks: Sequence[Ask], *, rng: np.random.Generator) -> tuple[Ask, ...]:
    """Return questions in the random order in which they are put, each with its place in it."""
    order = rng.permutation(len(asks)).tolist()
    return tuple(replace(asks[row], place=place) for place, row in enumerate(order))


def pair_stories(pair: StoryPair) -> tuple[Story, Story]:
    """Return the two stories of a pair, the trail first."""
    return pair.trail, pair.baseline


def story_hashes(pair: StoryPair) -> tuple[str, str]:
    """Return the hashes of the trail and of its random chronology."""
    return story_hash(pair.trail.documents), story_hash(pair.baseline.documents)


def questions(seat: Seat, story: ShownStory) -> tuple[Question, ...]:
    """Return what each agent of a seat is asked about a story."""
    is_prompted = seat.judge == "openai"
    told_hash, read_hash, asked_hash = story_hash(story.documents), _read_hash(seat, story), wording(seat, story.noun)
    return tuple(
        Question(
            judge=seat.judge,
            model=seat.model,
            endpoint=seat.endpoint,
            mode=seat.mode,
            agent=agent,
            temperature=agent_temperature(agent, seat.n_agents) if is_prompted else None,
            seed=agent_seed(agent) if is_prompted else None,
            story_hash=told_hash,
            shown=seat.shown,
            shown_hash=read_hash,
            prompt_hash=asked_hash,
        )
        for agent in range(seat.n_agents)
    )


@lru_cache(maxsize=2)
def random_chronologies(loaded: LoadedCollection, n: int = N_RANDOM) -> tuple[tuple[Document, ...], ...]:
    """Return random chronologies of a collection, always the same ones: what a score in nats is compared with.

    Endpoints are two dated documents drawn uniformly, and what is between them as for a baseline. Lengths are uniform
    from 3 to 8, or less where there are not enough documents between. Without two dated documents there is none. Kept
    for two collections.
    """
    rng = np.random.default_rng(_RANDOM_SEED)
    dated = [row for row, document in enumerate(loaded.documents) if document.date is not None]
    drawn = []
    for _ in range(n if len(dated) > 1 else 0):
        source, target = np.sort(rng.choice(dated, size=2, replace=False)).tolist()
        most = len(documents_between(loaded.graph, source, target)) + 2
        length = min(most, int(rng.integers(*_RANDOM_LENGTHS, endpoint=True)))
        rows = draw_baselines(loaded.graph, source, target, length, draws=1, rng=rng).documents[0]
        drawn.append(tuple(loaded.documents[row] for row in rows))
    return tuple(drawn)


def random_asks(loaded: LoadedCollection, seats: Sequence[Seat], *, after: int = 0) -> tuple[Ask, ...]:
    """Return the questions about random chronologies that the reading-flow seats of a panel need for a percentile.

    They are put after ``after`` others.
    """
    flow = [seat for seat in seats if seat.judge == "flow"]
    if not flow:
        return ()
    asks = plan(loaded, random_chronologies(loaded), flow, rng=np.random.default_rng(_RANDOM_SEED))
    return tuple(replace(ask, place=after + ask.place) for ask in asks)


def shown_story(documents: Sequence[Document], seat: Seat, noun: str) -> ShownStory:
    """Return the story that a seat is shown; ``noun`` is what one calls the collection's documents."""
    return ShownStory(tuple(documents), seat.shown, noun)


def lexical_seat(loaded: LoadedCollection, shown: Shown = "leads") -> Seat:
    """Return the seat of the lexical reader on a collection; how rare its words are is a part of the version."""
    return Seat("lexical", "", shown=shown, version=_lexical_version(loaded))


def flow_seat(scorer: Scorer, loaded: LoadedCollection, shown: Shown = "leads") -> Seat:
    """Return the seat of reading flow on a collection, whose foils are a part of its version. Nothing is read yet."""
    return Seat("flow", scorer.model, shown=shown, version=flow_version(scorer, foils(loaded)))


@lru_cache(maxsize=2)
def foils(loaded: LoadedCollection) -> tuple[Document, ...]:
    """Return the documents that reading flow measures a link against. Kept for two collections."""
    return choose_foils(loaded.documents)


def wording(seat: Seat, noun: str) -> str:
    """Return what stands for the instruction of a seat: its hash, or the version of a judge without a prompt."""
    if seat.mode is None:
        return seat.version
    return _instruction_hash(seat.mode, is_explained=seat.is_explained, noun=noun, wording=seat.version)


_instruction_hash = lru_cache(maxsize=64)(prompt_hash)
"""A run asks for the same few thousands of times."""


@lru_cache(maxsize=2)
def _lexical_version(loaded: LoadedCollection) -> str:
    words = [sorted(loaded.term_counts.items()), sorted(loaded.stop), len(loaded.documents)]
    return f"{LEXICAL_VERSION} {hashlib.sha256(repr(words).encode()).hexdigest()[:16]}"


def _read_hash(seat: Seat, story: ShownStory) -> str:
    """Return the hash of what a seat reads. The lexical reader reads the dates whatever is shown."""
    if seat.judge != "lexical":
        return shown_hash(story)
    dated = shown_hash(replace(story, shown="dates"))
    return hashlib.sha256(f"{shown_hash(story)} {dated}".encode()).hexdigest()


@lru_cache(maxsize=2)
def vocabulary(loaded: LoadedCollection) -> Vocabulary:
    """Return how the collection's texts are cut into terms, and how rare each term is. Kept for two collections."""
    counts: dict[str, int] = {}
    for term, n in loaded.term_counts.items():
        # A plural and its singular are one term; how many documents have either is at least what the more common has.
        counts[fold(term)] = max(n, counts.get(fold(term), 0))

    @lru_cache(maxsize=_TERMS_KEPT)
    def terms_of(text: str) -> tuple[str, ...]:
        return tuple(fold(token) for token in tokenize(text) if not is_stop(token, loaded.stop))

    return Vocabulary(terms_of, counts, len(loaded.documents))
