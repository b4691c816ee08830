import json
import math
import warnings
from dataclasses import asdict, replace

import numpy as np
import pytest

from narrative_core.errors import InvalidInput
from narrative_core.run_outcomes import RunResults, SeatResults
from narrative_core.run_results import NO_MODELS, results_of
from narrative_core.runs import Metric, RunStory, RunTable
from narrative_core.stats.agreement import agreement
from narrative_core.stats.association import association
from narrative_core.stats.contrasts import contrast
from narrative_core.stats.disagreement import disagreement
from narrative_core.stats.prediction import predict
from narrative_core.stats.stability import stability
from tests.run_samples import FLOW, LEXICAL, NAN, SIMPLE, sample_table, seat_scores, story, table_of

FAST = 50
SEED = 0
"""That of the runs of `run_samples`."""


def told(found: object) -> str:
    """The same for equal numbers, nan among them."""
    return json.dumps(asdict(found), sort_keys=True)  # type: ignore[call-overload]


def by_hand() -> RunTable:
    """Three pairs, the last without a random chronology; a row of scores beside each story."""
    stories = [
        story(0, "trail", (0.9, 0.7)),  # 3 documents, minimum 0.7, average 0.8: 8 and 9
        story(0, "baseline", (0.5,)),  # 2 documents, minimum and average 0.5: 4 and 4
        story(1, "trail", (0.6, 0.8, 1.0)),  # 4 documents, minimum 0.6, average 0.8: 7 and nothing
        story(1, "baseline", (0.3, 0.1)),  # 3 documents, minimum 0.1, average 0.2: no score
        story(2, "trail", (0.8,)),  # 2 documents, minimum and average 0.8: 6 and 8
    ]
    scores = [[8, 9], [4, 4], [7, NAN], [NAN, NAN], [6, 8]]
    return table_of(stories, [seat_scores(SIMPLE, scores, label="GPT", n_unasked=1, seconds=3.0)])


def only_seat(found: RunResults) -> SeatResults:
    [seat] = found.seats
    return seat


def test_lengths_are_those_of_the_stories_by_how_they_were_made() -> None:
    found = results_of(by_hand(), n_resamples=FAST)
    assert (found.n_stories, list(found.lengths)) == (5, ["trail", "baseline"])
    trails, chance = found.lengths["trail"], found.lengths["baseline"]
    assert (trails.n, trails.mean, trails.sd, trails.minimum, trails.maximum) == (3, 3.0, 1.0, 2.0, 4.0)
    assert (chance.n, chance.mean, chance.minimum, chance.maximum) == (2, 2.5, 2.0, 3.0)


def test_a_pair_without_one_of_its_stories_is_skipped_where_pairs_are_compared() -> None:
    difference = results_of(by_hand(), n_resamples=FAST).length_difference.difference
    assert (difference.value, difference.n, difference.n_skipped) == (1.0, 2, 1)  # 3 − 2 and 4 − 3


def test_a_trail_is_compared_with_the_random_chronology_of_its_own_pair() -> None:
    stories = [story(4, "trail", (0.5, 0.5)), story(9, "trail", (0.5,) * 5), story(9, "baseline", (0.5,))]
    difference = results_of(table_of(stories, []), n_resamples=FAST).length_difference.difference
    assert (difference.value, difference.n, difference.n_skipped) == (4.0, 1, 1)  # 6 − 2


def test_contrasts_are_of_trails_against_random_chronologies() -> None:
    contrasts = results_of(by_hand(), n_resamples=FAST).contrasts
    assert list(contrasts) == ["minimum", "average"]
    assert contrasts["minimum"].first.mean == pytest.approx(0.7)  # 0.7, 0.6, 0.8
    assert contrasts["minimum"].second.mean == pytest.approx(0.3)  # 0.5, 0.1
    assert contrasts["average"].first.mean == pytest.approx(0.8)
    assert contrasts["average"].second.mean == pytest.approx(0.35)
    assert contrasts["minimum"].cohens_d.value == pytest.approx(0.4 / math.sqrt((0.02 + 0.08) / 3))
    assert contrasts["minimum"].auc.value == 1


def test_a_judges_score_of_a_story_is_the_mean_of_its_agents() -> None:
    seat = only_seat(results_of(by_hand(), n_resamples=FAST))
    assert seat.label == "GPT"
    assert (seat.contrast.first.mean, seat.contrast.second.mean) == pytest.approx(((8.5 + 7 + 7) / 3, 4))
    assert (seat.contrast.second.n, seat.contrast.second.n_skipped) == (1, 1)
    pearson = seat.associations["minimum"].pearson
    expected = np.corrcoef([0.7, 0.5, 0.6, 0.8], [8.5, 4, 7, 7])[0, 1]
    assert (pearson.value, pearson.n, pearson.n_skipped) == (pytest.approx(expected), 4, 1)


