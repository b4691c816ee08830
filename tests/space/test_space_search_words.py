from hypothesis import example, given, settings
from hypothesis import strategies as st

from narrative_core.space.search_words import placed_words, search_form, search_forms, search_term

SIGNS = "aéÉ\u0301\u0323\u200d\u00adﬁ航天飞كال\u064bｶﾞか각각１Ⅷ½ﷺ ’-"
texts = st.text(st.characters(exclude_categories=("Cs",)) | st.sampled_from(SIGNS), max_size=30)


@settings(deadline=None)
@given(texts)
@example("e\u0301tat d\u2019Ａbc ﬁn 각각\u200dx 航天 航天飞机")
def test_the_words_of_a_text_are_those_that_are_indexed_and_each_has_a_place_in_it(text: str) -> None:
    words = placed_words(text)
    assert [word.form for word in words] == search_forms(text)
    assert all(0 <= word.first < word.last <= len(text) for word in words)


@settings(deadline=None)
@given(st.text(st.sampled_from("abcdZ01 .,-’“航天飞мирал"), max_size=40))
def test_a_place_holds_exactly_the_word_where_nothing_has_to_be_composed(text: str) -> None:
    assert [search_form(text[word.first : word.last]) for word in placed_words(text)] == search_forms(text)


def test_places_are_of_the_text_as_it_is() -> None:
    text = "«Ｎａｓａ»: co\u0301digo, السَّلام"
    assert [text[word.first : word.last] for word in placed_words(text)] == ["Ｎａｓａ", "co\u0301digo", "السَّلام"]


def test_numbers_and_single_letters_can_be_searched_for() -> None:
    assert search_forms("Saturn V, Apollo 11") == ["saturn", "v", "apollo", "11"]


def test_accents_the_plural_and_the_arabic_article_do_not_count() -> None:
    assert search_term(search_form("Canciones")) == search_term(search_form("canción"))
    assert search_term(search_form("الأرض")) == search_term(search_form("ارض"))
    assert search_form("Ёлка") == search_form("елка")
