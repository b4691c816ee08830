import contextlib
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrative_core import build_stages, stability
from narrative_core.curating import keep_curation
from narrative_core.curation import Curation
from narrative_core.errors import Cancelled, InvalidInput
from narrative_core.extraction import LoadedCollection
from narrative_core.pipeline import build, load
from narrative_core.records import LandscapeParameters
from narrative_core.space.worker import StageResult
from narrative_core.stability import ToldTrail, check_stability, sampled_requests, topic_agreement, trail_agreement
from narrative_core.store.database import Database, open_database
from narrative_core.store.stability import load_seed_agreements
from tests.conductor_samples import FakeChild, documents_on_two_themes, fake_stage, save_documents

N = 16
FIRST = LandscapeParameters().seed + 1


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    monkeypatch.setattr(build_stages, "run_stage", FakeChild(fake_stage))
    with contextlib.closing(open_database(tmp_path / "throughline.duckdb")) as opened:
        save_documents(opened, documents_on_two_themes(N, n_undated=2))
        build(opened, "news")
        yield opened


@pytest.fixture
def child(monkeypatch: pytest.MonkeyPatch) -> FakeChild:
    """The process that fits anew; what it finds is the same with every seed."""
    fake = FakeChild(fake_stage)
    monkeypatch.setattr(stability, "run_stage", fake)
    return fake


@pytest.fixture
def loaded(database: Database) -> LoadedCollection:
    return load(database, "news")


def told(interior: str, bottleneck: float) -> ToldTrail:
    return ToldTrail(frozenset(interior), bottleneck)


def test_a_fit_that_finds_the_same_agrees_wholly(
    database: Database, loaded: LoadedCollection, child: FakeChild
) -> None:
    found = check_stability(database, loaded, n_seeds=2)
    assert [one.seed for one in found] == [FIRST, FIRST + 1]
    for one in found:
        assert (one.topic_agreement, one.trail_agreement, one.strength_difference) == (1.0, 1.0, 0.0)
        assert (one.n_topics, one.outlier_share) == (2, 0.0)
        assert 0 < one.n_trails <= math.comb(N - 2, 2)
    assert load_seed_agreements(database, "news", loaded.landscape.landscape_id) == found


def test_each_fit_is_asked_for_with_its_own_seed_and_reads_no_document(
    database: Database, loaded: LoadedCollection, child: FakeChild
) -> None:
    check_stability(database, loaded, n_seeds=2)
    assert child.stages == ["project", "cluster"] * 2
    seeds = [options["parameters"]["seed"] for options in child.options]
    assert seeds == [FIRST, FIRST, FIRST + 1, FIRST + 1]


def test_seeds_that_were_compared_are_not_fitted_again(
    database: Database, loaded: LoadedCollection, child: FakeChild
) -> None:
    check_stability(database, loaded, n_seeds=1)
    found = check_stability(database, loaded, n_seeds=3)
    assert len(child.stages) == 2 * 3
    assert [one.seed for one in found] == [FIRST, FIRST + 1, FIRST + 2]


def test_a_check_that_is_stopped_keeps_the_finished_seeds(
    database: Database, loaded: LoadedCollection, child: FakeChild
) -> None:
    def stop(stage: str, done: int, total: int) -> None:
        assert stage == stability.STAGE
        if done > 100:
            raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        check_stability(database, loaded, n_seeds=3, progress=stop)
    assert [one.seed for one in load_seed_agreements(database, "news", loaded.landscape.landscape_id)] == [FIRST]


def test_progress_grows_to_its_total(database: Database, loaded: LoadedCollection, child: FakeChild) -> None:
    reports: list[tuple[int, int]] = []
    check_stability(database, loaded, n_seeds=2, progress=lambda stage, done, total: reports.append((done, total)))
    assert [done for done, _ in reports] == sorted(done for done, _ in reports)
    assert {total for _, total in reports} == {200}
    assert reports[-1][0] >= 190


