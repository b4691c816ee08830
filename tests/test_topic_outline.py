"""Topics in groups of kin."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core.extraction import LoadedCollection
from narrative_core.records import Topic, Vectors
from narrative_core.topic_outline import MOST_GROUPS, topic_outline
from tests.builders import build_collection


def with_topics(angles: list[float], sizes: list[int], words: list[tuple[str, ...]]) -> LoadedCollection:
    """Return a collection whose topics point in given directions of a plane, in degrees."""
    base = build_collection(tuple(range(sum(sizes))))
    topics = np.repeat(np.arange(len(angles)), sizes)
    turned = np.deg2rad(np.array(angles))[topics]
    values = np.column_stack([np.cos(turned), np.sin(turned)]).astype(np.float32)
    landscape = replace(
        base.landscape,
        nearest_topic=topics,
        is_outlier=np.zeros(len(topics), dtype=bool),
        topics=tuple(Topic(n, " · ".join(words[n]), words[n], size) for n, size in enumerate(sizes)),
    )
    return replace(base, vectors=Vectors(values, "plane", "1"), landscape=landscape)


def test_topics_that_point_the_same_way_are_kin_and_the_largest_group_is_first() -> None:
    words = [("flood",), ("dam", "flood"), ("ballot",), ("vote", "ballot")]
    found = topic_outline(with_topics([0, 5, 90, 95], [2, 2, 5, 3], words), [0, 1, 2, 3])
    assert [group.topics for group in found] == [(2, 3), (0, 1)]


def test_a_group_is_called_by_the_words_of_most_of_its_documents() -> None:
    words = [("flood", "dam"), ("dam", "river"), ("ballot",)]
    found = topic_outline(with_topics([0, 5, 90], [3, 2, 4], words), [0, 1, 2])
    assert [group.label for group in found] == ["dam · flood · river", "ballot"]


@pytest.mark.parametrize("n", [0, 1, 2])
def test_fewer_than_three_topics_are_one_group(n: int) -> None:
    loaded = with_topics([0, 90], [2, 2], [("a",), ("b",)])
    assert [group.topics for group in topic_outline(loaded, list(range(n)))] == ([tuple(range(n))] if n else [])


def test_a_topic_without_a_document_has_a_place_too() -> None:
    loaded = with_topics([0, 45, 90], [2, 2, 2], [("a",), ("b",), ("c",)])
    emptied = replace(loaded, landscape=replace(loaded.landscape, nearest_topic=np.array([0, 0, 1, 1, 1, 1])))
    assert sorted(topic for group in topic_outline(emptied, [0, 1, 2]) for topic in group.topics) == [0, 1, 2]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(0, 360), min_size=3, max_size=40))
def test_every_topic_is_in_one_group_of_at_most_eight(angles: list[float]) -> None:
    loaded = with_topics(angles, [1] * len(angles), [(f"w{n}",) for n in range(len(angles))])
    found = topic_outline(loaded, list(range(len(angles))))
    assert sorted(topic for group in found for topic in group.topics) == list(range(len(angles)))
    assert 1 <= len(found) <= MOST_GROUPS
