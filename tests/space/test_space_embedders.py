import socket

import numpy as np
import pytest
from fake_endpoint import FakeEndpoint

from narrative_core.space.embedders import make_embedder
from narrative_core.space.endpoint_embedder import EndpointEmbedder
from narrative_core.space.wordllama_embedder import WordLlamaEmbedder

TEXTS = [
    "The rocket lifted off from Florida.",
    "A spacecraft was launched into orbit.",
    "The senate passed a tax bill.",
    "مركبة فضائية",
    "航天飞机",
    "x " * 3000,
]


def test_the_default_is_the_local_model() -> None:
    assert isinstance(make_embedder(), WordLlamaEmbedder)


def test_any_other_model_is_asked_of_an_endpoint(endpoint: FakeEndpoint) -> None:
    embedder = make_embedder("some-model", base_url=endpoint.url)
    assert isinstance(embedder, EndpointEmbedder)
    embedder.embed(["moon"])
    assert endpoint.bodies[0]["model"] == "some-model"


def test_the_local_model_never_touches_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the network was touched")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert WordLlamaEmbedder().embed(["moon"]).shape == (1, 256)


def test_local_vectors_are_unit_rows_in_order(embedder: WordLlamaEmbedder) -> None:
    vectors = embedder.embed(TEXTS)
    assert (vectors.shape, vectors.dtype.name) == ((len(TEXTS), 256), "float32")
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    np.testing.assert_array_equal(vectors[2], embedder.embed([TEXTS[2]])[0])
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.1


def test_local_vectors_are_the_same_every_time(embedder: WordLlamaEmbedder) -> None:
    np.testing.assert_array_equal(embedder.embed(TEXTS), WordLlamaEmbedder().embed(TEXTS))


def test_local_vectors_are_those_of_the_packages_own_loader(embedder: WordLlamaEmbedder) -> None:
    from pathlib import Path

    import wordllama

    model = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
    np.testing.assert_allclose(embedder.embed(TEXTS), model.embed(TEXTS, norm=True), atol=2e-6)


def test_texts_without_a_token_get_one_neutral_direction_and_are_counted(embedder: WordLlamaEmbedder) -> None:
    vectors = embedder.embed(["", "moon", "", "\ud800"])
    np.testing.assert_array_equal(vectors[0], vectors[2])
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert embedder.notices[0].startswith("2 documents have no words")
    embedder.embed(["moon"])
    assert embedder.notices == ()


def test_no_text_gives_an_empty_table(embedder: WordLlamaEmbedder) -> None:
    assert embedder.embed([]).shape == (0, 256)


def test_embedding_reports_by_batch(embedder: WordLlamaEmbedder) -> None:
    seen: list[tuple[int, int]] = []
    embedder.embed(["moon"] * 300, lambda done, total: seen.append((done, total)))
    assert seen == [(256, 300), (300, 300)]


def test_the_version_names_package_and_configuration(embedder: WordLlamaEmbedder) -> None:
    assert embedder.version.endswith(" l2_supercat-256")
    assert embedder.version[0].isdigit()
