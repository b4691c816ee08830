import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from narrative_core.records import TrailRequest
from narrative_core.ui.request_address import (
    LARGEST_TOPIC,
    LONGEST_GAP_DAYS,
    LONGEST_TRAIL,
    MOST_IDS,
    address_of,
    request_from_address,
)

HOSTILE = ("a~b", "~", "%7E", "%", "%25", "%257E", "a b&c=d", "<img>", "مرحبا", "👩‍🚀", "\n", "0", "../..", "?from=x#y")
ids = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=8) | st.sampled_from(HOSTILE)
values = st.text(max_size=12) | st.sampled_from((*HOSTILE, "", "1", "007", "²", "١٢", "-1", "1e9", "any", "9" * 5000))
addresses = st.dictionaries(
    st.sampled_from(
        ("collection", "from", "to", "via", "avoid", "gap", "length", "order", "nosource", "notopic", "story")
    ),
    values,
)


@st.composite
def requests(draw: st.DrawFn) -> TrailRequest:
    """A request as the page can make it."""
    source, target = draw(ids), draw(ids)
    pins = draw(st.lists(ids, max_size=4, unique=True))
    via = tuple(pin for pin in pins if pin not in (source, target))
    is_chronological = draw(st.booleans())
    gap = draw(st.none() | st.integers(1, LONGEST_GAP_DAYS))
    length = draw(st.none() | st.integers(1, LONGEST_TRAIL))
    return TrailRequest(
        source,
        target,
        via=via,
        avoid=tuple(draw(st.lists(ids, max_size=4, unique=True))),
        maximum_gap_days=gap if is_chronological else None,
        maximum_length=None if via else length,
        is_chronological=is_chronological,
        avoid_sources=tuple(draw(st.lists(ids, max_size=4, unique=True))),
        avoid_topics=tuple(draw(st.lists(st.integers(-1, LARGEST_TOPIC - 1), max_size=4, unique=True))),
        by_hand=draw(stories_between(source, target)),
    )


def stories_between(source: str, target: str) -> st.SearchStrategy[tuple[str, ...]]:
    """Stories made by hand between two ends, or none."""
    if source == target:
        return st.just(())
    inner = st.lists(ids.filter(lambda one: one not in (source, target)), max_size=5, unique=True)
    return st.just(()) | inner.map(lambda told: (source, *told, target))


@given(requests())
@example(TrailRequest("a", "b", avoid_topics=(-1, 0, 250), avoid_sources=("~", "50 % off"), by_hand=("a", "~%", "b")))
@example(TrailRequest("a", "b", via=("a~b", "%7E", "%257E"), avoid=("~", "%")))
def test_a_request_comes_back_from_its_address(request_: TrailRequest) -> None:
    address = address_of("news", request_)
    assert request_from_address(address) == request_
    assert all(address.values())


@given(addresses)
@example({"from": "a", "to": "b", "gap": "9" * 5000, "length": "9" * 5000, "notopic": "9" * 5000})
@example({"from": "a", "to": "b", "notopic": "3~03~-1~x~٣", "story": "a"})
def test_any_address_gives_a_request_without_contradictions_or_none(address: dict[str, str]) -> None:
    found = request_from_address(address)
    if not (address.get("from") and address.get("to")):
        assert found is None
        return
    assert found is not None
    assert (found.source, found.target) == (address["from"], address["to"])
    assert not {found.source, found.target} & set(found.via)
    assert len(set(found.via)) == len(found.via)
    assert found.maximum_gap_days is None or (
        found.is_chronological and 1 <= found.maximum_gap_days <= LONGEST_GAP_DAYS
    )
    assert found.maximum_length is None or (not found.via and 1 <= found.maximum_length <= LONGEST_TRAIL)
    assert found.is_chronological == (address.get("order") != "any")
    assert len(set(found.avoid_topics)) == len(found.avoid_topics)
    assert all(-1 <= topic < LARGEST_TOPIC for topic in found.avoid_topics)
    assert not found.by_hand or (found.by_hand[0], found.by_hand[-1]) == (found.source, found.target)
    assert request_from_address(address_of("news", found)) == found


def test_an_address_leaves_out_what_is_at_its_default() -> None:
    assert address_of("news", TrailRequest("a", "b")) == {"collection": "news", "from": "a", "to": "b"}
    assert address_of("news", None) == {"collection": "news"}


def test_an_address_carries_every_condition() -> None:
    wanted = TrailRequest("a", "b", via=("c", "d"), avoid=("e",), maximum_gap_days=30)
    assert address_of("news", wanted) == {
        "collection": "news", "from": "a", "to": "b", "via": "c~d", "avoid": "e", "gap": "30",
    }  # fmt: skip
    assert address_of("news", TrailRequest("a", "b", maximum_length=4, is_chronological=False)) == {
        "collection": "news", "from": "a", "to": "b", "length": "4", "order": "any",
    }  # fmt: skip


@pytest.mark.parametrize("number", ["0", "-1", "1.5", "1e3", "x", "²", "١٢", str(LONGEST_GAP_DAYS + 1), " 3"])
def test_a_gap_that_is_no_usable_number_is_dropped(number: str) -> None:
    assert request_from_address({"from": "a", "to": "b", "gap": number}) == TrailRequest("a", "b")


def test_a_long_list_of_pins_is_cut() -> None:
    joined = "~".join(f"p{number}" for number in range(MOST_IDS + 20))
    found = request_from_address({"from": "a", "to": "b", "via": joined})
    assert found is not None
    assert found.via == tuple(f"p{number}" for number in range(MOST_IDS))


def test_a_story_that_is_too_long_for_an_address_is_left_out_whole() -> None:
    told = tuple(f"d{number}" for number in range(MOST_IDS + 1))
    address = address_of("news", TrailRequest(told[0], told[-1], by_hand=told))
    assert "story" not in address
    whole = "~".join(told)
    assert request_from_address({**address, "story": whole}) == TrailRequest(told[0], told[-1])


def test_a_topic_is_named_once_however_it_is_written() -> None:
    found = request_from_address({"from": "a", "to": "b", "notopic": "3~03~0~201"})
    assert found is not None
    assert found.avoid_topics == (2, -1, 200)
