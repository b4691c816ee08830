import math
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_run_samples import LABELS, NAN, PROMPTED, SEATS, asked, run, save_answered_run, stories
from store_samples import HOSTILE, floats, save_sample, texts

from narrative_core.errors import InvalidInput
from narrative_core.judgements import Judgement, Seat
from narrative_core.runs import Cutoffs, Design, Made, Run, RunSettings, RunStory, Stratum, StratumCount
from narrative_core.store.collections import delete_collection
from narrative_core.store.database import Database
from narrative_core.store.judgements import list_judgements, save_judgements
from narrative_core.store.runs import (
    RunQuestion,
    delete_run,
    list_runs,
    load_run,
    load_run_questions,
    load_run_stories,
    load_run_table,
    rename_run,
    run_judgements,
    save_run,
)

PARTS = ("runs", "run_seats", "run_stories", "run_questions")
RUN_ID = "run-1"


def counts(database: Database) -> dict[str, int]:
    with database.reading() as cursor:
        return {part: cursor.execute(f"SELECT count(*) FROM {part}").fetchall()[0][0] for part in PARTS}


def one_story_run(database: Database, said: list[Judgement | None], seat: Seat = PROMPTED) -> None:
    """Save a run of one story and one seat whose agents ended like this."""
    told = stories(1)[:1]
    one = replace(run(), settings=replace(run().settings, seats=(seat,)))
    save_run(database, one, ["judge"], told, [question for question, _ in asked(told, (seat,))])
    save_judgements(database, "news", [judgement for judgement in said if judgement is not None])


def ended(agent: int, status: str, **told: object) -> Judgement:
    """Return how the question to an agent in `one_story_run` ended."""
    question = [put for _, put in asked(stories(1)[:1], (PROMPTED,))][agent]
    return Judgement(question, status, **told)  # type: ignore[arg-type]


def test_a_run_comes_back_as_it_was_saved(database: Database) -> None:
    save_run(database, run(), LABELS, stories(), [])
    assert repr(load_run(database, RUN_ID)) == repr(run())
    assert list(load_run(database, RUN_ID).settings.shares) == ["within short", "extremes"]
    assert repr(load_run_stories(database, RUN_ID)) == repr(stories())


names = st.sampled_from(get_args(Stratum))


