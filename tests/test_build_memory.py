import pytest

from narrative_core import build_memory as module
from narrative_core.build_memory import PROGRAMS, build_memory, require_memory
from narrative_core.errors import InvalidInput


def test_the_estimate_grows_with_the_square_of_the_documents() -> None:
    # 12 · 10,000² + 6 · 4 · 10,000 · 100 = 1.2 GB + 24 MB beside the programs.
    assert build_memory(10_000, 100) == PROGRAMS + 1_200_000_000 + 24_000_000
    assert build_memory(10_000) == build_memory(10_000, 1536)


def test_more_than_is_free_is_refused_with_the_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "available_memory", lambda: 1_000_000_000)
    with pytest.raises(
        InvalidInput, match=r"news has 12,000 documents; .* about 3\.1 GB of memory, and 1\.0 GB are free"
    ):
        require_memory("news", 12_000)
    require_memory("news", 5_000)


def test_where_the_system_does_not_say_nothing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "available_memory", lambda: None)
    require_memory("news", 1_000_000)
