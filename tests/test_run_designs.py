"""Which stories a run is about."""

import math
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from narrative_core.errors import InvalidInput
from narrative_core.extraction import LoadedCollection
from narrative_core.joint import ORIGIN
from narrative_core.judging.shown import story_hash
from narrative_core.run_designs import GivenPair, MadeStories, make_stories, run_ground
from narrative_core.runs import Design, RunSettings, RunStory
from narrative_core.trails.capacity import strongest_trail
from narrative_core.trails.coherence import coherence_matrix
from narrative_core.trails.graph import critical_coherence
from narrative_core.trails.mixtures import LENGTHS
from tests.builders import build_collection


@pytest.fixture(scope="module")
def loaded() -> LoadedCollection:
    return build_collection()


def settings(loaded: LoadedCollection, design: Design = "trails", n_pairs: int = 10, seed: int = 3) -> RunSettings:
    return RunSettings(loaded.collection.name, n_pairs, seed=seed, design=design)


def made(loaded: LoadedCollection, design: Design = "trails", n_pairs: int = 10, seed: int = 3) -> MadeStories:
    return make_stories(run_ground(loaded), settings(loaded, design, n_pairs, seed))


def of_two(loaded: LoadedCollection) -> LoadedCollection:
    """Return the same collection as if it were made of two: every other document is of the second."""
    documents = tuple(
        replace(document, extras={ORIGIN: ("first", "second")[row % 2]})
        for row, document in enumerate(loaded.documents)
    )
    return replace(loaded, documents=documents)


def origin_of(loaded: LoadedCollection, story: RunStory) -> list[str]:
    return [loaded.documents[row].extras[ORIGIN] for row in loaded.rows(story.document_ids)]


def test_each_pair_has_its_trail_and_a_random_chronology_between_the_same_ends(loaded: LoadedCollection) -> None:
    stories = made(loaded).stories
    pairs = [story.pair for story in stories]
    assert pairs == sorted(pairs) and set(Counter(pairs).values()) == {2}
    for trail, chance in zip(stories[::2], stories[1::2], strict=True):
        assert (trail.made, chance.made) == ("trail", "baseline")
        assert trail.stratum == chance.stratum is not None
        assert trail.document_ids[0] == chance.document_ids[0]
        assert trail.document_ids[-1] == chance.document_ids[-1]


def test_a_trail_is_the_strongest_one_between_its_ends(loaded: LoadedCollection) -> None:
    for story in made(loaded).stories[::2]:
        rows = loaded.rows(story.document_ids)
        assert tuple(rows) == strongest_trail(loaded.graph, rows[0], rows[-1]).documents


def test_a_story_carries_the_strengths_and_measures_of_its_documents(loaded: LoadedCollection) -> None:
    for story in made(loaded).stories:
        rows = loaded.rows(story.document_ids)
        documents = [loaded.documents[row] for row in rows]
        assert story.strengths == loaded.graph.chain_strengths(rows)
        assert story.story_hash == story_hash(documents)
        dates = [document.date for document in documents if document.date is not None]
        assert story.span_days == (max(dates) - min(dates)).days
        assert 0 < story.efficiency <= 1
        weak = [strength < loaded.landscape.median_link for strength in story.strengths]
        assert story.weak_share == pytest.approx(sum(weak) / len(weak))


def test_one_seed_gives_the_same_stories_and_another_gives_others(loaded: LoadedCollection) -> None:
    assert repr(made(loaded)) == repr(made(loaded))
    assert repr(made(loaded)) != repr(made(loaded, seed=4))


def test_counts_of_the_strata_add_up_to_the_pairs(loaded: LoadedCollection) -> None:
    found = made(loaded, n_pairs=20)
    assert sum(count.found for count in found.strata) == len(found.stories) / 2
    assert sum(count.wanted for count in found.strata) == 20


def test_another_divergence_is_another_coherence_with_its_own_floor_and_median(loaded: LoadedCollection) -> None:
    assert run_ground(loaded).graph is loaded.graph
    assert run_ground(loaded, "root").graph is loaded.graph
    ground = run_ground(loaded, "plain")
    theta = coherence_matrix(loaded.vectors.values, loaded.landscape.memberships, divergence="plain")
    assert ground.divergence == "plain"
    assert ground.critical_coherence == pytest.approx(critical_coherence(theta))
    assert ground.graph.chain_strengths([0, 5, 9]) == pytest.approx((theta[0, 5], theta[5, 9]))
    assert ground.graph.days is loaded.graph.days
    assert ground.median_link != loaded.landscape.median_link
    assert math.isfinite(ground.median_link)


