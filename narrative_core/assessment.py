"""From stories to judgements: what is known already, what it will cost, and asking for the rest."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from narrative_core.clock import now_text
from narrative_core.errors import JudgeUnavailable
from narrative_core.extraction import LoadedCollection
from narrative_core.jobs import Report
from narrative_core.judgements import Forecast, Judgement, JudgeName, Price, Seat
from narrative_core.judging.asking import Ask, ask_all
from narrative_core.judging.capabilities import stated_context
from narrative_core.judging.endpoint import Endpoint
from narrative_core.judging.flow import flow_version, judge_flow
from narrative_core.judging.forecast import forecast
from narrative_core.judging.lexical import judge_lexical
from narrative_core.judging.prices import DEFAULT_PRICES, price_of
from narrative_core.judging.scorers import Scorer
from narrative_core.panel import foils, pair_stories, plan, random_asks, story_hashes, vocabulary
from narrative_core.records import StoryPair
from narrative_core.store.capabilities import load_capabilities, save_capabilities
from narrative_core.store.database import Database
from narrative_core.store.judgement_writer import JudgementWriter
from narrative_core.store.judgements import load_judgements, measured_use, save_judgements
from narrative_core.store.panels import save_panel
from narrative_core.store.prices import load_prices

STAGE = "judge"
NOT_HERE = "This judge cannot be asked from here; only what it answered before is known."


@dataclass(frozen=True, slots=True)
class Bench:
    """The judges that can be asked from here; a prompted one without an ``endpoint`` answers from the store alone.

    ``concurrency`` questions are under way at a time, by default as many as suit the endpoint · ``budget_usd`` is never
    exceeded by one call to :func:`judge`.
    """

    endpoint: Endpoint | None = None
    scorer: Scorer | None = None
    concurrency: int | None = None
    budget_usd: float | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a round of questions: answered before, asked now, and not asked, by reason."""

    n_reused: int
    n_asked: int
    unasked: Mapping[str, int] = field(default_factory=dict)


def judge(
    database: Database, loaded: LoadedCollection, asks: Sequence[Ask], bench: Bench, *, report: Report
) -> Outcome:
    """Ask what is not known yet, and store each judgement as soon as it is there.

    What has a reply is never asked again; what timed out or failed is. A kill loses what is under way and no more.

    Parameters
    ----------
    database : Database
    loaded : LoadedCollection
    asks : sequence of Ask
        As `plan` gives them.
    bench : Bench
        Who can be asked.
    report : callable
        Called with ("judge", done, total) several times a second; it raises `Cancelled` to stop.

    Raises
    ------
    JudgeUnavailable
        If a judge cannot be asked at all. What others answered is kept.
    Cancelled
        If a person stopped the work. What was answered is kept.
    """
    once = _each_once(asks)
    known = load_judgements(database, list(once))
    missing = [ask for question_id, ask in once.items() if not _is_known(question_id, known)]
    n_all = len(once)
    done = n_reused = n_all - len(missing)
    # A reply may be known from another collection with the same documents; this one has it from now on as well.
    answered = [judgement for judgement in known.values() if judgement.is_final]
    save_judgements(database, loaded.collection.name, answered)
    unasked: Counter[str] = Counter()

    def heartbeat() -> None:
        report(STAGE, done, n_all)

    with JudgementWriter(database, loaded.collection.name) as writer:

        def keep(judgement: Judgement) -> None:
            nonlocal done
            writer.save(judgement)
            done += 1
            heartbeat()

        heartbeat()
        for ask in _of(missing, "lexical"):
            keep(_placed(judge_lexical(ask.story, ask.question, vocabulary(loaded)), ask))
        unavailable: JudgeUnavailable | None = None
        try:
            unasked.update(_ask_endpoint(database, _of(missing, "openai"), bench, keep, heartbeat))
        except JudgeUnavailable as reason:
            # One judge's trouble is not another's: the local model reads all the same.
            unavailable = reason
        unasked.update(_ask_flow(loaded, _of(missing, "flow"), bench, keep, heartbeat))
    if unavailable is not None:
        raise unavailable
    return Outcome(n_reused, len(missing) - unasked.total(), dict(unasked))


