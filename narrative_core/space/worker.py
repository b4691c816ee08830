"""Heavy stages in a process of their own, so that the page stays usable and a cancel takes effect at once.

Parent and child share a folder: ``options.json`` and ``arrays.npz`` go in, ``result.npz`` comes out. The child says on
standard output, one JSON object a line, how far it is and how it ended. It ends when its standard input does, that is,
also when the parent dies.
"""

import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import EmbeddingUnavailable, InvalidInput, NarrativeError
from narrative_core.records import LandscapeParameters, Progress

WorkerStage = Literal["embed", "project", "lay_out", "cluster", "place_on_map", "place_in_topics"]
Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]
Arrays = Mapping[str, NDArray[Any]]

HEARTBEAT_S = 0.1
OPTIONS, ARRAYS, RESULT, ERRORS = "options.json", "arrays.npz", "result.npz", "errors.txt"
TOPIC_ARRAYS = ("nearest_topic", "is_outlier", "memberships")
PROJECT_ROOT = Path(__file__).resolve().parents[2]
KINDS = {kind.__name__: kind for kind in (NarrativeError, InvalidInput, EmbeddingUnavailable)}


@dataclass(frozen=True, slots=True, eq=False)
class StageResult:
    """What a stage made: its arrays by name, sentences on what was adapted, and facts such as the model's version."""

    arrays: Arrays
    notices: tuple[str, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)


def parameter_options(parameters: LandscapeParameters) -> dict[str, Json]:
    """The options of every stage but "embed"."""
    return {"parameters": asdict(parameters)}


def run_stage(
    stage: WorkerStage,
    arrays: Arrays,
    options: Mapping[str, Json],
    *,
    progress: Progress,
    environment: Mapping[str, str] | None = None,
) -> StageResult:
    """The result of one stage, computed in a child process.

    =============== ==================================== ====================== ======================================
    stage           arrays in                            options                arrays out
    =============== ==================================== ====================== ======================================
    embed                                                texts, model, base_url vectors (facts: model, version)
    project         vectors                              parameters             projection
    lay_out         vectors                              parameters             positions
    cluster         projection                           parameters             nearest_topic, is_outlier, memberships
    place_on_map    those of a landscape, new, standing  parameters             positions
    place_in_topics those of a landscape, new            parameters             as cluster, and projection
    =============== ==================================== ====================== ======================================

    Those of a landscape: vectors, positions, nearest_topic, is_outlier, memberships; and projection where it was kept.

    Parameters
    ----------
    stage : WorkerStage
    arrays : mapping of str to array
        No object arrays: they would have to be pickled.
    options : mapping
        What JSON can say; `parameter_options` makes those of every stage but "embed".
    progress : callable
        Called with (done, total) whenever the child reports and at least every 0.2 s; what it raises, `Cancelled` above
        all, kills the child and comes out of here.
    environment : mapping, optional
        Variables for the child besides the parent's own, such as ``OPENAI_API_KEY``: a key is never written to a file.

    Raises
    ------
    InvalidInput
        If the stage is unknown or the child refuses its input.
    EmbeddingUnavailable
        If the child cannot embed.
    NarrativeError
        If the child fails in any other way, with the last line of what it said.
    """
    if stage not in get_args(WorkerStage):
        raise InvalidInput(f"a stage must be one of {', '.join(get_args(WorkerStage))}; got {stage!r}.")
    with tempfile.TemporaryDirectory(prefix="throughline-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / OPTIONS).write_text(json.dumps({"stage": stage, **options}), encoding="ascii")
        np.savez(folder / ARRAYS, allow_pickle=False, **{key: np.asarray(value) for key, value in arrays.items()})
        process = _start(folder, environment or {})
        try:
            ending = _follow(process, progress)
            status = process.wait()
        finally:
            _stop(process)
        if status != 0 or "notices" not in ending:
            raise _failure(stage, ending, status, folder / ERRORS)
        with np.load(folder / RESULT, allow_pickle=False) as result:
            made = {key: result[key] for key in result.files}
        progress(ending["total"], ending["total"])
        return StageResult(made, tuple(ending["notices"]), ending["facts"])


def _start(folder: Path, environment: Mapping[str, str]) -> "subprocess.Popen[bytes]":
    path = os.pathsep.join(filter(None, (str(PROJECT_ROOT), os.environ.get("PYTHONPATH", ""))))
    with (folder / ERRORS).open("wb") as said:
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "narrative_core.space.worker", str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
            env={**os.environ, **environment, "PYTHONPATH": path},
        )


