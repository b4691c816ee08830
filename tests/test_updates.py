import contextlib
import datetime as dt
import hashlib
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from narrative_core import build_stages
from narrative_core.build_stages import OWN_VECTORS, Model
from narrative_core.curating import keep_curation
from narrative_core.curation import Curation
from narrative_core.errors import Cancelled, InvalidInput, NarrativeError
from narrative_core.extraction import tell
from narrative_core.ingest.documents import PARTS, Loaded
from narrative_core.pipeline import build, load
from narrative_core.records import STAGES, Document, LandscapeParameters, LoadReport, Stage, TrailRequest, Vectors
from narrative_core.space.worker import _work
from narrative_core.store.collections import load_documents, load_report
from narrative_core.store.copies import load_copies
from narrative_core.store.curations import load_curation, save_curation
from narrative_core.store.database import Database, open_database
from narrative_core.store.landscapes import load_landscape, load_placed, save_landscape
from narrative_core.store.project_rows import load_placement
from narrative_core.store.vectors import load_vectors, save_vectors
from narrative_core.trails.coherence import coherence_matrix
from narrative_core.trails.graph import critical_coherence
from narrative_core.updates import UpdateReport, apply_update, compare
from tests.conductor_samples import (
    THEMES,
    FakeChild,
    documents_on_two_themes,
    fake_stage,
    save_documents,
    stage_names,
)
from tests.space.fake_endpoint import FakeEndpoint

DOCUMENTS = documents_on_two_themes(12)
LATER = documents_on_two_themes(15)[12:]
OTHER = LandscapeParameters(seed=7)
ARRAYS = ("positions", "nearest_topic", "is_outlier", "memberships")


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with contextlib.closing(open_database(tmp_path / "throughline.duckdb")) as opened:
        yield opened


@pytest.fixture(scope="module")
def lasting_database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """One database for all the examples of a property."""
    with contextlib.closing(open_database(tmp_path_factory.mktemp("updates") / "lasting.duckdb")) as opened:
        yield opened


@pytest.fixture
def child(monkeypatch: pytest.MonkeyPatch) -> FakeChild:
    fake = FakeChild(fake_stage)
    monkeypatch.setattr(build_stages, "run_stage", fake)
    return fake


@pytest.fixture
def built(database: Database, child: FakeChild) -> Database:
    """Twelve documents with a landscape; what the child was asked for it is forgotten."""
    save_documents(database, DOCUMENTS)
    build(database, "news")
    child.stages.clear()
    child.options.clear()
    return database


def file_of(
    documents: Sequence[Document], vectors: NDArray[np.float32] | None = None, *, has_ids: bool = True
) -> Loaded:
    n = len(documents)
    columns = {part: part for part in PARTS} | ({"document_id": "key"} if has_ids else {})
    report = LoadReport(n, n, 0, 0, 0, encoding="utf-8", columns=columns)
    extras = {name for document in documents for name in document.extras}
    return Loaded(tuple(documents), vectors, report, columns=frozenset((*columns.values(), *extras)))


