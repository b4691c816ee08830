import re

from hypothesis import given
from hypothesis import strategies as st

from narrative_core.ingest.passages import MAX_PARAGRAPH_WORDS, count_words, cut_passages, split_sentences


def paragraph(n_words: int, *, sentence: int = 20) -> str:
    """A paragraph of ``n_words`` in sentences of about ``sentence`` words."""
    words = [f"word{i}" for i in range(n_words)]
    for start in range(0, n_words, sentence):
        words[start] = words[start].title()
        words[min(start + sentence, n_words) - 1] += "."
    return " ".join(words)


def sizes(passages: list[list[str]]) -> list[int]:
    return [sum(map(count_words, passage)) for passage in passages]


def test_paragraphs_are_joined_to_passages_of_about_three_hundred_words() -> None:
    assert sizes(cut_passages([paragraph(100)] * 9)) == [300, 300, 300]


def test_borders_are_chosen_over_the_whole_text_and_leave_no_crumb_at_the_end() -> None:
    # Filling from the front would give 330, 330 and a crumb of 110.
    assert sizes(cut_passages([paragraph(110)] * 7)) == [330, 220, 220]


def test_a_paragraph_of_up_to_450_words_is_never_cut() -> None:
    assert cut_passages([paragraph(450)]) == [[paragraph(450)]]


def test_a_longer_paragraph_is_cut_between_sentences_into_even_pieces() -> None:
    passages = cut_passages([paragraph(900)])
    assert sizes(passages) == [300, 300, 300]
    assert " ".join(piece for passage in passages for piece in passage) == paragraph(900)
    assert all(passage[-1].endswith(".") for passage in passages)


def test_a_heading_stays_with_what_follows_it() -> None:
    passages = cut_passages([paragraph(300), "FOREIGN AFFAIRS", "The Far East", paragraph(300)])
    assert [passage[0] for passage in passages] == [paragraph(300), "FOREIGN AFFAIRS"]


def test_abbreviations_end_no_sentence() -> None:
    text = 'Mr. J. Q. Adams wrote to Gen. Jackson. "It is so." The U. S. Treasury paid No. 5 at once! Why?'
    assert split_sentences(text) == [
        "Mr. J. Q. Adams wrote to Gen. Jackson.",
        '"It is so."',
        "The U. S. Treasury paid No. 5 at once!",
        "Why?",
    ]


@given(st.lists(st.integers(1, 1000), max_size=30))
def test_no_word_is_lost_or_moved_and_no_short_paragraph_is_cut(lengths: list[int]) -> None:
    paragraphs = [paragraph(n) for n in lengths]
    passages = cut_passages(paragraphs)
    pieces = [piece for passage in passages for piece in passage]
    assert " ".join(pieces).split() == " ".join(paragraphs).split()
    assert all(passages)
    for given_paragraph in paragraphs:
        if count_words(given_paragraph) <= MAX_PARAGRAPH_WORDS:
            assert given_paragraph in pieces
    assert all(size <= 650 for size in sizes(passages))
    assert not any(re.search(r"\s{2}", piece) for piece in pieces)
