"""The toy collection as shipped: its stored numbers are those that the method gives, and the program reads it."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from narrative_core.__main__ import main
from narrative_core.bundle import read_landscape, read_vectors
from narrative_core.ingest.builtin import DATA_FOLDER, builtin_documents
from narrative_core.intake import install_shipped
from narrative_core.pipeline import load
from narrative_core.records import Landscape
from narrative_core.store.database import open_database
from narrative_core.trails.coherence import coherence_matrix
from narrative_core.trails.graph import TrailGraph, critical_coherence, day_numbers
from narrative_core.trails.sampling import sample_trails

FOLDER = DATA_FOLDER / "toy"
PAGE = (DATA_FOLDER.parent / "docs" / "toy.md").read_text(encoding="utf-8")
DOCUMENTS, _ = builtin_documents("toy")


def shipped() -> Landscape:
    landscape = read_landscape(FOLDER, DOCUMENTS)
    assert landscape is not None
    return landscape


def computed_graph() -> TrailGraph:
    vectors, landscape = read_vectors(FOLDER), shipped()
    assert vectors is not None
    theta = coherence_matrix(vectors.values, landscape.memberships, divergence=landscape.parameters.divergence)
    return TrailGraph(theta, day_numbers([document.date for document in DOCUMENTS]), critical_coherence(theta))


def test_critical_coherence_is_the_computed_one_and_that_of_the_page() -> None:
    stored = shipped().critical_coherence
    assert stored == pytest.approx(computed_graph().floor, abs=1e-9)
    assert f"critical coherence is {stored:.3f}" in PAGE


def test_median_link_is_the_computed_one() -> None:
    sampled = sample_trails(computed_graph(), 200, rng=np.random.default_rng(42))
    assert shipped().median_link == pytest.approx(sampled.median_link, abs=1e-9)


def test_stored_thresholds_are_no_higher_than_the_links_they_come_from() -> None:
    # They are cut after twelve decimals: the last bits of a coherence differ between machines.
    graph = computed_graph()
    for threshold in (shipped().critical_coherence, shipped().median_link):
        above = graph.coherence[graph.coherence >= threshold]
        assert 1e-14 < above.min() - threshold < 1e-9


def test_topics_are_numbered_by_size_and_every_document_has_its_strongest() -> None:
    landscape = shipped()
    sizes = [topic.size for topic in landscape.topics]
    assert sizes == sorted(sizes, reverse=True) == np.bincount(landscape.nearest_topic).tolist()
    np.testing.assert_array_equal(landscape.nearest_topic, landscape.memberships.argmax(axis=1))
    header = (FOLDER / "memberships.csv").read_text(encoding="utf-8").splitlines()[0]
    assert [topic.label for topic in landscape.topics] == header.split(",")[1:]
    assert not landscape.is_outlier.any()


def test_the_map_has_time_from_left_to_right_and_a_lane_for_each_topic() -> None:
    landscape = shipped()
    assert np.all(np.diff(landscape.positions[:, 0]) > 0)
    lanes = np.linalg.lstsq(landscape.memberships, landscape.positions[:, 1], rcond=None)[0]
    np.testing.assert_allclose(landscape.memberships @ lanes, landscape.positions[:, 1], atol=1e-9)


def test_it_says_that_it_was_set_by_hand(tmp_path: Path) -> None:
    database = open_database(tmp_path / "toy.duckdb")
    install_shipped(database)
    loaded = load(database, "toy")
    database.close()
    assert (loaded.vectors.model, loaded.vectors.version) == ("set by hand", "1")
    assert any("set by hand" in notice for notice in loaded.landscape.notices)


def test_the_command_line_gives_the_trail_of_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, last = DOCUMENTS[0].document_id, DOCUMENTS[-1].document_id
    assert main(["--db", str(tmp_path / "toy.duckdb"), "trail", "toy", first, last, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    chain = told["documents"][0] + "".join(
        f" –{strength:.3f}→ {document}"
        for strength, document in zip(told["strengths"], told["documents"][1:], strict=True)
    )
    trail_section = PAGE.split("## The trail")[1]
    assert chain in trail_section
    assert re.search(r"bottleneck (\d\.\d+)", trail_section)[1] == f"{told['bottleneck']:.3f}"  # type: ignore[index]
