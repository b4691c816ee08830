import socket
from collections.abc import Callable

import numpy as np
import pytest
from fake_endpoint import FakeEndpoint, Reply, good, vector_of

from narrative_core.errors import EmbeddingUnavailable
from narrative_core.space.endpoint_embedder import BATCH_BYTES, MAX_TEXT_BYTES, EndpointEmbedder

KEY = "sk-secret-123"


def embedder(endpoint: FakeEndpoint, *, max_retries: int = 0, timeout_s: float = 30.0) -> EndpointEmbedder:
    return EndpointEmbedder("m", base_url=endpoint.url, api_key=KEY, max_retries=max_retries, timeout_s=timeout_s)


def failure(
    endpoint: FakeEndpoint, answer: Callable[[list[str]], Reply], *, max_retries: int = 0, timeout_s: float = 30.0
) -> str:
    endpoint.answer = answer
    with pytest.raises(EmbeddingUnavailable) as caught:
        embedder(endpoint, max_retries=max_retries, timeout_s=timeout_s).embed(["moon", "stars"])
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    message = str(caught.value)
    assert KEY not in message
    return message


def refusing(status: int) -> Callable[[list[str]], Reply]:
    return lambda texts: (status, {"error": {"message": f"no: {KEY}", "type": "t", "param": None, "code": None}})


def data(*items: tuple[int, list[float]]) -> Callable[[list[str]], Reply]:
    rows = [{"object": "embedding", "index": index, "embedding": vector} for index, vector in items]
    return lambda texts: (200, {"object": "list", "model": "m", "data": rows, "usage": {}})


def test_vectors_are_unit_rows_in_the_order_of_the_texts(endpoint: FakeEndpoint) -> None:
    texts = ["a" * 9, "b", "c" * 4]
    vectors = embedder(endpoint).embed(texts)
    expected = np.array([vector_of(text) for text in texts])
    np.testing.assert_allclose(vectors, expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-6)
    assert vectors.dtype == np.float32
    assert endpoint.keys == [f"Bearer {KEY}"]


def test_texts_go_out_in_batches_that_limit_items_and_bytes(endpoint: FakeEndpoint) -> None:
    seen: list[tuple[int, int]] = []
    vectors = embedder(endpoint).embed(["moon"] * 300, lambda done, total: seen.append((done, total)))
    assert len(vectors) == 300
    assert [len(body["input"]) for body in endpoint.bodies] == [128, 128, 44]
    assert seen == [(128, 300), (256, 300), (300, 300)]
    endpoint.bodies.clear()
    embedder(endpoint).embed(["x" * MAX_TEXT_BYTES] * 50)
    sizes = [sum(map(len, body["input"])) for body in endpoint.bodies]
    assert max(sizes) <= BATCH_BYTES
    assert sum(sizes) == 50 * MAX_TEXT_BYTES


def test_overlong_texts_are_cut_between_characters_and_counted(endpoint: FakeEndpoint) -> None:
    asked = embedder(endpoint)
    asked.embed(["moon", "月" * MAX_TEXT_BYTES, "é" * MAX_TEXT_BYTES])
    assert endpoint.bodies[0]["input"][1] == "月" * (MAX_TEXT_BYTES // 3)
    assert endpoint.bodies[0]["input"][2] == "é" * (MAX_TEXT_BYTES // 2)
    assert asked.notices == ("2 documents were too long for the model; the vector is that of the beginning.",)


def test_empty_texts_are_sent_as_a_full_stop_and_counted(endpoint: FakeEndpoint) -> None:
    asked = embedder(endpoint)
    asked.embed(["", " \n", "moon"])
    assert endpoint.bodies[0]["input"] == [".", ".", "moon"]
    assert asked.notices == ("2 documents were empty, so the place on the map says nothing.",)
    asked.embed(["moon"])
    assert not asked.notices


def test_no_text_asks_nothing(endpoint: FakeEndpoint) -> None:
    assert embedder(endpoint).embed([]).shape == (0, 0)
    assert endpoint.bodies == []


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (401, "does not accept the key. Check OPENAI_API_KEY."),
        (403, "does not let this key use m"),
        (404, "does not know the model m"),
        (429, "allows no more requests"),
        (400, "did not accept the texts for m"),
        (500, "failed with status 500"),
    ],
)
def test_a_refusal_becomes_one_sentence_with_a_remedy(endpoint: FakeEndpoint, status: int, said: str) -> None:
    message = failure(endpoint, refusing(status))
    assert said in message
    assert message.startswith("127.0.0.1:")


