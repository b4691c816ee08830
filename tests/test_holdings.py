import datetime as dt

from narrative_core.curation import Curation
from tests.search_samples import document, holdings_of

NAMES = ("a", "b", "c")


def test_typed_dates_are_laid_on_and_rows_stay_those_of_the_store() -> None:
    documents = [document("a", "", date=dt.date(2021, 1, 2)), document("b", "", date_text="n.d.")]
    holdings = holdings_of(documents, Curation(dates={"b": "2020"}))
    assert [one.iso_date for one in holdings.documents] == ["2021-01-02", "2020"]
    assert holdings.order.tolist() == [1, 0]
    assert holdings.shelf.documents[1].date_text == "n.d."


def test_a_group_loses_who_was_taken_out_or_excluded_and_is_still_known_as_it_was_found() -> None:
    documents = [document(name, "") for name in NAMES]
    copies = dict.fromkeys(NAMES, "a")
    holdings = holdings_of(documents, Curation(standalone=frozenset("b")), copies=copies)
    assert holdings.copies == {"a": ("a", "c"), "c": ("a", "c")}
    assert set(holdings.found_copies.values()) == {NAMES}
    assert (
        holdings_of(documents, Curation(standalone=frozenset("b"), excluded=frozenset("c")), copies=copies).copies == {}
    )


def test_values_are_listed_by_how_many_documents_have_them_the_empty_one_last() -> None:
    documents = [document(str(row), "", source=source) for row, source in enumerate(["", "b", "a", "b", ""])]
    column = holdings_of(documents).shelf.sources
    assert column.values == ("b", "a", "")
    assert [column.values[code] for code in column.codes] == ["", "b", "a", "b", ""]


def test_a_column_with_a_value_of_its_own_for_each_document_is_not_listed() -> None:
    extras = holdings_of(
        [document(str(row), "", extras={"key": f"k{row}", "desk": f"d{row % 15}"}) for row in range(30)]
    ).shelf.extras
    assert [(column.name, column.is_listed) for column in extras] == [("key", False), ("desk", True)]


def test_ids_of_no_document_have_no_row() -> None:
    holdings = holdings_of([document("a", "")])
    assert holdings.rows(["zzz", "a"]) == [0]
    assert holdings.document("zzz") is None
    assert holdings.similar_to("zzz") is None
