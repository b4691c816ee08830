import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from narrative_core.document_filters import ORDERS, STATES, Filter
from narrative_core.document_query import LONGEST_QUERY
from narrative_core.ui.document_address import PARAMETERS, address_of_filter, filter_from_address, order_from_address

names = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=8) | st.sampled_from(
    ("a~b", "~", "a:b", ":", "%3A", "%7E", "%", "none", "مرحبا", "'; DROP")
)
chosen = st.frozensets(names | st.just(""), min_size=1, max_size=3)
values = st.text(max_size=12) | st.sampled_from(("~", "2020-01-01~", "~2020-13-01", "none", "0", "-1", "9" * 5000, "²"))


filters = st.builds(
    Filter,
    query=st.text(max_size=20).map(str.strip),
    sources=st.frozensets(names | st.just(""), max_size=4),
    extras=st.dictionaries(names | st.just(""), chosen, max_size=3),
    topics=st.frozensets(st.integers(-1, 500), max_size=4),
    first=st.none() | st.dates(),
    last=st.none() | st.dates(),
    state=st.sampled_from(STATES),
    similar_to=st.sampled_from(("", "d 7")),
)


@settings(deadline=None)
@given(filters)
def test_a_filter_comes_back_from_its_address(wanted: Filter) -> None:
    address = address_of_filter(wanted, reading="d1")
    assert filter_from_address(address) == wanted
    assert address["doc"] == "d1"
    assert all(address.values())


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(PARAMETERS), values))
@example({"topic": "9" * 5000, "days": "x~y~z", "state": "; DROP TABLE"})
def test_any_address_gives_a_filter_that_gives_itself_back(address: dict[str, str]) -> None:
    found = filter_from_address(address)
    assert found.state in STATES
    assert all(topic >= -1 for topic in found.topics)
    assert filter_from_address(address_of_filter(found)) == found or found.query != found.query.strip()
    assert order_from_address(address) in ORDERS


def test_nothing_looked_for_is_not_in_the_address() -> None:
    assert address_of_filter(Filter()) == {}
    assert filter_from_address({}) == Filter()


def test_the_usual_order_is_not_in_the_address_and_others_come_back() -> None:
    assert [order_from_address(address_of_filter(Filter(), order=order)) for order in ORDERS] == list(ORDERS)
    assert address_of_filter(Filter(), order="best") == {}
    assert order_from_address({"sort": "odd"}) == "best"


def test_a_long_query_is_cut() -> None:
    assert len(filter_from_address({"q": "x" * 10_000}).query) == LONGEST_QUERY


@pytest.mark.parametrize("days", ["2020-02-30~", "yesterday~today", "20200101~", "2020-W01-1~"])
def test_a_day_that_is_none_is_dropped(days: str) -> None:
    assert filter_from_address({"days": days}) == Filter()
