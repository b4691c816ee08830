import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.ingest.markup import has_markup, strip_markup
from narrative_core.ingest.plain_text import clean_text


@pytest.mark.parametrize(
    ("given_text", "seen"),
    [
        ("<p>One</p><p>Two<br>three</p>", "One\n\nTwo\nthree"),
        ("A <b>bold</b> <a href='x'>link</a>", "A bold link"),
        ("<ul><li>one</li><li>two</li></ul>", "one\n\ntwo"),
        ("<p>One\n  line</p>", "One line"),
        ("<pre>two\n lines</pre>", "two\nlines"),
        ("First.\n\nSecond <i>part</i>.", "First.\n\nSecond part."),
        ("<script>alert('x')</script><style>p{}</style>Text<!-- no -->", "Text"),
        ("<head><title>T</title></head><p>Body</p>", "Body"),
        ("Bread &amp; water &#8211; &eacute;t&eacute;", "Bread & water – été"),
        ("&lt;p&gt;Escaped &amp; whole&lt;/p&gt;", "Escaped & whole"),
        ("<p>a &lt; b</p>", "a < b"),
        ("<?xml version='1.0' encoding='latin-1'?><p>é</p>", "é"),
        ("<P CLASS=\"x\">Upper</P>", "Upper"),
    ],
)  # fmt: skip
def test_html_is_read_as_it_is_seen(given_text: str, seen: str) -> None:
    assert has_markup(given_text)
    assert strip_markup(given_text) == seen


@pytest.mark.parametrize(
    "text",
    [
        "if a < b and c > d",
        "x <b and y> c",
        "5 < 6 & 7 > 2",
        "AT&T and R&D",
        "https://example.org/?a=1&copy=2",
        "<3",
        "<Ana> wrote",
        "",
        "a\n b",
    ],
)
def test_text_without_html_comes_back_as_it_is(text: str) -> None:
    assert not has_markup(text)
    assert strip_markup(text) == text


def test_deep_nesting_loses_no_text() -> None:
    assert strip_markup("<div>" * 5000 + "deep" + "</div>" * 5000 + "<p>after</p>").split() == ["deep", "after"]


@given(st.text("<>/&;!-= \n\"'apbdivscrt#x0\0é\ud800", max_size=100))
def test_no_text_crashes_it(text: str) -> None:
    assert isinstance(strip_markup(text), str)


@pytest.mark.parametrize(
    ("given_text", "clean"),
    [
        ("a\u00a0b\u202fc", "a b c"),
        ("sep\u00ada\u200brate\u2060d", "separated"),
        ("Cafe\u0301", "Café"),
        ("a\x00b\x07c\ufeff", "abc"),
        ("one\r\ntwo\u2028three", "one\ntwo\nthree"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("tab\tstays ", "tab\tstays"),
    ],
)
def test_text_is_kept_in_one_form(given_text: str, clean: str) -> None:
    assert clean_text(given_text) == clean
    assert clean_text(clean) == clean
