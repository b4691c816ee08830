import json
import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from itertools import cycle
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.errors import InvalidInput
from narrative_core.estimates import Estimate
from narrative_core.judgements import Seat
from narrative_core.run_outcomes import Check, CheckResult, Expected, Outcome, SanityResults
from narrative_core.runs import PARAPHRASED, REORDERED, Made, RunTable, SeatScores
from narrative_core.sanity_results import ALIKE_RHO, NATS_MARGIN_SD, POINTS_MARGIN, outcome_of, sanity_results
from tests.run_samples import FLOW, LEXICAL, NAN, SIMPLE, STANDARD, sample_table, seat_scores, story, table_of

FAST = 200
TRAIL, CHANCE = [7, 8, 7, 8, 6, 7] * 2, [4, 3, 5, 4, 2, 3] * 2
"""Scores of twelve trails and of twelve random chronologies, the same pairs."""

N_PAIRS = 12

Gave = Mapping[Made, Sequence[float]]


def asked(seat: Seat, gave: Gave, **others: str) -> SeatScores:
    """Return what a seat gave to twelve pairs, kind by kind; stories as `stories` has them."""
    return seat_scores(seat, [score for scores in gave.values() for score in scores], **others)  # type: ignore[arg-type]


def table(gave: Gave, *variants: tuple[Seat, Gave], seat: Seat = STANDARD) -> RunTable:
    """Return a sanity run of twelve pairs; a variant has no score for a kind it says nothing of."""
    stories = [story(pair, made, (0.5, 0.6)) for made in gave for pair in range(N_PAIRS)]
    full = [(seat, gave), *((one, {made: told.get(made, [NAN] * N_PAIRS) for made in gave}) for one, told in variants)]
    return table_of(
        stories, [asked(one, told, label=f"seat {n}") for n, (one, told) in enumerate(full)], design="sanity"
    )


def check(found: SanityResults, name: Check, label: str = "seat 0") -> CheckResult:
    return next(one for one in found.checks if one.check == name and one.label == label)


def outcome(name: Check, *arguments: object, seat: Seat = STANDARD) -> Outcome:
    return check(sanity_results(table(*arguments, seat=seat), n_resamples=FAST), name).outcome  # type: ignore[arg-type]


def shifted(by: Sequence[float], base: Sequence[float] = TRAIL) -> list[float]:
    """Return scores moved by so much, the steps over and over."""
    return [score + step for score, step in zip(base, cycle(by))]


@pytest.mark.parametrize(
    ("steps", "mean", "expected"),
    [
        ([-1, -1, -2, -2, -1, -2], -1.5, "pass"),
        ([-1] * 6, -1, "pass"),
        ([-0.2, -0.1, -0.2, -0.1, -0.2, -0.1], -0.15, "pass"),  # little, but lower
        ([0] * 6, 0, "fail"),
        ([1, 2, 1, 2, 1, 2], 1.5, "fail"),
        ([0.1, -0.1, 0.1, -0.1, 0.1, -0.1], 0, "fail"),  # at most a hair lower
        ([-3, 2, -3, 2, -3, 2], -0.5, "undecided"),
    ],
)
@pytest.mark.parametrize("damage", ["shuffled", "reversed", "foreign", "doubled"])
def test_a_damaged_story_must_score_lower(damage: Check, steps: list[float], mean: float, expected: Outcome) -> None:
    gave = {"trail": TRAIL, "baseline": CHANCE, damage: shifted(steps)}
    found = check(sanity_results(table(gave), n_resamples=FAST), damage)  # type: ignore[arg-type]
    assert (found.expected, found.margin, found.outcome) == ("lower", POINTS_MARGIN, expected)
    assert found.difference.value == pytest.approx(mean)
    assert found.original.mean == pytest.approx(43 / 6)
    assert found.changed.mean == pytest.approx(43 / 6 + mean)


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([0] * 6, "pass"),
        ([0.2, -0.2, 0.2, -0.2, 0.3, -0.3], "pass"),
        ([1] * 6, "fail"),
        ([-1] * 6, "fail"),
        ([2, -2, 2, -2, 2, -2], "undecided"),
        ([0.5, 0.4, 0.6, 0.5, 0.4, 0.6], "undecided"),  # as close to the margin as can be
    ],
)
@pytest.mark.parametrize(("name", "wording"), [("criteria", REORDERED), ("paraphrase", PARAPHRASED)])
def test_another_wording_must_not_move_the_score(
    name: Check, wording: str, steps: list[float], expected: Outcome
) -> None:
    gave: Gave = {"trail": TRAIL, "baseline": CHANCE}
    changed: Gave = {"trail": shifted(steps), "baseline": shifted(steps, CHANCE)}
    found = sanity_results(table(gave, (replace(STANDARD, version=wording), changed)), n_resamples=FAST)
    told = check(found, name)
    assert (told.expected, told.margin, told.outcome) == ("same", POINTS_MARGIN, expected)
    assert told.difference.value == pytest.approx(np.mean(steps))
    assert (told.difference.n, told.original.n, told.changed.n) == (24, 24, 24)


