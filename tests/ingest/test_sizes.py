from pathlib import Path

import pytest

from narrative_core import free_memory
from narrative_core.errors import InvalidInput
from narrative_core.ingest.sizes import MAX_BYTES, MemoryEstimate, estimate_memory, refuse_too_large
from narrative_core.ingest.source_kinds import KIND_NAMES


def test_every_kind_has_a_limit_and_an_estimate_that_grows_with_the_file() -> None:
    assert set(MAX_BYTES) == set(KIND_NAMES)
    for kind in MAX_BYTES:
        assert estimate_memory(2_000_000, kind).needed - estimate_memory(1_000_000, kind).needed >= 1_000_000


def test_a_file_over_the_limit_is_refused_with_both_numbers() -> None:
    with pytest.raises(InvalidInput, match=r"BibTeX may have at most 50\.0 MB; all\.bib has 60\.0 MB\. Split it"):
        refuse_too_large(60_000_000, "bibtex", "all.bib")


def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, free_kb: int, limit: str = "max") -> None:
    (tmp_path / "meminfo").write_text(f"MemTotal: 9 kB\nMemAvailable: {free_kb} kB\n")
    (tmp_path / "memory.max").write_text(limit)
    (tmp_path / "memory.current").write_text("100000000")
    monkeypatch.setattr(free_memory, "_MACHINE", tmp_path / "meminfo")
    monkeypatch.setattr(free_memory, "_CONTAINER", tmp_path)


def test_a_file_that_takes_more_memory_than_is_free_is_refused_with_the_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine(tmp_path, monkeypatch, free_kb=500_000)
    with pytest.raises(
        InvalidInput, match=r"n\.csv \(150\.0 MB\) takes about [\d,]+ MB of memory of 512 MB that are free"
    ):
        refuse_too_large(150_000_000, "csv", "n.csv")
    refuse_too_large(1_000_000, "csv", "n.csv")


def test_the_limit_of_a_container_counts_where_it_is_lower(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(tmp_path, monkeypatch, free_kb=8_000_000, limit="300000000")
    assert free_memory.available_memory() == 200_000_000


def test_a_machine_that_does_not_say_is_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(tmp_path, monkeypatch, free_kb=1)
    (tmp_path / "meminfo").unlink()
    monkeypatch.delattr(free_memory.os, "sysconf")
    assert free_memory.available_memory() is None
    assert MemoryEstimate(10**15, None).is_enough
    refuse_too_large(150_000_000, "csv", "n.csv")
