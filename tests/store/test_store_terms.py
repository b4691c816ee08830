import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_samples import counts, save_sample, texts

from narrative_core.errors import InvalidInput
from narrative_core.store.collections import has_collection
from narrative_core.store.database import Database
from narrative_core.store.terms import load_term_counts, save_term_counts


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(texts, counts, max_size=5))
def test_counts_come_back_and_replace_the_former_ones(lasting_database: Database, given_counts: dict[str, int]) -> None:
    if not has_collection(lasting_database, "news"):
        save_sample(lasting_database)
    save_term_counts(lasting_database, "news", {"former": 1})
    save_term_counts(lasting_database, "news", given_counts)
    assert load_term_counts(lasting_database, "news") == given_counts


def test_the_commonest_term_comes_first(database: Database) -> None:
    save_sample(database)
    assert load_term_counts(database, "news") == {}
    save_term_counts(database, "news", {"rare": 1, "flood": 9, "dam": 3, "barn": 3})
    assert list(load_term_counts(database, "news").items()) == [("flood", 9), ("barn", 3), ("dam", 3), ("rare", 1)]


def test_counts_of_one_collection_are_not_those_of_another(database: Database) -> None:
    save_sample(database, "one")
    save_sample(database, "two")
    save_term_counts(database, "one", {"flood": 9})
    save_term_counts(database, "two", {"flood": 1})
    assert load_term_counts(database, "one") == {"flood": 9}


def test_an_unknown_collection_is_refused(database: Database) -> None:
    with pytest.raises(InvalidInput, match="no collection named"):
        save_term_counts(database, "nwes", {})
    with pytest.raises(InvalidInput, match="no collection named"):
        load_term_counts(database, "nwes")
