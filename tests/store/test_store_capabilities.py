from dataclasses import replace
from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st
from store_samples import HOSTILE, texts

from narrative_core.judgements import Capabilities, ReplyForm
from narrative_core.store.capabilities import (
    forget_capabilities,
    list_capabilities,
    load_capabilities,
    save_capabilities,
)
from narrative_core.store.database import Database

MOMENT = "2026-03-01T12:00:00+00:00"
found = st.builds(
    Capabilities,
    endpoint=st.just("host"),
    model=st.just("model"),
    takes_temperature=st.none() | st.booleans(),
    takes_seed=st.none() | st.booleans(),
    form=st.none() | st.sampled_from(get_args(ReplyForm)),
    context_tokens=st.none() | st.integers(0, 2**63 - 1),
    noted_at=texts.filter(bool),
)


@settings(max_examples=40, deadline=None)
@given(found, found)
def test_what_is_not_known_never_takes_the_place_of_what_is(
    lasting_database: Database, first: Capabilities, second: Capabilities
) -> None:
    forget_capabilities(lasting_database, "host", "model")
    save_capabilities(lasting_database, first)
    assert load_capabilities(lasting_database, "host", "model") == first
    save_capabilities(lasting_database, second)
    merged = load_capabilities(lasting_database, "host", "model")
    for name in ("takes_temperature", "takes_seed", "form", "context_tokens", "noted_at"):
        later = getattr(second, name)
        assert getattr(merged, name) == (getattr(first, name) if later is None else later), name


def test_of_a_model_that_was_never_asked_nothing_is_known(database: Database) -> None:
    save_capabilities(database, Capabilities("host", "model", takes_seed=False, noted_at=MOMENT))
    for endpoint, model in (("host", "other"), ("elsewhere", "model")):
        assert load_capabilities(database, endpoint, model) == Capabilities(endpoint, model)


def test_all_that_is_known_is_listed_by_endpoint_and_model_and_can_be_forgotten(database: Database) -> None:
    known = [Capabilities(a, b, form="text", noted_at=MOMENT) for a in ("", HOSTILE, "h") for b in (HOSTILE, "m")]
    for one in reversed(known):
        save_capabilities(database, one)
    assert list_capabilities(database) == tuple(sorted(known, key=lambda one: (one.endpoint, one.model)))
    forget_capabilities(database, HOSTILE, HOSTILE)
    forget_capabilities(database, "none", "such")
    assert set(list_capabilities(database)) == set(known) - {replace(known[0], endpoint=HOSTILE, model=HOSTILE)}
    assert load_capabilities(database, HOSTILE, HOSTILE) == Capabilities(HOSTILE, HOSTILE)


def test_the_present_moment_is_noted_where_none_is_given(database: Database) -> None:
    save_capabilities(database, Capabilities("host", "model", context_tokens=8192))
    assert load_capabilities(database, "host", "model").noted_at > MOMENT[:4]
