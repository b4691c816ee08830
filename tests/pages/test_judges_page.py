"""Judges: what is ready and what is missing, the test on two known stories, prompts, prices, notes, recordings."""

import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from streamlit.testing.v1 import AppTest

from narrative_core.desk import Desk, History
from narrative_core.errors import InvalidInput, JudgeUnavailable
from narrative_core.judgements import Capabilities, Judgement, JudgementCount, Price, Question, Seat
from narrative_core.judging import endpoint as endpoints
from narrative_core.judging.agents import agent_temperature
from narrative_core.judging.local_model import LocalModelState
from narrative_core.judging.prompts import prompt_hash
from narrative_core.judging.reader import reader_state
from narrative_core.recordings import write_recording
from narrative_core.records import TrailRequest
from narrative_core.store.capabilities import list_capabilities, save_capabilities
from narrative_core.store.database import Database
from narrative_core.store.judgements import judgement_counts, list_judgements, save_judgement, save_judgements
from narrative_core.store.prices import load_prices, save_price
from narrative_core.ui import judges, keys, resources, trial
from narrative_core.ui.judges import ModelChoice, bench, choose_model, chosen_model, endpoint, provider_states
from narrative_core.ui.price_table import INPUT, OWN_SOURCE
from narrative_core.ui.recorded import recording_bytes
from tests.judgement_samples import flow_judgement, lexical_judgement
from tests.judging.judging_samples import good_reply
from tests.judging.scripted_server import Asked, ScriptedServer, Step, completion, error, scripted
from tests.pages.page_samples import save_unbuilt, town_documents
from tests.pages.screen import (
    CABANA,
    EXPLORE,
    GAGARIN,
    JUDGES,
    SETTINGS,
    html_pieces,
    html_tags,
    open_app,
    open_page,
    unescaped,
    words,
)
from tests.pages.test_hostile_titles import ICONS, IMAGE, MARKUP, SHOWN_TAGS

KEY = "sk-proj-Very-Secret-0123456789"
MODEL = "scripted-model"
SCORER = judges.scorer
IN_ORDER = "Shuttle Challenger breaks apart"


class SharedWords:
    """A reader in the place of the local model: a text is likelier the more words it shares with the one before."""

    model, version, path = "shared-words", "1", "by hand"

    def log_probabilities(self, context: str, continuation: str) -> NDArray[np.float64]:
        shared = len(set(context.lower().split()) & set(continuation.lower().split()))
        return np.full(4, shared - 6.0)


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    """No model in the environment, a local model that needs no weights, an endpoint that is quick to give up."""
    monkeypatch.delenv(endpoints.MODEL_VARIABLE, raising=False)
    monkeypatch.setattr(judges, "reader_state", lambda: LocalModelState(True, "The local model is installed."))
    monkeypatch.setattr(judges, "scorer", SharedWords)
    monkeypatch.setitem(endpoints.Endpoint.__init__.__kwdefaults__ or {}, "max_retries", 0)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """An endpoint that gives 9 to the story in order and 2 to any other."""

    def script(asked: Asked) -> Step:
        return completion(good_reply("simple", score=9 if IN_ORDER in json.dumps(asked.body) else 2))

    with scripted(script) as running:
        yield running


def use(server: ScriptedServer, *, key: str = "", model: str = MODEL) -> AppTest:
    """Open the page and choose a model there, as a person does."""
    screen = open_page(JUDGES)
    screen.text_input(key="judge-model").set_value(model)
    screen.text_input(key="judge-address").set_value(server.url).run()
    if key:
        screen.text_input(key="judge-key").set_value(key).run()
    return screen.button(key="judge-use").click().run()


def asked_at(server: ScriptedServer, model: str = MODEL) -> AppTest:
    """Open the page with a model chosen."""
    choose_model(ModelChoice(model, server.url))
    return open_page(JUDGES)


