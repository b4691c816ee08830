"""The page of documents: search, facets, reading, marking, and the three lists of what needs a decision."""

import datetime as dt
import re

import pytest
from streamlit.testing.v1 import AppTest

from narrative_core.document_filters import Filter, find
from narrative_core.document_index import index_documents
from narrative_core.holdings import hold, shelve
from narrative_core.records import Collection, Document, LoadReport
from narrative_core.store.collections import load_documents, save_collection
from narrative_core.store.copies import save_copies
from narrative_core.store.curations import load_curation
from narrative_core.store.database import Database
from narrative_core.ui.documents_undated import read_edits
from tests.pages.page_samples import save_built, save_unbuilt, town_documents
from tests.pages.screen import (
    GAGARIN,
    PROJECT,
    SETTINGS,
    field,
    html_pieces,
    keys,
    open_app,
    unescaped,
    words,
)

DOCUMENTS = "pages/explore/documents.py"
TITLES = ("Flood in the harbour", "Flood in the town", "Election: second ballot", "Rocket rises", "Old letter")


def open_documents(**address: str) -> AppTest:
    """Open the page of documents at an address, from the page that is quickest to draw."""
    screen = AppTest.from_file(str(PROJECT / "app.py"), default_timeout=60)
    for name, value in address.items():
        screen.query_params[name] = value
    return screen.switch_page(SETTINGS).run().switch_page(DOCUMENTS).run()


def listed(screen: AppTest) -> list[str]:
    """Return the headlines of the list, without the marks in them."""
    labels = [button.label for button in screen.button if _is_row(button.key)]
    return [unescaped(re.sub(r":blue-background\[(.*?)(?<!\\)\]", r"\1", label)) for label in labels]


def _is_row(key: object) -> bool:
    return str(key).startswith("read-") and str(key) not in ("read-similar", "read-exclude", "read-restore")


@pytest.fixture
def town(database: Database) -> Database:
    """An unbuilt collection of five documents, the last one undated."""
    save_unbuilt(database, town_documents((0, 10, 400, 800, None), TITLES))
    return database


def test_an_unbuilt_collection_is_listed_searched_and_read(town: Database) -> None:
    screen = open_documents(collection="town")
    assert listed(screen) == list(TITLES)
    assert "no map yet" in words(screen)
    field(screen.text_input, "documents-query").set_value("flood -harbour").run()
    assert listed(screen)[0] == "Flood in the town"
    assert "Flood in the harbour" not in listed(screen)
    screen.button(key="read-d1").click().run()
    assert "Text 1 on the flood." in words(screen)
    assert any("<mark>flood</mark>" in piece for piece in html_pieces(screen))
    assert "use-source" not in keys(screen)
    assert {name: screen.query_params[name] for name in ("q", "doc")} == {"q": "flood -harbour", "doc": "d1"}


def test_the_address_opens_the_same_list(database: Database) -> None:
    screen = open_documents(collection="spaceflight", q="moon landing", source="Houston", doc=GAGARIN)
    shelf = shelve(Collection("spaceflight", ""), index_documents(load_documents(database, "spaceflight")))
    holdings = hold(shelf, load_curation(database, "spaceflight"))
    expected = find(holdings, Filter(query="moon landing", sources=frozenset({"Houston"})))
    assert len(expected.rows) > 1
    assert listed(screen) == [holdings.documents[row].title for row in expected.rows[:25]]
    assert field(screen.text_area, f"note-{GAGARIN}").value == ""


def test_an_address_that_names_nothing_here_shows_how_to_widen(town: Database) -> None:
    screen = open_documents(collection="town", source="Nobody", state="odd", doc="zzz", topic="4", days="x")
    assert listed(screen) == []
    assert "Lift one part of it" in words(screen)
    assert "widen-sources" not in keys(screen)
    screen.button(key="chip-topic-3").click().run()
    screen.button(key="widen-sources").click().run()
    assert listed(screen) == list(TITLES)


def test_no_hit_says_so_and_offers_all_documents(town: Database) -> None:
    screen = open_documents(collection="town", q="zebra")
    assert "No document has “zebra”" in words(screen)
    screen.button(key="widen-query").click().run()
    assert listed(screen) == list(TITLES)


def test_a_misspelt_word_is_offered_as_documents_have_it(town: Database) -> None:
    screen = open_documents(collection="town", q="harbuor")
    assert screen.button(key="other-spelling").label == "Did you mean “harbour”?"
    screen.button(key="other-spelling").click().run()
    assert listed(screen)[0] == "Flood in the harbour"
    assert screen.query_params["q"] == "harbour"


