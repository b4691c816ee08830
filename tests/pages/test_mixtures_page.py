"""Out of distribution: choosing the other collection, making the joint map, the form, and what came of a run."""

import threading

import pytest
from streamlit.testing.v1 import AppTest

from narrative_core import joint
from narrative_core.build_stages import StageProgress
from narrative_core.errors import InvalidInput
from narrative_core.jobs import Report
from narrative_core.records import Collection, LoadReport
from narrative_core.runs import RunSettings
from narrative_core.store.collections import save_collection
from narrative_core.store.database import Database
from narrative_core.store.jobs import list_jobs
from narrative_core.store.runs import list_runs
from narrative_core.ui import resources, run_work
from narrative_core.ui.mixture_view import mixed_of
from tests.pages.bench_samples import MODEL, assert_shown_as_text, save_joint_town, save_run_of
from tests.pages.run_page_samples import save_town
from tests.pages.screen import keys, open_app, unescaped, words
from tests.pages.test_hostile_titles import IMAGE

MIXTURES, RESULTS = "pages/research/out_of_distribution.py", "pages/research/results.py"
SORRY = "did not expect"


@pytest.fixture
def town(database: Database) -> Database:
    save_town(database)
    return database


def open_mixtures(collection: str = "town") -> AppTest:
    return open_app(collection=collection).switch_page(MIXTURES).run()


def open_run(run_id: str) -> AppTest:
    return open_app(collection="town", run=run_id).switch_page(RESULTS).run()


def mixtures(**changes: object) -> RunSettings:
    return RunSettings("other+town", 4, (MODEL,), design="mixtures", **changes)  # type: ignore[arg-type]


def ended(database: Database) -> str:
    (job, *_) = list_jobs(database)
    resources.runner().wait(job.job_id, 30)
    return list_jobs(database)[0].state


def headings(screen: AppTest) -> list[str]:
    return [unescaped(str(found.value)) for found in screen.subheader]


def test_another_collection_is_offered_and_the_way_to_the_joint_map(town: Database) -> None:
    screen = open_mixtures()
    options = screen.selectbox(key="mixed-with-town").options
    assert any("Spaceflight" in option for option in options)
    assert not any("The town" in option for option in options)
    assert "The two have no joint map yet" in words(screen)
    assert "start-joining" in keys(screen)
    assert "plan-mixtures" not in keys(screen)
    assert len(list_jobs(town)) == 0


def test_a_mixture_is_not_offered_to_be_mixed_again(town: Database) -> None:
    save_joint_town(town)
    assert not any("Both towns" in option for option in open_mixtures().selectbox(key="mixed-with-town").options)


def test_an_unknown_collection_is_said() -> None:
    assert "This collection is not here" in words(open_mixtures("nowhere"))


def test_making_the_joint_map_is_work_in_the_background(town: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[str, str]] = []

    def make_joint(database: Database, first: str, second: str, *, progress: StageProgress) -> str:
        progress("embed", 1, 2)
        made.append((first, second))
        return save_joint_town(database)

    monkeypatch.setattr(joint, "make_joint", make_joint)
    save_collection(town, Collection("other", "The other town", "reports"), [], LoadReport(0, 0, 0, 0, 0))
    screen = open_mixtures()
    screen.selectbox(key="mixed-with-town").set_value("other").run()
    screen.button(key="start-joining").click().run()
    assert made == [("town", "other")] or ended(town) == "done"


def test_while_the_joint_map_is_made_its_progress_stands_there_and_can_be_stopped(town: Database) -> None:
    go_on = threading.Event()

    def work(report: Report) -> None:
        report("cluster", 1, 4)
        go_on.wait(30)

    job = resources.runner().start(run_work.JOIN, "other+town", work)
    assert job is not None
    try:
        save_collection(town, Collection("other", "The other town", "reports"), [], LoadReport(0, 0, 0, 0, 0))
        screen = open_mixtures()
        screen.selectbox(key="mixed-with-town").set_value("other").run()
        assert "stop-join-other+town" in keys(screen)
        assert "plan-mixtures" not in keys(screen)
    finally:
        go_on.set()
        resources.runner().wait(job.job_id, 30)


