"""Runs: planned by one seed, stored before the first question, resumed without asking anything twice."""

import contextlib
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from narrative_core.assessment import NOT_HERE, Bench
from narrative_core.curation import Curation
from narrative_core.errors import Cancelled, InvalidInput, JudgeUnavailable
from narrative_core.experiments import (
    PlannedRun,
    continue_run,
    default_name,
    plan_run,
    run_forecasts,
    sanity_seats,
    seat_labels,
    start_run,
)
from narrative_core.extraction import LoadedCollection
from narrative_core.judgements import Price, Seat
from narrative_core.judging.wordings import has_wording
from narrative_core.panel import flow_seat, lexical_seat
from narrative_core.runs import PARAPHRASED, REORDERED, RunSettings
from narrative_core.store.database import Database, open_database
from narrative_core.store.judgements import list_judgements
from narrative_core.store.prices import save_price
from narrative_core.store.runs import list_runs, load_run, load_run_questions, load_run_stories, load_run_table
from tests.builders import build_collection
from tests.judging.scripted_server import ScriptedServer, scripted
from tests.judging_bench import MODEL, FakeScorer, Reports, answering, bench_of, prompted_seat, silent

PAIRS = 8


@pytest.fixture(scope="module")
def loaded() -> LoadedCollection:
    return build_collection()