def test_the_order_is_in_the_address_and_a_best_match_is_offered_only_where_something_is_looked_for(
    town: Database,
) -> None:
    screen = open_documents(collection="town", sort="title")
    assert listed(screen) == sorted(TITLES)
    order = next(box for box in screen.selectbox if box.label == "Order")
    assert "Best match first" not in order.options
    order.set_value("newest").run()
    assert listed(screen)[0] == TITLES[3]
    assert screen.query_params["sort"] == "newest"
    field(screen.text_input, "documents-query").set_value("flood ").run()
    order = next(box for box in screen.selectbox if box.label == "Order")
    assert "Best match first" in order.options
    assert order.value == "newest"
    order.set_value("best").run()
    assert "sort" not in screen.query_params


def test_a_collection_that_is_not_here_is_said() -> None:
    assert "no collection “nowhere” here" in words(open_documents(collection="nowhere"))


def test_a_collection_without_documents_is_said(database: Database) -> None:
    save_collection(database, Collection("empty", "Empty"), (), LoadReport(0, 0, 0, 0, 0))
    assert "no documents yet" in words(open_documents(collection="empty"))


def test_facets_narrow_the_list_and_can_be_lifted(database: Database) -> None:
    documents = [
        Document(f"n{row}", title, "", dt.date(2021, 1, 1 + row), "x", "day", source=("AP", "EFE")[row % 2])
        for row, title in enumerate(TITLES)
    ]
    save_collection(database, Collection("wires", "Wires"), documents, LoadReport(5, 5, 0, 0, 0))
    screen = open_documents(collection="wires")
    field(screen.checkbox, "facet-sources-source-EFE").check().run()
    assert listed(screen) == [TITLES[1], TITLES[3]]
    assert screen.query_params["source"] == "EFE"
    screen.button(key="chip-source-EFE").click().run()
    assert len(listed(screen)) == 5


def test_a_table_of_300_columns_shows_a_few_and_offers_the_others(database: Database) -> None:
    documents = [
        Document(f"n{row}", title, "", extras={f"column {at}": "ab"[row % 2] for at in range(300)})
        for row, title in enumerate(TITLES)
    ]
    save_collection(database, Collection("wide", "Wide"), documents, LoadReport(5, 5, 5, 0, 0))
    screen = open_documents(collection="wide")
    assert len(screen.checkbox) < 50
    screen.selectbox(key="facet-column").set_value("column 299").run()
    field(screen.checkbox, "facet-extras-column 299-b").check().run()
    assert listed(screen) == [TITLES[1], TITLES[3]]
    assert screen.query_params["column"] == "column 299:b"
    assert listed(open_documents(collection="wide", column="column 299:b")) == [TITLES[1], TITLES[3]]
    screen.button(key="chip-extra-column 299-b").click().run()
    assert len(listed(screen)) == 5


def test_excluding_what_is_selected_can_be_undone_and_made_again(town: Database) -> None:
    screen = open_documents(collection="town")
    field(screen.checkbox, "mark-d0").check().run()
    field(screen.checkbox, "mark-d3").check().run()
    assert "2 documents selected" in words(screen)
    screen.button(key="selection-exclude").click().run()
    assert listed(screen) == [TITLES[1], TITLES[2], TITLES[4]]
    assert load_curation(town, "town").excluded == {"d0", "d3"}
    screen.button(key="undo-documents").click().run()
    assert load_curation(town, "town").excluded == frozenset()
    assert len(listed(screen)) == 5
    assert "2 documents selected" in words(screen)
    screen.button(key="redo-documents").click().run()
    assert load_curation(town, "town").excluded == {"d0", "d3"}


def test_excluded_documents_have_a_list_of_their_own_and_come_back(town: Database) -> None:
    screen = open_documents(collection="town")
    field(screen.checkbox, "mark-d0").check().run()
    screen.button(key="selection-exclude").click().run()
    excluded = open_documents(collection="town", state="excluded")
    assert listed(excluded) == [TITLES[0]]
    excluded.button(key="restore-d0").click().run()
    assert load_curation(town, "town").excluded == frozenset()
    assert "There are no such documents" in words(excluded)


def test_excluding_nearly_all_is_refused_in_words_and_nothing_is_lost(town: Database) -> None:
    screen = open_documents(collection="town")
    screen.button(key="select-all").click().run()
    assert "5 documents selected" in words(screen)
    screen.button(key="selection-exclude").click().run()
    assert any("0 of 5 documents" in unescaped(toast.value) for toast in screen.toast)
    assert load_curation(town, "town").excluded == frozenset()