def everything(database: Database, *, without: str = "stage_arrays") -> dict[str, str]:
    """Return the hash of all rows of each table."""
    with database.reading() as cursor:
        tables = [row[0] for row in cursor.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
        return {
            table: hashlib.sha256(repr(sorted(map(repr, cursor.table(table).fetchall()))).encode()).hexdigest()
            for table in tables
            if table != without
        }


def parameters_of(database: Database) -> LandscapeParameters:
    landscape = load_landscape(database, "news")
    assert landscape is not None
    return landscape.parameters


def embedded_texts(child: FakeChild) -> list[str]:
    return [text for asked in child.options if "texts" in asked for text in asked["texts"]]


def test_the_same_file_is_no_difference_and_changes_nothing(built: Database, child: FakeChild) -> None:
    before = everything(built)
    found = compare(built, "news", file_of(DOCUMENTS))
    assert found.is_empty
    assert found.absent == ()
    assert len(found.unchanged) == 12
    landscape = load_landscape(built, "news")
    assert landscape is not None
    assert apply_update(built, "news", file_of(DOCUMENTS)) == UpdateReport(0, 0, 12, 0, 0, 0, landscape.landscape_id)
    assert everything(built) == before
    assert child.stages == []


def test_new_documents_are_embedded_and_placed_and_the_others_stay_bit_for_bit(
    built: Database, child: FakeChild
) -> None:
    before, vectors = load(built, "news"), load_vectors(built, "news")
    early = replace(LATER[0], date=dt.date(2018, 1, 1), date_text="2018-01-01")
    report = apply_update(built, "news", file_of([early, LATER[1]]))
    assert (report.n_new, report.n_changed, report.n_embedded, report.n_placed) == (2, 0, 2, 2)
    assert embedded_texts(child) == [f"{one.title}\n{one.text}" for one in (early, LATER[1])]
    assert sorted(child.stages) == ["embed", "place_in_topics", "place_on_map"]
    after = load(built, "news")
    assert after.documents == (early, *DOCUMENTS, LATER[1])
    stayed = [after.row_of[document.document_id] for document in DOCUMENTS]
    assert stayed == list(range(1, 13))
    for name in ARRAYS:
        assert getattr(after.landscape, name)[stayed].tobytes() == getattr(before.landscape, name).tobytes()
    assert vectors is not None
    assert after.vectors.values[stayed].tobytes() == vectors.values.tobytes()
    assert after.placed == {early.document_id, LATER[1].document_id}
    assert after.landscape.landscape_id == report.landscape_id != before.landscape.landscape_id
    assert "2 documents were placed on the map after it was made; build it again to fit all." in report.notices
    assert load_report(built, "news").read == 2
    assert stage_names(built) == set()


def test_what_depends_on_all_documents_is_measured_anew(built: Database) -> None:
    apply_update(built, "news", file_of(LATER))
    after = load(built, "news")
    theta = coherence_matrix(after.vectors.values, after.landscape.memberships)
    assert after.landscape.critical_coherence == critical_coherence(theta)
    assert sum(topic.size for topic in after.landscape.topics) == 15
    assert [topic.label for topic in after.landscape.topics]
    assert after.term_counts["report"] == 15
    assert tell(after, TrailRequest("d00", "d14")).trail.documents[-1].document_id == "d14"


def test_progress_names_the_stages_of_a_build_in_their_order(built: Database) -> None:
    reports: list[tuple[Stage, int, int]] = []
    apply_update(built, "news", file_of(LATER), progress=lambda *report: reports.append(report))
    assert tuple(dict.fromkeys(stage for stage, _, _ in reports)) == ("embed", "project", "label", "coherence")
    for name in ("embed", "project", "label", "coherence"):
        shares = [done / total for stage, done, total in reports if stage == name]
        assert shares == sorted(shares)
        assert shares[-1] == 1.0


def test_a_changed_text_is_embedded_and_placed_again_and_a_changed_source_is_not(
    built: Database, child: FakeChild
) -> None:
    before = load(built, "news")
    other = replace(DOCUMENTS[3], text=f"The {THEMES[0][0]} met the {THEMES[0][1]}.")
    moved = replace(DOCUMENTS[5], source="Another paper")
    found = compare(built, "news", file_of([other, moved]))
    assert [change.fields for change in found.changed] == [("text",), ("source",)]
    report = apply_update(built, "news", file_of([other, moved]))
    assert (report.n_new, report.n_changed, report.n_embedded, report.n_placed) == (0, 2, 1, 1)
    assert embedded_texts(child) == [f"{other.title}\n{other.text}"]
    after = load(built, "news")
    assert after.placed == {"d03"}
    assert after.documents[3] == other
    assert after.documents[5] == moved
    stayed = [row for row in range(12) if row != 3]
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(after.landscape, name)[stayed], getattr(before.landscape, name)[stayed])
    assert after.landscape.positions[3].tolist() != before.landscape.positions[3].tolist()


