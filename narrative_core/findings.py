"""What judges said, from the store alone: verdicts on a pair of stories, and how far a judge's agents agree."""

from collections.abc import Sequence

import numpy as np

from narrative_core.estimates import Agreement
from narrative_core.extraction import LoadedCollection
from narrative_core.judgements import Judgement, Seat, Verdict
from narrative_core.judging.agents import agent_temperature
from narrative_core.judging.lexical import judge_lexical
from narrative_core.judging.verdicts import sum_up
from narrative_core.panel import pair_stories, questions, random_asks, shown_story, story_hashes, vocabulary, wording
from narrative_core.records import Collection, SavedStory, StoryKind, StoryPair
from narrative_core.stats.agreement import agreement
from narrative_core.store.database import Database
from narrative_core.store.judgements import list_judgements, load_judgements
from narrative_core.store.panels import list_seats


def asked_seats(database: Database, loaded: LoadedCollection, pair: StoryPair) -> tuple[Seat, ...]:
    """Return the seats that have something to say of a trail; see `_seats`."""
    return _seats(database, loaded.collection.name, pair)


def verdicts(
    database: Database, loaded: LoadedCollection, pair: StoryPair, seats: Sequence[Seat]
) -> tuple[Verdict, ...]:
    """Return what each seat says of the trail and of its random chronology, from the store alone.

    The lexical reader is instant and is not stored for it. A seat that was never asked about a story has a verdict
    without judgements.
    """
    noun = loaded.collection.noun
    stored = dict(_stored(database, pair, [seat for seat in seats if seat.judge != "lexical"], noun))
    told = []
    for seat in seats:
        random = random_scores(database, loaded, seat)
        for story in pair_stories(pair):
            if seat.judge == "lexical":
                shown = shown_story(story.documents, seat, noun)
                found = [judge_lexical(shown, question, vocabulary(loaded)) for question in questions(seat, shown)]
            else:
                found = stored[seat, story.kind]
            told.append(sum_up(seat, story.kind, found, random=random))
    return tuple(told)


def saved_verdicts(database: Database, saved: SavedStory, noun: str) -> tuple[Verdict, ...]:
    """Return what each seat that was asked about a saved story says of its trail and of its random chronology.

    The collection is not looked into, so reading flow has no percentile.
    """
    seats = _seats(database, saved.collection, saved.pair)
    stored = _stored(database, saved.pair, seats, noun)
    return tuple(sum_up(seat, kind, found) for (seat, kind), found in stored)


def random_scores(database: Database, loaded: LoadedCollection, seat: Seat) -> tuple[float, ...]:
    """Return what a seat has given to the collection's random chronologies; empty for one that needs none."""
    asks = random_asks(loaded, [seat])
    known = load_judgements(database, [ask.question.question_id for ask in asks])
    return tuple(found.score for found in known.values() if found.status == "ok")


def seat_agreement(database: Database, collection: Collection, seat: Seat) -> Agreement:
    """Return how far the agents of a seat agree, over all stories of the collection that it was asked about."""
    temperatures = [agent_temperature(agent, seat.n_agents) for agent in range(seat.n_agents)]
    ours = seat.endpoint, seat.shown, wording(seat, collection.noun)
    rows: dict[tuple[str, str], list[float]] = {}
    for judgement in list_judgements(database, collection.name, judge=seat.judge, model=seat.model, mode=seat.mode):
        asked = judgement.question
        is_ours = (asked.endpoint, asked.shown, asked.prompt_hash) == ours
        if is_ours and asked.agent < seat.n_agents and asked.temperature == temperatures[asked.agent]:
            story = asked.story_hash, asked.shown_hash
            row = rows.setdefault(story, [float("nan")] * seat.n_agents)
            row[asked.agent] = judgement.score
    return agreement(np.array(list(rows.values())).reshape(-1, seat.n_agents))


def _seats(database: Database, collection: str, pair: StoryPair) -> tuple[Seat, ...]:
    """Return the seats of all panels on a trail, the latest first, then readings that came with the collection."""
    trail, _ = story_hashes(pair)
    came = [
        Seat("flow", asked.model, asked.endpoint, shown=asked.shown, version=asked.prompt_hash)
        for judgement in list_judgements(database, collection, judge="flow", story_hashes=[trail])
        for asked in [judgement.question]
    ]
    return tuple(dict.fromkeys([*list_seats(database, collection, trail), *came]))


def _stored(
    database: Database, pair: StoryPair, seats: Sequence[Seat], noun: str
) -> list[tuple[tuple[Seat, StoryKind], list[Judgement]]]:
    """Return what is stored of each seat and story of a pair, in turn, with one query."""
    asked = [
        ((seat, story.kind), [question.question_id for question in questions(seat, shown)])
        for seat in seats
        for story in pair_stories(pair)
        for shown in [shown_story(story.documents, seat, noun)]
    ]
    known = load_judgements(database, [question_id for _, question_ids in asked for question_id in question_ids])
    return [
        (key, [known[question_id] for question_id in question_ids if question_id in known])
        for key, question_ids in asked
    ]
