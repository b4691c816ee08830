"""How large a file may be, and how much memory it takes to read it: known before a byte of it is read."""

from collections.abc import Mapping
from dataclasses import dataclass

from narrative_core.errors import InvalidInput
from narrative_core.free_memory import available_memory
from narrative_core.ingest.source_kinds import KIND_NAMES, FileKind

MAX_BYTES: Mapping[FileKind, int] = {
    "csv": 200_000_000,
    "json": 200_000_000,
    "jsonl": 200_000_000,
    "bibtex": 50_000_000,
    "ris": 50_000_000,
    "feed": 50_000_000,
    "xlsx": 100_000_000,
    "parquet": 500_000_000,
    "zip": 1_000_000_000,
    "folder": 2_000_000_000,
    "files": 2_000_000_000,
}
_FACTORS: Mapping[FileKind, float] = {
    "csv": 13.0,
    "json": 9.0,
    "jsonl": 10.5,
    "bibtex": 11.5,
    "ris": 13.5,
    "feed": 16.5,
    "xlsx": 7.5,
    "parquet": 9.0,
    "zip": 8.0,
    "folder": 3.5,
    "files": 3.5,
}
_FIXED_BYTES = 100_000_000
_MAX_SHARE = 0.9


@dataclass(frozen=True, slots=True)
class MemoryEstimate:
    """Bytes that reading a file takes at most, and those that are free on this machine; ``None`` is unknown."""

    needed: int
    available: int | None

    @property
    def is_enough(self) -> bool:
        """Whether there is enough; where nobody knows, there is."""
        return self.available is None or self.needed <= _MAX_SHARE * self.available

    def __str__(self) -> str:
        needed = f"about {self.needed / 1e6:,.0f} MB of memory"
        return needed if self.available is None else f"{needed} of {self.available / 1e6:,.0f} MB that are free"


def estimate_memory(n_bytes: int, kind: FileKind) -> MemoryEstimate:
    """Return what it takes to make documents of a file of some size.

    The estimate is a fixed part for the libraries and a multiple of the size of the file: what a process grew by at its
    peak, from the bytes to the documents, and a quarter more. That was measured with 20,000 articles of 2,000
    characters, a tenth of them with a sign that takes Python to four bytes a character (``benchmarks/import_memory``):
    10.3 for CSV, 6.9 JSON, 8.1 JSON lines, 9.0 BibTeX, 10.7 RIS, 13.0 feeds; of the packed size 5.9 for Excel
    workbooks, 7.2 Parquet, 6.4 zip archives of texts. A folder is such an archive unpacked, 2.6. Texts that pack better
    than made-up words take more; what a workbook, a Parquet file or an archive unpacks to has a limit of its own.

    Examples
    --------
    >>> estimate_memory(10_000_000, "csv").needed
    230000000
    """
    return MemoryEstimate(int(_FIXED_BYTES + n_bytes * _FACTORS[kind]), available_memory())


def refuse_too_large(n_bytes: int, kind: FileKind, filename: str) -> None:
    """Raise where a file is larger than what is read, or than this machine has memory for.

    Raises
    ------
    InvalidInput
        With the numbers and what to do.
    """
    if n_bytes > MAX_BYTES[kind]:
        raise InvalidInput(
            f"{KIND_NAMES[kind]} may have at most {MAX_BYTES[kind] / 1e6:,.1f} MB; {filename} has "
            f"{n_bytes / 1e6:,.1f} MB. Split it or take a sample."
        )
    estimate = estimate_memory(n_bytes, kind)
    if not estimate.is_enough:
        raise InvalidInput(
            f"there must be enough memory to read a file; {filename} ({n_bytes / 1e6:,.1f} MB) takes {estimate}. "
            "Close other programs, split it or take a sample."
        )