def test_a_changed_date_moves_a_document_in_order_and_nowhere_else(built: Database, child: FakeChild) -> None:
    before = load(built, "news")
    late = replace(DOCUMENTS[0], date=dt.date(2030, 1, 1), date_text="2030-01-01")
    report = apply_update(built, "news", file_of([late]))
    after = load(built, "news")
    assert after.documents == (*DOCUMENTS[1:], late)
    assert child.stages == []
    for name in ARRAYS:
        np.testing.assert_array_equal(
            getattr(after.landscape, name), np.roll(getattr(before.landscape, name), -1, axis=0)
        )
    placement = load_placement(built, "news")
    assert placement.projections is not None
    np.testing.assert_array_equal(placement.projections, after.vectors.values[:, :2])
    assert report.landscape_id != before.landscape.landscape_id
    assert after.landscape.critical_coherence == pytest.approx(before.landscape.critical_coherence, abs=1e-12)
    assert after.placed == frozenset()
    assert report.notices == ()


def test_changed_extras_keep_even_the_landscapes_name(built: Database) -> None:
    before = load(built, "news")
    report = apply_update(built, "news", file_of([replace(DOCUMENTS[0], extras={"desk": "foreign"})]))
    after = load(built, "news")
    assert after.documents[0].extras == {"desk": "foreign"}
    assert report.landscape_id == after.landscape.landscape_id == before.landscape.landscape_id


def test_documents_that_are_not_in_the_file_stay_unless_they_are_to_be_removed(built: Database) -> None:
    before = load(built, "news")
    assert [one.document_id for one in compare(built, "news", file_of(DOCUMENTS[2:])).absent] == ["d00", "d01"]
    apply_update(built, "news", file_of(DOCUMENTS[2:]))
    assert load(built, "news").documents == DOCUMENTS
    report = apply_update(built, "news", file_of(DOCUMENTS[2:]), remove_absent=True)
    assert report.n_removed == 2
    after = load(built, "news")
    assert after.documents == DOCUMENTS[2:]
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(after.landscape, name), getattr(before.landscape, name)[2:])
    assert len(after.vectors.values) == 10
    placement = load_placement(built, "news")
    assert placement.projections is not None
    assert len(placement.projections) == 10


def test_arrivals_are_counted_over_all_updates_and_a_new_build_fits_them_and_embeds_nothing(
    built: Database, child: FakeChild
) -> None:
    apply_update(built, "news", file_of(LATER[:1]))
    apply_update(built, "news", file_of(LATER[1:]))
    landscape = load(built, "news").landscape
    counted = [notice for notice in landscape.notices if "placed on the map" in notice]
    assert counted == ["3 documents were placed on the map after it was made; build it again to fit all."]
    child.stages.clear()
    build(built, "news")
    assert sorted(child.stages) == ["cluster", "lay_out", "project"]
    refitted = load(built, "news")
    assert refitted.placed == frozenset()
    assert not any("placed on the map" in notice for notice in refitted.landscape.notices)


def test_arrivals_are_placed_by_documents_that_were_fitted(built: Database, child: FakeChild) -> None:
    apply_update(built, "news", file_of(LATER[:1]))
    seen: list[int] = []

    def watched(stage: str, arrays: dict[str, NDArray[np.float32]], options: object, progress: object) -> object:
        if stage == "place_in_topics":
            seen.extend(
                (len(arrays["vectors"]), len(arrays["projection"]), len(arrays["new"]), len(arrays["standing"]))
            )
        return fake_stage(stage, arrays, options, progress)  # type: ignore[arg-type]

    child.compute = watched  # type: ignore[assignment]
    apply_update(built, "news", file_of(LATER[1:]))
    assert seen == [12, 12, 2, 13]


def test_where_every_document_is_another_the_landscape_is_gone_and_the_vectors_are_whole(built: Database) -> None:
    others = [replace(one, text=f"{one.text} Again.") for one in DOCUMENTS]
    report = apply_update(built, "news", file_of(others))
    assert report.landscape_id is None
    assert report.notices[-1] == "No document of the landscape is as it was, so there is none any more; build it again."
    assert load_landscape(built, "news") is None
    assert load_placed(built, "news") == frozenset()
    build(built, "news")
    assert load(built, "news").documents == tuple(others)


