"""Collections: the cards, building, deleting."""

import threading
from collections.abc import Mapping
from typing import Any

import pytest
from numpy.typing import NDArray
from streamlit.testing.v1 import AppTest

from narrative_core.errors import EmbeddingUnavailable
from narrative_core.judgements import Judgement
from narrative_core.records import Progress
from narrative_core.space.worker import StageResult, WorkerStage
from narrative_core.store.database import Database
from narrative_core.store.judgements import list_judgements, save_judgements
from narrative_core.ui import resources
from tests.conductor_samples import FakeChild, fake_stage
from tests.judgement_samples import answered, flow_judgement, lexical_judgement, question
from tests.pages.import_samples import finished_build
from tests.pages.page_samples import save_built, save_unbuilt, town_documents
from tests.pages.screen import COLLECTIONS, EXPLORE, keys, open_app, open_page, steps, unescaped, words


def test_cards_show_counts_state_and_the_next_step() -> None:
    screen = open_page(COLLECTIONS)
    assert [card.value for card in screen.subheader] == [
        "Spaceflight",
        "The bridge at Alder Ford",
        unescaped(screen.subheader[2].value),
    ]
    summary = resources.summary("spaceflight")
    assert summary is not None
    assert f"{summary.n_documents:,} {summary.collection.noun} · 1957–2025" in words(screen)
    assert {"open-spaceflight", "open-toy", "build-presidents"} <= keys(screen)
    assert screen.button(key="build-presidents").label == "Build the map"
    assert not {key for key in keys(screen) if key.startswith("delete-")}


def test_a_card_opens_its_collection_on_the_explore_page() -> None:
    screen = open_page(COLLECTIONS)
    screen.button(key="open-toy").click().run()
    assert screen.query_params["collection"] == "toy"
    assert len(steps(screen)) >= 2


class SlowChild:
    """Computes like the fake, but holds at the clustering until it is let go or stopped."""

    def __init__(self) -> None:
        self.is_there, self.may_go_on = threading.Event(), threading.Event()

    def __call__(
        self, stage: WorkerStage, arrays: Mapping[str, NDArray[Any]], options: Mapping[str, Any], progress: Progress
    ) -> StageResult:
        if stage == "cluster":
            self.is_there.set()
            while not self.may_go_on.wait(0.02):
                progress(1, 4)
        return fake_stage(stage, arrays, options, progress)


@pytest.fixture
def slow(child: FakeChild) -> SlowChild:
    child.compute = SlowChild()
    return child.compute


def started_build(database: Database, slow: SlowChild) -> AppTest:
    save_unbuilt(database, town_documents(range(0, 120, 10)))
    screen = open_page(COLLECTIONS)
    screen.button(key="build-town").click().run()
    assert slow.is_there.wait(60)
    return screen.run()


def test_a_running_build_shows_its_step_and_leaves_the_other_pages_usable(database: Database, slow: SlowChild) -> None:
    screen = started_build(database, slow)
    try:
        (bar,) = screen.get("progress")
        assert bar.proto.text.startswith("Step 3 of 5: finding topics")
        assert "build-town" not in keys(screen)
        assert len(steps(screen.switch_page(EXPLORE).run())) >= 5
    finally:
        slow.may_go_on.set()
    assert finished_build("town").state == "done"
    screen.switch_page(COLLECTIONS).run()
    assert "open-town" in keys(screen)
    assert screen.get("progress") == []


def test_a_build_is_stopped_and_resumed(database: Database, slow: SlowChild) -> None:
    screen = started_build(database, slow)
    screen.button(key="stop-town").click().run()
    assert finished_build("town").state == "cancelled"
    screen.run()
    assert "The build was stopped. The steps that were finished are kept." in words(screen)
    assert screen.button(key="build-town").label == "Resume the build"
    slow.may_go_on.set()
    screen.button(key="build-town").click().run()
    assert finished_build("town").state == "done"
    assert "open-town" in keys(screen.run())


def test_a_failed_build_says_why_and_offers_to_resume(database: Database, child: FakeChild) -> None:
    def refuse(*_: object) -> StageResult:
        raise EmbeddingUnavailable("The endpoint *example* does not know the model.")

    child.compute = refuse
    save_unbuilt(database, town_documents(range(0, 120, 10)))
    screen = open_page(COLLECTIONS)
    screen.button(key="build-town").click().run()
    assert finished_build("town").state == "failed"
    screen.run()
    (error,) = screen.error
    assert unescaped(error.value) == "The endpoint *example* does not know the model."
    assert "*example*" not in error.value
    assert screen.button(key="build-town").label == "Resume the build"


def test_a_map_is_built_again(database: Database, child: FakeChild) -> None:
    save_built(database, town_documents(range(0, 120, 10)))
    screen = open_page(COLLECTIONS)
    screen.button(key="rebuild-town").click().run()
    assert finished_build("town").state == "done"
    summary = resources.summary("town")
    assert summary is not None
    assert summary.landscape_id not in ("by-hand", None)


def test_a_deleted_collection_is_gone_and_spaceflight_opens(database: Database) -> None:
    save_built(database, town_documents([0, 10, 20]))
    screen = open_app(collection="town").switch_page(COLLECTIONS).run()
    assert "**Delete** takes the documents, the map and the saved stories" in words(screen)
    assert screen.button(key="delete-town").disabled
    screen.checkbox(key="sure-town").check().run()
    assert not screen.button(key="delete-town").disabled
    screen.button(key="delete-town").click().run()
    assert "was deleted" in screen.toast[0].value
    assert resources.summary("town") is None
    assert "open-town" not in keys(screen)
    explored = screen.switch_page(EXPLORE).run()
    assert explored.query_params["collection"] == "spaceflight"
    assert len(steps(explored)) >= 5


def test_deleting_says_how_many_judgements_go_and_how_many_replies_were_paid_for(database: Database) -> None:
    save_built(database, town_documents([0, 10, 20]))
    save_judgements(database, "town", [flow_judgement(), lexical_judgement()])
    screen = open_app(collection="town").switch_page(COLLECTIONS).run()
    assert "takes the documents, the map, the saved stories and 2 judgements of this collection away" in words(screen)
    lost = Judgement(question(2), "timed out", message="No answer.")
    save_judgements(database, "town", [answered(0), answered(1), lost])
    assert (
        "and 5 judgements of this collection away for good, 2 replies of prompted judges among them: asking again "
        "may be paid again. The page Judges has them as a file."
    ) in words(screen.run())
    screen.checkbox(key="sure-town").check().run().button(key="delete-town").click().run()
    assert list_judgements(database, "town") == ()
