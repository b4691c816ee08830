"""``python -m narrative_core judge``: what it prints, stores and refuses."""

import contextlib
import json
import math
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

from narrative_core import build_stages, pipeline
from narrative_core.__main__ import main
from narrative_core.intake import install_shipped
from narrative_core.judgements import Judgement, Seat
from narrative_core.judging import reader as judging_reader
from narrative_core.judging.verdicts import sum_up
from narrative_core.recordings import install_recording
from narrative_core.reports.judge_facts import judgement_facts, verdict_facts
from narrative_core.store.collections import load_documents
from narrative_core.store.database import open_database
from narrative_core.store.judgements import list_judgements, save_judgements
from tests.conductor_samples import FakeChild, documents_on_two_themes, fake_stage, save_documents
from tests.judgement_samples import lexical_judgement
from tests.judging.scripted_server import Asked, ScriptedServer, Step, completion, error, scripted
from tests.judging_bench import KEY, MODEL, FakeScorer, answering

ROOT = Path(__file__).parents[1]
PATIENCE_S = 60.0
TOY = ("toy", "t01", "t12")
NO_KEY = "The model gpt-4.1 at OpenAI needs a key. Set OPENAI_API_KEY, or choose a judge that needs none"
JUDGEMENT_KEYS = {"story", "judge", "mode", "agent", "status", "score", "explanation", "seconds", "tokens"}
SUMMARY_KEYS = {"story", "judge", "mode", "mean", "sd", "asked", "ok"}


@pytest.fixture(autouse=True)
def no_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key, address or model of whoever runs the tests."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "THROUGHLINE_JUDGE_MODEL", "THROUGHLINE_DB"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with the shipped collections, the built "news" (the last two undated) and the unbuilt "olds"."""
    path = tmp_path_factory.mktemp("judge") / "throughline.duckdb"
    with pytest.MonkeyPatch.context() as patch, contextlib.closing(open_database(path)) as database:
        patch.setattr(build_stages, "run_stage", FakeChild(fake_stage))
        install_shipped(database)
        save_documents(database, documents_on_two_themes(12, n_undated=2))
        save_documents(database, documents_on_two_themes(3), "olds")
        pipeline.build(database, "news")
    return path


@pytest.fixture
def db(tmp_path: Path, stored: Path) -> Path:
    shutil.copy(stored, tmp_path / "throughline.duckdb")
    return tmp_path / "throughline.duckdb"


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with scripted(answering()) as running:
        yield running


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> FakeScorer:
    """In the place of the local model."""
    fake = FakeScorer()
    monkeypatch.setattr(judging_reader, "best_scorer", lambda: fake)
    return fake


def at(server: ScriptedServer, *options: str, model: str = MODEL) -> tuple[str, ...]:
    """Return the options that name a prompted judge at a server."""
    return ("--judge", "openai", "--base-url", server.url, "--model", model, *options)


