"""``python -m narrative_core run``: what it prints, stores and refuses."""

import contextlib
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from narrative_core import build_stages, pipeline
from narrative_core.__main__ import main
from narrative_core.intake import install_shipped
from narrative_core.judging import reader as judging_reader
from narrative_core.run_results import results_of
from narrative_core.store.database import open_database
from narrative_core.store.runs import list_runs, load_run_table
from tests.conductor_samples import FakeChild, documents_on_two_themes, fake_stage, save_documents
from tests.judging.scripted_server import ScriptedServer, scripted
from tests.judging_bench import KEY, MODEL, FakeScorer, answering

KEYS = {"pairs", "rejected", "length", "minimum_coherence", "average_coherence", "judges"}
JUDGE_KEYS = {"judge", "mode", "n", "r_min", "r_avg", "cohens_d", "auc", "icc_single"}
PAIRS = "12"


@pytest.fixture(autouse=True)
def no_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key, address or model of whoever runs the tests."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "THROUGHLINE_JUDGE_MODEL", "THROUGHLINE_DB"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with the shipped collections and the built "news"."""
    path = tmp_path_factory.mktemp("run") / "throughline.duckdb"
    with pytest.MonkeyPatch.context() as patch, contextlib.closing(open_database(path)) as database:
        patch.setattr(build_stages, "run_stage", FakeChild(fake_stage))
        install_shipped(database)
        save_documents(database, documents_on_two_themes(24))
        save_documents(database, documents_on_two_themes(16), "olds")
        pipeline.build(database, "news")
    return path


@pytest.fixture
def db(tmp_path: Path, stored: Path) -> Path:
    shutil.copy(stored, tmp_path / "throughline.duckdb")
    return tmp_path / "throughline.duckdb"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with scripted(answering()) as running:
        monkeypatch.setenv("OPENAI_BASE_URL", running.url)
        yield running


def run(capsys: pytest.CaptureFixture[str], db: Path, *arguments: str) -> dict[str, Any]:
    assert main(["--db", str(db), "run", *arguments, "--json"]) == 0
    facts: dict[str, Any] = json.loads(capsys.readouterr().out)
    return facts


def refusal(capsys: pytest.CaptureFixture[str], db: Path, *arguments: str) -> str:
    assert main(["--db", str(db), "run", *arguments]) == 2
    (line,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("throughline: ")]
    return line


def n_runs(db: Path) -> int:
    with contextlib.closing(open_database(db)) as database:
        return len(list_runs(database))


def test_a_run_prints_every_number_that_it_promises(capsys: pytest.CaptureFixture[str], db: Path) -> None:
    facts = run(capsys, db, "spaceflight", "--pairs", PAIRS)
    assert set(facts) >= KEYS
    assert facts["pairs"] == int(PAIRS)
    for kind in ("trail", "baseline"):
        assert set(facts["length"][kind]) >= {"mean", "sd", "min", "max"}
    for measure in ("minimum_coherence", "average_coherence"):
        assert set(facts[measure]) >= {"trail", "baseline", "cohens_d", "auc"}
        assert facts[measure]["trail"] > facts[measure]["baseline"]
    (judge,) = facts["judges"]
    assert set(judge) >= JUDGE_KEYS
    assert (judge["judge"], judge["mode"], judge["n"]) == ("lexical", None, 2 * int(PAIRS))
    assert judge["icc_single"] is None


def test_the_numbers_printed_are_those_of_the_stored_rows(capsys: pytest.CaptureFixture[str], db: Path) -> None:
    facts = run(capsys, db, "spaceflight", "--pairs", PAIRS)
    with contextlib.closing(open_database(db)) as database:
        results = results_of(load_run_table(database, facts["run"]))
    assert facts["minimum_coherence"]["cohens_d"] == results.contrasts["minimum"].cohens_d.value
    assert facts["judges"][0]["r_min"] == results.seats[0].associations["minimum"].pearson.value
    assert facts["rejected"] == results.run.n_rejected


def test_the_same_seed_gives_the_same_numbers_and_another_gives_others(
    capsys: pytest.CaptureFixture[str], db: Path
) -> None:
    first, again, other = (run(capsys, db, "spaceflight", "--pairs", PAIRS, "--seed", seed) for seed in ("7", "7", "8"))
    assert first["run"] != again["run"]
    assert [first[key] for key in sorted(KEYS)] == [again[key] for key in sorted(KEYS)]
    assert first["minimum_coherence"] != other["minimum_coherence"]


def test_a_prompted_judge_is_asked_k_times_in_each_mode(
    capsys: pytest.CaptureFixture[str], db: Path, server: ScriptedServer
) -> None:
    named = ("--judge", "openai", "--model", MODEL, "--mode", "simple", "--mode", "standard", "--agents", "3")
    facts = run(capsys, db, "spaceflight", "--pairs", PAIRS, *named)
    assert [(judge["mode"], judge["agents"]) for judge in facts["judges"]] == [("simple", 3), ("standard", 3)]
    assert all(judge["icc_single"] is not None and judge["ok"] == judge["asked"] for judge in facts["judges"])


def test_a_run_is_resumed_without_asking_anything_twice(
    capsys: pytest.CaptureFixture[str], db: Path, server: ScriptedServer
) -> None:
    named = ("--judge", "openai", "--model", MODEL, "--agents", "2")
    facts = run(capsys, db, "spaceflight", "--pairs", PAIRS, *named)
    n_asked = len(server.bodies)
    again = run(capsys, db, "spaceflight", "--resume", facts["run"], "--model", MODEL)
    assert (again["run"], again["judges"]) == (facts["run"], facts["judges"])
    assert len(server.bodies) == n_asked
    assert n_runs(db) == 1


