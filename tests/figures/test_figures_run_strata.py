from dataclasses import replace

import pytest

from narrative_core.errors import InvalidInput
from narrative_core.figures.run_strata import PairGroup, pair_groups
from narrative_core.figures.theme import Mode
from narrative_core.runs import STRATUM_WORDS
from tests.run_samples import sample_table, story, table_of


def test_every_pair_is_in_the_group_of_its_stratum_once() -> None:
    groups = pair_groups(sample_table(13), 13)
    assert [group.stratum for group in groups] == list(STRATUM_WORDS)
    assert sorted(pair for group in groups for pair in group.pairs) == list(range(13))
    assert groups[0].pairs == (0, 6, 12)


def test_a_stratum_without_a_pair_is_left_out_and_pairs_without_one_are_a_group() -> None:
    stories = [story(1, "trail"), replace(story(0, "trail"), stratum="extremes")]
    groups = pair_groups(table_of(stories, []), 2)
    assert [(group.words, group.pairs) for group in groups] == [
        ("farthest apart in wording", (0,)),
        ("endpoint pairs", (1,)),
    ]


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_six_strata_have_six_colours(mode: Mode) -> None:
    assert len({PairGroup(stratum, ()).colour(mode) for stratum in STRATUM_WORDS}) == 6


def test_a_label_names_the_stratum_and_counts_its_pairs() -> None:
    assert PairGroup("within short", (1, 5)).label("light").endswith("<b>within a topic, short</b></span>  n = 2")


def test_a_pair_without_endpoints_is_refused() -> None:
    with pytest.raises(InvalidInput, match="got 3, and the run has a pair 4"):
        pair_groups(table_of([story(3, "trail")], []), 3)
