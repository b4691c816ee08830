from collections.abc import Iterator

import numpy as np
import pytest
from fake_endpoint import FakeEndpoint
from numpy.typing import NDArray

from narrative_core.space.wordllama_embedder import WordLlamaEmbedder


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeEndpoint]:
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    server = FakeEndpoint()
    yield server
    server.close()


@pytest.fixture(scope="session")
def embedder() -> WordLlamaEmbedder:
    return WordLlamaEmbedder()


@pytest.fixture(scope="session")
def blobs() -> NDArray[np.float32]:
    """Four groups of 30, 25, 20 and 15 unit vectors, well apart, in that order."""
    rng = np.random.default_rng(7)
    rows = np.repeat(np.linalg.qr(rng.normal(size=(32, 4)))[0].T, [30, 25, 20, 15], axis=0)
    rows = rows + rng.normal(size=rows.shape) * 0.04
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)
