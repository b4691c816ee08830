"""Writing judgements while more are being asked for: a thread of its own, so that the disk holds nobody up."""

import queue
import threading
from types import TracebackType
from typing import Self

from narrative_core.judgements import Judgement
from narrative_core.store.database import Database
from narrative_core.store.judgements import save_judgements


class JudgementWriter:
    """Saves judgements as they come, in the order in which they come, several at once where they come fast.

    A context: leaving it waits until all are saved, whatever ended it. A judgement is in the file some milliseconds
    after it was handed over, so that a kill loses no more than what came in those.

    Parameters
    ----------
    database : Database
        Where to.
    collection : str
        Name of the collection that the stories are from.
    """

    def __init__(self, database: Database, collection: str) -> None:
        self._database, self._collection = database, collection
        self._waiting: queue.SimpleQueue[Judgement | None] = queue.SimpleQueue()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._write, name="judgement writer", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._waiting.put(None)
        self._thread.join()
        if self._failure is not None:
            # What was told as kept is not: that goes before whatever ended the work.
            raise self._failure from error

    def save(self, judgement: Judgement) -> None:
        """Hand a judgement over to be saved.

        Raises
        ------
        StoreError, InvalidInput
            If an earlier one could not be saved.
        """
        self._raise_failure()
        self._waiting.put(judgement)

    def _write(self) -> None:
        is_open = True
        while is_open:
            batch = [self._waiting.get()]
            while not self._waiting.empty():
                batch.append(self._waiting.get())
            is_open = None not in batch
            judgements = [judgement for judgement in batch if judgement is not None]
            if not judgements or self._failure is not None:
                continue
            try:
                save_judgements(self._database, self._collection, judgements)
            except BaseException as failure:  # noqa: BLE001  the thread's border: raised again by whoever hands over
                self._failure = failure

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure
