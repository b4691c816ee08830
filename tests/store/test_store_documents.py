from dataclasses import replace

import pytest
from store_samples import DOCUMENTS, REPORT, save_sample

from narrative_core.errors import InvalidInput
from narrative_core.records import Document, LoadReport
from narrative_core.store.collections import load_collection, load_documents, load_report
from narrative_core.store.database import Database
from narrative_core.store.documents import update_documents

NEWER = (DOCUMENTS[2], replace(DOCUMENTS[0], title="Another title"), Document("d9", "New", ""))
REPORT_ON_NEWER = LoadReport(3, 3, 2, 0, 0, columns={"title": "Überschrift"})


def test_newer_documents_replace_the_former_ones_in_their_own_order(database: Database) -> None:
    save_sample(database)
    save_sample(database, "other")
    before = load_collection(database, "news")
    update_documents(database, "news", NEWER, REPORT_ON_NEWER)
    assert load_documents(database, "news") == NEWER
    assert load_report(database, "news") == REPORT_ON_NEWER
    assert load_collection(database, "news") == before
    assert load_documents(database, "other") == DOCUMENTS
    assert load_report(database, "other") == REPORT


def test_an_update_with_an_id_twice_or_of_no_collection_changes_nothing(database: Database) -> None:
    save_sample(database)
    with pytest.raises(InvalidInput, match="'d9' repeats"):
        update_documents(database, "news", (*NEWER, NEWER[2]), REPORT_ON_NEWER)
    with pytest.raises(InvalidInput, match="no collection named 'nothing'"):
        update_documents(database, "nothing", NEWER, REPORT_ON_NEWER)
    assert load_documents(database, "news") == DOCUMENTS


def test_an_update_in_a_transaction_that_fails_is_undone_with_it(database: Database) -> None:
    save_sample(database)
    with pytest.raises(KeyboardInterrupt), database.transaction():
        update_documents(database, "news", NEWER, REPORT_ON_NEWER)
        raise KeyboardInterrupt
    assert load_documents(database, "news") == DOCUMENTS
