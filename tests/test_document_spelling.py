import pytest

from narrative_core.document_query import read_query
from narrative_core.document_spelling import respelled
from tests.search_samples import index_of


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("protets ", "protests"),
        ("Havana protets ", "Havana protests"),
        ("havanna protets ", "havana protests"),
        ('"harbour protets"', '"harbour protests"'),
        ("protests ", ""),
        ("prote", ""),
        ("zzzz ", ""),
        ("pro ", ""),
        ("harbour -protets ", ""),
        ("", ""),
    ],
)
def test_a_word_that_no_document_has_is_put_in_the_nearest_spelling(typed: str, expected: str) -> None:
    assert respelled(index_of("Protests in Havana", "Harbour protests", "Ballot"), read_query(typed)) == expected


def test_of_words_as_near_the_one_in_more_documents_is_taken() -> None:
    titles = ["rocket", "pocket", "rockel", "rockel today"]
    assert respelled(index_of(*titles), read_query("rockep ")) == "rockel"


def test_accents_and_other_scripts_are_looked_for_as_they_are_found() -> None:
    index = index_of("Protestas en La Habana", "Протесты в Гаване")
    assert respelled(index, read_query("protéstsa ")) == "protestas"
    assert respelled(index, read_query("протетсы ")) == "протесты"
    assert respelled(index_of(), read_query("anything ")) == ""
