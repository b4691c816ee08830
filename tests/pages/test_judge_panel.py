"""What the judges say, under the stories: asked, running, stopped, failed, full, replayed; and hostile words."""

import re
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray
from streamlit.testing.v1 import AppTest

from narrative_core.estimates import Agreement
from narrative_core.findings import seat_agreement
from narrative_core.judgements import Seat
from narrative_core.judging import local_model
from narrative_core.records import Collection, Job
from narrative_core.reports.judged_pairs import short_name
from narrative_core.store.database import Database
from narrative_core.store.jobs import list_jobs
from narrative_core.store.judgements import list_judgements
from narrative_core.ui import judges, resources
from tests.judging.judging_samples import good_reply
from tests.judging.scripted_server import Asked, ScriptedServer, Step, completion, error, scripted
from tests.pages.page_samples import save_built, town_documents
from tests.pages.screen import html_pieces, html_words, keys, open_app, steps, unescaped, words
from tests.pages.test_hostile_titles import IMAGE, MARKDOWN, assert_no_markup

N_DOCUMENTS = 13
KEY = "sk-of-this-test-only"
MODEL = "gpt-4.1"
END_S = 30


class FakeScorer:
    """Reads every text alike, but finds one that follows a headline about as many words easier."""

    model, version, path = "fake reader", "1", "in the test"

    def log_probabilities(self, context: str, continuation: str) -> NDArray[np.float64]:
        return np.full(len(continuation.split()), -4.0 + 0.1 * (sum(map(ord, context)) % 7))


