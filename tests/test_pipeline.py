import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from narrative_core import build_memory, build_stages, pipeline
from narrative_core.build_stages import OWN_VECTORS, Model, StageProgress
from narrative_core.curating import ROUNDING
from narrative_core.errors import Cancelled, InvalidInput, NarrativeError, NoTrail, NoTrailReason
from narrative_core.extraction import LoadedCollection, tell
from narrative_core.pipeline import build, load
from narrative_core.records import STAGES, LandscapeParameters, Stage, TrailRequest, Vectors
from narrative_core.space.landscape_parameters import shrink_parameters
from narrative_core.space.versions import library_versions
from narrative_core.space.worker import WorkerStage, _work
from narrative_core.store.database import Database, open_database
from narrative_core.store.project_rows import load_placement
from narrative_core.store.vectors import load_vectors, save_vectors
from narrative_core.trails.coherence import coherence_matrix
from narrative_core.trails.graph import critical_coherence
from tests.conductor_samples import (
    CLUSTERED_NOTICE,
    DAYS_APART,
    FAKE_VERSION,
    READ_NOTICE,
    THEMES,
    FakeChild,
    documents_on_two_themes,
    fake_stage,
    save_documents,
    stage_names,
)

N_DOCUMENTS = 40
ALL_STEPS: set[WorkerStage] = {"embed", "project", "lay_out", "cluster"}
LANDSCAPE_STEPS = ALL_STEPS - {"embed"}
OTHER_MODEL = Model("another-model", "http://localhost:9/v1")


@dataclass(frozen=True)
class Built:
    """A collection built with the real libraries, the child that computed it and what its progress said."""

    path: Path
    child: FakeChild
    reports: list[tuple[Stage, int, int]]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with contextlib.closing(open_database(tmp_path / "throughline.duckdb")) as opened:
        yield opened


@pytest.fixture
def child(monkeypatch: pytest.MonkeyPatch) -> FakeChild:
    fake = FakeChild(fake_stage)
    monkeypatch.setattr(build_stages, "run_stage", fake)
    return fake


@pytest.fixture
def thinking_child(monkeypatch: pytest.MonkeyPatch) -> FakeChild:
    """The real libraries, in this process: they start once for all tests."""
    real = FakeChild(_work)
    monkeypatch.setattr(build_stages, "run_stage", real)
    return real


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    path = tmp_path_factory.mktemp("pipeline") / "throughline.duckdb"
    real = FakeChild(_work)
    reports: list[tuple[Stage, int, int]] = []
    with contextlib.closing(open_database(path)) as database, pytest.MonkeyPatch.context() as patch:
        patch.setattr(build_stages, "run_stage", real)
        save_documents(database, documents_on_two_themes(N_DOCUMENTS))
        build(database, "news", progress=lambda stage, done, total: reports.append((stage, done, total)))
    return Built(path, real, reports)


@pytest.fixture(scope="module")
def loaded(built: Built) -> LoadedCollection:
    with contextlib.closing(open_database(built.path)) as database:
        return load(database, "news")


def stop_at(is_time: Callable[[Stage], bool]) -> StageProgress:
    def progress(stage: Stage, done: int, total: int) -> None:
        if is_time(stage):
            raise Cancelled("The work was stopped.")

    return progress


def assert_same(one: LoadedCollection, other: LoadedCollection) -> None:
    assert (one.vectors.model, one.vectors.version) == (other.vectors.model, other.vectors.version)
    np.testing.assert_array_equal(one.vectors.values, other.vectors.values)
    np.testing.assert_array_equal(one.graph.coherence, other.graph.coherence)
    for name in ("positions", "nearest_topic", "is_outlier", "memberships"):
        np.testing.assert_array_equal(getattr(one.landscape, name), getattr(other.landscape, name))
    for name in ("landscape_id", "topics", "parameters", "critical_coherence", "median_link", "created_at", "notices"):
        assert getattr(one.landscape, name) == getattr(other.landscape, name)


