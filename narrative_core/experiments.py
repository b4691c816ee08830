"""Runs: many stories before the same judges, planned by one seed, stored before the first question, resumable."""

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version

import numpy as np

from narrative_core.assessment import Bench, Outcome, forecast_asks, judge
from narrative_core.clock import now_text
from narrative_core.counting import count
from narrative_core.errors import InvalidInput
from narrative_core.extraction import LoadedCollection
from narrative_core.jobs import Report
from narrative_core.judgements import Forecast, Question, Seat, Shown
from narrative_core.judging.questioning import Ask
from narrative_core.judging.wordings import has_wording
from narrative_core.panel import in_random_order, lexical_seat, questions, shown_story
from narrative_core.reports.judged_pairs import SHOWN_WORDS, seat_title
from narrative_core.run_designs import GivenPair, make_stories, run_ground
from narrative_core.runs import PARAPHRASED, REORDERED, Made, Run, RunSettings, RunStory
from narrative_core.store.database import Database
from narrative_core.store.runs import (
    RunQuestion,
    load_run,
    load_run_questions,
    load_run_stories,
    save_run,
)

STAGE = "sample"
EXAMPLE_PAIRS = 100
"""Pairs of the run that is offered as an example."""

_UNDAMAGED: tuple[Made, ...] = ("trail", "baseline")
_OTHER_SHOWN: Mapping[Shown, Shown] = {"titles": "leads", "dates": "leads", "leads": "titles"}
_ORDER_SEED = 2
_DEFAULT_NAME = {"trails": "", "mixtures": "mixtures, ", "sanity": "sanity, "}


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """A run before it is stored: its stories, the label of each seat, and every question in the order of asking."""

    run: Run
    labels: tuple[str, ...]
    stories: tuple[RunStory, ...]
    questions: tuple[RunQuestion, ...]
    asks: tuple[Ask, ...]


def plan_run(
    database: Database,
    loaded: LoadedCollection,
    settings: RunSettings,
    *,
    name: str = "",
    report: Report = lambda stage, done, total: None,
) -> PlannedRun:
    """Return the stories of a run and all that will be asked about them; nothing is stored and nobody asked.

    Parameters
    ----------
    database : Database
        Where the endpoints of another run come from, if they are to be taken.
    loaded : LoadedCollection
    settings : RunSettings
        For a sanity run the seats are those to be checked; the seats of their other wordings are added here.
    name : str
        What a person calls it; made from the settings where empty.
    report : callable
        Called with ("sample", done, total).

    Raises
    ------
    InvalidInput
        If the settings contradict themselves, or no story can be made.
    """
    _check(loaded, settings)
    ground = run_ground(loaded, settings.divergence)
    given = _given_pairs(database, settings)
    made = make_stories(ground, settings, given=given, progress=lambda done, total: report(STAGE, done, total))
    if not made.stories:
        raise InvalidInput("No pair of documents with a trail was found. Build the collection with finer topics.")
    seats = sanity_seats(loaded, settings.seats) if settings.design == "sanity" else settings.seats
    settings = replace(settings, seats=tuple(dict.fromkeys(seats)))
    run = Run(
        run_id=uuid.uuid4().hex[:12],
        name=name.strip() or default_name(loaded, settings),
        settings=settings,
        landscape_id=loaded.landscape.landscape_id,
        divergence=ground.divergence,
        critical_coherence=ground.critical_coherence,
        median_link=ground.median_link,
        embedding_model=f"{loaded.vectors.model} {loaded.vectors.version}".strip(),
        created_at=now_text(),
        strata=made.strata,
        versions={**loaded.landscape.versions, "scikit-learn": version("scikit-learn")},
    )
    asked, asks = _questions(loaded, run, made.stories)
    return PlannedRun(run, seat_labels(settings.seats), made.stories, asked, asks)