@pytest.mark.parametrize("stage", [*STAGES[:2], *STAGES[3:]])
def test_an_update_that_is_cancelled_leaves_all_as_it_was_and_the_next_one_goes_on(
    built: Database, child: FakeChild, stage: Stage
) -> None:
    before = everything(built)

    def stop(now: Stage, done: int, total: int) -> None:
        if now == stage and done == total:
            raise Cancelled("The work was stopped.")

    with pytest.raises(Cancelled):
        apply_update(built, "news", file_of(LATER), progress=stop)
    assert everything(built) == before
    apply_update(built, "news", file_of(LATER))
    # A part that was stopped before it was kept is asked again.
    assert len(embedded_texts(child)) == (6 if stage == "embed" else 3)
    assert stage_names(built) == set()
    assert len(load(built, "news").documents) == 15


@pytest.mark.parametrize("step", ["embed", "place_on_map", "place_in_topics"])
def test_an_update_that_fails_leaves_all_as_it_was(
    built: Database, child: FakeChild, step: build_stages.WorkerStage
) -> None:
    before = everything(built)
    child.breaking = step
    with pytest.raises(NarrativeError, match=f"The step {step} failed on purpose"):
        apply_update(built, "news", file_of(LATER))
    assert everything(built) == before


def test_a_collection_that_was_changed_meanwhile_is_not_overwritten(built: Database) -> None:
    def build_meanwhile(stage: Stage, done: int, total: int) -> None:
        if stage == "label" and done == 0 and parameters_of(built).seed != OTHER.seed:
            build(built, "news", parameters=OTHER)

    with pytest.raises(InvalidInput, match="was changed meanwhile"):
        apply_update(built, "news", file_of(LATER), progress=build_meanwhile)
    assert load(built, "news").documents == DOCUMENTS


def test_decisions_of_people_stay_and_those_on_topics_follow_to_the_new_landscape(built: Database) -> None:
    landscape_id = load(built, "news").landscape.landscape_id
    curation = Curation(
        excluded=frozenset({"d02"}),
        dates={"d04": "2020"},
        document_notes={"d05": "Ask."},
        landscape_id=landscape_id,
        topic_labels={0: "Rockets"},
    )
    save_curation(built, "news", curation, days={"d04": dt.date(2020, 1, 1)})
    report = apply_update(built, "news", file_of(LATER))
    assert load_curation(built, "news") == replace(curation, landscape_id=report.landscape_id or "")
    assert load(built, "news").landscape.topics[0].label == "Rockets"


def test_copies_are_looked_for_among_all_documents(built: Database) -> None:
    long = " ".join(f"word{number}" for number in range(60))
    first = replace(DOCUMENTS[0], text=long)
    apply_update(built, "news", file_of([first]))
    assert load_copies(built, "news") == {}
    again = replace(LATER[0], text=long, date=first.date, date_text=first.date_text)
    apply_update(built, "news", file_of([again]))
    assert load_copies(built, "news") == {"d00": "d00", "d12": "d00"}
    assert load(built, "news").copies["d12"] == ("d00", "d12")


def test_a_collection_without_vectors_and_landscape_is_updated_too(database: Database, child: FakeChild) -> None:
    save_documents(database, DOCUMENTS)
    report = apply_update(database, "news", file_of(LATER))
    assert (report.n_new, report.n_embedded, report.n_placed, report.landscape_id) == (3, 0, 0, None)
    assert load_documents(database, "news") == (*DOCUMENTS, *LATER)
    assert load_vectors(database, "news") is None
    assert child.stages == []


def test_vectors_are_given_to_a_collection_that_has_none(database: Database) -> None:
    save_documents(database, DOCUMENTS)
    brought = file_of(DOCUMENTS, np.eye(12, dtype=np.float32))
    assert not compare(database, "news", brought).is_empty
    report = apply_update(database, "news", brought)
    assert (report.n_changed, report.n_unchanged) == (0, 12)
    assert report.notices == ("The collection had no vectors; its documents now have those of the file.",)
    vectors = load_vectors(database, "news")
    assert vectors is not None
    assert vectors.model == OWN_VECTORS
    np.testing.assert_array_equal(vectors.values, np.eye(12, dtype=np.float32))
    assert compare(database, "news", brought).is_empty


