"""What stands side by side on the page Compare: measures, matches, ranks, and in which settings two runs differ."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from narrative_core.judgements import Seat
from narrative_core.records import Document, Link, Story
from narrative_core.run_comparison import compare_measures, compare_runs, matching_rows, measured
from narrative_core.runs import Cutoffs, Run, RunSummary, RunTable
from narrative_core.ui.compare_view import matching_sentence
from narrative_core.ui.comparison_work import (
    Measure,
    Side,
    SideBySide,
    measures_of_all,
    measures_within,
    names_apart,
    rank_words,
)
from narrative_core.ui.disputes_view import dispute_words, weak_link_lines
from narrative_core.ui.run_differences import differences_sentence, has_same_pairs, setting_differences
from narrative_core.ui.variants_view import variant_settings, variants_of
from tests.run_samples import FLOW, LEXICAL, NAN, SIMPLE, STANDARD, sample_run, seat_scores, story, table_of

FAST = 20


def summary_of(run: Run) -> RunSummary:
    return RunSummary(run, 0, 0, 0, 0)


def side(table: RunTable, measure: Measure, rows: NDArray[np.intp], name: str) -> Side:
    return Side(summary_of(table.run), table, measure, rows, measured(table, measure)[rows], name)


def beside(table: RunTable, first: Measure, second: Measure) -> SideBySide:
    rows = np.arange(len(table.stories))
    sides = [side(table, one, rows, name) for one, name in ((first, "one"), (second, "two"))]
    return SideBySide(sides[0], sides[1], compare_measures(table, first, second, n_resamples=FAST), "points")


def across(first: RunTable, second: RunTable) -> SideBySide:
    rows = matching_rows(first, second)
    return SideBySide(
        side(first, "minimum", rows[0], "root"),
        side(second, "minimum", rows[1], "plain"),
        compare_runs(first, second, "minimum", n_resamples=FAST),
        "coherence",
        "with",
    )


def four_stories() -> RunTable:
    """Two pairs; the judge turns the order of the trails round and has no score of the last random chronology."""
    stories = [
        story(0, "trail", (0.9,)),
        story(0, "baseline", (0.3,)),
        story(1, "trail", (0.8,)),
        story(1, "baseline", (0.2,)),
    ]
    return table_of(stories, [seat_scores(SIMPLE, [4, 2, 9, NAN], label="simple")])


def changed(run: Run, **settings: object) -> Run:
    return replace(run, run_id="run-2", settings=replace(run.settings, **settings))  # type: ignore[arg-type]


def test_within_a_run_both_strengths_and_every_judge_can_be_compared() -> None:
    table = table_of([story(0, "trail")], [seat_scores(SIMPLE, [4]), seat_scores(FLOW, [0.1])])
    assert measures_within(table) == ["minimum", "average", SIMPLE, FLOW]


def test_between_runs_only_judges_that_all_have_can_be_compared() -> None:
    def with_seats(*seats: Seat) -> RunTable:
        return table_of([story(0, "trail")], [seat_scores(seat, [4]) for seat in seats])

    tables = [with_seats(SIMPLE, FLOW, LEXICAL), with_seats(LEXICAL, SIMPLE), with_seats(STANDARD, LEXICAL)]
    assert measures_of_all(tables) == ["minimum", "average", "length", LEXICAL]
    assert measures_of_all(tables[:2]) == ["minimum", "average", "length", SIMPLE, LEXICAL]


def test_stories_are_ranked_among_those_that_both_have_a_value_of() -> None:
    found = beside(four_stories(), "minimum", SIMPLE)
    assert found.n_ranked == 3
    assert found.kinds == ("trail", "baseline")
    disputes = found.disputes()
    assert disputes.n == 3
    assert [dispute_words(found, one, disputes.n) for one in disputes.stories] == [
        "1st of 3 by one, 2nd by two",
        "2nd of 3 by one, 1st by two",
    ]


def test_stories_made_in_one_way_are_ranked_among_themselves() -> None:
    disputes = beside(four_stories(), "minimum", SIMPLE).disputes("trail")
    assert disputes.n == 2
    assert sorted(one.row for one in disputes.stories) == [0, 2]
    assert beside(four_stories(), "minimum", SIMPLE).disputes("baseline").stories == ()


def test_ranks_of_two_runs_are_told_with_what_tells_the_runs_apart() -> None:
    second = [story(0, "trail", (0.1,)), story(1, "trail", (0.7,))]
    found = across(four_stories(), table_of(second, []))
    disputes = found.disputes()
    assert dispute_words(found, disputes.stories[0], disputes.n) == "1st of 2 with root, 2nd with plain"
    assert [found.second.story(one.row).strengths for one in disputes.stories] == [(0.1,), (0.7,)]


def test_how_many_stories_match_is_told_with_numbers() -> None:
    first = four_stories()
    assert matching_sentence(across(first, first)) == "All 4 stories match."
    some = table_of([story(0, "trail"), story(7, "trail")], [])
    assert matching_sentence(across(first, some)) == (
        "1 story matches; 3 of the first and 1 of the second have no counterpart and are left out."
    )
    assert matching_sentence(across(table_of([story(0, "trail")], []), some)) == (
        "1 story matches; 1 of the second has no counterpart and is left out."
    )
    other = table_of([story(8, "trail")], [])
    assert matching_sentence(across(first, other)) == "None of their stories match: 4 of the first, 1 of the second."


@pytest.mark.parametrize(
    ("share", "n", "words"), [(1.0, 1, "1st"), (1.0, 200, "1st"), (0.0, 200, "200th"), (0.9899, 200, "3rd")]
)
def test_a_rank_is_told_from_the_top(share: float, n: int, words: str) -> None:
    assert rank_words(share, n) == words


def test_runs_of_one_name_are_told_apart_by_when_they_were_made() -> None:
    run = sample_run()
    assert names_apart([run, replace(run, name="Another")]) == ["“A sample run”", "“Another”"]
    later = replace(run, created_at="2026-03-02T09:30:00+00:00")
    assert names_apart([run, later]) == [
        "“A sample run” (2026-03-01 12:00 UTC)",
        "“A sample run” (2026-03-02 09:30 UTC)",
    ]


def test_runs_with_the_same_settings_say_so() -> None:
    run = sample_run()
    assert setting_differences(run, changed(run)) == ()
    assert differences_sentence(run, changed(run)) == "They were made with the same settings."


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"n_pairs": 40}, "pairs (30, 40)"),
        ({"seed": 7}, "seed (0, 7)"),
        ({"design": "sanity"}, "design (trails beside random chronologies, trails damaged on purpose)"),
        ({"collection": "papers"}, "collection (spaceflight, papers)"),
        ({"shares": {"extremes": 1.0}}, "shares of the groups of pairs"),
        ({"cutoffs": Cutoffs(short=0.2)}, "where the groups of pairs begin"),
        ({"seats": (FLOW, SIMPLE, LEXICAL)}, "judges (only the second asks Lexical reader)"),
        (
            {"seats": (SIMPLE, STANDARD)},
            "judges (only the first asks Reading flow, only the second asks gpt-4.1 standard 3 agents)",
        ),
    ],
)
def test_a_setting_in_which_two_runs_differ_is_told_with_both_values(settings: dict[str, object], told: str) -> None:
    run = sample_run()
    assert setting_differences(run, changed(run, **settings)) == (told,)
    assert differences_sentence(run, changed(run, **settings)) == f"They differ in one setting: {told}."


def test_what_a_run_stands_on_is_a_setting_too() -> None:
    run = sample_run()
    other = replace(run, divergence="plain", embedding_model="other", landscape_id="landscape-2")
    assert setting_differences(run, other) == (
        "comparison of topics (root, plain)",
        "vectors (wordllama, other)",
        "the map of the collection, which was built anew between them",
    )


def test_of_runs_with_the_same_pairs_it_does_not_matter_how_pairs_were_drawn() -> None:
    run = sample_run()
    variant = replace(changed(run, endpoints_of=run.run_id, seed=9), divergence="plain")
    assert differences_sentence(run, variant) == (
        "They differ in one setting: comparison of topics (root, plain). Both have the same endpoint pairs."
    )
    third = replace(variant, run_id="run-3")
    assert has_same_pairs(variant, third)
    assert not has_same_pairs(run, changed(run))
    assert not has_same_pairs(run, changed(run, endpoints_of="another"))


def test_variants_are_the_runs_with_the_same_pairs_and_another_divergence() -> None:
    run = sample_run()
    plain = replace(changed(run, endpoints_of=run.run_id), divergence="plain")
    same, strange = changed(run, endpoints_of=run.run_id), replace(changed(run), divergence="plain")
    runs = [summary_of(one) for one in (run, plain, same, strange)]
    assert [found.run for found in variants_of(runs[0], runs)] == [plain]
    assert [found.run for found in variants_of(runs[1], runs)] == [run, same]


def test_a_variant_differs_in_the_divergence_alone() -> None:
    run = sample_run(seats=(SIMPLE,))
    settings = variant_settings(summary_of(run), "base2")
    assert (settings.divergence, settings.endpoints_of) == ("base2", run.run_id)
    assert replace(settings, divergence=None, endpoints_of="") == run.settings


def told(*strengths: float) -> Story:
    """Return a story of undated documents that share nothing."""
    documents = tuple(Document(f"d{place}", f"Title {place}", "") for place in range(len(strengths) + 1))
    links = tuple(
        Link(f"d{place}", f"d{place + 1}", one, NAN, NAN, None, (), one == min(strengths), False)
        for place, one in enumerate(strengths)
    )
    return Story("trail", documents, links, min(strengths), NAN, NAN)


def test_weak_links_are_told_in_words_the_weakest_first() -> None:
    lines = weak_link_lines(told(0.9, 0.4, 0.6, 0.5), 0.7)
    assert lines[0].startswith("The weakest link is from “Title 1” to “Title 2” (0.40)")
    assert lines[1] == "3 of 4 links are below 0.70, the median link of trails here."
    assert [line[:31] for line in lines[2:]] == ["“Title 3” → “Title 4” (0.50): n", "“Title 2” → “Title 3” (0.60): n"]


def test_a_story_of_strong_links_has_its_weakest_alone() -> None:
    assert len(weak_link_lines(told(0.9, 0.8), 0.7)) == 1
    assert len(weak_link_lines(told(0.9, 0.8), NAN)) == 1