@pytest.fixture
def town(database: Database) -> Database:
    """A collection with a trail over every second document from d0 to d12: those between speak of something else."""
    titles = [f"Day {row}: the river stands at mark {row}" for row in range(N_DOCUMENTS)]
    documents = town_documents([10 * row for row in range(N_DOCUMENTS)], titles)
    save_built(database, documents, angles=[5 * row + 70 * (row % 2) for row in range(N_DOCUMENTS)])
    return database


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    """An endpoint that gives every story 7 points and names its second link, until a test changes the script."""
    with scripted(lambda asked: completion(good_reply("simple"))) as started:
        monkeypatch.setenv("OPENAI_BASE_URL", started.url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("THROUGHLINE_JUDGE_MODEL", MODEL)
        yield started


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """A local model that needs no weights."""
    monkeypatch.setattr(judges, "scorer", FakeScorer)
    monkeypatch.setattr(judges, "reader_state", lambda: local_model.LocalModelState(True, "It is here.", ""))


@pytest.fixture
def no_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """No local model on this computer."""
    state = local_model.LocalModelState(False, "The local model is not installed.", "Install it: pip install model.")
    monkeypatch.setattr(judges, "reader_state", lambda: state)


def open_town() -> AppTest:
    return open_app(collection="town", from_="d0", to="d12")


def rows(screen: AppTest) -> dict[str, str]:
    """Return the line of every judge on the screen, what stands after its name by its name."""
    labels = [unescaped(found.label) for found in screen.expander if "**" in found.label]
    plain = [re.sub(r":(blue|orange|gray)\[(.*?)\]", r"\2", label) for label in labels]
    return dict(label.removeprefix("**").split("** ", 1) for label in plain)


def choose(screen: AppTest, *modes: str, n_agents: int = 3, flow: bool = False) -> AppTest:
    """Open the form and choose judges, without asking them."""
    screen.button(key="ask-judges").click().run()
    if not screen.checkbox(key="ask-for-flow").disabled:
        screen.checkbox(key="ask-for-flow").set_value(flow)
    if modes:
        screen.button_group(key="ask-modes").set_value(list(modes)).run()
        screen.slider(key="ask-agents").set_value(n_agents)
    return screen.run()


def ask(screen: AppTest, *modes: str, n_agents: int = 3, flow: bool = False) -> AppTest:
    """Choose judges in the form and press the button."""
    return choose(screen, *modes, n_agents=n_agents, flow=flow).button(key="ask-go").click().run()


def ended(database: Database) -> Job:
    """Return the newest job when it has ended."""
    (job, *_) = list_jobs(database)
    resources.runner().wait(job.job_id, END_S)
    (job, *_) = list_jobs(database)
    assert job.state != "running"
    return job


def until(is_so: object, what: str) -> None:
    deadline = time.monotonic() + END_S
    while not is_so():  # type: ignore[operator]
        assert time.monotonic() < deadline, what
        time.sleep(0.02)


@pytest.mark.usefixtures("town", "no_reader")
def test_the_lexical_reader_has_read_both_stories_before_anybody_is_asked() -> None:
    screen = open_town()
    assert [found.value for found in (*screen.error, *screen.exception)] == []
    assert "What the judges say" in [heading.value for heading in screen.subheader]
    ((name, line),) = rows(screen).items()
    assert name == "Lexical reader"
    assert "● trail" in line
    assert "○ random" in line
    assert "the floor that a language model has to beat" in line
    assert "Lexical reader gives the trail" in words(screen)
    assert "Logical flow" in words(screen)
    assert "Weakest step:" in words(screen)
    assert "stop-judging" not in keys(screen)


@pytest.mark.usefixtures("town", "no_reader")
def test_a_judge_that_is_missing_is_shown_with_the_reason_and_the_remedy() -> None:
    screen = open_town()
    assert "The local model is not installed. Install it: pip install model." in words(screen)
    assert "ask-flow" not in keys(screen)
    choose(screen)
    assert screen.checkbox(key="ask-for-flow").disabled
    assert screen.button_group(key="ask-modes").disabled
    assert "needs a key" in words(screen)
    assert screen.button(key="ask-go").disabled
    assert [link.proto.page for link in screen.get("page_link")].count("judges") == 3


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:9/v1", "http://127.0.0.1:99999/v1"], ids=["no model", "no address"]
)
@pytest.mark.usefixtures("town", "server")
def test_a_reader_that_is_set_wrong_takes_no_other_judge_away(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THROUGHLINE_READER_URL", address)
    screen = choose(open_town(), "simple")
    assert [found.value for found in (*screen.error, *screen.exception)] == []
    assert set(rows(screen)) == {"Lexical reader"}
    assert "An endpoint is set to read with, but not in full. THROUGHLINE_READER_URL" in words(screen)
    assert screen.checkbox(key="ask-for-flow").disabled
    assert "6 answers to get." in words(screen)


@pytest.mark.usefixtures("town")
def test_a_reader_at_another_host_is_not_called_local_or_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THROUGHLINE_READER_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("THROUGHLINE_READER_MODEL", "gemma")
    screen = open_town()
    (offer,) = [piece for piece in html_pieces(screen) if "not asked yet: " in piece]
    assert "gemma at 127.0.0.1:9 reads" in offer
    assert "The text shown goes to that host." in offer
    assert "on this computer" not in offer
    assert "price unknown" in unescaped(screen.button(key="ask-flow").help)
    choose(screen, flow=True)
    assert words(screen).count("The text shown goes to that host.") == 2
    assert "on this computer" not in screen.checkbox(key="ask-for-flow").help
    assert "price unknown" in words(screen)


@pytest.mark.usefixtures("reader")
def test_reading_flow_that_came_with_the_collection_is_shown_without_the_model(
    town: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_town().button(key="ask-flow").click().run()
    assert ended(town).state == "done"
    with town.transaction() as cursor:
        cursor.execute("DELETE FROM panels")
    absent = local_model.LocalModelState(False, "The local model is not installed.", "Install it.")
    monkeypatch.setattr(judges, "reader_state", lambda: absent)
    screen = open_town()
    assert set(rows(screen)) == {"Lexical reader", "Reading flow"}
    assert "The local model is not installed." not in words(screen)


@pytest.mark.usefixtures("no_reader")
def test_nothing_is_read_for_a_judge_that_is_not_open(
    server: ScriptedServer, town: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    n_computed = 0

    def counted(database: Database, collection: Collection, seat: Seat) -> Agreement:
        nonlocal n_computed
        n_computed += 1
        return seat_agreement(database, collection, seat)

    def unwanted() -> None:
        raise AssertionError("every state of every judge was asked for")

    monkeypatch.setattr("narrative_core.findings.seat_agreement", counted)
    monkeypatch.setattr(judges, "provider_states", unwanted)
    screen = ask(open_town(), "simple", n_agents=2)
    ended(town)
    screen.run()
    n_first = n_computed
    choose(screen.run(), "simple")
    assert "Over 2 stories of this collection the 2 agents" in words(screen)
    assert n_computed == n_first
    server.script = lambda asked: completion(good_reply("simple", score=3))
    screen.slider(key="ask-agents").set_value(3).run().button(key="ask-go").click().run()
    ended(town)
    screen.run()
    assert n_computed > n_first


@pytest.mark.usefixtures("town", "no_reader")
def test_the_forecast_follows_the_choices(server: ScriptedServer) -> None:
    screen = choose(open_town(), "simple", n_agents=3)
    assert "6 answers to get." in words(screen)
    screen.slider(key="ask-agents").set_value(5).run()
    assert "10 answers to get." in words(screen)
    assert "time not known before the first answer, about $0.0" in words(screen)
    screen.button_group(key="ask-modes").set_value(["simple", "complex"]).run()
    assert "Together" in words(screen)
    assert "20 answers to get." in words(screen)
    assert server.asked == []


@pytest.mark.usefixtures("town", "no_reader")
def test_a_model_without_a_price_is_forecast_in_tokens_and_has_no_budget(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert server.asked == []
    priced = choose(open_town(), "simple")
    assert [box.key for box in priced.number_input].count("ask-budget") == 1
    monkeypatch.setenv("THROUGHLINE_JUDGE_MODEL", "a model of ours")
    screen = choose(open_town(), "simple")
    assert "price unknown" in words(screen)
    assert [box.key for box in screen.number_input].count("ask-budget") == 0


@pytest.mark.usefixtures("no_reader")
def test_every_criterion_has_its_bar_and_its_number(server: ScriptedServer, town: Database) -> None:
    server.script = lambda asked: completion(good_reply("standard", score=4))
    screen = ask(open_town(), "standard", n_agents=1)
    ended(town)
    screen.run()
    assert rows(screen)["gpt-4.1, standard, 1 agent"] == "● trail 4.0 ○ random 4.0"
    bars = [piece for piece in html_pieces(screen) if "tl-criterion" in piece and "Logical flow" in piece]
    assert len(bars) == 2 * 2
    assert [piece.count("width:33%") for piece in bars[2:]] == [4, 4]
    assert [html_words(piece).count("4.0") for piece in bars[2:]] == [4, 4]
    assert "All 1 agents" not in {found.label for found in screen.expander}
    assert "1 asked, 1 ok" in words(screen)


@pytest.mark.usefixtures("no_reader")
def test_scores_reasons_agreement_and_cost_of_a_judge_are_told(server: ScriptedServer, town: Database) -> None:
    scores = iter([5, 7, 9] * 2)
    server.script = lambda asked: completion(good_reply("simple", score=next(scores)))
    screen = ask(open_town(), "simple")
    ended(town)
    screen.run()
    assert len(server.asked) == 6
    said = words(screen)
    assert "gpt-4.1, simple, 3 agents gives the trail" in said
    assert "3 asked, all ok" in said
    assert said.count("Water first, then the bridge.") == 2 * (1 + 3)
    assert "It names the link from “Day " in said
    assert "as all 3 agents do" in said
    assert said.count("By the mathematics another is the weakest, the link from “Day ") == 2 * 2
    assert "Over 2 stories of this collection the 3 agents" in said
    assert "With so few stories this is rough." in said
    assert "ICC(2,1)" in said
    assert "600 tokens read, 120 written" in said
    assert "shown titles · prompt " in said
    assert {"All 3 agents"} <= {found.label for found in screen.expander}
    assert len(screen.get("plotly_chart")) == 4
    assert KEY not in said


@pytest.mark.usefixtures("no_reader")
def test_a_reload_shows_what_was_said_and_asks_nothing(server: ScriptedServer, town: Database) -> None:
    ask(open_town(), "simple")
    ended(town)
    n_asked = len(server.asked)
    again = open_town()
    assert rows(again)["gpt-4.1, simple, 3 agents"] == "● trail 7.0 ± 0.0 ○ random 7.0 ± 0.0"
    choose(again, "simple")
    assert "All 6 answers are known already: nothing is asked, and it is free." in words(again)
    again.button(key="ask-go").click().run()
    assert ended(town).state == "done"
    assert len(server.asked) == n_asked


@pytest.mark.usefixtures("no_reader")
def test_while_judges_answer_there_is_progress_and_a_way_to_stop(server: ScriptedServer, town: Database) -> None:
    n_answered, stopped = iter(range(100)), Step(act="hang")
    server.script = lambda asked: completion(good_reply("simple")) if next(n_answered) < 2 else stopped
    screen = ask(open_town(), "simple")
    until(lambda: list_jobs(town)[0].done == 2, "two answers")
    screen.run()
    assert {"stop-judging"} <= keys(screen)
    assert "ask-judges" not in keys(screen)
    assert [piece.proto.text for piece in screen.get("progress")] == ["2 of 6 answers"]
    assert sum(map(int, re.findall(r"(\d) asked, ", words(screen)))) == 2

    screen.button(key="stop-judging").click().run()
    assert ended(town).state == "cancelled"
    screen.run()
    assert "The questions were stopped. The answers that came are kept." in words(screen)
    assert len(list_judgements(town, "town")) == 2
    label = unescaped(screen.button(key="ask-missing").label)
    assert label == "4 answers were not asked for yet: ask now"

    server.script = lambda asked: completion(good_reply("simple"))
    n_before = len(server.asked)
    screen.button(key="ask-missing").click().run()
    assert ended(town).state == "done"
    assert len(server.asked) - n_before == 4


@pytest.mark.usefixtures("no_reader")
def test_a_second_click_while_it_runs_starts_nothing(server: ScriptedServer, town: Database) -> None:
    go_on = threading.Event()

    def answer_later(asked: Asked) -> Step:
        go_on.wait(END_S)
        return completion(good_reply("simple"))

    server.script = answer_later
    first, second = choose(open_town(), "simple"), choose(open_town(), "simple")
    first.button(key="ask-go").click().run()
    second.button(key="ask-go").click().run()
    assert len(list_jobs(town)) == 1
    assert [unescaped(found.value) for found in first.toast] == []
    assert [unescaped(found.value) for found in second.toast] == [
        "Judges are being asked about these two stories already. Ask again when they have answered."
    ]
    go_on.set()
    assert ended(town).state == "done"
    assert len(server.asked) == 6


@pytest.mark.usefixtures("town", "no_reader")
def test_a_round_that_another_tab_began_at_the_same_moment_is_told(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("narrative_core.jobs.JobRunner.start", lambda *_: None)
    screen = ask(open_town(), "simple")
    (told,) = [unescaped(found.value) for found in screen.toast]
    assert told.startswith("Judges are being asked about these two stories already.")
    assert server.asked == []


@pytest.mark.usefixtures("no_reader")
def test_answers_that_did_not_come_are_asked_for_again_and_no_others(server: ScriptedServer, town: Database) -> None:
    n_asked = iter(range(100))

    def fail_twice(asked: Asked) -> Step:
        return error(400, "no such thing") if next(n_asked) in (2, 3) else completion(good_reply("simple"))

    server.script = fail_twice
    screen = ask(open_town(), "simple", n_agents=5)
    ended(town)
    screen.run()
    label = unescaped(screen.button(key="ask-missing").label)
    assert label == "2 answers did not come: ask again"
    assert sum(map(int, re.findall(r"asked, \d ok, (\d) failed", words(screen)))) == 2
    server.script = lambda asked: completion(good_reply("simple"))
    n_before = len(server.asked)
    screen.button(key="ask-missing").click().run()
    ended(town)
    screen.run()
    assert len(server.asked) - n_before == 2
    assert "ask-missing" not in keys(screen)


@pytest.mark.usefixtures("no_reader")
def test_a_judge_that_cannot_be_asked_is_told_in_a_sentence(server: ScriptedServer, town: Database) -> None:
    server.script = lambda asked: error(401, f"Incorrect API key provided: {KEY}")
    screen = ask(open_town(), "simple")
    assert ended(town).state == "failed"
    screen.run()
    (told,) = screen.error
    assert told.value
    assert KEY not in words(screen)
    assert KEY not in unescaped(told.value)
    assert set(rows(screen)) == {"Lexical reader"}
    assert "ask-missing" not in keys(screen)
    server.script = lambda asked: completion(good_reply("simple"))
    ask(screen, "simple")
    assert ended(town).state == "done"
    assert rows(screen.run())["gpt-4.1, simple, 3 agents"] == "● trail 7.0 ± 0.0 ○ random 7.0 ± 0.0"


@pytest.mark.usefixtures("no_reader")
def test_a_budget_that_is_spent_is_told(server: ScriptedServer, town: Database) -> None:
    assert server.asked == []
    screen = choose(open_town(), "simple")
    screen.number_input(key="ask-budget").set_value(0.01).run()
    screen.slider(key="ask-agents").set_value(9).run()
    screen.button(key="ask-go").click().run()
    assert ended(town).state == "failed"
    screen.run()
    (told,) = screen.error
    assert "not asked for" in told.value
    assert "budget" in told.value


@pytest.mark.usefixtures("no_reader")
def test_another_random_chronology_is_open_and_the_trail_stays(server: ScriptedServer, town: Database) -> None:
    screen = ask(open_town(), "simple")
    ended(town)
    screen.run()
    screen.button(key="draw-forth").click().run()
    line = rows(screen)["gpt-4.1, simple, 3 agents"]
    assert "● trail 7.0 ± 0.0" in line
    assert "○ random not asked yet" in line
    assert unescaped(screen.button(key="ask-missing").label) == "3 answers were not asked for yet: ask now"
    n_before = len(server.asked)
    screen.button(key="ask-missing").click().run()
    ended(town)
    assert len(server.asked) - n_before == 3


@pytest.mark.usefixtures("no_reader")
def test_recorded_answers_are_shown_again_without_a_key(
    server: ScriptedServer, town: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(open_town(), "simple")
    ended(town)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name)
    screen = open_town()
    assert "7.0 ± 0.0" in rows(screen)["gpt-4.1, simple, 3 agents"]
    assert f"These are recorded answers of {MODEL} at 127.0.0.1:{server.port}, shown as they came." in words(screen)
    screen.button(key="draw-forth").click().run()
    assert "not asked yet" in rows(screen)["gpt-4.1, simple, 3 agents"]
    assert "ask-missing" not in keys(screen)
    choose(screen)
    (box,) = screen.multiselect
    label = f"gpt-4.1, simple, 3 agents, at 127.0.0.1:{server.port}"
    assert box.options == [label]
    box.select(label).run()
    assert "3 of its 6 answers are stored, and free; the rest cannot be asked from here." in words(screen)
    assert screen.button(key="ask-go").label == "Show"
    screen.button(key="ask-go").click().run()
    assert ended(town).state == "done"
    screen.run()
    assert [found.value for found in screen.error] == []
    assert "7.0 ± 0.0" in rows(screen)["gpt-4.1, simple, 3 agents"]


@pytest.mark.usefixtures("reader")
def test_reading_flow_is_asked_with_one_click_and_gets_its_percentile(town: Database) -> None:
    screen = open_town()
    button = screen.button(key="ask-flow")
    assert re.match(r"\d+ answers to get\.", unescaped(button.help))
    # Of the 40 that are drawn from 13 documents three come twice.
    assert "39 answers to get." in unescaped(button.help)
    assert "it also reads 37 random chronologies of this collection, once" in unescaped(button.help)
    button.click().run()
    assert ended(town).state == "done"
    screen.run()
    line = rows(screen)["Reading flow"]
    assert line.startswith("● trail 76th percentile (0.07 nats) ○ random ")
    assert "nats per token" in words(screen)
    assert "76th percentile among 37 random chronologies of this collection" in words(screen)
    assert {"ask-flow", "ask-missing"}.isdisjoint(keys(screen))
    assert "Link by link" in {found.label for found in screen.expander}
    assert len(screen.get("plotly_chart")) == 3
    n_stored = len(list_judgements(town, "town"))
    screen.button(key="draw-forth").click().run()
    screen.button(key="ask-missing").click().run()
    assert ended(town).state == "done"
    assert len(list_judgements(town, "town")) == n_stored + 1


@pytest.mark.parametrize(
    ("days", "told"),
    [
        (
            [None] * N_DOCUMENTS,
            "no percentile: random chronologies are drawn between dated documents, and this collection has no two",
        ),
        (
            [0, 10, 20],
            "no percentile: this collection has too few documents for 20 different random chronologies; 3 can be drawn",
        ),
    ],
    ids=["undated", "small"],
)
@pytest.mark.usefixtures("reader")
def test_a_percentile_that_will_never_be_is_told_with_the_reason(
    days: list[int | None], told: str, database: Database
) -> None:
    save_built(database, town_documents(days))
    screen = open_app(collection="town", from_="d0", to="d2", order="any")
    remark = "random chronologies of this collection, once"
    assert (remark in unescaped(screen.button(key="ask-flow").help)) == (None not in days)
    assert "40 random chronologies" not in unescaped(screen.button(key="ask-flow").help)
    screen.button(key="ask-flow").click().run()
    assert ended(database).state == "done"
    screen.run()
    assert words(screen).count(told) == 2
    assert "ask-missing" not in keys(screen)


@pytest.mark.usefixtures("no_reader")
def test_explanations_and_model_names_are_shown_as_they_are_written(
    server: ScriptedServer, town: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = f"{MARKDOWN} <b>x</b>"
    monkeypatch.setenv("THROUGHLINE_JUDGE_MODEL", model)
    hostile = good_reply("simple").replace("Water first, then the bridge.", f"{IMAGE} {MARKDOWN}".replace('"', "'"))
    server.script = lambda asked: completion(hostile)
    screen = ask(open_town(), "simple")
    ended(town)
    screen.run()
    assert_no_markup(screen)
    assert IMAGE in words(screen)
    assert any(f"{short_name(model)}, simple, 3 agents" in unescaped(found.label) for found in screen.expander)
    choose(screen, "simple")
    assert_no_markup(screen)


@pytest.mark.usefixtures("no_reader")
def test_what_a_server_says_of_a_failure_is_shown_as_it_is_written(server: ScriptedServer, town: Database) -> None:
    server.script = lambda asked: error(400, f"{IMAGE} {MARKDOWN}")
    screen = ask(open_town(), "simple", n_agents=1)
    ended(town)
    screen.run()
    assert_no_markup(screen)
    said = [html_words(piece) for piece in html_pieces(screen) if "tl-said" in piece and "onerror" in piece]
    assert [f'(status 400): "{IMAGE}' in told for told in said] == [True, True]


@pytest.mark.usefixtures("no_reader")
def test_an_interrupted_round_goes_on_where_it_was(server: ScriptedServer, town: Database) -> None:
    n_answered = iter(range(100))
    server.script = lambda asked: completion(good_reply("simple")) if next(n_answered) < 4 else Step(act="hang")
    screen = ask(open_town(), "simple")
    until(lambda: len(list_judgements(town, "town")) == 4, "four answers")
    (job, *_) = list_jobs(town)
    resources.runner().cancel(job.job_id)
    ended(town)
    with town.transaction() as cursor:
        cursor.execute("UPDATE jobs SET state = 'interrupted'")
    screen.run()
    assert "interrupted when the program ended" in words(screen)
    server.script = lambda asked: completion(good_reply("simple"))
    n_before = len(server.asked)
    screen.button(key="ask-missing").click().run()
    assert ended(town).state == "done"
    assert len(server.asked) - n_before == 2


@pytest.mark.usefixtures("no_reader")
def test_a_story_of_two_documents_is_its_own_random_chronology_and_is_asked_about_once(
    server: ScriptedServer, town: Database
) -> None:
    server.script = lambda asked: completion(good_reply("simple", weakest_transition=1))
    screen = open_app(collection="town", from_="d0", to="d2")
    assert len(steps(screen)) == 2
    ask(screen, "simple", n_agents=2)
    ended(town)
    screen.run()
    assert [found.value for found in (*screen.error, *screen.exception)] == []
    assert rows(screen)["gpt-4.1, simple, 2 agents"] == "● trail 7.0 ± 0.0 ○ random 7.0 ± 0.0"
    assert "The story has only one link." in words(screen)
    assert "200 tokens read, 40 written" in words(screen)
    assert len(server.asked) == 2


@pytest.mark.usefixtures("no_reader")
def test_what_is_missing_of_a_story_of_two_documents_is_missing_once(server: ScriptedServer, town: Database) -> None:
    n_asked = iter(range(100))
    reply = completion(good_reply("simple", weakest_transition=1))
    server.script = lambda asked: reply if next(n_asked) < 1 else Step(act="hang")
    screen = ask(open_app(collection="town", from_="d0", to="d2"), "simple")
    until(lambda: len(list_judgements(town, "town")) == 1, "an answer")
    (job, *_) = list_jobs(town)
    resources.runner().cancel(job.job_id)
    ended(town)
    screen.run()
    assert unescaped(screen.button(key="ask-missing").label) == "2 answers were not asked for yet: ask now"
