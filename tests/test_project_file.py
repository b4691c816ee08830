"""A project file opens to the same picture on another machine, or is refused whole."""

import contextlib
import dataclasses
import errno
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from narrative_core import project_file
from narrative_core.bundle_target import export_file
from narrative_core.curation import Curation
from narrative_core.desk import Desk, History
from narrative_core.desk_record import restore
from narrative_core.errors import InvalidInput, NarrativeError
from narrative_core.extraction import tell
from narrative_core.ingest.plain_text import clean_line
from narrative_core.intake import import_bundle, install_shipped
from narrative_core.pipeline import load
from narrative_core.project_file import about_project, free_name, read_project, write_folder
from narrative_core.records import Document, TrailRequest
from narrative_core.store.collections import delete_collection, has_collection, list_collections, load_documents
from narrative_core.store.database import Database, open_database
from narrative_core.store.desks import load_desk
from narrative_core.store.stories import delete_story, list_stories, save_story, save_version
from tests.desk_samples import curations, histories
from tests.project_samples import packed, picture, save_worked
from tests.store import store_samples
from tests.test_bundle import DOCUMENTS


@contextlib.contextmanager
def opened(path: Path) -> Iterator[Database]:
    with contextlib.closing(open_database(path)) as database:
        yield database


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with opened(tmp_path_factory.mktemp("here") / "throughline.duckdb") as database:
        save_worked(database)
        yield database


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """A database that every test leaves empty."""
    with opened(tmp_path_factory.mktemp("there") / "throughline.duckdb") as database:
        yield database


@pytest.fixture(scope="module")
def project(here: Database) -> bytes:
    return packed(here)


@contextlib.contextmanager
def brought(database: Database, project: bytes, name: str = "copy") -> Iterator[None]:
    read_project(database, project, name=name)
    try:
        yield
    finally:
        delete_collection(database, name)


def test_all_that_was_done_comes_back(here: Database, there: Database, project: bytes) -> None:
    with brought(there, project):
        ours, theirs = picture(here, "news"), picture(there, "copy")
        assert {what for what in ours if ours[what] != theirs[what]} == {"terms"}  # the sample has not counted them
        assert [story.story_id for story in list_stories(there, "copy")] == ["s2", "s1"]
        assert about_project(packed(there, "copy")).hashes == about_project(project).hashes


def test_the_same_state_gives_the_same_bytes(here: Database, project: bytes) -> None:
    assert packed(here) == project


def test_the_report_says_what_came(there: Database, project: bytes) -> None:
    with contextlib.ExitStack() as stack:
        report = read_project(there, project, name="copy", title="Another title")
        stack.callback(delete_collection, there, "copy")
        assert dict(report.manifest.counts) == {"documents": 3, "topics": 2, "stories": 2, "judgements": 2}
        assert (report.name, report.bundle.is_built, report.bundle.judgements.kept) == ("copy", True, 2)
        assert list_collections(there)[0].collection.title == "Another title"


def test_spaceflight_tells_the_same_stories_elsewhere(tmp_path: Path) -> None:
    with opened(tmp_path / "one.duckdb") as one, opened(tmp_path / "two.duckdb") as two:
        install_shipped(one)
        read_project(two, packed(one, "spaceflight"), name="spaceflight-2")
        ours, theirs = load(one, "spaceflight"), load(two, "spaceflight-2")
        assert picture(one, "spaceflight") == picture(two, "spaceflight-2")
        ids = [document.document_id for document in ours.documents]
        for source, target in ((0, 330), (20, 200), (100, 150)):
            request = TrailRequest(ids[source], ids[target], avoid=(ids[120],))
            assert tell(ours, request) == tell(theirs, request)


DATED = st.builds(
    Document,
    document_id=st.uuids().map(str),
    title=store_samples.texts,
    text=store_samples.texts,
    date=st.none() | st.dates(),
    date_text=store_samples.texts,
    date_precision=st.sampled_from([None, "day", "month", "year"]),
    source=store_samples.texts,
    url=store_samples.texts,
    extras=st.dictionaries(store_samples.texts, store_samples.texts, max_size=3),
)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    documents=st.lists(DATED, min_size=2, max_size=5, unique_by=lambda document: document.document_id),
    curation=curations.map(lambda found: dataclasses.replace(found, excluded=frozenset())),
    history=histories,
)
def test_any_collection_comes_back(
    there: Database, documents: list[Document], curation: Curation, history: History
) -> None:
    ordered = sorted(documents, key=lambda one: (one.date is None, one.date or 0))
    topics = {"topic_labels": {}, "merged_topics": {}, "hidden_topics": frozenset()}
    if not curation.topic_labels and not curation.merged_topics and not curation.hidden_topics:
        curation = dataclasses.replace(curation, landscape_id="", **topics)
    curation = dataclasses.replace(
        curation, document_notes={key: note for key, note in curation.document_notes.items() if note}
    )
    save_worked(there, "news", ordered, curation=curation, history=history)
    project, ours = packed(there), picture(there, "news")
    delete_collection(there, "news")
    with brought(there, project):
        theirs = picture(there, "copy")
    assert {what for what in ours if ours[what] != theirs[what]} <= {"terms"}


