"""Equality with the numbers of the reference study's news collection, which live beside the project."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from narrative_core.errors import NoTrail, NoTrailReason
from narrative_core.trails.capacity import maximum_capacity_trail, strongest_trail
from narrative_core.trails.coherence import coherence_matrix, link_similarities
from narrative_core.trails.graph import TrailGraph, critical_coherence, day_numbers

NEWS = Path(__file__).resolve().parents[2].parent / "shared" / "reference" / "news"
SAME = 1e-9

pytestmark = pytest.mark.skipif(
    not (NEWS / "golden.json").exists(), reason=f"the reference data is not at {NEWS}; see docs of shared/reference"
)


@pytest.fixture(scope="module")
def golden() -> dict[str, Any]:
    numbers: dict[str, Any] = json.loads((NEWS / "golden.json").read_text(encoding="utf-8"))
    return numbers


@pytest.fixture(scope="module")
def vectors() -> NDArray[np.float32]:
    values: NDArray[np.float32] = np.load(NEWS / "vectors.npy", allow_pickle=False)
    return values


@pytest.fixture(scope="module")
def memberships() -> NDArray[np.float64]:
    values: NDArray[np.float64] = np.load(NEWS / "memberships.npy", allow_pickle=False)
    return values


@pytest.fixture(scope="module")
def dates() -> list[str]:
    import pandas as pd

    return [str(date) for date in pd.read_csv(NEWS / "documents.csv", usecols=["date"])["date"]]


@pytest.fixture(scope="module")
def theta(vectors: NDArray[np.float32], memberships: NDArray[np.float64]) -> NDArray[np.float64]:
    return coherence_matrix(vectors, memberships)


@pytest.fixture(scope="module")
def critical(theta: NDArray[np.float64]) -> float:
    return critical_coherence(theta)


def test_the_parts_of_coherence_are_the_references(
    golden: dict[str, Any],
    vectors: NDArray[np.float32],
    memberships: NDArray[np.float64],
    theta: NDArray[np.float64],
) -> None:
    assert len(golden["theta_checks"]) == 5
    for i, j, wording, root, plain, coherence in golden["theta_checks"]:
        pair = [i, j]
        s, t_root = link_similarities(vectors[pair], memberships[pair], divergence="root")
        _, t_plain = link_similarities(vectors[pair], memberships[pair], divergence="plain")
        assert s[0] == pytest.approx(wording, abs=SAME)
        assert t_root[0] == pytest.approx(root, abs=SAME)
        assert t_plain[0] == pytest.approx(plain, abs=SAME)
        assert theta[i, j] == pytest.approx(coherence, abs=SAME)


def test_the_mean_coherence_of_all_pairs_is_the_references(golden: dict[str, Any], theta: NDArray[np.float64]) -> None:
    assert theta.shape == (golden["n_docs"], golden["n_docs"])
    mean = theta[np.triu_indices(len(theta), 1)].mean()
    assert mean == pytest.approx(golden["theta_mean_upper"], abs=SAME)


def test_the_floor_of_topic_similarity_is_the_references(golden: dict[str, Any]) -> None:
    _, topic = link_similarities([[1.0], [1.0]], np.eye(2))
    assert topic[0] == pytest.approx(golden["topic_similarity_floor"], abs=SAME)


def test_the_critical_coherence_is_the_references(golden: dict[str, Any], critical: float) -> None:
    assert critical == pytest.approx(golden["critical_coherence"], abs=SAME)


def test_as_many_directed_links_remain_as_in_the_reference(
    golden: dict[str, Any], theta: NDArray[np.float64], critical: float, dates: list[str]
) -> None:
    graph = TrailGraph(theta, day_numbers(dates), critical)
    remaining = sum(np.isfinite(graph.links_from(row)).sum() for row in range(len(theta)))
    assert remaining == golden["edges_after_threshold_and_dates"]


def test_every_trail_is_the_references_document_by_document(
    golden: dict[str, Any], theta: NDArray[np.float64], critical: float, dates: list[str]
) -> None:
    assert len(golden["trails"]) == 40
    for expected in golden["trails"]:
        trail = maximum_capacity_trail(theta, expected["source"], expected["target"], dates=dates, floor=critical)
        assert list(trail.documents) == expected["path"]
        assert trail.bottleneck == pytest.approx(expected["bottleneck"], abs=SAME)
        assert np.mean(trail.strengths) == pytest.approx(expected["mean"], abs=SAME)


def test_pairs_without_a_trail_in_the_reference_have_none(
    golden: dict[str, Any], theta: NDArray[np.float64], critical: float, dates: list[str]
) -> None:
    graph = TrailGraph(theta, day_numbers(dates), critical)
    assert len(golden["no_trail_pairs"]) == 5
    for source, target in golden["no_trail_pairs"]:
        with pytest.raises(NoTrail) as caught:
            strongest_trail(graph, source, target)
        assert caught.value.reason is NoTrailReason.NO_PATH