def _ask_endpoint(
    database: Database,
    asks: Sequence[Ask],
    bench: Bench,
    on_judgement: Callable[[Judgement], None],
    heartbeat: Callable[[], None],
) -> dict[str, int]:
    """Put the questions for the bench's endpoint to it; return how many were not put, by reason."""
    endpoint = bench.endpoint
    ours = [ask for ask in asks if endpoint is not None and _is_for(ask, endpoint)]
    unasked = {NOT_HERE: len(asks) - len(ours)} if len(ours) < len(asks) else {}
    if endpoint is not None and ours:
        known = load_capabilities(database, endpoint.host, endpoint.model)
        if known.context_tokens is None:
            known = replace(known, context_tokens=stated_context(endpoint))
        asked = ask_all(
            endpoint,
            ours,
            capabilities=known,
            on_judgement=on_judgement,
            heartbeat=heartbeat,
            price=price_of(known_prices(database), endpoint.model),
            budget_usd=bench.budget_usd,
            concurrency=bench.concurrency or endpoint.usual_concurrency,
        )
        if asked.capabilities != known:
            save_capabilities(database, asked.capabilities)
        if asked.n_unasked:
            unasked[asked.reason] = asked.n_unasked
    return unasked


def _ask_flow(
    loaded: LoadedCollection,
    asks: Sequence[Ask],
    bench: Bench,
    on_judgement: Callable[[Judgement], None],
    heartbeat: Callable[[], None],
) -> dict[str, int]:
    """Let the local model read; return how many stories it did not get, by reason."""
    scorer, others = bench.scorer, foils(loaded)
    ours = [ask for ask in asks if scorer is not None and ask.question.prompt_hash == flow_version(scorer, others)]
    if scorer is not None:
        for ask in ours:
            read = judge_flow(ask.story, ask.question, scorer, heartbeat=heartbeat, foils=others)
            on_judgement(_placed(read, ask))
    return {NOT_HERE: len(asks) - len(ours)} if len(ours) < len(asks) else {}


def judge_pair(
    database: Database,
    loaded: LoadedCollection,
    pair: StoryPair,
    seats: Sequence[Seat],
    bench: Bench,
    *,
    report: Report,
    rng: np.random.Generator,
    with_percentile: bool = True,
) -> Outcome:
    """Put a trail and its random chronology before a panel.

    Its reading-flow seats also read random chronologies of the collection, unless ``with_percentile`` is false: a score
    in nats says little without them. See `judge` for what is stored and raised.
    """
    stories = [story.documents for story in pair_stories(pair)]
    asks = plan(loaded, stories, seats, rng=rng)
    save_panel(database, loaded.collection.name, story_hashes(pair), seats, [ask.question.question_id for ask in asks])
    others = random_asks(loaded, seats, after=len(asks)) if with_percentile else ()
    return judge(database, loaded, (*asks, *others), bench, report=report)


def forecasts(
    database: Database, loaded: LoadedCollection, pair: StoryPair, seats: Sequence[Seat]
) -> tuple[Forecast, ...]:
    """Return what a panel on a pair is about to cost, a forecast a seat."""
    stories = [story.documents for story in pair_stories(pair)]
    return tuple(
        forecast_asks(
            database,
            seat,
            [*plan(loaded, stories, [seat], rng=np.random.default_rng(0)), *random_asks(loaded, [seat])],
        )
        for seat in seats
    )


def forecast_asks(database: Database, seat: Seat, asks: Sequence[Ask]) -> Forecast:
    """Return what the questions to one seat are about to cost; what has a reply costs nothing."""
    known = load_judgements(database, [ask.question.question_id for ask in asks])
    missing = [ask for ask in asks if not _is_known(ask.question.question_id, known)]
    use = measured_use(database, endpoint=seat.endpoint, model=seat.model, mode=seat.mode)
    price = price_of(known_prices(database), seat.model)
    return forecast(seat, missing, n_reused=len(asks) - len(missing), price=price, use=use)


def known_prices(database: Database) -> tuple[Price, ...]:
    """Return the price table: a person's own figures before those that the program knows."""
    return (*load_prices(database), *DEFAULT_PRICES)


def _each_once(asks: Sequence[Ask]) -> dict[str, Ask]:
    """Return the questions by question id, of those that are the same the first."""
    first: dict[str, Ask] = {}
    for ask in asks:
        first.setdefault(ask.question.question_id, ask)
    return first


def _is_known(question_id: str, known: Mapping[str, Judgement]) -> bool:
    found = known.get(question_id)
    return found is not None and found.is_final


def _is_for(ask: Ask, endpoint: Endpoint) -> bool:
    return (ask.question.endpoint, ask.question.model) == (endpoint.host, endpoint.model)


def _of(asks: Sequence[Ask], judge_name: JudgeName) -> list[Ask]:
    """Return the questions to one judge in the order in which they are put."""
    return sorted((ask for ask in asks if ask.question.judge == judge_name), key=lambda ask: ask.place)


def _placed(judgement: Judgement, ask: Ask) -> Judgement:
    return replace(
        judgement,
        place=ask.place,
        asked_at=judgement.asked_at or now_text(),
        n_documents=len(ask.story.documents),
        is_explained=ask.is_explained,
    )