def test_what_the_file_has_no_column_for_stays_as_it_is_stored(built: Database) -> None:
    renamed = Document("d03", "Another headline", DOCUMENTS[3].text)
    report = LoadReport(1, 1, 0, 0, 0, columns={"document_id": "id", "title": "title", "text": "text"})
    loaded = Loaded((renamed,), None, report, columns=frozenset(("id", "title", "text")))
    (change,) = compare(built, "news", loaded).changed
    assert apply_update(built, "news", loaded).n_changed == 1
    after = load_documents(built, "news")
    assert after[3] == change.after == replace(DOCUMENTS[3], title="Another headline")
    assert after[:3] + after[4:] == DOCUMENTS[:3] + DOCUMENTS[4:]


def test_only_new_texts_are_asked_of_an_endpoint(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-a-person")

    def embedding_only(stage: str, arrays: object, options: object, progress: object) -> object:
        return (_work if stage == "embed" else fake_stage)(stage, arrays, options, progress)  # type: ignore[arg-type]

    monkeypatch.setattr(build_stages, "run_stage", FakeChild(embedding_only))  # type: ignore[arg-type]
    with contextlib.closing(FakeEndpoint()) as endpoint:
        model = Model("a-model", endpoint.url)
        save_documents(database, DOCUMENTS)
        build(database, "news", model=model)
        assert sum(len(body["input"]) for body in endpoint.bodies) == 12
        endpoint.bodies.clear()
        changed = replace(DOCUMENTS[1], title="Another title")
        apply_update(database, "news", file_of([*DOCUMENTS[2:], changed, LATER[0]]), model=model)
        assert [text for body in endpoint.bodies for text in body["input"]] == [
            f"Another title\n{DOCUMENTS[1].text}",
            f"{LATER[0].title}\n{LATER[0].text}",
        ]
        endpoint.bodies.clear()
        build(database, "news", model=model)
        assert endpoint.bodies == []


def test_vectors_of_another_model_do_not_come_beside_those_there_are(built: Database) -> None:
    before = everything(built)
    with pytest.raises(InvalidInput, match=r"vectors are from wordllama .* and those of another-model cannot stand"):
        apply_update(built, "news", file_of(LATER), model=Model("another-model", "http://localhost:9/v1"))
    with pytest.raises(InvalidInput, match="vectors are from wordllama, and the file brings its own"):
        compare(built, "news", file_of(LATER, np.eye(3, 8, dtype=np.float32)))
    assert everything(built) == before


@pytest.fixture
def own(database: Database, child: FakeChild) -> Database:
    """Twelve documents with their own vectors and a landscape."""
    save_documents(database, DOCUMENTS)
    save_vectors(database, "news", Vectors(np.eye(12, dtype=np.float32), OWN_VECTORS, "from file, 12 dimensions"))
    build(database, "news")
    child.stages.clear()
    return database


def test_own_vectors_are_needed_for_what_is_new_and_for_nothing_else(own: Database, child: FakeChild) -> None:
    with pytest.raises(
        InvalidInput, match=r"came with its own vectors, and 1 new or changed documents have none\. .* 12 dimensions"
    ):
        apply_update(own, "news", file_of(LATER[:1]))
    apply_update(own, "news", file_of([replace(DOCUMENTS[0], source="Another")]))
    vector = np.full((1, 12), 12**-0.5, dtype=np.float32)
    report = apply_update(own, "news", file_of(LATER[:1], vector))
    assert (report.n_embedded, report.n_placed) == (0, 1)
    after = load(own, "news")
    np.testing.assert_array_equal(after.vectors.values, np.concatenate([np.eye(12, dtype=np.float32), vector]))
    assert after.vectors.model == OWN_VECTORS
    assert "embed" not in child.stages


def test_another_vector_alone_is_a_change_too(own: Database) -> None:
    vectors = np.eye(12, dtype=np.float32)
    assert compare(own, "news", file_of(DOCUMENTS, vectors)).is_empty
    vectors[4] = vectors[5]
    (change,) = compare(own, "news", file_of(DOCUMENTS, vectors)).changed
    assert (change.after.document_id, change.fields) == ("d04", ("vector",))
    before = load(own, "news").landscape.landscape_id
    report = apply_update(own, "news", file_of(DOCUMENTS, vectors))
    after = load(own, "news")
    assert after.placed == {"d04"}
    assert report.landscape_id != before
    np.testing.assert_array_equal(after.vectors.values, vectors)


def test_own_vectors_of_another_length_are_refused(own: Database) -> None:
    with pytest.raises(InvalidInput, match="have 12 dimensions and those of the file 3"):
        apply_update(own, "news", file_of(LATER, np.eye(3, dtype=np.float32)))


def test_vectors_for_a_collection_that_has_none_must_be_there_for_all_of_it(
    database: Database, child: FakeChild
) -> None:
    save_documents(database, DOCUMENTS)
    vectors = np.eye(13, dtype=np.float32)
    with pytest.raises(InvalidInput, match="12 of 13 documents are not in the file, so they would have no vector"):
        apply_update(database, "news", file_of(LATER[:1], vectors[:1]))
    apply_update(database, "news", file_of([*DOCUMENTS, LATER[0]], vectors))
    stored = load_vectors(database, "news")
    assert stored is not None
    assert (stored.model, stored.version) == (OWN_VECTORS, "from file, 13 dimensions")
    np.testing.assert_array_equal(stored.values, vectors)


def test_a_file_without_a_column_of_ids_knows_its_documents_again(built: Database, child: FakeChild) -> None:
    row_ids = [replace(one, document_id=f"d{row:05}") for row, one in enumerate([LATER[0], *DOCUMENTS], 1)]
    found = compare(built, "news", file_of(row_ids, has_ids=False))
    assert [one.title for one in found.new] == [LATER[0].title]
    assert (found.changed, found.absent) == ((), ())
    apply_update(built, "news", file_of(row_ids, has_ids=False))
    assert embedded_texts(child) == [f"{LATER[0].title}\n{LATER[0].text}"]


def test_built_in_collections_and_empty_files_are_refused(built: Database) -> None:
    with pytest.raises(InvalidInput, match="“toy” is a built-in collection"):
        apply_update(built, "toy", file_of(LATER))
    with pytest.raises(InvalidInput, match="nothing to update from"):
        apply_update(built, "news", file_of([]))
    with pytest.raises(InvalidInput, match="no collection named 'nothing'"):
        compare(built, "nothing", file_of(LATER))


documents = st.builds(
    Document,
    document_id=st.sampled_from("abcdefgh"),
    title=st.sampled_from(["Flood", "Rain", "Sun"]),
    text=st.sampled_from(["", "It rains.", "The river rises again in the east and nobody knows how long it will."]),
    date=st.none() | st.dates(dt.date(2020, 1, 1), dt.date(2020, 1, 4)),
)
collections = st.lists(documents, min_size=1, unique_by=lambda one: one.document_id)


def in_order(several: Sequence[Document]) -> tuple[Document, ...]:
    return tuple(sorted(several, key=lambda one: (one.date is None, one.date or dt.date.min)))


@settings(max_examples=40, deadline=None)
@given(collections, collections, collections)
def test_updates_one_after_the_other_give_the_documents_of_all_the_last_word_counting(
    lasting_database: Database, first: list[Document], second: list[Document], third: list[Document]
) -> None:
    name = uuid.uuid4().hex
    save_documents(lasting_database, in_order(first), name)
    for file in (second, third):
        apply_update(lasting_database, name, file_of(in_order(file)))
    stored = load_documents(lasting_database, name)
    assert {one.document_id: one for one in stored} == {one.document_id: one for one in [*first, *second, *third]}
    assert stored == in_order(stored)
    assert compare(lasting_database, name, file_of(stored)).is_empty
    apply_update(lasting_database, name, file_of(in_order(first)), remove_absent=True)
    assert sorted(load_documents(lasting_database, name), key=repr) == sorted(first, key=repr)


@settings(max_examples=40, deadline=None)
@given(collections, collections)
def test_every_document_is_new_changed_unchanged_or_absent(
    lasting_database: Database, first: list[Document], second: list[Document]
) -> None:
    name = uuid.uuid4().hex
    save_documents(lasting_database, in_order(first), name)
    found = compare(lasting_database, name, file_of(in_order(second)))
    told = [
        *(one.document_id for one in (*found.new, *found.absent)),
        *(change.after.document_id for change in found.changed),
        *found.unchanged,
    ]
    assert sorted(told) == sorted({one.document_id for one in [*first, *second]})


@pytest.mark.parametrize("n", [2, 3, 10])
def test_a_tiny_collection_takes_a_document(database: Database, monkeypatch: pytest.MonkeyPatch, n: int) -> None:
    monkeypatch.setattr(build_stages, "run_stage", FakeChild(_work))
    save_documents(database, documents_on_two_themes(n))
    build(database, "news")
    before = load(database, "news").landscape
    apply_update(database, "news", file_of(documents_on_two_themes(n + 1)))
    after = load(database, "news")
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(after.landscape, name)[:n], getattr(before, name))
    assert len(after.documents) == n + 1
    assert np.isfinite(after.landscape.positions).all()


