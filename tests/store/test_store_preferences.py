from hypothesis import given, settings
from store_samples import texts

from narrative_core.store.database import Database
from narrative_core.store.preferences import load_preference, save_preference


@settings(max_examples=40, deadline=None)
@given(texts, texts, texts)
def test_the_last_choice_comes_back(lasting_database: Database, key: str, first: str, last: str) -> None:
    save_preference(lasting_database, key, first)
    save_preference(lasting_database, key, last)
    assert load_preference(lasting_database, key, "default") == last


def test_where_nothing_was_chosen_the_default_comes_back(database: Database) -> None:
    assert load_preference(database, "colour") == ""
    assert load_preference(database, "colour", "blue") == "blue"
    save_preference(database, "colour", "")
    assert load_preference(database, "colour", "blue") == ""
