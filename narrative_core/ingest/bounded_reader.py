"""Reading files of strangers with a bound on time and memory: in a child process that can be ended at any moment."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from narrative_core.errors import InvalidInput
from narrative_core.ingest.file_content import FileContent
from narrative_core.ingest.file_kinds import FileFormat

FILE_TIMEOUT_S = 120.0
HEARTBEAT_S = 0.1
_WORKER = "narrative_core.ingest.file_worker"
_PROJECT_ROOT = Path(__file__).resolve().parents[2]


class BoundedReader:
    """Reads one file after another in a child, which is started at the first and again after it had to be ended.

    Use it as a context: leaving it ends the child.

    Parameters
    ----------
    timeout_s : float
        How long one file may take.
    """

    def __init__(self, *, timeout_s: float = FILE_TIMEOUT_S) -> None:
        self._timeout_s = timeout_s
        self._process: subprocess.Popen[bytes] | None = None
        # The pipes block, so that a thread of its own waits at them while this one watches the clock.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="file-reader")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._end_child()
        self._thread.shutdown()

    def read(self, data: bytes, file_format: FileFormat, *, tick: Callable[[], None]) -> FileContent:
        """Return the content of a file.

        Parameters
        ----------
        data : bytes
        file_format : FileFormat
        tick : callable
            Called at least every 0.2 s; what it raises, `Cancelled` above all, ends the child and comes out of here.

        Raises
        ------
        InvalidInput
            If the file cannot be read, or not within the bounds; the message is the end of a sentence that begins with
            its name.
        """
        process = self._process = self._process or _start()
        exchange = self._thread.submit(_exchange, process, file_format, data)
        try:
            self._await(exchange, tick)
        except BaseException:
            self._end_child(exchange)
            raise
        line = exchange.result()
        if not line.endswith(b"\n"):
            self._end_child(exchange)
            raise InvalidInput(
                "cannot be read: its reader ended, most often for lack of memory. Split it, or save it in "
                "another format"
            )
        said: dict[str, Any] = json.loads(line)
        if "reason" in said:
            raise InvalidInput(said["reason"])
        content = said["content"]
        return FileContent(**{**content, "remarks": tuple(content["remarks"])})

    def _await(self, exchange: "Future[bytes]", tick: Callable[[], None]) -> None:
        latest = time.monotonic() + self._timeout_s
        while not exchange.done():
            tick()
            if time.monotonic() > latest:
                raise InvalidInput(
                    f"takes longer than {self._timeout_s:,.0f} s to read, so it was left: split it, or save it in "
                    "another format"
                )
            wait([exchange], timeout=HEARTBEAT_S)

    def _end_child(self, exchange: "Future[bytes] | None" = None) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        if exchange is not None:
            wait([exchange])
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):  # What was still to be written has no reader any more.
                    stream.close()


def _start() -> "subprocess.Popen[bytes]":
    path = os.pathsep.join(filter(None, (str(_PROJECT_ROOT), os.environ.get("PYTHONPATH", ""))))
    return subprocess.Popen(
        [sys.executable, "-P", "-m", _WORKER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1"},
    )


def _exchange(process: "subprocess.Popen[bytes]", file_format: FileFormat, data: bytes) -> bytes:
    """Hand over a file; the line that comes back, without its end where the child died."""
    if process.stdin is None or process.stdout is None:
        return b""
    try:
        process.stdin.write(json.dumps({"format": file_format, "size": len(data)}).encode() + b"\n")
        process.stdin.write(data)
        process.stdin.flush()
        return process.stdout.readline()
    except (OSError, ValueError):
        return b""
