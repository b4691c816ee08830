import contextlib
import os
import random
import subprocess
import sys
import threading
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from narrative_core.errors import InvalidInput, StoreError
from narrative_core.judgements import Judgement, Question, RecordedModel, Status
from narrative_core.store.database import Database, open_database
from narrative_core.store.judgements import (
    judgement_counts,
    list_judgements,
    load_judgements,
    measured_use,
    recorded_models,
    save_judgement,
    save_judgements,
)
from tests.judgement_samples import HOSTILE, answered, flow_judgement, judgements, lexical_judgement, question, texts

ROOT = Path(__file__).parents[2]
FINAL: tuple[Status, ...] = ("ok", "unreadable", "refused")
PASSING: tuple[Status, ...] = ("timed out", "failed")


def stored(database: Database, one: Judgement) -> Judgement:
    return load_judgements(database, [one.question.question_id])[one.question.question_id]


@settings(max_examples=60, deadline=None)
@given(judgements, texts)
def test_a_judgement_comes_back_exactly(lasting_database: Database, one: Judgement, collection: str) -> None:
    with lasting_database.transaction() as cursor:
        cursor.execute("DELETE FROM judgements")
    save_judgement(lasting_database, collection, one)
    # The representation of a float is exact, and equal for nan.
    assert repr(stored(lasting_database, one)) == repr(one)
    assert repr(list_judgements(lasting_database, collection)) == repr((one,))


def test_the_table_has_a_column_for_each_field_of_question_and_judgement(database: Database) -> None:
    with database.reading() as cursor:
        rows = cursor.execute("SELECT column_name FROM duckdb_columns() WHERE table_name = 'judgements'").fetchall()
    names = [field.name for field in (*fields(Question), *fields(Judgement)) if field.name != "question"]
    assert sorted(row[0] for row in rows) == sorted(["question_id", "collection", *names])


def test_a_question_that_was_never_asked_is_left_out(database: Database) -> None:
    save_judgement(database, "news", answered(0))
    ids = [question(agent).question_id for agent in range(3)]
    assert load_judgements(database, ids) == {ids[0]: answered(0)}
    assert load_judgements(database, []) == {}


@pytest.mark.parametrize("former", FINAL)
@pytest.mark.parametrize("later", [*FINAL, *PASSING])
def test_a_judgement_with_a_reply_stays_whatever_comes_later(database: Database, former: Status, later: Status) -> None:
    first = replace(answered(), status=former)
    save_judgement(database, "news", first)
    save_judgement(database, "news", replace(answered(score=2), status=later))
    assert list_judgements(database, "news") == (first,)


@pytest.mark.parametrize("former", PASSING)
@pytest.mark.parametrize("later", [*FINAL, *PASSING])
def test_a_judgement_without_a_reply_gives_way_to_the_next(database: Database, former: Status, later: Status) -> None:
    save_judgement(database, "news", Judgement(question(), former, message="first"))
    second = Judgement(question(), later, message="second")
    save_judgement(database, "news", second)
    assert repr(list_judgements(database, "news")) == repr((second,))


def test_several_are_saved_in_the_order_in_which_they_came(database: Database) -> None:
    failed, ok, late = Judgement(question(), "failed"), answered(score=7), answered(score=2)
    assert save_judgements(database, "news", [failed, ok, late, answered(1)]) == 2
    assert list_judgements(database, "news") == (answered(score=7), answered(1))
    assert save_judgements(database, "news", [late, answered(1)]) == 0
    assert save_judgements(database, "news", []) == 0


def test_where_failures_are_kept_only_a_reply_takes_their_place(database: Database) -> None:
    first = Judgement(question(), "failed", message="first")
    save_judgement(database, "news", first)
    assert save_judgements(database, "news", [replace(first, message="second")], keep_failures=True) == 0
    assert repr(list_judgements(database, "news")) == repr((first,))
    assert save_judgements(database, "news", [answered()], keep_failures=True) == 1
    assert list_judgements(database, "news") == (answered(),)


def test_several_that_cannot_all_be_saved_are_not_saved(database: Database) -> None:
    with pytest.raises(InvalidInput):
        save_judgements(database, "news", [answered(0), replace(answered(1), reply="\ud800")])
    assert list_judgements(database, "news") == ()


def test_a_question_has_one_judgement_a_collection_and_the_one_with_a_reply_is_found_first(
    database: Database,
) -> None:
    later = "2027-01-01T00:00:00+00:00"
    save_judgement(database, "b", answered())
    save_judgement(database, "a", Judgement(question(), "failed", asked_at=later))
    assert stored(database, answered()) == answered()
    assert [len(list_judgements(database, name)) for name in ("a", "b")] == [1, 1]
    save_judgement(database, "c", replace(answered(score=3), asked_at=later))
    assert stored(database, answered()).score == 3


