import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.ui.words import clamp, html_text, markdown_text, sentence

NASTY = (
    "**bold**", "_slanted_", "[link](https://evil.example)", "![p](https://evil.example/p.png)", "`code`", "# head",
    ":rocket:", ":material/home:", "$x^2$", "<img src=x>", "~~gone~~", "1. one", "- item", "> quote", "| a |", "a\nb",
    r"\*", "https://evil.example", "a@evil.example", "***", "&amp;", ":red[alarm]",
)  # fmt: skip
WORD_JOINER = "\u2060"
texts = st.text(max_size=40) | st.sampled_from(NASTY)


def one_line(text: str) -> str:
    return " ".join(text.split())


@given(texts)
def test_markdown_reads_as_the_text_on_one_line(text: str) -> None:
    shown = re.sub(r"\\(.)", r"\1", markdown_text(text))
    assert shown.replace(WORD_JOINER, "") == one_line(text).replace(WORD_JOINER, "")


@pytest.mark.parametrize(
    "text", [":material/home:", "https://evil.example", "www.evil.example", "a@evil.example", "a -> b"]
)
def test_what_is_found_after_the_backslashes_are_gone_is_broken_by_a_word_joiner(text: str) -> None:
    assert text not in re.sub(r"\\(.)", r"\1", markdown_text(text))


@given(texts)
def test_no_sign_of_markdown_is_left_without_a_backslash(text: str) -> None:
    bare = re.sub(r"\\.", "", markdown_text(text))
    assert not re.search(r"[*_`\[\]()<>#$:~|!&@^{}=+\-\\]", bare)


@pytest.mark.parametrize("text", ["Plain words, quoted “so”; done?", "مرحبا بكم", "👩‍🚀 lands", "naïve 30 % off", ""])
def test_words_without_markdown_stay_as_they_are(text: str) -> None:
    assert markdown_text(text) == text


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("dates must tell the day from the month.", "Dates must tell the day from the month."),
        ("The NASA file is empty.", "The NASA file is empty."),
        ("“news” is taken.", "“news” is taken."),
        ("éclair is no column.", "Éclair is no column."),
        ("news.csv is empty.", "news.csv is empty."),
        ("127.0.0.1:9 cannot be reached.", "127.0.0.1:9 cannot be reached."),
        ("7 rows are too few.", "7 rows are too few."),
        ("", ""),
    ],
)
def test_a_message_begins_with_a_capital_unless_with_the_name_of_a_file_or_host(message: str, shown: str) -> None:
    assert sentence(message) == shown


@given(texts)
def test_html_reads_as_the_text(text: str) -> None:
    escaped = html_text(text)
    assert html.unescape(escaped) == text
    assert not re.search(r"[<>\"']", escaped)
    assert re.sub(r"&(?:lt|gt|amp|quot|#x27);", "", escaped).count("&") == 0


def test_html_escapes_what_would_end_an_attribute() -> None:
    assert html_text("""<b a='1' b="2">&""") == "&lt;b a=&#x27;1&#x27; b=&quot;2&quot;&gt;&amp;"


@pytest.mark.parametrize(
    ("text", "length", "clamped"),
    [
        ("one two three", 13, "one two three"),
        ("one two three", 12, "one two…"),
        ("one two, three", 9, "one two…"),
        ("one  \n two", 7, "one two"),
        ("onetwothree", 5, "onetw…"),
        ("", 5, ""),
    ],
)
def test_a_text_is_cut_at_a_word(text: str, length: int, clamped: str) -> None:
    assert clamp(text, length) == clamped


@given(texts, st.integers(1, 30))
def test_a_clamped_text_is_a_beginning_of_at_most_that_length(text: str, length: int) -> None:
    clamped = clamp(text, length)
    if clamped != one_line(text):
        assert clamped.endswith("…")
        assert len(clamped) <= length + 1
        assert one_line(text).startswith(clamped[:-1])
