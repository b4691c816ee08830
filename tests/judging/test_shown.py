"""What a judge sees of a story."""

import datetime as dt
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.judgements import Shown, ShownStory
from narrative_core.judging.shown import lead_of, shown_hash, shown_text, story_hash, title_of
from narrative_core.records import Document

SPUTNIK = Document(
    "sputnik", "A satellite circles the Earth", "It  weighs\n84 kilograms.", dt.date(1957, 10, 4), "1957-10-04", "day"
)
EAGLE = Document("eagle", "Two people walk on the Moon", "", dt.date(1969, 7, 1), "July 1969", "month")
UNKNOWN = Document("unknown", "", "A report without a headline.")


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        ("titles", "1. A satellite circles the Earth\n2. Two people walk on the Moon\n3. (no title)"),
        (
            "dates",
            "1. (1957-10-04) A satellite circles the Earth\n2. (1969-07) Two people walk on the Moon\n"
            "3. (undated) (no title)",
        ),
        (
            "leads",
            "1. A satellite circles the Earth\n   It weighs 84 kilograms.\n2. Two people walk on the Moon\n"
            "3. (no title)\n   A report without a headline.",
        ),
    ],
)
def test_a_story_is_a_numbered_list_of_what_is_shown(shown: Shown, text: str) -> None:
    assert shown_text(ShownStory((SPUTNIK, EAGLE, UNKNOWN), shown)) == text


def test_a_lead_is_the_first_forty_words_and_a_long_title_is_cut() -> None:
    long = Document("long", "word " * 200, "one " * 100)
    assert lead_of(long) == " ".join(["one"] * 40)
    assert lead_of(long, 3) == "one one one"
    assert len(title_of(long)) <= 300
    assert title_of(long).endswith("word…")


@given(st.lists(st.tuples(st.text(max_size=60), st.text(max_size=60)), min_size=1, max_size=6), st.data())
def test_no_document_leaves_its_lines_whatever_it_says(texts: list[tuple[str, str]], data: st.DataObject) -> None:
    documents = tuple(Document(f"d{n}", title, text) for n, (title, text) in enumerate(texts))
    shown: Shown = data.draw(st.sampled_from(["titles", "dates", "leads"]))
    lines = shown_text(ShownStory(documents, shown)).splitlines()
    numbers = [int(found[1]) for line in lines if not line.startswith("   ") and (found := re.match(r"(\d+)\. ", line))]
    assert [line for line in lines if not re.match(r"\d+\. |   \S", line)] == []
    assert numbers == list(range(1, len(texts) + 1))


def test_the_hash_of_a_story_is_that_of_its_documents_in_order() -> None:
    assert story_hash([SPUTNIK, EAGLE]) != story_hash([EAGLE, SPUTNIK])
    assert story_hash([SPUTNIK, EAGLE]) == story_hash((SPUTNIK, EAGLE))


def test_the_hash_of_what_is_shown_changes_with_it() -> None:
    hashes = {shown_hash(ShownStory((SPUTNIK, EAGLE), shown)) for shown in ("titles", "dates", "leads")}
    assert len(hashes) == 3
    assert shown_hash(ShownStory((SPUTNIK,), noun="papers")) == shown_hash(ShownStory((SPUTNIK,), noun="news"))


def test_lone_surrogates_and_invisible_signs_do_no_harm() -> None:
    odd = Document("odd", "a\ud800b\u202ec\x00d\u2028e", "")
    assert shown_text(ShownStory((odd,))) == "1. a b c d e"
    assert len(shown_hash(ShownStory((odd,)))) == 64
