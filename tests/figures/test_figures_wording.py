import datetime as dt
from collections.abc import Callable
from html import escape
from html.parser import HTMLParser

import pytest
from figure_samples import EVIL_TITLE

from narrative_core.counting import count
from narrative_core.figures.wording import clip_text, date_words, headline, plot_text, tooltip_text
from narrative_core.records import DatePrecision, Document

HOSTILE = (EVIL_TITLE, "<script>alert(1)</script>", "</div><svg/onload=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;")


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self.found.append("/" + tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def read(html: str) -> Tags:
    tags = Tags()
    tags.feed(html)
    tags.close()
    return tags


@pytest.mark.parametrize("title", HOSTILE)
@pytest.mark.parametrize("page", [lambda text: text, escape], ids=["raw page", "escaping page"])
def test_a_title_in_a_tooltip_is_the_same_text_whether_or_not_the_page_escapes_it(
    title: str, page: Callable[[str], str]
) -> None:
    seen = read(page(tooltip_text(title)))
    assert seen.found == []
    assert seen.text.replace("\u2060", "") == title


def test_a_title_in_a_tooltip_cannot_name_a_field_of_the_template() -> None:
    assert "{byline}" not in tooltip_text("costs {byline} millions")


@pytest.mark.parametrize("title", HOSTILE)
def test_a_title_on_a_plot_opens_no_tag(title: str) -> None:
    seen = read(plot_text(title))
    assert (seen.found, seen.text) == ([], title)


@pytest.mark.parametrize(("length", "expected"), [(11, 11), (12, 12), (13, 12)])
def test_a_clipped_text_is_at_most_as_long_as_allowed(length: int, expected: int) -> None:
    assert len(clip_text("x" * length, 12)) == expected


def test_a_clipped_text_says_that_it_was_clipped_and_has_one_line() -> None:
    assert clip_text("one\n two   three", 9) == "one two…"


@pytest.mark.parametrize(("precision", "words"), [("day", "4 Oct 1957"), ("month", "Oct 1957"), ("year", "1957")])
def test_a_date_is_said_as_precisely_as_it_was_given(precision: DatePrecision, words: str) -> None:
    assert date_words(Document("d", "t", "", dt.date(1957, 10, 4), "", precision)) == words


def test_an_undated_document_is_called_so() -> None:
    assert date_words(Document("d", "t", "")) == "no date"


def test_a_headline_without_title_is_untitled() -> None:
    assert headline(Document("d", " ", "")) == "“Untitled” (no date)"


def test_a_long_headline_takes_short_lines() -> None:
    lines = headline(Document("d", "budget " * 30, "", dt.date(1957, 10, 4))).split("<br>")
    assert 2 <= len(lines) <= 3
    assert max(map(len, lines)) <= 40


def test_counts_agree_with_their_noun_and_separate_thousands() -> None:
    assert [count(n, "document") for n in (0, 1, 6000)] == ["0 documents", "1 document", "6,000 documents"]
