"""What the commands have in common: JSON, progress on standard error, a stop between two reports."""

import json
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


def print_json(facts: dict[str, Any]) -> None:
    """Print one JSON object; unknown numbers are null by then."""
    print(json.dumps(facts, ensure_ascii=False, indent=2))


class StageLines:
    """Tells the stages of long work on standard error, a line each; raises `KeyboardInterrupt` once it is stopped."""

    def __init__(self, is_stopped: threading.Event) -> None:
        self._stage = ""
        self._is_stopped = is_stopped

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Take a report of the work."""
        if self._is_stopped.is_set():
            raise KeyboardInterrupt
        if stage != self._stage:
            self._stage = stage
            print(f"{stage} …", file=sys.stderr)


@contextmanager
def stopped_between_reports() -> Iterator[threading.Event]:
    """Let Ctrl-C take effect where a build reports, not in the middle of a write or of a child's start."""
    is_stopped = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield is_stopped
        return
    former = signal.signal(signal.SIGINT, lambda number, frame: is_stopped.set())
    try:
        yield is_stopped
    finally:
        signal.signal(signal.SIGINT, former)
