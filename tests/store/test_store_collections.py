import datetime as dt
import uuid
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_run_samples import LABELS, run, stories
from store_samples import (
    DOCUMENTS,
    HOSTILE,
    REPORT,
    collection,
    counts,
    documents,
    landscape,
    save_sample,
    saved_story,
    texts,
    vectors,
)

from narrative_core.curation import Curation
from narrative_core.errors import InvalidInput, StoreError
from narrative_core.estimates import SeedAgreement
from narrative_core.judgements import Seat
from narrative_core.records import Collection, Document, LoadReport, Problem
from narrative_core.store.collections import (
    delete_collection,
    has_collection,
    list_collections,
    load_collection,
    load_documents,
    load_origin_hash,
    load_report,
    save_collection,
    save_stop_words,
)
from narrative_core.store.copies import save_copies
from narrative_core.store.curations import load_curation, save_curation
from narrative_core.store.database import Database
from narrative_core.store.judgements import list_judgements, save_judgement
from narrative_core.store.landscapes import save_landscape
from narrative_core.store.panels import save_panel
from narrative_core.store.runs import RunQuestion, list_runs, load_run_stories, save_run
from narrative_core.store.stability import save_seed_agreement
from narrative_core.store.stage_arrays import load_array, save_array
from narrative_core.store.stories import list_stories, save_story
from narrative_core.store.terms import save_term_counts
from narrative_core.store.vectors import save_vectors
from tests.judgement_samples import answered

CURATION = Curation(
    excluded=frozenset({"d2"}), link_notes={("d1", "d3"): "Why?"}, landscape_id="land-1", topic_labels={0: "Floods"}
)


def rows_of(database: Database, name: str) -> dict[str, int]:
    """Return how many rows each table holds of a collection, saved stories included."""
    with database.reading() as cursor:
        query = "SELECT DISTINCT table_name FROM duckdb_columns() WHERE column_name = 'collection'"
        owned = [row[0] for row in cursor.execute(query).fetchall()]
        counted = {
            table: cursor.execute(f"SELECT count(*) FROM {table} WHERE collection = ?", [name]).fetchall()[0][0]
            for table in owned
        }
        for table in ("story_documents", "story_links"):
            query = f"SELECT count(*) FROM {table} JOIN stories USING (story_id) WHERE collection = ?"
            counted[table] = cursor.execute(query, [name]).fetchall()[0][0]
        for table in ("run_seats", "run_stories", "run_questions"):
            query = f"SELECT count(*) FROM {table} JOIN runs USING (run_id) WHERE collection = ?"
            counted[table] = cursor.execute(query, [name]).fetchall()[0][0]
        query = "SELECT count(*) FROM collections WHERE name = ?"
        counted["collections"] = cursor.execute(query, [name]).fetchall()[0][0]
    return counted


def fill(database: Database, name: str) -> None:
    """Save something of a collection in every table that can hold it."""
    save_sample(database, name)
    save_vectors(database, name, vectors())
    save_landscape(database, name, landscape())
    save_term_counts(database, name, {"flood": 2})
    save_array(database, name, "map", np.ones(3))
    save_array(database, f"hash of {name}", "map", np.ones(3), collection=name)
    save_story(database, saved_story(f"story of {name}", name))
    save_judgement(database, name, answered())
    save_panel(database, name, ("trail", "baseline"), [Seat("lexical", "")], [answered().question.question_id])
    question = RunQuestion(0, "trail", 0, 0, answered().question.question_id)
    save_run(database, run(f"run of {name}", name), LABELS, stories(1), [question])
    save_curation(database, name, CURATION)
    save_copies(database, name, {"d1": "d1", "d2": "d1"})
    save_seed_agreement(database, name, "land-1", SeedAgreement(7, 2, 0.5, 0.9, 3, 0.8, 0.01))
    with database.transaction() as cursor:
        cursor.execute("INSERT INTO projections VALUES (?, 0, [0.5, 1.5])", [name])
        cursor.execute("INSERT INTO desks VALUES (?, '{}', '2024-03-01T12:00:00+00:00')", [name])


