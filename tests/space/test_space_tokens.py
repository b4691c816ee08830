import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.space.tokens import are_inflections, fold, is_stop, join_bigrams, tokenize, usual_forms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("The Moon!", ["the", "moon"]),
        ("in 1969, on 20 July", ["in", "on", "july"]),
        ("a I x", []),
        ("Covid-19 and B52s", ["covid", "and", "b52s"]),
        ("l'eau d’un", ["eau", "un"]),
        ("NASA's don't", ["nasa", "don"]),
        ("snake_case", ["snake", "case"]),
        ("Straße STRASSE", ["strasse", "strasse"]),
        ("cafe\u0301 café", ["café", "café"]),
        ("ракета РАКЕТА", ["ракета", "ракета"]),
        ("مُحَمَّد محـــمد", ["محمد", "محمد"]),
        ("می\u200cشود", ["میشود"]),
        ("अंतरिक्ष यान", ["अंतरिक्ष", "यान"]),
        ("宇宙", ["宇宙"]),
        ("宇宙船", ["宇宙", "宙船"]),
        ("月", []),
        ("美国NASA火箭", ["美国", "nasa", "火箭"]),
        ("ロケットを打ち上げた", ["ロケット"]),
        ("ﾛｹｯﾄ", ["ロケット"]),
        ("우주 왕복선", ["우주", "왕복선"]),
        ("١٩٦٩ 二〇", []),
        ("soft\u00adhyphen", ["softhyphen"]),
        ("🚀🚀 \x00", []),
    ],
)
def test_texts_are_cut_into_tokens(text: str, expected: list[str]) -> None:
    assert tokenize(text) == expected


@given(st.text(max_size=60))
def test_tokens_have_at_least_two_characters_and_no_space_and_cut_to_themselves(text: str) -> None:
    for token in tokenize(text):
        assert len(token) >= 2
        assert len(token.split()) == 1
        assert not token.isnumeric()


@pytest.mark.parametrize(
    ("left", "right", "is_same"),
    [
        ("rocket", "rockets", True),
        ("mission", "missions", True),
        ("country", "countries", True),
        ("launch", "launches", True),
        ("misión", "misiones", True),
        ("القمر", "قمر", True),
        ("والقمر", "قمر", True),
        ("mars", "mar", False),
        ("glass", "glas", False),
        ("virus", "viru", False),
        ("crisis", "crisi", False),
        ("rocket", "rocker", False),
    ],
)
def test_plain_plurals_fold_to_one_form(left: str, right: str, is_same: bool) -> None:
    assert (fold(left) == fold(right)) is is_same


@pytest.mark.parametrize(
    ("left", "right", "is_same"),
    [
        ("launch", "launched", True),
        ("ракета", "ракеты", True),
        ("russia", "russian", True),
        ("航天", "天飞", True),
        ("航天", "航天", True),
        ("航天", "月球", False),
        ("international", "internet", False),
        ("apollo", "apology", False),
        ("moon", "mood", False),
    ],
)
def test_near_identical_words_are_inflections(left: str, right: str, is_same: bool) -> None:
    assert are_inflections(left, right) is is_same
    assert are_inflections(right, left) is is_same


def test_a_stop_character_stops_every_chinese_pair_with_it() -> None:
    assert is_stop("国的", {"的"})
    assert not is_stop("国家", {"的"})
    assert is_stop("the", {"the"})
    assert not is_stop("ab", {"a"})


def test_overlapping_pairs_join_only_where_the_longer_word_is_attested() -> None:
    assert join_bigrams(["飞机", "月球", "航天", "天飞"], lambda word: word in "航天飞机") == ["航天飞机", "月球"]
    assert join_bigrams(["飞机", "机场"], lambda word: False) == ["飞机", "机场"]
    assert join_bigrams(["moon", "oort"], lambda word: True) == ["moon", "oort"]


@given(st.lists(st.text("航天飞机月", min_size=2, max_size=2), max_size=8, unique=True))
def test_joining_always_ends(pairs: list[str]) -> None:
    assert len(join_bigrams(pairs, lambda word: len(word) < 12)) <= len(pairs)


def test_the_usual_form_is_the_most_frequent_one() -> None:
    assert usual_forms({"Apollo": 2, "APOLLO": 2, "apollo": 1, "of": 9, "x": 4}) == {"apollo": "Apollo", "of": "of"}
