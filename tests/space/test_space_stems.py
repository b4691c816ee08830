import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrative_core.space.stems import stem


@pytest.mark.parametrize(
    "forms",
    [
        "дамба дамбу дамбы дамбе дамбой дамбам дамбами дамбах",
        "луна луну луны луне луной",
        "новый новая новое новые нового новому новым новых",
        "учитель учителя учителю учителей учителям учителями",
        "учёный учёные учёных ученых",
        "السد سد والسد بالسد للسد",
        "المعلمين معلمون المعلمات معلم المعلم",
        "الجديد جديد الجديدة جديدة",
        "أورورا اورورا",
    ],
)
def test_the_forms_of_a_word_have_one_stem(forms: str) -> None:
    assert len({stem(form) for form in forms.split()}) == 1


@pytest.mark.parametrize(
    ("left", "right"), [("суд", "судно"), ("банк", "банан"), ("вода", "водка"), ("قمر", "قمح"), ("الله", "لون")]
)
def test_different_words_keep_different_stems(left: str, right: str) -> None:
    assert stem(left) != stem(right)


@pytest.mark.parametrize("token", ["moon", "misión", "航天", "b52s", "дом2", "ロケット", "", "ал", "ال"])
def test_other_tokens_stay_as_they_are(token: str) -> None:
    assert stem(token) == token


@given(st.text("абвгдеёйиымнях", min_size=1, max_size=12) | st.text("المعلنيةهوتبك", min_size=1, max_size=12))
def test_a_stem_keeps_at_least_two_letters_and_adds_none(word: str) -> None:
    assert min(len(word), 2) <= len(stem(word)) <= len(word)