def start_run(database: Database, planned: PlannedRun) -> str:
    """Store a planned run, so that it can be resumed whatever happens, and return its id."""
    save_run(database, planned.run, planned.labels, planned.stories, planned.questions)
    return planned.run.run_id


def planned_again(database: Database, loaded: LoadedCollection, run_id: str) -> PlannedRun:
    """Return a stored run as it was planned, so that what has no reply can be forecast and asked.

    Raises
    ------
    InvalidInput
        If the collection or a judge is no longer what it was when the run began: its numbers would not go together.
    """
    run = load_run(database, run_id)
    if run.landscape_id != loaded.landscape.landscape_id:
        raise InvalidInput(
            f"The run “{run.name}” was made on another landscape of {loaded.collection.title} than the present one. "
            "Start a new run."
        )
    stories = load_run_stories(database, run_id)
    gone = {one for story in stories for one in story.document_ids} & loaded.curation.excluded
    if gone:
        raise InvalidInput(
            f"The run “{run.name}” tells of {count(len(gone), 'document')} that {'is' if len(gone) == 1 else 'are'} "
            "excluded by now. Restore what was excluded, or start a new run."
        )
    asked, asks = _questions(loaded, run, stories)
    if {question.question_id for question in load_run_questions(database, run_id)} != {
        question.question_id for question in asked
    }:
        raise InvalidInput(
            f"What the judges of the run “{run.name}” are shown has changed since it began (the date of a document, "
            "the words that the collection leaves out, its noun, or a newer edition of a judge). Start a new run."
        )
    return PlannedRun(run, seat_labels(run.settings.seats), stories, asked, asks)


def continue_run(database: Database, loaded: LoadedCollection, run_id: str, bench: Bench, *, report: Report) -> Outcome:
    """Ask what a stored run has no reply to yet. What is known is never asked again.

    The budget of the bench is for this call; what was spent before does not count.

    Raises
    ------
    InvalidInput
        As from `planned_again`.
    JudgeUnavailable, Cancelled
        See `assessment.judge`; what was answered is kept.
    """
    return judge(database, loaded, planned_again(database, loaded, run_id).asks, bench, report=report)


def run_forecasts(database: Database, planned: PlannedRun) -> tuple[Forecast, ...]:
    """Return what a planned run is about to take, a forecast a seat."""
    ask_of = {ask.question.question_id: ask for ask in planned.asks}
    asked_by: list[dict[str, Ask]] = [{} for _ in planned.run.settings.seats]
    for question in planned.questions:
        asked_by[question.seat][question.question_id] = ask_of[question.question_id]
    return tuple(
        forecast_asks(database, seat, list(asks.values()))
        for seat, asks in zip(planned.run.settings.seats, asked_by, strict=True)
    )