@pytest.mark.parametrize(
    ("trails", "chance", "expected", "rho"),
    [
        (TRAIL, CHANCE, "pass", 1.0),
        ([score**5 for score in TRAIL], [score**5 for score in CHANCE], "pass", 1.0),  # another scale, one order
        ([-score for score in TRAIL], [-score for score in CHANCE], "fail", -1.0),
    ],
)
def test_titles_and_leads_must_rank_the_stories_alike(
    trails: list[float], chance: list[float], expected: Outcome, rho: float
) -> None:
    other = replace(STANDARD, shown="leads")
    gave: Gave = {"trail": TRAIL, "baseline": CHANCE}
    found = check(
        sanity_results(table(gave, (other, {"trail": trails, "baseline": chance})), n_resamples=FAST), "shown"
    )
    assert (found.expected, found.margin, found.outcome) == ("alike", ALIKE_RHO, expected)
    assert (found.difference.value, found.difference.n) == (pytest.approx(rho), 24)


def test_a_correlation_about_the_threshold_is_undecided() -> None:
    changed = {"trail": [7, 3, 2, 8, 5, 7] * 2, "baseline": [4, 6, 5, 2, 2, 6] * 2}
    gave: Gave = {"trail": TRAIL, "baseline": CHANCE}
    assert outcome("shown", gave, (replace(STANDARD, shown="leads"), changed)) == "undecided"


def test_seven_checks_are_told_of_every_usual_seat_in_their_order() -> None:
    found = sanity_results(sample_table(12, design="sanity", n_seats=4), n_resamples=FAST)
    labels = dict.fromkeys(one.label for one in found.checks)
    assert len(labels) == 4
    assert [one.check for one in found.checks] == list(get_args(Check)) * 4
    assert [one.seat.version for one in found.checks[::7]] == ["", "flow 1", "", "lexical 1"]


def test_a_check_is_of_its_own_judge_and_mode() -> None:
    simple: Gave = {"trail": TRAIL, "baseline": CHANCE}
    moved: Gave = {"trail": shifted([3] * 6), "baseline": shifted([3] * 6, CHANCE)}
    found = sanity_results(
        table(
            simple,
            (replace(SIMPLE, version=PARAPHRASED), moved),
            (STANDARD, simple),
            (replace(STANDARD, version=PARAPHRASED), simple),
            seat=SIMPLE,
        ),
        n_resamples=FAST,
    )
    assert check(found, "paraphrase", "seat 0").outcome == "fail"
    assert check(found, "paraphrase", "seat 2").outcome == "pass"
    assert {one.label for one in found.checks} == {"seat 0", "seat 2"}


def test_the_first_of_a_judge_and_mode_is_the_usual_one() -> None:
    leads = replace(STANDARD, shown="leads")
    gave: Gave = {"trail": TRAIL, "baseline": CHANCE}
    found = sanity_results(table(gave, (STANDARD, gave), seat=leads), n_resamples=FAST)
    assert {one.seat for one in found.checks} == {leads}
    assert check(found, "shown").outcome == "pass"


