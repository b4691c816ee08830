import contextlib
import math
from collections import Counter, defaultdict
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray
from store_run_samples import LABELS, run, save_answered_run
from store_samples import DOCUMENTS, save_sample

from narrative_core.judgements import Judgement
from narrative_core.run_comparison import disputed
from narrative_core.runs import RunStory, RunTable
from narrative_core.store.console import QueryResult, query
from narrative_core.store.database import Database, open_database
from narrative_core.store.runs import RunQuestion, load_run_table
from narrative_core.store.worked_queries import WORKED_QUERIES, WorkedQuery

Answered = tuple[Database, tuple[RunStory, ...], dict[RunQuestion, Judgement | None]]
BY_TITLE = {one.title: one.sql for one in WORKED_QUERIES}


def rows(result: QueryResult) -> list[dict[str, object]]:
    return [dict(zip(result.columns, row, strict=True)) for row in result.rows]


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answered]:
    """A database with an older run, which the queries leave alone, and the one that they are about."""
    with contextlib.closing(open_database(tmp_path_factory.mktemp("worked") / "answered.duckdb")) as database:
        save_sample(database)
        save_answered_run(database, run("older", "papers", created_at="2025-01-01T00:00:00+00:00"), n_pairs=4, seed=9)
        yield database, *save_answered_run(database, n_pairs=30)


def asked(answered: Answered, title: str) -> list[dict[str, object]]:
    return rows(query(answered[0], BY_TITLE[title]))


def table(answered: Answered) -> RunTable:
    return load_run_table(answered[0], "run-1")