def test_a_folder_brings_the_same_back(there: Database, tmp_path: Path) -> None:
    save_worked(there, "news", [dataclasses.replace(one, title=clean_line(one.title)) for one in DOCUMENTS])
    assert write_folder(there, "news", tmp_path / "out")["stories"] == 2
    assert len(list((tmp_path / "out" / "stories").glob("*.json"))) == 2
    ours = picture(there, "news")
    delete_collection(there, "news")
    import_bundle(there, "copy", tmp_path / "out")
    try:
        theirs = picture(there, "copy")
    finally:
        delete_collection(there, "copy")
    # documents.csv comes through the door that all documents come through, with a report of its own.
    assert {what for what in ours if ours[what] != theirs[what]} == {"terms", "report"}


def test_documents_that_differ_in_their_ids_alone_come_back_from_a_folder(there: Database, tmp_path: Path) -> None:
    twice = [DOCUMENTS[0], dataclasses.replace(DOCUMENTS[0], document_id="a again", url=""), *DOCUMENTS[1:2]]
    save_worked(there, "news", twice)
    write_folder(there, "news", tmp_path / "out")
    ours = load_documents(there, "news")
    delete_collection(there, "news")
    report = import_bundle(there, "copy", tmp_path / "out")
    try:
        assert load_documents(there, "copy") == ours
        assert (report.documents.kept, report.documents.duplicates) == (3, 0)
    finally:
        delete_collection(there, "copy")


def test_a_folder_is_replaced_whole_or_not_at_all(
    here: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_folder(here, "news", tmp_path / "out")
    (tmp_path / "out" / "stories" / "mine.json").write_text("{}")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    write_folder(here, "news", tmp_path / "out")
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    monkeypatch.setattr(project_file, "MAX_ROWS", 2)
    with pytest.raises(InvalidInput, match=r"news has 3 documents, and a folder has 2\. Export it to a \.zip file"):
        write_folder(here, "news", tmp_path / "out")
    with pytest.raises(InvalidInput, match="no collection named 'olds'"):
        write_folder(here, "olds", tmp_path / "out")
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_a_project_file_is_replaced_whole_or_not_at_all(project: bytes, tmp_path: Path) -> None:
    (tmp_path / "news.zip").write_bytes(project)
    with (
        pytest.raises(
            InvalidInput, match=r"/news\.zip cannot be written \(No space left on device\); what was there is"
        ),
        export_file(tmp_path / "news.zip") as new,
    ):
        new.write_bytes(project[:100])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"news.zip": project}
    with export_file(tmp_path / "news.zip") as new:
        new.write_bytes(b"another")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"news.zip": b"another"}


def test_a_story_whose_id_is_a_path_is_written_inside_the_folder(there: Database, tmp_path: Path) -> None:
    save_worked(there, "news")
    (story, *_) = list_stories(there, "news")
    save_story(there, dataclasses.replace(story, story_id="../../outside"))
    try:
        write_folder(there, "news", tmp_path / "deep" / "out")
    finally:
        delete_collection(there, "news")
    assert [path.name for path in tmp_path.iterdir()] == ["deep"]
    assert len(list((tmp_path / "deep" / "out" / "stories").iterdir())) == 3


def test_an_unpacked_project_is_a_folder_that_can_be_imported(there: Database, project: bytes, tmp_path: Path) -> None:
    (tmp_path / "p.zip").write_bytes(project)
    with zipfile.ZipFile(tmp_path / "p.zip") as archive:
        archive.extractall(tmp_path / "out")
    import_bundle(there, "copy", tmp_path / "out")
    try:
        assert [story.version for story in list_stories(there, "copy")] == [2, 1]
    finally:
        delete_collection(there, "copy")


def test_a_second_copy_has_stories_of_its_own(here: Database, project: bytes) -> None:
    with brought(here, project):
        assert [story.story_id for story in list_stories(here, "copy")] == ["s2-2", "s1-2"]
        assert [story.family_id for story in list_stories(here, "copy")] == ["s1-2", ""]
        with brought(here, project, "third"):
            assert [story.story_id for story in list_stories(here, "third")] == ["s2-3", "s1-3"]
        assert [story.story_id for story in list_stories(here, "news")] == ["s2", "s1"]