def try_out(screen: AppTest, seat: Seat) -> AppTest:
    """Click the test of a judge and return the page when the judge has answered."""
    screen.button(key=f"try-{seat.judge}").click().run()
    job = trial.latest_trial(seat)
    assert job is not None
    resources.runner().wait(job.job_id, timeout_s=30)
    return screen.run()


def told(screen: AppTest) -> list[str]:
    found = [*screen.success, *screen.warning, *screen.error]
    return [unescaped(str(piece.value)).replace("*", "") for piece in found]


def nothing_broke(screen: AppTest) -> bool:
    return not screen.exception and "did not expect" not in words(screen)


def rendered(screen: AppTest) -> str:
    """Return everything that is sent to the browser."""
    return "\n".join(str(getattr(node, "proto", "")) for node in screen._tree)


def stored(database: Database) -> str:
    """Return every row of every table."""
    with database.reading() as cursor:
        tables = [row[0] for row in cursor.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
        return "\n".join(str(cursor.execute(f'SELECT * FROM "{name}"').fetchall()) for name in tables)


def prompted_counts(database: Database) -> list[JudgementCount]:
    """Return how prompted judges ended on the example, which comes with readings of reading flow."""
    return [count for count in judgement_counts(database, trial.COLLECTION) if count.judge == "openai"]


def asked_before(
    database: Database, collection: str = "toy", *, model: str = "old-model", agent: int = 0, n_agents: int = 1
) -> Judgement:
    """Store a judgement that a prompted judge gave earlier."""
    heat = agent_temperature(agent, n_agents)
    question = Question("openai", model, "example.org", "simple", agent, heat, 1, "s", "titles", f"h{agent}", "p")
    kept = Judgement(question, "ok", 7.0, reply=good_reply("simple"), n_documents=3, asked_at="2026-01-01T00:00:00")
    save_judgement(database, collection, kept)
    return kept


def test_without_a_key_the_offline_judges_are_ready_and_the_prompted_one_says_what_to_do() -> None:
    screen = open_page(JUDGES)
    assert nothing_broke(screen)
    assert {state.key: state.is_ready for state in provider_states()} == {
        "lexical": True,
        "flow": True,
        "openai": False,
        "recorded": False,
    }
    assert "Prompted judge (gpt-4.1 at api.openai.com)" in words(screen)
    assert "The model gpt-4.1 at OpenAI needs a key. Set OPENAI_API_KEY" in words(screen)
    assert "Type a key or another address here." in words(screen)
    assert screen.button(key="try-openai").disabled
    assert not screen.button(key="try-flow").disabled
    assert (endpoint(), bench().endpoint) == (None, None)


def test_a_missing_local_model_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = LocalModelState(False, "The local model is not installed: xllamacpp missing.", "Install it with: pip.")
    monkeypatch.setattr(judges, "reader_state", lambda: missing)
    screen = open_page(JUDGES)
    assert nothing_broke(screen)
    assert missing.what in words(screen)
    assert missing.remedy in words(screen)
    assert "Gemma terms of use" in words(screen)
    assert screen.button(key="try-flow").disabled
    assert bench().scorer is None


@pytest.mark.parametrize("model", ["", "gemma"], ids=["not in full", "ready"])
def test_a_reader_at_another_host_is_told_as_such(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THROUGHLINE_READER_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("THROUGHLINE_READER_MODEL", model)
    monkeypatch.setattr(judges, "reader_state", reader_state)
    monkeypatch.setattr(judges, "scorer", SCORER)
    screen = open_page(JUDGES)
    assert nothing_broke(screen)
    assert not screen.error
    assert not screen.button(key="try-lexical").disabled
    assert ("gemma at 127.0.0.1:9 reads" in words(screen)) == bool(model)
    assert ("THROUGHLINE_READER_MODEL" in words(screen)) == (not model)
    assert "Gemma terms of use" not in words(screen)
    assert "try-flow" not in {button.key for button in screen.button if button.disabled == bool(model)}


def test_the_lexical_reader_is_tested_at_once_and_its_reasons_are_shown(database: Database) -> None:
    screen = open_page(JUDGES)
    screen.button(key="try-lexical").click().run()
    assert nothing_broke(screen)
    (result,) = told(screen)
    assert result.startswith("It tells them apart: ")
    assert result.count(" for the ") == 2
    assert "Weakest step: “" in words(screen)
    assert "Logical flow " in words(screen)
    assert trial.latest_trial(judges.lexical_seat(trial.example())) is None


def test_reading_flow_is_tested_in_the_background() -> None:
    screen = try_out(open_page(JUDGES), judges.flow_seat(trial.example()))
    assert nothing_broke(screen)
    (result,) = told(screen)
    assert result.startswith("It tells them apart: ")
    assert "nats per token" in result
    job = trial.latest_trial(judges.flow_seat(trial.example()))
    assert job is not None
    assert (job.state, job.kind) == ("done", trial.KIND)


def test_a_prompted_judge_is_asked_about_both_stories_once_and_never_paid_again(
    server: ScriptedServer, database: Database
) -> None:
    screen = use(server)
    assert "set up, not tested" in rendered(screen)
    seat = judges.prompted_seat("simple")
    assert (seat.model, seat.endpoint) == (MODEL, f"127.0.0.1:{server.port}")
    try_out(screen, seat)
    assert told(screen) == ["It tells them apart: 9.0 of 10 for the story in order, 2.0 for the scrambled one."]
    assert "Water first, then the bridge." in words(screen)
    assert "100 tokens in, 20 out · price unknown · came as strict structured output" in words(screen)
    assert "names the link from 2 to 3 as weakest" in words(screen)
    assert "set up, not tested" not in rendered(screen)
    screen.button(key="try-openai").click().run()
    assert len(server.asked) == 2
    assert "nothing was asked or paid again" in words(screen)
    assert [count.n_ok for count in prompted_counts(database)] == [2]


def test_a_judge_that_prefers_the_scrambled_story_is_not_praised() -> None:
    def script(asked: Asked) -> Step:
        return completion(good_reply("simple", score=2 if IN_ORDER in json.dumps(asked.body) else 9))

    with scripted(script) as server:
        screen = try_out(asked_at(server), judges.prompted_seat("simple"))
    (warning,) = [unescaped(str(piece.value)).replace("*", "") for piece in screen.warning]
    assert warning.startswith(
        "It does not tell them apart: 2.0 of 10 for the story in order, 9.0 for the scrambled one."
    )
    assert not screen.success


@pytest.mark.parametrize(
    ("step", "words_told"),
    [
        (lambda _: error(401, "wrong key"), "key"),
        (lambda _: error(404, "no such model", code="model_not_found"), MODEL),
        (lambda _: Step(act="cut"), "127.0.0.1"),
    ],
)
def test_a_judge_that_cannot_be_asked_is_one_sentence_and_no_score(
    step: Callable[[Asked], Step], words_told: str, database: Database
) -> None:
    with scripted(step) as server:
        screen = try_out(asked_at(server), judges.prompted_seat("simple"))
    assert nothing_broke(screen)
    (failure,) = [unescaped(str(piece.value)) for piece in screen.error]
    assert words_told in failure
    assert not screen.success
    assert sum(count.n_ok for count in prompted_counts(database)) == 0


def test_an_unreadable_reply_is_said_and_is_no_score() -> None:
    with scripted(lambda _: completion("I would rather not say.")) as server:
        screen = try_out(asked_at(server), judges.prompted_seat("simple"))
    (failure,) = [unescaped(str(piece.value)) for piece in screen.error]
    assert failure.startswith("No score for the story in order and the scrambled one (unreadable).")
    assert "In order: unreadable" in words(screen)
    assert "after one repair" not in words(screen)
    assert words(screen).count("and a second request did not put it right") == 2


def test_a_running_test_shows_how_far_it_is_and_can_be_stopped() -> None:
    with scripted(lambda _: Step(act="hang")) as server:
        screen = asked_at(server)
        screen.button(key="try-openai").click().run()
        assert server.was_asked.wait(10)
        screen.run()
        assert "try-openai" not in {button.key for button in screen.button}
        screen.button(key="stop-try-openai").click().run()
        job = trial.latest_trial(judges.prompted_seat("simple"))
        assert job is not None
        resources.runner().wait(job.job_id, timeout_s=10)
        screen.run()
    assert "The last test was stopped before both stories were judged." in words(screen)
    assert "try-openai" in {button.key for button in screen.button}


def test_a_parameter_that_the_model_refuses_is_said_and_can_be_forgotten(database: Database) -> None:
    def script(asked: Asked) -> Step:
        if "temperature" in asked.body:
            return error(400, "Unsupported value: 'temperature'", param="temperature")
        return completion(good_reply("simple"))

    with scripted(script) as server:
        screen = try_out(asked_at(server), judges.prompted_seat("simple"))
    assert "temperature not sent, the model refuses it" in words(screen)
    assert "does not take a temperature: agents differ by chance alone" in words(screen)
    screen.button(key="forget-0").click().run()
    assert list_capabilities(database) == ()
    assert "does not take a temperature" not in words(screen)


def test_the_two_stories_can_be_read_before_anything_is_asked() -> None:
    screen = open_page(JUDGES)
    for story in trial.known_stories():
        assert len(story) == 6
        assert all(document.title in words(screen) for document in story)
    coherent, scrambled = trial.known_stories()
    dates = [document.date for document in coherent]
    assert dates == sorted(dates, key=str)
    assert [document.date for document in scrambled] != sorted((document.date for document in scrambled), key=str)


def test_a_chosen_model_is_there_in_the_next_session_and_its_key_is_not(server: ScriptedServer) -> None:
    use(server, key=KEY)
    again = open_page(JUDGES)
    assert again.text_input(key="judge-model").value == MODEL
    assert again.text_input(key="judge-address").value == server.url
    assert again.text_input(key="judge-key").value == ""
    assert "Asked without a key." in words(again)


def test_a_key_typed_for_the_judges_is_theirs_alone_and_lasts_for_other_pages(server: ScriptedServer) -> None:
    screen = use(server, key=KEY)
    host = f"127.0.0.1:{server.port}"
    assert unescaped(screen.text_input(key="judge-key").label) == f"Key for {host}, this session only"
    assert f"Key typed in this session for {host}, in memory only." in words(screen)
    screen.switch_page(SETTINGS).run()
    screen.radio(key="model-where").set_value("From an endpoint").run()
    assert "No key found" in words(screen)
    try_out(screen.switch_page(JUDGES).run(), judges.prompted_seat("simple"))
    assert {asked.headers["authorization"] for asked in server.asked} == {f"Bearer {KEY}"}


def test_a_typed_key_is_not_sent_to_an_address_that_another_session_chose(server: ScriptedServer) -> None:
    screen = open_page(JUDGES)
    screen.text_input(key="judge-key").set_value(KEY).run()
    assert "Key typed in this session for api.openai.com, in memory only." in words(screen)
    use(server)
    screen = try_out(screen.run(), judges.prompted_seat("simple"))
    host = f"127.0.0.1:{server.port}"
    assert "typed in this session, but that one is for api.openai.com" in words(screen)
    assert f"and is not sent to {host}. Type one here if it needs one." in words(screen)
    assert len(server.asked) == 2
    assert not [asked for asked in server.asked if KEY in str(asked.headers)]


def test_a_key_that_was_typed_before_its_address_is_typed_again(server: ScriptedServer) -> None:
    screen = open_page(JUDGES)
    screen.text_input(key="judge-key").set_value(KEY).run()
    screen.text_input(key="judge-address").set_value(server.url).run()
    screen.button(key="judge-use").click().run()
    told_again = f"The key that was typed before is for api.openai.com. If 127.0.0.1:{server.port} may have it, type"
    assert told_again in words(screen)
    assert screen.text_input(key="judge-key").value == ""
    screen.text_input(key="judge-key").set_value(KEY).run()
    assert told_again not in words(screen)
    try_out(screen, judges.prompted_seat("simple"))
    assert {asked.headers["authorization"] for asked in server.asked} == {f"Bearer {KEY}"}


@pytest.mark.parametrize("is_typed", [False, True])
def test_no_key_goes_to_openai_over_plain_http(is_typed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    choose_model(ModelChoice("gpt-4.1", "https://api.openai.com/v1"))
    screen = open_page(JUDGES)
    if is_typed:
        screen.text_input(key="judge-key").set_value(KEY).run()
    else:
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        assert endpoint() == endpoints.Endpoint("gpt-4.1", "https://api.openai.com/v1", KEY)
    screen.text_input(key="judge-address").set_value("http://api.openai.com/v1").run()
    screen.button(key="judge-use").click().run()
    assert nothing_broke(screen)
    assert endpoint() is None
    if is_typed:
        told_again = "is for https://api.openai.com. If http://api.openai.com may have it, type it again."
        assert told_again in words(screen).replace("\u2060", "")


def test_a_key_for_the_address_that_is_kept_is_withheld_from_a_host_that_is_not_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert keys.api_key("judge", "").value == keys.api_key("judge", "https://api.openai.com/v1").value == KEY
    assert keys.api_key("judge", "https://evil.example/v1").is_withheld
    assert keys.api_key("judge", "http://api.openai.com/v1").is_withheld
    choose_model(ModelChoice("m", "http://api.openai.com/v1"))
    assert endpoint() is None


def test_a_key_cannot_be_typed_for_what_is_no_address() -> None:
    screen = open_page(JUDGES)
    screen.text_input(key="judge-address").set_value("not an address").run()
    assert screen.text_input(key="judge-key").disabled
    assert screen.text_input(key="judge-key").label == "Key for this session"


def test_a_key_of_the_environment_is_not_sent_where_the_environment_does_not_say(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    choose_model(ModelChoice(MODEL, server.url))
    screen = try_out(open_page(JUDGES), judges.prompted_seat("simple"))
    host = f"127.0.0.1:{server.port}"
    assert f"but that one is for api.openai.com and is not sent to {host}. Type one here" in words(screen)
    assert len(server.asked) == 2
    assert not [asked for asked in server.asked if KEY in str(asked.headers)]
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    assert endpoint() == endpoints.Endpoint(MODEL, server.url, KEY)
    choose_model(ModelChoice("gpt-4.1", "https://api.openai.com/v1"))
    assert endpoint() is None


def test_an_emptied_field_lets_go_of_the_model_and_keeps_to_the_environment(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = use(server)
    monkeypatch.setenv(endpoints.MODEL_VARIABLE, "from-outside")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://me:secret-word@127.0.0.1:9/v1")
    screen.text_input(key="judge-model").set_value("")
    screen.text_input(key="judge-address").set_value("").run()
    screen.button(key="judge-use").click().run()
    assert chosen_model().host == "127.0.0.1:9"
    assert chosen_model().model == "from-outside"
    assert "Prompted judge (from-outside at 127.0.0.1:9)" in words(screen)
    assert "secret-word" not in rendered(screen)


REFUSED_ADDRESSES = {
    "https://me:secret-word@example.org/v1": "carries a name or a password",
    "example.org/v1": "must begin with http",
    "http://[": "That is no address",
    "file:///etc/passwd": "must begin with http",
}


def test_an_address_that_may_not_be_kept_is_refused_in_a_sentence() -> None:
    screen = open_page(JUDGES)
    for address, reason in REFUSED_ADDRESSES.items():
        screen.text_input(key="judge-address").set_value(address).run()
        screen.button(key="judge-use").click().run()
        assert [reason in unescaped(str(piece.value)) for piece in screen.error] == [True]
        assert chosen_model() == ModelChoice("gpt-4.1", "")
        with pytest.raises(InvalidInput):
            choose_model(ModelChoice("m", address))


def test_an_address_in_the_environment_that_is_none_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "not an address")
    screen = open_page(JUDGES)
    assert nothing_broke(screen)
    assert "must begin with http:// or https://" in words(screen)
    assert screen.button(key="try-openai").disabled


@pytest.mark.parametrize("is_refused", [False, True])
def test_a_typed_key_is_nowhere_on_the_page_in_the_database_or_in_the_log(
    is_refused: bool, database: Database, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)

    def script(asked: Asked) -> Step:
        # The endpoint says the key again, where it is wrong and where it is right.
        sent = asked.headers["authorization"]
        if is_refused:
            return error(401, f"{sent} is wrong")
        reply: dict[str, Any] = json.loads(good_reply("simple"))
        return completion(json.dumps({**reply, "explanation": f"You sent {sent}."}))

    with scripted(script) as server:
        screen = use(server, key=KEY)
        pages = [rendered(screen)]
        try_out(screen, judges.prompted_seat("simple"))
        pages += [rendered(screen), rendered(screen.switch_page(SETTINGS).run())]
        pages += [rendered(screen.switch_page(EXPLORE).run()), rendered(screen.switch_page(JUDGES).run())]
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"
    recording = recording_bytes(trial.COLLECTION).decode()
    assert is_refused or "You sent" in recording
    files = b"".join(path.read_bytes() for path in resources.database().path.parent.glob("throughline.duckdb*"))
    everything = [*pages, stored(database), recording, caplog.text, *capfd.readouterr()]
    assert not any(KEY in text or "Very-Secret" in text for text in everything)
    assert KEY.encode() not in files
    # The same search finds what may be there: the page says that there is a key, and the model is stored.
    assert "typed in this session" in pages[0]
    assert MODEL in stored(database)
    assert MODEL.encode() in files


def test_the_prompt_is_shown_word_for_word_as_it_is_sent(server: ScriptedServer) -> None:
    screen = try_out(asked_at(server), judges.prompted_seat("simple"))
    sent = next(asked.body for asked in server.asked if IN_ORDER in json.dumps(asked.body))
    system, user, schema = (block.value for block in screen.code)
    assert [message["content"] for message in sent["messages"]] == [system, user]
    assert sent["response_format"]["json_schema"]["schema"] == json.loads(schema)
    assert prompt_hash("simple", is_explained=True, noun="briefs")[:12] in words(screen)
    screen.text_input(key="prompt-noun").set_value("speeches").run()
    assert "a sequence of speeches holds together" in screen.code[0].value


def test_another_mode_another_view_and_no_explanation_make_another_prompt() -> None:
    screen = open_page(JUDGES)
    first = [block.value for block in screen.code]
    screen.button_group(key="prompt-mode").set_value("complex").run()
    screen.selectbox(key="prompt-shown").set_value("leads").run()
    screen.toggle(key="prompt-explained").set_value(False).run()
    now = [block.value for block in screen.code]
    assert [a == b for a, b in zip(first, now, strict=True)] == [False, False, False]
    assert "causal_relationships" in now[2]
    assert "explanation" not in now[2]
    assert "President Richard Nixon said" in now[1]


def test_a_dry_run_shows_the_story_of_the_collection_and_what_it_would_cost(
    server: ScriptedServer, database: Database
) -> None:
    save_price(database, Price(MODEL, 1000.0, 1000.0))
    screen = asked_at(server)
    screen.button_group(key="prompt-about").set_value("The trail on Explore").run()
    (info,) = [unescaped(str(piece.value)) for piece in screen.info]
    assert (
        "Asking one agent of scripted-model about the trail and its random chronology. 2 answers to get. About" in info
    )
    assert "time not known before the first answer, about $" in info
    assert info.endswith("Nothing is sent from here.")
    assert "Soviet pilot Yuri Gagarin" in screen.code[1].value
    assert "prompt-noun" not in {field.key for field in screen.text_input}
    trail = screen.code[1].value
    screen.button_group(key="prompt-about").set_value("Its random chronology").run()
    assert screen.code[1].value != trail
    assert server.asked == []


def test_a_dry_run_without_a_story_says_what_is_missing(database: Database) -> None:
    save_unbuilt(database, town_documents(range(4)))
    screen = open_app(collection="town").switch_page(JUDGES).run()
    screen.button_group(key="prompt-about").set_value("The trail on Explore").run()
    assert nothing_broke(screen)
    assert "There is no story to show." in words(screen)


@pytest.mark.parametrize("ends", [("gone", CABANA), (CABANA, GAGARIN)])
def test_a_dry_run_of_a_story_that_cannot_be_told_says_so(ends: tuple[str, str]) -> None:
    screen = open_page(JUDGES)
    screen.session_state["history"] = History(Desk(request=TrailRequest(*ends)))
    screen.button_group(key="prompt-about").set_value("The trail on Explore").run()
    assert nothing_broke(screen)
    assert "There is no story to show." in words(screen)


def test_a_price_that_is_edited_is_kept_on_a_click(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    def edited(table: pd.DataFrame, **_: object) -> pd.DataFrame:
        return table.assign(**{INPUT: table[INPUT].where(table["Model"] != "gpt-4.1", 7.0)})

    monkeypatch.setattr("narrative_core.ui.price_table.st.data_editor", edited)
    screen = open_page(JUDGES)
    assert load_prices(database) == ()
    screen.button(key="prices-save").click().run()
    assert load_prices(database) == (Price("gpt-4.1", 7.0, 8.0, OWN_SOURCE),)
    assert screen.button(key="prices-save").disabled


def test_prices_are_shown_with_their_source_and_go_back(database: Database) -> None:
    save_price(database, Price("gpt-4.1", 7.0, 9.0, "invoice of May"))
    screen = open_page(JUDGES)
    table = next(frame.value for frame in screen.dataframe if "Set by" in frame.value.columns)
    mine = table[table["Model"] == "gpt-4.1"].iloc[0].tolist()
    assert mine == ["gpt-4.1", 7.0, 9.0, "invoice of May", "you"]
    assert screen.button(key="prices-save").disabled
    screen.button(key="prices-reset").click().run()
    assert load_prices(database) == ()
    assert "prices-reset" not in {button.key for button in screen.button}


def test_counts_of_the_open_collection_are_shown_by_judge_and_mode(database: Database) -> None:
    asked_before(database)
    screen = open_app(collection="toy").switch_page(JUDGES).run()
    assert "The bridge at Alder Ford: 1 asked, 1 of them have a score." in words(screen)
    counted = next(frame.value for frame in screen.dataframe if "Asked" in frame.value.columns)
    assert counted.to_numpy().tolist() == [["Prompted judge", "old-model", "example.org", "Simple", 1, 1]]
    save_unbuilt(database, town_documents([0, 10]))
    other = open_app(collection="town").switch_page(JUDGES).run()
    assert "No judge was asked about stories of this collection yet." in words(other)


def test_recorded_replies_are_listed_by_collection_and_model(database: Database) -> None:
    asked_before(database, n_agents=2)
    asked_before(database, agent=1, n_agents=2)
    screen = open_app(collection="toy").switch_page(JUDGES).run()
    assert "2 replies of 1 model can be shown again with no key and no network." in words(screen)
    assert "The bridge at Alder Ford: 2 of old-model at example.org" in words(screen)
    listed = next(frame.value for frame in screen.dataframe if "Replies" in frame.value.columns)
    assert listed.to_numpy().tolist() == [["old-model", "example.org", "Simple", "titles", "yes", 2, 2]]
    assert recording_bytes("toy") == write_recording(list_judgements(database, "toy"))


def test_the_page_says_whose_scores_a_recording_can_claim_and_counts_what_is_in_it(database: Database) -> None:
    asked_before(database)
    save_judgements(database, "toy", [flow_judgement(), lexical_judgement()])
    screen = open_app(collection="toy").switch_page(JUDGES).run()
    assert "no line can claim" not in words(screen)
    assert (
        "The score of a prompted judge is read anew from its raw reply; that of reading flow is taken as recorded, if "
        "its numbers agree with each other. The lexical reader is left out: it reads every story anew."
    ) in words(screen)
    n = len(recording_bytes("toy").splitlines())
    assert f"{n:,} judgements about stories of The bridge at Alder Ford." in words(screen)


def test_a_recording_is_taken_in_and_reported(database: Database) -> None:
    kept = asked_before(database)
    recording = write_recording([kept]) + b"not a line\n"
    screen = open_page(JUDGES)
    screen.file_uploader(key="recording-file-0").set_value(("judgements.jsonl", recording, "application/x-ndjson"))
    screen.run().button(key="recording-take").click().run()
    assert nothing_broke(screen)
    assert "2 lines read · 1 kept · 0 known already · 1 skipped" in words(screen)
    assert [one.score for one in list_judgements(database, "spaceflight", judge="openai")] == [7.0]
    screen.file_uploader(key="recording-file-1").set_value(("judgements.jsonl", recording, "application/x-ndjson"))
    screen.run().button(key="recording-take").click().run()
    assert "2 lines read · 0 kept · 1 known already · 1 skipped" in words(screen)


def test_a_file_that_is_no_recording_is_said_to_be_none(database: Database) -> None:
    screen = open_page(JUDGES)
    screen.file_uploader(key="recording-file-0").set_value(("notes.jsonl", b"\xff\x00 hello\n", "text/plain"))
    screen.run().button(key="recording-take").click().run()
    assert nothing_broke(screen)
    assert "Is it a file of recorded replies?" in words(screen)
    assert list_judgements(database, "spaceflight", judge="openai") == ()


def test_names_and_replies_that_try_to_be_markup_are_shown_as_they_are(database: Database) -> None:
    def script(_: Asked) -> Step:
        reply: dict[str, Any] = json.loads(good_reply("simple"))
        return completion(json.dumps({**reply, "explanation": f"{IMAGE} {ICONS}"}))

    save_capabilities(database, Capabilities(IMAGE, ICONS, takes_seed=True))
    with scripted(script) as server:
        screen = try_out(asked_at(server, ICONS), judges.prompted_seat("simple"))
    assert nothing_broke(screen)
    shown = [*screen.markdown, *screen.caption, *screen.subheader, *screen.success, *screen.warning, *screen.toast]
    ours = (":green-badge[", ":gray-badge[", ":material/build:")
    pieces = [str(piece.value) for piece in shown if not str(piece.value).startswith(ours)]
    assert [piece for piece in pieces if MARKUP.search(piece)] == []
    for piece in html_pieces(screen):
        assert html_tags(piece) <= SHOWN_TAGS
    assert f"{IMAGE} {ICONS}" in words(screen)


def test_a_collection_that_is_not_here_leaves_the_judges_in_place() -> None:
    screen = open_app(collection="gone").switch_page(JUDGES).run()
    assert nothing_broke(screen)
    assert not screen.button(key="try-lexical").disabled
    assert "Choose a collection above: replies belong to its stories." in words(screen)


def test_a_test_without_the_example_says_where_to_build_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "summary", lambda name: None)
    with pytest.raises(InvalidInput, match="Build it on the page Collections"):
        trial.run_trial(judges.lexical_seat(trial.example()))


def test_a_judge_that_is_not_there_is_an_error_and_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(JudgeUnavailable):
        trial.run_trial(judges.prompted_seat("simple"))
