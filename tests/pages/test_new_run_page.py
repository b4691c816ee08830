"""New run: the example, the form with its forecast, and the runs that there are, in every state."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from narrative_core.judgements import Seat
from narrative_core.judging import local_model
from narrative_core.records import Job
from narrative_core.runs import RunSettings
from narrative_core.store.database import Database
from narrative_core.store.jobs import list_jobs
from narrative_core.store.runs import list_runs
from narrative_core.ui import judges, resources
from tests.judging.scripted_server import ScriptedServer, error, scripted
from tests.judging_bench import answering
from tests.pages.bench_samples import assert_shown_as_text, save_run_of, town_settings
from tests.pages.page_samples import save_unbuilt, town_documents
from tests.pages.run_page_samples import save_town
from tests.pages.screen import keys, open_app, words
from tests.pages.test_hostile_titles import IMAGE

NEW_RUN = "pages/research/new_run.py"
SORRY = "did not expect"


@pytest.fixture
def town(database: Database) -> Database:
    save_town(database)
    return database


@pytest.fixture(autouse=True)
def no_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """No local model on this computer."""
    state = local_model.LocalModelState(False, "The local model is not installed.", "Install it: pip install model.")
    monkeypatch.setattr(judges, "reader_state", lambda: state)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    """An endpoint that answers every question in its form."""
    with scripted(answering()) as started:
        monkeypatch.setenv("OPENAI_BASE_URL", started.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-of-this-test-only")
        monkeypatch.setenv("THROUGHLINE_JUDGE_MODEL", "gpt-4.1")
        yield started


def open_new_run(collection: str = "town") -> AppTest:
    return open_app(collection=collection).switch_page(NEW_RUN).run()


def ended(database: Database) -> Job:
    (job, *_) = list_jobs(database)
    resources.runner().wait(job.job_id, 30)
    return list_jobs(database)[0]


def forecast(screen: AppTest) -> AppTest:
    return screen.button(key="plan-trails").click().run()


def test_the_page_offers_an_example_a_form_and_says_what_will_be_here(town: Database) -> None:
    screen = open_new_run()
    told = words(screen)
    assert "100 pairs of The town before the lexical reader, which needs no key. It takes some seconds" in told
    assert "Before anything is asked" in told
    assert "Here will be the runs" in told
    assert "start-trails" not in keys(screen)
    assert list_runs(town) == ()


def test_the_example_is_one_click_and_leads_to_its_results(town: Database) -> None:
    screen = open_new_run()
    screen.button(key="run-the-example").click().run()
    assert ended(town).state == "done"
    (summary,) = list_runs(town)
    assert [seat.judge for seat in summary.run.settings.seats] == ["lexical"]
    assert summary.n_answered == summary.n_questions > 0
    assert "Results" in [found.value for found in screen.title]
    assert screen.query_params["run"] == summary.run.run_id


def test_the_example_says_how_long_reading_flow_takes_as_it_was_measured_here(
    town: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judges, "reader_state", lambda: local_model.LocalModelState(True, "It is here.", ""))
    seat = Seat("flow", "fake reader", shown="leads", version="1")
    monkeypatch.setattr(judges, "flow_seat", lambda loaded, shown="leads": seat)
    assert "It takes some minutes on an ordinary laptop" in words(open_new_run())
    save_run_of(town, town_settings(town, seats=(seat,)))  # each of its answers took a second
    assert "It takes about 3 minutes at the pace measured here so far" in words(open_new_run())


def test_a_forecast_stands_before_anything_is_asked(town: Database) -> None:
    screen = open_new_run()
    screen.number_input(key="run-pairs-trails").set_value(4)
    told = words(forecast(screen))
    assert "stories of " in told
    assert "answers to get" in told
    assert list_runs(town) == ()
    assert list_jobs(town) == ()


def test_another_choice_takes_the_forecast_away_until_it_is_asked_for_again(town: Database) -> None:
    screen = forecast(open_new_run())
    assert "start-trails" in keys(screen)
    screen.number_input(key="run-pairs-trails").set_value(5).run()
    assert "start-trails" not in keys(screen)


def test_without_a_judge_one_cannot_go_on(town: Database) -> None:
    screen = open_new_run()
    screen.checkbox(key="run-lexical-trails").set_value(False).run()
    assert screen.button(key="plan-trails").disabled
    assert "Choose at least one judge." in words(screen)


@pytest.mark.parametrize(("percent", "told"), [(30, "110 percent: take 10 away"), (15, "95 percent: 5 are missing")])
def test_shares_that_do_not_add_up_are_told_and_one_cannot_go_on(town: Database, percent: int, told: str) -> None:
    screen = forecast(open_new_run())
    screen.number_input(key="share-within short").set_value(percent).run()
    assert screen.button(key="plan-trails").disabled
    assert f"The shares of the groups of pairs add up to {told}." in words(screen)
    assert "start-trails" not in keys(screen)


def test_shares_divergence_and_pairs_of_another_run_are_taken(town: Database) -> None:
    first = save_run_of(town, town_settings(town, n_pairs=3), name="First")
    screen = open_new_run()
    screen.number_input(key="share-within short").set_value(30)
    screen.number_input(key="share-within long").set_value(10)
    screen.selectbox(key="run-divergence").set_value("base2")
    screen.selectbox(key="run-endpoints-of").set_value(first)
    forecast(screen.run()).button(key="start-trails").click().run()
    ended(town)
    made = next(one.run for one in list_runs(town) if one.run.run_id != first)
    assert (made.settings.divergence, made.settings.endpoints_of) == ("base2", first)
    assert made.settings.shares["within short"] == pytest.approx(0.3)


def test_settings_that_contradict_themselves_are_told_in_a_sentence(town: Database) -> None:
    screen = open_new_run()
    short, long = (found for found in screen.number_input if "quantile" in found.label)
    short.set_value(0.9)
    long.set_value(0.2)
    screen.run()
    told = words(forecast(screen))
    assert SORRY not in told
    assert len(screen.error) == 1
    assert "start-trails" not in keys(screen)


def test_a_prompted_judge_answers_and_is_counted(town: Database, server: ScriptedServer) -> None:
    screen = open_new_run()
    screen.button_group(key="ask-modes").set_value(["simple", "standard"])
    screen.number_input(key="run-pairs-trails").set_value(2)
    screen.run()
    forecast(screen).button(key="start-trails").click().run()
    assert ended(town).state == "done"
    (summary,) = list_runs(town)
    assert [seat.mode for seat in summary.run.settings.seats] == ["simple", "standard", None]
    assert summary.n_answered == summary.n_questions
    assert f"all {summary.n_questions:,} answers" in words(open_new_run())


def test_an_endpoint_that_fails_is_told_on_the_card_and_the_rest_can_be_asked_for(
    town: Database, server: ScriptedServer
) -> None:
    server.script = lambda asked: error(401, "wrong key")
    screen = open_new_run()
    screen.button_group(key="ask-modes").set_value(["simple"])
    screen.number_input(key="run-pairs-trails").set_value(2)
    screen.run()
    forecast(screen).button(key="start-trails").click().run()
    assert ended(town).state == "failed"
    screen = open_new_run()
    (summary,) = list_runs(town)
    assert len(screen.error) == 1
    assert "not there yet" in words(screen)
    assert "judges" in [link.proto.page for link in screen.get("page_link")]
    server.script = answering()
    n_asked = len(server.asked)
    screen.button(key=f"go-on-{summary.run.run_id}").click().run()
    assert "answers to get" in words(screen)
    assert len(server.asked) == n_asked, "what it costs is said before anything is asked"
    screen.button(key="ask-rest").click().run()
    assert ended(town).state == "done"
    (summary,) = list_runs(town)
    assert summary.n_answered == summary.n_questions


def test_where_nobody_can_be_asked_for_the_rest_that_is_said(town: Database) -> None:
    elsewhere = Seat("openai", "gpt-nowhere", "elsewhere.example.org", "simple", 1)
    run_id = save_run_of(town, replace(town_settings(town), seats=(elsewhere,)), n_answers=0)
    screen = open_new_run()
    screen.button(key=f"go-on-{run_id}").click().run()
    assert "can be asked from here" in words(screen)
    assert list_jobs(town) == ()


def test_a_running_run_shows_how_far_it_is_and_can_be_stopped(town: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted(answering(wait_s=0.3)) as slow:
        monkeypatch.setenv("OPENAI_BASE_URL", slow.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-of-this-test-only")
        screen = open_new_run()
        screen.button_group(key="ask-modes").set_value(["simple", "standard"])
        screen.number_input(key="run-pairs-trails").set_value(20)
        screen.run()
        forecast(screen).button(key="start-trails").click().run()
        (summary,) = list_runs(town)
        run_id = summary.run.run_id
        screen = open_new_run()
        assert f"stop-run-{run_id}" in keys(screen)
        assert f"go-on-{run_id}" not in keys(screen)
        screen.button(key=f"stop-run-{run_id}").click().run()
        assert ended(town).state == "cancelled"
    told = words(open_new_run())
    assert "The run was stopped. The answers that came are kept." in told
    assert "not there yet" in told


def test_of_many_runs_the_newest_are_shown_until_all_are_asked_for(town: Database) -> None:
    for number in range(14):
        save_run_of(town, town_settings(town, n_pairs=1, seats=()), name=f"Run number {number}")
    screen = open_new_run()
    told = words(screen)
    assert "Run number 13" in told
    assert "Run number 1\n" not in told
    told = words(screen.toggle(key="all-runs-trails").set_value(True).run())
    assert "Run number 1\n" in told


def test_a_run_can_be_named_anew_and_deleted(town: Database) -> None:
    run_id = save_run_of(town, town_settings(town), name="Old name")
    screen = open_new_run()
    assert screen.button(key=f"delete-run-{run_id}").disabled
    screen.checkbox(key=f"sure-run-{run_id}").set_value(True).run()
    screen.button(key=f"delete-run-{run_id}").click().run()
    assert list_runs(town) == ()
    assert "“Old name” was deleted." in words(screen)


def test_a_run_on_a_former_map_cannot_go_on_and_says_why(town: Database) -> None:
    run_id = save_run_of(town, town_settings(town), n_answers=3)
    with town.transaction() as cursor:
        cursor.execute("UPDATE runs SET landscape_id = 'another' WHERE run_id = ?", [run_id])
    screen = open_new_run()
    screen.button(key=f"go-on-{run_id}").click().run()
    assert "has another map now" in words(screen)
    assert list_jobs(town) == ()


def test_a_collection_without_a_map_leads_to_building_it(database: Database) -> None:
    save_unbuilt(database, town_documents([0, 10]))
    screen = open_new_run()
    assert "has no map yet" in words(screen)
    assert "plan-trails" not in keys(screen)


def test_an_unknown_collection_is_said_and_the_runs_are_there_still(town: Database) -> None:
    save_run_of(town, town_settings(town), name="Still here")
    told = words(open_new_run("nowhere"))
    assert "There is no collection “nowhere” here" in told
    assert "Still here" in told


def test_names_of_runs_are_shown_as_they_are(town: Database) -> None:
    save_run_of(town, RunSettings("town", 2, (), shares={"within short": 1.0}), name=IMAGE)
    assert_shown_as_text(open_new_run())
