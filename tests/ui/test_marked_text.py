from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core.document_query import Snippet, matching_spans, read_query
from narrative_core.ui.marked_text import marked_html, marked_markdown, snippet_html
from tests.pages.screen import html_tags, html_words, unescaped

HOSTILE = "<script>alert(1)</script> moon & <b>moons</b> “moon”"


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=40).map(lambda text: f"moon {text} moon"))
def test_marked_text_reads_as_before_and_holds_no_tag_but_the_mark(text: str) -> None:
    html = marked_html(text, matching_spans(text, read_query("moon ")))
    assert html_words(html) == text
    assert html_tags(html) == {"mark"}


def test_what_is_marked_is_what_was_looked_for() -> None:
    html = marked_html(HOSTILE, matching_spans(HOSTILE, read_query("moon ")))
    assert html.count("<mark>") == 3
    assert "&lt;script&gt;" in html


def test_markdown_shows_a_headline_as_it_is() -> None:
    shown = marked_markdown("A *new* moon :rocket: [x]", [(8, 12)])
    assert unescaped(shown) == "A *new* :blue-background[moon] :rocket: [x]"
    assert marked_markdown("moon", []) == "moon"


def test_dots_say_where_a_text_goes_on() -> None:
    assert snippet_html(Snippet("the moon", 40, ((4, 8),), is_whole=False)) == "… the <mark>moon</mark> …"
    assert snippet_html(Snippet("the moon", 0, (), is_whole=True)) == "the moon"
