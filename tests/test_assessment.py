"""What is asked, what is known already and what came of it, against a scripted endpoint and a real store."""

import contextlib
import json
import math
import re
import shutil
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from narrative_core.assessment import NOT_HERE, STAGE, Bench, Outcome, forecasts, judge, judge_pair
from narrative_core.errors import Cancelled, InvalidInput, JudgeUnavailable
from narrative_core.extraction import LoadedCollection
from narrative_core.findings import asked_seats, random_scores, saved_verdicts, seat_agreement, verdicts
from narrative_core.jobs import Report
from narrative_core.judgements import Judgement, Price, Seat, Verdict
from narrative_core.judging.agents import agent_temperature
from narrative_core.judging.flow import judge_flow
from narrative_core.judging.shown import story_hash
from narrative_core.judging.verdicts import percentile_among
from narrative_core.judging.wordings import WORDINGS
from narrative_core.panel import flow_seat, foils, lexical_seat, plan, random_chronologies, shown_story
from narrative_core.recordings import read_recording, write_recording
from narrative_core.records import Collection, LoadReport, SavedStory, StoryPair
from narrative_core.stats.agreement import agreement
from narrative_core.store.capabilities import list_capabilities, load_capabilities
from narrative_core.store.collections import delete_collection, save_collection
from narrative_core.store.database import Database, open_database
from narrative_core.store.judgements import list_judgements, save_judgements
from narrative_core.store.prices import delete_price, save_price
from tests.builders import build_collection, with_titles
from tests.judging.asking_samples import in_turn
from tests.judging.scripted_server import Asked, Step, completion, error, scripted
from tests.judging_bench import (
    MODEL,
    FakeScorer,
    Reports,
    answering,
    asked_of,
    bench_of,
    endpoint_of,
    prompted_seat,
    reply_to,
    seed_score,
    silent,
    towns_pair,
)

ANOTHER = Seat("openai", MODEL, "elsewhere.example.org", "simple", 2)
NO_TEMPERATURE = error(400, "Unsupported value: 'temperature'", param="temperature", code="unsupported_value")