def test_judgements_are_listed_in_the_order_of_asking_and_by_what_was_asked(database: Database) -> None:
    everything = [answered(agent, story=story, model=model) for agent in (2, 0, 1) for story in "xy" for model in "mn"]
    everything += [flow_judgement("x"), lexical_judgement("y")]
    save_judgements(database, "news", random.Random(1).sample(everything, len(everything)))
    save_judgement(database, "olds", answered())
    found = list_judgements(database, "news")
    assert len(found) == len(everything)
    assert [(one.asked_at, one.place) for one in found] == sorted((one.asked_at, one.place) for one in found)
    assert {one.question.judge for one in list_judgements(database, "news", judge="flow")} == {"flow"}
    assert {one.question.model for one in list_judgements(database, "news", model="m")} == {"m"}
    assert len(list_judgements(database, "news", mode="simple")) == 12
    assert list_judgements(database, "news", mode="cot") == ()
    assert len(list_judgements(database, "news", story_hashes=["x"])) == 7
    assert len(list_judgements(database, "news", judge="openai", model="n", story_hashes=["x", "y", "z"])) == 6
    assert list_judgements(database, "news", story_hashes=[]) == ()
    assert list_judgements(database, "none such") == ()


def one_of(agent: int, n_agents: int, *, story: str = "story", model: str = "gpt-4.1") -> Judgement:
    """Return the answer of an agent of K, at its temperature."""
    reply = answered(agent, story=story, model=model)
    temperature = 0.5 if n_agents == 1 else round(0.3 + agent * 0.4 / (n_agents - 1), 4)
    return replace(reply, question=replace(reply.question, temperature=temperature))


def test_prompted_judges_with_a_reply_can_be_replayed(database: Database) -> None:
    save_judgements(database, "news", [one_of(0, 3), one_of(1, 3), replace(one_of(2, 3), status="refused")])
    save_judgements(database, "olds", [one_of(0, 1), one_of(0, 1, model="qwen")])
    save_judgements(database, "news", [Judgement(question(5, model="dead"), "timed out"), flow_judgement()])
    save_judgement(database, "news", replace(one_of(3, 4, model="qwen"), is_explained=False))
    one = RecordedModel("api.example.org", "gpt-4.1", "simple", "titles", True, 3, 3)
    single = replace(one, n_agents=1, n_judgements=1)
    assert recorded_models(database) == (
        one,
        single,
        replace(single, model="qwen", is_explained=False, n_agents=4),
        replace(single, model="qwen"),
    )
    assert recorded_models(database, "olds") == (single, replace(single, model="qwen"))