def told(capsys: pytest.CaptureFixture[str], db: Path, *arguments: str) -> dict[str, Any]:
    """Return the object that a successful command prints, which must be strict JSON."""

    def refuse(name: str) -> NoReturn:
        raise AssertionError(f"{name} is not JSON")

    assert main(["judge", *arguments, "--db", str(db), "--json"]) == 0
    printed: dict[str, Any] = json.loads(capsys.readouterr().out, parse_constant=refuse)
    return printed


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run the command line in a process of its own."""
    command = [sys.executable, "-m", "narrative_core", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=PATIENCE_S, check=False)


def refusal(capsys: pytest.CaptureFixture[str], db: Path, *arguments: str) -> str:
    """Return the one sentence of a command that fails."""
    assert main(["judge", *arguments, "--db", str(db)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    line = said.err.removeprefix("judge …\n").removesuffix("\n")
    assert line.startswith("throughline: ")
    assert line.endswith(".")
    assert "\n" not in line
    return line.removeprefix("throughline: ")


def judgements(db: Path, collection: str = "toy") -> tuple[Judgement, ...]:
    with contextlib.closing(open_database(db)) as database:
        return list_judgements(database, collection)


def is_untouched(db: Path) -> bool:
    """Return whether nothing at all was stored of a panel, beside what is shipped with Spaceflight."""
    with contextlib.closing(open_database(db)) as database, database.reading() as cursor:
        tables = ("judgements WHERE collection <> 'spaceflight'", "panels", "capabilities")
        return not any(cursor.execute(f"SELECT count(*) FROM {table}").fetchall()[0][0] for table in tables)


def test_the_lexical_reader_judges_the_toy_collection_from_nothing_in_a_process_of_its_own(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    db = tmp_path / "new.duckdb"
    ran = run("judge", *TOY, "--db", str(db))
    assert (ran.returncode, ran.stderr) == (0, "judge …\n")
    trail, chance = ran.stdout.splitlines()
    assert trail.split() == ["lexical", "trail", "8.7", "of", "10", "(1", "ok", "of", "1", "asked)"]
    assert chance.split()[:3] == ["lexical", "random", "chronology"]
    printed = told(capsys, db, *TOY, "--judge", "lexical")
    assert [f"{found['mean']:.1f}" for found in printed["summary"]] == ["8.7", chance.split()[3]]
    assert (printed["reused"], printed["asked_now"], printed["not_asked"]) == (2, 0, {})
    for judgement in printed["judgements"]:
        assert set(judgement["criteria"]) == {
            "logical_flow", "thematic_consistency", "temporal_coherence", "narrative_completeness",
        }  # fmt: skip
        assert "Weakest step: “" in judgement["explanation"]


def test_the_object_has_all_that_is_documented(
    capsys: pytest.CaptureFixture[str], db: Path, server: ScriptedServer, reader: FakeScorer
) -> None:
    judges = at(server, "--judge", "lexical", "--judge", "flow", "--mode", "standard", "--agents", "3")
    printed = told(capsys, db, *TOY, *judges)
    assert {"judgements", "summary"} <= set(printed)
    for judgement in printed["judgements"]:
        assert set(judgement) >= JUDGEMENT_KEYS
        assert judgement["status"] == "ok"
        assert judgement["seconds"] >= 0
        assert judgement["explanation"]
    for summary in printed["summary"]:
        assert set(summary) >= SUMMARY_KEYS
    found = [(each["story"], each["judge"], each["mode"], each["agent"]) for each in printed["judgements"]]
    assert found == [
        (story, judge, mode, agent)
        for story in ("trail", "baseline")
        for judge, mode, agents in (("flow", None, 1), ("lexical", None, 1), ("openai", "standard", 3))
        for agent in range(agents)
    ]
    prompted = [each for each in printed["judgements"] if each["judge"] == "openai"]
    assert {each["tokens"] for each in prompted} == {120}
    for story in ("trail", "baseline"):
        scores = [each["score"] for each in prompted if each["story"] == story]
        (summary,) = (each for each in printed["summary"] if (each["story"], each["mode"]) == (story, "standard"))
        assert summary["mean"] == pytest.approx(sum(scores) / 3)
        assert (summary["asked"], summary["ok"], summary["not_ok"]) == (3, 3, {})


def test_several_modes_and_agents_are_asked_each_and_nothing_twice(
    capsys: pytest.CaptureFixture[str], db: Path, server: ScriptedServer
) -> None:
    modes = [part for mode in ("simple", "cot", "standard", "complex", "simple") for part in ("--mode", mode)]
    printed = told(capsys, db, *TOY, *at(server, *modes, "--agents", "2"))
    assert len(server.asked) == 4 * 2 * 2
    assert (printed["reused"], printed["asked_now"], printed["not_asked"]) == (0, 16, {})
    assert [(each["mode"], each["story"]) for each in printed["summary"]] == [
        (mode, story) for mode in ("simple", "cot", "standard", "complex") for story in ("trail", "baseline")
    ]
    again = told(capsys, db, *TOY, *at(server, *modes, "--agents", "2"))
    assert len(server.asked) == 16
    assert (again["reused"], again["asked_now"]) == (16, 0)
    assert (again["judgements"], again["summary"]) == (printed["judgements"], printed["summary"])


def test_what_is_shown_and_asked_for_follows_the_options(
    capsys: pytest.CaptureFixture[str], db: Path, server: ScriptedServer
) -> None:
    told(capsys, db, *TOY, *at(server))
    told(capsys, db, *TOY, *at(server, "--shown", "dates", "--no-explanations"))
    plain, dated = server.bodies[0], server.bodies[-1]
    assert "1. Alder Ford council votes" in plain["messages"][1]["content"]
    assert "1. (2017-03-06) Alder Ford council votes" in dated["messages"][1]["content"]
    schemas = [body["response_format"]["json_schema"]["schema"]["properties"] for body in (plain, dated)]
    assert [set(schema) for schema in schemas] == [{"score", "explanation", "weakest_transition"}, {"score"}]
    assert {body["model"] for body in server.bodies} == {MODEL}


def test_the_endpoint_and_the_model_may_come_from_the_environment(
    capsys: pytest.CaptureFixture[str], db: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("THROUGHLINE_JUDGE_MODEL", " a-model ")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    printed = told(capsys, db, *TOY, "--judge", "openai")
    assert printed["asked_now"] == 2
    assert {each["model"] for each in printed["judgements"]} == {"a-model"}
    assert {each["endpoint"] for each in printed["judgements"]} == {f"127.0.0.1:{server.port}"}
    assert {asked.headers["authorization"] for asked in server.asked} == {f"Bearer {KEY}"}


def test_in_words_each_seat_has_a_line_a_story_with_its_counts_and_what_went_wrong(
    capsys: pytest.CaptureFixture[str], db: Path, server: ScriptedServer, reader: FakeScorer
) -> None:
    server.script = lambda asked: completion("ten") if asked.body["seed"] == 1002 else answering(lambda _: 7)(asked)
    arguments = ["judge", *TOY, *at(server, "--agents", "3"), "--judge", "flow", "--db", str(db)]
    assert main(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"openai scripted simple                   {'trail':18} 7.0 ± 0.0 of 10  (2 ok of 3 asked)"
    assert lines[2] == f"openai scripted simple                   {'random chronology':18} {lines[0][60:]}"
    for line, story in zip(lines[4:], ("trail", "random chronology"), strict=True):
        assert line.startswith(f"flow fake reader                         {story:18} ")
        assert line.endswith("nats per token  (1 ok of 1 asked)")
    unread = '  The reply cannot be read: expected one JSON object and nothing else; got "ten".'
    assert [lines[1], lines[3]] == [unread] * 2


def test_a_seat_without_a_score_is_told_as_such(
    capsys: pytest.CaptureFixture[str], db: Path, server: ScriptedServer
) -> None:
    server.script = lambda _: completion(None, refusal="No.")
    assert main(["judge", *TOY, *at(server), "--db", str(db)]) == 0
    out = capsys.readouterr().out
    assert out.count("no score  (0 ok of 1 asked)\n  The model declined to judge the story.\n") == 2
    printed = told(capsys, db, *TOY, *at(server))
    assert [(each["mean"], each["sd"], each["not_ok"]) for each in printed["summary"]] == [
        (None, None, {"refused": 1})
    ] * 2


def test_reading_flow_has_a_percentile_if_asked_for(
    capsys: pytest.CaptureFixture[str], db: Path, reader: FakeScorer
) -> None:
    plain = told(capsys, db, *TOY, "--judge", "flow")
    assert plain["asked_now"] == 2
    assert [(each["percentile"], each["random_chronologies"]) for each in plain["summary"]] == [(None, 0)] * 2
    compared = told(capsys, db, *TOY, "--judge", "flow", "--percentile")
    assert compared["reused"] == 2
    assert all(0 <= each["percentile"] <= 100 for each in compared["summary"])
    # The two stories may themselves be among the random chronologies.
    n_random = {each["random_chronologies"] for each in compared["summary"]}
    assert n_random <= {compared["asked_now"] + n for n in range(3)}
    assert len(n_random) == 1
    assert len(compared["judgements"]) == 2


def test_what_is_unknown_is_null_in_the_object() -> None:
    unknown = replace(lexical_judgement(), seconds=math.nan)
    verdict = sum_up(Seat("lexical", ""), "trail", [unknown])
    for facts in (judgement_facts("trail", unknown), verdict_facts(verdict)):
        assert "null" in json.dumps(facts["criteria"], allow_nan=False)
        assert json.dumps(facts, allow_nan=False)


def test_undated_documents_are_judged_too(capsys: pytest.CaptureFixture[str], db: Path) -> None:
    printed = told(capsys, db, "news", "d10", "d11", "--any-order", "--judge", "lexical")
    assert [each["ok"] for each in printed["summary"]] == [1, 1]


def test_without_a_key_it_says_how_and_stores_nothing(capsys: pytest.CaptureFixture[str], db: Path) -> None:
    assert NO_KEY in refusal(capsys, db, *TOY, "--judge", "openai")
    assert NO_KEY in refusal(capsys, db, *TOY, "--judge", "openai", "--judge", "lexical", "--json")
    assert is_untouched(db)


def whom(summary: dict[str, Any]) -> dict[str, Any]:
    """Return what a summary says of who was asked."""
    return {name: value for name, value in summary.items() if name in ("model", "endpoint")}


def record(capsys: pytest.CaptureFixture[str], db: Path, server: ScriptedServer, *options: str) -> dict[str, Any]:
    """Judge at a server, and store what came as if OpenAI's gpt-4.1 had said it; return what was printed."""
    printed = told(capsys, db, *TOY, *at(server, *options))
    with contextlib.closing(open_database(db)) as database:
        recorded = [
            replace(found, question=replace(found.question, endpoint="api.openai.com", model="gpt-4.1"))
            for found in list_judgements(database, "toy")
        ]
        save_judgements(database, "toy", recorded)
    return printed


