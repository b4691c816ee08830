from urllib.parse import parse_qsl, urlsplit

import pytest

from narrative_core.records import TrailRequest
from narrative_core.ui.request_address import MOST_IDS, is_local, request_from_address, story_link


@pytest.mark.parametrize(
    ("page", "start"),
    [
        ("http://localhost:8501", "http://localhost:8501/?"),
        ("http://localhost:8501/", "http://localhost:8501/?"),
        ("https://news.example/trails/stories", "https://news.example/trails/?"),
        ("https://news.example/stories/", "https://news.example/?"),
        ("", "/?"),
    ],
)
def test_a_link_leads_to_explore_from_whichever_page_it_is_taken(page: str, start: str) -> None:
    assert story_link(page, "toy", TrailRequest("a", "b")) == f"{start}collection=toy&from=a&to=b"


@pytest.mark.parametrize(
    "request_",
    [
        TrailRequest("a&b", "c=d ~ e", via=("%", "é"), avoid=("x", "y"), maximum_gap_days=30),
        TrailRequest("a", "b", maximum_length=4, avoid_sources=("The Post",), avoid_topics=(-1, 3)),
        TrailRequest("a", "b", by_hand=("a", "c", "b"), is_chronological=False),
    ],
)
def test_a_link_carries_the_whole_request(request_: TrailRequest) -> None:
    link = story_link("http://localhost:8501", "toy", request_)
    assert request_from_address(dict(parse_qsl(urlsplit(link).query))) == request_


def test_what_an_address_cannot_carry_whole_has_no_link() -> None:
    inner = tuple(f"d{number}" for number in range(MOST_IDS))
    assert story_link("http://localhost", "toy", TrailRequest("a", "b", by_hand=("a", *inner, "b"))) == ""
    assert story_link("http://localhost", "toy", TrailRequest("a", "b", avoid=(*inner, "one more"))) == ""


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("http://localhost:8501/stories", True),
        ("http://127.0.0.1:8501", True),
        ("http://[::1]:8501", True),
        ("", True),
        ("http://192.168.1.20:8501", False),
        ("https://localhost.example.org", False),
    ],
)
def test_an_address_of_this_computer_alone_is_known(page: str, expected: bool) -> None:
    assert is_local(page) == expected
