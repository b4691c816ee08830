"""Embeddings from any OpenAI-compatible endpoint."""

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from narrative_core.errors import EmbeddingUnavailable
from narrative_core.records import Progress
from narrative_core.settings import KEY_VARIABLE, OPENAI_URL, endpoint_address, endpoint_host, is_endpoint_address
from narrative_core.space.embedders import DEFAULT_ENDPOINT_MODEL

if TYPE_CHECKING:
    import openai

MAX_TEXT_BYTES = 20_000
"""About 8,000 tokens at worst, the limit of the common models: a Chinese character is 3 bytes and up to 1.2 tokens."""

BATCH_TEXTS = 128
BATCH_BYTES = 400_000
NO_TEXT = "."
"""Stands for an empty text, which endpoints refuse."""


class EndpointEmbedder:
    """Vectors that an endpoint computes, scaled to length 1.

    A text over 20,000 bytes is cut, an empty one is sent as a full stop; ``notices`` counts both. The key appears in no
    message and no representation.

    Parameters
    ----------
    model : str
        Name that the endpoint knows.
    base_url, api_key : str, optional
        By default ``OPENAI_BASE_URL`` and ``OPENAI_API_KEY``. An address other than OpenAI's needs no key.
    max_retries : int
        How often the client asks again after a time-out, a 429 or a 5xx, waiting longer each time.
    timeout_s : float
        Longest wait for one batch.

    Raises
    ------
    EmbeddingUnavailable
        If OpenAI is asked without a key, or the address is none.
    """

    def __init__(
        self,
        model: str = DEFAULT_ENDPOINT_MODEL,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        max_retries: int = 4,
        timeout_s: float = 60.0,
    ) -> None:
        import openai

        address = endpoint_address(base_url)
        key = api_key or os.environ.get(KEY_VARIABLE)
        if not is_endpoint_address(address):
            raise EmbeddingUnavailable("The endpoint's address must begin with http:// or https://. Correct it.")
        if not key and address.startswith(OPENAI_URL):
            raise EmbeddingUnavailable(
                f"The model {model} needs a key. Set OPENAI_API_KEY, or choose the built-in model wordllama."
            )
        self._model = model
        self._host = endpoint_host(address)
        # Texts go to the address that was named, and to none that it points to.
        self._client = openai.OpenAI(
            api_key=key or "none",
            base_url=address,
            max_retries=max_retries,
            timeout=timeout_s,
            http_client=openai.DefaultHttpxClient(follow_redirects=False, timeout=timeout_s),
        )
        self._n_cut = self._n_empty = 0

    def __repr__(self) -> str:
        return f"EndpointEmbedder(model={self._model!r}, host={self._host!r})"

    @property
    def model(self) -> str:
        """Name that the endpoint knows."""
        return self._model

    @property
    def version(self) -> str:
        """Host of the endpoint; which weights stand behind a name is the endpoint's affair."""
        return self._host

    @property
    def notices(self) -> tuple[str, ...]:
        """How many texts of the last call were cut or empty, if any."""
        notices = []
        if self._n_cut:
            notices.append(f"{_documents(self._n_cut)} too long for the model; the vector is that of the beginning.")
        if self._n_empty:
            notices.append(f"{_documents(self._n_empty)} empty, so the place on the map says nothing.")
        return tuple(notices)

    def embed(self, texts: Sequence[str], progress: Progress | None = None) -> NDArray[np.float32]:
        """Unit vectors of ``texts``, (n, d) float32; d is the model's.

        Parameters
        ----------
        texts : sequence of str
        progress : callable, optional
            Called with texts done and texts in all after each batch of at most 128.

        Raises
        ------
        EmbeddingUnavailable
            If the endpoint cannot be reached, refuses, or answers with the wrong number or size of vectors.
        """
        self._n_cut = self._n_empty = 0
        sendable = [self._sendable(text) for text in texts]
        rows: list[NDArray[np.float64]] = []
        for batch in _batches(sendable):
            vectors = self._ask(batch)
            if rows and vectors.shape[1] != rows[0].shape[1]:
                raise EmbeddingUnavailable(
                    f"{self._host} answered with vectors of {vectors.shape[1]} numbers after {rows[0].shape[1]}. "
                    "Check that one model stands behind the name."
                )
            rows.append(vectors)
            if progress is not None:
                progress(sum(map(len, rows)), len(texts))
        if not rows:
            return np.empty((0, 0), dtype=np.float32)
        return np.concatenate(rows).astype(np.float32)

    def _sendable(self, text: str) -> str:
        encoded = text.encode("utf-8", "replace")
        self._n_cut += len(encoded) > MAX_TEXT_BYTES
        shortened = encoded[:MAX_TEXT_BYTES].decode("utf-8", "ignore")
        if shortened.strip():
            return shortened
        self._n_empty += 1
        return NO_TEXT

    def _ask(self, batch: list[str]) -> NDArray[np.float64]:
        import openai

        try:
            reply = self._client.embeddings.create(model=self._model, input=batch, encoding_format="float")
            items = sorted(reply.data or [], key=lambda item: item.index)
        except openai.OpenAIError as error:
            # The cause is left out: an endpoint may repeat the key in what it says.
            raise EmbeddingUnavailable(self._explain(error)) from None
        except (ValueError, AttributeError, TypeError):
            raise EmbeddingUnavailable(
                f"{self._host} did not answer in the form of an embeddings endpoint. Check its address."
            ) from None
        if [item.index for item in items] != list(range(len(batch))):
            raise EmbeddingUnavailable(
                f"{self._host} answered with {len(items)} vectors for {len(batch)} texts. Try again, or another model."
            )
        return self._unit_rows([item.embedding for item in items])

    def _unit_rows(self, rows: list[list[float]]) -> NDArray[np.float64]:
        if len({len(row) for row in rows}) != 1 or not rows[0]:
            raise EmbeddingUnavailable(f"{self._host} answered with vectors of different lengths. Try another model.")
        vectors = np.asarray(rows, dtype=np.float64)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not (np.isfinite(vectors).all() and (lengths > 0).all()):
            raise EmbeddingUnavailable(f"{self._host} answered with a vector that has no direction. Try another model.")
        return np.asarray(vectors / lengths)

    def _explain(self, error: "openai.OpenAIError") -> str:
        import openai

        reasons: tuple[tuple[type[openai.OpenAIError], str], ...] = (
            (openai.AuthenticationError, "does not accept the key. Check OPENAI_API_KEY."),
            (openai.PermissionDeniedError, f"does not let this key use {self._model}. Check the key's rights."),
            (openai.NotFoundError, f"does not know the model {self._model}. Check its name and the address."),
            (openai.RateLimitError, "allows no more requests for now. Wait a while, or check the account's quota."),
            (
                openai.BadRequestError,
                f"did not accept the texts for {self._model}. Check that it is an embedding model.",
            ),
            (openai.APITimeoutError, "did not answer in time. Try again later."),
            (openai.APIConnectionError, "cannot be reached. Check the network and the address."),
        )
        for kind, reason in reasons:
            if isinstance(error, kind):
                return f"{self._host} {reason}"
        status = getattr(error, "status_code", None)
        return f"{self._host} failed{f' with status {status}' if status else ''}. Try again later."


def _documents(n: int) -> str:
    return "1 document was" if n == 1 else f"{n} documents were"


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        length = len(text.encode("utf-8"))
        if batch and (len(batch) == BATCH_TEXTS or size + length > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += length
    if batch:
        yield batch