def test_how_judgements_ended_and_what_they_took_is_told() -> None:
    seat = only_seat(results_of(by_hand(), n_resamples=FAST))
    assert (seat.counts, seat.n_unasked, seat.n_ok, seat.n_asked) == ({"ok": 7, "unreadable": 2}, 1, 7, 9)
    assert (seat.use.seconds.n, seat.use.seconds.mean, seat.use.seconds.sd) == (5, 3, 0)
    assert (seat.use.cost_usd.n, seat.use.cost_usd.n_skipped) == (0, 5)


def test_every_kind_of_use_is_its_own() -> None:
    table = by_hand()
    [scores] = table.seats
    numbers = {"seconds": 1.0, "input_tokens": 2.0, "output_tokens": 3.0, "cost_usd": 4.0}
    full = replace(scores, **{name: np.full(5, value) for name, value in numbers.items()})  # type: ignore[arg-type]
    use = only_seat(results_of(replace(table, seats=(full,)), n_resamples=FAST)).use
    assert {name: getattr(use, name).mean for name in numbers} == numbers


def test_every_number_of_a_judge_is_that_of_its_statistic_on_the_whole_run() -> None:
    table = sample_table(40, n_seats=2, missing=0.1, seed=3)
    table = replace(table, run=replace(table.run, settings=replace(table.run.settings, seed=7)))
    found = results_of(table, n_resamples=FAST)
    pairs, trails, chance = table.pairs, table.rows("trail"), table.rows("baseline")
    is_trail = np.tile([True, False], 40)
    features = np.column_stack([table.metric(name) for name in ("minimum", "average", "length")])

    def rng() -> np.random.Generator:
        return np.random.default_rng(7)

    for seat, scores in zip(found.seats, table.seats, strict=True):
        means = scores.means
        assert list(seat.associations) == [
            "minimum",
            "average",
            "length",
            "span",
            "variance",
            "efficiency",
            "weak share",
        ]
        for name, own in seat.associations.items():
            assert told(own) == told(association(table.metric(name), means, pairs, rng=rng(), n_resamples=FAST))
        against = contrast(
            means[trails],
            means[chance],
            first_pairs=pairs[trails],
            second_pairs=pairs[chance],
            rng=rng(),
            n_resamples=FAST,
        )
        assert told(seat.contrast) == told(against)
        assert told(seat.agreement) == told(agreement(scores.scores))
        assert told(seat.prediction) == told(predict(features, means, pairs, seed=7))
        is_points = seat.seat.judge != "flow"
        apart = disagreement(scores.scores, pairs, rng=rng(), n_resamples=FAST, is_scale_1_to_10=is_points)
        assert told(seat.disagreement) == told(apart)
        assert list(seat.stability) == ["minimum", "average"]
        for name, steady in seat.stability.items():
            assert told(steady) == told(stability(table.metric(name), means, is_trail, pairs, seed=7))
    for metric, own in found.spans.items():
        coherence = table.metric(metric)
        assert told(own) == told(association(table.metric("span"), coherence, pairs, rng=rng(), n_resamples=FAST))


def test_an_unknown_metric_of_a_story_is_counted_with_its_association_alone() -> None:
    seat = results_of(sample_table(30), n_resamples=FAST).seats[0]
    assert (seat.associations["span"].pearson.n, seat.associations["span"].pearson.n_skipped) == (54, 6)
    assert (seat.associations["average"].pearson.n, seat.associations["average"].pearson.n_skipped) == (60, 0)


def test_the_same_table_gives_the_same_results() -> None:
    found = [results_of(sample_table(20, missing=0.1), n_resamples=FAST) for _ in range(2)]
    assert told(found[0]) == told(found[1])


def test_the_seed_of_the_run_decides_on_draws_and_folds() -> None:
    table = sample_table(20)
    other = replace(table, run=replace(table.run, settings=replace(table.run.settings, seed=5)))
    first, second = (results_of(one, n_resamples=FAST).seats[0] for one in (table, other))
    assert first.contrast.cohens_d.value == second.contrast.cohens_d.value
    assert first.contrast.cohens_d.low != second.contrast.cohens_d.low
    assert first.stability["minimum"].test_r != second.stability["minimum"].test_r
    assert first.prediction.fits[0].fold_r2 != second.prediction.fits[0].fold_r2


def test_a_judges_results_do_not_depend_on_who_else_was_asked() -> None:
    table = sample_table(20, n_seats=3)
    alone = replace(table, seats=table.seats[2:])
    assert told(results_of(table, n_resamples=FAST).seats[2]) == told(only_seat(results_of(alone, n_resamples=FAST)))