def test_without_a_key_what_is_recorded_is_replayed(
    capsys: pytest.CaptureFixture[str], db: Path, server: ScriptedServer
) -> None:
    printed = record(capsys, db, server, "--agents", "3")
    again = told(capsys, db, *TOY, "--judge", "openai", "--agents", "3")
    assert (again["reused"], again["asked_now"], again["not_asked"]) == (6, 0, {})
    for first, second in zip(printed["summary"], again["summary"], strict=True):
        assert second["model"] == "gpt-4.1"
        assert {**second, **whom(first)} == first


def test_a_recording_with_gaps_is_replayed_as_far_as_it_goes_and_says_what_is_missing(
    capsys: pytest.CaptureFixture[str], db: Path, server: ScriptedServer
) -> None:
    server.script = lambda asked: error(501) if asked.body["seed"] == 1003 else answering()(asked)
    record(capsys, db, server, "--agents", "3")
    assert main(["judge", *TOY, "--judge", "openai", "--agents", "3", "--db", str(db)]) == 0
    said = capsys.readouterr()
    assert said.out.count("(2 ok of 3 asked)") == 2
    stage, *lines = said.err.splitlines()
    assert stage == "judge …"
    assert any(NO_KEY in line for line in lines)
    assert any("2 not asked: " in line for line in lines)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("toy", "t01", "nope"), "The collection The bridge at Alder Ford has no document “nope”."),
        (("toy", "t12", "t01"), "and a trail runs forward in time."),
        (("nope", "t01", "t12"), "There is no collection named 'nope'."),
        (("olds", "d00", "d02"), "The collection Olds has no landscape yet. Build it first."),
        ((*TOY, "--agents", "0"), "a judge has from 1 to 1,000 agents; got 0."),
        ((*TOY, "--agents", "1001"), "a judge has from 1 to 1,000 agents; got 1001."),
        ((*TOY, "--concurrency", "0"), "expected at least one question at a time; got 0."),
        ((*TOY, "--budget", "-1"), "a budget is 0 or more US dollars; got -1.0."),
        ((*TOY, "--budget", "nan"), "a budget is 0 or more US dollars; got nan."),
        ((*TOY, "--budget", "1", "--model", "unpriced"), "a budget needs the price of the model"),
        ((*TOY, "--base-url", "nowhere"), "address must begin with http:// or https:// and a host."),
        ((*TOY, "--base-url", "http://here:99999"), "address must begin with http:// or https:// and a host."),
        ((*TOY, "--base-url", "http://[here/v1"), "address must begin with http:// or https:// and a host."),
    ],
)
def test_what_cannot_be_judged_is_one_sentence_and_nothing_is_stored(
    capsys: pytest.CaptureFixture[str], stored: Path, server: ScriptedServer, arguments: tuple[str, ...], said: str
) -> None:
    endpoint = ("--judge", "lexical", "--judge", "openai", "--base-url", server.url, "--json")
    assert said in refusal(capsys, stored, arguments[0], *endpoint, *arguments[1:])
    assert is_untouched(stored)
    assert server.asked == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("judge", "toy", "t01"), "the following arguments are required: TARGET_ID"),
        (("judge", *TOY, "--judge", "oracle"), "invalid choice: 'oracle'"),
        (("judge", *TOY, "--mode", "loud"), "invalid choice: 'loud'"),
        (("judge", *TOY, "--agents", "many"), "invalid int value: 'many'"),
    ],
)
def test_wrong_arguments_are_told_in_one_sentence(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    with pytest.raises(SystemExit) as ending:
        main(arguments)
    assert ending.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    assert said in line


def test_an_endpoint_that_does_not_take_the_key_is_one_sentence_and_the_others_answers_are_kept(
    capsys: pytest.CaptureFixture[str], db: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    server.script = lambda _: error(401, f"Incorrect API key provided: {KEY}")
    sentence = refusal(capsys, db, *TOY, *at(server, "--judge", "lexical", "--agents", "5"))
    assert sentence == f"127.0.0.1:{server.port} does not accept the key. Check OPENAI_API_KEY."
    assert len(server.asked) == 1
    assert Counter(judgement.question.judge for judgement in judgements(db)) == {"lexical": 2}


def test_a_budget_ends_the_questions_with_the_reason_on_standard_error(
    capsys: pytest.CaptureFixture[str], db: Path, server: ScriptedServer
) -> None:
    asked = ("judge", *TOY, *at(server, "--agents", "4", "--budget", "0", model="gpt-4.1"), "--db", str(db), "--json")
    assert main(asked) == 0
    said = capsys.readouterr()
    printed = json.loads(said.out)
    ((reason, n),) = printed["not_asked"].items()
    assert (n, printed["asked_now"], server.asked) == (8, 0, [])
    assert said.err == f"judge …\nthroughline: 8 not asked: {reason}\n"
    assert [(each["mean"], each["asked"]) for each in printed["summary"]] == [(None, 0)] * 2


def test_the_trail_that_is_judged_is_the_one_that_the_conditions_ask_for(
    capsys: pytest.CaptureFixture[str], db: Path, server: ScriptedServer
) -> None:
    told(capsys, db, *TOY, *at(server, "--max-length", "3"))
    assert {body["messages"][1]["content"].count("\n1") for body in server.bodies} == {1}
    assert all("(3 entries)" in body["messages"][1]["content"] for body in server.bodies)


def test_a_trail_of_two_documents_is_its_own_random_chronology_and_is_paid_once(
    capsys: pytest.CaptureFixture[str], db: Path, server: ScriptedServer
) -> None:
    printed = told(capsys, db, *TOY, *at(server, "--max-length", "2", "--agents", "3"))
    assert len(server.asked) == 3
    assert [each["ok"] for each in printed["summary"]] == [3, 3]
    trail, baseline = printed["summary"]
    assert trail == {**baseline, "story": "trail"}


def test_a_recording_gives_the_same_summary_byte_for_byte_without_key_and_endpoint(
    capsys: pytest.CaptureFixture[str],
    db: Path,
    tmp_path: Path,
    server: ScriptedServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def some_fail(asked: Asked) -> Step:
        return completion("nonsense") if asked.body["seed"] == 1004 else answering()(asked)

    server.script = some_fail
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    panel = at(server, "--mode", "standard", "--mode", "cot", "--agents", "5", "--judge", "lexical")
    first = told(capsys, db, "news", "d00", "d09", *panel)
    folder, other = tmp_path / "out", tmp_path / "other.duckdb"
    assert main(["export", "news", str(folder), "--db", str(db)]) == 0
    n_asked = len(server.asked)

    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.setattr(build_stages, "run_stage", FakeChild(fake_stage))
    files = (str(folder / "documents.csv"), "--judgements", str(folder / "judgements.jsonl"), "--noun", "reports")
    assert main(["import", *files, "--name", "copy", "--db", str(other)]) == 0
    assert main(["build", "copy", "--db", str(other)]) == 0
    capsys.readouterr()
    second = told(capsys, other, "copy", "d00", "d09", *panel)
    assert len(server.asked) == n_asked
    # The lexical reader reads anew, at once; all else is replayed.
    assert (second["asked_now"], second["not_asked"]) == (2, {})
    assert json.dumps(second["summary"]) == json.dumps(first["summary"])
    assert json.dumps(second["judgements"]) == json.dumps(first["judgements"])
    assert {each["not_ok"].get("unreadable") for each in first["summary"] if each["judge"] == "openai"} == {1}


@pytest.mark.parametrize("ends", [TOY, ("news", "d00", "d09"), ("spaceflight",)], ids=lambda ends: ends[0])
def test_an_exported_folder_replays_the_same_figures_byte_for_byte_in_an_empty_database(
    capsys: pytest.CaptureFixture[str],
    db: Path,
    tmp_path: Path,
    server: ScriptedServer,
    monkeypatch: pytest.MonkeyPatch,
    *,
    ends: tuple[str, ...],
) -> None:
    name, *pair = ends
    if not pair:
        with contextlib.closing(open_database(db)) as database:
            dated = [found.document_id for found in load_documents(database, name) if found.date is not None]
        pair = [dated[10], dated[-10]]
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    panel = at(server, "--mode", "standard", "--mode", "cot", "--agents", "3", "--judge", "lexical")
    first = told(capsys, db, name, *pair, *panel)
    folder, other = tmp_path / "out", tmp_path / "other.duckdb"
    assert main(["export", name, str(folder), "--db", str(db)]) == 0
    n_asked = len(server.asked)
    assert n_asked == 12

    # No key, no endpoint, and nothing computes a landscape: the folder has it all, the noun too.
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.setattr(build_stages, "run_stage", None)
    assert main(["import", str(folder), "--name", "copy", "--db", str(other)]) == 0
    capsys.readouterr()
    second = told(capsys, other, "copy", *pair, *panel)
    assert len(server.asked) == n_asked
    # The lexical reader reads anew, at once; all else is replayed.
    assert (second["asked_now"], second["not_asked"]) == (2, {})
    for part in ("summary", "judgements"):
        assert json.dumps(second[part]) == json.dumps(first[part])
    trails = []
    for path, called in ((db, name), (other, "copy")):
        assert main(["trail", called, *pair, "--db", str(path), "--json"]) == 0
        trails.append(json.loads(capsys.readouterr().out))
    assert trails[0] == trails[1]
    assert len(trails[0]["baseline"]["documents"]) == len(trails[0]["documents"])


def test_a_recording_of_a_shipped_collection_is_replayed_on_another_computer(
    capsys: pytest.CaptureFixture[str], db: Path, stored: Path, tmp_path: Path, server: ScriptedServer
) -> None:
    panel = at(server, "--mode", "complex", "--agents", "4")
    first = told(capsys, db, *TOY, *panel)
    assert main(["export", "toy", str(tmp_path / "out"), "--db", str(db)]) == 0
    capsys.readouterr()
    other, n_asked = tmp_path / "other.duckdb", len(server.asked)
    shutil.copy(stored, other)
    with contextlib.closing(open_database(other)) as database:
        install_recording(database, "toy", (tmp_path / "out" / "judgements.jsonl").read_bytes())
    second = told(capsys, other, *TOY, *panel)
    assert (second["reused"], second["asked_now"], len(server.asked)) == (8, 0, n_asked)
    assert json.dumps(second["summary"]) == json.dumps(first["summary"])