def test_a_note_is_kept_marked_in_the_list_and_undone(town: Database) -> None:
    screen = open_documents(collection="town", doc="d1")
    field(screen.text_area, "note-d1").set_value("Ask <b>Ann</b>.").run()
    assert load_curation(town, "town").document_notes == {"d1": "Ask <b>Ann</b>."}
    assert "Note: Ask <b>Ann</b>." in words(screen)
    screen.button(key="undo-documents").click().run()
    assert field(screen.text_area, "note-d1").value == ""


def test_undated_documents_are_listed_with_the_words_of_the_file_and_a_typed_date_counts(database: Database) -> None:
    documents = (
        *town_documents((0, 10), TITLES[:2]),
        Document("u1", "Undated one", "", None, "spring 21"),
        Document("u2", "Undated two", "", None, ""),
    )
    save_unbuilt(database, documents)
    screen = open_documents(collection="town", state="undated")
    assert list(screen.dataframe[0].value["In the file"]) == ["spring 21", "nothing"]
    assert "only trails in order of time leave them out" in words(screen)
    screen.session_state["undated-town-0"] = typed_rows({0: "May 2021", 1: "02/03/2021"})
    screen.run()
    assert load_curation(database, "town").dates == {"u1": "May 2021"}
    assert "1 document without a date" in words(screen).replace("One document", "1 document")
    assert "Undated two: “02/03/2021” is not a clear date." in words(screen)
    screen.button(key="undo-documents").click().run()
    assert load_curation(database, "town").dates == {}
    # What could not be read still stands in the table, to be put right.
    assert list(screen.dataframe[0].value["Date"]) == ["", "02/03/2021"]


def typed_rows(texts: dict[int, str]) -> dict[str, object]:
    """Return the state of a table after something was typed into its rows."""
    rows = {row: {"Date": text} for row, text in texts.items()}
    return {"edited_rows": rows, "added_rows": [], "deleted_rows": []}


def test_what_is_typed_into_the_table_is_read_row_by_row() -> None:
    typed = read_edits(
        ["a", "b", "c"],
        {0: {"Date": "2021-07"}, 1: {"Date": "02/03/2021"}, 2: {"Date": " "}, 7: {"Date": "2021"}},
    )
    assert typed.dates == {"a": "2021-07", "c": ""}
    assert list(typed.refused) == ["b"]
    assert "Write it as 2021-07-11" in typed.refused["b"]


def test_groups_of_copies_are_split_and_put_together_again(town: Database) -> None:
    save_copies(town, "town", {"d0": "d0", "d1": "d0", "d2": "d0"})
    screen = open_documents(collection="town", state="copies")
    assert "3 documents" in words(screen)
    screen.button(key="out-d1").click().run()
    assert load_curation(town, "town").standalone == {"d1"}
    assert "taken out" in words(screen)
    screen.button(key="back-d1").click().run()
    assert load_curation(town, "town").standalone == frozenset()
    screen.button(key="split-d0").click().run()
    assert load_curation(town, "town").standalone == {"d0", "d1", "d2"}
    screen.button(key="rejoin-d0").click().run()
    assert load_curation(town, "town").standalone == frozenset()


def test_a_built_collection_offers_the_ends_of_a_trail_and_similar_documents(database: Database) -> None:
    save_built(database, town_documents(range(0, 60, 10)))
    screen = open_documents(collection="town", doc="d2")
    screen.button(key="use-source").click().run()
    screen.button(key="read-similar").click().run()
    assert listed(screen)[0] in ("Headline 1", "Headline 3")
    assert "alike 1.00" in words(screen)
    assert "cosine" in words(screen)
    assert screen.query_params["like"] == "d2"


def test_thousands_of_documents_come_in_pages(database: Database) -> None:
    save_unbuilt(database, town_documents(range(2000)))
    screen = open_documents(collection="town", q="flood")
    assert "1–25 of 2,000 documents" in words(screen)
    assert len(listed(screen)) == 25


def test_another_collection_forgets_what_was_looked_for(town: Database) -> None:
    screen = open_documents(collection="town", q="flood")
    screen.selectbox[0].set_value("spaceflight").run()
    assert "q" not in screen.query_params
    assert len(listed(screen)) == 25


def test_explore_shows_the_note_as_well(database: Database) -> None:
    screen = open_app()
    screen.button(key=next(key for key in keys(screen) if key.startswith("step-trail-"))).click().run()
    assert any(str(area.key).startswith("note-") for area in screen.text_area)