def test_a_run_without_stories_has_no_numbers() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = results_of(table_of([], [seat_scores(SIMPLE, np.empty((0, 3)))]), n_resamples=FAST)
    seat = only_seat(found)
    assert (found.n_stories, found.lengths["trail"].n, seat.n_asked, seat.prediction.fits) == (0, 0, 0, ())
    assert math.isnan(found.contrasts["minimum"].cohens_d.value)
    assert math.isnan(seat.associations["average"].pearson.value)
    assert math.isnan(found.length_difference.difference.value)


def test_a_run_without_judges_has_the_numbers_of_its_stories() -> None:
    found = results_of(replace(sample_table(20), seats=()), n_resamples=FAST)
    assert found.seats == ()
    assert found.contrasts["minimum"].cohens_d.value > 1


def test_a_judge_without_a_reply_has_no_numbers_but_its_counts() -> None:
    table = sample_table(20)
    silent = seat_scores(LEXICAL, np.full(40, NAN), counts={"failed": 40})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        seat = results_of(replace(table, seats=(*table.seats, silent)), n_resamples=FAST).seats[2]
    assert (seat.n_asked, seat.n_ok) == (40, 0)
    assert math.isnan(seat.contrast.auc.value)
    assert (seat.associations["minimum"].pearson.n, seat.associations["minimum"].pearson.n_skipped) == (0, 40)
    assert (seat.prediction.n, seat.prediction.n_skipped) == (0, 40)
    assert seat.agreement.n_used == 0
    assert math.isnan(seat.disagreement.spread.value)


def test_one_agent_has_scores_but_no_agreement() -> None:
    seat = results_of(sample_table(20, n_agents=1), n_resamples=FAST).seats[0]
    assert seat.contrast.cohens_d.value > 0
    assert math.isnan(seat.agreement.icc_single)
    assert (seat.disagreement.spread.n, seat.disagreement.spread.n_skipped) == (0, 40)


def test_a_judge_in_nats_has_bands_of_its_own() -> None:
    stories = [story(pair, made, (0.5,)) for pair in range(10) for made in ("trail", "baseline")]  # type: ignore[arg-type]
    ratings = np.linspace(-1, 1, 20)[:, None] + [0, 0.1]
    found = results_of(table_of(stories, [seat_scores(replace(FLOW, n_agents=2), ratings)]), n_resamples=FAST)
    assert [band.spread.n for band in only_seat(found).disagreement.bands] == [4] * 5


def test_equal_scores_have_no_association_and_no_effect() -> None:
    table = sample_table(20)
    flat = seat_scores(SIMPLE, np.full((40, 3), 6.1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        seat = only_seat(results_of(replace(table, seats=(flat,)), n_resamples=FAST))
    assert all(math.isnan(found.pearson.value) for found in seat.associations.values())
    assert math.isnan(seat.contrast.cohens_d.value)
    assert seat.contrast.auc.value == 0.5
    assert all(math.isnan(fit.mean) for fit in seat.prediction.fits)
    assert math.isnan(seat.stability["average"].mean_absolute_difference)
    assert seat.disagreement.spread.value == 0
    assert seat.agreement.exact == 1


@pytest.mark.parametrize("made", ["trail", "baseline"])
def test_a_run_that_lacks_one_kind_has_no_contrast(made: str) -> None:
    table = sample_table(10)
    kept = [row for row, one in enumerate(table.stories) if one.made == made]
    part: tuple[RunStory, ...] = tuple(table.stories[row] for row in kept)
    scores = tuple(seat_scores(scores.seat, scores.scores[kept]) for scores in table.seats)
    found = results_of(table_of(part, scores), n_resamples=FAST)
    metrics: tuple[Metric, ...] = ("minimum", "average")
    assert all(math.isnan(found.contrasts[metric].auc.value) for metric in metrics)
    assert (found.length_difference.difference.n, found.length_difference.difference.n_skipped) == (0, 10)
    assert found.seats[0].associations["average"].pearson.n == 10


@pytest.mark.parametrize("design", ["mixtures", "sanity"])
def test_a_run_of_another_design_is_refused(design: str) -> None:
    with pytest.raises(InvalidInput, match=f"trails beside random chronologies; got one of the design “{design}”"):
        results_of(sample_table(2, design=design))  # type: ignore[arg-type]


def test_without_models_everything_else_is_the_same() -> None:
    table = sample_table(20)
    whole = results_of(table, n_resamples=FAST)
    quick = results_of(table, n_resamples=FAST, with_models=False)
    assert all(seat.prediction.fits for seat in whole.seats)
    assert told(quick) == told(replace(whole, seats=tuple(replace(seat, prediction=NO_MODELS) for seat in whole.seats)))