def test_the_pairs_of_another_run_are_taken_with_their_chronologies_and_those_without_a_trail_rejected(
    loaded: LoadedCollection,
) -> None:
    first, chance, second, other_chance = [story.document_ids for story in made(loaded).stories][:4]
    given = [
        GivenPair(second[0], second[-1], "extremes", other_chance),
        GivenPair(first[-1], first[0], "within long", chance[::-1]),
        GivenPair(first[0], first[-1], "within long", chance),
    ]
    found = make_stories(run_ground(loaded), settings(loaded, seed=9), given=given)
    told = [(story.made, story.document_ids, story.stratum) for story in found.stories]
    assert told == [
        ("trail", second, "extremes"),
        ("baseline", other_chance, "extremes"),
        ("trail", first, "within long"),
        ("baseline", chance, "within long"),
    ]
    assert sum(count.rejected for count in found.strata) == 1


def test_a_sanity_run_has_every_trail_damaged_in_four_ways(loaded: LoadedCollection) -> None:
    found = made(loaded, "sanity")
    by_pair = {pair: [s for s in found.stories if s.pair == pair] for pair in {s.pair for s in found.stories}}
    assert len(by_pair) == len([story for story in found.stories if story.made == "trail"])
    for stories in by_pair.values():
        kinds = {story.made: story for story in stories}
        trail = kinds["trail"].document_ids
        assert kinds["reversed"].document_ids == trail[::-1]
        assert ("shuffled" in kinds) == (len(trail) > 2)
        if "shuffled" in kinds:
            assert sorted(kinds["shuffled"].document_ids) == sorted(trail)
            assert kinds["shuffled"].document_ids not in (trail, trail[::-1])
        (foreign,) = set(kinds["foreign"].document_ids) - set(trail)
        assert [name for name in kinds["foreign"].document_ids if name != foreign] == list(trail)
        doubled = kinds["doubled"].document_ids
        assert len(doubled) == len(trail) + 1 and set(doubled) == set(trail)


def test_a_sanity_run_has_the_trails_and_chronologies_of_the_usual_run(loaded: LoadedCollection) -> None:
    sound = [story for story in made(loaded, "sanity").stories if story.made in ("trail", "baseline")]
    assert repr(tuple(sound)) == repr(made(loaded).stories)


def test_a_document_told_twice_hangs_together_with_itself_wholly(loaded: LoadedCollection) -> None:
    for story in made(loaded, "sanity").stories:
        if story.made == "doubled":
            repeats = [a == b for a, b in pairwise(story.document_ids)]
            assert sum(repeats) == 1
            assert story.strengths[repeats.index(True)] == 1.0
            assert min(story.strengths) > 0


def test_mixtures_alternate_between_two_collections_or_mix_them(loaded: LoadedCollection) -> None:
    both = of_two(loaded)
    stories = made(both, "mixtures", n_pairs=8).stories
    assert Counter(story.made for story in stories) == {"trail": 8, "alternating": 8, "mixed": 8}
    for story in stories:
        origins = origin_of(both, story)
        assert story.stratum is None
        if story.made == "trail":
            assert len(set(origins)) == 1
            continue
        assert LENGTHS[0] <= len(origins) <= LENGTHS[1]
        if story.made == "alternating":
            assert all(a != b for a, b in pairwise(origins))
    assert {origin_of(both, story)[0] for story in stories if story.made == "trail"} == {"first", "second"}


def test_a_collection_that_is_not_made_of_two_has_no_mixtures(loaded: LoadedCollection) -> None:
    with pytest.raises(InvalidInput, match="not made of two"):
        made(loaded, "mixtures")


def test_mixtures_take_no_pairs_of_another_run(loaded: LoadedCollection) -> None:
    both = of_two(loaded)
    with pytest.raises(InvalidInput, match="no endpoint pairs"):
        make_stories(
            run_ground(both), settings(both, "mixtures"), given=[GivenPair("d0", "d3", "extremes", ("d0", "d3"))]
        )


def test_a_story_with_an_undated_document_has_no_span() -> None:
    loaded = of_two(build_collection((0, 1, 2, 3, 4, 5, None, None)))
    stories = made(loaded, "mixtures", n_pairs=6, seed=1).stories
    undated = {document.document_id for document in loaded.documents if document.date is None}
    for story in stories:
        assert np.isnan(story.span_days) == bool(undated & set(story.document_ids))