def test_documents_arrive_at_their_theme_with_the_real_libraries(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_stages, "run_stage", FakeChild(_work))
    documents = documents_on_two_themes(48)
    save_documents(database, documents[:40])
    build(database, "news")
    theme_of: dict[int, int] = {}
    before = load(database, "news").landscape
    for topic in range(len(before.topics)):
        rows = np.flatnonzero((before.nearest_topic == topic) & ~before.is_outlier)
        theme_of[topic] = int(np.bincount(rows % 2).argmax())
    apply_update(database, "news", file_of(documents))
    after = load(database, "news").landscape
    themes = [theme_of[topic] for topic in after.nearest_topic[40:].tolist()]
    assert themes == [row % 2 for row in range(40, 48)]
    distances = np.linalg.norm(after.positions[40:, np.newaxis] - after.positions[:40], axis=2)
    assert (distances.argmin(axis=1) % 2).tolist() == [row % 2 for row in range(40, 48)]
    assert [notice for notice in after.notices if "nearest neighbours" in notice] == []


def test_a_landscape_that_keeps_no_projection_takes_documents_by_their_neighbours(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_stages, "run_stage", FakeChild(_work))
    save_documents(database, documents_on_two_themes(20))
    build(database, "news")
    landscape = load_landscape(database, "news")
    assert landscape is not None
    save_landscape(database, "news", landscape)
    report = apply_update(database, "news", file_of(documents_on_two_themes(22)))
    assert any("keeps no projection" in notice for notice in report.notices)
    assert load_placement(database, "news").projections is None
    assert len(load(database, "news").documents) == 22