@pytest.mark.parametrize("n_agents", [1, 2, 3, 4, 5, 7, 9, 100, 1000])
def test_the_number_of_agents_follows_from_the_temperature_of_any_but_the_first(
    database: Database, n_agents: int
) -> None:
    first = min(1, n_agents - 1) if n_agents < 60 else n_agents // 2
    for agent in {*range(first, n_agents, max(1, n_agents // 7)), n_agents - 1}:
        save_judgement(database, f"by {agent}", one_of(agent, n_agents, story=str(agent)))
        assert [found.n_agents for found in recorded_models(database, f"by {agent}")] == [n_agents]


def test_stories_that_were_asked_about_with_another_k_are_two_judges(database: Database) -> None:
    save_judgements(database, "news", [one_of(agent, 3, story="a") for agent in range(3)])
    save_judgements(database, "news", [one_of(agent, 5, story="b") for agent in range(5)])
    assert [found.n_agents for found in recorded_models(database, "news")] == [5, 3]


def test_a_recording_with_an_absurd_agent_is_no_judge_of_two_billion_agents(database: Database) -> None:
    absurd = one_of(1, 2)
    save_judgement(database, "news", replace(absurd, question=replace(absurd.question, agent=2**31 - 1)))
    assert recorded_models(database, "news") == ()


def test_measured_use_is_the_mean_over_ok_judgements_that_tell_it(database: Database) -> None:
    asked = {"endpoint": "api.example.org", "model": "gpt-4.1"}
    assert measured_use(database, **asked, mode="simple") is None
    save_judgement(database, "news", replace(answered(0), status="unreadable", output_tokens=10**6))
    assert measured_use(database, **asked, mode="simple") is None
    for agent, n_in, n_out, seconds in ((1, 100, 10, 1.0), (2, 200, 40, 2.0), (3, 900, None, 6.0)):
        told = {"input_tokens": n_in, "output_tokens": n_out, "seconds": seconds}
        save_judgement(database, "news", replace(answered(agent), **told))
    use = measured_use(database, **asked, mode="simple")
    assert use is not None
    assert (use.n, use.n_tokens, use.input_tokens, use.output_tokens, use.seconds) == (3, 2, 150, 25, 3)
    assert measured_use(database, **asked, mode="cot") is None
    assert measured_use(database, **asked, mode=None) is None


def test_the_use_of_a_judge_without_tokens_is_unknown_but_its_time_is_not(database: Database) -> None:
    save_judgement(database, "news", replace(flow_judgement(), seconds=0.5))
    use = measured_use(database, endpoint="", model="gemma", mode=None)
    assert repr(use) == "MeasuredUse(n=1, n_tokens=0, input_tokens=nan, output_tokens=nan, seconds=0.5)"


def test_judgements_are_counted_by_how_they_ended(database: Database) -> None:
    ends: tuple[Status, ...] = ("ok", "ok", "refused", "timed out")
    save_judgements(database, "news", [replace(answered(i), status=status) for i, status in enumerate(ends)])
    save_judgements(database, "news", [flow_judgement("x"), flow_judgement("y")])
    save_judgement(database, "olds", lexical_judgement())
    flow, prompted = judgement_counts(database, "news")
    assert (flow.judge, flow.model, flow.endpoint, flow.mode, flow.counts) == ("flow", "gemma", "", None, {"ok": 2})
    assert (prompted.mode, prompted.endpoint, prompted.n_asked, prompted.n_ok) == ("simple", "api.example.org", 4, 2)
    assert prompted.counts == {"ok": 2, "refused": 1, "timed out": 1}
    assert judgement_counts(database, "none such") == ()


def test_unknown_numbers_are_null_so_that_an_average_skips_them(database: Database) -> None:
    save_judgements(database, "news", [answered(0, 4), answered(1, 8), Judgement(question(2), "failed")])
    save_judgement(database, "news", lexical_judgement())
    with database.reading() as cursor:
        query = "SELECT avg(score), count(score), count(*) FROM judgements WHERE judge = 'openai'"
        assert cursor.execute(query).fetchall() == [(6.0, 2, 3)]
        query = "SELECT criteria[2].score, criteria[1].reason FROM judgements WHERE judge = 'lexical'"
        assert cursor.execute(query).fetchall() == [(None, "Shared terms.")]
        query = "SELECT count(cost_usd), count(temperature), count(input_tokens) FROM judgements"
        assert cursor.execute(query).fetchall() == [(2, 3, 2)]


def test_an_unknown_link_score_is_null(database: Database) -> None:
    save_judgement(database, "news", replace(flow_judgement(), link_scores=(0.5, float("nan"))))
    with database.reading() as cursor:
        assert cursor.execute("SELECT link_scores FROM judgements").fetchall() == [([0.5, None],)]


def test_hostile_text_in_every_field_is_text_and_nothing_else(database: Database) -> None:
    asked = Question("openai", HOSTILE, HOSTILE, "cot", 0, 0.5, None, HOSTILE, "leads", HOSTILE, HOSTILE)
    one = Judgement(asked, "refused", reply=HOSTILE, message=HOSTILE, dropped=(HOSTILE,), first_reply=HOSTILE)
    save_judgement(database, HOSTILE, one)
    save_judgement(database, "news", answered())
    assert repr(list_judgements(database, HOSTILE, model=HOSTILE, story_hashes=[HOSTILE])) == repr((one,))
    assert repr(stored(database, one)) == repr(one)
    assert [found.model for found in recorded_models(database, HOSTILE)] == [HOSTILE]
    assert judgement_counts(database, HOSTILE)[0].n_asked == 1
    assert measured_use(database, endpoint=HOSTILE, model=HOSTILE, mode="cot") is None
    assert list_judgements(database, "' OR '1'='1") == ()
    assert list_judgements(database, "news") == (answered(),)


def test_a_reply_of_a_megabyte_is_kept_to_the_last_sign(database: Database) -> None:
    one = replace(answered(), status="unreadable", reply="ü\0" * 500_000 + "end", first_reply="x" * 10**6)
    save_judgement(database, "news", one)
    assert stored(database, one) == one


@pytest.mark.parametrize("field", ["reply", "message", "explanation", "first_reply", "asked_at"])
def test_half_a_surrogate_pair_is_refused_and_nothing_is_stored(database: Database, field: str) -> None:
    with pytest.raises(InvalidInput, match="half of a surrogate pair"):
        save_judgement(database, "news", replace(answered(), **{field: "a\ud83d"}))
    assert list_judgements(database, "news") == ()


def test_a_job_saves_while_a_page_reads(database: Database) -> None:
    failures: list[Exception] = []

    def work(first: int) -> None:
        try:
            for agent in range(first, first + 20):
                save_judgement(database, "news", answered(agent))
        except StoreError as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(first,)) for first in (0, 20, 40)]
    for thread in threads:
        thread.start()
    seen = [0]
    while any(thread.is_alive() for thread in threads):
        seen.append(len(list_judgements(database, "news")))
    for thread in threads:
        thread.join()
    assert failures == []
    assert seen == sorted(seen)
    assert len(list_judgements(database, "news")) == 60


KILLED = """
import os, sys
from pathlib import Path
from narrative_core.store.database import open_database
from narrative_core.store.judgements import save_judgement
from tests.judgement_samples import answered
database = open_database(Path(sys.argv[1]))
for agent in range(3):
    save_judgement(database, "news", answered(agent))
os._exit(9)
"""


def test_a_judgement_that_was_saved_is_there_after_the_process_was_killed(path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(path)], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False
    )
    assert done.returncode == 9
    with contextlib.closing(open_database(path)) as database:
        assert list_judgements(database, "news") == (answered(0), answered(1), answered(2))


def test_a_recording_with_the_first_agents_alone_is_offered_as_two(database: Database) -> None:
    save_judgement(database, "news", one_of(0, 5))
    assert [(found.n_agents, found.n_judgements) for found in recorded_models(database, "news")] == [(2, 1)]
