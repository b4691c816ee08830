import json
import math
import warnings
from dataclasses import asdict, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from narrative_core.errors import InvalidInput
from narrative_core.run_comparison import compare_measures, compare_runs, disputed
from narrative_core.runs import RunTable
from tests.run_samples import FLOW, LEXICAL, NAN, SIMPLE, STANDARD, sample_table, seat_scores, story, table_of

FAST = 50


def named(table: RunTable, name: str, collection: str = "spaceflight") -> RunTable:
    settings = replace(table.run.settings, collection=collection)
    return replace(table, run=replace(table.run, name=name, settings=settings))


def two_runs() -> tuple[RunTable, RunTable]:
    """Two runs of three pairs; the second has other documents between the same ends, and its own third pair."""
    first = [
        story(0, "trail", (0.9, 0.8)),
        story(0, "baseline", (0.4,)),
        story(1, "trail", (0.7,)),
        story(1, "baseline", (0.3,)),
        story(2, "trail", (0.6,)),
    ]
    second = [
        story(0, "trail", (0.5,), ids=("a1", "b1")),
        story(1, "trail", (0.6, 0.7, 0.9), ids=("a0", "x", "y", "b0")),
        story(1, "baseline", (0.5,), ids=("a0", "b0")),
        story(2, "trail", (0.6,), ids=("a2", "another")),
    ]
    return (
        named(table_of(first, [seat_scores(SIMPLE, [8, 4, 7, 3, 6], label="GPT")]), "One"),
        named(table_of(second, [seat_scores(SIMPLE, [5, 6, NAN, 6], label="GPT")]), "Two"),
    )


def test_stories_of_two_runs_match_by_their_ends_and_how_they_were_made() -> None:
    found = compare_runs(*two_runs(), "minimum", n_resamples=FAST)
    assert list(found.differences) == ["trail", "baseline", "all"]
    trails, chance, whole = (found.differences[kind].difference for kind in ("trail", "baseline", "all"))
    assert (trails.value, trails.n) == (pytest.approx(((0.8 - 0.6) + (0.7 - 0.5)) / 2), 2)
    assert (chance.value, chance.n) == (pytest.approx(0.4 - 0.5), 1)
    assert (whole.value, whole.n) == (pytest.approx((0.2 + 0.2 - 0.1) / 3), 3)
    assert found.n_unmatched == 3  # two of the first run, one of the second


def test_both_names_say_what_is_measured_and_in_which_run() -> None:
    first, second = two_runs()
    found = compare_runs(first, second, "minimum", n_resamples=FAST)
    assert (found.first, found.second) == ("weakest link · One", "weakest link · Two")
    found = compare_runs(first, second, SIMPLE, n_resamples=FAST)
    assert (found.first, found.second) == ("GPT · One", "GPT · Two")


def test_a_matched_story_without_a_score_is_skipped_and_not_unmatched() -> None:
    found = compare_runs(*two_runs(), SIMPLE, n_resamples=FAST)
    assert (found.differences["trail"].difference.value, found.differences["trail"].difference.n) == (2, 2)
    baseline = found.differences["baseline"].difference
    assert (baseline.n, baseline.n_skipped) == (0, 1)
    assert (found.differences["all"].difference.n_skipped, found.n_unmatched) == (1, 3)


def test_the_other_way_round_every_difference_has_the_other_sign() -> None:
    first, second = sample_table(20, seed=1), sample_table(20, seed=2)
    one = compare_runs(first, second, "average", n_resamples=FAST)
    other = compare_runs(second, first, "average", n_resamples=FAST)
    for kind, found in one.differences.items():
        assert found.difference.value == pytest.approx(-other.differences[kind].difference.value)
    assert one.association.pearson.value == pytest.approx(other.association.pearson.value)


def test_a_run_compared_with_itself_differs_in_nothing() -> None:
    table = sample_table(20, missing=0.1)
    found = compare_runs(table, table, SIMPLE, n_resamples=FAST)
    assert found.n_unmatched == 0
    assert {one.difference.value for one in found.differences.values()} == {0}
    assert found.association.spearman.value == pytest.approx(1)


def test_a_trail_does_not_match_a_random_chronology_between_its_ends() -> None:
    first = table_of([story(0, "trail", (0.9,)), story(0, "baseline", (0.4,))], [])
    second = table_of([story(0, "baseline", (0.1,)), story(0, "trail", (0.7,)), story(1, "baseline", (0.2,))], [])
    found = compare_runs(first, second, "minimum", n_resamples=FAST)
    assert {kind: one.difference.value for kind, one in found.differences.items()} == pytest.approx(
        {"trail": 0.2, "baseline": 0.3, "all": 0.25}
    )
    assert compare_runs(first, table_of(second.stories[:1], []), "minimum").n_unmatched == 1


