import pytest

from narrative_core.errors import InvalidInput
from narrative_core.store import desks
from narrative_core.store.collections import delete_collection
from narrative_core.store.database import Database
from narrative_core.store.desks import keep_desk, load_desk
from tests.store.store_samples import save_sample


def test_a_desk_comes_back_letter_by_letter_and_the_latest_counts(database: Database) -> None:
    save_sample(database)
    assert load_desk(database, "news") is None
    for text in ('{"a" :  1.0, "b":"\\u0000 ü 👩‍👩‍👧"}', '{"a":2}'):
        keep_desk(database, "news", text)
        assert load_desk(database, "news") == text


def test_each_collection_has_a_desk_of_its_own_which_goes_with_it(database: Database) -> None:
    save_sample(database)
    save_sample(database, "other")
    keep_desk(database, "news", "{}")
    keep_desk(database, "other", '{"a":1}')
    delete_collection(database, "other")
    save_sample(database, "other")
    assert (load_desk(database, "news"), load_desk(database, "other")) == ("{}", None)


def test_a_collection_that_is_not_there_has_no_desk(database: Database) -> None:
    with pytest.raises(InvalidInput, match="There is no collection named 'news'"):
        keep_desk(database, "news", "{}")
    with pytest.raises(InvalidInput, match="There is no collection named 'news'"):
        load_desk(database, "news")


def test_a_desk_without_end_is_refused(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    save_sample(database)
    monkeypatch.setattr(desks, "LONGEST_DESK", 5)
    with pytest.raises(InvalidInput, match="has 6 characters, more than the 5"):
        keep_desk(database, "news", '{"a":}')
