import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_samples import counts, floats, save_sample

from narrative_core.errors import InvalidInput
from narrative_core.estimates import SeedAgreement
from narrative_core.store.collections import has_collection
from narrative_core.store.database import Database
from narrative_core.store.stability import load_seed_agreements, save_seed_agreement

FIRST = SeedAgreement(43, 12, 0.25, 0.8, 150, 0.7, 0.01)
agreements = st.builds(
    SeedAgreement,
    seed=st.integers(0, 2**62),
    n_topics=counts,
    outlier_share=st.floats(0, 1),
    topic_agreement=floats,
    n_trails=counts,
    trail_agreement=floats,
    strength_difference=floats,
)


@settings(max_examples=40, deadline=None)
@given(agreements)
def test_what_is_saved_comes_back_with_what_is_undefined(lasting_database: Database, one: SeedAgreement) -> None:
    if not has_collection(lasting_database, "news"):
        save_sample(lasting_database)
    save_seed_agreement(lasting_database, "news", f"land of {one.seed}", one)
    assert repr(load_seed_agreements(lasting_database, "news", f"land of {one.seed}")) == repr((one,))


def test_comparisons_come_by_seed_and_one_with_the_same_seed_replaces_the_former(database: Database) -> None:
    save_sample(database)
    for seed, n_topics in ((45, 1), (44, 2), (45, 3)):
        save_seed_agreement(database, "news", "land-1", SeedAgreement(seed, n_topics, 0, 1, 0, 1, 0))
    assert [(one.seed, one.n_topics) for one in load_seed_agreements(database, "news", "land-1")] == [(44, 2), (45, 3)]


def test_comparisons_with_a_former_landscape_are_let_go(database: Database) -> None:
    save_sample(database, "news")
    save_sample(database, "other")
    save_seed_agreement(database, "news", "former", FIRST)
    save_seed_agreement(database, "other", "former", FIRST)
    assert load_seed_agreements(database, "news", "present") == ()
    save_seed_agreement(database, "news", "present", FIRST)
    assert load_seed_agreements(database, "news", "former") == ()
    assert load_seed_agreements(database, "other", "former") == (FIRST,)


def test_an_unknown_collection_is_refused(database: Database) -> None:
    with pytest.raises(InvalidInput, match="no collection named"):
        load_seed_agreements(database, "nwes", "land-1")
    with pytest.raises(InvalidInput, match="no collection named"):
        save_seed_agreement(database, "nwes", "land-1", FIRST)
