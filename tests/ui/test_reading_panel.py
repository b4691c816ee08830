import math
from dataclasses import replace

import numpy as np
import pytest

from narrative_core.curation import Curation
from narrative_core.extraction import LoadedCollection
from narrative_core.records import Topic
from narrative_core.ui.reading_panel import membership_share, topic_sentence
from tests.builders import build_collection


def collection(memberships: list[float], *, merged: dict[int, int] | None = None) -> LoadedCollection:
    loaded = build_collection([0, 10])
    landscape = replace(
        loaded.landscape,
        nearest_topic=np.array([1, 1]),
        is_outlier=np.array([True, False]),
        memberships=np.array([memberships, [0.0, 1.0, 0.0]]),
        topics=tuple(Topic(number, name, (), 1) for number, name in enumerate(("flood", "ballot", "rocket"))),
    )
    return replace(loaded, landscape=landscape, curation=Curation(merged_topics=merged or {}))


def test_outside_every_topic_the_nearest_is_named_with_its_share_of_the_membership() -> None:
    loaded = collection([0.1, 0.31, 0.59])
    assert topic_sentence(loaded, 0) == "Outside every topic; the nearest is ballot, 31% of its membership"
    assert topic_sentence(loaded, 1) == "Topic: ballot"


def test_a_share_is_of_what_a_document_belongs_to_which_may_be_little() -> None:
    assert membership_share(collection([0.1, 0.2, 0.1]), 0, 1) == pytest.approx(0.5)


def test_the_share_of_a_topic_holds_those_that_were_merged_into_it() -> None:
    assert membership_share(collection([0.25, 0.25, 0.5], merged={2: 1}), 0, 1) == pytest.approx(0.75)


def test_a_document_that_belongs_to_nothing_has_a_nearest_topic_without_a_share() -> None:
    loaded = collection([0.0, 0.0, 0.0])
    assert math.isnan(membership_share(loaded, 0, 1))
    assert topic_sentence(loaded, 0) == "Outside every topic; the nearest is ballot"
