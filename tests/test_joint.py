"""Two collections as one."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from narrative_core import build_stages, pipeline
from narrative_core.errors import Cancelled, InvalidInput
from narrative_core.joint import joint_name, make_joint, origins
from narrative_core.records import Stage
from narrative_core.store.collections import has_collection, load_documents
from narrative_core.store.database import Database, open_database
from narrative_core.store.landscapes import load_landscape
from tests.conductor_samples import FakeChild, documents_on_two_themes, fake_stage, save_documents


@pytest.fixture
def child(monkeypatch: pytest.MonkeyPatch) -> FakeChild:
    fake = FakeChild(fake_stage)
    monkeypatch.setattr(build_stages, "run_stage", fake)
    return fake


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with contextlib.closing(open_database(tmp_path / "throughline.duckdb")) as opened:
        save_documents(opened, documents_on_two_themes(10, n_undated=2), "olds")
        save_documents(opened, documents_on_two_themes(8), "news")
        yield opened


def nothing(stage: Stage, done: int, total: int) -> None:
    """Take a report and do nothing."""


def test_the_joint_collection_has_every_document_of_both_under_a_name_of_its_own(
    database: Database, child: FakeChild
) -> None:
    name = make_joint(database, "olds", "news", progress=nothing)
    documents = load_documents(database, name)
    assert name == joint_name("news", "olds") == "news+olds"
    assert sorted(document.document_id for document in documents) == sorted(
        f"{origin}/{document.document_id}"
        for origin in ("news", "olds")
        for document in load_documents(database, origin)
    )
    assert all(
        document.document_id.startswith(f"{origin}/")
        for document, origin in zip(documents, origins(documents), strict=True)
    )


def test_its_documents_stand_by_date_and_the_undated_ones_last(database: Database, child: FakeChild) -> None:
    documents = load_documents(database, make_joint(database, "olds", "news", progress=nothing))
    dates = [document.date for document in documents]
    assert dates[-2:] == [None, None]
    dated = [date for date in dates[:-2] if date is not None]
    assert dated == sorted(dated) and len(dated) == 16


def test_it_can_be_loaded_and_searched_like_any_other(database: Database, child: FakeChild) -> None:
    loaded = pipeline.load(database, make_joint(database, "olds", "news", progress=nothing))
    assert len(loaded.documents) == 18
    assert set(origins(loaded.documents)) == {"news", "olds"}


def test_asking_for_it_again_computes_nothing(database: Database, child: FakeChild) -> None:
    name = make_joint(database, "olds", "news", progress=nothing)
    landscape, stages = load_landscape(database, name), list(child.stages)
    assert make_joint(database, "news", "olds", progress=nothing) == name
    again = load_landscape(database, name)
    assert child.stages == stages
    assert landscape is not None and again is not None and landscape.landscape_id == again.landscape_id


def test_a_joining_that_was_stopped_is_finished_the_next_time(database: Database, child: FakeChild) -> None:
    def stop(stage: Stage, done: int, total: int) -> None:
        if stage == "cluster":
            raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        make_joint(database, "olds", "news", progress=stop)
    assert has_collection(database, "news+olds") and load_landscape(database, "news+olds") is None
    make_joint(database, "olds", "news", progress=nothing)
    assert load_landscape(database, "news+olds") is not None
    assert child.stages.count("embed") == 1


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [("news", "news", "two different"), ("news", "nowhere", "nowhere"), ("news+olds", "news", "mixture itself")],
)
def test_what_cannot_be_joined_is_refused_and_nothing_is_stored(
    database: Database, child: FakeChild, first: str, second: str, told: str
) -> None:
    make_joint(database, "olds", "news", progress=nothing)
    with pytest.raises(InvalidInput, match=told):
        make_joint(database, first, second, progress=nothing)
    assert not has_collection(database, joint_name(first, second))