@settings(max_examples=30, deadline=None)
@given(
    st.builds(
        Run,
        run_id=st.just(""),
        name=texts,
        settings=st.builds(
            RunSettings,
            collection=texts,
            n_pairs=st.integers(0, 2**31 - 1),
            seats=st.lists(
                st.builds(
                    Seat,
                    st.sampled_from(["openai", "flow", "lexical"]),
                    texts,
                    texts,
                    st.sampled_from([None, "simple", "complex"]),
                    st.integers(1, 1000),
                    st.sampled_from(["titles", "leads"]),
                    st.booleans(),
                    texts,
                ),
                max_size=3,
            ).map(tuple),
            seed=st.integers(0, 2**128 - 1),
            design=st.sampled_from(get_args(Design)),
            shares=st.dictionaries(names, st.floats(0, 1)),
            cutoffs=st.builds(Cutoffs, *[st.floats(0, 1)] * 4),
            divergence=st.sampled_from([None, "root", "plain", "base2"]),
            endpoints_of=texts,
        ),
        landscape_id=texts,
        divergence=st.sampled_from(["root", "plain", "base2"]),
        critical_coherence=floats,
        median_link=floats,
        embedding_model=texts,
        created_at=texts,
        strata=st.lists(st.builds(StratumCount, names, *[st.integers(0, 9999)] * 3), max_size=3).map(tuple),
        versions=st.dictionaries(texts, texts, max_size=3),
    ),
    st.lists(
        st.builds(
            RunStory,
            pair=st.integers(0, 2**31 - 1),
            made=st.sampled_from(get_args(Made)),
            document_ids=st.lists(texts, max_size=3).map(tuple),
            strengths=st.lists(floats, min_size=1, max_size=3).map(tuple),
            stratum=st.none() | names,
            span_days=floats,
            efficiency=floats,
            weak_share=floats,
            story_hash=texts,
        ),
        max_size=4,
        unique_by=lambda story: (story.pair, story.made),
    ),
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_what_is_saved_of_a_run_comes_back(lasting_database: Database, one: Run, told: list[RunStory]) -> None:
    one = replace(one, run_id=uuid.uuid4().hex)
    save_run(lasting_database, one, [f"judge {i}" for i in range(len(one.settings.seats))], told, [])
    assert repr(load_run(lasting_database, one.run_id)) == repr(one)
    order = list(get_args(Made))
    expected = sorted(told, key=lambda story: (story.pair, order.index(story.made)))
    assert repr(load_run_stories(lasting_database, one.run_id)) == repr(tuple(expected))
    delete_run(lasting_database, one.run_id)


def test_stories_and_questions_come_by_pair_and_then_by_how_they_were_made(database: Database) -> None:
    made: tuple[Made, ...] = get_args(Made)
    told = [RunStory(pair, kind, ("a", "b"), (0.5,), story_hash=f"{pair}{kind}") for pair in (0, 1) for kind in made]
    questions = [question for question, _ in asked(tuple(told))]
    save_run(database, run(), LABELS, told[::-1], questions[::-1])
    assert [(one.pair, one.made) for one in load_run_stories(database, RUN_ID)] == [
        (pair, kind) for pair in (0, 1) for kind in made
    ]
    assert load_run_questions(database, RUN_ID) == tuple(questions)
    assert load_run_table(database, RUN_ID).stories == load_run_stories(database, RUN_ID)


def test_the_metrics_of_a_story_are_stored_beside_it(database: Database) -> None:
    story = RunStory(0, "trail", ("a", "b", "c"), (0.8, 0.4), span_days=3.0, weak_share=0.5)
    save_run(database, run(), LABELS, [story], [])
    with database.reading() as cursor:
        row = cursor.execute(
            "SELECT bottleneck, mean, n_documents, span_days, variance, efficiency, weak_share FROM run_stories"
        ).fetchall()[0]
    assert row == (0.4, pytest.approx(0.6), 3, 3.0, pytest.approx(0.08), None, 0.5)


def test_the_table_of_a_run_holds_what_became_of_each_question(database: Database) -> None:
    told, outcome = save_answered_run(database)
    save_answered_run(database, run("another", "papers", created_at="2027"), n_pairs=3, seed=8)
    table = load_run_table(database, RUN_ID)
    assert repr(table.run) == repr(run())
    assert repr(table.stories) == repr(told)
    assert [(one.seat, one.label) for one in table.seats] == list(zip(SEATS, LABELS, strict=True))
    for place, seat in enumerate(table.seats):
        said = {(q.pair, q.made, q.agent): judgement for q, judgement in outcome.items() if q.seat == place}
        assert seat.counts == Counter(judgement.status for judgement in said.values() if judgement)
        assert seat.n_unasked == sum(judgement is None for judgement in said.values())
        for row, story in enumerate(told):
            agents = [said[story.pair, story.made, agent] for agent in range(seat.seat.n_agents)]
            scores = [judgement.score if judgement else NAN for judgement in agents]
            np.testing.assert_array_equal(seat.scores[row], scores)
            replied = [one for one in agents if one and one.is_final]
            for name in ("seconds", "input_tokens", "output_tokens", "cost_usd"):
                numbers = [getattr(one, name) for one in replied]
                expected = sum(numbers) if numbers and None not in numbers else NAN
                np.testing.assert_allclose(getattr(seat, name)[row], expected)
            named = Counter(one.weakest_step for one in agents if one and one.weakest_step is not None)
            best = min(named, key=lambda step: (-named[step], step)) if named else NAN
            np.testing.assert_array_equal(seat.weakest_steps[row], best)
    assert table.seats[0].n_unasked > 0
    assert set(table.seats[0].counts) == {"ok", "unreadable", "refused", "timed out", "failed"}
    assert np.isnan(table.seats[1].cost_usd).all()


def test_the_view_of_scores_agrees_with_the_table(database: Database) -> None:
    save_answered_run(database)
    table = load_run_table(database, RUN_ID)
    with database.reading() as cursor:
        rows = cursor.execute(
            "SELECT score_mean, score_sd, n_ok, bottleneck, mean_coherence, label FROM run_scores ORDER BY seat, pair,"
            " made DESC"
        ).fetchall()
    columns = [np.array(column, dtype=object) for column in zip(*rows, strict=True)]
    stacked = np.concatenate([seat.means for seat in table.seats]), np.concatenate([seat.sds for seat in table.seats])
    np.testing.assert_allclose(columns[0].astype(float), stacked[0])
    np.testing.assert_allclose(columns[1].astype(float), stacked[1], atol=1e-12)
    assert columns[2].sum() == sum(seat.counts["ok"] for seat in table.seats)
    np.testing.assert_allclose(columns[3].astype(float), np.tile(table.metric("minimum"), 2))
    np.testing.assert_allclose(columns[4].astype(float), np.tile(table.metric("average"), 2))
    assert list(columns[5]) == [label for label in LABELS for _ in table.stories]


def test_tokens_that_one_reply_does_not_tell_make_the_sum_unknown(database: Database) -> None:
    said: list[Judgement | None] = [
        ended(0, "ok", score=5.0, input_tokens=10, output_tokens=1, seconds=1.0, cost_usd=0.5),
        ended(1, "ok", score=6.0, input_tokens=None, output_tokens=2, seconds=2.0, cost_usd=NAN),
        ended(2, "failed", output_tokens=None, seconds=4.0),
    ]
    one_story_run(database, said)
    (seat,) = load_run_table(database, RUN_ID).seats
    assert (seat.seconds[0], seat.output_tokens[0]) == (3.0, 3.0)
    assert math.isnan(seat.input_tokens[0])
    assert math.isnan(seat.cost_usd[0])


def test_a_story_without_a_reply_took_nothing_that_is_known(database: Database) -> None:
    one_story_run(database, [ended(0, "failed", seconds=3.0), None, None])
    (seat,) = load_run_table(database, RUN_ID).seats
    assert (dict(seat.counts), seat.n_unasked) == ({"failed": 1}, 2)
    assert np.isnan([seat.seconds[0], seat.input_tokens[0], seat.cost_usd[0], seat.weakest_steps[0]]).all()


@pytest.mark.parametrize(
    ("steps", "weakest"), [((2, 1, 2), 2), ((3, 1, 2), 1), ((None, 2, None), 2), ((None, None, None), NAN)]
)
def test_the_weakest_link_is_the_one_most_agents_name_and_the_earlier_of_equals(
    database: Database, steps: tuple[int | None, ...], weakest: float
) -> None:
    one_story_run(database, [ended(agent, "ok", score=5.0, weakest_step=step) for agent, step in enumerate(steps)])
    np.testing.assert_array_equal(load_run_table(database, RUN_ID).seats[0].weakest_steps, [weakest])


def test_a_judgement_of_another_collection_is_not_of_the_run(database: Database) -> None:
    one_story_run(database, [])
    save_judgements(database, "papers", [ended(0, "ok", score=5.0)])
    assert load_run_table(database, RUN_ID).seats[0].n_unasked == 3
    assert list_runs(database)[0].n_answered == 0
    assert run_judgements(database, RUN_ID, 0) == ()


def test_stories_that_are_equal_share_a_judgement(database: Database) -> None:
    told = (RunStory(0, "trail", ("a", "b"), (0.5,)), RunStory(1, "baseline", ("a", "b"), (0.5,)))
    pairs = list(asked(told))
    save_run(database, run(), LABELS, told, [question for question, _ in pairs])
    save_judgements(database, "news", [Judgement(put, "ok", 7.0) for _, put in pairs])
    np.testing.assert_array_equal(load_run_table(database, RUN_ID).seats[0].scores, np.full((2, 3), 7.0))
    assert len(list_judgements(database, "news")) == 4


def test_a_run_with_nothing_in_it_has_an_empty_table(database: Database) -> None:
    save_run(database, run(), LABELS, [], [])
    table = load_run_table(database, RUN_ID)
    assert table.stories == ()
    assert [seat.scores.shape for seat in table.seats] == [(0, 3), (0, 1)]
    assert [(dict(seat.counts), seat.n_unasked) for seat in table.seats] == [({}, 0), ({}, 0)]
    summary = list_runs(database)[0]
    assert (summary.n_stories, summary.n_questions, summary.n_answered) == (0, 0, 0)


def test_runs_are_listed_the_newest_first_with_how_far_they_are(database: Database) -> None:
    _, outcome = save_answered_run(database, run("old", created_at="2026-01-01T00:00:00+00:00"))
    save_run(database, run("new", created_at="2026-02-01T00:00:00+00:00"), LABELS, stories(2), [])
    sanity = replace(run("papers", "papers"), settings=replace(run("papers", "papers").settings, design="sanity"))
    save_run(database, replace(sanity, created_at="2026-02-01T00:00:00+00:00"), LABELS, [], [])
    listed = list_runs(database)
    assert [one.run.run_id for one in listed] == ["papers", "new", "old"]
    assert repr(listed[2].run) == repr(load_run(database, "old"))
    n_answered = sum(judgement is not None and judgement.is_final for judgement in outcome.values())
    assert (listed[2].n_stories, listed[2].n_questions, listed[2].n_answered) == (16, 64, n_answered)
    assert (listed[1].n_stories, listed[1].n_questions) == (4, 0)
    assert [one.run.run_id for one in list_runs(database, "news")] == ["new", "old"]
    assert [one.run.run_id for one in list_runs(database, design="sanity")] == ["papers"]
    assert list_runs(database, "news", "sanity") == ()


def test_the_replies_about_a_pair_come_with_their_questions(database: Database) -> None:
    _, outcome = save_answered_run(database)
    expected = tuple((question, said) for question, said in outcome.items() if question.pair == 2 and said)
    assert repr(run_judgements(database, RUN_ID, 2)) == repr(expected)
    assert len(expected) > 3
    assert run_judgements(database, RUN_ID, 99) == ()


def test_a_run_gets_another_name_and_nothing_else_changes(database: Database) -> None:
    save_run(database, run(), LABELS, [], [])
    save_run(database, run("other"), LABELS, [], [])
    rename_run(database, RUN_ID, HOSTILE)
    assert repr(load_run(database, RUN_ID)) == repr(replace(run(), name=HOSTILE))
    assert load_run(database, "other").name == "The first run"


def test_deleting_a_run_leaves_its_judgements_and_the_other_runs(database: Database) -> None:
    save_answered_run(database)
    save_answered_run(database, run("kept"))
    before = list_judgements(database, "news")
    delete_run(database, RUN_ID)
    assert repr(list_judgements(database, "news")) == repr(before)
    assert counts(database) == {"runs": 1, "run_seats": 2, "run_stories": 16, "run_questions": 64}
    assert [one.run.run_id for one in list_runs(database)] == ["kept"]
    save_answered_run(database)


def test_the_runs_of_a_deleted_collection_go_with_it_unless_they_are_kept(database: Database) -> None:
    save_sample(database, "news")
    save_answered_run(database)
    save_answered_run(database, run("other", "papers"))
    delete_collection(database, "news", keep_stories=True)
    assert len(list_runs(database)) == 2
    save_sample(database, "news")
    delete_collection(database, "news")
    assert counts(database) == {"runs": 1, "run_seats": 2, "run_stories": 16, "run_questions": 64}


@pytest.mark.parametrize(
    "use",
    [
        load_run,
        load_run_stories,
        load_run_questions,
        load_run_table,
        delete_run,
        lambda database, run_id: run_judgements(database, run_id, 0),
        lambda database, run_id: rename_run(database, run_id, "x"),
    ],
)
@pytest.mark.parametrize("run_id", ["nope", HOSTILE, "%"])
def test_a_run_that_is_not_there_is_refused(
    database: Database, use: Callable[[Database, str], object], run_id: str
) -> None:
    save_run(database, run(), LABELS, [], [])
    with pytest.raises(InvalidInput, match=r"^There is no run "):
        use(database, run_id)


def test_an_id_is_used_once(database: Database) -> None:
    save_run(database, run(), LABELS, stories(), [])
    with pytest.raises(InvalidInput, match="is saved already"):
        save_run(database, run(), LABELS, [], [])
    assert len(load_run_stories(database, RUN_ID)) == 16


@pytest.mark.parametrize(
    ("labels", "told", "questions", "message"),
    [
        (["one"], stories(1), [], "one label a judge"),
        (["same", "same"], stories(1), [], "one label a judge"),
        (LABELS, [*stories(1), stories(1)[0]], [], r"\(0, 'trail'\) repeats"),
        (LABELS, [RunStory(0, "trail", ("a",), ())], [], "at least one link"),
        (LABELS, stories(1), [RunQuestion(1, "trail", 0, 0, "q")], "about a story of the run"),
        (LABELS, stories(1), [RunQuestion(0, "shuffled", 0, 0, "q")], "about a story of the run"),
        (LABELS, stories(1), [RunQuestion(0, "trail", 2, 0, "q")], "an agent of one of its judges"),
        (LABELS, stories(1), [RunQuestion(0, "trail", -1, 0, "q")], "an agent of one of its judges"),
        (LABELS, stories(1), [RunQuestion(0, "trail", 1, 1, "q")], "an agent of one of its judges"),
        (LABELS, stories(1), [RunQuestion(0, "trail", 0, 0, "q"), RunQuestion(0, "trail", 0, 0, "p")], "repeats"),
        (LABELS, stories(1), [RunQuestion(0, "trail", 0, 0, "\ud800")], "valid Unicode"),
    ],
)
def test_what_does_not_belong_together_is_refused_and_nothing_is_saved(
    database: Database, labels: list[str], told: list[RunStory], questions: list[RunQuestion], message: str
) -> None:
    with pytest.raises(InvalidInput, match=message):
        save_run(database, run(), labels, told, questions)
    assert set(counts(database).values()) == {0}
