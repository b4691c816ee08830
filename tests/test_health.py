"""What is told of the state of the program, and that it is told without a network and without a key."""

import dataclasses
import socket
from collections.abc import Iterator

import numpy as np
import pytest

from narrative_core import health
from narrative_core.curation import Curation
from narrative_core.health import Finding, HealthReport, ask_endpoint, endpoint_finding, report
from narrative_core.judging.endpoint import Endpoint
from narrative_core.judging.shown import story_hash
from narrative_core.store.curations import save_curation
from narrative_core.store.database import Database
from narrative_core.store.judgements import save_judgements
from narrative_core.store.project_rows import Placement, save_placement
from tests.judgement_samples import answered
from tests.project_samples import save_worked
from tests.space.fake_endpoint import FakeEndpoint
from tests.store import store_samples
from tests.store.conftest import database, new_file, path  # noqa: F401  fixtures

NONE = endpoint_finding(None)


@pytest.fixture
def endpoint() -> Iterator[FakeEndpoint]:
    server = FakeEndpoint()
    yield server
    server.close()


def looked(database: Database) -> HealthReport:  # noqa: F811
    return report(database, NONE)


def of(found: HealthReport, title: str) -> Finding:
    return next(finding for finding in found.checks if finding.title == title)


def test_an_empty_store_is_told_without_a_collection(database: Database) -> None:  # noqa: F811
    found = looked(database)
    assert found.collections == ()
    assert [finding.title for finding in found.checks] == [
        "Text model", "Reading model", "Prompted judges", "Memory", "Database", "Pictures", "Network"
    ]  # fmt: skip
    assert str(database.path) in of(found, "Database").sentence
    assert found.versions["schema"].isdigit()


def test_an_unbuilt_collection_names_the_build(database: Database) -> None:  # noqa: F811
    store_samples.save_sample(database)
    undated, unbuilt = sorted(looked(database).collections[0].findings, key=lambda finding: finding.state)
    assert (unbuilt.state, unbuilt.step) == ("missing", "build")
    assert unbuilt.sentence == "3 of 3 documents without a vector, and no map yet."
    assert (undated.step, undated.sentence.partition(":")[0]) == ("undated", "1 document without a date")


def test_counts_are_those_of_the_collection(database: Database) -> None:  # noqa: F811
    save_worked(database, curation=Curation(excluded=frozenset({"d1", "gone"})))
    store_samples.save_sample(database, "other")
    one = looked(database).collections[0]
    census = one.census
    assert (census.n_documents, census.n_embedded, census.n_dimensions, census.is_built) == (3, 3, 5, True)
    assert (census.n_undated, census.n_placed, census.n_excluded, census.n_copies) == (1, 1, 1, 2)
    assert one.n_unjudged == len(census.trails) == 2


def test_a_date_that_was_typed_and_a_document_that_is_excluded_are_not_undated(database: Database) -> None:  # noqa: F811
    import datetime as dt

    store_samples.save_sample(database)
    save_curation(database, "news", Curation(dates={"d3": "2021"}), days={"d3": dt.date(2021, 1, 1)})
    assert looked(database).collections[0].census.n_undated == 0
    save_curation(database, "news", Curation(excluded=frozenset({"d3"})))
    assert looked(database).collections[0].census.n_undated == 0


def test_a_story_with_a_score_is_judged_and_one_whose_judge_failed_is_not(database: Database) -> None:  # noqa: F811
    save_worked(database)
    told = story_hash(store_samples.DOCUMENTS)
    failed = dataclasses.replace(answered(story=told), status="failed", score=float("nan"))
    save_judgements(database, "news", [failed])
    assert looked(database).collections[0].n_unjudged == 2
    save_judgements(database, "news", [answered(story=told)])
    assert looked(database).collections[0].n_unjudged == 0


def test_a_collection_with_nothing_to_do_is_ready(database: Database) -> None:  # noqa: F811
    save_worked(database, curation=Curation(excluded=frozenset({"d3"})))
    save_placement(database, "news", Placement(None, np.zeros(3, dtype=np.bool_)))
    save_judgements(database, "news", [answered(story=story_hash(store_samples.DOCUMENTS))])
    (finding,) = looked(database).collections[0].findings
    assert (finding.state, finding.remedy) == ("ready", "")
    assert finding.sentence == "3 documents, 1 of them excluded; the others are all on the map and dated."


def test_little_memory_and_a_full_disk_are_told_with_numbers(
    database: Database,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    save_worked(database)
    monkeypatch.setattr(health, "available_memory", lambda: 10_000_000)
    monkeypatch.setattr(health, "LOW_DISK_BYTES", 10**18)
    found = looked(database)
    assert (of(found, "Memory").state, of(found, "Database").state) == ("attention", "attention")
    assert "takes about 0.9 GB" in of(found, "Memory").sentence
    monkeypatch.setattr(health, "available_memory", lambda: None)
    assert "does not say" in of(looked(database), "Memory").sentence


def test_what_is_not_installed_is_missing(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    monkeypatch.setattr("narrative_core.space.wordllama_embedder.find_spec", lambda name: None)
    assert of(looked(database), "Text model").state == "missing"


def test_every_finding_that_is_not_ready_says_what_to_do(database: Database) -> None:  # noqa: F811
    save_worked(database)
    store_samples.save_sample(database, "other")
    silent = [one.title for one in looked(database).findings if one.state != "ready" and not one.remedy]
    assert silent == []


def test_the_key_is_told_by_where_it_was_found_alone() -> None:
    endpoint = Endpoint("gpt-4.1", "https://ann:hush-hush@api.example.org/v1", "sk-secret-key")
    found = endpoint_finding(endpoint, key_origin="found in the environment")
    assert found.sentence.startswith("gpt-4.1 at api.example.org, key found in the environment.")
    assert "secret" not in repr(found) + repr(endpoint)


def test_an_endpoint_that_answers_is_ready(endpoint: FakeEndpoint) -> None:
    found = ask_endpoint(Endpoint("m", endpoint.url, "sk-secret-key"))
    assert found.state == "ready"
    assert "secret" not in repr(found)


def test_an_endpoint_that_is_not_there_is_missing_with_a_remedy() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        found = ask_endpoint(Endpoint("m", f"http://127.0.0.1:{taken.getsockname()[1]}/v1"))
    assert (found.state, found.step) == ("missing", "judges")
    assert "cannot be reached" in found.sentence


def test_an_endpoint_that_is_silent_is_not_waited_for() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        found = ask_endpoint(Endpoint("m", f"http://127.0.0.1:{silent.getsockname()[1]}/v1"), timeout_s=0.3)
    assert (found.state, "did not answer in time" in found.sentence) == ("missing", True)