def both(found: RunTable, scores: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the scores of trails and of random chronologies that there are."""
    trails, baselines = scores[found.rows("trail")], scores[found.rows("baseline")]
    return trails[~np.isnan(trails)], baselines[~np.isnan(baselines)]


def test_there_are_a_dozen_each_with_a_title_of_its_own() -> None:
    assert len(WORKED_QUERIES) >= 12
    assert len(BY_TITLE) == len(WORKED_QUERIES)
    assert all(one.told.endswith(".") and one.sql for one in WORKED_QUERIES)


@pytest.mark.parametrize("one", WORKED_QUERIES, ids=lambda one: one.title)
def test_each_runs_on_an_empty_database(database: Database, one: WorkedQuery) -> None:
    assert query(database, one.sql).rows == ()


@pytest.mark.parametrize("one", WORKED_QUERIES, ids=lambda one: one.title)
def test_each_has_rows_where_there_is_a_run(answered: Answered, one: WorkedQuery) -> None:
    result = query(answered[0], one.sql)
    assert result.rows
    assert len(set(result.columns)) == len(result.columns)


def test_lengths_are_those_of_the_newest_run(answered: Answered) -> None:
    found = table(answered)
    for row in asked(answered, "Lengths by method"):
        lengths = found.metric("length")[found.rows(row["made"])]  # type: ignore[arg-type]
        assert row["n"] == len(lengths) == 30
        expected = (lengths.mean(), lengths.std(ddof=1), lengths.min(), lengths.max())
        assert (row["mean"], row["sd"], row["minimum"], row["maximum"]) == pytest.approx(expected)


def test_minimum_coherence_is_that_of_the_strengths(answered: Answered) -> None:
    found = table(answered)
    for row in asked(answered, "Minimum coherence by method"):
        weakest = found.metric("minimum")[found.rows(row["made"])]  # type: ignore[arg-type]
        average = found.metric("average")[found.rows(row["made"])]  # type: ignore[arg-type]
        expected = (30, 0, weakest.mean(), weakest.std(ddof=1), average.mean(), average.std(ddof=1))
        assert tuple(row.values())[1:] == pytest.approx(expected)


def test_r_is_pearsons_over_the_stories_with_a_score(answered: Answered) -> None:
    found = table(answered)
    for row, seat in zip(asked(answered, "Pearson's r of each judge with coherence"), found.seats, strict=True):
        is_given = ~np.isnan(seat.means)
        for name, metric in (("r_minimum", "minimum"), ("r_average", "average")):
            r = np.corrcoef(seat.means[is_given], found.metric(metric)[is_given])[0, 1]  # type: ignore[arg-type]
            assert row[name] == pytest.approx(r)
        assert (row["label"], row["n"], row["n_skipped"]) == (seat.label, is_given.sum(), (~is_given).sum())


def test_d_has_the_pooled_standard_deviation(answered: Answered) -> None:
    found = table(answered)
    for row, seat in zip(asked(answered, "Cohen's d by judge"), found.seats, strict=True):
        trails, baselines = both(found, seat.means)
        n1, n2 = len(trails), len(baselines)
        pooled = math.sqrt(((n1 - 1) * trails.var(ddof=1) + (n2 - 1) * baselines.var(ddof=1)) / (n1 + n2 - 2))
        assert row["d"] == pytest.approx((trails.mean() - baselines.mean()) / pooled)
        assert (row["n_trails"], row["n_baselines"]) == (n1, n2)


def test_the_area_counts_every_trail_against_every_random_chronology(
    answered: Answered,
) -> None:
    found = table(answered)
    for row, seat in zip(asked(answered, "AUC by judge, from rank sums"), found.seats, strict=True):
        trails, baselines = both(found, seat.means)
        wins = (trails[:, None] > baselines).sum() + 0.5 * (trails[:, None] == baselines).sum()
        assert (trails[:, None] == baselines).any()
        assert row["auc"] == pytest.approx(wins / (len(trails) * len(baselines)))


def test_pairs_are_compared_within_themselves(answered: Answered) -> None:
    found = table(answered)
    for row, seat in zip(asked(answered, "How often each judge prefers the trail"), found.seats, strict=True):
        difference = seat.means[found.rows("trail")] - seat.means[found.rows("baseline")]
        counts = [(difference > 0).sum(), (difference < 0).sum(), (difference == 0).sum(), np.isnan(difference).sum()]
        assert [row["higher"], row["lower"], row["same"], row["n_skipped"]] == counts
        assert row["mean_difference"] == pytest.approx(np.nanmean(difference))


def test_spread_is_the_mean_standard_deviation_in_each_band(answered: Answered) -> None:
    seat = table(answered).seats[0]
    spreads = defaultdict(list)
    for mean, sd in zip(seat.means, seat.sds, strict=True):
        if not np.isnan(sd):
            spreads[math.floor(mean)].append(sd)
    found = asked(answered, "Agents' spread by judge and score")
    assert {row["seat"] for row in found} == {0}
    assert {row["score_from"]: (row["n"], row["mean_sd"]) for row in found} == {
        band: (len(sds), pytest.approx(np.mean(sds), abs=1e-9)) for band, sds in spreads.items()
    }


def test_every_question_without_a_score_is_counted(
    answered: Answered,
) -> None:
    expected = Counter(
        (LABELS[question.seat], said.status if said else None, said.message if said else None)
        for question, said in answered[2].items()
        if said is None or said.status != "ok"
    )
    found = asked(answered, "Judgements without a score, and why")
    assert {(row["label"], row["status"], row["message"]): row["n"] for row in found} == dict(expected)
    assert None in {row["status"] for row in found}


def test_use_is_averaged_over_the_stories_that_tell_it(answered: Answered) -> None:
    found = asked(answered, "Time, tokens and cost per story, by judge and mode")
    for row, seat in zip(found, table(answered).seats, strict=True):
        assert (row["mode"], row["n_stories"]) == (seat.seat.mode, 60)
        assert row["seconds"] == pytest.approx(np.nanmean(seat.seconds))
        assert row["n_tokens"] == (~np.isnan(seat.input_tokens)).sum()
        assert row["input_tokens"] == pytest.approx(np.nanmean(seat.input_tokens))
    assert found[0]["cost_usd_in_all"] == pytest.approx(np.nansum(table(answered).seats[0].cost_usd))
    assert (found[1]["n_costs"], found[1]["cost_usd_in_all"]) == (0, None)


def test_named_links_are_held_against_the_first_of_least_coherence(answered: Answered) -> None:
    found = table(answered)
    weakest = np.array([np.argmin(story.strengths) for story in found.stories])
    n_links = np.array([len(story.strengths) for story in found.stories])
    title = "Weakest links: judges against the mathematics"
    for row, seat in zip(asked(answered, title), found.seats, strict=True):
        is_named = ~np.isnan(seat.weakest_steps)
        assert (row["n"], row["n_skipped"]) == (is_named.sum(), (~is_named).sum())
        assert row["same_link"] == pytest.approx((seat.weakest_steps == weakest)[is_named].mean())
        assert row["by_chance"] == pytest.approx((1 / n_links)[is_named].mean())


def test_the_documents_of_a_story_stand_in_its_order(
    answered: Answered,
) -> None:
    story = answered[1][0]
    titles = {document.document_id: document.title for document in DOCUMENTS}
    found = asked(answered, "The documents of a story in order")
    assert [row["document_id"] for row in found] == list(story.document_ids)
    assert [row["title"] for row in found] == [titles.get(name) for name in story.document_ids]
    assert [row["coherence_to_next"] for row in found] == [*story.strengths, None]


def test_rejected_pairs_are_told_by_kind(answered: Answered) -> None:
    found = query(answered[0], BY_TITLE["Endpoint pairs by kind, with those rejected"])
    assert found.rows == (("extremes", 6, 5, 4), ("within short", 2, 2, 1))


def test_raw_replies_are_those_of_the_first_pair(
    answered: Answered,
) -> None:
    found = asked(answered, "Raw replies with the hash of their prompt")
    said = [judgement for question, judgement in answered[2].items() if question.pair == 0 and judgement]
    assert sorted(str(row["reply"]) for row in found) == sorted(judgement.reply for judgement in said)
    assert {row["prompt_hash"] for row in found} == {"prompt 0", "prompt 1"}


def test_every_judgement_of_the_run_has_its_minute(
    answered: Answered,
) -> None:
    expected = Counter((q.seat, said.asked_at[:16]) for q, said in answered[2].items() if said)
    found = asked(answered, "Judging over time")
    assert {(row["seat"], row["minute"]): row["n"] for row in found} == dict(expected)


def test_the_story_most_disputed_comes_first(answered: Answered) -> None:
    found = asked(answered, "Where a judge and the mathematics differ most")
    distances = [abs(float(str(row["distance"]))) for row in found]
    assert len(found) == 20
    assert distances == sorted(distances, reverse=True)
    run = table(answered)
    expected = {
        (place, run.stories[one.row].pair, run.stories[one.row].made): one.distance
        for place, seat in enumerate(run.seats)
        for one in disputed(seat.means, run.metric("minimum"), most=len(run.stories))
    }
    furthest = sorted(map(abs, expected.values()), reverse=True)[:20]
    assert distances == pytest.approx(furthest)
    for row in found:
        assert row["distance"] == pytest.approx(expected[row["seat"], row["pair"], row["made"]])  # type: ignore[index]