def test_the_desk_of_a_second_copy_lies_on_the_stories_of_that_copy_at_every_step(there: Database) -> None:
    gone, first, second = (Desk(story_id=story_id) for story_id in ("gone", "s1", "s2"))
    worked = History(Desk()).changed(gone, "Opened").changed(first, "Opened").changed(second, "Saved")
    save_worked(there, history=worked.changed(first, "Opened").undone())
    try:
        with brought(there, packed(there)):
            history = restore(load_desk(there, "copy")).history
            assert [step.desk.story_id for step in history.past] == ["", "gone", "s1-2"]
            assert history.present.story_id == "s2-2"
            assert [step.desk.story_id for step in history.future] == ["s1-2"]
            opened_there = next(story for story in list_stories(there, "copy") if story.story_id == "s2-2")
            new = dataclasses.replace(opened_there, story_id="s3", name="Renamed in the copy")
            before = list_stories(there, "news")
            assert save_version(there, new).version == 3
            assert {story.name for story in list_stories(there, "copy")} == {"Renamed in the copy"}
            delete_story(there, "s3", all_versions=True)
            assert list_stories(there, "copy") == ()
            assert repr(list_stories(there, "news")) == repr(before)
    finally:
        delete_collection(there, "news")


def test_a_name_that_is_taken_or_built_in_is_refused_and_another_offered(
    here: Database, there: Database, project: bytes
) -> None:
    with pytest.raises(
        InvalidInput, match=r"“news” is the name of a collection here. Choose another, such as “news-2”"
    ):
        read_project(here, project)
    with pytest.raises(InvalidInput, match=r"built-in collection. Choose another, such as “spaceflight-2”"):
        read_project(there, project, name="spaceflight")
    assert list_collections(there) == ()
    assert free_name(there, "news") == "news"


def test_a_collection_without_vectors_or_stories_comes_back(there: Database) -> None:
    store_samples.save_sample(there)
    project, ours = packed(there), picture(there, "news")
    delete_collection(there, "news")
    with brought(there, project):
        theirs = picture(there, "copy")
    assert {what for what in ours if ours[what] != theirs[what]} <= {"copies"}  # looked for as documents come in


def flipped(project: bytes, at: int, bit: int) -> bytes:
    return project[:at] + bytes([project[at] ^ (1 << bit)]) + project[at + 1 :]


def assert_refused_or_the_same(there: Database, project: bytes, ours: object) -> None:
    try:
        read_project(there, project, name="copy")
    except NarrativeError as refusal:
        assert isinstance(refusal, InvalidInput)
        assert "\n" not in str(refusal)
        assert not has_collection(there, "copy")
        return
    try:
        assert picture(there, "copy") == ours
    finally:
        delete_collection(there, "copy")


@pytest.fixture(scope="module")
def opened_elsewhere(there: Database, project: bytes) -> object:
    with brought(there, project):
        return picture(there, "copy")


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_flipped_bit_is_refused_or_changes_nothing(
    there: Database, project: bytes, opened_elsewhere: object, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(project) - 1))
    assert_refused_or_the_same(there, flipped(project, at, data.draw(st.integers(0, 7))), opened_elsewhere)


@pytest.mark.slow
def test_no_flipped_byte_is_taken_for_another_collection(
    there: Database, project: bytes, opened_elsewhere: object
) -> None:
    rng = np.random.default_rng(1)
    for at in rng.integers(0, len(project), size=1500).tolist():
        assert_refused_or_the_same(there, flipped(project, at, int(rng.integers(8))), opened_elsewhere)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_file_that_was_cut_off_is_refused(there: Database, project: bytes, share: float) -> None:
    with pytest.raises(InvalidInput, match="get it again"):
        read_project(there, project[: int(len(project) * share)], name="copy")
    assert list_collections(there) == ()


@pytest.mark.parametrize("where", ["curation", "desk"])
def test_decisions_about_topics_that_the_landscape_does_not_have_are_refused(there: Database, where: str) -> None:
    unknown = Curation(landscape_id="abc123", merged_topics={1: 7})
    history = History(Desk()).changed(Desk(curation=unknown), "Merged a topic").undone()
    with contextlib.ExitStack() as stack:
        if where == "curation":
            save_worked(there, "hostile", curation=unknown)
        else:
            save_worked(there, "hostile", history=history)
        stack.callback(delete_collection, there, "hostile")
        with pytest.raises(InvalidInput, match=rf"{where}\.json speaks of topic 7; the landscape has 2"):
            read_project(there, packed(there, "hostile"), name="copy")
        assert not has_collection(there, "copy")