def test_a_fit_that_finds_other_topics_agrees_less(
    database: Database, loaded: LoadedCollection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def other_stage(*given: object) -> StageResult:
        result = fake_stage(*given)  # type: ignore[arg-type]
        if "nearest_topic" not in result.arrays:
            return result
        nearest = np.arange(N) // 2 % 2
        memberships = np.where(nearest[:, None] == [0, 1], 0.9, 0.1)
        return replace(result, arrays={**result.arrays, "nearest_topic": nearest, "memberships": memberships})

    monkeypatch.setattr(stability, "run_stage", FakeChild(other_stage))
    (one,) = check_stability(database, loaded, n_seeds=1)
    assert one.topic_agreement < 0.1
    assert one.trail_agreement < 1.0
    assert one.strength_difference > 0.0


def test_excluded_documents_are_in_the_fit_and_in_no_trail(database: Database, child: FakeChild) -> None:
    keep_curation(database, "news", Curation(excluded=frozenset({"d00", "d01", "d02"})))
    curated = load(database, "news")
    (one,) = check_stability(database, curated, n_seeds=1)
    assert (one.topic_agreement, one.trail_agreement) == (1.0, 1.0)
    assert len(child.results["project"].arrays["projection"]) == N
    assert one.n_trails <= math.comb(N - 2 - 3, 2)


def test_what_was_found_among_other_documents_does_not_count(database: Database, child: FakeChild) -> None:
    check_stability(database, load(database, "news"), n_seeds=2)
    keep_curation(database, "news", Curation(excluded=frozenset({"d00"})))
    found = check_stability(database, load(database, "news"), n_seeds=1)
    assert [one.seed for one in found] == [FIRST]
    assert found[0].n_trails <= math.comb(N - 2 - 1, 2)


def test_a_check_without_memory_for_it_is_refused_before_it_begins(
    database: Database, loaded: LoadedCollection, child: FakeChild, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("narrative_core.build_memory.available_memory", lambda: 100)
    asked = len(child.stages)
    with pytest.raises(InvalidInput, match="of memory"):
        check_stability(database, loaded, n_seeds=1)
    assert len(child.stages) == asked


def test_nothing_is_saved_about_a_map_that_was_built_again_meanwhile(
    database: Database, loaded: LoadedCollection, child: FakeChild
) -> None:
    build(database, "news", parameters=LandscapeParameters(seed=7))
    with pytest.raises(InvalidInput, match="built again meanwhile"):
        check_stability(database, loaded, n_seeds=1)
    present = load(database, "news").landscape.landscape_id
    assert load_seed_agreements(database, "news", present) == ()


def test_trails_agree_by_their_inner_documents() -> None:
    n, share, difference = trail_agreement(
        [told("abc", 0.8), told("", 0.5), told("xy", 0.6), None, told("p", 0.4)],
        [told("abd", 0.7), told("", 0.5), told("z", 0.9), told("a", 0.1), None],
    )
    assert n == 3
    assert share == pytest.approx((0.5 + 1.0 + 0.0) / 3)
    assert difference == pytest.approx((0.1 + 0.0 + 0.3) / 3)


def test_trails_that_cannot_be_compared_have_no_agreement() -> None:
    n, share, difference = trail_agreement([None, told("a", 0.1)], [told("a", 0.1), None])
    assert (n, math.isnan(share), math.isnan(difference)) == (0, True, True)


def test_topic_agreement_worked_out_by_hand() -> None:
    first = np.array([0, 0, 0, 1, 1, 1])
    second = np.array([0, 0, 1, 1, 2, 2])
    # Pairs together in both: 2; in the first 6, in the second 3, of 15 in all; expected 6 * 3 / 15 = 1.2.
    assert topic_agreement(first, second) == pytest.approx((2 - 1.2) / ((6 + 3) / 2 - 1.2))


@given(st.lists(st.integers(0, 3), min_size=2, max_size=12), st.permutations(range(4)))
def test_topics_agree_wholly_whatever_their_numbers(topics: list[int], numbers: list[int]) -> None:
    first = np.array(topics)
    assert topic_agreement(first, np.array(numbers)[first]) == pytest.approx(1.0)


def test_without_topics_there_is_no_agreement() -> None:
    none, some = np.full(4, -1), np.array([0, 0, 1, 1])
    assert math.isnan(topic_agreement(none, some))
    assert math.isnan(topic_agreement(some, none))


@settings(deadline=None)
@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 30), st.integers(0, 9))
def test_requests_are_between_different_pairs_with_the_earlier_document_first(
    n: int, n_undated: int, n_pairs: int, seed: int
) -> None:
    documents = documents_on_two_themes(n, n_undated=min(n, n_undated))
    requests = sampled_requests(documents, n_pairs, rng=np.random.default_rng(seed))
    n_dated = n - min(n, n_undated)
    usable = n_dated if n_dated > 1 else n
    assert len({(one.source, one.target) for one in requests}) == len(requests) == min(n_pairs, math.comb(usable, 2))
    assert all(one.source < one.target and one.is_chronological == (n_dated > 1) for one in requests)
