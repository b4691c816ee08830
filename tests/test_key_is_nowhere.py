"""The key is in a request's header and nowhere else, whatever an endpoint makes of it."""

import contextlib
import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from narrative_core.__main__ import main
from narrative_core.assessment import Bench, Outcome, forecasts, judge_pair
from narrative_core.errors import NarrativeError
from narrative_core.findings import seat_agreement, verdicts
from narrative_core.intake import install_shipped
from narrative_core.jobs import JobRunner, Report
from narrative_core.recordings import write_recording
from narrative_core.store.database import Database, open_database
from narrative_core.store.judgements import list_judgements
from tests.builders import build_collection
from tests.judging.scripted_server import Asked, Step, completion, error, scripted
from tests.judging_bench import KEY, MODEL, answering, endpoint_of, prompted_seat, silent, towns_pair

ROOT = Path(__file__).parents[1]
PATIENCE_S = 60.0
MARKER = "a-word-that-is-stored"
PASSWORD = "Pass-Never-To-Be-Seen-987"
SAID = f"{MARKER}: Bearer {KEY} of {KEY[:12]} is {KEY}"
HEADERS = {"x-request-id": KEY, "x-echo": f"Bearer {KEY}", "content-type": "application/json", "retry-after-ms": "1"}
FATAL = {
    "401": error(401, SAID, param=KEY, code=KEY),
    "403": error(403, SAID, param=KEY, code=KEY),
    "404": error(404, SAID, param=KEY, code=KEY),
    "credit": error(429, SAID, code="insufficient_quota", param=KEY),
}
"""What ends a round, with the key wherever it fits."""

REPLY = completion(f'{{"score": 7, "explanation": "{SAID}", "weakest_transition": 1, "{KEY}": "{KEY}"}}')
OTHERS = (
    REPLY,
    error(400, SAID, param=KEY, code=KEY),
    error(429, SAID, param=KEY, code=KEY, retry_after_ms="1"),
    error(500, SAID, param=KEY, code=KEY, retry_after_ms="1"),
    completion(None, refusal=SAID),
    completion(SAID),
    Step(content=SAID.encode()),
    completion(SAID, finish=KEY, message={"reasoning_content": KEY}),
    replace(error(500, SAID), headers=HEADERS),
)
"""What one question after the other may be answered, with the key wherever it fits."""