@settings(max_examples=40, deadline=None)
@given(
    st.builds(
        Collection,
        name=texts,
        title=texts,
        noun=texts,
        description=texts,
        origin=texts,
        licence=texts,
        stop_words=st.lists(texts, max_size=3).map(tuple),
    ),
    st.lists(documents, max_size=4, unique_by=lambda document: document.document_id),
    st.builds(
        LoadReport,
        read=counts,
        kept=counts,
        undated=counts,
        duplicates=counts,
        dropped=counts,
        problems=st.lists(st.builds(Problem, row=counts, reason=texts), max_size=3).map(tuple),
        encoding=texts,
        delimiter=texts,
        date_format=texts,
        columns=st.dictionaries(texts, texts, max_size=3),
        notices=st.lists(texts, max_size=3).map(tuple),
    ),
    texts,
)
def test_what_is_saved_of_a_collection_comes_back(
    lasting_database: Database, one: Collection, given_documents: list[Document], report: LoadReport, origin_hash: str
) -> None:
    one = replace(one, name=f"{one.name}{uuid.uuid4().hex}")
    save_collection(lasting_database, one, given_documents, report, origin_hash=origin_hash)
    assert load_collection(lasting_database, one.name) == one
    assert load_documents(lasting_database, one.name) == tuple(given_documents)
    assert load_report(lasting_database, one.name) == report
    assert load_origin_hash(lasting_database, one.name) == origin_hash
    delete_collection(lasting_database, one.name)


def test_documents_come_back_in_position_order_also_when_there_are_many(database: Database) -> None:
    many = tuple(Document(f"id {i * 7919 % 5000}", f"title {i}", "text " * 50) for i in range(5000))
    save_sample(database, documents=many)
    assert load_documents(database, "news") == many


def test_extras_keep_their_order(database: Database) -> None:
    save_sample(database)
    assert list(load_documents(database, "news")[1].extras.items()) == [("z", "1"), ("a", "ü")]


def test_a_name_that_exists_is_refused_and_the_former_collection_stays(database: Database) -> None:
    save_sample(database)
    with pytest.raises(InvalidInput, match=r"A collection named 'news' exists already\. Choose another name"):
        save_collection(database, replace(collection(), title="Other"), DOCUMENTS[:1], REPORT)
    assert load_collection(database, "news") == collection()
    assert load_documents(database, "news") == DOCUMENTS


@pytest.mark.parametrize("name", ["", "  \n"])
def test_a_blank_name_is_refused(database: Database, name: str) -> None:
    with pytest.raises(InvalidInput, match="needs a name"):
        save_sample(database, name)


def test_a_repeated_document_id_is_refused_and_named(database: Database) -> None:
    with pytest.raises(InvalidInput, match="'d1' repeats"):
        save_sample(database, documents=(DOCUMENTS[0], DOCUMENTS[1], DOCUMENTS[0]))
    assert not has_collection(database, "news")


def test_a_failure_on_the_last_row_leaves_nothing_half_written(database: Database) -> None:
    bad = replace(REPORT, problems=(Problem(1, "fine"), Problem(2**40, "a row number that no column can hold")))
    with pytest.raises(StoreError):
        save_collection(database, collection(), DOCUMENTS, bad)
    assert set(rows_of(database, "news").values()) == {0}
    save_sample(database)
    assert load_documents(database, "news") == DOCUMENTS


@pytest.mark.parametrize(
    "use",
    [
        load_collection,
        load_documents,
        load_report,
        load_origin_hash,
        delete_collection,
        lambda database, name: save_stop_words(database, name, ()),
    ],
)
def test_an_unknown_name_is_refused_with_the_names_there_are(database: Database, use) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    with pytest.raises(InvalidInput, match=r"no collection named 'nwes'\. The collections are: none yet; import one"):
        use(database, "nwes")
    save_sample(database, "news")
    save_sample(database, "archive")
    with pytest.raises(InvalidInput, match=r"no collection named 'nwes'\. The collections are: archive, news\.$"):
        use(database, "nwes")


