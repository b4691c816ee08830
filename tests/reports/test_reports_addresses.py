import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.reports.addresses import paper_address, web_address


@pytest.mark.parametrize(
    "url",
    [
        "",
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)//https://example.org",
        "javascript://example.org/%0Aalert(1)",
        "data:text/html,x",
        "data://example.org/x",
        "ftp://example.org/x",
        "file:///etc/passwd",
        "//example.org/x",
        "/local",
        "example.org",
        "https:",
        "https://",
        "https:///path",
        "http://[::1",
        "java\nscript:alert(1)",
        "https://example.org/\x00",
        "https://example.org/\u202egnp.exe",
    ],
)
def test_what_is_no_web_address_is_no_link(url: str) -> None:
    assert web_address(url) == ""


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("https://example.org/a?b=c&d=e#f", "https://example.org/a?b=c&d=e#f"),
        (" HTTP://example.org ", "HTTP://example.org"),
        ("https://example.org/a%20b", "https://example.org/a%20b"),
        ('https://example.org/"><script>', "https://example.org/%22%3E%3Cscript%3E"),
        ("https://ar.wikipedia.org/wiki/قمر_(فلك)", "https://ar.wikipedia.org/wiki/قمر_(فلك)"),
    ],
)
def test_web_addresses_are_kept(url: str, address: str) -> None:
    assert web_address(url) == address


@given(st.text(max_size=40).map(lambda tail: f"https://example.org/{tail}"))
def test_an_address_cannot_end_the_link_it_stands_in(url: str) -> None:
    assert not re.search(r"[\s<>\"\\`]", web_address(url))


@pytest.mark.parametrize(
    ("address", "printed"),
    [
        ("https://news.example/article.php?id=17", "news.example/article.php?id=17"),
        ("http://news.example/", "http://news.example"),
        ("https://user:secret@news.example/a?utm_source=x&UTM_medium=y&page=2", "news.example/a?page=2"),
        ("https://news.example/a?fbclid=1#second", "news.example/a#second"),
        (f"https://news.example/{'long/' * 40}end", f"news.example/{'long/' * 40}end"),
    ],
)
def test_a_printed_address_leads_to_the_same_page(address: str, printed: str) -> None:
    assert paper_address(address) == printed
