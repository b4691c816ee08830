import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core.ingest.scripts import SAMPLE, SAMPLE_CHARACTERS, script_shares


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("The bridge is open", "Latin"),
        ("Größe, niño, Łódź", "Latin"),
        ("الجسر مفتوح", "Arabic"),
        ("桥已开放", "Chinese characters"),
        ("Мост открыт", "Cyrillic"),
        ("Η γέφυρα", "Greek"),
        ("הגשר פתוח", "Hebrew"),
        ("はし", "Japanese"),
        ("다리", "Korean"),
        ("สะพาน", "Thai"),
    ],
)
def test_a_text_in_one_script_is_all_of_that_script(text: str, script: str) -> None:
    assert script_shares([text]) == {script: 1.0}


def test_marks_on_letters_are_no_letters() -> None:
    assert script_shares(["فُتح"]) == {"Arabic": 1.0}


def test_shares_are_of_all_letters_the_largest_first() -> None:
    assert script_shares(["abc", "я", "1961 !"]) == {"Latin": 0.75, "Cyrillic": 0.25}
    assert list(script_shares(["я" * 3 + "a"])) == ["Cyrillic", "Latin"]


def test_a_name_here_and_there_is_left_out() -> None:
    assert script_shares(["a" * 99 + "я"]) == {"Latin": 0.99}


def test_texts_without_letters_say_nothing_and_do_not_count() -> None:
    assert script_shares([]) == script_shares(["", "12.5 %", "!"]) == {}
    assert script_shares(["1"] * SAMPLE + ["a"]) == {"Latin": 1.0}


def test_only_the_opening_of_the_first_texts_is_looked_at() -> None:
    assert script_shares(["a" * SAMPLE_CHARACTERS + "я" * 9_000]) == {"Latin": 1.0}
    assert script_shares(["a"] * SAMPLE + ["я"] * 9_000) == {"Latin": 1.0}


@given(st.lists(st.text(), max_size=8))
@settings(deadline=None)
def test_shares_are_shares(texts: list[str]) -> None:
    shares = script_shares(texts)
    assert all(0 < share <= 1 for share in shares.values())
    assert sum(shares.values()) <= 1 + 1e-9


@given(st.text(alphabet=string.ascii_letters, min_size=1))
@settings(deadline=None)
def test_plain_letters_are_latin(text: str) -> None:
    assert script_shares([text]) == {"Latin": 1.0}