def test_a_loaded_collection_has_the_arrays_that_the_stages_made(built: Built, loaded: LoadedCollection) -> None:
    made = {name: array for result in built.child.results.values() for name, array in result.arrays.items()}
    np.testing.assert_array_equal(loaded.vectors.values, made["vectors"])
    for name in ("positions", "nearest_topic", "is_outlier", "memberships"):
        np.testing.assert_array_equal(getattr(loaded.landscape, name), made[name])
    assert loaded.vectors.version == built.child.results["embed"].facts["version"]
    assert loaded.documents == documents_on_two_themes(N_DOCUMENTS)
    assert loaded.row_of == {f"d{row:02}": row for row in range(N_DOCUMENTS)}


def test_a_build_keeps_what_later_documents_are_placed_by(built: Built, loaded: LoadedCollection) -> None:
    with contextlib.closing(open_database(built.path)) as database:
        placement = load_placement(database, "news")
    assert placement.projections is not None
    np.testing.assert_array_equal(placement.projections, built.child.results["project"].arrays["projection"])
    assert not placement.is_placed.any()
    assert loaded.placed == frozenset()


def test_more_than_memory_can_hold_is_refused_before_anything_is_computed(
    database: Database, child: FakeChild, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_documents(database, documents_on_two_themes(12))
    monkeypatch.setattr(build_memory, "available_memory", lambda: 1000)
    with pytest.raises(
        InvalidInput, match=r"12 documents; its landscape needs about 0\.9 GB of memory, and 0\.0 GB are free"
    ):
        build(database, "news")
    assert child.stages == []


def test_the_critical_coherence_and_the_graph_are_those_of_the_stored_arrays(loaded: LoadedCollection) -> None:
    theta = coherence_matrix(loaded.vectors.values, loaded.landscape.memberships)
    # A product of matrices rounds otherwise on another processor, and for arrays that lie otherwise in memory.
    np.testing.assert_allclose(loaded.graph.coherence, theta, rtol=0, atol=ROUNDING)
    assert loaded.landscape.critical_coherence == pytest.approx(critical_coherence(theta), rel=0, abs=ROUNDING)
    # A link exactly as strong as the critical coherence is kept all the same.
    assert 0.0 <= critical_coherence(theta) - loaded.graph.floor < 1e-9
    assert loaded.landscape.critical_coherence <= loaded.landscape.median_link <= 1.0
    assert loaded.graph.days is not None
    assert np.diff(loaded.graph.days).tolist() == [DAYS_APART] * (N_DOCUMENTS - 1)


def test_topics_keep_the_two_themes_apart_and_are_named_by_their_words(loaded: LoadedCollection) -> None:
    landscape = loaded.landscape
    assert len(landscape.topics) >= 2
    for topic in landscape.topics:
        core = np.flatnonzero((landscape.nearest_topic == topic.topic) & ~landscape.is_outlier)
        (theme,) = set((core % 2).tolist())
        assert set(topic.words[:2]) <= set(THEMES[theme])
    assert sum(topic.size for topic in landscape.topics) == N_DOCUMENTS


def test_terms_are_counted_without_stop_words(loaded: LoadedCollection) -> None:
    texts = [f"{document.title} {document.text}" for document in loaded.documents]
    assert loaded.term_counts["rocket"] == sum("rocket" in text for text in texts) > 0
    assert "the" in loaded.stop
    assert "the" not in loaded.term_counts


def test_settings_versions_and_what_had_to_be_adapted_are_kept(loaded: LoadedCollection) -> None:
    fitted, notices = shrink_parameters(LandscapeParameters(), N_DOCUMENTS)
    assert fitted != LandscapeParameters()
    assert loaded.landscape.parameters == fitted
    assert loaded.landscape.notices[: len(notices)] == notices
    assert loaded.landscape.versions == library_versions()


def test_progress_names_the_stages_in_order_and_never_falls_within_one(built: Built) -> None:
    assert tuple(dict.fromkeys(stage for stage, _, _ in built.reports)) == STAGES
    for name in STAGES:
        shares = [done / total for stage, done, total in built.reports if stage == name]
        assert shares == sorted(shares)
        assert shares[-1] == 1.0
    assert ("embed", N_DOCUMENTS, N_DOCUMENTS) in built.reports


def test_a_finished_build_leaves_no_stage_arrays(built: Built) -> None:
    with contextlib.closing(open_database(built.path)) as database:
        assert stage_names(database) == set()


def test_a_trail_can_be_told_on_a_built_collection(loaded: LoadedCollection) -> None:
    pair = tell(loaded, TrailRequest("d00", "d38"))
    assert pair.trail.documents[0].document_id == "d00"
    assert pair.trail.documents[-1].document_id == "d38"
    assert pair.trail.bottleneck >= loaded.landscape.critical_coherence


def test_a_second_build_reuses_the_vectors(database: Database, child: FakeChild) -> None:
    save_documents(database, documents_on_two_themes(12))
    build(database, "news")
    first = load(database, "news")
    build(database, "news")
    assert sorted(child.stages) == sorted([*ALL_STEPS, *LANDSCAPE_STEPS])
    second = load(database, "news")
    np.testing.assert_array_equal(second.vectors.values, first.vectors.values)
    assert second.landscape.landscape_id == first.landscape.landscape_id


def test_other_settings_give_another_landscape_on_the_same_vectors(database: Database, child: FakeChild) -> None:
    save_documents(database, documents_on_two_themes(12))
    build(database, "news")
    first = load(database, "news")
    build(database, "news", parameters=LandscapeParameters(divergence="base2"))
    second = load(database, "news")
    assert child.stages.count("embed") == 1
    assert second.landscape.landscape_id != first.landscape.landscape_id
    expected = coherence_matrix(first.vectors.values, first.landscape.memberships, divergence="base2")
    np.testing.assert_array_equal(second.graph.coherence, expected)


@pytest.mark.parametrize("model", [None, OTHER_MODEL])
def test_own_vectors_are_used_and_never_made_again(database: Database, child: FakeChild, model: Model | None) -> None:
    documents = documents_on_two_themes(12)
    save_documents(database, documents)
    own = np.eye(12, dtype=np.float32)
    save_vectors(database, "news", Vectors(own, OWN_VECTORS, "from file, 12 dimensions"))
    build(database, "news", model=model)
    assert sorted(child.stages) == sorted(LANDSCAPE_STEPS)
    vectors = load(database, "news").vectors
    np.testing.assert_array_equal(vectors.values, own)
    assert (vectors.model, vectors.version) == (OWN_VECTORS, "from file, 12 dimensions")


def test_another_model_makes_other_vectors(database: Database, child: FakeChild) -> None:
    save_documents(database, documents_on_two_themes(12))
    build(database, "news")
    build(database, "news", model=OTHER_MODEL)
    assert child.stages.count("embed") == 2
    assert child.options[4]["model"] == "another-model"
    assert child.options[4]["base_url"] == "http://localhost:9/v1"
    assert load(database, "news").vectors.model == "another-model"


def test_the_key_is_handed_to_the_child_alone(database: Database, child: FakeChild) -> None:
    save_documents(database, documents_on_two_themes(12))
    build(database, "news", model=OTHER_MODEL, api_key="sk-of-a-person")
    assert child.environments == [{"OPENAI_API_KEY": "sk-of-a-person"}, None, None, None]
    assert "sk-of-a-person" not in repr(child.options)
    database.close()
    assert b"sk-of-a-person" not in database.path.read_bytes()


@pytest.mark.parametrize(
    ("stopped", "finished"),
    [
        ("embed", set()),
        ("project", {"embed", "lay_out"}),
        ("lay_out", {"embed", "project"}),
        ("cluster", {"embed", "project", "lay_out"}),
        ("stage label", ALL_STEPS),
        ("stage coherence", ALL_STEPS),
    ],
)
def test_what_a_cancelled_build_has_finished_is_not_run_again(
    database: Database, child: FakeChild, stopped: str, finished: set[WorkerStage]
) -> None:
    documents = documents_on_two_themes(12)
    save_documents(database, documents)
    save_documents(database, documents, "undisturbed")
    with pytest.raises(Cancelled):
        build(database, "news", progress=stop_at(lambda stage: stopped in (child.running, f"stage {stage}")))
    assert {step for step in ALL_STEPS if f"{step}/notices" in stage_names(database)} == finished - {"embed"}
    assert ("0/words" in stage_names(database)) == ("embed" in finished)
    with pytest.raises(InvalidInput, match=r"^The collection News has no landscape yet\. Build it first\.$"):
        load(database, "news")

    child.stages.clear()
    build(database, "news")
    assert sorted(child.stages) == sorted(ALL_STEPS - finished)
    assert stage_names(database) == set()
    resumed = load(database, "news")
    build(database, "undisturbed")
    expected = load(database, "undisturbed")
    created_at = resumed.landscape.created_at
    assert_same(resumed, replace(expected, landscape=replace(expected.landscape, created_at=created_at)))
    assert resumed.landscape.notices[-2:] == (READ_NOTICE, CLUSTERED_NOTICE)


@pytest.mark.parametrize("stage", STAGES)
def test_a_build_can_be_cancelled_at_every_stage_and_keeps_the_former_landscape(
    database: Database, child: FakeChild, stage: Stage
) -> None:
    save_documents(database, documents_on_two_themes(12))
    build(database, "news")
    before = load(database, "news")
    with pytest.raises(Cancelled):
        build(database, "news", model=OTHER_MODEL, progress=stop_at(lambda now: now == stage))
    assert_same(load(database, "news"), before)


@pytest.mark.parametrize("step", sorted(ALL_STEPS))
def test_a_failing_rebuild_keeps_the_former_landscape_and_its_vectors(
    database: Database, child: FakeChild, step: WorkerStage
) -> None:
    save_documents(database, documents_on_two_themes(12))
    build(database, "news")
    before = load(database, "news")
    child.breaking = step
    with pytest.raises(NarrativeError, match=f"The step {step} failed on purpose"):
        build(database, "news", model=OTHER_MODEL, parameters=LandscapeParameters(seed=7))
    after = load(database, "news")
    assert after.vectors.model == "wordllama"
    assert_same(after, before)
    assert tell(after, TrailRequest("d00", "d10")) == tell(before, TrailRequest("d00", "d10"))


def test_parts_that_were_embedded_are_not_embedded_again_and_the_version_survives(
    database: Database, child: FakeChild, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_stages, "TEXTS_PER_PART", 5)
    documents = documents_on_two_themes(12)
    save_documents(database, documents)
    with pytest.raises(Cancelled):
        build(database, "news", progress=stop_at(lambda _: child.running == "embed" and len(child.stages) == 3))
    assert [len(asked["texts"]) for asked in child.options] == [5, 5, 2]
    assert load_vectors(database, "news") is None

    child.options.clear()
    reports: list[tuple[Stage, int, int]] = []
    build(database, "news", progress=lambda *report: reports.append(report))
    assert [asked["texts"] for asked in child.options if "texts" in asked] == [
        [f"{document.title}\n{document.text}" for document in documents[10:]]
    ]
    assert [done for stage, done, _ in reports if stage == "embed"] == [5, 10, 10, 12, 12]
    assert {total for stage, _, total in reports if stage == "embed"} == {12}
    loaded = load(database, "news")
    assert loaded.vectors.version == FAKE_VERSION
    assert loaded.landscape.notices.count(READ_NOTICE) == 3

    monkeypatch.undo()
    monkeypatch.setattr(build_stages, "run_stage", child)
    save_documents(database, documents, "at-once")
    build(database, "at-once")
    np.testing.assert_array_equal(loaded.vectors.values, load(database, "at-once").vectors.values)


def test_a_build_does_not_take_away_what_another_collection_of_the_same_texts_has_finished(
    database: Database, child: FakeChild
) -> None:
    for name in ("news", "copy"):
        save_documents(database, documents_on_two_themes(12), name)
    with pytest.raises(Cancelled):
        build(database, "news", progress=stop_at(lambda _: child.running == "cluster"))
    build(database, "copy")
    child.stages.clear()
    build(database, "news")
    assert child.stages == ["cluster"]


def test_too_large_a_collection_is_refused_with_numbers(
    database: Database, child: FakeChild, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "LARGEST_DENSE", 11)
    save_documents(database, documents_on_two_themes(12))
    with pytest.raises(InvalidInput, match=r"has 12 documents; .* need 0 GB of memory\. Import at most 11\.$"):
        build(database, "news")
    assert child.stages == []
    monkeypatch.setattr(pipeline, "LARGEST_DENSE", 12)
    build(database, "news")
    assert sorted(child.stages) == sorted(ALL_STEPS)


def test_an_empty_or_unknown_collection_is_refused(database: Database, child: FakeChild) -> None:
    save_documents(database, ())
    with pytest.raises(InvalidInput, match="The collection news has no documents"):
        build(database, "news")
    for attempt in (build, load):
        with pytest.raises(InvalidInput, match=r"no collection named 'olds'\. The collections are: news\."):
            attempt(database, "olds")
    assert child.stages == []


@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_handful_of_documents_builds_and_says_that_it_is_few(
    database: Database, thinking_child: FakeChild, n: int
) -> None:
    save_documents(database, documents_on_two_themes(n))
    build(database, "news")
    loaded = load(database, "news")
    told = "1 document" if n == 1 else f"{n} documents"
    assert f"With {told} the map is a plain linear projection and topics are tentative." in loaded.landscape.notices
    assert any("too few to find topics in" in notice for notice in loaded.landscape.notices)
    assert loaded.landscape.topics == ()
    assert loaded.landscape.positions.shape == (n, 2)
    assert np.isnan(loaded.landscape.median_link) == (n == 1)
    assert stage_names(database) == set()
    if n > 1:
        assert [document.document_id for document in tell(loaded, TrailRequest("d00", "d01")).trail.documents][
            -1
        ] == "d01"


def test_a_single_document_builds_in_a_real_child_process(database: Database) -> None:
    save_documents(database, documents_on_two_themes(1))
    build(database, "news")
    loaded = load(database, "news")
    assert loaded.landscape.critical_coherence == 0.0
    assert loaded.vectors.model == "wordllama"


def test_ten_documents_build_and_say_what_was_adapted(database: Database, thinking_child: FakeChild) -> None:
    save_documents(database, documents_on_two_themes(10))
    build(database, "news")
    landscape = load(database, "news").landscape
    assert landscape.notices[0] == (
        "With 10 documents the landscape uses 2 dimensions instead of 48, 2 neighbours instead of 32, "
        "3 documents in the smallest topic instead of 8."
    )
    assert np.isfinite(landscape.positions).all()
    assert 0.0 < landscape.critical_coherence <= landscape.median_link <= 1.0


def test_undated_documents_are_on_the_map_but_on_no_chronological_trail(database: Database, child: FakeChild) -> None:
    save_documents(database, documents_on_two_themes(12, n_undated=4))
    build(database, "news")
    loaded = load(database, "news")
    assert loaded.graph.days is not None
    assert np.isnan(loaded.graph.days).tolist() == [False] * 8 + [True] * 4
    assert loaded.landscape.positions.shape == (12, 2)
    with pytest.raises(NoTrail) as refusal:
        tell(loaded, TrailRequest("d00", "d11"))
    assert refusal.value.reason is NoTrailReason.UNDATED
    trail = tell(loaded, TrailRequest("d00", "d07")).trail
    assert all(document.date is not None for document in trail.documents)


def test_a_collection_without_any_date_builds_and_has_no_median_link(database: Database, child: FakeChild) -> None:
    save_documents(database, documents_on_two_themes(12, n_undated=12))
    build(database, "news")
    loaded = load(database, "news")
    assert np.isnan(loaded.landscape.median_link)
    pair = tell(loaded, TrailRequest("d00", "d11", is_chronological=False))
    assert all(link.days_between is None for link in pair.trail.links)