@pytest.fixture(scope="session")
def new_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with nothing in it; copying it is faster than making it."""
    path = tmp_path_factory.mktemp("assessment") / "new.duckdb"
    open_database(path).close()
    return path


@pytest.fixture
def database(tmp_path: Path, new_file: Path) -> Iterator[Database]:
    path = tmp_path / "throughline.duckdb"
    shutil.copy(new_file, path)
    with contextlib.closing(open_database(path)) as opened:
        yield opened


@pytest.fixture(scope="module")
def loaded() -> LoadedCollection:
    return build_collection()


@pytest.fixture(scope="module")
def pair(loaded: LoadedCollection) -> StoryPair:
    return towns_pair(loaded)


def put(
    database: Database,
    loaded: LoadedCollection,
    pair: StoryPair,
    seats: list[Seat],
    bench: Bench,
    *,
    report: Report = silent,
    seed: int = 5,
    with_percentile: bool = False,
) -> Outcome:
    """Put a pair before a panel in an order that is always the same."""
    rng = np.random.default_rng(seed)
    return judge_pair(database, loaded, pair, seats, bench, report=report, rng=rng, with_percentile=with_percentile)


def stored(database: Database, loaded: LoadedCollection) -> tuple[Judgement, ...]:
    return list_judgements(database, loaded.collection.name)


def statuses(database: Database, loaded: LoadedCollection) -> Mapping[str, int]:
    return Counter(judgement.status for judgement in stored(database, loaded))


def figures(found: tuple[Verdict, ...]) -> list[str]:
    """Return what verdicts say, without what differs each time."""
    return [repr((v.kind, v.mean, v.sd, v.criteria, v.weakest_step, v.counts, v.percentile)) for v in found]


def by_key(asked: Asked) -> Step:
    """Answer each number of 1 to 10 by its key, so that scores in another order would show."""
    told = json.loads(reply_to(asked.body))
    return completion(json.dumps({key: len(key) % 9 + 1 if value == 7 else value for key, value in told.items()}))


def panel_rows(database: Database) -> list[Any]:
    with database.reading() as cursor:
        return cursor.execute("SELECT * EXCLUDE (panel_id, asked_at, ordinal) FROM panels ORDER BY ordinal").fetchall()


def test_what_was_answered_is_not_asked_again(database: Database, loaded: LoadedCollection, pair: StoryPair) -> None:
    with scripted(answering()) as server:
        seats = [prompted_seat(server, "simple", 3), prompted_seat(server, "complex", 2, is_explained=False)]
        assert put(database, loaded, pair, seats, bench_of(server)) == Outcome(0, 10)
        assert len(server.asked) == 10
        first = verdicts(database, loaded, pair, seats)
        assert put(database, loaded, pair, seats, bench_of(server), seed=6) == Outcome(10, 0)
        assert len(server.asked) == 10
    # By representation: an unknown cost is nan, which is not equal to itself.
    assert repr(verdicts(database, loaded, pair, seats)) == repr(first)
    assert statuses(database, loaded) == {"ok": 10}


def test_more_agents_are_asked_what_is_missing_alone(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    with scripted(answering()) as server:
        put(database, loaded, pair, [prompted_seat(server, n_agents=3)], bench_of(server))
        # Temperatures .3 .5 .7, then .3 .4 .5 .6 .7 with a seed each: the first agent alone is the same.
        assert put(database, loaded, pair, [prompted_seat(server, n_agents=5)], bench_of(server)) == Outcome(2, 8)
        (trail, _) = verdicts(database, loaded, pair, [prompted_seat(server, n_agents=5)])
    assert (trail.n_asked, trail.n_ok) == (5, 5)


def test_every_wording_is_asked_in_its_words_and_its_replies_are_read_alike(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    with scripted(by_key) as server:
        seats = [replace(prompted_seat(server, "standard"), version=wording) for wording in WORDINGS]
        assert put(database, loaded, pair, seats, bench_of(server)) == Outcome(0, 6)
        assert put(database, loaded, pair, seats, bench_of(server)) == Outcome(6, 0)
        found = verdicts(database, loaded, pair, seats)
    assert len({asked_of(body)[0] for body in server.bodies}) == 3
    assert len(found) == 6
    by_length = {
        "logical_flow": 4.0,
        "thematic_consistency": 3.0,
        "temporal_coherence": 1.0,
        "narrative_completeness": 5.0,
    }
    assert [verdict.criteria for verdict in found] == [by_length] * 6
    answered = {one.question: one for one in stored(database, loaded)}
    recorded = read_recording(write_recording(answered.values())).judgements
    assert {one.question: (one.score, one.criteria) for one in recorded} == {
        question: (one.score, one.criteria) for question, one in answered.items()
    }


def test_the_same_story_in_another_collection_is_known_and_is_then_in_both(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    renamed = replace(loaded, collection=replace(loaded.collection, name="hamlets", title="The hamlets"))
    with scripted(answering()) as server:
        seat = prompted_seat(server, n_agents=3)
        put(database, loaded, pair, [seat], bench_of(server))
        assert put(database, renamed, pair, [seat], bench_of(server)) == Outcome(6, 0)
        assert len(server.asked) == 6
    assert repr(stored(database, renamed)) == repr(stored(database, loaded))
    assert seat_agreement(database, renamed.collection, seat) == seat_agreement(database, loaded.collection, seat)
    assert seat_agreement(database, renamed.collection, seat).n_used == 2
    with contextlib.suppress(InvalidInput):
        delete_collection(database, "towns")
    (trail, _) = verdicts(database, renamed, pair, [seat])
    assert trail.n_ok == 3


def test_a_trail_that_is_its_own_random_chronology_is_paid_once(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    same = replace(pair, baseline=replace(pair.baseline, documents=pair.trail.documents, links=pair.trail.links))
    with scripted(answering()) as server:
        seat, reports = prompted_seat(server, n_agents=4), Reports()
        assert put(database, loaded, same, [seat], bench_of(server), report=reports) == Outcome(0, 4)
        assert len(server.asked) == 4
        trail, baseline = verdicts(database, loaded, same, [seat])
        (told,) = forecasts(database, loaded, same, [seat])
    assert (trail.n_ok, trail.mean, trail.kind) == (4, baseline.mean, "trail")
    assert reports.told[-1] == (STAGE, 4, 4)
    assert (told.n_calls, told.n_reused) == (0, 4)


def test_the_same_question_in_two_places_is_put_once(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    with scripted(answering()) as server:
        asks = plan(loaded, [pair.trail.documents], [prompted_seat(server, n_agents=2)], rng=np.random.default_rng(0))
        assert judge(database, loaded, (*asks, *asks), bench_of(server), report=silent) == Outcome(0, 2)
        assert len(server.asked) == 2


def test_what_failed_or_timed_out_is_asked_again_and_what_came_back_unreadable_or_refused_is_not(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    ends = [
        completion("eleven"),
        completion(None, refusal="I decline."),
        Step(act="hang"),
        error(500),
        completion("no JSON at all"),
    ]

    def end_badly(asked: Asked) -> Step:
        """Answer by the agent; the request that repairs a reply has the seed of the first."""
        return ends[int(asked.body["seed"]) - 1001]

    with scripted(end_badly) as server:
        seat = prompted_seat(server, n_agents=5)
        bench = Bench(endpoint_of(server, timeout_s=0.3))
        assert put(database, loaded, pair, [seat], bench) == Outcome(0, 10)
        assert statuses(database, loaded) == {"unreadable": 4, "refused": 2, "timed out": 2, "failed": 2}
        trail, baseline = verdicts(database, loaded, pair, [seat])
        for verdict in (trail, baseline):
            assert math.isnan(verdict.mean)
            assert (verdict.n_asked, verdict.n_ok) == (5, 0)
            assert verdict.counts == {"unreadable": 2, "refused": 1, "timed out": 1, "failed": 1}
        assert all(judgement.message for judgement in stored(database, loaded))
        (told,) = forecasts(database, loaded, pair, [seat])
        assert (told.n_calls, told.n_reused) == (4, 6)

        n_before = len(server.asked)
        server.script = answering(lambda _: 8)
        assert put(database, loaded, pair, [seat], bench) == Outcome(6, 4)
        assert sorted(body["seed"] for body in server.bodies[n_before:]) == [1003, 1003, 1004, 1004]
    assert statuses(database, loaded) == {"unreadable": 4, "refused": 2, "ok": 4}
    (trail, _) = verdicts(database, loaded, pair, [seat])
    assert (trail.mean, trail.n_ok, trail.n_asked) == (8.0, 2, 5)


@pytest.mark.parametrize("stop", [Cancelled("Stopped."), KeyboardInterrupt()], ids=["cancel", "interrupt"])
def test_a_stop_keeps_what_was_answered_and_the_rest_is_asked_next_time(
    database: Database, loaded: LoadedCollection, pair: StoryPair, stop: BaseException
) -> None:
    with scripted(answering(wait_s=0.02)) as server:
        seat, bench = prompted_seat(server, n_agents=10), bench_of(server, concurrency=4)
        with pytest.raises(type(stop)):
            put(database, loaded, pair, [seat], bench, report=Reports(stop_at=7, stop=stop))
        kept = {judgement.question.question_id for judgement in stored(database, loaded)}
        # What came in the same moment as the seventh is kept too.
        assert 7 <= len(kept) <= 10
        assert statuses(database, loaded) == {"ok": len(kept)}
        assert asked_seats(database, loaded, pair) == (seat,)
        n_before = len(server.asked)
        assert n_before <= 7 + 4
        assert put(database, loaded, pair, [seat], bench) == Outcome(len(kept), 20 - len(kept))
        assert len(server.asked) == n_before + 20 - len(kept)
    assert statuses(database, loaded) == {"ok": 20}
    assert kept < {judgement.question.question_id for judgement in stored(database, loaded)}


def test_each_judgement_is_in_the_store_as_soon_as_it_is_reported(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    def report(stage: str, done: int, total: int) -> None:
        # The writer is a thread of its own; nothing further is asked while this one waits.
        deadline = time.monotonic() + 10
        while len(stored(database, loaded)) < done and time.monotonic() < deadline:
            time.sleep(0.005)
        assert len(stored(database, loaded)) == done

    with scripted(answering()) as server:
        seats = [lexical_seat(loaded), prompted_seat(server, n_agents=4), flow_seat(FakeScorer(), loaded)]
        bench = replace(bench_of(server), scorer=FakeScorer())
        assert put(database, loaded, pair, seats, bench, report=report) == Outcome(0, 2 + 8 + 2)


def test_without_an_endpoint_the_store_answers_and_the_rest_is_counted(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    with scripted(answering()) as server:
        recorded, unknown = prompted_seat(server, n_agents=3), prompted_seat(server, "cot", 2)
        put(database, loaded, pair, [recorded], bench_of(server))
        before = verdicts(database, loaded, pair, [recorded])
        n_before = len(server.asked)
        outcome = put(
            database, loaded, pair, [recorded, unknown, lexical_seat(loaded), flow_seat(FakeScorer(), loaded)], Bench()
        )
        assert len(server.asked) == n_before
    assert outcome == Outcome(6, 2, {NOT_HERE: 4 + 2})
    assert repr(verdicts(database, loaded, pair, [recorded])) == repr(before)
    for verdict in verdicts(database, loaded, pair, [unknown, flow_seat(FakeScorer(), loaded)]):
        assert (verdict.n_asked, verdict.counts) == (0, {})
        assert math.isnan(verdict.mean)


@pytest.mark.parametrize(("endpoint", "model"), [("another", MODEL), ("", "another")])
def test_an_endpoint_answers_for_no_other_model_and_no_other_host(
    database: Database, loaded: LoadedCollection, pair: StoryPair, endpoint: str, model: str
) -> None:
    with scripted(answering()) as server:
        seat = prompted_seat(server, n_agents=2)
        other = replace(seat, endpoint=endpoint or seat.endpoint, model=model)
        assert put(database, loaded, pair, [other], bench_of(server)) == Outcome(0, 0, {NOT_HERE: 4})
        assert server.asked == []


def test_a_local_model_reads_for_no_other_edition(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    reader, other = FakeScorer(), flow_seat(FakeScorer(path="another way"), loaded)
    outcome = put(database, loaded, pair, [other, flow_seat(reader, loaded)], Bench(scorer=reader))
    assert outcome == Outcome(0, 2, {NOT_HERE: 2})
    assert {judgement.question.prompt_hash for judgement in stored(database, loaded)} == {
        flow_seat(reader, loaded).version
    }


def test_a_budget_is_kept_and_the_rest_is_counted_with_the_reason(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    save_price(database, Price(MODEL, 10.0, 10.0))
    with scripted(answering()) as server:
        seat = prompted_seat(server, n_agents=12)
        outcome = put(database, loaded, pair, [seat], bench_of(server, concurrency=1, budget_usd=0.03))
        n_asked = outcome.n_asked
        assert 0 < n_asked < 24
        ((reason, n_unasked),) = outcome.unasked.items()
        assert (outcome.n_reused, n_asked + n_unasked) == (0, 24)
        assert "budget" in reason
        spent = sum(judgement.cost_usd for judgement in stored(database, loaded))
        assert 0 < spent <= 0.03
        assert len(stored(database, loaded)) == n_asked == len(server.asked)
        again = put(database, loaded, pair, [seat], bench_of(server))
        assert again == Outcome(n_asked, 24 - n_asked)


def test_a_budget_without_a_price_is_refused_before_anything_is_asked(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    with scripted(answering()) as server, pytest.raises(InvalidInput, match="needs the price"):
        put(database, loaded, pair, [prompted_seat(server)], bench_of(server, budget_usd=1.0))
    assert server.asked == []
    assert stored(database, loaded) == ()


def test_a_persons_own_price_goes_before_the_one_that_the_program_knows(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    def cost(model: str) -> float:
        with scripted(answering()) as server:
            seat = replace(prompted_seat(server), model=model)
            put(database, loaded, pair, [seat], Bench(endpoint_of(server, model=model)))
            found = [j for j in stored(database, loaded) if j.question.endpoint == seat.endpoint]
        assert [(j.input_tokens, j.output_tokens) for j in found] == [(100, 20)] * 2
        assert found[0].cost_usd == found[1].cost_usd
        return found[0].cost_usd

    assert cost("gpt-4.1") == pytest.approx((100 * 2.0 + 20 * 8.0) / 1e6)
    save_price(database, Price("gpt-4.1", 1000.0, 500.0))
    assert cost("gpt-4.1") == pytest.approx((100 * 1000.0 + 20 * 500.0) / 1e6)
    (told,) = forecasts(database, loaded, pair, [replace(ANOTHER, model="gpt-4.1")])
    assert told.cost_usd == pytest.approx((told.input_tokens * 1000 + told.output_tokens * 500) / 1e6)
    delete_price(database, "gpt-4.1")
    assert cost("gpt-4.1") == pytest.approx((100 * 2.0 + 20 * 8.0) / 1e6)


def test_reading_flow_reads_all_the_same_where_the_endpoint_does_not_take_the_key(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    reader = FakeScorer()
    with scripted(lambda _: error(401, "Incorrect API key provided")) as server:
        bench = replace(bench_of(server), scorer=reader)
        with pytest.raises(JudgeUnavailable, match="does not accept the key"):
            put(database, loaded, pair, [prompted_seat(server), flow_seat(reader, loaded)], bench)
    assert [judgement.question.judge for judgement in stored(database, loaded)] == ["flow", "flow"]


def test_the_lexical_reader_of_other_words_is_another_reader(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    other = replace(loaded, stop=frozenset({*loaded.stop, "harbour"}))
    assert lexical_seat(loaded) == lexical_seat(loaded)
    assert lexical_seat(loaded) != lexical_seat(other)
    put(database, loaded, pair, [lexical_seat(loaded)], Bench())
    assert put(database, other, pair, [lexical_seat(other)], Bench()).n_asked == 2


def test_an_unknown_price_is_no_cost_rather_than_none(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    with scripted(answering()) as server:
        put(database, loaded, pair, [prompted_seat(server)], bench_of(server))
        (told,) = forecasts(database, loaded, pair, [prompted_seat(server, "cot")])
    assert all(math.isnan(judgement.cost_usd) for judgement in stored(database, loaded))
    assert math.isnan(told.cost_usd)


def test_an_endpoint_that_cannot_be_used_keeps_what_others_answered(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    with scripted(lambda _: error(401, "Incorrect API key provided")) as server:
        seats = [prompted_seat(server, n_agents=5), lexical_seat(loaded)]
        with pytest.raises(JudgeUnavailable, match="does not accept the key"):
            put(database, loaded, pair, seats, bench_of(server))
        assert len(server.asked) == 1
    assert {(j.question.judge, j.status) for j in stored(database, loaded)} == {("lexical", "ok")}


def test_credit_that_runs_out_in_the_middle_keeps_what_was_answered(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    def run_out(asked: Asked) -> Step:
        n_asked = len(server.asked)
        return answering()(asked) if n_asked <= 7 else error(429, "No credit.", code="insufficient_quota")

    with scripted(run_out) as server:
        seat, bench = prompted_seat(server, n_agents=10), bench_of(server, concurrency=2)
        with pytest.raises(JudgeUnavailable, match="no credit"):
            put(database, loaded, pair, [seat], bench)
        assert statuses(database, loaded) == {"ok": 7}
        server.script = answering()
        assert put(database, loaded, pair, [seat], bench) == Outcome(7, 13)


def test_progress_is_told_by_rising_counts_up_to_the_total(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    with scripted(answering(wait_s=0.05)) as server:
        seats = [lexical_seat(loaded), prompted_seat(server, n_agents=8), flow_seat(FakeScorer(), loaded)]
        bench = Bench(endpoint_of(server), FakeScorer(), concurrency=2)
        first, second = Reports(), Reports()
        put(database, loaded, pair, seats, bench, report=first)
        put(database, loaded, pair, seats, bench, report=second)
    assert {stage for stage, _, _ in first.told} == {STAGE}
    assert {total for _, _, total in first.told} == {20}
    counts = [done for _, done, _ in first.told]
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (0, 20)
    assert set(counts) == set(range(21))
    assert second.told == [(STAGE, 20, 20)]


def test_a_slow_endpoint_does_not_silence_the_reports(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    reports = Reports()
    with scripted(answering(wait_s=0.6)) as server:
        put(database, loaded, pair, [prompted_seat(server)], bench_of(server), report=reports)
    # One report before, and one at least every quarter of the 0.6 s in which nothing comes.
    assert [done for _, done, _ in reports.told].count(0) >= 3


def test_what_a_model_refuses_is_stored_and_not_sent_the_next_time(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    def refuse_temperature(asked: Asked) -> Step:
        return NO_TEMPERATURE if "temperature" in asked.body else answering()(asked)

    with scripted(refuse_temperature) as server:
        bench = bench_of(server)
        put(database, loaded, pair, [prompted_seat(server, n_agents=3)], bench)
        assert sum("temperature" in body for body in server.bodies) == 1
        assert len(server.asked) == 1 + 6
        n_first = len(server.asked)
        put(database, loaded, pair, [prompted_seat(server, "standard", 3)], bench)
        assert not any("temperature" in body for body in server.bodies[n_first:])
        assert len(server.asked) == n_first + 6
        known = load_capabilities(database, f"127.0.0.1:{server.port}", MODEL)
    assert (known.takes_temperature, known.takes_seed, known.form) == (False, True, "schema")
    assert known.noted_at
    assert {judgement.dropped for judgement in stored(database, loaded)} == {("temperature",)}


def test_nothing_is_noted_of_a_model_that_never_answered(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    with scripted(lambda _: error(500)) as server:
        put(database, loaded, pair, [prompted_seat(server)], bench_of(server))
    assert statuses(database, loaded) == {"failed": 2}
    assert list_capabilities(database) == ()


def test_the_panel_is_stored_with_its_seats_and_the_order_in_which_the_endpoint_was_asked(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    with scripted(answering()) as server:
        seats = [prompted_seat(server, n_agents=3), prompted_seat(server, "complex", 2, shown="dates")]
        put(database, loaded, pair, seats, bench_of(server, concurrency=1))
        sent = [asked_of(body) for body in server.bodies]
        other_seat = prompted_seat(server, "cot")
        put(database, loaded, pair, [other_seat], bench_of(server))
        assert asked_seats(database, loaded, pair) == (other_seat, *seats)
    first, _ = panel_rows(database)
    name, trail, baseline, told_seats, order = first
    assert (name, trail, baseline) == ("towns", story_hash(pair.trail.documents), story_hash(pair.baseline.documents))
    assert told_seats == [asdict(seat) for seat in seats]
    asks = plan(loaded, [pair.trail.documents, pair.baseline.documents], seats, rng=np.random.default_rng(5))
    assert order == [ask.question.question_id for ask in asks]
    places = {j.question.question_id: j.place for j in stored(database, loaded) if j.question.mode != "cot"}
    assert [places[question_id] for question_id in order] == list(range(10))
    # One at a time, so the endpoint saw that order; and both stories are mixed in it.
    assert [seed for *_, seed in sent] == [ask.question.seed for ask in asks]
    lists = [listed(user) for _, user, _ in sent]
    assert lists == [[document.title for document in ask.story.documents] for ask in asks]


def listed(user: str) -> list[str]:
    """Return the titles of the list in a request that shows titles, with dates or without."""
    return [re.sub(r"^\d+\. ?(\(\S+\) )?", "", line) for line in user.splitlines() if line[:1].isdigit()]


def test_other_seats_were_asked_about_no_other_trail(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    put(database, loaded, pair, [lexical_seat(loaded)], Bench())
    turned = replace(pair, trail=pair.baseline, baseline=pair.trail)
    assert asked_seats(database, loaded, turned) == ()
    assert asked_seats(database, loaded, pair) == (lexical_seat(loaded),)


def test_a_verdict_is_told_of_each_story_from_the_store_alone(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    with scripted(answering()) as server:
        seat = prompted_seat(server, "standard", 4)
        put(database, loaded, pair, [seat], bench_of(server))
    trail, baseline = verdicts(database, loaded, pair, [seat])
    assert [(v.kind, v.seat) for v in (trail, baseline)] == [("trail", seat), ("baseline", seat)]
    for verdict, story in ((trail, pair.trail), (baseline, pair.baseline)):
        sent = [body for body in server.bodies if listed(asked_of(body)[1]) == [d.title for d in story.documents]]
        scores = [seed_score(body) for body in sent]
        assert verdict.mean == pytest.approx(np.mean(scores))
        assert verdict.sd == pytest.approx(np.std(scores, ddof=1))
        assert set(verdict.criteria) == {
            "logical_flow", "thematic_consistency", "temporal_coherence", "narrative_completeness",
        }  # fmt: skip
        assert all(score == pytest.approx(np.mean(scores)) for score in verdict.criteria.values())
        assert verdict.weakest_step == 0
        assert (verdict.n_random, math.isnan(verdict.percentile)) == (0, True)


def test_the_lexical_reader_says_at_once_what_it_would_say_if_asked_and_stores_nothing(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    seats = [lexical_seat(loaded, shown) for shown in ("titles", "leads")]
    instant = verdicts(database, loaded, pair, seats)
    assert [verdict.n_ok for verdict in instant] == [1] * 4
    assert all(1 <= verdict.mean <= 10 for verdict in instant)
    assert stored(database, loaded) == ()
    put(database, loaded, pair, seats, Bench())
    said = {(j.question.shown, j.question.story_hash): j.score for j in stored(database, loaded)}
    assert len(said) == 4
    hashes = [story_hash(pair.trail.documents), story_hash(pair.baseline.documents)]
    assert [v.mean for v in instant] == [said[shown, story] for shown in ("titles", "leads") for story in hashes]
    assert figures(verdicts(database, loaded, pair, seats)) == figures(instant)


def test_reading_flow_is_compared_with_random_chronologies_of_the_collection(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    reader = FakeScorer()
    seat = flow_seat(reader, loaded)
    outcome = put(database, loaded, pair, [seat], Bench(scorer=reader), with_percentile=True)
    stories = {story_hash(story): story for story in random_chronologies(loaded)}
    assert outcome.n_asked == len({*stories, story_hash(pair.trail.documents), story_hash(pair.baseline.documents)})
    by_story = {j.question.story_hash: j for j in stored(database, loaded)}
    scores = random_scores(database, loaded, seat)
    assert sorted(scores) == sorted(by_story[name].score for name in stories)
    trail, baseline = verdicts(database, loaded, pair, [seat])
    for verdict, story in ((trail, pair.trail), (baseline, pair.baseline)):
        asked = by_story[story_hash(story.documents)]
        again = judge_flow(
            shown_story(story.documents, seat, "reports"),
            asked.question,
            FakeScorer(),
            heartbeat=lambda: None,
            foils=foils(loaded),
        )
        assert verdict.mean == again.score
        assert verdict.n_random == len(stories)
        assert verdict.percentile == percentile_among(verdict.mean, scores)
        assert 0 <= verdict.percentile <= 100
    assert random_scores(database, loaded, ANOTHER) == random_scores(database, loaded, lexical_seat(loaded)) == ()


def test_without_random_chronologies_there_is_no_percentile_and_it_can_be_had_later(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    reader = FakeScorer()
    seat, bench = flow_seat(reader, loaded), Bench(scorer=reader)
    put(database, loaded, pair, [seat], bench)
    assert len(stored(database, loaded)) == 2
    (trail, _) = verdicts(database, loaded, pair, [seat])
    assert (trail.n_ok, trail.n_random, math.isnan(trail.percentile)) == (1, 0, True)
    outcome = put(database, loaded, pair, [seat], bench, with_percentile=True)
    assert outcome.n_reused == 2
    (trail, _) = verdicts(database, loaded, pair, [seat])
    assert trail.n_random > 30
    assert put(database, loaded, pair, [seat], bench, with_percentile=True).n_asked == 0


def test_a_saved_story_has_its_verdicts_without_its_collection(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    reader = FakeScorer()
    with scripted(answering()) as server:
        seats = [prompted_seat(server, n_agents=2), lexical_seat(loaded), flow_seat(reader, loaded)]
        put(database, loaded, pair, seats, Bench(endpoint_of(server), reader))
    saved = SavedStory("s1", "A story", "", "towns", "landscape-0", "2024-03-01T12:00:00+00:00", pair)
    assert figures(saved_verdicts(database, saved, "reports")) == figures(verdicts(database, loaded, pair, seats))
    asked = [verdict.n_asked for verdict in saved_verdicts(database, saved, "speeches")]
    assert asked == [0, 0, 1, 1, 1, 1]
    assert saved_verdicts(database, replace(saved, collection="hamlets"), "reports") == ()


def test_agreement_is_that_of_the_table_of_all_stories_and_agents(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    def some_fail(asked: Asked) -> Step:
        """Answer by what is asked, and some of it badly."""
        if (len(asked.body["messages"][1]["content"]) + asked.body["seed"]) % 9 == 0:
            return completion("nonsense")
        return answering()(asked)

    stories = [pair.trail.documents, pair.baseline.documents, *random_chronologies(loaded, 3)]
    with scripted(some_fail) as server:
        seat = prompted_seat(server, n_agents=4)
        asks = plan(loaded, stories, [seat], rng=np.random.default_rng(1))
        judge(database, loaded, asks, bench_of(server), report=silent)
        # None of these is of this seat: another number of agents, another wording, text, endpoint or model.
        others = [
            prompted_seat(server, n_agents=5),
            prompted_seat(server, n_agents=4, is_explained=False),
            prompted_seat(server, n_agents=4, shown="dates"),
            prompted_seat(server, "complex", 2),
        ]
        more = plan(loaded, stories, others, rng=np.random.default_rng(1))
        judge(database, loaded, more, bench_of(server), report=silent)
    strangers = [
        replace(judgement, score=1.0, question=question)
        for judgement in stored(database, loaded)
        for asked in [judgement.question]
        for question in (replace(asked, endpoint="another"), replace(asked, model="another"))
    ]
    save_judgements(database, loaded.collection.name, strangers)
    hashes = [story_hash(story) for story in stories]
    table = np.full((len(stories), 4), np.nan)
    for judgement in stored(database, loaded):
        asked = judgement.question
        is_ours = (asked.endpoint, asked.model) == (seat.endpoint, seat.model)
        is_alike = is_ours and (asked.mode, asked.shown, judgement.is_explained) == ("simple", "titles", True)
        if is_alike and asked.agent < 4 and asked.temperature == agent_temperature(asked.agent, 4):
            table[hashes.index(asked.story_hash), asked.agent] = judgement.score
    assert 0 < np.isnan(table).sum() < table.size / 2
    found = seat_agreement(database, loaded.collection, seat)
    # The order of the stories is another one, so sums may differ in the last digit.
    assert asdict(found) == pytest.approx(asdict(agreement(table)), abs=1e-12, nan_ok=True)
    assert found.n_used > found.n_complete > 1
    assert (found.n_agents, found.n_used) == (4, len(stories))


def test_stories_that_read_alike_are_two_in_an_agreement(database: Database, loaded: LoadedCollection) -> None:
    alike = with_titles(loaded, ["The same headline"] * len(loaded.documents))
    stories = [alike.documents[:4], alike.documents[4:8]]
    with scripted(answering(lambda body: 3 + int(body["seed"]) % 2)) as server:
        seat = prompted_seat(server, n_agents=2)
        asks = plan(alike, stories, [seat], rng=np.random.default_rng(1))
        judge(database, alike, asks, bench_of(server), report=silent)
    assert seat_agreement(database, alike.collection, seat).n_used == 2


def test_agreement_without_two_agents_or_without_any_judgement_is_undefined(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    with scripted(answering()) as server:
        put(database, loaded, pair, [prompted_seat(server)], bench_of(server))
        seats = [prompted_seat(server), prompted_seat(server, n_agents=5), ANOTHER, lexical_seat(loaded)]
    for seat in seats:
        found = seat_agreement(database, loaded.collection, seat)
        assert found.n_used == 0
        assert math.isnan(found.icc_single)
        assert math.isnan(found.exact)


def test_another_collection_has_an_agreement_of_its_own(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    with scripted(answering()) as server:
        seat = prompted_seat(server, n_agents=3)
        put(database, loaded, pair, [seat], bench_of(server))
    assert seat_agreement(database, loaded.collection, seat).n_used == 2
    assert seat_agreement(database, Collection("hamlets", "The hamlets", "reports"), seat).n_used == 0
    # Called otherwise, its documents are asked about in other words.
    assert seat_agreement(database, replace(loaded.collection, noun="speeches"), seat).n_used == 0


def test_a_forecast_counts_what_will_be_asked(database: Database, loaded: LoadedCollection, pair: StoryPair) -> None:
    save_price(database, Price(MODEL, 1.0, 1.0))
    with scripted(answering()) as server:
        seats = [prompted_seat(server, n_agents=4), lexical_seat(loaded), flow_seat(FakeScorer(), loaded)]
        before = forecasts(database, loaded, pair, seats)
        assert server.asked == []
        outcome = put(database, loaded, pair, seats[:2], bench_of(server))
        after = forecasts(database, loaded, pair, seats)
        n_asked = len(server.asked)
    assert [told.seat for told in before] == seats
    assert before[0].n_calls == n_asked == 8
    assert before[0].n_calls + before[1].n_calls == outcome.n_asked
    assert before[2].n_calls == 2 + len({story_hash(story) for story in random_chronologies(loaded)})
    assert before[0].cost_usd > 0
    assert [(told.n_calls, told.n_reused, told.cost_usd) for told in after[:2]] == [(0, 8, 0.0), (0, 2, 0.0)]


def test_a_saved_pair_is_judged_whatever_was_drawn_beside_it(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    other = replace(pair, baseline=replace(pair.baseline, documents=loaded.documents[:5]))
    with scripted(answering()) as server:
        seat = prompted_seat(server, n_agents=2)
        put(database, loaded, pair, [seat], bench_of(server))
        assert put(database, loaded, other, [seat], bench_of(server)) == Outcome(2, 2)
        assert len(panel_rows(database)) == 2
        assert asked_seats(database, loaded, other) == (seat,)


def test_a_first_question_that_fails_does_not_end_the_round(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    with scripted(in_turn(error(500), Step(act="cut"), completion(reply_to_simple()))) as server:
        put(database, loaded, pair, [prompted_seat(server, n_agents=3)], bench_of(server, concurrency=1))
    assert statuses(database, loaded) == {"failed": 2, "ok": 4}


def reply_to_simple() -> str:
    schema = {"score": {"type": "integer", "enum": list(range(1, 11))}, "explanation": {"type": "string"}}
    schema |= {"weakest_transition": {"type": "integer", "enum": [0, 1, 2, 3, 4]}}
    return reply_to({"response_format": {"json_schema": {"schema": {"properties": schema}}}})


def test_the_bench_and_the_outcome_never_show_the_key(database: Database) -> None:
    with scripted(answering()) as server:
        bench = bench_of(server)
        assert bench.endpoint is not None
        assert bench.endpoint.api_key not in repr(bench) + str(bench.endpoint) + repr(Outcome(0, 1, {NOT_HERE: 1}))


def test_a_collection_that_is_stored_can_be_deleted_with_what_was_said_of_it(
    database: Database, loaded: LoadedCollection, pair: StoryPair
) -> None:
    n = len(loaded.documents)
    save_collection(database, loaded.collection, loaded.documents, LoadReport(n, n, 2, duplicates=0, dropped=0))
    put(database, loaded, pair, [lexical_seat(loaded)], Bench())
    delete_collection(database, "towns")
    assert stored(database, loaded) == ()
    assert panel_rows(database) == []