def test_reading_flow_and_the_lexical_reader_need_no_key(
    capsys: pytest.CaptureFixture[str], db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging_reader, "best_scorer", FakeScorer)
    facts = run(capsys, db, "spaceflight", "--pairs", PAIRS, "--judge", "flow", "--judge", "lexical")
    assert {judge["judge"] for judge in facts["judges"]} == {"flow", "lexical"}
    assert all(judge["not_asked"] == 0 for judge in facts["judges"])


def test_a_sanity_run_and_mixtures_print_their_tables(
    capsys: pytest.CaptureFixture[str], db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sane = run(capsys, db, "spaceflight", "--pairs", PAIRS, "--sanity")
    assert sane["design"] == "sanity" and sane["tables"]
    monkeypatch.setattr(build_stages, "run_stage", FakeChild(fake_stage))
    mixed = run(capsys, db, "news", "--pairs", PAIRS, "--mixed-with", "olds")
    assert (mixed["design"], mixed["collection"]) == ("mixtures", "news+olds") and mixed["tables"]


def test_another_divergence_on_the_same_pairs_is_a_run_that_differs_in_one_setting(
    capsys: pytest.CaptureFixture[str], db: Path
) -> None:
    first = run(capsys, db, "spaceflight", "--pairs", PAIRS)
    other = run(capsys, db, "spaceflight", "--pairs", PAIRS, "--divergence", "base2", "--endpoints-of", first["run"])
    assert (first["divergence"], other["divergence"]) == ("root", "base2")
    assert other["pairs"] + other["rejected"] == first["pairs"]


def test_shares_that_are_named_take_the_place_of_the_usual_ones(capsys: pytest.CaptureFixture[str], db: Path) -> None:
    named = ("--share", "within short=0.5", "--share", "within long=0.5")
    facts = run(capsys, db, "spaceflight", "--pairs", PAIRS, *named)
    wanted = {count["stratum"]: count["wanted"] for count in facts["strata"] if count["wanted"]}
    assert wanted == {"within short": 6, "within long": 6}


def test_without_json_the_tables_are_printed_as_text(capsys: pytest.CaptureFixture[str], db: Path) -> None:
    assert main(["--db", str(db), "run", "spaceflight", "--pairs", PAIRS, "--title", "A first run"]) == 0
    told = capsys.readouterr()
    assert "A first run" in told.out and "random chronolog" in told.out and "Cohen's d" in told.out
    assert "run " in told.err


def test_a_run_can_be_written_to_a_folder(capsys: pytest.CaptureFixture[str], db: Path, tmp_path: Path) -> None:
    folder = tmp_path / "taken"
    facts = run(capsys, db, "spaceflight", "--pairs", PAIRS, "--out", str(folder))
    assert (folder / "report.html").is_file()
    assert json.loads((folder / "run.json").read_text(encoding="utf-8"))["run"]["run_id"] == facts["run"]


def test_a_folder_with_other_content_is_refused_before_anybody_is_asked(
    capsys: pytest.CaptureFixture[str], db: Path, tmp_path: Path
) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "thesis.tex").write_text("mine", encoding="utf-8")
    refused = refusal(capsys, db, "spaceflight", "--pairs", PAIRS, "--out", str(tmp_path / "taken"))
    assert "thesis.tex" in refused
    assert n_runs(db) == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("nowhere",), "nowhere"),
        (("spaceflight", "--pairs", "0"), "at least one pair"),
        (("spaceflight", "--share", "within short=0.5"), "add up|sum"),
        (("spaceflight", "--share", "sideways=1"), "STRATUM=NUMBER"),
        (("spaceflight", "--share", "extremes=all"), "STRATUM=NUMBER"),
        (("spaceflight", "--agents", "0"), "1 to 1,000 agents"),
        (("spaceflight", "--resume", "nothing"), "no run"),
        (("spaceflight", "--endpoints-of", "nothing"), "no run"),
        (("spaceflight", "--mixed-with", "spaceflight"), "two different"),
        (("olds",), "no landscape"),
    ],
)
def test_what_cannot_be_run_is_refused_in_one_sentence_and_nothing_is_stored(
    capsys: pytest.CaptureFixture[str], db: Path, arguments: tuple[str, ...], told: str
) -> None:
    assert re.search(told, refusal(capsys, db, *arguments))
    assert n_runs(db) == 0


def test_a_run_of_another_collection_is_not_resumed_here(capsys: pytest.CaptureFixture[str], db: Path) -> None:
    facts = run(capsys, db, "spaceflight", "--pairs", PAIRS)
    assert "is about spaceflight" in refusal(capsys, db, "toy", "--resume", facts["run"])


def test_a_judge_without_a_key_leaves_its_questions_open_and_says_so(
    capsys: pytest.CaptureFixture[str], db: Path
) -> None:
    arguments = ["--db", str(db), "run", "spaceflight", "--pairs", PAIRS, "--judge", "openai", "--judge", "lexical"]
    assert main([*arguments, "--json"]) == 0
    said = capsys.readouterr()
    facts = json.loads(said.out)
    assert "needs a key" in said.err and "not asked" in said.err
    asked = {judge["judge"]: (judge["ok"], judge["not_asked"]) for judge in facts["judges"]}
    assert asked["lexical"] == (24, 0) and asked["openai"] == (0, 24)


def test_a_run_that_is_resumed_has_its_own_judges(capsys: pytest.CaptureFixture[str], db: Path) -> None:
    facts = run(capsys, db, "spaceflight", "--pairs", PAIRS)
    told = refusal(capsys, db, "spaceflight", "--resume", facts["run"], "--judge", "flow")
    assert "leave --judge and --mode out" in told
