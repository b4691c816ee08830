import itertools
import re
from collections import Counter

import pytest

from narrative_core.ingest.presidents import TITLE_LIMIT, message_paragraphs, presidents_documents
from narrative_core.records import Document


@pytest.fixture(scope="module")
def documents() -> tuple[Document, ...]:
    return presidents_documents()


def test_there_are_about_six_thousand_passages_of_about_three_hundred_words(documents: tuple[Document, ...]) -> None:
    n_words = sorted(len(document.text.split()) for document in documents)
    assert 6000 <= len(documents) <= 7000
    assert 290 <= n_words[len(n_words) // 2] <= 310
    assert n_words[0] >= 100
    assert n_words[-1] <= 600
    assert n_words[len(n_words) // 100] > 180
    assert n_words[-len(n_words) // 100] < 430


def test_passages_stand_in_position_order_and_all_are_dated_with_their_message(
    documents: tuple[Document, ...],
) -> None:
    dates = [document.date for document in documents if document.date]
    assert len(dates) == len(documents)
    assert dates == sorted(dates)
    assert all(document.date_text == str(document.date) for document in documents)
    assert (dates[0].year, dates[-1].year >= 2025) == (1790, True)


def test_identifiers_are_unique_and_name_year_president_and_number(documents: tuple[Document, ...]) -> None:
    ids = [document.document_id for document in documents]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"\d{4}-[a-z]+(-[2-9])?-\d{3}", document_id) for document_id in ids)
    assert {"1862-lincoln-014", "1837-vanburen-001", "1974-nixon-2-003", "1790-washington-2-001"} <= set(ids)


def test_passages_of_a_message_are_numbered_without_a_gap(documents: tuple[Document, ...]) -> None:
    for stem, passages in itertools.groupby(documents, key=lambda document: document.document_id[:-4]):
        numbers = [document.document_id for document in passages]
        assert numbers == [f"{stem}-{i:03d}" for i in range(1, len(numbers) + 1)]


def test_titles_begin_with_president_and_year_and_are_short(documents: tuple[Document, ...]) -> None:
    assert max(len(document.title) for document in documents) <= TITLE_LIMIT
    assert all(re.match(r"[A-Z][A-Za-z ]+ \d{4}: \S", document.title) for document in documents)
    assert max(Counter(document.title for document in documents).values()) == 1
    last_of_lincoln_1862 = [document for document in documents if document.document_id.startswith("1862-lincoln")][-1]
    assert last_of_lincoln_1862.title.startswith("Lincoln 1862: ")
    assert "last best hope of earth" in last_of_lincoln_1862.text


def test_titles_do_not_open_with_the_form_of_address(documents: tuple[Document, ...]) -> None:
    assert not [document.title for document in documents if re.search(r": (Fellow|Gentlemen|To the S)", document.title)]


def test_source_link_and_extras_come_from_the_archive(documents: tuple[Document, ...]) -> None:
    lincoln = next(document for document in documents if document.document_id == "1862-lincoln-001")
    assert lincoln.source == "Abraham Lincoln"
    assert lincoln.url.startswith("https://www.presidency.ucsb.edu/documents/")
    assert lincoln.extras["party"] == "Republican"
    assert {document.extras["delivery"] for document in documents} == {"spoken", "written"}
    assert re.fullmatch(r"1 of \d+", lincoln.extras["passage"])


def test_no_mark_of_applause_note_of_an_editor_or_call_from_the_audience_is_left(
    documents: tuple[Document, ...],
) -> None:
    dirt = re.compile(r"\[|\]|APP Note|Audience members?\. |^The President\. |Jump to|^\d(See|Ex)|Ô|Õ|\n\n\n", re.M)
    assert not [(document.document_id, found[0]) for document in documents if (found := dirt.search(document.text))]


def test_the_same_speeches_give_the_same_passages(documents: tuple[Document, ...]) -> None:
    assert presidents_documents() == documents


@pytest.mark.parametrize(
    ("text", "paragraphs"),
    [
        ("We won. [Laughter] And so on.", ["We won. And so on."]),
        ("The debt of [1817-03-04], was paid [see APP Note].", ["The debt of 1817-03-04, was paid."]),
        ("They [we're; White House correction] are here.", ["They are here."]),
        ("[Delivered in person before a joint session]\n\nMr. Speaker:", ["Mr. Speaker:"]),
        ("Stop!\n\nRepresentative Marjorie Taylor Greene. Liar!\n\nRep. Tlaib. No.\n\nGo on.", ["Stop!", "Go on."]),
        ("[I repeat, this budget is balanced.]", ["I repeat, this budget is balanced."]),
        ("Mr. Truman\nstood here.\nThen he left.", ["Mr. Truman stood here.", "Then he left."]),
        ("We go on.\n\nJAMES MONROE", ["We go on."]),
        ("We go on.\n\nHERBERT HOOVER\nThe White House,\nDecember 3, 1929", ["We go on."]),
        ("We go on.\n\nHARRY S. TRUMAN", ["We go on."]),
        ("We go on.\n\n1See 1974 volume, Item 326.\n\n______", ["We go on."]),
        ("a momentÕs warning", ["a moment’s warning"]),
    ],
)
def test_what_is_not_the_presidents_word_is_left_out(text: str, paragraphs: list[str]) -> None:
    assert message_paragraphs(text) == paragraphs