def _follow(process: "subprocess.Popen[bytes]", progress: Progress) -> dict[str, Any]:
    """Report progress until the child is silent; its last message that is not about progress."""
    lines: queue.Queue[bytes | None] = queue.Queue()
    threading.Thread(target=_read, args=(process.stdout or (), lines), daemon=True).start()
    done, total, ending = 0, 1, dict[str, Any]()
    while True:
        progress(done, total)
        try:
            line = lines.get(timeout=HEARTBEAT_S)
        except queue.Empty:
            continue
        if line is None:
            return ending
        message = json.loads(line)
        if "done" in message:
            done, total = message["done"], message["total"]
        else:
            ending = message


def _read(stream: Iterable[bytes], lines: "queue.Queue[bytes | None]") -> None:
    for line in stream:
        lines.put(line)
    lines.put(None)


def _stop(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        process.kill()
        process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            stream.close()


def _failure(stage: str, ending: Mapping[str, Any], status: int, errors: Path) -> NarrativeError:
    if "error" in ending:
        return KINDS[ending["error"]](ending["message"])
    if status < 0:
        return NarrativeError(
            f"The step {stage} was ended by the system (signal {-status}), often for lack of memory. "
            "Close other programs, or use fewer documents."
        )
    said = errors.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return NarrativeError(f"The step {stage} failed: {said[-1] if said else f'exit status {status}'}")


def _work(stage: WorkerStage, arrays: Arrays, options: Mapping[str, Any], progress: Progress) -> StageResult:
    """One stage, in this process."""
    if stage == "embed":
        from narrative_core.space.embedders import make_embedder

        embedder = make_embedder(options["model"], base_url=options.get("base_url"))
        vectors = embedder.embed(options["texts"], progress)
        return StageResult(
            {"vectors": vectors}, embedder.notices, {"model": embedder.model, "version": embedder.version}
        )
    parameters = LandscapeParameters(**options["parameters"])
    if stage == "cluster":
        from narrative_core.space.clustering import cluster

        found = cluster(arrays["projection"], parameters)
        return StageResult({name: getattr(found, name) for name in TOPIC_ARRAYS}, found.notices)
    if stage in ("place_on_map", "place_in_topics"):
        return _place(stage, arrays, parameters, progress)
    from narrative_core.space.projection import lay_out, project

    if stage == "project":
        return StageResult({"projection": project(arrays["vectors"], parameters, progress=progress)})
    return StageResult({"positions": lay_out(arrays["vectors"], parameters, progress=progress)})


def _place(stage: WorkerStage, arrays: Arrays, parameters: LandscapeParameters, progress: Progress) -> StageResult:
    """Where documents that came later stand, beside those that a landscape was fitted on."""
    from narrative_core.space.clustering import Clustering
    from narrative_core.space.placement import Fitted, place_in_topics, place_on_map

    topics = Clustering(arrays["nearest_topic"], arrays["is_outlier"], arrays["memberships"])
    fitted = Fitted(arrays["vectors"], arrays["positions"], arrays.get("projection"), topics)
    if stage == "place_on_map":
        placed = place_on_map(fitted, arrays["new"], arrays["standing"], parameters, progress=progress)
        return StageResult({"positions": placed})
    found = place_in_topics(fitted, arrays["new"], parameters, progress=progress)
    made = {name: getattr(found.topics, name) for name in TOPIC_ARRAYS}
    return StageResult({**made, "projection": found.projection}, found.topics.notices)


def _child(folder: Path) -> int:
    """Do what the folder asks for; the exit status."""
    # Libraries print: the pipe to the parent is kept apart, and what they print goes to the file of errors.
    pipe = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    threading.Thread(target=_end_with_parent, args=(folder,), daemon=True).start()

    def say(message: Mapping[str, Json]) -> None:
        pipe.write(json.dumps(message) + "\n")
        pipe.flush()

    total = 1

    def report(done: int, in_all: int) -> None:
        nonlocal total
        total = in_all
        say({"done": done, "total": total})

    options = json.loads((folder / OPTIONS).read_text(encoding="ascii"))
    try:
        with np.load(folder / ARRAYS, allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
        result = _work(options.pop("stage"), arrays, options, report)
    except NarrativeError as error:
        kind = next(base.__name__ for base in type(error).__mro__ if base.__name__ in KINDS)
        say({"error": kind, "message": str(error)})
        return 1
    np.savez(folder / RESULT, allow_pickle=False, **result.arrays)
    say({"notices": list(result.notices), "facts": dict(result.facts), "total": total})
    return 0


def _end_with_parent(folder: Path) -> None:
    """Wait for the end of standard input; the parent holds it open as long as it lives and wants the result."""
    while os.read(0, 1024):
        pass
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)


if __name__ == "__main__":
    sys.exit(_child(Path(sys.argv[1])))
