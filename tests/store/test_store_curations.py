import datetime as dt

import pytest
from hypothesis import given, settings
from store_samples import DOCUMENTS, HOSTILE, save_sample

from narrative_core.curation import Curation
from narrative_core.errors import InvalidInput
from narrative_core.store.collections import has_collection, list_collections
from narrative_core.store.curations import count_left, load_curation, save_curation
from narrative_core.store.database import Database
from tests.curation_samples import curations

IDS = ("d1", "d2", "d3", HOSTILE)


@settings(max_examples=60, deadline=None)
@given(curations(IDS), curations(IDS))
def test_the_last_curation_that_was_saved_comes_back(
    lasting_database: Database, first: Curation, last: Curation
) -> None:
    if not has_collection(lasting_database, "news"):
        save_sample(lasting_database)
    save_curation(lasting_database, "news", first)
    save_curation(lasting_database, "news", last)
    assert load_curation(lasting_database, "news") == last


def test_nothing_is_decided_at_first(database: Database) -> None:
    save_sample(database)
    assert load_curation(database, "news") == Curation()


def test_decisions_about_one_collection_are_not_those_of_another(database: Database) -> None:
    save_sample(database, "one")
    save_sample(database, "two")
    save_curation(database, "one", Curation(excluded=frozenset({"d1"}), link_notes={("d1", "d2"): "Why?"}))
    assert load_curation(database, "two") == Curation()


def test_documents_left_are_those_that_are_there_and_not_excluded(database: Database) -> None:
    save_sample(database)
    assert count_left(database, "news", []) == (3, 3)
    assert count_left(database, "news", ["d1", "gone"]) == (2, 3)
    assert count_left(database, "news", [document.document_id for document in DOCUMENTS]) == (0, 3)


def test_a_summary_counts_what_is_not_excluded_and_typed_dates(database: Database) -> None:
    save_sample(database)
    typed = Curation(excluded=frozenset({"d2", "gone"}), dates={"d3": "1999"})
    save_curation(database, "news", typed, days={"d3": dt.date(1999, 1, 1)})
    (news,) = list_collections(database)
    assert (news.n_documents, news.n_undated, news.n_excluded) == (2, 0, 1)
    assert (news.first_date, news.last_date) == (dt.date(1999, 1, 1), dt.date(2020, 1, 1))


def test_an_unknown_collection_is_refused(database: Database) -> None:
    for use in (
        lambda: load_curation(database, "nwes"),
        lambda: save_curation(database, "nwes", Curation()),
        lambda: count_left(database, "nwes", []),
    ):
        with pytest.raises(InvalidInput, match="no collection named"):
            use()