def test_several_stories_between_the_same_ends_match_in_their_order() -> None:
    ids = ("a", "b")
    first = table_of([story(pair, "mixed", (0.1 * pair,), ids=ids) for pair in (1, 2, 3)], [], design="mixtures")
    second = table_of([story(pair, "mixed", (0.1 * pair + 0.5,), ids=ids) for pair in (1, 2)], [], design="mixtures")
    found = compare_runs(first, second, "minimum", n_resamples=FAST)
    assert (found.differences["mixed"].difference.value, found.differences["mixed"].sd) == (pytest.approx(-0.5), 0)
    assert found.n_unmatched == 1


def test_runs_of_different_collections_have_no_story_in_common() -> None:
    table = sample_table(5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = compare_runs(table, named(table, "Other", "presidents"), "minimum", n_resamples=FAST)
    assert list(found.differences) == ["all"]
    assert math.isnan(found.differences["all"].difference.value)
    assert math.isnan(found.association.pearson.value)
    assert found.n_unmatched == 20


def test_the_interval_draws_the_pairs_of_the_first_run() -> None:
    table = sample_table(20)
    as_singles = replace(table, stories=tuple(replace(one, pair=row) for row, one in enumerate(table.stories)))
    other = sample_table(20, seed=4)
    by_pair, by_story = (compare_runs(one, other, "average", n_resamples=FAST) for one in (table, as_singles))
    assert by_pair.differences["all"].difference.value == by_story.differences["all"].difference.value
    assert by_pair.differences["all"].difference.low != by_story.differences["all"].difference.low


def test_a_run_without_such_a_seat_is_refused_with_those_it_has() -> None:
    first, second = two_runs()
    with pytest.raises(InvalidInput, match=r"“One” has no such judge: flow gemma-3-270m\. Choose one of its own: GPT"):
        compare_runs(first, second, FLOW)
    with pytest.raises(InvalidInput, match="no such judge: openai"):
        compare_measures(first, SIMPLE, STANDARD)


def one_run() -> RunTable:
    """Two judges on three stories and reading flow; the second prompted one lacks the last score."""
    stories = [story(0, "trail"), story(0, "baseline"), story(1, "trail")]
    scores = {SIMPLE: [8, 4, 7], STANDARD: [6, 5, NAN], FLOW: [0.3, 0.1, 0.2], LEXICAL: [5, 5, 5]}
    return table_of(stories, [seat_scores(seat, gave, label=seat.mode or seat.judge) for seat, gave in scores.items()])


def test_two_judges_of_a_run_are_compared_in_points() -> None:
    found = compare_measures(one_run(), SIMPLE, STANDARD, n_resamples=FAST)
    assert (found.first, found.second, found.n_unmatched) == ("simple", "standard", 0)
    assert [(one.difference.value, one.difference.n) for one in found.differences.values()] == [
        (2, 1),
        (-1, 1),
        (0.5, 2),
    ]
    assert found.differences["trail"].difference.n_skipped == 1


def test_points_and_nats_are_compared_by_their_distance_from_the_mean() -> None:
    found = compare_measures(one_run(), SIMPLE, FLOW, n_resamples=FAST)
    assert (found.first, found.second) == ("simple, standardised", "flow, standardised")
    points, nats = stats.zscore([8, 4, 7], ddof=1), stats.zscore([0.3, 0.1, 0.2], ddof=1)
    assert found.differences["all"].difference.value == pytest.approx(0, abs=1e-12)
    assert found.differences["baseline"].difference.value == pytest.approx(points[1] - nats[1])
    assert found.association.pearson.value == pytest.approx(np.corrcoef([8, 4, 7], [3, 1, 2])[0, 1])


def test_a_judge_and_a_metric_are_compared_by_their_distance_from_the_mean() -> None:
    stories = [story(0, "trail", (0.9, 0.8)), story(0, "baseline", (0.4, 0.2)), story(1, "trail", (0.5, 0.6))]
    table = table_of(stories, [seat_scores(SIMPLE, [8, 4, 9], label="simple")])
    found = compare_measures(table, "minimum", SIMPLE, n_resamples=FAST)
    assert (found.first, found.second) == ("weakest link, standardised", "simple, standardised")
    links, points = stats.zscore([0.8, 0.2, 0.5], ddof=1), stats.zscore([8, 4, 9], ddof=1)
    assert found.differences["baseline"].difference.value == pytest.approx(links[1] - points[1])


def test_two_metrics_of_one_unit_are_subtracted_as_they_are() -> None:
    table = table_of([story(0, "trail", (0.9, 0.8)), story(1, "trail", (0.5, 0.7))], [])
    found = compare_measures(table, "average", "minimum", n_resamples=FAST)
    assert (found.first, found.second) == ("mean link", "weakest link")
    assert found.differences["all"].difference.value == pytest.approx((0.05 + 0.1) / 2)


def test_what_is_standardised_is_the_stories_that_both_scored() -> None:
    table = one_run()
    ends = np.array([[8.0], [4.0], [NAN]])
    seats = (replace(table.seats[0], scores=ends), *table.seats[1:])
    for first, second in ((SIMPLE, FLOW), (FLOW, SIMPLE)):
        found = compare_measures(replace(table, seats=seats), first, second, n_resamples=FAST).differences
        assert found["trail"].difference.value == pytest.approx(0)  # ±1/√2 of two stories, whatever the unit
        assert (found["all"].difference.n, found["all"].difference.n_skipped) == (2, 1)


def test_a_judge_that_gives_every_story_the_same_cannot_be_standardised() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = compare_measures(one_run(), LEXICAL, FLOW, n_resamples=FAST)
    assert math.isnan(found.differences["all"].difference.value)
    assert found.differences["all"].difference.n_skipped == 3
    assert compare_measures(one_run(), LEXICAL, SIMPLE, n_resamples=FAST).differences["all"].difference.n == 3


def test_a_seat_without_a_reply_and_a_run_without_stories_have_no_difference() -> None:
    silent = replace(
        sample_table(5), seats=(seat_scores(SIMPLE, np.full(10, NAN)), seat_scores(FLOW, np.full(10, NAN)))
    )
    empty = table_of([], [seat_scores(seat, np.empty((0, 1))) for seat in (SIMPLE, FLOW)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for table, n_skipped in ((silent, 10), (empty, 0)):
            found = compare_measures(table, SIMPLE, FLOW, n_resamples=FAST)
            assert math.isnan(found.differences["all"].difference.value)
            assert found.differences["all"].difference.n_skipped == n_skipped
    assert list(compare_measures(empty, SIMPLE, FLOW).differences) == ["all"]


def test_the_same_tables_give_the_same_comparison() -> None:
    table = sample_table(20)
    seats = [scores.seat for scores in table.seats]
    found = [json.dumps(asdict(compare_measures(table, *seats, n_resamples=FAST))) for _ in range(2)]
    assert found[0] == found[1]


def test_the_most_disputed_story_comes_first() -> None:
    found = disputed([1, 2, 3, 4, 5], [3, 2, 4, 6, 1])  # 2, 1, 3, 4 and 0 stories are below, by the second
    assert [(one.row, one.first_rank, one.second_rank) for one in found] == [
        (4, 1.0, 0.0),
        (0, 0.0, 0.5),
        (2, 0.5, 0.75),
        (3, 0.75, 1.0),
    ]
    assert [one.distance for one in found] == [1.0, -0.5, -0.25, -0.25]


def test_ties_stand_in_the_middle_of_their_places() -> None:
    found = {one.row: one for one in disputed([1, 2, 3], [5, 5, 5])}
    assert [(found[row].first_rank, found[row].second_rank) for row in (0, 2)] == [(0.0, 0.5), (1.0, 0.5)]
    assert 1 not in found


def test_stories_without_both_values_have_no_rank() -> None:
    found = disputed([NAN, 1, 2, 3], [1, 2, NAN, 1])
    assert [(one.row, one.first_rank, one.second_rank) for one in found] == [(1, 0.0, 1.0), (3, 1.0, 0.0)]


def test_no_more_are_told_than_asked_for() -> None:
    values = np.arange(50.0)
    assert len(disputed(values, -values)) == 20
    assert [one.row for one in disputed(values, -values, most=3)] == [0, 49, 1]


@pytest.mark.parametrize(("first", "second"), [([], []), ([1.0], [2.0]), ([NAN, NAN], [1.0, 2.0]), ([1, 2], [3, 9])])
def test_where_nothing_is_ranked_otherwise_nothing_is_disputed(first: list[float], second: list[float]) -> None:
    assert disputed(first, second) == ()


def test_lists_of_different_lengths_are_refused() -> None:
    with pytest.raises(InvalidInput, match="second_values 1"):
        disputed([1, 2], [1])


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=12))
def test_shares_are_those_of_scipys_ranks(values: list[tuple[int, int]]) -> None:
    first, second = np.array(values, dtype=float).T
    n = len(values)
    shares = [(stats.rankdata(column) - 1) / (n - 1) for column in (first, second)]
    found = disputed(first, second, most=n)
    assert [abs(one.distance) for one in found] == sorted((abs(one.distance) for one in found), reverse=True)
    for one in found:
        assert (one.first_rank, one.second_rank) == pytest.approx((shares[0][one.row], shares[1][one.row]))
    told = {one.row for one in found}
    assert all(shares[0][row] == pytest.approx(shares[1][row]) for row in set(range(n)) - told)
