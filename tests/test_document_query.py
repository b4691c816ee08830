from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core.document_query import LONGEST_QUERY, Query, matching_spans, read_query, snippet
from narrative_core.space.search_words import search_forms, search_term

WORDS = [
    "moon",
    "moons",
    "Луна",
    "航天飞机",
    "القمر",
    "canción",
    "11",
    "V",
    "“",
    '"',
    "-moon",
    "-",
    " ",
    "..",
    "é\u0301x",
]
some_text = st.lists(st.sampled_from(WORDS) | st.text(max_size=6), max_size=12).map(" ".join)


def marked(text: str, query: str) -> list[str]:
    return [text[first:last] for first, last in matching_spans(text, read_query(query))]


def forms(query: str) -> list[tuple[str, ...]]:
    return [phrase.forms for phrase in read_query(query).wanted]


def test_words_are_looked_for_each_and_what_is_quoted_or_hyphenated_side_by_side() -> None:
    assert forms('moon "space station" cold-war') == [("moon",), ("space", "station"), ("cold", "war")]


@pytest.mark.parametrize("quoted", ["“space station”", "«space station»", "„space station“", '"space station'])
def test_any_quotation_marks_hold_a_phrase_together(quoted: str) -> None:
    assert forms(quoted) == [("space", "station")]


def test_a_word_behind_a_minus_is_left_out_and_a_hyphen_inside_a_word_is_none() -> None:
    query = read_query('mir -shuttle -"space station" t-15')
    assert [phrase.forms for phrase in query.unwanted] == [("shuttle",), ("space", "station")]
    assert [phrase.forms for phrase in query.wanted] == [("mir",), ("t", "15")]


def test_only_the_last_word_may_be_unfinished_until_a_space_ends_it() -> None:
    assert [phrase.is_open for phrase in read_query("moon roc").wanted] == [False, True]
    assert [phrase.is_open for phrase in read_query("moon roc ").wanted] == [False, False]
    assert [phrase.is_open for phrase in read_query('"moon roc"').wanted] == [False]
    assert [phrase.is_open for phrase in read_query("a").wanted] == [False]


@pytest.mark.parametrize("nothing", ["", "   ", "-", "...", '""', "“”"])
def test_a_query_without_a_word_looks_for_nothing(nothing: str) -> None:
    query = read_query(nothing)
    assert (query.wanted, query.unwanted) == ((), ())


def test_a_query_is_cut() -> None:
    assert len(read_query("moon " * 1000).text) <= LONGEST_QUERY


def test_what_is_marked_is_the_word_as_it_is_written() -> None:
    assert marked("Moons, MOON and moonlight: the moon.", "moon ") == ["Moons", "MOON", "moon"]
    assert marked("Moons, MOON and moonlight", "moon") == ["Moons", "MOON", "moonlight"]


def test_a_phrase_is_marked_as_a_whole_and_its_words_elsewhere_are_not() -> None:
    assert marked("The space station; a station in space.", '"space station"') == ["space station"]


@pytest.mark.parametrize(
    ("text", "query", "found"),
    [
        ("Выборы мэра и выборы", "выборы", ["Выборы", "выборы"]),
        ("航天飞机安全降落", "飞机", ["飞机"]),
        ("航天飞机安全降落", "航天飞机", ["航天飞机"]),
        ("航天飞机安全降落", "航", ["航天"]),
        ("وصل المسبار إلى القمر", "قمر", ["القمر"]),
        ("La canción de la Luna", "cancion", ["canción"]),
        ("Ｎａｓａ and NASA’s", "nasa", ["Ｎａｓａ", "NASA"]),
    ],
)
def test_words_of_other_scripts_are_marked(text: str, query: str, found: list[str]) -> None:
    assert marked(text, query) == found


@settings(deadline=None)
@given(some_text, some_text)
def test_spans_lie_in_the_text_in_order_and_each_has_a_word_that_was_wanted(text: str, typed: str) -> None:
    query = read_query(typed)
    spans = matching_spans(text, query)
    assert all(0 <= first < last <= len(text) for first, last in spans)
    assert all(left[1] < right[0] for left, right in pairwise(spans))
    firsts = {search_term(phrase.forms[0]) for phrase in query.wanted if not phrase.is_open}
    closed = Query(query.text, tuple(phrase for phrase in query.wanted if not phrase.is_open))
    for first, last in matching_spans(text, closed):
        assert firsts & set(map(search_term, search_forms(text[first:last])))


@settings(deadline=None)
@given(some_text, some_text, st.integers(5, 60))
def test_a_snippet_is_a_piece_of_the_text_with_spans_inside(text: str, typed: str, length: int) -> None:
    piece = snippet(text, read_query(typed), length=length)
    assert text[piece.first : piece.first + len(piece.text)] == piece.text
    assert len(piece.text) <= length
    assert all(0 <= first < last <= len(piece.text) for first, last in piece.spans)
    assert piece.is_whole == (piece.text == text)


def test_a_snippet_shows_where_most_of_what_is_wanted_stands_together() -> None:
    text = (
        "The moon rose. " + "Nothing happened for days. " * 40 + "A rocket left for the moon at last. " + "End. " * 40
    )
    piece = snippet(text, read_query("rocket moon "))
    assert [piece.text[first:last] for first, last in piece.spans] == ["rocket", "moon"]


def test_without_a_match_a_snippet_is_the_beginning() -> None:
    piece = snippet("One two three. " * 50, read_query("nothing"))
    assert (piece.first, piece.spans, piece.is_whole) == (0, (), False)