def test_a_variant_of_what_is_shown_does_not_stand_for_another_wording() -> None:
    gave: Gave = {"trail": TRAIL, "baseline": CHANCE}
    worded = replace(STANDARD, version=PARAPHRASED, shown="leads")
    found = sanity_results(table(gave, (worded, gave)), n_resamples=FAST)
    assert check(found, "paraphrase").outcome == "not asked"
    assert check(found, "shown").outcome == "not asked"


def test_what_the_run_has_no_seat_or_story_for_was_not_asked() -> None:
    gave: Gave = {"trail": TRAIL, "baseline": CHANCE, "reversed": TRAIL}
    found = sanity_results(table(gave), n_resamples=FAST)
    assert [one.check for one in found.checks if one.outcome != "not asked"] == ["reversed"]
    for one in found.checks:
        if one.outcome == "not asked":
            assert math.isnan(one.difference.value)
            assert (one.difference.n, one.difference.n_skipped, one.original.n, one.changed.n) == (0, 0, 0, 0)


def test_judges_without_a_prompt_have_no_wording_to_change() -> None:
    found = sanity_results(sample_table(12, design="sanity", n_seats=4), n_resamples=FAST)
    for one in found.checks:
        if one.seat.judge != "openai" and one.check in ("criteria", "paraphrase"):
            assert one.outcome == "not asked"
        elif one.check in ("shown", "paraphrase"):
            assert one.difference.n == 24


def test_a_trail_that_could_not_be_damaged_or_has_no_score_is_skipped() -> None:
    whole = table({"trail": [NAN, *TRAIL[1:]], "baseline": CHANCE, "shuffled": shifted([-1])})
    kept = [row for row, one in enumerate(whole.stories) if one.made != "shuffled" or one.pair < 4]
    part = table_of(
        [whole.stories[row] for row in kept],
        [replace(scores, scores=scores.scores[kept]) for scores in whole.seats],
        design="sanity",
    )
    found = check(sanity_results(part, n_resamples=FAST), "shuffled")
    assert (found.difference.n, found.difference.n_skipped) == (3, 9)
    assert (found.original.n, found.changed.n) == (3, 3)
    assert found.original.mean - found.changed.mean == pytest.approx(1)
    assert found.outcome == "undecided"  # three pairs have no interval


def test_stories_are_compared_by_pair_whatever_their_order() -> None:
    whole = table({"shuffled": shifted([-1, -2, -1, -2, -1, -2]), "baseline": CHANCE, "trail": TRAIL})
    order = np.random.default_rng(1).permutation(3 * N_PAIRS)
    mixed_up = table_of(
        [whole.stories[row] for row in order],
        [replace(scores, scores=scores.scores[order]) for scores in whole.seats],
        design="sanity",
    )
    found = check(sanity_results(mixed_up, n_resamples=FAST), "shuffled").difference
    in_order = check(sanity_results(whole, n_resamples=FAST), "shuffled").difference
    assert (found.value, found.low, found.high) == pytest.approx((-1.5, in_order.low, in_order.high))


def test_the_margin_of_reading_flow_is_a_share_of_the_spread_of_its_undamaged_scores() -> None:
    nats = {"trail": [0.1, 0.3, 0.2, 0.4, 0.2, 0.3] * 2, "baseline": [0.0, 0.1, -0.1, 0.0, 0.1, 0.0] * 2}
    lower = [score - 0.01 * step for step, score in enumerate(nats["trail"])]
    found = check(sanity_results(table({**nats, "shuffled": lower}, seat=FLOW), n_resamples=FAST), "shuffled")  # type: ignore[dict-item]
    assert found.margin == pytest.approx(NATS_MARGIN_SD * np.std([*nats["trail"], *nats["baseline"]], ddof=1))
    assert found.margin < 0.05


def test_the_lexical_reader_has_the_margin_of_points() -> None:
    found = sanity_results(table({"trail": TRAIL, "baseline": CHANCE}, seat=LEXICAL), n_resamples=FAST)
    assert {one.margin for one in found.checks} == {POINTS_MARGIN, ALIKE_RHO}