def test_a_summary_counts_documents_and_topics_and_outliers(database: Database) -> None:
    save_sample(database, "news")
    save_sample(database, "empty", ())
    save_landscape(database, "news", landscape())
    empty, news = list_collections(database)
    assert news.collection == collection("news")
    assert (news.n_documents, news.n_undated) == (3, 1)
    assert (news.first_date, news.last_date) == (dt.date(2020, 1, 1), dt.date(2020, 2, 1))
    assert (news.landscape_id, news.n_topics, news.n_outliers) == ("land-1", 2, 2)
    assert (empty.n_documents, empty.n_undated, empty.first_date, empty.last_date) == (0, 0, None, None)
    assert (empty.landscape_id, empty.n_topics, empty.n_outliers) == (None, 0, 0)
    assert news.is_built
    assert not empty.is_built


def test_stop_words_are_replaced_as_often_as_one_likes(database: Database) -> None:
    save_sample(database)
    save_stop_words(database, "news", ["one"])
    save_stop_words(database, "news", ["two", HOSTILE])
    assert load_collection(database, "news") == replace(collection(), stop_words=("two", HOSTILE))
    assert load_documents(database, "news") == DOCUMENTS


def test_deleting_a_collection_leaves_no_row_of_it_and_every_row_of_the_others(database: Database) -> None:
    fill(database, "doomed")
    fill(database, "kept")
    before = rows_of(database, "kept")
    assert rows_of(database, "doomed") == before
    assert len(before) >= 13
    assert all(before.values()), f"the sample does not fill {before}"
    delete_collection(database, "doomed")
    assert set(rows_of(database, "doomed").values()) == {0}
    assert rows_of(database, "kept") == before
    with database.reading() as cursor:
        for table in ("story_documents", "story_links"):
            query = f"SELECT DISTINCT story_id FROM {table}"
            assert cursor.execute(query).fetchall() == [("story of kept",)]
        for table in ("run_seats", "run_stories", "run_questions"):
            assert cursor.execute(f"SELECT DISTINCT run_id FROM {table}").fetchall() == [("run of kept",)]


def test_stories_runs_and_judgements_can_outlive_their_collection(database: Database) -> None:
    fill(database, "news")
    before = list_stories(database)
    delete_collection(database, "news", keep_stories=True)
    assert not has_collection(database, "news")
    assert repr(list_stories(database)) == repr(before)
    assert len(before) == 1
    assert list_judgements(database, "news") == (answered(),)
    assert [(one.run.run_id, one.n_answered) for one in list_runs(database)] == [("run of news", 1)]
    assert repr(load_run_stories(database, "run of news")) == repr(stories(1))


def test_what_people_decided_about_its_documents_counts_again_in_another_edition(database: Database) -> None:
    fill(database, "news")
    delete_collection(database, "news", keep_stories=True)
    left = {table for table, n in rows_of(database, "news").items() if n}
    assert {"document_edits", "link_notes", "topic_edits", "desks"} < left
    assert left.isdisjoint({"documents", "landscapes", "copies", "projections", "stability_checks"})
    save_sample(database)
    assert load_curation(database, "news") == CURATION


def test_intermediate_results_go_with_the_collection_that_they_name(database: Database) -> None:
    save_sample(database)
    save_array(database, "hash", "map", np.ones(3), collection="news")
    save_array(database, "other hash", "map", np.ones(3), collection="archive")
    delete_collection(database, "news")
    assert load_array(database, "hash", "map") is None
    assert load_array(database, "other hash", "map") is not None


def test_a_deleted_name_can_be_used_again(database: Database) -> None:
    fill(database, "news")
    delete_collection(database, "news")
    fill(database, "news")
    assert load_documents(database, "news") == DOCUMENTS


def test_a_deletion_that_fails_deletes_nothing(database: Database) -> None:
    fill(database, "news")
    before = rows_of(database, "news")
    with database.transaction() as cursor:
        cursor.execute("ALTER TABLE term_counts RENAME TO hidden")
    with pytest.raises(StoreError):
        delete_collection(database, "news")
    with database.transaction() as cursor:
        cursor.execute("ALTER TABLE hidden RENAME TO term_counts")
    assert rows_of(database, "news") == before
