import uuid

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_samples import save_sample, texts

from narrative_core.errors import InvalidInput
from narrative_core.store.copies import load_copies, save_copies
from narrative_core.store.database import Database


def test_copies_that_were_never_looked_for_are_unknown_and_none_is_something_else(database: Database) -> None:
    save_sample(database)
    assert load_copies(database, "news") is None
    save_copies(database, "news", {})
    assert load_copies(database, "news") == {}


@settings(max_examples=30, deadline=None)
@given(st.dictionaries(texts, texts, max_size=5), st.dictionaries(texts, texts, max_size=5))
def test_copies_come_back_and_the_last_ones_replace_the_others(
    lasting_database: Database, first: dict[str, str], second: dict[str, str]
) -> None:
    name, other = uuid.uuid4().hex, uuid.uuid4().hex
    save_sample(lasting_database, name)
    save_sample(lasting_database, other)
    save_copies(lasting_database, other, first)
    for copies in (first, second):
        save_copies(lasting_database, name, copies)
        assert load_copies(lasting_database, name) == copies
    assert load_copies(lasting_database, other) == first


def test_copies_of_no_collection_are_refused(database: Database) -> None:
    for act in (lambda: load_copies(database, "news"), lambda: save_copies(database, "news", {})):
        with pytest.raises(InvalidInput, match="no collection named 'news'"):
            act()
