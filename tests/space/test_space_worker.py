import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from fake_endpoint import FakeEndpoint
from numpy.typing import NDArray

from narrative_core.errors import Cancelled, EmbeddingUnavailable, InvalidInput, NarrativeError
from narrative_core.records import LandscapeParameters
from narrative_core.space.clustering import cluster
from narrative_core.space.projection import project
from narrative_core.space.wordllama_embedder import WordLlamaEmbedder
from narrative_core.space.worker import PROJECT_ROOT, Json, WorkerStage, parameter_options, run_stage

OPTIONS = parameter_options(LandscapeParameters())
PATIENCE_S = 60.0


def ignore(done: int, total: int) -> None:
    pass


def wait_until(is_so: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE_S
    while not is_so() and time.monotonic() < deadline:
        time.sleep(0.05)
    return is_so()


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the worker's folders are made, and a working directory away from the project."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def leftovers(scratch: Path) -> list[Path]:
    return list(scratch.glob("throughline-*"))


def test_embedding_in_a_child_gives_the_same_vectors_and_reports_by_batch(
    scratch: Path, embedder: WordLlamaEmbedder
) -> None:
    texts = ["moon", "", "القمر", "\ud800 月", *["rocket"] * 300]
    seen: list[tuple[int, int]] = []
    options: dict[str, Json] = {"texts": texts, "model": "wordllama"}
    result = run_stage("embed", {}, options, progress=lambda done, total: seen.append((done, total)))
    np.testing.assert_array_equal(result.arrays["vectors"], embedder.embed(texts))
    assert result.notices == embedder.notices != ()
    assert result.facts == {"model": "wordllama", "version": embedder.version}
    assert (256, 304) in seen
    assert seen[0] == (0, 1)
    assert seen[-1] == (304, 304)
    assert leftovers(scratch) == []


def test_projection_and_clusters_in_a_child_are_those_of_this_process(
    scratch: Path, blobs: NDArray[np.float32]
) -> None:
    seen: list[tuple[int, int]] = []
    projected = run_stage(
        "project", {"vectors": blobs}, OPTIONS, progress=lambda done, total: seen.append((done, total))
    )
    np.testing.assert_array_equal(projected.arrays["projection"], project(blobs, LandscapeParameters()))
    assert seen[-1] == (500, 500)
    assert seen == sorted(seen, key=lambda step: step[0] / step[1])
    clustered = run_stage("cluster", projected.arrays, OPTIONS, progress=ignore)
    expected = cluster(projected.arrays["projection"], LandscapeParameters())
    np.testing.assert_array_equal(clustered.arrays["nearest_topic"], expected.nearest_topic)
    np.testing.assert_array_equal(clustered.arrays["is_outlier"], expected.is_outlier)
    np.testing.assert_array_equal(clustered.arrays["memberships"], expected.memberships)


def test_a_tiny_map_and_its_notices_come_back(scratch: Path) -> None:
    seen: list[tuple[int, int]] = []
    vectors = {"vectors": np.eye(3)}
    result = run_stage("lay_out", vectors, OPTIONS, progress=lambda done, total: seen.append((done, total)))
    assert result.arrays["positions"].shape == (3, 2)
    assert seen[-1] == (1, 1)
    result = run_stage("cluster", {"projection": np.eye(3)}, OPTIONS, progress=ignore)
    assert result.notices[0].startswith("3 documents are too few")


def test_progress_is_asked_while_the_child_is_silent_and_cancelling_kills_it(
    scratch: Path, endpoint: FakeEndpoint
) -> None:
    endpoint.is_silent = True
    calls_while_silent = 0

    def cancel_later(done: int, total: int) -> None:
        nonlocal calls_while_silent
        calls_while_silent += endpoint.was_asked.is_set()
        if calls_while_silent == 4:
            raise Cancelled("The build was stopped.")

    with pytest.raises(Cancelled, match="The build was stopped"):
        run_stage("embed", {}, {"texts": ["moon"], "model": "m", "base_url": endpoint.url}, progress=cancel_later)
    assert endpoint.hung_up.wait(PATIENCE_S)
    assert leftovers(scratch) == []


def test_the_key_reaches_the_endpoint_through_the_environment_alone(scratch: Path, endpoint: FakeEndpoint) -> None:
    options: dict[str, Json] = {"texts": ["moon"], "model": "m", "base_url": endpoint.url}
    result = run_stage("embed", {}, options, progress=ignore, environment={"OPENAI_API_KEY": "sk-1"})
    assert endpoint.keys == ["Bearer sk-1"]
    assert result.arrays["vectors"].shape == (1, 3)


@pytest.mark.parametrize(
    ("stage", "arrays", "options", "expected"),
    [
        ("cluster", {"projection": np.full((2, 2), np.nan)}, OPTIONS, (InvalidInput, "must be a finite table")),
        (
            "embed",
            {},
            {"texts": [""], "model": "m", "base_url": "nowhere"},
            (EmbeddingUnavailable, "must begin with http"),
        ),
        ("cluster", {}, OPTIONS, (NarrativeError, r"^The step cluster failed: KeyError: 'projection'$")),
        ("dance", {}, OPTIONS, (InvalidInput, r"must be one of embed, project, .*; got 'dance'")),
    ],
)
def test_a_failing_child_becomes_one_sentence(
    stage: WorkerStage,
    arrays: dict[str, NDArray[np.float64]],
    options: dict[str, Json],
    expected: tuple[type[NarrativeError], str],
    scratch: Path,
) -> None:
    kind, said = expected
    with pytest.raises(NarrativeError, match=said) as caught:
        run_stage(stage, arrays, options, progress=ignore)
    assert type(caught.value) is kind
    assert "\n" not in str(caught.value)
    assert leftovers(scratch) == []


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX")
def test_a_child_that_the_system_ends_becomes_one_sentence(
    scratch: Path, endpoint: FakeEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint.is_silent = True
    started: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    class Remembered(popen):  # type: ignore[misc, valid-type]
        def __init__(self, *arguments: object, **options: object) -> None:
            super().__init__(*arguments, **options)
            started.append(self)

    def kill(done: int, total: int) -> None:
        if endpoint.was_asked.is_set():
            started[0].send_signal(signal.SIGKILL)

    monkeypatch.setattr("subprocess.Popen", Remembered)
    with pytest.raises(NarrativeError, match=r"was ended by the system \(signal 9\)"):
        run_stage("embed", {}, {"texts": ["moon"], "model": "m", "base_url": endpoint.url}, progress=kill)


def test_object_arrays_are_not_pickled(scratch: Path) -> None:
    with pytest.raises(ValueError, match="allow_pickle"):
        run_stage("project", {"vectors": np.array([object()])}, OPTIONS, progress=ignore)
    assert leftovers(scratch) == []


def test_the_child_ends_with_its_parent(scratch: Path, endpoint: FakeEndpoint) -> None:
    endpoint.is_silent = True
    code = (
        "from narrative_core.space.worker import run_stage\n"
        f"run_stage('embed', {{}}, {{'texts': ['moon'], 'model': 'm', 'base_url': {endpoint.url!r}}},"
        " progress=lambda done, total: None)"
    )
    environment = {**os.environ, "PYTHONPATH": str(PROJECT_ROOT), "TMPDIR": str(scratch), "TEMP": str(scratch)}
    parent = subprocess.Popen([sys.executable, "-c", code], env=environment)
    try:
        assert endpoint.was_asked.wait(PATIENCE_S)
        assert len(leftovers(scratch)) == 1
    finally:
        parent.kill()
        parent.wait()
    assert endpoint.hung_up.wait(PATIENCE_S)
    assert wait_until(lambda: not leftovers(scratch))
