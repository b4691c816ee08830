"""What is kept in memory of the collections: as they are curated now, and no more than there is room for."""

import gc
import weakref

import pytest

from narrative_core.curating import keep_curation
from narrative_core.curation import Curation
from narrative_core.store.database import Database
from narrative_core.ui import resources


def landscape_id() -> str:
    summary = resources.summary("toy")
    return (summary and summary.landscape_id) or ""


def first_label() -> str:
    return resources.loaded("toy", landscape_id()).landscape.topics[0].label


def test_a_topic_has_the_name_that_it_was_given_though_one_of_a_former_landscape_had_the_same(
    database: Database,
) -> None:
    found = first_label()
    keep_curation(database, "toy", Curation(landscape_id="a former one", topic_labels={0: "Floods"}))
    assert first_label() == found
    keep_curation(database, "toy", Curation(landscape_id=landscape_id(), topic_labels={0: "Floods"}))
    assert first_label() == "Floods"


@pytest.mark.parametrize(("large", "n_kept"), [(1_000, 2), (2, 1)])
def test_of_a_large_collection_one_arrangement_is_kept_beside_all_pairs(
    database: Database, monkeypatch: pytest.MonkeyPatch, large: int, n_kept: int
) -> None:
    monkeypatch.setattr(resources, "LARGE_COLLECTION", large)
    ids = list(resources.loaded("toy", landscape_id()).row_of)
    arrangements = []
    for number in range(3):
        keep_curation(database, "toy", Curation(excluded=frozenset(ids[: number + 1])))
        opened = resources.loaded("toy", landscape_id())
        assert len(opened.documents) == len(ids) - number - 1
        arrangements.append(weakref.ref(opened.graph.coherence))
        del opened
    gc.collect()
    assert sum(kept() is not None for kept in arrangements) == n_kept
    assert arrangements[-1]() is not None