def sanity_seats(loaded: LoadedCollection, seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """Return seats with those that ask the same in another way: each seat first, then its variants."""
    told: list[Seat] = []
    for seat in seats:
        told.append(seat)
        if seat.mode is not None:
            wordings = (REORDERED, PARAPHRASED)
            told += [replace(seat, version=wording) for wording in wordings if has_wording(seat.mode, wording)]
        other = _OTHER_SHOWN[seat.shown]
        told.append(lexical_seat(loaded, other) if seat.judge == "lexical" else replace(seat, shown=other))
    return tuple(told)


def seat_labels(seats: Sequence[Seat]) -> tuple[str, ...]:
    """Return a short name for each seat that no other of them has; what tells two apart is in it.

    Examples
    --------
    >>> seat_labels([Seat("lexical", "", shown="leads"), Seat("lexical", "", shown="titles")])
    ('Lexical reader, titles and leads', 'Lexical reader, titles')
    """
    labels = [_titled(seat) for seat in seats]
    for more in _TELLING:
        repeated = {label for label in labels if labels.count(label) > 1}
        labels = [
            f"{label}, {more(seat)}" if label in repeated and more(seat) else label
            for label, seat in zip(labels, seats, strict=True)
        ]
    return tuple(
        f"{label} ({labels[:number].count(label) + 1})" if labels.count(label) > 1 else label
        for number, label in enumerate(labels)
    )


def default_name(loaded: LoadedCollection, settings: RunSettings) -> str:
    """Return what a run is called where a person gives it no name."""
    amount = f"{settings.n_pairs:,} {'of each kind' if settings.design == 'mixtures' else 'pairs'}"
    told = f"{loaded.collection.title}, {_DEFAULT_NAME[settings.design]}{amount}, seed {settings.seed}"
    return f"{told}, {settings.divergence}" if settings.divergence else told


def _titled(seat: Seat) -> str:
    title = seat_title(seat, with_agents=False)
    return f"{title}, {seat.version}" if seat.mode is not None and seat.version else title


def _shown_words(seat: Seat) -> str:
    return "" if seat.mode is not None and seat.shown != "titles" else SHOWN_WORDS[seat.shown]


_TELLING: Sequence[Callable[[Seat], str]] = (
    _shown_words,
    lambda seat: count(seat.n_agents, "agent"),
    lambda seat: seat.endpoint,
    lambda seat: seat.model if seat.mode is None else "",
)


def _check(loaded: LoadedCollection, settings: RunSettings) -> None:
    if settings.collection != loaded.collection.name:
        raise InvalidInput(f"The run is about {settings.collection}, but {loaded.collection.name} was loaded.")
    if settings.n_pairs < 1:
        raise InvalidInput(f"A run has at least one pair; got {settings.n_pairs}.")
    if any(seat.mode is not None and seat.version for seat in settings.seats):
        raise InvalidInput("Other wordings of a judge belong to a sanity run, which adds them itself.")


def _given_pairs(database: Database, settings: RunSettings) -> tuple[GivenPair, ...] | None:
    """Return the pairs of the run that a person named, as far as there are so many."""
    if not settings.endpoints_of:
        return None
    other = load_run(database, settings.endpoints_of)
    if other.settings.collection != settings.collection:
        raise InvalidInput(f"The run “{other.name}” is about another collection; its pairs are not in this one.")
    stories = load_run_stories(database, other.run_id)
    chance = {story.pair: story.document_ids for story in stories if story.made == "baseline"}
    return tuple(
        GivenPair(story.document_ids[0], story.document_ids[-1], story.stratum, chance[story.pair])
        for story in stories
        if story.made == "trail" and story.stratum is not None and story.pair in chance
    )[: settings.n_pairs]


def _questions(
    loaded: LoadedCollection, run: Run, stories: Sequence[RunStory]
) -> tuple[tuple[RunQuestion, ...], tuple[Ask, ...]]:
    """Return every question of a run with the story it is about, and each once in the order of asking."""
    asked: list[RunQuestion] = []
    asks: dict[Question, Ask] = {}
    documents = {
        story.story_hash: tuple(loaded.documents[row] for row in loaded.rows(story.document_ids)) for story in stories
    }
    usual = _usual_seats(run.settings.seats)
    for number, seat in enumerate(run.settings.seats):
        wording = seat.version if seat.mode is not None else ""
        for story in stories:
            if number not in usual and run.settings.design == "sanity" and story.made not in _UNDAMAGED:
                continue
            shown = shown_story(documents[story.story_hash], seat, loaded.collection.noun)
            for question in questions(seat, shown):
                asked.append(RunQuestion(story.pair, story.made, number, question.agent, question.question_id))
                asks.setdefault(question, Ask(question, shown, seat.is_explained, 0, wording))
    rng = np.random.default_rng([run.settings.seed, _ORDER_SEED])
    return tuple(asked), in_random_order(tuple(asks.values()), rng=rng)


def _usual_seats(seats: Sequence[Seat]) -> set[int]:
    """Return the numbers of the seats that are asked in the usual way: of each judge and mode the first."""
    first: dict[object, int] = {}
    for number, seat in enumerate(seats):
        first.setdefault(seat.judge_and_mode, number)
    return set(first.values())