def test_too_many_requests_are_asked_again_until_the_retries_are_used_up(endpoint: FakeEndpoint) -> None:
    assert "allows no more requests" in failure(endpoint, refusing(429), max_retries=2)
    assert len(endpoint.bodies) == 3


def test_a_passing_failure_is_overcome_by_asking_again(endpoint: FakeEndpoint) -> None:
    endpoint.answer = lambda texts: refusing(503)(texts) if len(endpoint.bodies) == 1 else good(texts)
    assert embedder(endpoint, max_retries=1).embed(["moon"]).shape == (1, 3)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (data((0, [1.0, 2.0])), "1 vectors for 2 texts"),
        (data(), "0 vectors for 2 texts"),
        (data((0, [1.0]), (0, [1.0])), "2 vectors for 2 texts"),
        (data((0, [1.0, 2.0]), (1, [1.0])), "different lengths"),
        (data((0, []), (1, [])), "different lengths"),
        (data((0, [0.0, 0.0]), (1, [1.0, 0.0])), "no direction"),
        (lambda texts: (200, "<html>hello</html>"), "form of an embeddings endpoint"),
        (lambda texts: (200, {"hello": "world"}), "0 vectors for 2 texts"),
        (lambda texts: (200, {"data": [{"index": "a"}, {"index": 0}]}), "form of an embeddings endpoint"),
    ],
)
def test_a_wrong_answer_becomes_one_sentence(
    endpoint: FakeEndpoint, answer: Callable[[list[str]], Reply], said: str
) -> None:
    assert said in failure(endpoint, answer)


def test_a_change_of_size_between_batches_is_refused(endpoint: FakeEndpoint) -> None:
    def answer(texts: list[str]) -> Reply:
        size = 2 if len(endpoint.bodies) == 1 else 3
        return data(*((i, [1.0] * size) for i in range(len(texts))))(texts)

    endpoint.answer = answer
    with pytest.raises(EmbeddingUnavailable, match="3 numbers after 2"):
        embedder(endpoint).embed(["moon"] * 200)


def test_silence_becomes_one_sentence(endpoint: FakeEndpoint) -> None:
    endpoint.is_silent = True
    assert "did not answer in time" in failure(endpoint, good, timeout_s=0.2)


def test_an_unreachable_endpoint_becomes_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://user:{KEY}@127.0.0.1:{unused.getsockname()[1]}/v1"
    asked = EndpointEmbedder("m", base_url=address, max_retries=0)
    with pytest.raises(EmbeddingUnavailable, match=r"^127\.0\.0\.1:\d+ cannot be reached") as caught:
        asked.embed(["moon"])
    assert KEY not in str(caught.value)


def test_without_a_key_openai_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(EmbeddingUnavailable, match="Set OPENAI_API_KEY, or choose the built-in model"):
        EndpointEmbedder()


def test_address_and_key_come_from_the_environment(endpoint: FakeEndpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    asked = EndpointEmbedder()
    asked.embed(["moon"])
    assert endpoint.keys == [f"Bearer {KEY}"]
    assert asked.model == "text-embedding-3-small"
    assert asked.version in endpoint.url


def test_another_address_needs_no_key(endpoint: FakeEndpoint) -> None:
    assert EndpointEmbedder("m", base_url=endpoint.url).embed(["moon"]).shape == (1, 3)


@pytest.mark.parametrize("address", ["localhost:8080", "ftp://host/v1", "http://"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(EmbeddingUnavailable, match="must begin with http"):
        EndpointEmbedder("m", base_url=address, api_key=KEY)


def test_the_key_is_in_no_representation(endpoint: FakeEndpoint) -> None:
    asked = embedder(endpoint)
    assert KEY not in repr(asked) + str(asked) + asked.version + asked.model


def test_no_text_goes_to_an_address_that_the_endpoint_sends_it_on_to(endpoint: FakeEndpoint) -> None:
    other = FakeEndpoint()
    try:
        endpoint.answer, endpoint.sends_on_to = lambda _: (307, {}), f"{other.url}/embeddings"
        with pytest.raises(EmbeddingUnavailable):
            EndpointEmbedder("m", base_url=endpoint.url, api_key="k", max_retries=0).embed(["A secret text."])
        assert len(endpoint.bodies) == 1
        assert other.bodies == []
    finally:
        other.close()