@pytest.fixture(scope="session")
def new_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with nothing in it; copying it is faster than making it."""
    path = tmp_path_factory.mktemp("experiments") / "new.duckdb"
    open_database(path).close()
    return path


@pytest.fixture
def database(tmp_path: Path, new_file: Path) -> Iterator[Database]:
    path = tmp_path / "throughline.duckdb"
    shutil.copy(new_file, path)
    with contextlib.closing(open_database(path)) as opened:
        yield opened


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with scripted(answering()) as running:
        yield running


def settings(loaded: LoadedCollection, *seats: Seat, n_pairs: int = PAIRS, seed: int = 3) -> RunSettings:
    return RunSettings(loaded.collection.name, n_pairs, seats or (lexical_seat(loaded),), seed)


def planned(database: Database, loaded: LoadedCollection, *seats: Seat, seed: int = 3) -> PlannedRun:
    return plan_run(database, loaded, settings(loaded, *seats, seed=seed))


def test_what_is_stored_is_what_was_planned(database: Database, loaded: LoadedCollection) -> None:
    plan = planned(database, loaded)
    run_id = start_run(database, plan)
    assert load_run(database, run_id) == plan.run
    assert repr(load_run_stories(database, run_id)) == repr(plan.stories)
    assert set(load_run_questions(database, run_id)) == set(plan.questions)
    assert not list_judgements(database, loaded.collection.name)


def test_every_seat_is_asked_once_about_every_story_by_every_agent(
    database: Database, loaded: LoadedCollection, server: ScriptedServer
) -> None:
    plan = planned(database, loaded, lexical_seat(loaded), prompted_seat(server, "standard", 3))
    asked = Counter((q.pair, q.made, q.seat) for q in plan.questions)
    assert set(asked) == {(s.pair, s.made, seat) for s in plan.stories for seat in (0, 1)}
    assert all(n == (1 if seat == 0 else 3) for (_, _, seat), n in asked.items())
    assert [ask.place for ask in plan.asks] == list(range(len(plan.asks)))
    assert len({ask.question for ask in plan.asks}) == len(plan.asks)


def test_stories_are_asked_about_in_an_order_that_tells_nothing(database: Database, loaded: LoadedCollection) -> None:
    plan = planned(database, loaded)
    made_of = {question.question_id: question.made for question in plan.questions}
    order = [made_of[ask.question.question_id] for ask in plan.asks]
    assert order != sorted(order) and order != sorted(order, reverse=True)
    again = planned(database, loaded)
    assert [ask.question for ask in plan.asks] == [ask.question for ask in again.asks]


def test_a_run_asks_all_and_a_second_time_nothing(
    database: Database, loaded: LoadedCollection, server: ScriptedServer
) -> None:
    run_id = start_run(database, planned(database, loaded, lexical_seat(loaded), prompted_seat(server, n_agents=2)))
    outcome = continue_run(database, loaded, run_id, bench_of(server), report=silent)
    assert not outcome.unasked
    n_asked = len(server.bodies)
    again = continue_run(database, loaded, run_id, bench_of(server), report=silent)
    assert (again.n_asked, again.n_reused) == (0, outcome.n_asked)
    assert len(server.bodies) == n_asked
    table = load_run_table(database, run_id)
    assert [scores.n_unasked for scores in table.seats] == [0, 0]
    assert all(np.isfinite(scores.means).all() for scores in table.seats)
    (summary,) = list_runs(database)
    assert summary.n_answered == summary.n_questions == len(load_run_questions(database, run_id))


def test_a_stopped_run_goes_on_with_exactly_what_is_missing(
    database: Database, loaded: LoadedCollection, server: ScriptedServer
) -> None:
    plan = planned(database, loaded, prompted_seat(server, n_agents=3))
    run_id = start_run(database, plan)
    with pytest.raises(Cancelled):
        stop = Reports(stop_at=10, stop=Cancelled("Stopped."))
        continue_run(database, loaded, run_id, bench_of(server, concurrency=4), report=stop)
    answered = {judgement.question for judgement in list_judgements(database, loaded.collection.name)}
    assert 10 <= len(answered) < len(plan.asks)
    outcome = continue_run(database, loaded, run_id, bench_of(server), report=silent)
    assert outcome.n_asked == len(plan.asks) - len(answered)
    assert {judgement.question for judgement in list_judgements(database, loaded.collection.name)} == {
        ask.question for ask in plan.asks
    }


def test_a_budget_ends_a_run_and_it_can_go_on_with_another(
    database: Database, loaded: LoadedCollection, server: ScriptedServer
) -> None:
    save_price(database, Price(MODEL, 1000.0, 1000.0, "made up"))
    run_id = start_run(database, planned(database, loaded, prompted_seat(server)))
    outcome = continue_run(database, loaded, run_id, bench_of(server, budget_usd=3.0), report=silent)
    assert outcome.n_asked > 0 and outcome.unasked
    assert load_run_table(database, run_id).seats[0].n_unasked >= sum(outcome.unasked.values())
    again = continue_run(database, loaded, run_id, bench_of(server), report=silent)
    assert not again.unasked and again.n_reused == outcome.n_asked


def test_a_judge_that_is_not_here_leaves_its_questions_open_and_is_said(
    database: Database, loaded: LoadedCollection
) -> None:
    elsewhere = Seat("openai", "gpt-nowhere", "elsewhere.example.org", "simple", 1)
    run_id = start_run(database, planned(database, loaded, lexical_seat(loaded), elsewhere))
    outcome = continue_run(database, loaded, run_id, Bench(), report=silent)
    assert set(outcome.unasked) == {NOT_HERE}
    table = load_run_table(database, run_id)
    assert table.seats[0].n_unasked == 0
    assert table.seats[1].n_unasked == len(table.stories)
    assert np.isnan(table.seats[1].means).all()


def test_the_forecast_counts_what_is_known_already_as_free(
    database: Database, loaded: LoadedCollection, server: ScriptedServer
) -> None:
    plan = planned(database, loaded, lexical_seat(loaded), prompted_seat(server, n_agents=2))
    n = len({ask.question for ask in plan.asks if ask.question.judge == "openai"})
    before = run_forecasts(database, plan)
    assert [forecast.seat for forecast in before] == list(plan.run.settings.seats)
    assert (before[1].n_calls, before[1].n_reused) == (n, 0)
    continue_run(database, loaded, start_run(database, plan), bench_of(server), report=silent)
    after = run_forecasts(database, plan)
    assert (after[1].n_calls, after[1].n_reused) == (0, n)


def test_two_runs_share_the_answers_to_the_stories_they_share(database: Database, loaded: LoadedCollection) -> None:
    scorer = FakeScorer()
    seat = flow_seat(scorer, loaded)
    continue_run(
        database, loaded, start_run(database, planned(database, loaded, seat)), Bench(scorer=scorer), report=silent
    )
    n_read = len(scorer.asked)
    run_id = start_run(database, planned(database, loaded, seat))
    outcome = continue_run(database, loaded, run_id, Bench(scorer=scorer), report=silent)
    assert (outcome.n_asked, len(scorer.asked)) == (0, n_read)
    assert load_run_table(database, run_id).seats[0].n_unasked == 0


def test_a_run_without_a_name_is_called_by_its_settings(database: Database, loaded: LoadedCollection) -> None:
    title = loaded.collection.title
    assert planned(database, loaded).run.name == f"{title}, {PAIRS} pairs, seed 3"
    assert default_name(loaded, replace(settings(loaded), design="mixtures")) == (
        f"{title}, mixtures, {PAIRS} of each kind, seed 3"
    )
    variant = plan_run(database, loaded, replace(settings(loaded), divergence="plain"), name=" ")
    assert variant.run.name == f"{title}, {PAIRS} pairs, seed 3, plain"


def test_a_run_takes_the_endpoint_pairs_of_another_under_another_divergence(
    database: Database, loaded: LoadedCollection
) -> None:
    first = planned(database, loaded)
    run_id = start_run(database, first)
    second = plan_run(database, loaded, replace(settings(loaded, seed=99), divergence="base2", endpoints_of=run_id))
    ends = [{(s.document_ids[0], s.document_ids[-1]) for s in plan.stories} for plan in (first, second)]
    assert ends[1] and ends[1] <= ends[0]
    chance = [{s.document_ids for s in plan.stories if s.made == "baseline"} for plan in (first, second)]
    assert chance[1] <= chance[0]
    assert second.run.divergence == "base2" and second.run.critical_coherence != first.run.critical_coherence


def test_a_run_whose_collection_or_judges_have_changed_is_not_continued(
    database: Database, loaded: LoadedCollection
) -> None:
    run_id = start_run(database, planned(database, loaded))
    rebuilt = replace(loaded, landscape=replace(loaded.landscape, landscape_id="another"))
    with pytest.raises(InvalidInput, match="another landscape"):
        continue_run(database, rebuilt, run_id, Bench(), report=silent)
    renamed = replace(loaded, collection=replace(loaded.collection, noun="speeches"))
    seat = Seat("openai", MODEL, "elsewhere.example.org", "simple", 1)
    asked = start_run(database, planned(database, loaded, seat))
    with pytest.raises(InvalidInput, match="has changed"):
        continue_run(database, renamed, asked, Bench(), report=silent)


def test_a_run_that_tells_of_excluded_documents_is_not_continued_and_of_the_others_is(
    database: Database, loaded: LoadedCollection
) -> None:
    plan = planned(database, loaded)
    run_id = start_run(database, plan)
    told = {one for story in plan.stories for one in story.document_ids}
    other = next(one.document_id for one in loaded.documents if one.document_id not in told)
    continue_run(database, replace(loaded, curation=Curation(frozenset({other}))), run_id, Bench(), report=silent)
    first = plan.stories[0].document_ids[0]
    with pytest.raises(InvalidInput, match="tells of 1 document that is excluded by now"):
        continue_run(database, replace(loaded, curation=Curation(frozenset({first}))), run_id, Bench(), report=silent)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"collection": "elsewhere"}, "elsewhere"),
        ({"n_pairs": 0}, "at least one pair"),
        ({"endpoints_of": "nowhere"}, "no run"),
        ({"shares": {"within short": 0.4}}, "add up|sum"),
        ({"seats": (Seat("openai", MODEL, "h", "simple", version=PARAPHRASED),)}, "sanity run"),
    ],
)
def test_settings_that_contradict_themselves_are_refused(
    database: Database, loaded: LoadedCollection, changes: dict[str, object], told: str
) -> None:
    with pytest.raises(InvalidInput, match=told):
        plan_run(database, loaded, replace(settings(loaded), **changes))  # type: ignore[arg-type]
    assert not list_runs(database)


def test_the_pairs_of_a_run_about_another_collection_are_refused(database: Database, loaded: LoadedCollection) -> None:
    run_id = start_run(database, planned(database, loaded))
    other = replace(loaded, collection=replace(loaded.collection, name="other"))
    with pytest.raises(InvalidInput, match="another collection"):
        plan_run(database, other, replace(settings(other), endpoints_of=run_id))


def test_a_sanity_run_asks_damaged_stories_of_the_usual_seat_alone(
    database: Database, loaded: LoadedCollection, server: ScriptedServer
) -> None:
    seats = (prompted_seat(server, "standard"), prompted_seat(server, "simple"), lexical_seat(loaded))
    plan = plan_run(database, loaded, replace(settings(loaded, *seats), design="sanity"))
    asked = {label: {q.made for q in plan.questions if q.seat == number} for number, label in enumerate(plan.labels)}
    undamaged = {"trail", "baseline"}
    every = undamaged | {"shuffled", "reversed", "foreign", "doubled"}
    usual = ("scripted, standard", "scripted, simple", "Lexical reader, titles and leads")
    assert {label for label, made in asked.items() if made == every} == set(usual)
    assert all(made == undamaged for label, made in asked.items() if label not in usual)
    wordings = {(seat.mode, seat.version) for seat in plan.run.settings.seats if seat.mode and seat.version}
    assert wordings == {("standard", REORDERED), ("standard", PARAPHRASED), ("simple", PARAPHRASED)}


def test_another_wording_reaches_the_judge(
    database: Database, loaded: LoadedCollection, server: ScriptedServer
) -> None:
    plan = plan_run(database, loaded, replace(settings(loaded, prompted_seat(server, "standard")), design="sanity"))
    run_id = start_run(database, plan)
    outcome = continue_run(database, loaded, run_id, bench_of(server), report=silent)
    assert not outcome.unasked
    told = {body["messages"][0]["content"] for body in server.bodies}
    assert len(told) == 4, "the usual wording, the criteria reordered, the paraphrase, and with leads"
    assert {judgement.status for judgement in list_judgements(database, loaded.collection.name)} == {"ok"}


def test_sanity_seats_have_each_variant_that_applies_to_them(loaded: LoadedCollection) -> None:
    simple = Seat("openai", MODEL, "h", "simple", 2)
    found = sanity_seats(loaded, [simple, lexical_seat(loaded)])
    assert not has_wording("simple", REORDERED)
    assert found == (
        simple,
        replace(simple, version=PARAPHRASED),
        replace(simple, shown="leads"),
        lexical_seat(loaded),
        lexical_seat(loaded, "titles"),
    )


@pytest.mark.parametrize(
    ("seats", "labels"),
    [
        ([], ()),
        ([Seat("openai", "m", "h", "cot", 5)], ("m, step by step",)),
        (
            [Seat("openai", "m", "h", "cot", 5), Seat("openai", "m", "h", "cot", 3)],
            ("m, step by step, titles, 5 agents", "m, step by step, titles, 3 agents"),
        ),
        (
            [Seat("openai", "m", "h", "simple"), Seat("openai", "m", "i", "simple")],
            ("m, simple, titles, 1 agent, h", "m, simple, titles, 1 agent, i"),
        ),
        (
            [Seat("openai", "m", "h", "simple"), Seat("openai", "m", "h", "simple", version=REORDERED)],
            ("m, simple", f"m, simple, {REORDERED}"),
        ),
        (
            [Seat("flow", "gemma", version="a", shown="leads"), Seat("flow", "gemma", version="b", shown="leads")],
            (
                "Reading flow, titles and leads, 1 agent, gemma (1)",
                "Reading flow, titles and leads, 1 agent, gemma (2)",
            ),
        ),
    ],
)
def test_labels_are_short_and_no_two_are_the_same(seats: list[Seat], labels: tuple[str, ...]) -> None:
    assert seat_labels(seats) == labels


def test_a_hopeless_endpoint_fails_the_run_and_keeps_what_others_answered(
    database: Database, loaded: LoadedCollection
) -> None:
    with scripted(answering()) as gone:
        bench, seat = bench_of(gone), prompted_seat(gone)
    run_id = start_run(database, planned(database, loaded, lexical_seat(loaded), seat))
    with contextlib.suppress(JudgeUnavailable):
        continue_run(database, loaded, run_id, bench, report=silent)
    table = load_run_table(database, run_id)
    assert table.seats[0].n_unasked == 0 and np.isfinite(table.seats[0].means).all()
    assert np.isnan(table.seats[1].means).all()