@pytest.fixture
def records(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """All that is logged by anyone, down to the last detail."""
    caplog.set_level(logging.DEBUG)
    for name in ("openai", "httpx", "httpx2", "httpcore", "httpcore2", "asyncio", "narrative_core"):
        caplog.set_level(logging.DEBUG, logger=name)
    yield caplog


def assert_nowhere(secret: str, *places: str | bytes) -> None:
    for place in places:
        text = place if isinstance(place, str) else place.decode("latin-1")
        at = text.find(secret)
        assert at < 0, f"the secret is here: {text[max(0, at - 200) : at]}█"


def logged(records: pytest.LogCaptureFixture, by: str = "") -> str:
    """Return every record of a logger, and of those below it, as it is formatted and as it is made."""
    found = [record for record in records.records if record.name.startswith(by)]
    formatted = "\n".join(logging.Formatter("%(name)s %(message)s").format(record) for record in found)
    return formatted + "\n".join(repr(record.__dict__) for record in found)


def all_rows(database: Database) -> str:
    """Return the whole content of a database as text: what is compressed in the file is readable here."""
    with database.reading() as cursor:
        names = [name for (name,) in cursor.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
        assert {"judgements", "panels", "capabilities", "jobs"} <= set(names)
        return "\n".join(repr(cursor.execute(f'SELECT * FROM "{name}"').fetchall()) for name in names)


def all_files(folder: Path) -> bytes:
    return b"\n".join(path.name.encode() + path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


@pytest.mark.parametrize("end", [*FATAL, "each question another way", "headers"])
def test_the_key_is_in_no_row_file_log_recording_or_message_however_the_endpoint_repeats_it(
    tmp_path: Path, records: pytest.LogCaptureFixture, end: str
) -> None:
    loaded, message = build_collection(), ""
    pair = towns_pair(loaded)
    path = tmp_path / "store" / "throughline.duckdb"
    # Headers of an answer are logged by the client library before anyone else sees them, where somebody asks for that.
    n_agents, whose_log = (len(OTHERS), "narrative_core") if end == "headers" else (len(OTHERS) - 1, "")

    def answer(asked: Asked) -> Step:
        return FATAL[end] if end in FATAL else OTHERS[int(asked.body["seed"]) - 1001]

    with scripted(answer) as server, contextlib.closing(open_database(path)) as database:
        seat, bench = prompted_seat(server, n_agents=n_agents), Bench(endpoint_of(server, max_retries=1))

        def work(report: Report) -> None:
            judge_pair(database, loaded, pair, [seat], bench, report=report, rng=np.random.default_rng(0))

        runner = JobRunner(database)
        job = runner.start("judge", "towns", work)
        assert job is not None
        runner.wait(job.job_id, PATIENCE_S)
        try:
            work(silent)
        except NarrativeError as problem:
            message = f"{problem} {problem!r}"
        found = list_judgements(database, "towns")
        told: list[object] = [verdicts(database, loaded, pair, [seat]), forecasts(database, loaded, pair, [seat])]
        told += [seat_agreement(database, loaded.collection, seat), bench, bench.endpoint, str(bench), found]
        rows, before = all_rows(database), all_files(path.parent)
        assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"
    log = logged(records, whose_log)
    assert_nowhere(KEY, message, repr(told), rows, before, all_files(path.parent), log)
    assert_nowhere(KEY, write_recording(found), *(asked_again(asked) for asked in server.asked))
    # That the search finds what there is: the host in what is stored and logged, and what the endpoint said.
    assert f"127.0.0.1:{server.port}" in rows
    assert f"127.0.0.1:{server.port}" in logged(records)
    if end in FATAL:
        assert message
        assert found == ()
        return
    assert len(found) == 2 * n_agents
    for text in (rows, before.decode("latin-1"), write_recording(found).decode()):
        assert MARKER in text
        assert "[key]" in text


def asked_again(asked: Asked) -> str:
    """Return what was sent beside the header that has the key."""
    return repr({name: value for name, value in asked.headers.items() if name != "authorization"}) + repr(asked.body)


@pytest.mark.parametrize("end", ["401", "reply"])
def test_the_command_line_shows_and_writes_no_key(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    records: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    end: str,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    db, out = tmp_path / "store" / "throughline.duckdb", tmp_path / "out"
    with scripted(lambda _: FATAL.get(end, REPLY)) as server:
        asked = ("judge", "toy", "t01", "t12", "--judge", "openai", "--model", MODEL, "--base-url", server.url)
        statuses = {main([*asked, *more, "--db", str(db)]) for more in ((), ("--json",))}
        assert statuses == ({2} if end == "401" else {0})
        assert main(["export", "toy", str(out), "--db", str(db)]) == 0
        assert {asked.headers["authorization"] for asked in server.asked} == {f"Bearer {KEY}"}
    said = capfd.readouterr()
    with contextlib.closing(open_database(db)) as database:
        rows = all_rows(database)
    assert_nowhere(KEY, said.out, said.err, rows, all_files(tmp_path), logged(records))
    assert (out / "judgements.jsonl").exists() == (end != "401")
    if end == "reply":
        assert MARKER in said.out
        assert MARKER.encode() in (out / "judgements.jsonl").read_bytes()


def test_a_process_that_logs_all_it_can_and_is_killed_leaves_no_key(tmp_path: Path) -> None:
    db = tmp_path / "throughline.duckdb"
    with contextlib.closing(open_database(db)) as database:
        install_shipped(database)

    def answer_some(asked: Asked) -> Step:
        return Step(act="hang") if len(server.asked) > 4 else REPLY

    with scripted(answer_some) as server:
        command = [sys.executable, "-m", "narrative_core", "judge", "toy", "t01", "t12", "--judge", "openai"]
        command += ["--model", MODEL, "--base-url", server.url, "--agents", "5", "--db", str(db), "--concurrency", "1"]
        environment = {**os.environ, "OPENAI_API_KEY": KEY, "OPENAI_LOG": "debug"}
        log = tmp_path / "said.txt"
        with (
            log.open("w") as file,
            subprocess.Popen(command, cwd=ROOT, env=environment, stdout=file, stderr=subprocess.STDOUT) as process,
        ):
            until = time.monotonic() + PATIENCE_S
            while len(server.asked) < 5 or MARKER.encode() not in all_files(tmp_path):
                assert process.poll() is None
                assert time.monotonic() < until
                time.sleep(0.01)
            process.kill()
    said = log.read_text(encoding="utf-8")
    assert "Sending HTTP Request" in said
    left = all_files(tmp_path)
    assert MARKER.encode() in left
    assert_nowhere(KEY, left)


def test_a_password_in_an_address_is_in_no_row_file_log_or_message(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], records: pytest.LogCaptureFixture
) -> None:
    db = tmp_path / "throughline.duckdb"
    with scripted(answering()) as server:
        address = server.url.replace("//", f"//ann:{PASSWORD}@")
        asked = ["judge", "toy", "t01", "t12", "--judge", "openai", "--model", MODEL, "--base-url", address]
        assert main([*asked, "--db", str(db), "--json"]) == 0
        server.script = lambda _: error(401, PASSWORD)
        assert main([*asked, "--mode", "cot", "--db", str(db)]) == 2
        assert main(["export", "toy", str(tmp_path / "out"), "--db", str(db)]) == 0
    with contextlib.closing(open_database(db)) as database:
        rows = all_rows(database)
    said = capfd.readouterr()
    assert_nowhere(PASSWORD, said.out, said.err, rows, all_files(tmp_path), logged(records))
    assert f"127.0.0.1:{server.port}" in said.out


def test_nothing_that_is_made_of_an_endpoint_shows_its_key() -> None:
    with scripted(answering()) as server:
        endpoint = endpoint_of(server)
        bench = Bench(endpoint, budget_usd=1.0)
        assert_nowhere(
            KEY, repr(endpoint), str(endpoint), f"{bench}", repr([bench, Outcome(0, 1)]), repr({"of": (bench,)})
        )
        assert MODEL in repr(bench)