def test_a_judge_that_gives_every_story_the_same_minds_nothing() -> None:
    same = [5.0] * N_PAIRS
    gave: Gave = {"trail": same, "baseline": same, "shuffled": same}
    for seat in (STANDARD, FLOW):
        assert outcome("shuffled", gave, seat=seat) == "fail"
    assert outcome("criteria", gave, (replace(STANDARD, version=REORDERED), gave)) == "pass"
    assert outcome("shown", gave, (replace(STANDARD, shown="leads"), gave)) == "undecided"  # nothing to rank


def test_a_judge_without_a_reply_is_undecided_and_told_apart_from_one_not_asked() -> None:
    silent = [NAN] * N_PAIRS
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = sanity_results(
            table({"trail": silent, "baseline": silent, "shuffled": silent}, seat=FLOW), n_resamples=FAST
        )
    told = check(found, "shuffled")
    assert (told.outcome, told.difference.n, told.difference.n_skipped) == ("undecided", 0, 12)
    assert check(found, "foreign").outcome == "not asked"


def test_a_run_without_stories_asked_nothing_about_damage() -> None:
    empty = table_of([], [seat_scores(SIMPLE, np.empty((0, 3)))], design="sanity")
    assert {one.outcome for one in sanity_results(empty, n_resamples=FAST).checks} == {"not asked"}
    assert sanity_results(replace(empty, seats=())).checks == ()


def test_the_same_table_gives_the_same_results() -> None:
    found = [sanity_results(sample_table(12, design="sanity", missing=0.1), n_resamples=FAST) for _ in range(2)]
    assert json.dumps(asdict(found[0])) == json.dumps(asdict(found[1]))


@pytest.mark.parametrize("design", ["trails", "mixtures"])
def test_a_run_of_another_design_is_refused(design: str) -> None:
    with pytest.raises(InvalidInput, match=f"sanity run; got one of the design “{design}”"):
        sanity_results(sample_table(2, design=design))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("expected", "low", "high", "told"),
    [
        ("lower", -2.0, -0.01, "pass"),
        ("lower", -2.0, 0.0, "undecided"),
        ("lower", -0.51, 0.2, "undecided"),
        ("lower", -0.5, 0.2, "fail"),
        ("lower", 0.1, 0.2, "fail"),
        ("same", -0.5, 0.5, "pass"),
        ("same", -0.51, 0.1, "undecided"),
        ("same", 0.5, 0.9, "undecided"),
        ("same", 0.51, 0.9, "fail"),
        ("same", -0.9, -0.51, "fail"),
        ("same", -0.9, 0.9, "undecided"),
        ("alike", 0.51, 0.9, "pass"),
        ("alike", 0.5, 0.9, "undecided"),
        ("alike", 0.1, 0.49, "fail"),
    ],
)
def test_the_whole_interval_decides(expected: Expected, low: float, high: float, told: Outcome) -> None:
    assert outcome_of(expected, Estimate((low + high) / 2, low, high), 0.5) == told


@pytest.mark.parametrize("expected", get_args(Expected))
def test_without_an_interval_nothing_is_decided(expected: Expected) -> None:
    assert outcome_of(expected, Estimate(-3.0), 0.5) == "undecided"


ends = st.floats(-3, 3)


@given(st.sampled_from(get_args(Expected)), ends, ends, ends, ends)
def test_a_narrower_interval_never_turns_a_pass_into_a_fail(
    expected: Expected, first: float, second: float, third: float, fourth: float
) -> None:
    low, inner_low, inner_high, high = sorted((first, second, third, fourth))
    told = {outcome_of(expected, Estimate(0, *ends), 0.5) for ends in ((low, high), (inner_low, inner_high))}
    assert told != {"pass", "fail"} or (expected == "lower" and inner_high < 0)


def test_trails_that_could_not_be_changed_are_counted_by_check() -> None:
    stories = [*(story(pair, "trail") for pair in range(3)), *(story(pair, "shuffled") for pair in range(2))]
    stories += [story(pair, made) for made in ("reversed", "foreign", "doubled") for pair in range(3)]
    found = sanity_results(table_of(stories, [seat_scores(STANDARD, [7.0] * 14)], design="sanity"), n_resamples=FAST)
    assert found.n_undamaged == {"shuffled": 1, "reversed": 0, "foreign": 0, "doubled": 0}
    assert check(found, "shuffled", found.checks[0].label).difference.n_skipped == 1
