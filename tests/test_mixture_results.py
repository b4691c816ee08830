import json
import math
import warnings
from dataclasses import asdict, replace

import numpy as np
import pytest

from narrative_core.errors import InvalidInput
from narrative_core.mixture_results import mixture_results
from narrative_core.run_outcomes import MixtureMeasure, MixtureResults
from narrative_core.runs import RunTable
from narrative_core.stats.contrasts import contrast
from tests.run_samples import NAN, SIMPLE, sample_table, seat_scores, story, table_of

FAST = 50


def by_hand() -> RunTable:
    """Two stories of each kind; the judge has no score for the last."""
    stories = [
        story(0, "trail", (0.9, 0.7)),  # minimum 0.7, average 0.8, score 8
        story(0, "alternating", (0.3, 0.3)),  # 0.3, 0.3, score 2
        story(0, "mixed", (0.2, 0.6)),  # 0.2, 0.4, score 4
        story(1, "trail", (0.9, 0.9)),  # 0.9, 0.9, score 10
        story(1, "alternating", (0.1, 0.3)),  # 0.1, 0.2, score 1
        story(1, "mixed", (0.6, 0.6)),  # 0.6, 0.6, no score
    ]
    return table_of(stories, [seat_scores(SIMPLE, [8, 2, 4, 10, 1, NAN], label="GPT")], design="mixtures")


def measure(found: MixtureResults, name: str) -> MixtureMeasure:
    return next(one for one in found.measures if one.name == name)


def test_coherences_come_first_and_then_the_judges() -> None:
    found = mixture_results(sample_table(10, design="mixtures", n_seats=2), n_resamples=FAST)
    labels = [scores.label for scores in sample_table(10, n_seats=2).seats]
    assert [one.name for one in found.measures] == ["minimum", "average", *labels]
    assert [one.seat is None for one in found.measures] == [True, True, False, False]
    assert list(found.associations) == labels


@pytest.mark.parametrize(
    ("name", "means"),
    [("minimum", (0.8, 0.2, 0.4)), ("average", (0.85, 0.25, 0.5)), ("GPT", (9.0, 1.5, 4.0))],
)
def test_every_measure_is_summed_up_by_kind(name: str, means: tuple[float, ...]) -> None:
    by_kind = measure(mixture_results(by_hand(), n_resamples=FAST), name).by_kind
    assert list(by_kind) == ["trail", "alternating", "mixed"]
    assert [kind.mean for kind in by_kind.values()] == pytest.approx(means)


def test_a_story_without_a_score_is_counted() -> None:
    mixed = measure(mixture_results(by_hand(), n_resamples=FAST), "GPT").by_kind["mixed"]
    assert (mixed.n, mixed.n_skipped) == (1, 1)


def test_contrasts_are_the_first_kind_against_the_second() -> None:
    found = measure(mixture_results(by_hand(), n_resamples=FAST), "average")
    assert (found.alternating_mixed.first.mean, found.alternating_mixed.second.mean) == pytest.approx((0.25, 0.5))
    assert (found.trail_alternating.first.mean, found.trail_alternating.second.mean) == pytest.approx((0.85, 0.25))
    assert (found.trail_mixed.first.mean, found.trail_mixed.second.mean) == pytest.approx((0.85, 0.5))
    assert found.trail_mixed.auc.value == 1
    assert found.alternating_mixed.auc.value == 0


def test_contrasts_are_those_of_the_statistic_with_the_seed_of_the_run() -> None:
    table = sample_table(20, design="mixtures", missing=0.1)
    scores, pairs = table.seats[0], table.pairs
    first, second = table.rows("alternating"), table.rows("mixed")
    expected = contrast(
        scores.means[first],
        scores.means[second],
        first_pairs=pairs[first],
        second_pairs=pairs[second],
        rng=np.random.default_rng(table.run.settings.seed),
        n_resamples=FAST,
    )
    found = measure(mixture_results(table, n_resamples=FAST), scores.label).alternating_mixed
    assert json.dumps(asdict(found)) == json.dumps(asdict(expected))


def test_associations_are_over_the_mixtures_alone_and_with_the_average() -> None:
    pearson = mixture_results(by_hand(), n_resamples=FAST).associations["GPT"].pearson
    expected = np.corrcoef([0.3, 0.4, 0.2], [2, 4, 1])[0, 1]
    assert (pearson.value, pearson.n, pearson.n_skipped) == (pytest.approx(expected), 3, 1)


def test_a_run_without_stories_has_no_numbers() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = table_of([], [seat_scores(SIMPLE, np.empty((0, 3)), label="GPT")], design="mixtures")
        found = mixture_results(table, n_resamples=FAST)
    assert measure(found, "GPT").by_kind["mixed"].n == 0
    assert math.isnan(measure(found, "minimum").trail_mixed.auc.value)
    assert math.isnan(found.associations["GPT"].pearson.value)


def test_a_judge_without_a_reply_and_one_with_equal_scores_have_no_effect() -> None:
    table = by_hand()
    seats = (seat_scores(SIMPLE, np.full(6, NAN), label="silent"), seat_scores(SIMPLE, np.full(6, 5.0), label="flat"))
    found = mixture_results(replace(table, seats=seats), n_resamples=FAST)
    assert [measure(found, name).by_kind["trail"].n for name in ("silent", "flat")] == [0, 2]
    for name in ("silent", "flat"):
        assert math.isnan(measure(found, name).trail_mixed.cohens_d.value)
        assert math.isnan(found.associations[name].spearman.value)


@pytest.mark.parametrize("design", ["trails", "sanity"])
def test_a_run_of_another_design_is_refused(design: str) -> None:
    with pytest.raises(InvalidInput, match=f"a run of mixtures; got one of the design “{design}”"):
        mixture_results(sample_table(2, design=design))  # type: ignore[arg-type]
