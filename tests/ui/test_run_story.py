"""A run's stories as they are read, and the way from one of them to the map."""

import datetime as dt
import math
from dataclasses import replace

import pytest

from narrative_core.records import Document
from narrative_core.ui.run_documents import pairs_of, stories_of_pair, told_story
from narrative_core.ui.run_story import map_notice, request_of
from tests.run_samples import sample_table, story

DATED = {name: Document(name, f"Title {name}", "", dt.date(2020, 1, day)) for day, name in enumerate("abc", start=1)}


def test_a_story_is_told_with_its_documents_and_the_strength_of_each_link() -> None:
    told = told_story(story(0, "trail", [0.8, 0.5], ids="abc"), DATED)
    assert [document.title for document in told.documents] == ["Title a", "Title b", "Title c"]
    assert [(link.coherence, link.is_weakest, link.days_between) for link in told.links] == [
        (0.8, False, 1),
        (0.5, True, 1),
    ]
    assert (told.bottleneck, told.mean) == (0.5, pytest.approx(0.65))
    assert told.reliability == pytest.approx(math.sqrt(0.4))
    assert told.weakest_link is told.links[1]


def test_what_a_run_does_not_keep_of_a_link_is_unknown() -> None:
    (link,) = told_story(story(0, "trail", [0.8], ids="ab"), DATED).links
    assert math.isnan(link.wording_similarity)
    assert math.isnan(link.topic_similarity)
    assert link.shared_terms == ()


def test_a_link_of_no_strength_leaves_a_story_without_reliability() -> None:
    assert told_story(story(0, "baseline", [0.0, 0.9], ids="abc"), DATED).reliability == 0.0


def test_a_document_that_is_gone_stands_in_the_story_with_its_id() -> None:
    told = told_story(story(0, "trail", [0.8], ids=["a", "lost"]), DATED)
    assert told.documents[1].title == "lost (not here any more)"
    assert told.links[0].days_between is None


def test_the_stories_of_a_pair_are_those_and_no_others() -> None:
    table = sample_table(5)
    found = stories_of_pair(table, 3)
    assert set(found) == {"trail", "baseline"}
    assert {one.pair for one in found.values()} == {3}


def test_the_pairs_of_some_stories_are_each_there_once_in_their_order() -> None:
    assert pairs_of(sample_table(5), [7, 6, 0, 3, 1]) == (3, 0, 1)


def test_the_map_is_asked_for_the_ends_of_a_story_in_order_of_time() -> None:
    request = request_of(story(0, "trail", [0.8, 0.5], ids="abc"), DATED)
    assert (request.source, request.target, request.is_chronological) == ("a", "c", True)


def test_without_a_date_at_an_end_the_map_is_asked_for_any_order() -> None:
    undated = DATED | {"c": Document("c", "Title c", "")}
    assert not request_of(story(0, "trail", [0.8, 0.5], ids="abc"), undated).is_chronological


def test_the_map_warns_only_where_it_was_made_anew_or_compares_topics_otherwise() -> None:
    run = replace(sample_table().run, landscape_id="here", divergence="root")
    named = replace(run, settings=replace(run.settings, divergence="root"))
    assert map_notice(run, "here", "root") == map_notice(named, "here", "root") == ""
    assert "another map" in map_notice(run, "other", "root")
    assert "“root”, the map by “base2”" in map_notice(run, "here", "base2")
