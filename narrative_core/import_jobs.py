"""Reading, comparing and storing a file as background work that lets go at once when a person stops it."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from narrative_core.differences import Difference
from narrative_core.errors import Cancelled
from narrative_core.ingest.columns import ColumnChoice, detect_columns
from narrative_core.ingest.dates import DateOrder
from narrative_core.ingest.documents import Loaded, build_documents
from narrative_core.ingest.feed_address import fetch_feed
from narrative_core.ingest.loose_files import read_loose_files
from narrative_core.ingest.own_vectors import read_vectors
from narrative_core.ingest.sources import read_source
from narrative_core.ingest.tables import RawTable
from narrative_core.intake import import_table
from narrative_core.jobs import Report
from narrative_core.records import Collection, LoadReport, Progress
from narrative_core.store.database import Database
from narrative_core.store.vectors import load_vectors
from narrative_core.updates import compare

Returned = TypeVar("Returned")
STORE: Final = "store"
"""The last stage of an import: once it has begun, it is finished."""

_LOOK_EVERY_S: Final = 0.15


@dataclass(frozen=True, slots=True)
class Origin:
    """Where documents come from: a file that was handed over, several, or the address of a feed.

    ``key`` tells it from every other · ``files`` (path, content) are documents by themselves, one a file.
    """

    key: str
    name: str
    data: bytes = b""
    address: str = ""
    files: tuple[tuple[str, bytes], ...] = ()

    @property
    def n_bytes(self) -> int:
        """The size of all that was handed over."""
        return len(self.data) + sum(len(data) for _, data in self.files)


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """What a person says of a file where it is understood wrongly; ``None`` is as detected."""

    encoding: str | None = None
    delimiter: str | None = None
    sheet: str | None = None


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file that was read: its rows, the columns that they seem to mean, and its name."""

    name: str
    table: RawTable
    detected: ColumnChoice


@dataclass(frozen=True, slots=True, eq=False)
class Meaning:
    """What a person confirmed of a file: its columns, the order of day and month, and own vectors (``.npy``) if any."""

    choice: ColumnChoice
    date_order: DateOrder | None = None
    npy: bytes | None = None

    def vectors(self, table: RawTable) -> NDArray[np.float32] | None:
        """Return the vectors that were brought beside the file.

        Raises
        ------
        InvalidInput
            If they do not fit the rows.
        """
        return None if self.npy is None else read_vectors(self.npy, table.n_read)


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """The documents of a file, what they would change in a collection, and what its vectors are from ("" without)."""

    loaded: Loaded
    difference: Difference
    model: str = ""


def read_origin(origin: Origin, options: ReadingOptions, report: Report) -> ReadFile:
    """Return the rows of a file or feed; stages "fetch" and "read".

    Raises
    ------
    InvalidInput
        If it cannot be fetched or read.
    Cancelled
        From ``report``.
    """

    def work(tell: Report) -> ReadFile:
        name, data = origin.name, origin.data
        if origin.address:
            tell("fetch", 0, 0)
            data, name = fetch_feed(origin.address)
        tell("read", 0, 0)
        progress: Progress = partial(tell, "read")
        if origin.files:
            table = read_loose_files(origin.files, name, progress=progress)
        else:
            table = read_source(
                data,
                name,
                encoding=options.encoding,
                delimiter=options.delimiter,
                sheet=options.sheet,
                progress=progress,
            )
        return ReadFile(name, table, detect_columns(table))

    return attended(work, report)


def store_file(
    database: Database, collection: Collection, table: RawTable, meaning: Meaning, report: Report
) -> LoadReport:
    """Store a file as a new collection, and return what became of each row; see `import_table`."""

    def work(tell: Report) -> LoadReport:
        tell("documents", 0, 0)
        return import_table(
            database,
            collection,
            table,
            meaning.choice,
            date_order=meaning.date_order,
            vectors=meaning.vectors(table),
            progress=tell,
        )

    return attended(work, report)


def compare_file(database: Database, name: str, table: RawTable, meaning: Meaning, report: Report) -> Compared:
    """Return what a file would change in a collection; nothing is stored. Stages "documents" and "compare"."""

    def work(tell: Report) -> Compared:
        tell("documents", 0, 0)
        vectors = meaning.vectors(table)
        loaded = build_documents(table, meaning.choice, date_order=meaning.date_order, vectors=vectors)
        tell("compare", 0, 0)
        found = compare(database, name, loaded)
        vectors_here = load_vectors(database, name)
        return Compared(loaded, found, vectors_here.model if vectors_here else "")

    return attended(work, report)


def attended(work: Callable[[Report], Returned], report: Report) -> Returned:
    """Return what work returns, or let go of it as soon as a person stops it, even between its own reports.

    The work runs on a thread of its own; at its next report after it was let go it ends too, with nothing stored. From
    the stage "store" on it is no longer let go.

    Raises
    ------
    Cancelled
        From ``report``.
    """
    attention = _Attention()
    result: Future[Returned] = Future()

    def run() -> None:
        try:
            result.set_result(work(attention.hear))
        except BaseException as error:  # noqa: BLE001  the thread's border: whatever happened is raised by the waiting one
            result.set_exception(error)

    thread = threading.Thread(target=run, name="reading", daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(_LOOK_EVERY_S)
        try:
            report(*attention.heard)
        except Cancelled:
            if thread.is_alive() and attention.let_go():
                raise
            thread.join()
    return result.result()


class _Attention:
    """What the one that waits has heard of the work, and whether it still listens."""

    def __init__(self) -> None:
        self.heard: tuple[str, int, int] = ("", 0, 0)
        self._lock = threading.Lock()
        self._is_let_go = False

    def hear(self, stage: str, done: int, total: int) -> None:
        """Take a report of the work."""
        with self._lock:
            if self._is_let_go:
                raise Cancelled("The work was stopped.")
            self.heard = (stage, done, total)

    def let_go(self) -> bool:
        """Stop listening, and return whether that was still possible."""
        with self._lock:
            self._is_let_go = self.heard[0] != STORE
            return self._is_let_go