def test_a_joint_map_that_could_not_be_made_says_why_and_can_be_gone_on_with(town: Database) -> None:
    def work(report: Report) -> None:
        msg = "the model is not here. Install it."
        raise InvalidInput(msg)

    save_collection(town, Collection("other", "The other town", "reports"), [], LoadReport(0, 0, 0, 0, 0))
    job = resources.runner().start(run_work.JOIN, "other+town", work)
    assert job is not None
    resources.runner().wait(job.job_id, 30)
    screen = open_mixtures()
    screen.selectbox(key="mixed-with-town").set_value("other").run()
    assert "The model is not here" in words(screen)
    assert screen.button(key="start-joining").label == "Go on making it"


@pytest.mark.parametrize("collection", ["town", "other+town"])
def test_once_there_is_a_joint_map_a_run_can_be_started(town: Database, collection: str) -> None:
    save_joint_town(town)
    screen = open_mixtures(collection)
    if collection == "town":
        screen.selectbox(key="mixed-with-town").set_value("other").run()
    else:
        assert "This collection is made of two" in words(screen)
    screen.number_input(key="run-pairs-mixtures").set_value(3)
    if not screen.checkbox(key="ask-for-flow").disabled:
        screen.checkbox(key="ask-for-flow").set_value(False)
    screen.button(key="plan-mixtures").click().run()
    assert "9 stories" in words(screen)
    screen.button(key="start-mixtures").click().run()
    assert ended(town) == "done"
    (summary,) = list_runs(town)
    assert (summary.run.settings.design, summary.n_stories, summary.n_answered) == ("mixtures", 9, 9)


def test_a_full_run_has_its_tables_and_figures(town: Database) -> None:
    save_joint_town(town)
    screen = open_run(save_run_of(town, mixtures()))
    assert headings(screen)[:3] == [
        "Stories out of distribution",
        "Judges' scores and coherence out of distribution",
        "Contrasts between kinds of stories",
    ]
    assert len(screen.get("plotly_chart")) == 2
    assert SORRY not in words(screen)


def test_the_studys_figures_stand_beside_on_request(town: Database) -> None:
    save_joint_town(town)
    screen = open_run(save_run_of(town, mixtures()))
    before = words(screen)
    screen.toggle(key="mixture-study").set_value(True).run()
    assert "The study names one coherence" not in before
    assert "The study names one coherence" in words(screen)


def test_a_run_without_judges_has_coherence_alone(town: Database) -> None:
    save_joint_town(town)
    screen = open_run(save_run_of(town, RunSettings("other+town", 4, (), design="mixtures")))
    assert "No judge was asked in this run" in words(screen)
    assert len(screen.get("plotly_chart")) == 1


def test_a_run_without_answers_has_coherence_and_says_what_is_missing(town: Database) -> None:
    save_joint_town(town)
    screen = open_run(save_run_of(town, mixtures(), n_answers=0))
    assert "No judge has answered yet. Coherence is here already" in words(screen)
    assert "not there yet" in words(screen)
    assert SORRY not in words(screen)


def test_names_of_collections_are_shown_as_they_are(town: Database) -> None:
    save_collection(town, Collection("odd", IMAGE, "reports"), [], LoadReport(0, 0, 0, 0, 0))
    assert_shown_as_text(open_mixtures("odd"))


def test_a_joint_collection_is_known_by_its_name_and_those_it_is_made_of() -> None:
    names = ["a", "b", "a+b", "c+d"]
    assert mixed_of("a+b", names) == ("a", "b")
    assert mixed_of("c+d", names) is None
    assert mixed_of("a", names) is None
