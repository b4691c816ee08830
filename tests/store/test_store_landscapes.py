import uuid
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from store_samples import counts, floats, landscape, save_sample, saved_story, texts

from narrative_core.errors import InvalidInput
from narrative_core.records import Document, Landscape, LandscapeParameters, Topic
from narrative_core.store.collections import delete_collection, list_collections
from narrative_core.store.database import Database
from narrative_core.store.landscapes import (
    delete_landscape,
    load_landscape,
    load_placed,
    save_landscape,
    save_topics,
)
from narrative_core.store.project_rows import Placement, load_placement, save_placement
from narrative_core.store.stories import load_story, save_story

finite = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def landscapes(draw: st.DrawFn) -> Landscape:
    n, k = draw(st.integers(0, 4)), draw(st.integers(0, 3))
    return Landscape(
        landscape_id=draw(texts),
        positions=draw(hnp.arrays(np.float64, (n, 2))),
        nearest_topic=draw(hnp.arrays(np.int64, n)),
        is_outlier=draw(hnp.arrays(np.bool_, n)),
        memberships=draw(hnp.arrays(np.float64, (n, k))),
        topics=tuple(Topic(i, draw(texts), tuple(draw(st.lists(texts, max_size=2))), draw(counts)) for i in range(k)),
        parameters=draw(st.builds(LandscapeParameters, n_neighbors=counts, min_dist=finite, metric=texts, seed=counts)),
        critical_coherence=draw(floats),
        median_link=draw(floats),
        created_at=draw(texts),
        versions=draw(st.dictionaries(texts, texts, max_size=2)),
        notices=tuple(draw(st.lists(texts, max_size=2))),
    )


def assert_same(one: Landscape | None, other: Landscape) -> None:
    """Compare field by field, arrays byte by byte."""
    assert one is not None
    for field in fields(Landscape):
        left, right = getattr(one, field.name), getattr(other, field.name)
        if isinstance(right, np.ndarray):
            assert (left.dtype, left.shape) == (right.dtype, right.shape), field.name
            assert left.tobytes() == right.tobytes(), field.name
        else:
            assert repr(left) == repr(right), field.name


@settings(max_examples=40, deadline=None)
@given(landscapes())
def test_a_landscape_comes_back_bit_for_bit(lasting_database: Database, one: Landscape) -> None:
    name = uuid.uuid4().hex
    save_sample(lasting_database, name, [Document(str(i), "", "") for i in range(len(one.positions))])
    save_landscape(lasting_database, name, one)
    loaded = load_landscape(lasting_database, name)
    delete_collection(lasting_database, name)
    assert_same(loaded, one)


def test_a_landscape_without_topics_comes_back(database: Database) -> None:
    save_sample(database)
    save_landscape(database, "news", landscape(k=0))
    loaded = load_landscape(database, "news")
    assert_same(loaded, landscape(k=0))
    assert loaded is not None
    assert loaded.memberships.shape == (3, 0)


def test_a_collection_that_is_not_built_has_no_landscape(database: Database) -> None:
    save_sample(database)
    assert load_landscape(database, "news") is None


def test_a_new_landscape_replaces_the_former_one_and_stories_keep_their_id(database: Database) -> None:
    save_sample(database)
    save_landscape(database, "news", landscape(k=3))
    save_story(database, saved_story())
    save_landscape(database, "news", landscape(k=1, landscape_id="land-2"))
    assert_same(load_landscape(database, "news"), landscape(k=1, landscape_id="land-2"))
    assert list_collections(database)[0].n_topics == 1
    assert load_story(database, "s1").landscape_id == "land-1"


def test_a_landscape_can_be_replaced_while_another_thread_still_reads_the_former_one(database: Database) -> None:
    save_sample(database)
    save_landscape(database, "news", landscape())
    with database.reading() as cursor:
        assert cursor.execute("SELECT count(*) FROM topics").fetchall() == [(2,)]
        for landscape_id in ("land-2", "land-3"):
            save_landscape(database, "news", landscape(k=1, landscape_id=landscape_id))
        assert cursor.execute("SELECT count(*) FROM topics").fetchall() == [(2,)]
    assert_same(load_landscape(database, "news"), landscape(k=1, landscape_id="land-3"))


@pytest.mark.parametrize("field", ["positions", "nearest_topic", "is_outlier", "memberships"])
def test_an_array_of_another_length_is_refused_and_the_former_landscape_stays(database: Database, field: str) -> None:
    save_sample(database)
    save_landscape(database, "news", landscape())
    bad = replace(landscape(landscape_id="bad"), **{field: getattr(landscape(n=2), field)})
    with pytest.raises(InvalidInput, match=f"has 3 documents, but {field} has shape"):
        save_landscape(database, "news", bad)
    assert_same(load_landscape(database, "news"), landscape())


@pytest.mark.parametrize("shape", [(3,), (3, 2, 1)])
def test_memberships_that_are_no_matrix_are_refused(database: Database, shape: tuple[int, ...]) -> None:
    save_sample(database)
    with pytest.raises(InvalidInput, match="memberships has shape"):
        save_landscape(database, "news", replace(landscape(), memberships=np.ones(shape)))


def test_an_unknown_median_link_is_null_for_a_query(database: Database) -> None:
    save_sample(database)
    save_landscape(database, "news", landscape())
    with database.reading() as cursor:
        rows = cursor.execute("SELECT median_link IS NULL, parameters->>'divergence' FROM landscapes").fetchall()
    assert rows == [(True, "base2")]


def test_settings_of_another_version_of_the_program_do_not_hinder_loading(database: Database) -> None:
    save_sample(database)
    save_landscape(database, "news", landscape())
    with database.transaction() as cursor:
        cursor.execute('UPDATE landscapes SET parameters = \'{"n_neighbors": 9, "gone": 1}\'')
    loaded = load_landscape(database, "news")
    assert loaded is not None
    assert loaded.parameters == LandscapeParameters(n_neighbors=9)


def test_an_unknown_collection_is_refused(database: Database) -> None:
    with pytest.raises(InvalidInput, match="no collection named"):
        save_landscape(database, "nwes", landscape())
    with pytest.raises(InvalidInput, match="no collection named"):
        load_landscape(database, "nwes")


def test_which_documents_came_after_the_fit_is_known_until_there_is_another_fit(database: Database) -> None:
    save_sample(database)
    save_landscape(database, "news", landscape())
    assert load_placed(database, "news") == frozenset()
    placement = Placement(np.ones((3, 2), np.float32), np.array([False, True, True]))
    save_placement(database, "news", placement)
    assert load_placed(database, "news") == {"d2", "d3"}
    save_topics(database, "news", landscape().topics[:1])
    assert load_placed(database, "news") == {"d2", "d3"}
    save_landscape(database, "news", landscape())
    assert load_placed(database, "news") == frozenset()
    assert load_placement(database, "news").projections is None


def test_a_deleted_landscape_leaves_the_documents(database: Database) -> None:
    for name in ("news", "other"):
        save_sample(database, name)
        save_landscape(database, name, landscape())
    delete_landscape(database, "news")
    assert load_landscape(database, "news") is None
    assert_same(load_landscape(database, "other"), landscape())
    assert [(one.n_documents, one.is_built) for one in list_collections(database)] == [(3, False), (3, True)]
    with pytest.raises(InvalidInput, match="no collection named"):
        delete_landscape(database, "nwes")
    with pytest.raises(InvalidInput, match="no collection named"):
        load_placed(database, "nwes")
