from pathlib import Path

import pytest

from narrative_core import free_memory
from narrative_core.free_memory import available_memory


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine that says nothing of its memory until files are written into the folder."""
    monkeypatch.setattr(free_memory, "_MACHINE", tmp_path / "meminfo")
    monkeypatch.setattr(free_memory, "_CONTAINER", tmp_path)
    monkeypatch.delattr(free_memory.os, "sysconf")
    return tmp_path


def test_what_is_free_is_the_less_of_machine_and_container(system: Path) -> None:
    assert available_memory() is None
    (system / "meminfo").write_text("MemTotal: 9000 kB\nMemAvailable:    4000 kB\n")
    assert available_memory() == 4_096_000
    for name, text in (("max", "3000000\n"), ("current", "2500000\n"), ("stat", "anon 1\ninactive_file 200000\n")):
        (system / f"memory.{name}").write_text(text)
    # What files were read for is given back: 3,000,000 − 2,500,000 + 200,000.
    assert available_memory() == 700_000
    (system / "memory.max").write_text("max\n")
    assert available_memory() == 4_096_000


def test_a_machine_without_that_file_is_asked_for_its_pages(system: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = {"SC_AVPHYS_PAGES": 1000, "SC_PAGE_SIZE": 4096}
    monkeypatch.setattr(free_memory.os, "sysconf", pages.__getitem__, raising=False)
    assert available_memory() == 4_096_000
