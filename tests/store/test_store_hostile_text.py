"""Text that looks like SQL, in every parameter of the store, is text and nothing else."""

from dataclasses import replace

import numpy as np
import pytest
from store_samples import DOCUMENTS, HOSTILE, REPORT, landscape, saved_story, vectors

from narrative_core.errors import InvalidInput
from narrative_core.records import Collection, Document, Problem
from narrative_core.store.collections import (
    delete_collection,
    has_collection,
    load_collection,
    load_documents,
    load_report,
    save_collection,
    save_stop_words,
)
from narrative_core.store.database import Database
from narrative_core.store.jobs import finish_job, latest_job, report_progress, request_cancel, start_job
from narrative_core.store.landscapes import load_landscape, save_landscape
from narrative_core.store.preferences import load_preference, save_preference
from narrative_core.store.stage_arrays import delete_arrays, load_array, save_array
from narrative_core.store.stories import delete_story, list_stories, load_story, rename_story, save_story
from narrative_core.store.terms import load_term_counts, save_term_counts
from narrative_core.store.vectors import load_vectors, save_vectors

HOSTILE_DOCUMENT = Document(HOSTILE, HOSTILE, HOSTILE, None, HOSTILE, None, HOSTILE, HOSTILE, {HOSTILE: HOSTILE})


@pytest.fixture
def hostile(database: Database) -> Database:
    """A database with one collection, whose every text is hostile, beside one that is not."""
    one = Collection(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, (HOSTILE,))
    report = replace(
        REPORT, problems=(Problem(1, HOSTILE),), encoding=HOSTILE, delimiter=HOSTILE, columns={HOSTILE: HOSTILE}
    )
    save_collection(database, one, (HOSTILE_DOCUMENT, *DOCUMENTS), report, origin_hash=HOSTILE)
    save_collection(database, replace(one, name="bystander"), DOCUMENTS, report)
    return database


def test_a_collection_with_hostile_text_comes_back_and_can_be_deleted(hostile: Database) -> None:
    save_stop_words(hostile, HOSTILE, [HOSTILE, "x"])
    assert load_collection(hostile, HOSTILE).stop_words == (HOSTILE, "x")
    assert load_documents(hostile, HOSTILE) == (HOSTILE_DOCUMENT, *DOCUMENTS)
    assert load_report(hostile, HOSTILE).problems == (Problem(1, HOSTILE),)
    delete_collection(hostile, HOSTILE)
    assert not has_collection(hostile, HOSTILE)
    assert load_documents(hostile, "bystander") == DOCUMENTS


def test_what_is_computed_under_a_hostile_name_comes_back(hostile: Database) -> None:
    save_vectors(hostile, HOSTILE, replace(vectors(4), model=HOSTILE, version=HOSTILE))
    loaded = load_vectors(hostile, HOSTILE)
    assert loaded is not None
    assert (loaded.model, loaded.version) == (HOSTILE, HOSTILE)
    one = landscape(4, landscape_id=HOSTILE)
    topics = tuple(replace(topic, label=HOSTILE, words=(HOSTILE,)) for topic in one.topics)
    save_landscape(hostile, HOSTILE, replace(one, topics=topics, notices=(HOSTILE,), versions={HOSTILE: HOSTILE}))
    found = load_landscape(hostile, HOSTILE)
    assert found is not None
    assert (found.landscape_id, found.topics, found.notices) == (HOSTILE, topics, (HOSTILE,))
    save_term_counts(hostile, HOSTILE, {HOSTILE: 3})
    assert load_term_counts(hostile, HOSTILE) == {HOSTILE: 3}
    save_array(hostile, HOSTILE, HOSTILE, np.ones(2))
    assert load_array(hostile, HOSTILE, HOSTILE) is not None
    delete_arrays(hostile, HOSTILE)
    assert load_array(hostile, HOSTILE, HOSTILE) is None


def test_stories_jobs_and_preferences_with_hostile_text_come_back(hostile: Database) -> None:
    save_story(hostile, replace(saved_story(HOSTILE, HOSTILE), landscape_id=HOSTILE))
    rename_story(hostile, HOSTILE, HOSTILE, HOSTILE)
    assert [one.note for one in list_stories(hostile, HOSTILE)] == [HOSTILE]
    assert load_story(hostile, HOSTILE).landscape_id == HOSTILE
    delete_story(hostile, HOSTILE)
    job = start_job(hostile, HOSTILE, HOSTILE, holder=1, now=HOSTILE)
    assert job is not None
    report_progress(hostile, job.job_id, HOSTILE, 1, 2, message=HOSTILE, now=HOSTILE)
    request_cancel(hostile, job.job_id)
    finish_job(hostile, job.job_id, "failed", HOSTILE, now=HOSTILE)
    latest = latest_job(hostile, HOSTILE, HOSTILE)
    assert latest is not None
    assert (latest.stage, latest.message, latest.updated_at) == (HOSTILE, HOSTILE, HOSTILE)
    save_preference(hostile, HOSTILE, HOSTILE)
    assert load_preference(hostile, HOSTILE) == HOSTILE
    assert load_documents(hostile, "bystander") == DOCUMENTS


@pytest.mark.parametrize("name", ["' OR '1'='1", "news' --", "%", "_", "*"])
def test_a_pattern_is_no_name(hostile: Database, name: str) -> None:
    assert not has_collection(hostile, name)
    with pytest.raises(InvalidInput):
        delete_collection(hostile, name)
    assert load_documents(hostile, HOSTILE) == (HOSTILE_DOCUMENT, *DOCUMENTS)