def test_an_update_leaves_as_many_documents_as_a_story_needs(built: Database) -> None:
    excluded = frozenset(document.document_id for document in DOCUMENTS[2:])
    save_curation(built, "news", Curation(excluded=excluded))
    before = everything(built)
    with pytest.raises(InvalidInput, match="would leave 1 of 11 documents"):
        apply_update(built, "news", file_of(DOCUMENTS[1:]), remove_absent=True)
    assert everything(built) == before
    apply_update(built, "news", file_of([*DOCUMENTS[1:], LATER[0]]), remove_absent=True)
    assert len(load(built, "news").documents) == 2


def test_decisions_about_removed_documents_do_no_harm_and_count_again_when_they_come_back(built: Database) -> None:
    gone = DOCUMENTS[3].document_id
    decided = Curation(excluded=frozenset({gone, DOCUMENTS[5].document_id}), dates={gone: "March 2021"})
    keep_curation(built, "news", decided)
    rest = [document for document in DOCUMENTS if document.document_id != gone]
    assert apply_update(built, "news", file_of(rest), remove_absent=True).n_removed == 1
    assert len(load(built, "news").documents) == 10
    keep_curation(built, "news", Curation())
    keep_curation(built, "news", decided)
    apply_update(built, "news", file_of(DOCUMENTS))
    assert gone not in load(built, "news").row_of
    keep_curation(built, "news", replace(decided, excluded=frozenset()))
    restored = load(built, "news")
    assert restored.documents[restored.row_of[gone]].iso_date == "2021-03"
